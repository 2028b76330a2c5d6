"""`ingest`, `show`, `status`, `optimize` and `eval retrieval`: a store's file from the command line."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command_line import CORPUS, ROOT, call, run
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Actor

QUESTION = "How long do I have to return a bike?"


@pytest.fixture
def folder(tmp_path):
    """A folder of three documents."""
    root = tmp_path / "docs"
    root.mkdir()
    for name in ("bell", "frame", "tyre"):
        (root / f"{name}.md").write_text(f"# The {name}\n\nEvery {name} has a warranty of 5 years.\n")
    return root


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The sample corpus in a file."""
    path = tmp_path_factory.mktemp("stored") / "kb.db"
    assert call("ingest", CORPUS, "--corpus", path, "--trust-front-matter").code == 0
    return path


# --------------------------------------------------------------------------------------------------------------- ingest


def test_ingest_stores_once_and_does_nothing_the_second_time(folder, tmp_path):
    path = tmp_path / "kb.db"
    first = run("ingest", folder, "--corpus", path)
    assert (first.code, first.out, first.err) == (0, "3 documents stored (3 passages); 0 unchanged\n", "")
    again = call("ingest", folder, "--corpus", path, "--json")
    assert json.loads(again.out) == {
        "documents": 0,
        "unchanged": 3,
        "replaced": 0,
        "passages": 0,
        "changed": 0,
        "drafts": 0,
        "partial": [],
        "skipped": [],
        "failed": [],
        "without_text": [],
        "removed": [],
        "moved": [],
        "same_bytes": [],
        "withdrawn": 0,
        "restored": [],
        "former": [],
        "elsewhere": [],
        "not_in_force": [],
        "still_in_force": [],
        "outdated": [],
        "read_otherwise": [],
        "read_as_before": 0,
        "dry_run": False,
    }
    assert run("ask", "How long is the warranty of a tyre?", "--corpus", path).code == 0


def test_ingest_takes_files_and_folders_and_tells_what_it_skipped(folder, tmp_path):
    (tmp_path / "note.txt").write_text("A note about bells.")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "kb.db-wal").touch()
    path = folder / "kb.db"
    done = call("ingest", folder, tmp_path / "note.txt", tmp_path / "photo.png", "--corpus", path)
    assert (done.code, done.out) == (0, "4 documents stored (4 passages); 0 unchanged\n")
    assert done.err == "verified-gate: 1 file skipped (.png)\n"


def test_a_changed_file_becomes_the_next_version_and_one_that_names_its_version_needs_replace(folder, tmp_path):
    path = tmp_path / "kb.db"
    (folder / "wheel.md").write_text("---\nversion: 7\n---\nA wheel is round.\n")
    call("ingest", folder, "--corpus", path)
    (folder / "bell.md").write_text("# The bell\n\nEvery bell has a warranty of 6 years.\n")
    (folder / "wheel.md").write_text("---\nversion: 7\n---\nA wheel is square.\n")
    refused = call("ingest", folder, "--corpus", path)
    assert (refused.code, refused.out.partition("\n")[0]) == (3, "1 document stored (1 passage); 2 unchanged")
    assert "wheel.md (wheel@7)" in refused.err
    assert "--replace" in refused.err
    assert "6 years" in call("ask", "How long is the warranty of a bell?", "--corpus", path).out
    with CorpusStore.open(path) as store:
        versions = {(each.document_id, each.version): str(each.status) for each in store.operator.documents()}
    assert versions["bell", "1"] == "superseded"
    assert versions["bell", "2"] == "current"
    assert call("search", "square", "--corpus", path).code == 1, "nothing of what was refused is stored"
    replaced = call("ingest", folder, "--corpus", path, "--replace")
    assert replaced.out == "1 document stored (1 passage), 1 in the place of another text; 3 unchanged\n"
    assert call("search", "square", "--corpus", path).code == 0


