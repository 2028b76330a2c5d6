"""PDF: words that are not seen on the page are marked, and those that are seen are not."""

import pytest

from tests.pdf_files import BODY, HELVETICA, annotated, assemble, box, build, picture, shown, stream_of
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

LIMITS = ReadingLimits()
SEEN = shown(BODY, y=600)
SECRET = "Hidden words here."


def reason(data):
    with pytest.raises(UnreadableFile) as fault:
        read(data, LIMITS)
    return fault.value.reason


def pieces(extracted, spans):
    return [extracted.text[start:end] for start, end in spans]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(shown(SECRET, mode=3), id="render mode 3"),
        pytest.param(shown(SECRET, mode=7), id="clip only"),
        pytest.param(shown(SECRET, colour="1 g"), id="white on white"),
        pytest.param(shown(SECRET, colour="0.99 g"), id="nearly white"),
        pytest.param(box(60, 690, 300, 30) + shown(SECRET), id="black on black"),
        pytest.param(shown(SECRET, x=2000), id="beside the page"),
        pytest.param(shown(SECRET, y=-50), id="under the page"),
        pytest.param(shown(SECRET, size=0.5), id="tiny"),
        pytest.param(f"q 0 g BT /F1 12 Tf 0.05 0 0 0.05 72 700 Tm ({SECRET}) Tj ET Q\n", id="tiny by its matrix"),
        pytest.param(shown(SECRET) + box(60, 690, 300, 30, "1 g"), id="painted over in white"),
        pytest.param(shown(SECRET) + box(60, 690, 300, 30), id="blacked out"),
        pytest.param(shown(SECRET) + picture(60, 690, 300, 30), id="under a picture"),
        pytest.param("q 0 0 10 10 re W n " + shown(SECRET) + "Q\n", id="clipped away"),
    ],
)
def test_words_that_are_not_seen_are_marked_and_those_beside_them_are_not(content):
    extracted = read(build(SEEN + content), LIMITS)
    assert pieces(extracted, extracted.hidden) == [SECRET]
    assert BODY in extracted.text


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(box(60, 690, 300, 30, "0 0 0.4 rg") + shown(SECRET, colour="1 g"), id="white on dark blue"),
        pytest.param(box(60, 690, 300, 30, "0.9 g") + shown(SECRET), id="on a grey box"),
        pytest.param(shown(SECRET, colour="0.8 g"), id="light grey"),
        pytest.param(f"q 0 g BT /F1 1 Tf 12 0 0 12 72 700 Tm ({SECRET}) Tj ET Q\n", id="scaled by its matrix"),
        pytest.param(shown(SECRET) + box(60, 500, 300, 30), id="a box elsewhere"),
        pytest.param(shown(SECRET) + box(60, 694, 300, 1), id="underlined"),
        pytest.param("q 0 600 612 192 re W n " + shown(SECRET) + "Q\n", id="inside its clip path"),
        pytest.param(shown(SECRET, size=6), id="small print"),
    ],
)
def test_words_that_are_seen_are_not_marked(content):
    assert read(build(SEEN + content), LIMITS).hidden == ()


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        pytest.param(shown("Seen words here.") + box(72, 695, 29, 20), "Seen", id="a box over the first word"),
        pytest.param(
            "q 72 690 29 30 re W n " + shown("Seen words here.") + "Q\n", "words here.", id="clipped after it"
        ),
        pytest.param(shown("Seen words here.", x=583), "words here.", id="running off the page"),
        pytest.param(shown("Seen words.") + shown(SECRET, y=650) + box(60, 640, 300, 17.5), SECRET, id="tips look out"),
        pytest.param(shown(SECRET, mode=1, colour="1 G"), SECRET, id="outlines in white"),
        pytest.param(shown(SECRET) + "q 0 G 24 w 60 704 m 500 704 l S Q\n", SECRET, id="under a thick line"),
        pytest.param(f"q 0.01 Tz {shown(SECRET)} Q\n", SECRET, id="squeezed together"),
        pytest.param(
            shown(SECRET, colour="1 g") + shown("A pale remark stands exactly here.", y=699, colour="0.85 g"),
            SECRET,
            id="white under pale words",
        ),
        pytest.param(
            shown("A pale remark stands exactly here.", y=699, colour="0.85 g") + shown(SECRET, colour="1 g"),
            SECRET,
            id="white over pale words",
        ),
    ],
)
@pytest.mark.parametrize("turned", [0, 90])
def test_of_a_line_of_which_a_part_is_seen_the_other_part_is_marked(content, hidden, turned):
    media = f"0 0 612 792] /Rotate {turned} /Other [0"
    extracted = read(build(SEEN + content, media=media), LIMITS)
    assert pieces(extracted, extracted.hidden) == [hidden]


