"""Words that a PDF holds and does not show, by means that nothing the file says of them gives away: each must be found
by what the drawn page shows. The twin of each shows the same words by the same means.
"""

import struct

import pytest

from tests.pdf_files import BODY, HELVETICA, assemble, box, shown, stream_of
from verified_gate import Gate, Passage, Refusal, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits

SECRET = "Hidden words here."
SEEN = shown(BODY, y=600)


def document(*pages, resources="", media="/MediaBox [0 0 612 792]", objects=()):
    """A PDF of these content streams; the font is `/F1`, `objects` are numbered from 60 on."""
    numbers = range(20, 20 + 2 * len(pages), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    data = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        3: HELVETICA,
        5: b"<< >>",
    }
    for number, content in zip(numbers, pages, strict=True):
        data[number] = (
            f"<< /Type /Page /Parent 2 0 R {media} /Contents {number + 1} 0 R"
            f" /Resources << /Font << /F1 3 0 R /F2 60 0 R >> {resources} >> >>"
        ).encode()
        data[number + 1] = stream_of(content.encode("latin-1"))
    return assemble(data | {60 + n: each for n, each in enumerate(objects)})


def hidden(data):
    extracted = read(data, ReadingLimits())
    found = [extracted.text[start:end] for start, end in extracted.hidden]
    assert BODY in extracted.text and not any(BODY in words for words in found)
    return found


def to_unicode(pairs):
    """What the codes of a font mean."""
    rows = "\n".join(f"<{code:02x}> <{ord(char):04x}>" for code, char in pairs)
    return stream_of(
        (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
            f"1 begincodespacerange <00> <ff> endcodespacerange {len(pairs)} beginbfchar\n{rows}\nendbfchar\n"
            "endcmap end end"
        ).encode()
    )


def upper(text):
    """The text in codes of its second set of letters, which mean the same."""
    return "".join(f"{ord(char) + 128:02x}" for char in text)


def in_codes(codes, y=700):
    return f"q 0 g BT /F2 12 Tf 1 0 0 1 72 {y} Tm <{codes}> Tj ET Q\n"


LETTERS = [(code, chr(code)) for code in range(33, 127)] + [(code + 128, chr(code)) for code in range(32, 127)]