def test_a_file_that_comes_back_to_an_earlier_text_is_a_version_of_its_own(folder, tmp_path):
    path = tmp_path / "kb.db"
    first = (folder / "bell.md").read_text()
    for text in (first, "Another bell.\n", first):
        (folder / "bell.md").write_text(text)
        assert call("ingest", folder, "--corpus", path).code == 0
    with CorpusStore.open(path) as store:
        versions = [
            (each.version, str(each.status)) for each in store.operator.documents() if each.document_id == "bell"
        ]
    assert versions == [("1", "superseded"), ("2", "superseded"), ("3", "current")]


def test_a_file_of_the_same_name_in_another_folder_is_no_version_of_it(folder, tmp_path):
    path = tmp_path / "kb.db"
    call("ingest", folder, "--corpus", path)
    other = tmp_path / "other"
    other.mkdir()
    (other / "bell.md").write_text("A bell of somebody else.\n")
    refused = call("ingest", other, "--corpus", path)
    assert refused.code == 3
    assert call("search", "somebody", "--corpus", path).code == 1
    folder.rename(tmp_path / "moved")
    (tmp_path / "moved" / "bell.md").write_text("A bell that was moved.\n")
    assert call("ingest", other, "--corpus", path).code == 3, "its folder may only be unreachable"
    moved = call("ingest", tmp_path / "moved", folder, "--prune", "--corpus", path)
    assert moved.code == 3, "and so it may where the operator names it"
    folder.mkdir()
    moved = call("ingest", tmp_path / "moved", folder, "--prune", "--corpus", path)
    assert moved.code == 0, "the operator shows that its files are gone"
    assert call("search", "moved", "--corpus", path).code == 0


def test_a_removed_file_is_told_and_withdrawn_when_pruned(folder, tmp_path):
    path = tmp_path / "kb.db"
    call("ingest", folder, "--corpus", path)
    (folder / "bell.md").unlink()
    told = json.loads(call("ingest", folder, "--corpus", path, "--json").out)
    assert [Path(gone).name for gone in told["removed"]] == ["bell.md"]
    assert told["withdrawn"] == 0
    assert call("search", "bell", "--corpus", path).code == 0, "told, and not touched"
    dry = json.loads(call("ingest", folder, "--corpus", path, "--prune", "--dry-run", "--json").out)
    assert (dry["removed"], dry["withdrawn"]) == (told["removed"], 1)
    pruned = json.loads(call("ingest", folder, "--corpus", path, "--prune", "--json").out)
    assert pruned["withdrawn"] == 1
    assert call("search", "bell", "--corpus", path).code == 1
    with CorpusStore.open(path) as store:
        assert {str(each.status) for each in store.operator.documents()} == {"current", "withdrawn"}
    assert json.loads(call("ingest", folder, "--corpus", path, "--json").out)["removed"] == []


def test_one_file_ingested_alone_does_not_count_its_neighbours_as_removed(folder, tmp_path):
    path = tmp_path / "kb.db"
    call("ingest", folder, "--corpus", path)
    alone = json.loads(call("ingest", folder / "bell.md", "--corpus", path, "--prune", "--json").out)
    assert (alone["removed"], alone["withdrawn"]) == ([], 0)


def test_a_dry_run_changes_nothing(folder, tmp_path):
    path = tmp_path / "kb.db"
    dry = call("ingest", folder, "--corpus", path, "--dry-run")
    assert dry.out == "3 documents would be stored (3 passages); 0 unchanged\n"
    assert not path.exists()
    call("ingest", folder, "--corpus", path)
    (folder / "bell.md").write_text("Another bell.\n")
    dry = json.loads(call("ingest", folder, "--corpus", path, "--dry-run", "--json").out)
    assert (dry["documents"], dry["changed"], dry["unchanged"]) == (1, 1, 2)
    assert call("search", "another", "--corpus", path).code == 1


