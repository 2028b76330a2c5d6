"""`ingest --dry-run` tells, to the last field, what the same call does then; a second real run has nothing to do."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.command_line import call
from verified_gate.corpus.store import CorpusStore


@dataclass(frozen=True)
class Place:
    """Two folders that are ingested, and one beside them that is not."""

    kb: Path
    docs: Path
    more: Path
    away: Path

    def ingest(self, *options, code=None):
        done = call("ingest", self.docs, self.more, "--corpus", self.kb, "--json", *options)
        assert done.code in ((0, 3) if code is None else (code,)), done.err
        return json.loads(done.out)


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path / "kb.db", tmp_path / "docs", tmp_path / "more", tmp_path / "away")
    for folder in (made.docs / "sub", made.more, made.away):
        folder.mkdir(parents=True)
    (made.docs / "a.md").write_text("The a of the first text.\n")
    (made.docs / "b.md").write_text("The b of the first text.\n")
    (made.docs / "readme.md").write_text("Read me first.\n")
    (made.docs / "readme.txt").write_text("Read me next.\n")
    (made.docs / "says.md").write_text("---\nid: said\nversion: 3\n---\nThe text that says its version.\n")
    (made.docs / "sub" / "c.md").write_text("The c below.\n")
    (made.docs / "link.md").symlink_to("sub/c.md")
    (made.docs / "bad.md").write_bytes(b"\xff\xfe")
    (made.more / "a.md").write_text("The a of the other folder.\n")
    (made.more / "d.csv").write_text("name,days\nbike,30\n")
    return made


def second(path):
    path.write_bytes(path.read_bytes().replace(b"text", b"test").replace(b"first", b"third"))


def touched(place):
    for each in place.docs.rglob("*.md"):
        os.utime(each, (1, 1))


def gone_and_back(place):
    (place.docs / "b.md").rename(place.away / "b.md")
    place.ingest("--prune")
    (place.away / "b.md").rename(place.docs / "b.md")


def gone_and_back_otherwise(place):
    gone_and_back(place)
    second(place.docs / "b.md")


def back_elsewhere(place):
    (place.docs / "b.md").rename(place.away / "b.md")
    place.ingest("--prune")
    (place.away / "b.md").rename(place.more / "b.md")


def two_exchanged(place):
    (place.docs / "a.md").rename(place.away / "x")
    (place.docs / "b.md").rename(place.docs / "a.md")
    (place.away / "x").rename(place.docs / "b.md")


def back_to_the_first(place):
    first = (place.docs / "b.md").read_text()
    second(place.docs / "b.md")
    place.ingest()
    (place.docs / "b.md").write_text(first)


def marked(status):
    def change(place):
        second(place.docs / "b.md")
        assert call("mark", "b@1", status, "--corpus", place.kb).code == 0

    return change


def draft_of_a_change(place):
    second(place.docs / "b.md")
    place.ingest("--draft")


def file_becomes_folder(place):
    (place.docs / "b.md").unlink()
    (place.docs / "b.md").mkdir()
    (place.docs / "b.md" / "e.md").write_text("The e.\n")


def folder_becomes_file(place):
    shutil.rmtree(place.docs / "sub")
    (place.docs / "sub").write_text("The sub.\n")


def folder_becomes_link(place):
    (place.docs / "sub").rename(place.more / "sub")
    (place.docs / "sub").symlink_to(place.more / "sub")


def replaced_by_link(place):
    (place.docs / "b.md").unlink()
    (place.docs / "b.md").symlink_to("a.md")


def odd_names(place):
    for name in (b"new\nline.md", b"rtl\xe2\x80\xaegnp.md", b"esc\x1b[31m.md", b"not\xffutf8.md"):
        Path(os.fsdecode(os.fsencode(place.docs) + b"/" + name)).write_text(f"The text of {name!r}.\n")


def says_it_is_the_next_of_another(place):
    second(place.docs / "a.md")
    (place.docs / "a b.md").write_text("---\nid: a\nversion: 2\n---\nThe a of the second text.\n")


def passes_for_another_that_changed(place):
    """Their paths make one id, and the new file has the text that the other had."""
    (place.docs / "b-c.md").write_text("The b and c of the first text.\n")
    place.ingest(code=3)
    shutil.copy(place.docs / "b-c.md", place.docs / "b c.md")
    second(place.docs / "b-c.md")


def passes_for_a_revoked_one_that_changed(place):
    assert call("mark", "b@1", "revoked", "--corpus", place.kb).code == 0
    shutil.copy(place.docs / "b.md", place.docs / "b")
    (place.docs / "b").rename(place.docs / "b.markdown")
    second(place.docs / "b.md")


def share_a_document(place):
    """Two files of one text whose paths make one id, each of which gives the document its own title."""
    (place.docs / "b-c.md").write_text("The b and c of the first text.\n")
    place.ingest(code=3)
    shutil.copy(place.docs / "b-c.md", place.docs / "b c.md")


def share_a_document_and_change(place):
    share_a_document(place)
    place.ingest(code=3)
    second(place.docs / "b c.md")


def moves_on_while_another_claims_it(place):
    """The first file is refused for what the last holds, which is another document when it is read."""
    (place.more / "z.md").write_text("---\nid: e\n---\nThe z.\n")
    place.ingest("--trust-front-matter", code=3)
    (place.docs / "e.md").write_text("The e.\n")
    (place.more / "z.md").write_text("---\nid: z\n---\nThe z of the next text.\n")


CHANGES = {
    "nothing": lambda place: None,
    "touched": touched,
    "one byte": lambda place: second(place.docs / "b.md"),
    "one that says its version": lambda place: second(place.docs / "says.md"),
    "one that is a clash": lambda place: second(place.docs / "readme.txt"),
    "renamed": lambda place: (place.docs / "b.md").rename(place.docs / "e.md"),
    "renamed and changed": lambda place: second((place.docs / "b.md").rename(place.docs / "e.md")),
    "case": lambda place: (place.docs / "b.md").rename(place.docs / "B.md"),
    "another ending": lambda place: (place.docs / "b.md").rename(place.docs / "b.txt"),
    "moved down": lambda place: (place.docs / "b.md").rename(place.docs / "sub" / "b.md"),
    "moved to the other folder": lambda place: (place.docs / "b.md").rename(place.more / "b.md"),
    "moved and changed": lambda place: second((place.docs / "b.md").rename(place.more / "b.md")),
    "moved where another of the name is": lambda place: (place.docs / "a.md").rename(place.more / "readme.md"),
    "copied": lambda place: shutil.copy(place.docs / "b.md", place.docs / "e.md"),
    "copied to the other folder": lambda place: shutil.copy(place.docs / "b.md", place.more / "b.md"),
    "gone": lambda place: (place.docs / "b.md").unlink(),
    "gone, of a clash": lambda place: (place.docs / "readme.md").unlink(),
    "gone, a folder": lambda place: shutil.rmtree(place.docs / "sub"),
    "gone, a folder of the call": lambda place: place.more.rename(place.away / "more"),
    "gone and back": gone_and_back,
    "gone and back otherwise": gone_and_back_otherwise,
    "back elsewhere": back_elsewhere,
    "two exchanged": two_exchanged,
    "back to the first": back_to_the_first,
    "withdrawn": marked("withdrawn"),
    "revoked": marked("revoked"),
    "a draft": draft_of_a_change,
    "file becomes folder": file_becomes_folder,
    "folder becomes file": folder_becomes_file,
    "folder becomes link": folder_becomes_link,
    "replaced by a link": replaced_by_link,
    "link leads nowhere": lambda place: (place.docs / "sub" / "c.md").unlink(),
    "link leads round": lambda place: (place.docs / "round.md").symlink_to("round.md"),
    "link leads out": lambda place: (place.docs / "out.md").symlink_to(place.away),
    "emptied": lambda place: (place.docs / "b.md").write_text(""),
    "spoiled": lambda place: (place.docs / "b.md").write_bytes(b"\xff"),
    "mended": lambda place: (place.docs / "bad.md").write_text("The bad of the good text.\n"),
    "another id": lambda place: (place.docs / "b.md").write_text("---\nid: other\n---\nThe b.\n"),
    "the id of another": lambda place: (place.docs / "b.md").write_text("---\nid: a\n---\nThe b.\n"),
    "says that it is the next of another": says_it_is_the_next_of_another,
    "passes for another that changed": passes_for_another_that_changed,
    "passes for a revoked one that changed": passes_for_a_revoked_one_that_changed,
    "share a document": share_a_document,
    "share a document and change": share_a_document_and_change,
    "moves on while another claims it": moves_on_while_another_claims_it,
    "odd names": odd_names,
}
WAYS = {
    "plain": (),
    "prune": ("--prune",),
    "draft": ("--draft", "--prune"),
    "replace": ("--replace", "--prune"),
    "reread": ("--reread",),
    "trusted": ("--trust-front-matter", "--prune"),
    "labels": ("--lang", "de", "--prune"),
    "another tenant": ("--tenant", "acme", "--prune"),
}


def stored(kb):
    with CorpusStore.open(kb) as store:
        return [(each.listing, each.path, sorted(each.groups)) for each in store.operator.catalogue()]


EVERY = bool(os.environ.get("VERIFIED_GATE_EVERY_CHANGE"))
"""All changes in all ways; else each change in two."""


def cases():
    ways = list(WAYS)
    for number, change in enumerate(CHANGES):
        for way in ways if EVERY else dict.fromkeys((ways[number % 2], ways[2 + number % (len(ways) - 2)])):
            yield pytest.param(change, way, id=f"{change}, {way}")


@pytest.mark.parametrize(("change", "way"), list(cases()))
def test_a_dry_run_tells_what_the_run_does(place, change, way):
    place.ingest(*(("--trust-front-matter",) if way == "trusted" else ()), code=3)
    CHANGES[change](place)
    before, files = stored(place.kb), sorted(os.listdir(place.kb.parent))
    dry = place.ingest(*WAYS[way], "--dry-run")
    assert (stored(place.kb), sorted(os.listdir(place.kb.parent))) == (before, files)
    real = place.ingest(*WAYS[way])
    assert (dry.pop("dry_run"), real.pop("dry_run")) == (True, False)
    assert dry == real
    after = stored(place.kb)
    again = place.ingest(*WAYS[way])
    assert (again["documents"], again["changed"], again["replaced"], again["withdrawn"]) == (0, 0, 0, 0)
    assert (again["restored"], again["read_otherwise"]) == ([], [])
    failed = [
        [each for each in told["failed"] if each["file"] != str(place.more)] for told in (real, again)
    ]  # where it is gone, and not pruned now
    assert (again["unchanged"], failed[1]) == (real["documents"] + real["unchanged"], failed[0])
    assert stored(place.kb) == after
    with CorpusStore.open(place.kb) as store:
        assert store.operator.status(check=True).faults == ()
