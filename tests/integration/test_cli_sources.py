"""`ingest` over and over: whose a file's documents are, what of them stays when it changes, goes or comes back."""

import json
import os

import pytest

from tests.command_line import call
from verified_gate.corpus.store import CorpusStore


@pytest.fixture
def kb(tmp_path):
    return tmp_path / "kb.db"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    for name in "ab":
        (root / f"{name}.md").write_text(f"The {name} of the first text.\n")
    return root


def ingest(kb, *arguments, code=0):
    done = call("ingest", *arguments, "--corpus", kb, "--json")
    assert done.code == code, done.err
    return json.loads(done.out) if done.out else {}


def versions(kb):
    with CorpusStore.open(kb) as store:
        return {
            f"{each.tenant or ''}:{each.document_id}@{each.version}": str(each.status)
            for each in store.operator.documents()
        }


# ------------------------------------------------------------------------------------------------------------ tenants


def test_pruning_for_one_tenant_leaves_the_documents_of_another(kb, folder):
    ingest(kb, folder, "--tenant", "acme")
    (folder / "b.md").unlink()
    told = ingest(kb, folder, "--tenant", "globex", "--prune")
    assert (told["removed"], told["withdrawn"]) == ([], 0)
    assert ingest(kb, folder, "--prune")["withdrawn"] == 0, "nor does pruning of what is public"
    assert versions(kb)["acme:b@1"] == "current"
    assert ingest(kb, folder, "--tenant", "acme", "--prune")["withdrawn"] == 1
    assert versions(kb)["acme:b@1"] == "withdrawn"


def test_a_file_read_for_two_audiences_is_told_and_each_has_its_own_versions_of_it(kb, folder):
    ingest(kb, folder)
    told = ingest(kb, folder, "--tenant", "acme")
    assert [(each["file"], each["audience"]) for each in told["elsewhere"]] == [
        (str(folder / "a.md"), "public"),
        (str(folder / "b.md"), "public"),
    ]
    assert ingest(kb, folder)["unchanged"] == 2, "the other audience's reading made nobody forget it"
    (folder / "a.md").unlink()
    assert ingest(kb, folder, "--prune")["withdrawn"] == 1
    assert ingest(kb, folder, "--tenant", "acme", "--prune")["withdrawn"] == 1
    assert {name: status for name, status in versions(kb).items() if ":a@" in name} == {
        ":a@1": "withdrawn",
        "acme:a@1": "withdrawn",
    }


# ----------------------------------------------------------------------------------------- what a file was read as once


def test_all_versions_of_a_file_that_is_gone_are_withdrawn_and_all_come_back_with_it(kb, folder):
    first = ingest(kb, folder)
    assert first["former"] == []
    text = "The b of the second text.\n"
    (folder / "b.md").write_text(text)
    ingest(kb, folder, "--draft")
    assert (versions(kb)[":b@1"], versions(kb)[":b@2"]) == ("current", "draft")
    (folder / "b.md").unlink()
    assert ingest(kb, folder, "--prune")["withdrawn"] == 2
    assert (versions(kb)[":b@1"], versions(kb)[":b@2"]) == ("withdrawn", "withdrawn")
    (folder / "b.md").write_text(text)
    assert ingest(kb, folder, "--draft")["restored"] == [str(folder / "b.md")]
    assert (versions(kb)[":b@1"], versions(kb)[":b@2"]) == ("current", "draft")


def test_a_file_that_names_another_id_is_told_and_its_former_document_is_withdrawn_when_pruned(kb, folder):
    for name in ("one", "two"):
        (folder / "a.md").write_text(f"---\nid: {name}\n---\nThe text of {name}.\n")
        told = ingest(kb, folder, "--trust-front-matter")
    assert told["former"] == [{"file": str(folder / "a.md"), "document": "one@1"}]
    assert (versions(kb)[":one@1"], versions(kb)[":two@1"]) == ("current", "current")
    assert ingest(kb, folder, "--trust-front-matter")["former"] == told["former"], "told as long as it stands"
    assert ingest(kb, folder, "--trust-front-matter", "--prune")["withdrawn"] == 1
    assert (versions(kb)[":one@1"], versions(kb)[":two@1"]) == ("withdrawn", "current")
    assert ingest(kb, folder, "--trust-front-matter")["former"] == []
    (folder / "a.md").write_text("---\nid: one\n---\nThe text of one.\n")
    told = ingest(kb, folder, "--trust-front-matter", "--dry-run")
    assert told["former"] == [{"file": str(folder / "a.md"), "document": "two@1"}]


