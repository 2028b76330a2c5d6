"""The documents that ship with the package say what the demo and the README rely on."""

from pathlib import Path

import pytest

from verified_gate.ingest import Status, Strategy, cut, read_directory

CORPUS = Path(__file__).parents[3] / "corpus"


@pytest.fixture(scope="module")
def documents():
    reading = read_directory(CORPUS, trusted=True)
    assert reading.ignored == ()
    return {document.key: document for document in reading.documents}


def test_the_reference_question_is_answered_by_the_current_policy(documents):
    first = cut(documents["returns@3"])[0]
    assert (first.key, first.title, first.location.heading[-1]) == (
        "returns@3#c0",
        "Returns policy",
        "Returning a bike",
    )
    assert "You can return a bike within 30 days of delivery." in first.text
    assert (first.location.first_line, first.location.last_line) == (11, 12)
    assert documents["returns@3"].status is Status.CURRENT


def test_the_older_policy_is_superseded_and_says_something_else(documents):
    old = documents["returns@2"]
    assert old.status is Status.SUPERSEDED
    assert "within 14 days of delivery" in old.text


def test_access_labels_are_shown_by_two_documents(documents):
    labelled = {key: document.access for key, document in documents.items() if document.access.tenant}
    assert {key: (access.tenant, set(access.groups)) for key, access in labelled.items()} == {
        "acme:fleet@2024-07": ("acme", set()),
        "acme:support-desk@7": ("acme", {"support"}),
    }


def test_languages_and_a_script_without_spaces(documents):
    assert {document.lang for document in documents.values()} >= {"en", "de", "ja"}


def test_the_hostile_note_keeps_its_words(documents):
    assert "</evidence>" in documents["supplier-note@1"].text


def test_no_document_knows_of_swallows(documents):
    assert not any(word in document.text.lower() for document in documents.values() for word in ("swallow", "airspeed"))


@pytest.mark.parametrize("strategy", list(Strategy))
def test_lines_and_spans_of_every_passage_are_right(documents, strategy):
    """(condition 19)"""
    for document in documents.values():
        lines = (CORPUS / document.name).read_text(encoding="utf-8").split("\n")
        for passage in cut(document, strategy):
            named = "\n".join(lines[passage.location.first_line - 1 : passage.location.last_line])
            assert passage.text.strip("\n") in named
            assert document.text[passage.start : passage.start + len(passage.text)] == passage.text