def stacked(colour, *, at=72, width=29, count=8, high=2.5):
    """Bars on each other, each as thin as a line under words."""
    return "".join(box(at, 694 + high * number, width, high, colour) for number in range(count))


WORDS = shown("Seen words here.")
BLACK = "q 72 690 29 30 re W n 29 0 0 30 72 690 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \0 EI Q\n"


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        pytest.param(WORDS + stacked("1 g"), ["Seen"], id="bars over a word"),
        pytest.param(stacked("0 g") + WORDS, ["Seen"], id="bars in the colour of a word behind it"),
        pytest.param(
            WORDS + "".join(box(72 + 2 * n, 690, 2, 30, "1 g") for n in range(15)), ["Seen"], id="upright bars"
        ),
        pytest.param(BLACK + WORDS, ["Seen"], id="a black picture behind a word"),
        pytest.param(BLACK.replace("\0", "\xa0") + WORDS, [], id="a grey picture"),
        pytest.param(WORDS + box(72, 696, 29, 1) + box(72, 709, 29, 1), [], id="lines under and above a word"),
        pytest.param(WORDS + stacked("1 g", at=300), [], id="bars beside the words"),
        pytest.param(stacked("0.8 g") + WORDS, [], id="bars in another colour behind a word"),
        pytest.param(stacked("1 g") + WORDS, [], id="bars that the words stand on"),
    ],
)
@pytest.mark.parametrize("turned", [0, 90])
def test_a_word_of_a_line_is_marked_that_thin_bars_cover_or_what_is_behind_it_is_as_dark_as(content, hidden, turned):
    extracted = read(build(SEEN + content, media=f"0 0 612 792] /Rotate {turned} /Other [0"), LIMITS)
    assert pieces(extracted, extracted.hidden) == hidden


FEW = shown("no words", y=700)


def letter(colour="0 g", x=52):
    """A letter so large that its stem covers a word."""
    return shown("I", x=x, y=620, size=190, colour=colour)


@pytest.mark.parametrize(
    ("content", "hidden"),
    [
        pytest.param(FEW + letter(), ["no"], id="a letter over a word"),
        pytest.param(letter() + FEW, ["no"], id="a word in the colour of a letter beneath it"),
        pytest.param(FEW + letter("1 g"), ["no", "I"], id="a white letter over a word"),
        pytest.param(FEW + letter("0 0 0.8 rg"), ["no"], id="a blue letter over a word"),
        pytest.param(letter("1 g") + FEW, ["I"], id="a white letter beneath a word"),
        pytest.param(letter() + shown("no words", colour="1 g"), ["words"], id="a white word upon a letter"),
        pytest.param(FEW + letter(x=300), [], id="a letter elsewhere"),
        pytest.param(letter("0.8 g") + FEW, [], id="a word upon a grey letter"),
        pytest.param(shown("Ill", size=60) + shown("Ill", size=60, x=72.6), [], id="drawn twice to look bold"),
    ],
)
@pytest.mark.parametrize("turned", [0, 90])
def test_words_are_marked_that_solid_letters_cover_or_are_of_one_colour_with(content, hidden, turned):
    extracted = read(build(SEEN + content, media=f"0 0 612 792] /Rotate {turned} /Other [0"), LIMITS)
    assert sorted(" ".join(pieces(extracted, extracted.hidden)).split()) == sorted(hidden)


@pytest.mark.parametrize("marks", [0, 1, 8, 20])
def test_words_of_a_layer_that_is_off_are_not_seen_for_others_in_their_place_however_many_marks_they_have(marks):
    layer = "/A BMC " * marks + "/OC /L1 BDC " + shown(SECRET) + "EMC " * (marks + 1)
    over = shown("Xxxxxx xxxxx xxx.")
    found = {}
    for state in ("OFF", "ON"):
        data = {
            1: f"<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [8 0 R] /D << /{state} [8 0 R] >> >> >>".encode(),
            2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
            3: HELVETICA,
            5: b"<< >>",
            6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R"
            b" /Resources << /Font << /F1 3 0 R >> /Properties << /L1 8 0 R >> >> >>",
            7: stream_of((SEEN + layer + over).encode()),
            8: b"<< /Type /OCG /Name (x) >>",
        }
        extracted = read(assemble(data), LIMITS)
        found[state] = pieces(extracted, extracted.hidden)
    assert found == {"OFF": [SECRET], "ON": []}


