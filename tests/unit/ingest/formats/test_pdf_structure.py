"""PDF: what the file names and does not hold, or holds and cannot give, is told."""

import time
import zlib

import pytest

from tests.pdf_files import BODY, build, shown, stream_of
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.formats.pdf_structure import lost_objects
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import UnreadableFile

LIMITS = ReadingLimits()
SEEN = shown(BODY, y=600)
LONG = "".join(shown(f"{BODY} {n}", y=700 - n) for n in range(400)).encode()


def packed(change):
    """Two pages, the second packed and its bytes changed."""
    data = build(SEEN, b"@@").replace(stream_of(b"@@"), stream_of(change(zlib.compress(LONG)), "/Filter /FlateDecode"))
    return read(data, LIMITS)


def test_a_packed_page_that_is_whole_is_complete():
    assert (packed(lambda data: data).coverage, packed(lambda data: data[:-4] + b"sum!").coverage) == (
        "complete",
        "complete",
    ), "a wrong sum at the end loses nothing"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[: len(data) // 2],
        lambda _: b"garbage" * 50,
        lambda data: data[:500] + b"\0\0\xff\xff" * 20 + data[580:],
        lambda _: b"",
    ],
    ids=["cut in the middle", "no packed data", "changed in the middle", "empty"],
)
def test_a_page_whose_packed_data_is_broken_makes_the_file_partial(change):
    extracted = packed(change)
    assert extracted.coverage == "partial"
    assert "1 damaged object" in extracted.lost


@pytest.mark.parametrize(
    "stream",
    [
        stream_of(b"", "/Filter /FlateDecode"),
        stream_of(b"no packed data", "/Filter /FlateDecode"),
        stream_of(zlib.compress(LONG), "/Filter [/FlateDecode /FlateDecode]"),
        stream_of(b"no packed data", "/Filter /LZWDecode"),
        stream_of(b"no hex data", "/Filter /ASCIIHexDecode"),
        stream_of(b"no such data \xff", "/Filter /ASCII85Decode"),
    ],
)
def test_a_page_that_cannot_be_unpacked_does_not_look_like_one_that_says_nothing(stream):
    extracted = read(build(SEEN, b"@@").replace(stream_of(b"@@"), stream), LIMITS)
    assert extracted.lost == ("1 damaged object",)
    assert [(page.coverage, page.lost) for page in extracted.pages] == [
        ("complete", ()),
        ("none", ("unreadable page",)),
    ]
    with pytest.raises(UnreadableFile) as refused:
        read(build(b"@@").replace(stream_of(b"@@"), stream), LIMITS)
    assert refused.value.reason == "damaged"


@pytest.mark.parametrize(
    "stream",
    [
        stream_of(zlib.compress(b"q Q"), "/Filter /FlateDecode"),
        stream_of(zlib.compress(zlib.compress(b"q Q")), "/Filter [/FlateDecode /FlateDecode]"),
        stream_of(b"71 20 51>", "/Filter /ASCIIHexDecode"),
        stream_of(b"<~E+gt~>", "/Filter /ASCII85Decode"),
        stream_of(b"\x80\x1c\x40\x80", "/Filter /LZWDecode"),
        stream_of(b""),
    ],
)
def test_a_page_that_says_nothing_is_complete(stream):
    extracted = read(build(SEEN, b"@@").replace(stream_of(b"@@"), stream), LIMITS)
    assert (extracted.coverage, [page.coverage for page in extracted.pages]) == ("complete", ["complete", "complete"])


def test_a_way_of_packing_that_nobody_knows_is_told():
    data = build(SEEN, SEEN).replace(b"/Length", b"/Filter /Foo /Length", 1)
    assert list(lost_objects(data, 2)) == ["1 damaged object"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"/Contents 13 0 R", b"/Contents 77 0 R"),
        (b"/Contents 13 0 R", b"/Contents [13 0 R 77 0 R]"),
        (b"/Im1 4 0 R", b"/Im1 77 0 R"),
    ],
)
def test_what_a_page_names_and_the_file_does_not_hold_is_told(old, new):
    data = build(SEEN, SEEN)
    assert list(lost_objects(data, 2)) == []
    extracted = read(data.replace(old, new), LIMITS)
    assert (extracted.coverage, extracted.lost) == ("partial", ("1 missing object",))


def test_objects_in_a_stream_of_objects_are_known():
    inner = b"40 0 41 5 null /Contents 40 0 R /Contents 41 0 R"
    objects = stream_of(zlib.compress(inner), "/Type /ObjStm /N 2 /First 10 /Filter /FlateDecode")
    whole = b"30 0 obj\n" + objects + b"\nendobj\n"
    assert list(lost_objects(whole, 1)) == []
    gone = zlib.compress(inner.replace(b"41 0 R", b"42 0 R"))
    objects = stream_of(gone, "/Type /ObjStm /N 2 /First 10 /Filter /FlateDecode")
    assert list(lost_objects(b"30 0 obj\n" + objects + b"\nendobj\n", 1)) == ["1 missing object"]


def test_a_page_that_the_count_leaves_out_is_told():
    data = build(SEEN, SEEN, raw_pages="<< /Type /Pages /Kids [10 0 R 12 0 R] /Count 1 >>")
    extracted = read(data, LIMITS)
    assert len(extracted.pages) == 1
    assert extracted.lost == ("1 page that the file does not count",)


@pytest.mark.parametrize(
    "piece",
    [
        b"stream\n",
        b"stream\nendstream",
        b"1 0 obj",
        b"/XObject<<",
        b"/Contents [",
        b"/Kids [",
        b"/Filter [ ",
        b"9 " * 5,
    ],
)
def test_a_file_made_to_be_slow_takes_time_in_line_with_its_length(piece):
    took = []
    for size in (200_000, 1_600_000):
        data = piece * (size // len(piece))
        begun = time.process_time()
        list(lost_objects(data, 1))
        took.append(time.process_time() - begun)
    assert took[1] < 8 * 6 * max(took[0], 0.01)