def true_type(of_second):
    """A font whose first set of letters are bars, and whose second set are the glyph `of_second`."""

    def glyph(points):
        if not points:
            return b""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        data = struct.pack(">hhhhh", 1, min(xs), min(ys), max(xs), max(ys)) + struct.pack(">HH", len(points) - 1, 0)
        data += b"\x01" * len(points)
        for values in (xs, ys):
            data += b"".join(struct.pack(">h", b - a) for a, b in zip([0, *values], values, strict=False))
        return data + b"\0" * (-len(data) % 4)

    shapes = {
        "empty": [],
        "bar": [(50, 0), (50, 700), (450, 700), (450, 0)],
        "line without width": [(50, 0), (450, 700), (250, 350)],
        "point": [(50, 0), (50, 0), (50, 0)],
    }
    glyphs = [glyph(shapes[name]) for name in ("empty", "bar", of_second)]
    places = [sum(map(len, glyphs[:n])) for n in range(len(glyphs) + 1)]
    mapping = bytes((0 if code <= 32 else 1 if code < 128 else 2) for code in range(256))
    tables = {
        b"cmap": struct.pack(">HHHHLHHH", 0, 1, 1, 0, 12, 0, 262, 0) + mapping,
        b"glyf": b"".join(glyphs),
        b"head": struct.pack(">LLLLHHQQhhhhHHhhh", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 0, 1000, 0, 0, 0, 0, 500, 700, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">LhhhHhhhhhhhhhhhH", 1 << 16, 800, -200, 0, 500, 0, 0, 500, 1, 0, 0, 0, 0, 0, 0, 0, 3),
        b"hmtx": struct.pack(">HhHhHh", 500, 0, 500, 50, 500, 50),
        b"loca": struct.pack(">4L", *places),
        b"maxp": struct.pack(">LHHHHHHHHHHHHHH", 1 << 16, 3, 8, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    }  # fmt: skip
    head, body = struct.pack(">LHHHH", 1 << 16, len(tables), 64, 2, 48), b""
    for name, data in sorted(tables.items()):
        head += name + struct.pack(">LLL", 0, 12 + 16 * len(tables) + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    return head + body


def font_with_two_sets(second):
    """Two codes for each letter: the first set is seen, the second is `second`."""
    program = true_type(second)
    widths = " ".join(["500"] * 256)
    return (
        b"<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Bars /FirstChar 0 /LastChar 255"
        + f" /Widths [{widths}] /FontDescriptor 61 0 R /ToUnicode 63 0 R >>".encode(),
        b"<< /Type /FontDescriptor /FontName /ABCDEF+Bars /Flags 4 /FontBBox [0 -200 500 800] /ItalicAngle 0"
        b" /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 62 0 R >>",
        stream_of(program, f"/Length1 {len(program)}"),
        to_unicode(LETTERS),
    )


@pytest.mark.parametrize(
    ("second", "seen"), [("bar", True), ("empty", False), ("line without width", False), ("point", False)]
)
def test_letters_that_left_marks_on_one_page_prove_nothing_for_other_codes_of_the_same_letters(second, seen):
    """A font may have two codes for a letter, of which the second draws nothing: what page 1 shows says nothing of page 2."""
    first = SEEN + in_codes(SECRET.encode().hex())
    data = document(first, SEEN + in_codes(upper(SECRET)), objects=font_with_two_sets(second))
    assert hidden(data) == ([] if seen else [SECRET])


@pytest.mark.parametrize(("glyph", "seen"), [("/A", True), ("/space", False)])
def test_letters_whose_glyph_is_a_blank_are_not_seen(glyph, seen):
    differences = f"/Differences [33 {' '.join([glyph] * 94)}]"
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << {differences} >> /ToUnicode 61 0 R >>"
    meaning = to_unicode([(code, chr(code)) for code in range(33, 127)])
    data = document(SEEN + in_codes(SECRET.encode().hex()), objects=(font.encode(), meaning))
    assert hidden(data) == ([] if seen else [SECRET])


BLACK = stream_of(b"\0" * 64, "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8")  # fmt: skip
NOTES = {
    "a note": "<< /Type /Annot /Subtype /Square /Rect [60 690 300 720] /F 4 /AP << /N 63 0 R >> >>",
    "a note drawn beside its place": "<< /Type /Annot /Subtype /Stamp /Rect [9 9 19 19] /F 4 /AP << /N 67 0 R >> >>",
    "a highlight beside its place": "<< /Type /Annot /Subtype /Highlight /Rect [9 9 19 19] /F 4 /C [1 1 0]"
    " /QuadPoints [60 715 300 715 60 698 300 698] >>",
}
SHADING = b"<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 612 0] /Extend [true true] /Function 65 0 R >>"
RAMP = b"<< /FunctionType 2 /Domain [0 1] /C0 [0.7] /C1 [0.9] /N 1 >>"
OTHER_INK = {
    "nothing": "",
    "a rule above": "q 1 w 60 715 m 300 715 l S Q\n",
    "a rule beneath": "q 1 w 60 698 m 300 698 l S Q\n",
    "a thick rule beside": "q 40 w 30 60 m 30 760 l S Q\n",
    "a rule through": "q 1 w 60 704 m 300 704 l S Q\n",
    "a thick rule through": "q 9 w 60 704 m 300 704 l S Q\n",
    "a grey ground": box(60, 690, 240, 30, colour="0.8 g"),
    "a picture": "q 240 0 0 30 60 690 cm /Im Do Q\n",
    "shading": "q /Sh sh Q\n",
    "shading in a form": "/Fm Do\n",
    "rules off the page": "q 9 w -99 -99 m 9 -99 l S 700 9 m 700 -300 l S 60 900 m 300 1900 l S Q\n",
    "a path without an area": "q 0 0 m 0 0 l S 0 0 m S Q\n",
    "tiny letters": shown("M" * 60, x=72, y=699, size=1.4),
    "a frame": "q 2 w 20 20 570 750 re S Q\n",
    "a spike of a stroke": "q 100 M 10 w 80 640 m 74 500 l 86 500 l h S Q\n",
    **dict.fromkeys(NOTES, ""),
}


@pytest.mark.parametrize("turned", ["", "/Rotate 90", "/CropBox [36 72 576 740]"])
@pytest.mark.parametrize("other", OTHER_INK)
@pytest.mark.parametrize("glyph", ["/A", "/space"])
def test_what_else_is_painted_is_not_taken_for_the_ink_of_letters(other, glyph, turned):
    """Of letters whose glyph is a blank nothing is seen, whatever stands over, under or beside them."""
    over = "shading" not in other
    differences = f"/Differences [33 {' '.join([glyph] * 94)}]"
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << {differences} >> /ToUnicode 61 0 R >>"
    meaning = to_unicode([(code, chr(code)) for code in range(33, 127)])
    drawn = stream_of(b"0.5 g 0 0 240 30 re f", "/Type /XObject /Subtype /Form /BBox [0 0 240 30]")
    astray = stream_of(b"0 g 50 686 300 6 re f", "/Type /XObject /Subtype /Form")
    form = stream_of(
        b"/Sh sh", "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Shading << /Sh 64 0 R >> >>"
    )
    data = document(
        OTHER_INK[other] * (not over) + SEEN + OTHER_INK[other] * over + in_codes(SECRET.encode().hex()),
        resources="/XObject << /Im 62 0 R /Fm 66 0 R >> /Shading << /Sh 64 0 R >>",
        media="/MediaBox [0 0 612 792] " + turned + (f" /Annots [{NOTES[other]}]" if other in NOTES else ""),
        objects=(font.encode(), meaning, BLACK, drawn, SHADING, RAMP, form, astray),
    )
    extracted = read(data, ReadingLimits())
    found = "".join(extracted.text[start:end] for start, end in extracted.hidden)
    seen = glyph == "/A" and other not in ("a rule through", "a picture", "a note")  # struck out, or covered
    assert BODY in extracted.text
    assert (SECRET in found) is not seen


@pytest.mark.parametrize(
    ("drawing", "seen"), [("0 0 400 700 re f", True), ("", False), ("1 g 0 0 400 700 re f", False)]
)
def test_letters_that_the_file_draws_itself_are_judged_by_what_it_draws(drawing, seen):
    widths, differences = " ".join(["500"] * 95), " ".join(["/a"] * 95)
    font = (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32"
        f" /LastChar 126 /Widths [{widths}] /CharProcs << /a 62 0 R >> /Encoding << /Differences [32 {differences}] >>"
        " /Resources << >> /ToUnicode 61 0 R >>"
    )
    meaning = to_unicode([(code, chr(code)) for code in range(32, 127)])
    data = document(
        SEEN + in_codes(SECRET.encode().hex()),
        objects=(font.encode(), meaning, stream_of(f"500 0 d0 {drawing}".encode())),
    )
    assert hidden(data) == ([] if seen else [SECRET])


@pytest.mark.code("not_visible")
@pytest.mark.parametrize("ink", ["0 g", "1 g"])
@pytest.mark.parametrize(("x", "is_hidden"), [(60, True), (400, False)])
def test_words_beneath_a_letter_that_blots_them_out_are_not_seen(ink, x, is_hidden):
    """As some programs black words out. The font has the size 1, and its one letter is a bar."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 -10 200 40] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97"
        b" /Widths [200] /Encoding << /Differences [97 /a] >> /CharProcs << /a 61 0 R >> /Resources << >> >>"
    )
    bar = f"q {ink} BT /F2 1 Tf 1 0 0 1 {x} 695 Tm (a) Tj ET Q\n"
    drawing = stream_of(b"200 0 0 -10 200 40 d1 0 -10 200 40 re f")
    found = hidden(document(SEEN + shown(SECRET) + bar, objects=(font, drawing)))
    assert any(SECRET in words for words in found) is is_hidden


@pytest.mark.parametrize(("function", "seen"), [("/C0 [0] /C1 [1]", True), ("/C0 [1] /C1 [0]", False)])
def test_black_that_is_turned_into_white_on_its_way_to_the_page_is_not_seen(function, seen):
    """A transfer function: the text says that it is black."""
    state = "/ExtGState << /G << /TR 61 0 R >> >>"
    objects = (HELVETICA, f"<< /FunctionType 2 /Domain [0 1] {function} /N 1 >>".encode())
    assert hidden(document(SEEN + f"q /G gs {shown(SECRET)} Q\n", resources=state, objects=objects)) == (
        [] if seen else [SECRET]
    )


@pytest.mark.parametrize(
    ("content", "unseen"),
    [
        (f"q BT /F1 12 Tf 7 Tr 1 0 0 1 72 500 Tm (X) Tj ET {shown(SECRET)} Q\n", "X\r\n" + SECRET),
        (f"q BT /F1 12 Tf 1 0 0 1 72 500 Tm (X) Tj ET {shown(SECRET)} Q\n", None),
        (f"q 60 690 m 110 690 l 110 719 l 300 719 l 300 720 l 60 720 l h W n {shown(SECRET)} Q\n", "words here."),
        (f"q 60 690 m 300 720 l 60 720 l 300 690 l h W n {shown(SECRET, x=62, size=8)} Q\n", SECRET),
        (f"q 60 690 m 300 690 l 300 720 l 60 720 l h W n {shown(SECRET)} Q\n", None),
        (f"q 60 690 240 30 re W n {shown(SECRET)} Q\n", None),
        (f"q 60 690 m 60 720 l 300 720 l 300 690 l 60 690 l W n {shown(SECRET)} Q\n", None),
        (f"q 60 720 m 60 690 300 690 300 720 c W n {shown(SECRET)} Q\n", True),
        (f"q 60 690 m 60 720 l 300 720 l 300 690 l 75 719 l W n {shown(SECRET)} Q\n", True),
        (f"q 60 690 m 60 720 l 300 720 m 300 690 l W n {shown(SECRET)} Q\n", True),
        (shown(SECRET) + "".join(box(60, 690 + 2 * n, 200, 2) for n in range(12)), SECRET),
        (shown(SECRET) + box(60, 690, 200, 1), None),
        (f"q 300 0 0 30 60 690 cm /Im Do Q\n{shown(SECRET)}", SECRET),
        (f"q 300 0 0 30 60 690 cm /Im Do Q\n{shown(SECRET, colour='1 g')}", None),
    ],
    ids=["clipped to earlier words", "after other words", "clipped to a corner", "clipped to a bow tie", "inside of a path",
         "inside of a rectangle", "inside of five points", "clipped to a curve", "clipped to a fifth point", "clipped to two lines",
         "under many rules", "over a rule", "black on a black picture", "white on a black picture"],
)  # fmt: skip
def test_words_that_say_they_are_black_and_on_the_page_are_judged_by_what_is_drawn(content, unseen):
    data = document(SEEN + content, resources="/XObject << /Im 61 0 R >>", objects=(HELVETICA, BLACK))
    found = hidden(data)
    assert found and set("".join(found)) <= set(SECRET) if unseen is True else found == ([unseen] if unseen else [])


@pytest.mark.parametrize("state", ["OFF", "ON"])
def test_a_layer_that_is_off_is_not_seen_however_many_marks_stand_around_it(state):
    data = document(
        SEEN + "/A BMC " * 9 + "/OC /L BDC " + shown(SECRET) + "EMC " * 10,
        resources="/Properties << /L 61 0 R >>",
        objects=(HELVETICA, b"<< /Type /OCG /Name (Layer) >>"),
    ).replace(b"/Catalog", f"/Catalog /OCProperties << /OCGs [61 0 R] /D << /{state} [61 0 R] >> >>".encode())
    assert hidden(data) == ([] if state == "ON" else [SECRET])


@pytest.mark.parametrize(("crop", "seen"), [("0 0 612 792", True), ("0 0 612 690", False), ("300 0 612 792", False)])
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_words_beyond_what_the_page_is_cropped_to_are_not_seen(crop, seen, turned):
    data = document(
        shown(BODY, x=310, y=600, size=8) + shown(SECRET),
        media=f"/MediaBox [0 0 612 792] /CropBox [{crop}] /Rotate {turned}",
    )
    assert hidden(data) == ([] if seen else [SECRET])


@pytest.mark.code("not_visible")
def test_what_is_found_unseen_on_a_drawn_page_cannot_be_cited():
    """(condition 62)"""

    def verify(second):
        data = document(SEEN + in_codes(SECRET.encode().hex()).replace("700", "300"), SEEN + in_codes(upper(SECRET)),
                        objects=font_with_two_sets(second))  # fmt: skip
        extracted = read(data, ReadingLimits())
        page = extracted.pages[1]
        spans = tuple((a - page.start, b - page.start) for a, b in extracted.hidden if a >= page.start)
        text = extracted.text[page.start : page.end]
        return Gate([Passage("a", text, "d", hidden=spans)], profile="extracted").verify("a", SECRET)

    refusal = verify("line without width")
    assert isinstance(refusal, Refusal) and refusal.code == "not_visible"
    assert isinstance(verify("bar"), VerifiedCitation)


# -------------------------------------------------------------------------------- words that are given for those drawn

GIVEN = "The notice period is sixty days."
DRAWN = "The notice period is thirty days."


def given(words, drawn=DRAWN, around="/Span <</ActualText {}>> BDC", **more):
    return read(document(SEEN + around.format(words) + " " + shown(drawn) + "EMC\n", **more), ReadingLimits())


IN_RESOURCES = "/Properties << /G 61 0 R >>"


@pytest.mark.parametrize(
    ("around", "objects"),
    [
        (f"/Span <</ActualText ({GIVEN})>> BDC", ()),
        (f"/A BMC /P <</ActualText ({GIVEN})>> BDC EMC " + "/A BMC " * 9 + f"/P <</MCID 0 /ActualText ({GIVEN})>> BDC", ()),
        ("/Span /G BDC", (HELVETICA, f"<< /ActualText ({GIVEN}) >>".encode())),
    ],
    ids=["in place", "among other marks", "in the resources"],
)  # fmt: skip
def test_words_that_the_file_gives_for_others_are_not_in_the_text_and_those_drawn_are(around, objects):
    extracted = given("", around=around, resources=IN_RESOURCES, objects=objects)
    assert DRAWN in extracted.text and "sixty" not in extracted.text
    assert extracted.pages[0].lost == ("words that the file gives for others, which it draws",)


@pytest.mark.parametrize("value", [f"({GIVEN})".encode(), stream_of(GIVEN.encode())])
def test_words_given_elsewhere_in_the_file_are_not_in_the_text(value):
    objects = (HELVETICA, b"<< /ActualText 62 0 R >>", value)
    extracted = given("", around="/Span /G BDC", resources=IN_RESOURCES, objects=objects)
    assert DRAWN in extracted.text and "sixty" not in extracted.text


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        ("(The fee is 102 euros.)", "The fee is 10\\262 euros."),
        ("(The fee is 5 euros.)", "The fee is -5 euros."),
        ("(The fee is 12 500 euros.)", "The fee is 12500 euros."),
        ("(The fee is due.)", " "),
        ("()", DRAWN),
        ("<FEFF0035202E0030>", "50"),
    ],
)
def test_words_given_that_differ_in_little_that_counts_are_told_and_not_taken(words, drawn):
    extracted = given(words, drawn)
    plain = read(document(SEEN + shown(drawn)), ReadingLimits())
    assert extracted.text == plain.text


@pytest.mark.parametrize(
    ("words", "drawn", "text"),
    [
        (f"({DRAWN})", DRAWN, DRAWN),
        ("(The notice  period )", "The notice period", "The notice  period"),
        ("<FEFF006F00660066006900630065>", "office", "office"),
    ],
)
def test_words_given_that_are_those_drawn_are_taken(words, drawn, text):
    extracted = given(words, drawn)
    assert text.split() == extracted.text.replace(BODY, "").split()
    assert extracted.coverage == "complete"


@pytest.mark.code("quote_mismatch")
def test_words_given_for_others_cannot_be_cited_and_those_on_the_page_can():
    extracted = given(f"({GIVEN})")
    gate = Gate([Passage("a", extracted.text, "d", hidden=extracted.hidden)], profile="extracted")
    refusal = gate.verify("a", GIVEN)
    assert isinstance(refusal, Refusal) and refusal.code == "quote_mismatch"
    assert isinstance(gate.verify("a", DRAWN), VerifiedCitation)


def test_words_given_in_a_layer_that_is_off_do_not_switch_it_on():
    data = document(
        SEEN + f"/OC /L BDC {shown(SECRET)} EMC",
        resources="/Properties << /L 61 0 R >>",
        objects=(HELVETICA, b"<< /Type /OCG /Name (Layer) /ActualText (Other words stand here.) >>"),
    ).replace(b"/Catalog", b"/Catalog /OCProperties << /OCGs [61 0 R] /D << /OFF [61 0 R] >> >>")
    assert hidden(data) == [SECRET]


@pytest.mark.code("not_visible")
@pytest.mark.parametrize(
    ("cover", "is_hidden"),
    [
        ("q 1 g 1 G 6 w BT 2 Tr /F1 12 Tf 72 700 Td (%s) Tj ET Q\n" % SECRET, True),  # the same words, thick and white
        ("q 1 g 1 G 14 w BT 2 Tr /F1 14 Tf 72 698 Td (MMMMMMMMMMMM) Tj ET Q\n", True),
        ("q 1 g 1 G 14 w BT 2 Tr /F1 14 Tf 72 500 Td (MMMMMMMMMMMM) Tj ET Q\n", False),  # elsewhere
        ("q 0.5 g 0.5 G 1 w BT 2 Tr /F1 12 Tf 72 700 Td (%s) Tj ET Q\n" % SECRET, False),
    ],
)
def test_words_beneath_white_letters_are_not_seen(cover, is_hidden):
    found = hidden(document(SEEN + shown(SECRET) + cover))
    assert any(SECRET in words for words in found) is is_hidden


@pytest.mark.code("not_visible")
@pytest.mark.parametrize(("letters", "ground"), [(0.96, 1), (0.98, 1), (0.04, 0)])
def test_letters_that_are_all_but_of_the_colour_of_their_ground_are_not_seen(letters, ground):
    on = f"q {ground} g 60 690 300 30 re f Q\n"
    assert SECRET in "".join(hidden(document(SEEN + on + shown(SECRET, colour=f"{letters} g"))))
    seen = abs(letters - 0.2)
    assert hidden(document(SEEN + on + shown(SECRET, colour=f"{seen} g"))) == []


@pytest.mark.code("not_visible")
@pytest.mark.parametrize(("colour", "found"), [("1 g", [SECRET]), ("0 g", [])])
@pytest.mark.parametrize("longest", [792, 6_200, 14_400])
def test_words_are_judged_on_large_pages_too(longest, colour, found):
    data = document(SEEN + shown(SECRET, colour=colour), media=f"/MediaBox [0 0 {longest} 792]")
    assert hidden(data) == found
