"""A reader that changed: what it read before is told, stays citable, and is read again only when that is asked for."""

import json
from dataclasses import replace

import pytest

from tests.command_line import call
from tests.pdf_files import BODY, build, shown
from verified_gate.cli import storing
from verified_gate.corpus.intake import document_of
from verified_gate.corpus.store import CorpusStore
from verified_gate.ingest.formats import rules

NOTE = "Bikes have bells. Bikes have locks.\n\n<!-- and no brakes -->\n"
QUESTION = "When does the tenant pay the rent?"


@pytest.fixture
def kb(tmp_path):
    return tmp_path / "kb.db"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    (root / "lease.pdf").write_bytes(build(shown(BODY, y=500)))
    (root / "note.md").write_text(NOTE)
    return root


def ingest(kb, *arguments, code=0):
    done = call("ingest", *arguments, "--corpus", kb, "--json")
    assert done.code == code, done.err
    return json.loads(done.out)


def ingest_as_before(monkeypatch, change, *arguments):
    """Store documents as a reader gave them that is not the one of now; `change` makes them of those of now."""
    with monkeypatch.context() as then:
        then.setattr(storing, "document_of", lambda *given: change(document_of(*given)))
        assert ingest(*arguments)["failed"] == []


def renamed(document):
    """Read as now, by an older reader."""
    return replace(document, reader="" if document.reader.startswith("markdown") else "pypdfium2 4.0 (PDFium 1)")


def otherwise(document):
    """Another text of the same length, and other marks, by an older reader."""
    spans = tuple(replace(span, hidden=()) for span in document.spans)
    return renamed(replace(document, text=document.text.replace("first", "third"), spans=spans))


def listed(kb):
    with CorpusStore.open(kb) as store:
        return {f"{each.document_id}@{each.version}": each for each in store.operator.documents()}


def statuses(kb):
    return {name: str(each.status) for name, each in listed(kb).items()}


def cited(kb):
    (citation,) = json.loads(call("ask", QUESTION, "--corpus", kb, "--json").out)["citations"]
    return citation


def outdated(kb):
    told = json.loads(call("status", "--corpus", kb, "--json").out)
    assert told["condition"] == "ready"
    return told["outdated"]


def test_what_the_readers_of_now_read_is_not_told(kb, folder):
    assert ingest(kb, folder)["outdated"] == []
    again = ingest(kb, folder, "--reread")
    assert (again["unchanged"], again["outdated"], again["read_as_before"], again["read_otherwise"]) == (2, [], 0, [])
    assert outdated(kb) == []
    assert "another reader" not in call("status", "--corpus", kb).out
    assert call("ingest", folder, "--corpus", kb).err == ""
    assert all(rules.is_current(each.reader) for each in listed(kb).values())


