"""The hook for an OCR program: its words stand in the places of the pictures, and are told as a guess."""

import pytest

from tests.pdf_files import BODY, build, picture, report, shown
from verified_gate.corpus.store import CorpusStore
from verified_gate.ingest.extracted import Block, Extracted, Page
from verified_gate.ingest.ocr import BY_OCR, with_words
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers

SCAN = build(shown(BODY), picture(), shown("The last words stand here."), picture())


@pytest.fixture(scope="module")
def readers():
    with Readers(workers=1) as made:
        yield made


def test_the_program_is_asked_for_pages_that_are_pictures_alone(readers):
    asked = []

    def ocr(png, number):
        asked.append((png[:4], number))
        return f"Words of page {number}.\n\nAnd more of them."

    read = readers.read(SCAN, "pdf", ocr=ocr)
    assert asked == [(b"\x89PNG", 2), (b"\x89PNG", 4)]
    assert [read.text[page.start : page.end] for page in read.pages] == [
        BODY,
        "Words of page 2.\n\nAnd more of them.",
        "The last words stand here.",
        "Words of page 4.\n\nAnd more of them.",
    ]
    assert [(page.coverage, page.lost) for page in read.pages] == [("complete", ()), ("partial", (BY_OCR,))] * 2
    assert [read.text[block.start : block.end] for block in read.blocks] == [
        BODY,
        "Words of page 2.",
        "And more of them.",
        "The last words stand here.",
        "Words of page 4.",
        "And more of them.",
    ]
    assert "OCR" in read.reader


def test_without_a_program_the_pages_stay_lost(readers):
    read = readers.read(SCAN, "pdf")
    assert [page.coverage for page in read.pages] == ["complete", "none", "complete", "none"]


def test_a_program_that_finds_nothing_leaves_the_page_lost(readers):
    read = readers.read(SCAN, "pdf", ocr=lambda png, number: " \n")
    assert [page.coverage for page in read.pages] == ["complete", "none", "complete", "none"]
    with pytest.raises(UnreadableFile) as fault:
        readers.read(build(picture()), "pdf", ocr=lambda png, number: "")
    assert fault.value.reason == Unreadable.NEEDS_OCR


@pytest.mark.parametrize("said", [b"Words.", 5, ["Words."], ZeroDivisionError("the words of the page"), OSError()])
def test_a_program_that_fails_gives_a_code_and_nothing_is_stored(tmp_path, said):
    (tmp_path / "scan.pdf").write_bytes(SCAN)

    def ocr(png, number):
        if isinstance(said, Exception):
            raise said
        return said if number == 4 else "Words of page 2."

    with CorpusStore.in_memory() as store:
        with pytest.raises(UnreadableFile) as fault:
            store.add(tmp_path / "scan.pdf", ocr=ocr)
        assert fault.value.reason == Unreadable.OCR_FAILED
        assert fault.value.__cause__ is (said if isinstance(said, Exception) else None)
        assert "page" in fault.value.detail and "words of the page" not in str(fault.value)
        assert store.documents() == []
        store.add(tmp_path / "scan.pdf", ocr=lambda png, number: None)
        assert [each.coverage for each in store.operator.documents()] == ["partial"]


def test_what_a_program_says_that_is_no_character_is_told_as_such(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(build(picture()))
    with CorpusStore.in_memory() as store:
        store.add(tmp_path / "scan.pdf", ocr=lambda png, number: "A fee\ud800 of nine\0 euros \U0001f6b2.")
        (hit,) = store.search("fee of nine euros")
        assert hit.passage.text == "A fee\ufffd of nine\ufffd euros \U0001f6b2."


def test_a_document_with_a_text_layer_does_not_ask(readers):
    def never(png, number):
        raise AssertionError

    assert readers.read(report(), "pdf", ocr=never) == readers.read(report(), "pdf")


def test_a_scan_is_stored_with_the_words_of_the_program_and_never_as_complete(tmp_path):
    (tmp_path / "scan.pdf").write_bytes(build(picture()))
    with CorpusStore.in_memory() as store:
        with pytest.raises(UnreadableFile) as fault:
            store.add(tmp_path / "scan.pdf")
        assert fault.value.reason == Unreadable.NEEDS_OCR
        assert store.documents() == []
        store.add(tmp_path / "scan.pdf", ocr=lambda png, number: BODY)
        (hit,) = store.search("tenant rent")
        assert (hit.passage.text, hit.passage.coverage, hit.passage.location.page) == (BODY, "partial", 1)


def test_marks_and_blocks_move_with_their_words_and_a_block_over_a_picture_is_taken_apart():
    text = "first words\n\nlast HIDDEN FOOT"
    read = Extracted(
        text=text,
        reader="r",
        blocks=(Block("paragraph", 0, 24),),
        pages=(Page(1, 0, 11), Page(2, 12, 12, coverage="none", lost=("no text layer",)), Page(3, 13, len(text))),
        furniture=((25, 29),),
        hidden=((18, 24),),
    )
    found = with_words(read, {2: "picture words"})
    assert found.text == "first words\npicture words\nlast HIDDEN FOOT"
    assert [found.text[a:b] for a, b in (*found.furniture, *found.hidden)] == ["FOOT", "HIDDEN"]
    assert [found.text[each.start : each.end] for each in found.blocks] == [
        "first words",
        "picture words",
        "last HIDDEN",
    ]