@pytest.mark.parametrize(
    ("state", "around", "form", "seen"),
    [
        ("", "", "", True),
        ("", "0 0 10 10 re W n", "", False),
        ("/ca 0 /CA 0", "/G gs", "/Group << /S /Transparency >>", False),
        ("/SMask << /S /Luminosity /G 9 0 R >>", "/G gs", "/Group << /S /Transparency >>", False),
        ("/ca 1 /CA 1", "/G gs", "/Group << /S /Transparency >>", True),
        ("", "", "/OC 12 0 R", False),
        ("", "/OC /Off BDC", "", False),
    ],
)
def test_a_form_that_is_clipped_faint_or_switched_off_hides_its_words(state, around, form, seen):
    data = {
        1: b"<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [12 0 R] /D << /OFF [12 0 R] >> >> >>",
        2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
        3: HELVETICA,
        5: b"<< >>",
        6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R /Resources << /Font << /F1 3 0 R >>"
        b" /XObject << /X 8 0 R >> /Properties << /Off 12 0 R >> /ExtGState << /G << %s >> >> >> >>" % state.encode(),
        7: stream_of(f"{SEEN} q {around} /X Do {'EMC' if 'BDC' in around else ''} Q".encode()),
        8: stream_of(
            shown(SECRET).encode(),
            f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] {form} /Resources << /Font << /F1 3 0 R >> >>",
        ),
        9: stream_of(
            b"0 g 0 0 612 792 re f",
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency /CS /DeviceGray >>",
        ),
        12: b"<< /Type /OCG /Name (Off) >>",
    }
    extracted = read(assemble(data), LIMITS)
    assert pieces(extracted, extracted.hidden) == ([] if seen else [SECRET])


@pytest.mark.parametrize(("look", "seen"), [("0 g 0 0 240 30 re f", False), ("0 g 0 0 240 2 re f", True)])
@pytest.mark.parametrize("kind", ["Square", "Link", "Stamp"])
def test_what_a_note_or_a_link_is_painted_over_is_not_seen(look, seen, kind):
    form = stream_of(look.encode(), "/Type /XObject /Subtype /Form /BBox [0 0 240 30]")
    extracted = read(annotated(f"/Subtype /{kind} /AP << /N 60 0 R >>", form), LIMITS)
    assert pieces(extracted, extracted.hidden) == ([] if seen else [SECRET])


def test_words_under_a_picture_of_nothing_were_not_read_there():
    """An OCR program finds words where something is to be seen."""
    scan = build(picture() + shown(BODY, mode=3))
    blank = scan.replace(bytes(range(0, 256, 4)), b"\xff" * 64)
    extracted = read(scan, LIMITS)
    assert pieces(extracted, extracted.hidden) == []
    assert reason(blank) == Unreadable.NEEDS_OCR


def in_forms(content, depth):
    """A page whose `content` stands in forms inside each other."""
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
        3: HELVETICA,
        5: b"<< >>",
        6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R"
        b" /Resources << /Font << /F1 3 0 R >> /XObject << /X 10 0 R >> >> >>",
        7: stream_of((SEEN + "q 0.5 0 0 0.5 100 100 cm /X Do Q\n").encode()),
    }
    for number in range(10, 10 + depth):
        last = number == 9 + depth
        entries = f"/Font << /F1 3 0 R >> {'' if last else f'/XObject << /X {number + 1} 0 R >>'}"
        objects[number] = stream_of(
            content.encode() if last else b"/X Do\n",
            f"/Type /XObject /Subtype /Form /BBox [-5000 -5000 5000 5000] /Resources << {entries} >>",
        )
    return assemble(objects)


@pytest.mark.parametrize("depth", [1, 2, 30])
def test_words_in_forms_inside_each_other_are_looked_at_too(depth):
    for hiding in (shown(SECRET, mode=3), shown(SECRET, colour="1 g"), shown(SECRET, x=3000), shown(SECRET, size=2)):
        extracted = read(in_forms(hiding, depth), LIMITS)
        assert pieces(extracted, extracted.hidden) == [SECRET]
    assert read(in_forms(shown(SECRET), depth), LIMITS).hidden == ()