def test_the_operators_labels_hold_and_a_files_own_only_where_it_is_trusted(folder, tmp_path):
    path = tmp_path / "kb.db"
    (folder / "secret.md").write_text("---\ntenant: acme\nstatus: draft\n---\nThe plan of acme.\n")
    labels = ("--tenant", "bikes", "--group", "staff", "--collection", "manuals", "--lang", "en")
    done = call("ingest", folder, "--corpus", path, *labels)
    assert done.code == 0
    assert "front matter did not count for status, tenant in 1 file" in done.err
    with CorpusStore.open(path) as store:
        assert {(each.tenant, each.collection, each.lang) for each in store.operator.documents()} == {
            ("bikes", "manuals", "en")
        }
        assert store.search("plan", Actor("bikes", {"staff"}))
        assert not store.search("plan", Actor("bikes"))
    trusted = call("ingest", folder, "--corpus", tmp_path / "2.db", "--trust-front-matter", "--json")
    assert json.loads(trusted.out)["drafts"] == 1
    assert "1 document is a draft" in trusted.err
    with CorpusStore.open(tmp_path / "2.db") as store:
        assert {(each.tenant, str(each.status)) for each in store.operator.documents()} == {
            (None, "current"),
            ("acme", "draft"),
        }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (b"\xff\xfe", ["bad.md"]),
        (b"---\nid: bell\nversion: 1\n---\nTwice.", ["bell.md"]),
        (b"---\nid: bell\nversion: 2\n---\nTwo are current.", ["bell.md"]),
        (b"---\nversion: a b\n---\nText.", ["bad.md"]),
    ],
)
def test_of_an_unfit_document_nothing_is_stored_and_the_rest_goes_on(folder, tmp_path, text, named):
    (folder / "bad.md").write_bytes(text)
    path = tmp_path / "kb.db"
    done = call("ingest", folder, tmp_path / "missing", "--corpus", path, "--trust-front-matter", "--json")
    told = json.loads(done.out)
    assert done.code == 3
    assert {Path(each["file"].partition(":")[0]).name for each in told["failed"]} >= {named[-1], "missing"}
    assert told["documents"] == 3
    with CorpusStore.open(path) as store:
        assert len(store.operator.documents()) == 3


def test_where_no_document_can_be_read_no_file_is_made(tmp_path):
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe")
    done = call("ingest", tmp_path / "bad.md", "--corpus", tmp_path / "kb.db")
    assert (done.code, done.out) == (3, "")
    assert "bad.md" in done.err
    assert not (tmp_path / "kb.db").exists()


def test_a_document_that_is_refused_does_not_hold_up_those_of_its_batch(folder, tmp_path):
    path = tmp_path / "kb.db"
    (folder / "tyre.md").write_text("---\nversion: 1\n---\nA tyre.\n")
    call("ingest", folder / "tyre.md", "--corpus", path)
    (folder / "tyre.md").write_text("---\nversion: 1\n---\nAnother text.\n")
    done = call("ingest", folder, "--corpus", path, "--json")
    told = json.loads(done.out)
    assert done.code == 3
    assert (told["documents"], [each["code"] for each in told["failed"]]) == (2, ["refused"])
    assert call("search", "bell", "--corpus", path).code == 0


def test_a_killed_ingest_goes_on_where_it_was_stopped(tmp_path):
    """(invariant 8)"""
    root = tmp_path / "docs"
    root.mkdir()
    for number in range(300):
        (root / f"d{number}.md").write_text(f"Bell number {number} weighs {number} grams.\n" * 20)
    path = tmp_path / "kb.db"
    code = (
        "import sys; from verified_gate.cli import storing, main; storing.BATCH_DOCUMENTS = 3; "
        f"sys.argv = ['', 'ingest', {str(root)!r}, '--corpus', {str(path)!r}]; main()"
    )
    chooser = random.Random(3)
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.DEVNULL) as child:
            while not path.exists() and child.poll() is None:
                time.sleep(0.01)
            time.sleep(chooser.uniform(0.05, 0.4))
            child.send_signal(signal.SIGKILL)
        assert call("status", "--check", "--corpus", path).code == 0
    done = json.loads(call("ingest", root, "--corpus", path, "--json").out)
    assert done["documents"] + done["unchanged"] == 300
    assert json.loads(call("status", "--check", "--corpus", path, "--json").out)["documents"] == {"current": 300}