def test_a_file_that_is_read_from_a_folder_above_is_no_second_document_for_ever(kb, folder, tmp_path):
    ingest(kb, folder)
    (folder / "a.md").write_text("The a of the second text.\n")
    told = ingest(kb, tmp_path, "--prune")
    assert told["withdrawn"] == 1
    assert versions(kb) == {":a@1": "withdrawn", ":docs/a@1": "current", ":b@1": "current"}


@pytest.mark.parametrize("inner", [".", "sub", "sub/c.md"])
def test_a_file_that_two_paths_of_a_call_lead_to_becomes_one_document(kb, folder, inner):
    (folder / "sub").mkdir()
    (folder / "sub" / "c.md").write_text("The c.\n")
    assert ingest(kb, folder / inner, folder)["documents"] == 3
    assert set(versions(kb)) == {":a@1", ":b@1", ":sub/c@1"}
    assert ingest(kb, folder, folder / inner, "--prune")["withdrawn"] == 0


# ------------------------------------------------------------------------------------------------------- gone, and back


@pytest.mark.parametrize(
    ("text", "version"), [("The b of the first text.\n", ":b@1"), ("The b of another text.\n", ":b@2")]
)
def test_a_file_that_was_pruned_and_is_back_is_in_force_again(kb, folder, text, version):
    ingest(kb, folder)
    (folder / "b.md").unlink()
    ingest(kb, folder, "--prune")
    assert call("search", "text", "--corpus", kb).out.count("@1#") == 1
    (folder / "b.md").write_text(text)
    told = ingest(kb, folder, "--dry-run")
    assert ingest(kb, folder)["restored"] == told["restored"] == ([str(folder / "b.md")] if version == ":b@1" else [])
    assert {name for name, status in versions(kb).items() if status == "current"} == {":a@1", version}
    assert ingest(kb, folder)["unchanged"] == 2
    assert call("status", "--check", "--corpus", kb).code == 0


@pytest.mark.parametrize("status", ["withdrawn", "revoked"])
@pytest.mark.parametrize("pruned", [False, True])
def test_what_the_operator_took_back_is_not_put_in_force_by_its_file(kb, folder, status, pruned):
    ingest(kb, folder)
    text = (folder / "b.md").read_text()
    if pruned:
        (folder / "b.md").unlink()
        ingest(kb, folder, "--prune")
        (folder / "b.md").write_text(text)
    assert call("mark", "b@1", status, "--corpus", kb).code == 0
    for more in ((), ("--replace",)):
        told = ingest(kb, folder, *more)
        assert told["restored"] == []
        assert [each["file"] for each in told["not_in_force"]] == [str(folder / "b.md")]
        assert versions(kb)[":b@1"] == status
    (folder / "b.md").write_text("---\nversion: 1\n---\nAnother text of the first version.\n")
    told = ingest(kb, folder, "--replace", code=3)
    assert [each["code"] for each in told["failed"]] == ["refused"]
    assert versions(kb)[":b@1"] == status
    assert call("mark", "b@1", "current", "--corpus", kb).code == 0, "who took it back may put it in force"


def test_a_file_that_is_back_does_not_supersede_what_came_meanwhile(kb, folder):
    (folder / "b.md").write_text("---\nid: b\nversion: 1\n---\nThe first.\n")
    ingest(kb, folder, "--trust-front-matter")
    first = (folder / "b.md").read_text()
    (folder / "b.md").unlink()
    ingest(kb, folder, "--trust-front-matter", "--prune")
    (folder / "c.md").write_text("---\nid: b\nversion: 2\n---\nThe second.\n")
    ingest(kb, folder, "--trust-front-matter")
    (folder / "c.md").rename(folder.parent / "c.md")
    (folder / "b.md").write_text(first)
    ingest(kb, folder, "--trust-front-matter")
    assert (versions(kb)[":b@1"], versions(kb)[":b@2"]) == ("superseded", "current")


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_folder_that_is_named_and_is_not_there_takes_nothing_out_of_force(kb, folder, tmp_path, more):
    ingest(kb, folder)
    folder.rename(tmp_path / "unmounted")
    other = tmp_path / "other"
    other.mkdir()
    (other / "c.md").write_text("The c.\n")
    alone = call("ingest", folder, "--corpus", kb, "--prune", *more)
    assert (alone.code, str(folder) in alone.err, "2 files" in alone.err) == (3, True, True)
    told = ingest(kb, folder, other, "--prune", *more, code=3)
    assert (told["removed"], told["withdrawn"], [each["file"] for each in told["failed"]]) == ([], 0, [str(folder)])
    assert ingest(kb, tmp_path, folder, "--prune", "--dry-run", code=3)["withdrawn"] == 0, "nor from a folder above"
    assert (versions(kb)[":a@1"], versions(kb)[":b@1"]) == ("current", "current")
    folder.mkdir()
    assert ingest(kb, folder, "--prune")["withdrawn"] == 2, "that the files are gone from a folder can be seen"