def test_an_unchanged_file_that_another_reader_read_is_told_and_left_as_it_is(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    before = listed(kb)
    for options in ((), ("--dry-run",)):
        told = ingest(kb, folder, *options)
        assert (told["documents"], told["unchanged"], told["failed"]) == (0, 2, [])
        assert told["outdated"] == [str(folder / "lease.pdf"), str(folder / "note.md")]
    assert listed(kb) == before
    assert outdated(kb) == ["lease.pdf@1", "note@1"]
    assert "--reread" in call("ingest", folder, "--corpus", kb).err
    assert "2 documents were read by another reader than the one of now" in call("status", "--corpus", kb).out


def test_what_reads_otherwise_becomes_a_new_version_and_citations_of_the_old_one_resolve(kb, folder, monkeypatch):
    """(conditions 47, 50)"""
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    citation = cited(kb)
    assert "third day" in citation["quote"]
    dry = ingest(kb, folder, "--reread", "--dry-run")
    assert (dry["documents"], len(dry["read_otherwise"]), len(listed(kb))) == (2, 2, 2)
    told = ingest(kb, folder, "--reread")
    assert told["read_otherwise"] == [str(folder / "lease.pdf"), str(folder / "note.md")]
    assert (told["documents"], told["changed"], told["replaced"], told["outdated"]) == (2, 0, 0, [])
    assert statuses(kb) == {
        "lease.pdf@1": "superseded",
        "lease.pdf@2": "current",
        "note@1": "superseded",
        "note@2": "current",
    }
    with CorpusStore.open(kb) as store:
        assert store.resolve(citation).status == "historic"
        assert store.resolve(citation).citation.quote == citation["quote"]
        assert store.operator.status(check=True).faults == ()
        assert store.passage("note@2#c1").hidden, "the marks of now"
    assert "first day" in cited(kb)["quote"]
    assert (outdated(kb), ingest(kb, folder)["unchanged"]) == ([], 2)


def test_what_reads_as_before_stays_the_same_version_under_the_name_of_its_reader_of_now(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, renamed, kb, folder)
    citation = cited(kb)
    assert len(outdated(kb)) == 2
    dry = ingest(kb, folder, "--reread", "--dry-run")
    assert (dry["read_as_before"], len(outdated(kb))) == (2, 2)
    told = ingest(kb, folder, "--reread")
    assert (told["documents"], told["unchanged"], told["read_as_before"], told["changed"]) == (0, 2, 2, 0)
    assert statuses(kb) == {"lease.pdf@1": "current", "note@1": "current"}
    assert outdated(kb) == []
    with CorpusStore.open(kb) as store:
        assert store.resolve(citation).status == "current"
        assert store.operator.status(check=True).faults == ()


def test_other_marks_alone_are_another_reading(kb, folder, monkeypatch):
    def unmarked(document):
        return renamed(replace(document, spans=tuple(replace(span, hidden=()) for span in document.spans)))

    ingest_as_before(monkeypatch, unmarked, kb, folder)
    assert ingest(kb, folder, "--reread")["read_otherwise"] == [str(folder / "note.md")]
    assert sorted(statuses(kb)) == ["lease.pdf@1", "note@1", "note@2"]


def test_a_file_that_names_its_version_is_told_until_its_text_may_be_replaced(kb, tmp_path, monkeypatch):
    file = tmp_path / "note.md"
    file.write_text("---\nversion: 7\n---\nThe first bell.\n")
    ingest_as_before(monkeypatch, otherwise, kb, file)
    told = ingest(kb, file, "--reread")
    assert (told["outdated"], told["unchanged"], told["documents"]) == ([str(file)], 1, 0)
    assert "--replace" in call("ingest", file, "--corpus", kb, "--reread").err
    told = ingest(kb, file, "--reread", "--replace")
    assert (told["replaced"], told["read_otherwise"], told["outdated"]) == (1, [str(file)], [])
    assert statuses(kb) == {"note@7": "current"}


def test_a_citation_of_a_text_that_was_replaced_says_that_its_reader_changed(kb, folder, monkeypatch, tmp_path):
    """(condition 46)"""
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    (tmp_path / "citation.json").write_text(json.dumps(cited(kb)))
    assert call("show", tmp_path / "citation.json", "--corpus", kb).code == 0
    assert ingest(kb, folder, "--reread", "--replace")["replaced"] == 2
    assert statuses(kb) == {"lease.pdf@1": "current", "note@1": "current"}
    done = call("show", tmp_path / "citation.json", "--corpus", kb)
    assert (done.code, done.out.partition(":")[0]) == (1, "reader_changed")
    (folder / "lease.pdf").write_bytes(build(shown(BODY, y=501)))
    ingest(kb, folder, "--replace")
    done = call("show", tmp_path / "citation.json", "--corpus", kb)
    assert (done.code, done.out.partition(":")[0]) == (1, "source_changed")


def test_no_words_are_marked_on_a_page_that_reads_otherwise_now(kb, folder, monkeypatch, tmp_path):
    def longer(document):  # the quoted words are the same, and stand where they stand on the page
        text = document.text + "\r\nSigned."
        pages = tuple(replace(page, end=len(text)) for page in document.pages)
        return renamed(replace(document, text=text, pages=pages))

    ingest_as_before(monkeypatch, longer, kb, folder / "lease.pdf")
    picture = tmp_path / "page.png"
    draw = ("page", "lease.pdf", "--corpus", kb, "--png", picture)
    marked = call(*draw, "--citation", json.dumps(cited(kb)))
    assert (marked.code, picture.exists()) == (3, False)
    assert "another reader" in marked.err
    assert call(*draw, "1").code == 0, "the page alone is that of the very file"
    ingest(kb, folder / "lease.pdf", "--reread")
    assert call(*draw, "--citation", json.dumps(cited(kb))).code == 0


@pytest.mark.parametrize("status", ["withdrawn", "revoked"])
def test_what_the_operator_took_back_is_neither_told_nor_read_again(kb, folder, monkeypatch, status):
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    assert call("mark", "lease.pdf@1", status, "--corpus", kb).code == 0
    told = ingest(kb, folder, "--reread")
    assert told["read_otherwise"] == [str(folder / "note.md")]
    assert statuses(kb)["lease.pdf@1"] == status
    assert "lease.pdf@2" not in statuses(kb)
    assert outdated(kb) == []


def test_a_draft_that_is_read_again_stays_a_draft(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, otherwise, kb, folder / "lease.pdf", "--draft")
    assert ingest(kb, folder / "lease.pdf", "--draft", "--reread")["drafts"] == 1
    assert statuses(kb) == {"lease.pdf@1": "draft", "lease.pdf@2": "draft"}


def test_a_file_keeps_its_document_where_it_is_read_again_from_another_folder(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, otherwise, kb, folder.parent / "docs", folder.parent)
    assert sorted(statuses(kb)) == ["docs/lease.pdf@1", "docs/note@1"]
    assert len(ingest(kb, folder, "--reread")["read_otherwise"]) == 2
    assert sorted(statuses(kb)) == ["docs/lease.pdf@1", "docs/lease.pdf@2", "docs/note@1", "docs/note@2"]


def test_a_file_that_comes_back_has_its_version_back_whoever_reads_it_now(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    away = (folder / "lease.pdf").rename(folder.parent / "lease.pdf")
    assert ingest(kb, folder, "--prune")["withdrawn"] == 1
    away.rename(folder / "lease.pdf")
    told = ingest(kb, folder)
    assert (told["restored"], told["documents"], told["unchanged"]) == ([str(folder / "lease.pdf")], 0, 2)
    assert statuses(kb)["lease.pdf@1"] == "current"
    assert outdated(kb) == ["lease.pdf@1", "note@1"]
    assert str(folder / "lease.pdf") in ingest(kb, folder)["outdated"]


def test_what_cannot_be_read_any_more_stays_in_force_and_is_told(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    with monkeypatch.context() as now:
        now.setattr(storing.Readers, "read", _refuse)
        told = ingest(kb, folder, "--reread", code=3)
    assert [each["code"] for each in told["failed"]] == ["needs_ocr"]
    assert statuses(kb)["lease.pdf@1"] == "current"


def _refuse(*_, **__):
    from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

    raise UnreadableFile(Unreadable.NEEDS_OCR, "its pages are pictures")


def test_other_labels_and_another_reader_together_are_refused_as_other_labels_are(kb, folder, monkeypatch):
    ingest_as_before(monkeypatch, otherwise, kb, folder)
    for options in ((), ("--reread",)):
        told = ingest(kb, folder, "--collection", "others", *options, code=3)
        assert {each["code"] for each in told["failed"]} == {"refused"}
    assert sorted(statuses(kb)) == ["lease.pdf@1", "note@1"]