# ----------------------------------------------------------------------------------------------------------------- show


def _citation(stored):
    (citation,) = json.loads(call("ask", QUESTION, "--corpus", stored, "--json").out)["citations"]
    return citation


def test_show_prints_a_passage_in_its_surroundings(stored):
    done = run("show", "returns@3#c0", "--corpus", stored)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Returns policy (Returning a bike, lines 11-12) [returns@3#c0]\n")
    assert "    12 | You can return a bike within 30 days of delivery." in done.out
    assert "    14   Pack the bike" in done.out
    lines = (CORPUS / "returns.md").read_text(encoding="utf-8").splitlines()
    for shown in done.out.splitlines()[4:]:
        assert shown[9:] == " ".join(lines[int(shown[:6]) - 1].split())


def test_show_marks_the_quote_of_a_citation_given_as_an_argument_or_piped(stored):
    citation = json.dumps(_citation(stored))
    for done in (call("show", citation, "--corpus", stored), run("show", "-", "--corpus", stored, stdin=citation)):
        assert (done.code, done.err) == (0, "")
        assert "12 | >>You can return a bike within 30 days of delivery.<< It must be clean" in done.out
        assert "current:" in done.out
    told = json.loads(call("show", citation, "--corpus", stored, "--json").out)
    whole = told["before"] + told["text"] + told["after"]
    at = told["quote"]["start"] - told["start"] + len(told["before"])
    assert whole[at:].startswith("You can return a bike within 30 days of delivery.")


def test_show_says_what_a_citation_is_worth(stored, tmp_path):
    citation = _citation(stored)
    for change, status in (
        ({"quote": "You can return a bike within 90 days of delivery."}, "quote_mismatch"),
        ({"passage_sha256": "0" * 64}, "source_changed"),
        ({"key": "returns@9#c0"}, "unavailable"),
    ):
        done = call("show", json.dumps(citation | change), "--corpus", stored)
        assert (done.code, done.out.partition(":")[0]) == (1, status)
        assert (
            json.loads(call("show", json.dumps(citation | change), "--corpus", stored, "--json").out)["status"]
            == status
        )
    assert "historic: this version is no longer" in call("show", "returns@2#c0", "--corpus", stored).out


def test_show_gives_an_actor_what_is_his_and_tells_others_nothing(stored):
    key = "acme:support-desk@7#c0"
    assert "Goodwill" in call("show", key, "--corpus", stored, "--tenant", "acme", "--group", "support").out
    missing = call("show", "acme:nothing@7#c0", "--corpus", stored)
    for flags in ([], ["--tenant", "acme"], ["--tenant", "other", "--group", "support"]):
        assert call("show", key, "--corpus", stored, *flags) == missing
    assert missing.code == 1


def test_show_marks_a_quote_of_several_lines_and_disarms_the_document(tmp_path):
    text = "One line.\r\nThe quote begins \x1b[31mhere\r\nand ends there, in the middle.\r\nA last one."
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(text, document_id="d")
        (passage,) = store.passages()
        start, end = text.index("begins"), text.index(", in")
        citation = {
            "key": passage.key,
            "start": start,
            "end": end,
            "quote": text[start:end],
            "passage_sha256": passage.sha256,
        }
    done = call("show", json.dumps(citation), "--corpus", tmp_path / "kb.db")
    assert done.code == 0
    assert [line[9:] for line in done.out.splitlines()[4:]] == [
        "One line.",
        "The quote >>begins ␛[31mhere<<",
        ">>and ends there<<, in the middle.",
        "A last one.",
    ]


def test_show_does_not_show_a_text_that_lost_its_hash(stored, tmp_path):
    path = tmp_path / "kb.db"
    path.write_bytes(stored.read_bytes().replace(b"within 30 days", b"within 90 days"))
    done = call("show", "returns@3#c0", "--corpus", path)
    assert (done.code, done.out.partition(":")[0]) == (1, "integrity_failure")
    assert "90 days" not in done.out
    assert call("status", "--corpus", path).code == 0
    checked = call("status", "--check", "--corpus", path)
    assert checked.code == 3
    assert "returns@3#c0: the passage does not have its pinned hash" in checked.out
    assert call("show", "shipping@5#c0", "--corpus", path).code == 0


@pytest.mark.parametrize("given", ["nope@1#c0", '{"key": "nope@1#c0"}', '[{"key": "nope@1#c0", "score": 1}]'])
def test_show_of_what_is_not_there_is_unavailable(stored, given):
    done = call("show", "-", "--corpus", stored, stdin=given)
    assert (done.code, done.out.partition(":")[0]) == (1, "unavailable")


NO_KEYS = ["", "x", "returns@3#c03", "\x1b", "[", "[]", "[7]", "{}", '{"key": 7}', '{"key": {"a": []}}', "a" * 5000]


@pytest.mark.parametrize("given", [*NO_KEYS, "{", "{" * 100_000, '{"a": ' + "7" * 5000 + "}"])
def test_show_of_what_names_no_passage_is_a_fault_and_says_nothing_of_a_source(stored, given):
    """That a source has gone is said of a key only."""
    done = call("show", "-", "--corpus", stored, stdin=given)
    assert (done.code, done.out) == (3, "") and "standard input" in done.err
    assert call("show", "returns@3#c0", "--corpus", stored).code == 0


@pytest.mark.parametrize("given", [each for each in NO_KEYS if each])
def test_show_of_an_argument_that_names_no_passage_is_wrong_usage(stored, given):
    done = call("show", given, "--corpus", stored)
    assert (done.code, done.out) == (2, "") and "KEY" in done.err


@pytest.mark.parametrize("name", ["cit.json", "cit.txt", "cit", "a@1"])
def test_show_takes_a_file_of_any_name(stored, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    answer = call("ask", QUESTION, "--corpus", stored, "--json").out
    for text, marked in ((json.dumps(_citation(stored)), True), (answer, True), ("returns@3#c0\n", False)):
        Path(name).write_text(text)
        for given in (name, tmp_path / name):
            done = call("show", given, "--corpus", stored)
            assert (done.code, ">>You can return a bike" in done.out) == (0, marked)
    assert call("show", f"{tmp_path}/other.txt", "--corpus", stored).code == 3


def test_show_takes_a_hit_of_a_search(stored, tmp_path):
    hits = json.loads(call("search", QUESTION, "--corpus", stored, "--json").out)
    path = tmp_path / "hits.json"
    path.write_text(json.dumps(hits))
    for given in (json.dumps(hits[1]), f"{path}#2"):
        done = call("show", given, "--corpus", stored)
        assert done.code == 0 and f"[{hits[1]['key']}]" in done.out
    several = call("show", path, "--corpus", stored)
    assert several.code == 3 and "name one of them" in several.err
    changed = call("show", json.dumps(hits[1] | {"sha256": "0" * 64}), "--corpus", stored)
    assert (changed.code, changed.out.partition(":")[0]) == (1, "source_changed")


# -------------------------------------------------------------------------------------------------- status and optimize


def test_status_tells_the_state_and_optimize_keeps_the_answers(folder, tmp_path):
    path = tmp_path / "kb.db"
    for name in ("bell", "frame", "tyre"):
        call("ingest", folder / f"{name}.md", "--corpus", path)
    before = call("search", "warranty", "--corpus", path).out
    state = json.loads(call("status", "--check", "--corpus", path, "--json").out)
    assert (state["condition"], state["documents"], state["passages"], state["faults"]) == (
        "ready",
        {"current": 3},
        3,
        [],
    )
    shown = run("status", "--check", "--corpus", path)
    assert shown.code == 0
    assert "ready\n  3 versions of documents (3 current)\n  3 passages" in shown.out
    assert run("optimize", "--corpus", path).code == 0
    assert json.loads(call("optimize", "--corpus", path, "--json").out)["changed"] is False
    assert call("search", "warranty", "--corpus", path).out == before


def test_an_index_of_another_tokenizer_is_told_and_optimize_builds_it_anew(folder, tmp_path):
    path = tmp_path / "kb.db"
    call("ingest", folder, "--corpus", path)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE setting SET value = 0 WHERE name = 'tokenizer'")
    connection.commit()
    connection.close()
    assert call("status", "--corpus", path).code == 3
    asked = call("ask", "How long is the warranty of a bell?", "--corpus", path)
    assert asked.code == 3
    assert "tokenizer 0" in asked.err
    assert json.loads(call("optimize", "--corpus", path, "--json").out)["rebuilt"] is True
    assert call("status", "--check", "--corpus", path).code == 0
    assert call("ask", "How long is the warranty of a bell?", "--corpus", path).code == 0


@pytest.mark.parametrize(
    "command",
    [
        ["ask", "x"],
        ["search", "x"],
        ["show", "x@1#c0"],
        ["status"],
        ["optimize"],
        ["ingest", CORPUS, "--trust-front-matter"],
    ],
)
@pytest.mark.parametrize("fault", ["text", "foreign", "cut", "missing", "folder"])
def test_a_file_that_is_no_corpus_exits_3_and_is_left_as_it_is(stored, tmp_path, command, fault):
    path = tmp_path / "kb.db"
    if fault == "text":
        path.write_text("This is a text of some length, and no corpus at all.\n" * 20)
    elif fault == "cut":
        path.write_bytes(stored.read_bytes()[:60_000])
    elif fault == "foreign":
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE theirs (x)")
        connection.commit()
        connection.close()
    elif fault == "folder":
        path.mkdir()
    if fault == "missing" and command[0] == "ingest":
        path = tmp_path / "missing" / "kb.db"
    before = path.read_bytes() if path.is_file() else None
    done = call(*command, "--corpus", path)
    told = done.out if command == ["status"] else done.err  # `status` answers for every state of a file
    assert (done.code, done.out) == (3, told if command == ["status"] else "")
    assert "kb.db" in told or "missing" in told
    if fault in ("text", "foreign"):
        assert path.read_bytes() == before
    assert fault != "missing" or not path.exists()


# ------------------------------------------------------------------------------------------------------- eval retrieval


def _questions(tmp_path, *lines):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_eval_prints_recall_and_mrr_for_your_own_questions(stored, tmp_path):
    found = [
        {"question": QUESTION, "key": "returns@3#c0"},
        {"question": QUESTION, "document_id": ["nothing", "returns"]},
        "",
        {"question": QUESTION, "text": "return a bike\nwithin  30 days"},
        {"question": QUESTION, "key": "nothing@1#c0"},
    ]
    done = run("eval", "retrieval", "--questions", _questions(tmp_path, *found), "--corpus", stored)
    assert (done.code, done.err) == (0, "")
    head, figures, late, absent = done.out.splitlines()
    assert head.split() == ["questions", "recall@1", "recall@5", "recall@10", "MRR"]
    assert figures.split() == ["4", "0.750", "0.750", "0.750", "0.750"]
    assert late.endswith("line 5") and absent.endswith("line 5")
    whole = call("eval", "retrieval", "--questions", _questions(tmp_path, *found[:3]), "--corpus", stored)
    assert "not in the first" not in whole.out


def test_eval_counts_ranks_as_defined(stored, tmp_path):
    keys = [hit["key"] for hit in json.loads(call("search", QUESTION, "--corpus", stored, "--json").out)]
    asked = [{"question": QUESTION, "key": keys[rank]} for rank in (0, 1, 5)]
    path = _questions(tmp_path, *asked)
    told = json.loads(call("eval", "retrieval", "--questions", path, "--corpus", stored, "--json").out)
    assert [each["rank"] for each in told["ranks"]] == [1, 2, 6]
    assert (told["recall@1"], told["recall@5"], told["recall@10"]) == (0.333, 0.667, 1.0)
    assert told["MRR"] == round((1 + 1 / 2 + 1 / 6) / 3, 3)


def test_eval_asks_as_the_actor_that_the_flags_name(stored, tmp_path):
    path = _questions(tmp_path, {"question": "goodwill payments", "document_id": "support-desk"})
    arguments = ("eval", "retrieval", "--questions", path, "--corpus", stored, "--json")
    assert json.loads(call(*arguments).out)["MRR"] == 0
    assert json.loads(call(*arguments, "--tenant", "acme", "--group", "support").out)["MRR"] == 1


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("no json", "not JSON"),
        ("[]", "object"),
        ({"question": "bike"}, "there are 0"),
        ({"question": "bike", "key": "a", "text": "b"}, "there are 2"),
        ({"question": "bike", "kay": "a"}, "“kay”"),
        ({"question": "bike " * 600, "key": "a"}, "limit"),
        ({"question": "bi\x1bke", "key": "a"}, "control"),
        ({"question": 7, "key": "a"}, "question"),
        ({"question": " ", "key": "a"}, "empty"),
        ({"question": "bike", "key": []}, "key"),
        ({"question": "bike", "text": " "}, "text"),
        ('{"question": "bike", "key": "a", "key": "b"}', "twice"),
    ],
)
def test_a_line_that_is_no_question_exits_3_and_is_named_and_the_others_are_measured(stored, tmp_path, line, named):
    right = {"question": QUESTION, "key": "returns@3#c0"}
    path = _questions(tmp_path, right, line, right)
    done = call("eval", "retrieval", "--questions", path, "--corpus", stored)
    assert done.code == 3
    assert "questions.jsonl:2" in done.err and named in done.err
    assert done.out.splitlines()[1].split() == ["2", *["1.000"] * 4]
    told = json.loads(call("eval", "retrieval", "--questions", path, "--corpus", stored, "--json").out)
    assert [each["line"] for each in told["ranks"]] == [1, 3]
    ((bad),) = told["bad"]
    assert bad["line"] == 2 and named in bad["why"]
    alone = call("eval", "retrieval", "--questions", _questions(tmp_path, line), "--corpus", stored)
    assert (alone.code, alone.out) == (3, "") and named in alone.err