def test_a_file_that_is_named_and_is_not_there_takes_nothing_out_of_force(kb, folder):
    ingest(kb, folder)
    (folder / "b.md").unlink()
    told = ingest(kb, folder / "a.md", folder / "b.md", "--prune", code=3)
    assert (told["removed"], told["withdrawn"], len(told["failed"])) == ([], 0, 1)
    assert versions(kb)[":b@1"] == "current"
    assert ingest(kb, folder, "--prune")["withdrawn"] == 1


@pytest.mark.parametrize("more", [("--prune",), ("--prune", "--dry-run"), ()])
def test_of_a_file_that_was_moved_its_new_place_is_told_and_of_one_that_is_gone_that_it_is(kb, folder, tmp_path, more):
    ingest(kb, folder)
    other = tmp_path / "other"
    other.mkdir()
    (folder / "a.md").rename(other / "a.md")
    done = call("ingest", folder, other, "--corpus", kb, "--dry-run", *more)
    assert (done.code, "withdrawn" in done.err, "is back" in done.err) == (0, False, False)
    assert str(other / "a.md") in done.err
    told = ingest(kb, folder, other, *more)
    assert told["moved"] == [{"file": str(folder / "a.md"), "now": str(other / "a.md")}]
    assert (told["withdrawn"], told["restored"]) == (0, [])
    assert versions(kb) == {":a@1": "current", ":b@1": "current"}
    (folder / "b.md").unlink()
    told = ingest(kb, folder, other, "--prune")
    assert (told["withdrawn"], versions(kb)[":b@1"]) == (1, "withdrawn")
    assert str(folder / "b.md") not in [each["file"] for each in told["moved"]]


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--prune", "--dry-run"), ("--prune",)])
def test_of_a_file_that_became_another_document_by_its_move_the_new_place_is_told(kb, folder, more):
    ingest(kb, folder)
    (folder / "sub").mkdir()
    moved = (folder / "a.md").rename(folder / "sub" / "a.md")
    (folder / "b.md").unlink()
    done = call("ingest", folder, "--corpus", kb, "--dry-run", *more)
    lines = {name: line for name in "ab" for line in done.err.splitlines() if f"/{name}.md: is gone" in line}
    assert (str(moved) in lines["a"], "sub/a@1" in lines["a"], "same bytes" in lines["b"]) == (True, True, False)
    told = ingest(kb, folder, *more)
    assert told["same_bytes"] == [{"file": str(folder / "a.md"), "now": str(moved), "document": "sub/a@1"}]
    assert (told["moved"], told["documents"]) == ([], 1)
    if not more:
        (moved.parent / "a.md").write_text("Other words.\n")
        assert ingest(kb, folder)["same_bytes"] == [], "other bytes lie there now"
    elif more == ("--prune",):
        assert versions(kb) == {":a@1": "withdrawn", ":b@1": "withdrawn", ":sub/a@1": "current"}
        assert ingest(kb, folder, "--prune")["same_bytes"] == [], "nothing more is gone"


def test_a_file_that_nothing_can_be_found_in_is_named(kb, folder):
    (folder / "empty.md").write_text("\n")
    done = call("ingest", folder, "--corpus", kb)
    assert (done.code, [line.count("empty.md") for line in done.err.splitlines()]) == (0, [1])
    assert ingest(kb.parent / "2.db", folder)["without_text"] == [str(folder / "empty.md")]


# -------------------------------------------------------------------------------------------- files of the same name


