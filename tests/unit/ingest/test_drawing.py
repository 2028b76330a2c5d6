"""Where a quote stands on a page of a PDF: only in the very file that was read, and only for the words that stand there."""

import hashlib
import os
import zlib
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from tests.pdf_files import BODY, build, report, shown
from verified_gate.ingest.drawing import ReadsOtherwise, boxes, draw, on_pages
from verified_gate.ingest.extracted import Page
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import CorpusError

DATA = Path(__file__).parents[2] / "data" / "messy" / "pdf"
MULTICOLUMN = (DATA / "multicolumn.pdf").read_bytes()


def sha(data):
    return hashlib.sha256(data).hexdigest()


def page_text(read, number):
    page = read.pages[number - 1]
    return read.text[page.start : page.end]


@pytest.fixture(scope="module")
def readers():
    with Readers(workers=1) as made:
        yield made


def test_boxes_hold_the_words_of_the_span_line_by_line(readers):
    read = readers.read(MULTICOLUMN, "pdf")
    start = read.text.index("consectetuer adip")
    end = read.text.index("vitae, felis") + len("vitae, felis")
    ((number, span),) = on_pages(read.pages, start, end)
    found = boxes(MULTICOLUMN, sha(MULTICOLUMN), number, span, page_text(read, number), readers=readers)
    assert len(found) == 3
    page = pypdfium2.PdfDocument(MULTICOLUMN)[number - 1].get_textpage()
    held = Counter(word for each in found for word in page.get_text_bounded(*each).replace("\x02", "").split())
    assert not Counter(read.text[start:end].replace("\ufffe", " ").split()) - held
    assert "gravida" not in held, "the next words of the line are outside"


def test_a_span_over_two_columns_has_its_boxes_in_both(readers):
    read = readers.read(MULTICOLUMN, "pdf")
    start = read.text.index("Donec nonummy\r\npellentesque ante.")
    found = boxes(MULTICOLUMN, sha(MULTICOLUMN), 1, (start, start + 33), page_text(read, 1), readers=readers)
    assert [left > 300 for left, *_ in found] == [False, True]


def test_a_span_over_a_page_break_is_taken_apart():
    pages = (Page(1, 0, 10), Page(2, 11, 11), Page(3, 12, 20))
    assert on_pages(pages, 5, 15) == [(1, (5, 10)), (3, (0, 3))]
    assert on_pages(pages, 12, 13) == [(3, (0, 1))]
    assert on_pages((), 0, 5) == []


def test_another_file_is_refused(readers, tmp_path):
    data = build(shown(BODY))
    (tmp_path / "a.pdf").write_bytes(data)
    assert boxes(tmp_path / "a.pdf", sha(data), 1, (0, 10), BODY, readers=readers)
    (tmp_path / "a.pdf").write_bytes(data + b" ")
    with pytest.raises(CorpusError, match="another"):
        boxes(tmp_path / "a.pdf", sha(data), 1, (0, 10), BODY, readers=readers)


def test_words_that_stand_otherwise_now_are_not_marked(readers):
    data = build(shown(BODY))
    assert draw(data, sha(data), 1, [(0, 10)], BODY, readers=readers)
    for stored in ("other words", f" {BODY}", BODY[:-1], ""):
        with pytest.raises(ReadsOtherwise):
            draw(data, sha(data), 1, [(0, 10)], stored, readers=readers)
        with pytest.raises(ReadsOtherwise):
            boxes(data, sha(data), 1, (0, 10), stored, readers=readers)
    assert draw(data, sha(data), 1, readers=readers), "a page without marks asks for no text"


def test_words_that_moved_are_not_marked_where_the_same_ones_stand_by_chance(readers):
    data = build(shown("A fee of 10. A rent of 10.", y=600))
    now = readers.read(data, "pdf").text
    stored = "A due of 10. A loan of 10."  # another reader's: the same number, in the place of another
    span = (stored.index("10"), stored.index("10") + 2)
    assert now[slice(*span)] == stored[slice(*span)] == "10"
    with pytest.raises(ReadsOtherwise):
        boxes(data, sha(data), 1, span, stored, readers=readers)
    with pytest.raises(ReadsOtherwise):
        draw(data, sha(data), 1, [span], stored, readers=readers)
    assert len(boxes(data, sha(data), 1, span, now, readers=readers)) == 1


def test_what_is_no_pdf_has_no_pages(readers):
    with pytest.raises(CorpusError, match="no PDF"):
        boxes(b"text", sha(b"text"), 1, (0, 1), "text", readers=readers)


def test_a_page_that_is_not_there_is_a_coded_reason(readers):
    data = report(2)
    with pytest.raises(UnreadableFile) as fault:
        boxes(data, sha(data), 3, (0, 1), BODY, readers=readers)
    assert fault.value.reason == Unreadable.DAMAGED


def test_an_encrypted_page_is_drawn_with_its_password(readers):
    data = (DATA / "libreoffice-writer-password.pdf").read_bytes()
    assert draw(data, sha(data), 1, password="openpassword", readers=readers).startswith(b"\x89PNG")
    with pytest.raises(UnreadableFile) as fault:
        draw(data, sha(data), 1, readers=readers)
    assert fault.value.reason == Unreadable.ENCRYPTED


def pixels(png):
    """Width, height and rows of RGB of our own plain PNG files."""
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    at, packed = 8, b""
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += 12 + size
    rows = zlib.decompress(packed)
    return width, height, [rows[n * (1 + 3 * width) + 1 : (n + 1) * (1 + 3 * width)] for n in range(height)]


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_the_marked_words_are_yellow_however_the_page_is_turned(readers, turned):
    data = build(shown(BODY, y=700)).replace(b"/Type /Page /Parent", b"/Type /Page /Rotate %d /Parent" % turned)
    data_plain = build(shown(BODY, y=700))
    marked = draw(data, sha(data), 1, [(0, len(BODY))], BODY, scale=1.0, readers=readers)
    width, height, rows = pixels(marked)
    assert (width, height) == ((612, 792) if turned in (0, 180) else (792, 612))
    yellow = [(x, y) for y, row in enumerate(rows) for x in range(width) if row[3 * x : 3 * x + 3] == b"\xff\xff\x66"]
    across, down = {x for x, _ in yellow}, {y for _, y in yellow}
    where = {0: (72, 85), 90: (695, 72), 180: (240, 695), 270: (85, 240)}[turned]
    assert abs(min(across) - where[0]) < 12 and abs(min(down) - where[1]) < 12
    plain = draw(data_plain, sha(data_plain), 1, scale=1.0, readers=readers)
    assert b"\xff\xff\x66" not in b"".join(pixels(plain)[2])


def test_a_monstrous_page_is_drawn_small(readers):
    data = build(shown(BODY), media="0 0 14400 14400")
    width, height, _ = pixels(draw(data, sha(data), 1, scale=8.0, readers=readers))
    assert width * height <= 16_100_000


def test_a_pipe_or_an_endless_device_where_the_file_lay_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.pdf")
    for path in (tmp_path / "pipe.pdf", Path("/dev/zero"), tmp_path / "gone.pdf", tmp_path):
        with pytest.raises(CorpusError):
            draw(path, sha(b""), 1)