def test_further_members_of_a_question_are_left_alone(stored, tmp_path):
    asked = {"id": 7, "question": QUESTION, "key": "returns@3#c0", "note": ["x"]}
    done = call("eval", "retrieval", "--questions", _questions(tmp_path, asked), "--corpus", stored)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].split() == ["1", *["1.000"] * 4]


@pytest.mark.parametrize(
    ("expected", "absent"),
    [
        ({"document_id": "retruns"}, True),
        ({"document_id": ["retruns", "shipping"]}, False),
        ({"document_id": "shipping"}, False),
        ({"key": "returns@9#c0"}, True),
        ({"key": "no key"}, True),
        ({"key": "returns@2#c0"}, True),
        ({"key": "shipping@5#c0"}, False),
        ({"document_id": "support-desk"}, True),
        ({"key": "acme:support-desk@7#c0"}, True),
        ({"text": "within 90 days of delivery"}, True),
        ({"text": "hipping is free of charge nowhere"}, True),
        ({"text": "ou may not post one yourself, not even insi"}, False),
        ({"text": "nowhere"}, False),
    ],
)
def test_what_is_expected_and_stands_nowhere_is_told(stored, tmp_path, expected, absent):
    """A mistyped name must not look like a bad search; what this actor may not read is not there for him."""
    path = _questions(tmp_path, {"question": "xylophone", **expected})
    done = call("eval", "retrieval", "--questions", path, "--corpus", stored)
    assert done.code == 0
    assert ("look at the names" in done.out) == absent
    told = json.loads(call("eval", "retrieval", "--questions", path, "--corpus", stored, "--json").out)
    assert told["ranks"] == [{"line": 1, "rank": None, "absent": absent}]