def test_a_file_of_another_folder_supersedes_nothing_while_the_first_is_out_of_reach(kb, folder, tmp_path):
    ingest(kb, folder)
    folder.rename(tmp_path / "unmounted")
    other = tmp_path / "other"
    other.mkdir()
    for text in ("The other.\n", "---\nversion: 9\n---\nThe other.\n"):
        (other / "a.md").write_text(text)
        for more in ((), ("--dry-run",), ("--replace",)):
            assert [each["code"] for each in ingest(kb, other, *more, code=3)["failed"]] == ["refused"]
    assert versions(kb) == {":a@1": "current", ":b@1": "current"}
    ingest(kb, folder, other, "--prune", code=3)
    assert versions(kb) == {":a@1": "current", ":b@1": "current"}
    folder.mkdir()
    ingest(kb, folder, other, "--prune")
    assert versions(kb)[":a@9"] == "current", "the operator shows that the files of the folder are gone"


def test_two_files_of_one_text_and_name_and_one_of_them_goes(kb, folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text((folder / "a.md").read_text())
    ingest(kb, folder)
    assert ingest(kb, other)["unchanged"] == 1
    (other / "a.md").unlink()
    assert ingest(kb, other, "--prune")["withdrawn"] == 0
    assert versions(kb)[":a@1"] == "current", "the first is still there"
    (folder / "a.md").unlink()
    assert ingest(kb, folder, "--prune")["withdrawn"] == 1


def test_a_folder_that_is_read_by_two_paths_holds_one_document_for_each_file(kb, folder, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert ingest(kb, folder)["documents"] == 2
    for number, path in enumerate([link, folder, link / ".." / "docs", link, folder], 2):
        assert ingest(kb, path)["unchanged"] == 2
        (folder / "a.md").write_text(f"The a of text {number}.\n")
        assert ingest(kb, path, "--dry-run")["changed"] == ingest(kb, path)["changed"] == 1
        assert {name for name, status in versions(kb).items() if status == "current"} == {f":a@{number}", ":b@1"}
    assert ingest(kb, link, folder)["unchanged"] == 2
    (folder / "a.md").unlink()
    assert ingest(kb, folder, "--prune")["withdrawn"] == 1
    assert ingest(kb, link, "--prune")["withdrawn"] == 0


def test_a_file_that_is_called_as_the_corpus_begins_is_read_and_the_corpus_is_not(tmp_path, folder):
    kb = folder / "kb"
    (folder / "kb-manual.md").write_text("The manual.\n")
    (folder / "sub").mkdir()
    (folder / "sub" / "kb").write_text("not this one")
    (folder / "link.md").symlink_to(kb)
    assert ingest(kb, folder, "--prune", code=3)["documents"] == 3, "a link that leads nowhere yet"
    told = ingest(kb, folder, folder / "link.md", kb, "--prune")
    assert (told["unchanged"], told["withdrawn"]) == (3, 0)
    assert told["failed"] == []
    assert not any(each["file"].endswith(("docs/kb", "kb-wal", "kb-shm")) for each in told["skipped"])


# --------------------------------------------------------------------------------------------------- what a run tells


def test_a_dry_run_refuses_what_the_run_refuses_and_leaves_nothing_behind(kb, folder):
    (folder / "b.md").write_text("---\nversion: 1\n---\nThe first.\n")
    ingest(kb, folder, "--tenant", "acme", "--group", "staff")
    (folder / "b.md").write_text("---\nversion: 1\n---\nThe second.\n")
    before = sorted(os.listdir(kb.parent))
    for labels in (("--group", "staff"), ("--group", "board")):
        dry = ingest(kb, folder, "--tenant", "acme", *labels, "--dry-run", code=3)
        assert sorted(os.listdir(kb.parent)) == before
        real = ingest(kb, folder, "--tenant", "acme", *labels, code=3)
        for name in ("documents", "unchanged", "failed", "passages"):
            assert dry[name] == real[name]
    assert ingest(kb, folder, "--tenant", "acme", "--group", "staff", "--replace", "--dry-run")["replaced"] == 1
    assert call("ingest", folder, "--dry-run", "--corpus", kb.parent / "none" / "kb").code == 3


def test_replacing_is_advised_only_where_it_helps_and_one_file_fails_once(kb, folder):
    (folder / "b.md").write_text("---\nversion: 1\n---\nThe first.\n")
    ingest(kb, folder, "--tenant", "acme", "--group", "staff")
    (folder / "b.md").write_text("---\nversion: 1\n---\nThe second.\n")
    helps = call("ingest", folder, "--tenant", "acme", "--group", "staff", "--corpus", kb)
    assert "--replace" in helps.err
    does_not = call("ingest", folder / "b.md", folder / "a.md", "--tenant", "acme", "--group", "board", "--corpus", kb)
    assert (helps.code, does_not.code) == (3, 3)
    assert "--replace" not in does_not.err
    assert "failed 1" in helps.out
    (folder / "c.md").write_text("---\nversion: \nlang: \nnonsense\n---\nThe c.\n")
    assert "failed 2" in call("ingest", folder, "--tenant", "acme", "--group", "staff", "--corpus", kb).out


def test_a_name_with_line_breaks_forges_no_line(kb, folder):
    name = "x\nverified-gate: 9 documents stored.md"
    (folder / name).write_text("The text.\n")
    ingest(kb, folder)
    (folder / name).unlink()
    done = call("ingest", folder, "--corpus", kb)
    assert len(done.err.splitlines()) == 1
    page = call("page", "x\nforged", "--corpus", kb, "--png", folder / "p.png")
    assert (page.code, len(page.err.splitlines())) == (1, 1)


def test_a_folder_whose_name_is_not_utf8_is_told_and_the_rest_is_stored(kb, folder):
    bad = os.fsdecode(os.fsencode(folder) + b"/d\xff")
    os.mkdir(bad)
    with open(os.path.join(bad, "c.md"), "w") as file:
        file.write("The c.\n")
    for given, more in ((folder, ()), (bad, ()), (bad, ("--json",)), (bad, ("--prune",))):
        done = call("ingest", given, folder / "a.md", "--corpus", kb, *more)
        assert done.code == 3
        assert "fault of this program" not in done.err
    assert {":a@1", ":b@1"} <= set(versions(kb))


# ------------------------------------------------------------------------------------------- files whose ids would clash


def ids(kb):
    with CorpusStore.open(kb) as store:
        return {each.path.rpartition("/docs/")[2]: each.listing.document_id for each in store.operator.catalogue()}


def test_files_whose_paths_make_one_id_are_documents_of_their_own_and_stay_so(kb, folder):
    names = ["readme.md", "readme.txt", "x y.txt", "x-y.txt"]
    for name in names:
        (folder / name).write_text(f"The first text of {name}.\n")
    assert ingest(kb, folder, "--dry-run")["documents"] == ingest(kb, folder)["documents"] == 6
    kept = ids(kb)
    assert [kept[name] for name in names] == ["readme", "readme--txt", "x-y", "x-y--txt"]
    for name in names:
        (folder / name).write_text(f"The second text of {name}.\n")
    told = ingest(kb, folder)
    assert (told["documents"], told["changed"], told["former"]) == (4, 4, [])
    assert all(versions(kb)[f":{kept[name]}@2"] == "current" for name in names)
    (folder / "readme.md").unlink()
    (folder / "readme.txt").write_text("The third text.\n")
    ingest(kb, folder, "--prune")
    assert (versions(kb)[":readme@2"], versions(kb)[":readme--txt@3"]) == ("withdrawn", "current"), "no other's id"


def test_a_file_that_comes_later_takes_no_id_that_a_file_has(kb, folder):
    (folder / "readme.txt").write_text("The text that was first.\n")
    ingest(kb, folder)
    (folder / "readme.md").write_text("The text that came later.\n")
    for _ in range(2):
        ingest(kb, folder)
        assert {name: ids(kb)[name] for name in ("readme.txt", "readme.md")} == {
            "readme.txt": "readme",
            "readme.md": "readme--md",
        }


def test_two_folders_of_one_call_may_hold_files_of_one_name(kb, folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("The a of the other folder.\n")
    assert ingest(kb, folder, other)["documents"] == 3
    first, second = sorted(name for name in versions(kb) if name.startswith(":a"))
    assert first.startswith(":a--") and second == ":a@1"
    (other / "a.md").write_text("The a that was changed.\n")
    assert ingest(kb, other)["changed"] == 1
    assert versions(kb)[first.replace("@1", "@2")] == "current"
    assert versions(kb)[":a@1"] == "current"


def test_a_file_that_says_that_it_is_another_ones_document_is_refused(kb, folder):
    (folder / "c.md").write_text("---\nid: a\n---\nThe c.\n")
    assert [each["code"] for each in ingest(kb, folder, "--trust-front-matter", code=3)["failed"]] == ["clash"]
    ingest(kb, folder)
    assert ids(kb)["c.md"] == "c"


CLAIMED = "---\nid: x/readme--txt\n---\nThe text that names its id.\n"


@pytest.mark.parametrize("name", ["0.md", "z.md"])
@pytest.mark.parametrize("first", ["claims", "both", "clash"])
def test_an_id_that_a_file_names_and_one_that_a_clash_makes_are_kept_apart_in_every_order(kb, folder, name, first):
    (folder / "x").mkdir()

    def put(*names):
        for each in names:
            (folder / each).write_text(CLAIMED if each == name else f"The text of {each}.\n")

    clash = ("x/readme.md", "x/readme.txt")
    put(*{"claims": (name,), "both": (name, *clash), "clash": clash}[first])
    assert ingest(kb, folder, "--trust-front-matter")["failed"] == []
    put(name, *clash)
    code = 3 if first == "clash" else 0  # its id is taken for good: the file has to name another
    for _ in range(2):
        told = ingest(kb, folder, "--trust-front-matter", code=code)
        assert [each["code"] for each in told["failed"]] == (["refused"] if code else [])
    kept = ids(kb)
    assert kept["x/readme.md"] == "x/readme"
    assert kept.get(name) == (None if code else "x/readme--txt")
    assert (kept["x/readme.txt"] == "x/readme--txt") is bool(code)
    assert set(versions(kb).values()) == {"current"}
    if code:
        assert "front matter" in told["failed"][0]["why"]
        (folder / name).write_text(CLAIMED.replace("--txt", "--mine"))
        assert ingest(kb, folder, "--trust-front-matter")["documents"] == 1


@pytest.mark.parametrize("order", [("c.md", "a.md"), ("a.md", "c.md")])
def test_a_file_whose_path_makes_the_id_that_another_names_is_a_document_of_its_own(kb, tmp_path, order):
    """Whichever came first keeps it; who names it on purpose cannot be given another."""
    folder = tmp_path / "docs"
    folder.mkdir()
    texts = {"a.md": "The text.\n", "c.md": "---\nid: a\n---\nThe text that names its id.\n"}
    codes = []
    for name in order:
        (folder / name).write_text(texts[name])
        codes.append(call("ingest", folder, "--trust-front-matter", "--corpus", kb).code)
    assert codes == ([0, 0] if order[0] == "c.md" else [0, 3])
    assert ids(kb) == ({"c.md": "a", "a.md": "a--md"} if order[0] == "c.md" else {"a.md": "a"})
    (folder / "a.md").write_text("The second text.\n")
    told = ingest(kb, folder, "--trust-front-matter", code=codes[1])
    assert told["changed"] == 1, "what another file says takes nothing from the one that is stored"
    assert versions(kb)[":a--md@2" if order[0] == "c.md" else ":a@2"] == "current"


@pytest.mark.parametrize("order", [("b.md",), ("c.md",), ("b.md", "c.md")])
def test_a_file_that_says_that_it_is_a_version_of_another_is_not_stored_beside_it_as_another_document(
    kb, tmp_path, order
):
    folder = tmp_path / "docs"
    folder.mkdir()
    texts = {"b.md": "---\nid: c\nversion: 2\n---\nThe second text.\n", "c.md": "The first text.\n"}
    for name in order:
        (folder / name).write_text(texts[name])
    call("ingest", folder, "--trust-front-matter", "--corpus", kb)
    for name, text in texts.items():
        (folder / name).write_text(text)
    for _ in range(2):
        ingest(kb, folder, "--trust-front-matter", code=3)
    assert versions(kb) == {":c@2" if order[0] == "b.md" else ":c@1": "current"}, (
        "the first that is stored keeps the id"
    )
    (folder / "c.md").unlink()
    ingest(kb, folder, "--trust-front-matter", "--prune")
    assert versions(kb)[":c@2"] == "current"


def test_a_third_file_whose_path_makes_one_id_is_stored_as_the_second_was(kb, folder):
    for name in ("x y.txt", "x-y.txt", "x_y.txt", "x\ty.txt", "x?y.txt"):
        (folder / name).write_text(f"The text of {name!r}.\n")
        assert ingest(kb, folder)["documents"] in (1, 3)
    assert len(set(ids(kb).values())) == 7


# ------------------------------------------------------------------------------------- files that can no longer be read


@pytest.mark.parametrize(
    ("spoiled", "code"),
    [
        (b"\xff\xfe", "unfit"),
        (b"\x1f\x8b\x08\x00" + b"\0" * 20, "unknown_kind"),
        (b"---\nid: \n---\nThe text.\n", "unfit"),
        (b"%PDF-1.7\nnothing", "damaged"),
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_that_the_text_of_before_is_in_force_is_told_of_a_file_that_can_no_longer_be_read(
    kb, folder, spoiled, code, alone
):
    text = (folder / "b.md").read_bytes()
    ingest(kb, folder)
    (folder / "b.md").write_bytes(spoiled)
    given = folder / "b.md" if alone else folder
    expected = [{"file": str(folder / "b.md"), "document": "b@1"}]
    assert ingest(kb, given, "--dry-run", code=3)["still_in_force"] == expected
    assert json.loads(call("status", "--corpus", kb, "--json").out)["unread"] == []
    for _ in range(2):
        told = ingest(kb, given, code=3)
        assert ([each["code"] for each in told["failed"]], told["still_in_force"]) == ([code], expected)
    assert "b@1" in call("ingest", given, "--corpus", kb).err
    assert json.loads(call("status", "--check", "--corpus", kb, "--json").out)["unread"] == ["b@1"]
    assert "b@1" in call("status", "--corpus", kb).out
    (folder / "b.md").write_bytes(text)
    told = ingest(kb, given)
    assert (told["unchanged"], told["still_in_force"]) == (1 if alone else 2, [])
    assert json.loads(call("status", "--check", "--corpus", kb, "--json").out)["unread"] == []


def test_what_takes_the_place_of_an_unreadable_file_is_in_force_as_read(kb, folder):
    ingest(kb, folder)
    (folder / "b.md").write_bytes(b"\xff\xfe")
    ingest(kb, folder, code=3)
    (folder / "b.md").write_text("The b of the second text.\n")
    assert ingest(kb, folder)["changed"] == 1
    assert call("mark", "b@1", "current", "--corpus", kb).code == 0
    assert json.loads(call("status", "--check", "--corpus", kb, "--json").out)["unread"] == []


def test_the_text_of_a_file_behind_a_link_that_leads_nowhere_is_told_as_in_force(kb, folder, tmp_path):
    (folder / "c.md").symlink_to(folder / "a.md")
    ingest(kb, folder)
    (folder / "c.md").unlink()
    for target in ("nowhere", "/etc/hostname"):
        (folder / "c.md").symlink_to(target)
        told = ingest(kb, folder, code=3)
        assert told["still_in_force"] == [{"file": str(folder / "c.md"), "document": "c@1"}]
        assert json.loads(call("status", "--check", "--corpus", kb, "--json").out)["unread"] == ["c@1"]
        (folder / "c.md").unlink()
    (folder / "c.md").symlink_to(folder / "a.md")
    assert ingest(kb, folder)["still_in_force"] == []
    assert json.loads(call("status", "--corpus", kb, "--json").out)["unread"] == []


def test_of_a_file_that_was_never_stored_or_taken_back_no_text_is_in_force(kb, folder):
    ingest(kb, folder)
    call("mark", "b@1", "withdrawn", "--corpus", kb)
    for name in ("b.md", "c.md"):
        (folder / name).write_bytes(b"\xff\xfe")
    told = ingest(kb, folder, code=3)
    assert (len(told["failed"]), told["still_in_force"]) == (2, [])
    assert json.loads(call("status", "--corpus", kb, "--json").out)["unread"] == []


# ------------------------------------------------------------------------------------------------- gone, and told of


def test_of_a_file_that_is_gone_it_is_told_that_its_text_is_in_force_until_it_is_not(kb, folder):
    ingest(kb, folder)
    (folder / "b.md").unlink()
    for more in ((), ("--dry-run",), ()):
        done = call("ingest", folder, "--corpus", kb, *more)
        assert "b@1 is still in force; --prune" in done.err
        assert done.out.splitlines()[-1] == "read 0, unchanged 1, partial 0, skipped 0, failed 0, gone 1"
    done = call("ingest", folder, "--corpus", kb, "--prune")
    assert "in force" not in done.err and done.out.splitlines()[-1].endswith("withdrawn 1")
    assert call("ingest", folder, "--corpus", kb).err == ""
    (folder / "c.md").write_text("The draft of c.\n")
    ingest(kb, folder / "c.md", "--draft")
    (folder / "c.md").unlink()
    assert "in force" not in call("ingest", folder, "--corpus", kb).err


@pytest.mark.parametrize("fault", ["link", "folder"])
def test_a_link_or_folder_at_fault_keeps_nothing_in_force_that_is_gone_elsewhere(kb, folder, monkeypatch, fault):
    for name in ("shut", "open"):
        (folder / name).mkdir()
        (folder / name / "c.md").write_text(f"The c, {name}.\n")
    ingest(kb, folder)
    if fault == "link":
        (folder / "nowhere.md").symlink_to("none.md")
    else:
        scan = os.scandir

        def refused(path):
            if os.fspath(path).endswith("shut"):
                raise PermissionError(13, "Permission denied")
            return scan(path)

        monkeypatch.setattr(os, "scandir", refused)
    (folder / "b.md").unlink()
    (folder / "open" / "c.md").unlink()
    gone = [str(folder / "b.md"), str(folder / "open" / "c.md")]
    for more in ((), ("--prune", "--dry-run"), ("--prune",)):
        told = ingest(kb, folder, *more, code=3)
        assert told["removed"] == gone
        assert [each["document"] for each in told["still_in_force"]] == (["shut/c@1"] if fault == "folder" else [])
    assert {name for name, status in versions(kb).items() if status == "current"} == {":a@1", ":shut/c@1"}


def test_of_a_draft_that_is_read_again_it_is_told_that_it_waits(kb, folder):
    assert ingest(kb, folder, "--draft")["not_in_force"] == []
    assert ingest(kb, folder, "--draft")["not_in_force"] == []
    for more in (("--dry-run",), (), ()):
        told = ingest(kb, folder, *more)
        assert (told["unchanged"], [each["why"] for each in told["not_in_force"]]) == (
            2,
            ["a@1 is a draft", "b@1 is a draft"],
        )
    assert call("mark", "a@1", "current", "--corpus", kb).code == 0
    assert [each["why"] for each in ingest(kb, folder)["not_in_force"]] == ["b@1 is a draft"]


def test_labels_in_front_matter_that_do_not_count_are_refused_by_the_name_of_the_option(kb, folder):
    (folder / "a.md").write_text("---\ntenant: acme\n---\nThe a.\n")
    assert "--trust-front-matter" in ingest(kb, folder, code=3)["failed"][0]["why"]
    assert ingest(kb, folder, "--trust-front-matter")["failed"] == []


# ------------------------------------------------------------------------------------------------- pruning, told before


def test_a_dry_run_counts_what_pruning_would_withdraw(kb, folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text((folder / "a.md").read_text())
    (folder / "c.md").write_text("---\nid: one\n---\nThe text of one.\n")
    ingest(kb, folder, "--trust-front-matter")
    ingest(kb, other)
    (folder / "c.md").write_text("---\nid: two\n---\nThe text of two.\n")
    (folder / "b.md").write_text("The b of the second text.\n")
    ingest(kb, folder, "--trust-front-matter", "--draft")
    for name in ("a.md", "b.md"):
        (folder / name).unlink()
    (folder / "c.md").write_text("---\nid: three\n---\nThe text of three.\n")
    asked = (folder, "--trust-front-matter", "--prune")
    words = call("ingest", *asked, "--dry-run", "--corpus", kb).err
    assert words.count("would be withdrawn") == 3 and "is gone from there" in words and "was withdrawn" not in words
    before = versions(kb)
    dry = ingest(kb, *asked, "--dry-run")
    assert versions(kb) == before
    real = ingest(kb, *asked)
    assert dry["withdrawn"] == real["withdrawn"] == 4, "b twice, one and two; a lies elsewhere too"
    assert (dry["former"], dry["removed"]) == (real["former"], real["removed"])
    assert "withdrawn" not in call("ingest", folder, "--trust-front-matter", "--dry-run", "--corpus", kb).err