def test_eval_takes_the_limits_of_a_request(tmp_path):
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        store.add("The bell costs nine euros.", document_id="billed", purposes="billing")
        store.add("The bell rang long ago.", document_id="past", effective_to="2020-01-01")
        store.add("The bell is mine.", document_id="own", collection="mine")
        store.operator.set_private("mine")
    for name, flags in (
        ("billed", ("--purpose", "billing")),
        ("own", ("--only", "mine")),
        ("past", ("--as-of", "2019-06-01")),
    ):
        asked = ("eval", "retrieval", "--questions", _questions(tmp_path, {"question": "bell", "document_id": name}))
        told = json.loads(call(*asked, "--corpus", path, "--json", *flags).out)
        assert told["recall@10"] == 1, flags
        without = json.loads(call(*asked, "--corpus", path, "--json").out)
        assert (without["recall@10"], without["ranks"][0]["absent"]) == (0, True), flags


def test_a_file_without_questions_exits_3(stored, tmp_path):
    assert call("eval", "retrieval", "--questions", _questions(tmp_path, ""), "--corpus", stored).code == 3
    assert call("eval", "retrieval", "--questions", tmp_path / "missing", "--corpus", stored).code == 3


def test_show_takes_a_citation_out_of_an_answer(stored, tmp_path):
    answer = call("ask", "How long do I have to return a bike?", "--corpus", stored, "--json").out
    whole = json.loads(answer)
    path = tmp_path / "answer.json"
    path.write_text(answer)
    key = whole["citations"][0]["key"]
    assert key in call("show", f"{path}#1", "--corpus", stored).out
    two = tmp_path / "two.json"
    two.write_text(json.dumps({**whole, "citations": whole["citations"] * 2}))
    for given, words in (
        (two, "name one of them"),
        (f"{two}#3", "and 3 is none of them"),
        (tmp_path / "no.json", "no such file"),
    ):
        done = call("show", given, "--corpus", stored)
        assert done.code == 3 and words in done.err
    two.write_text(json.dumps({"citations": 7}))
    assert call("show", two, "--corpus", stored).code == 3


def test_many_files_are_looked_up_some_at_a_time_and_each_is_known(tmp_path, monkeypatch):
    """What is stored is asked for by the paths of the run; a file more is found changed, the others unchanged."""
    monkeypatch.setattr("verified_gate.cli.target.AT_ONCE", 20)
    folder, path = tmp_path / "many", tmp_path / "kb.db"
    folder.mkdir()
    for number in range(90):
        (folder / f"{number:02}.txt").write_text(f"Bike number {number} is lent for {number + 2} days.")
    first = json.loads(call("ingest", folder, "--corpus", path, "--json").out)
    assert (first["documents"], first["unchanged"], first["changed"]) == (90, 0, 0)
    for number in (0, 41, 89):
        (folder / f"{number:02}.txt").write_text(f"Bike number {number} is sold.")
    (folder / "50.txt").unlink()
    looked = json.loads(call("ingest", folder, "--corpus", path, "--json", "--dry-run").out)
    again = json.loads(call("ingest", folder, "--corpus", path, "--json").out)
    for told in (looked, again):
        assert (told["documents"], told["unchanged"], told["changed"]) == (3, 86, 3)
        assert told["removed"] == [str(folder / "50.txt")]
