"""PDF: what is read of each kind of page, what is marked, and what is told of the rest."""

from pathlib import Path

import pytest

from tests.pdf_files import BODY, HELVETICA, annotated, assemble, box, build, picture, report, shown, stream_of
from verified_gate.ingest.extracted import PAGE_SEPARATOR
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

DATA = Path(__file__).parents[3] / "data" / "messy" / "pdf"
LIMITS = ReadingLimits()
SEEN = shown(BODY, y=600)


def of(name, **options):
    return read((DATA / f"{name}.pdf").read_bytes(), LIMITS, **options)


SECRET = "Hidden words here."


def pieces(extracted, spans):
    return [extracted.text[start:end] for start, end in spans]


def reason(data, limits=LIMITS, **options):
    with pytest.raises(UnreadableFile) as fault:
        read(data, limits, **options)
    return fault.value.reason


# ---------------------------------------------------------------------------------------------------- real documents


def test_two_columns_are_read_one_after_the_other():
    text = of("multicolumn").text
    foot, head = text.index("Donec nonummy"), text.index("pellentesque ante. Phasellus")
    assert "Donec nonummy\r\npellentesque ante." in text, "the right column goes on where the left one ends"
    assert foot < head < text.index("Quisque ullamcorper")
    assert "with Lorem Ipsum text.\r\nLorem ipsum dolor sit amet, consectetuer adip\ufffeiscing elit." in text


def test_arabic_is_read_in_the_order_of_speech_and_letters_without_a_meaning_are_told():
    extracted = of("habibi")
    assert "habibi" in extracted.text
    assert extracted.text.rstrip().endswith("يبيبَح")
    assert extracted.coverage == "partial"
    assert extracted.pages[0].lost == ("4 characters without a meaning in the file",)


def test_an_empty_form_is_read_without_its_fields():
    extracted = of("pdflatex-forms")
    assert extracted.text.split() == ["Name", "Check", "Submit", "1"]
    assert extracted.coverage == "complete"


def test_a_filled_form_field_is_no_text_and_makes_the_page_partial():
    filled = read(build(SEEN, fields=[(72, 300, "John")]), LIMITS)
    empty = read(build(SEEN, fields=[(72, 300, "")]), LIMITS)
    assert "John" not in filled.text
    assert (filled.pages[0].coverage, filled.pages[0].lost) == ("partial", ("1 filled form field",))
    assert empty.coverage == "complete"


def test_notes_are_told_and_what_they_stand_on_is_read():
    extracted = of("annotated_pdf")
    assert extracted.text == "Some text.\r\nLine 1\r\nLine 2\r\nNot highlighted"
    assert (extracted.coverage, extracted.pages[0].lost) == ("partial", ("3 notes",))


def test_an_attachment_is_told():
    extracted = of("with-attachment")
    assert (extracted.coverage, extracted.lost) == ("partial", ("1 attachment",))
    assert extracted.text.startswith("Lorem ipsum")


@pytest.mark.parametrize("password", ["openpassword", "permissionpassword"])
def test_either_password_opens_an_encrypted_file(password):
    assert of("libreoffice-writer-password", password=password).text.startswith("Lorem ipsum dolor")


@pytest.mark.parametrize("options", [{}, {"password": "wrong"}, {"password": ""}])
def test_an_encrypted_file_is_refused_without_its_password(options):
    assert reason((DATA / "libreoffice-writer-password.pdf").read_bytes(), **options) == Unreadable.ENCRYPTED


def test_pages_that_are_pictures_need_ocr():
    assert reason((DATA / "imagemagick-images.pdf").read_bytes()) == Unreadable.NEEDS_OCR
    assert reason(build(picture())) == Unreadable.NEEDS_OCR


def test_an_outline_names_the_headings():
    extracted = of("pdflatex-outline")
    headings = [extracted.text[each.start : each.end] for each in extracted.blocks if each.kind == "heading"]
    assert headings == ["1 Foo", "2 Bar", "3 Baz", "4 Foo", "5 Bar", "6 Baz", "7 Foo", "8 Bar", "9 Baz"]
    assert pieces(extracted, extracted.furniture) == ["1", "2", "3", "4"]


# ------------------------------------------------------------------------------------------------ pages and coverage


def test_pages_lie_in_the_text_with_one_separator_between_them_and_keep_their_labels():
    extracted = read(build(SEEN, "", SEEN, labels="0 << /S /r >> 1 << /S /D /St 7 >>"), LIMITS)
    assert [page.label for page in extracted.pages] == ["i", "7", "8"]
    assert [page.number for page in extracted.pages] == [1, 2, 3]
    assert PAGE_SEPARATOR.join(extracted.text[page.start : page.end] for page in extracted.pages) == extracted.text
    assert [page.coverage for page in extracted.pages] == ["complete"] * 3, "an empty page has lost nothing"


def test_a_page_without_a_text_layer_is_not_an_empty_page():
    """(condition 62)"""
    extracted = read(build(SEEN, picture(), ""), LIMITS)
    assert [page.coverage for page in extracted.pages] == ["complete", "none", "complete"]
    assert extracted.pages[1].lost == ("no text layer", "picture")
    assert extracted.coverage == "partial"


def test_a_large_picture_beside_words_makes_the_page_partial_and_a_small_one_does_not():
    large, small = (read(build(SEEN + picture(72, 72, side, side)), LIMITS) for side in (300, 60))
    assert (large.pages[0].coverage, large.pages[0].lost) == ("partial", ("picture",))
    assert small.coverage == "complete"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ((154, 599, 12, 9), True),
        ((150, 590, 24, 30), True),
        ((154, 620, 12, 9), False),  # above the line
        ((60, 599, 10, 9), False),  # before its first word
        ((154, 603, 12, 1), False),  # a rule
    ],
)
def test_a_small_picture_in_place_of_a_word_is_told(place, told):
    words = shown("The buyer shall", y=600) + shown("pay all the costs", x=170, y=600)
    extracted = read(build(SEEN + words + picture(*place)), LIMITS)
    assert (extracted.pages[0].lost == ("picture in a line of words",)) is told
    assert extracted.coverage == ("partial" if told else "complete")


def test_a_scan_in_strips_is_a_picture_too():
    strips = "".join(picture(0, 26.4 * n, 612, 26.4) for n in range(30))
    extracted = read(build(SEEN, strips, strips + SEEN), LIMITS)
    assert [page.coverage for page in extracted.pages] == ["complete", "none", "partial"]


def test_words_that_were_turned_into_outlines_are_told_and_the_boxes_of_a_table_are_not():
    places = [(x, y) for x in range(72, 500, 8) for y in range(100, 500, 12)]
    outlines = "".join(f"{x} {y} m {x + 5} {y} l {x} {y + 8} l h f\n" for x, y in places)
    boxes = "".join(f"{x} {y} 5 8 re f\n" for x, y in places)
    assert read(build(SEEN + outlines), LIMITS).pages[0].lost == ("drawn shapes",)
    assert read(build(SEEN + boxes), LIMITS).coverage == "complete"


@pytest.mark.parametrize(("rendering", "told"), [("true", True), ("false", False)])
def test_a_form_that_acrobat_alone_draws_is_told_and_one_whose_pages_are_in_the_file_is_not(rendering, told, caplog):
    """Its own page asks to wait for the words, and says nothing of them."""
    data = build(SEEN, catalog=f"/AcroForm << /Fields [] /XFA (x) >> /NeedsRendering {rendering}")
    extracted = read(data, LIMITS)
    assert (extracted.coverage == "partial") is told
    assert extracted.lost == (("pages of a form that Acrobat alone draws (XFA)",) if told else ())
    assert not caplog.records


@pytest.mark.parametrize(
    ("data", "lost"),
    [
        (annotated("/Subtype /Stamp"), ("1 note",)),
        (annotated("/Subtype /StrikeOut /QuadPoints [72 712 200 712 72 698 200 698]"), ("1 note",)),
        (annotated("/Subtype /Link"), ()),
        (annotated("/Subtype /Stamp /Rect [1 1 2 2]"), ()),
        (annotated("/Subtype /PolyLine /Rect [60 720 300 720] /Vertices [60 720 300 720] /Contents ()"), ()),
        (annotated("/Subtype /PolyLine /Rect [60 704 300 704] /Vertices [60 704 300 704] /Contents ()"), ("1 note",)),
        (annotated("/Subtype /Text /Rect [1 1 2 2] /Contents (Void.)"), ("1 note",)),
        (annotated("/Subtype /Text /F 2 /Contents (Void.)"), ()),
        (annotated("/Subtype /FreeText /F 32 /Contents (Void.)"), ()),
        (
            annotated(
                "/Subtype /Stamp /AP << /N 60 0 R >>", stream_of(b"", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
            ),
            (),
        ),
        (
            annotated(
                "/Subtype /Stamp /AP << /N 60 0 R >>",
                stream_of(b"0 0 9 9 re f", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"),
            ),
            ("1 note",),
        ),
        (
            annotated("/Subtype /Widget /Parent 60 0 R", b"<< /FT /Tx /T (a) /V (90 days) /Kids [50 0 R] >>"),
            ("1 filled form field",),
        ),
        (annotated("/Subtype /Widget /Parent 60 0 R", b"<< /FT /Tx /T (a) /Kids [50 0 R] >>"), ()),
        (
            annotated(
                "/Subtype /Widget /Parent 60 0 R /AS /Yes /AP << /N << /Yes 61 0 R >> >>",
                b"<< /FT /Btn /Ff 32768 /T (a) /V /Yes /Kids [50 0 R] >>",
                stream_of(b"", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"),
            ),
            ("1 filled form field",),
        ),
    ],
)
def test_what_stands_on_a_page_beside_its_text_is_told(data, lost):
    assert read(data, LIMITS).pages[0].lost == lost


def test_letters_of_a_font_without_a_meaning_are_told_though_they_look_like_ascii():
    data = build(SEEN + "BT /F1 12 Tf 72 500 Td <002400250026> Tj ET").replace(
        HELVETICA,
        b"<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+X /Encoding /Identity-H /DescendantFonts [<< /Type /Font"
        b" /Subtype /CIDFontType2 /BaseFont /ABCDEF+X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity)"
        b" /Supplement 0 >> >>] >>",
    )
    assert "without a meaning" in read(data, LIMITS).pages[0].lost[0]


def test_words_that_an_ocr_program_laid_under_a_scan_are_read_and_told():
    extracted = read(build(picture() + shown(BODY, mode=3)), LIMITS)
    assert extracted.text == BODY
    assert extracted.hidden == ()
    assert extracted.pages[0].coverage == "partial"
    assert "OCR" in extracted.pages[0].lost[0]


def test_a_file_of_empty_pages_holds_no_text():
    assert reason(build("", "")) == Unreadable.NO_TEXT


def test_a_file_whose_only_words_are_hidden_is_not_stored_as_a_text():
    assert reason(build(shown(BODY, mode=3))) == Unreadable.NO_TEXT


def test_reading_twice_gives_the_same():
    data = (DATA / "multicolumn.pdf").read_bytes()
    assert read(data, LIMITS) == read(data, LIMITS)


# ------------------------------------------------------------------------------------------------------ hostile files


def test_a_file_cut_off_is_read_as_far_as_it_goes_or_refused():
    data = (DATA / "multicolumn.pdf").read_bytes()
    for size in range(0, len(data), 4_111):
        try:
            assert read(data[:size], LIMITS).text
        except UnreadableFile as fault:
            assert fault.reason in {Unreadable.DAMAGED, Unreadable.NO_TEXT, Unreadable.NEEDS_OCR}


def test_a_tree_of_pages_that_leads_in_a_circle_ends():
    circle = build(SEEN, raw_pages="<< /Type /Pages /Kids [2 0 R 10 0 R] /Count 5 >>")
    try:
        assert BODY in read(circle, LIMITS).text
    except UnreadableFile as fault:
        assert fault.reason == Unreadable.DAMAGED


def test_an_outline_that_leads_in_a_circle_ends():
    data = build(SEEN, outline=[("One", 0), ("Two", 0)])
    circle = data.replace(b"/Title (Two) /Parent 12 0 R ", b"/Title (Two) /Next 13 0 R   ")
    assert circle != data
    assert read(circle, LIMITS).text == BODY


def test_a_page_of_a_monstrous_size_is_read():
    extracted = read(build(SEEN + shown(SECRET, colour="1 g"), media="0 0 2000000000 2000000000"), LIMITS)
    assert BODY in extracted.text


def test_more_words_over_each_other_than_are_drawn_apart_are_told():
    over = "".join(shown(f"{SECRET} {n}", colour="0.8 g", x=72 + n / 10) for n in range(20))
    extracted = read(build(SEEN + over), LIMITS)
    assert (extracted.coverage, extracted.pages[0].lost) == ("partial", ("words over each other",))
    assert BODY in extracted.visible


def test_a_page_too_large_to_be_drawn_is_told():
    extracted = read(build(SEEN, media="0 0 200000 200000"), LIMITS)
    assert extracted.coverage == "partial"
    assert "too large to be drawn" in extracted.pages[0].lost[0]


def test_a_page_of_too_many_objects_is_refused():
    assert reason(build("0 0 1 1 re f\n" * 200_100)) == Unreadable.TOO_LARGE


@pytest.mark.parametrize(("limit", "value"), [("pages", 4), ("characters", 300), ("blocks", 3)])
def test_what_is_over_a_limit_is_refused_and_not_cut_short(limit, value):
    assert reason(report(), ReadingLimits(**{limit: value})) == Unreadable.TOO_LARGE
    assert len(read(report(), ReadingLimits(pages=5)).pages) == 5


@pytest.mark.parametrize(
    "data",
    [b"", b"%PDF-1.7", b"%PDF-1.7\n%%EOF", b"\0" * 1000, assemble({1: b"<< /Type /Catalog >>", 5: b"<< >>"})],
)
def test_what_is_no_pdf_is_damaged(data):
    assert reason(data) == Unreadable.DAMAGED


def test_broken_fonts_give_what_can_be_read():
    data = build(SEEN).replace(
        b"/BaseFont /Helvetica /Encoding /WinAnsiEncoding", b"/BaseFont /\xff\xfe\x00 /Encoding /NoSuchEncoding "
    )
    assert read(data, LIMITS).text == BODY


@pytest.mark.parametrize("broken", ["infor-", "data"])
def test_a_paragraph_goes_on_beneath_a_line_that_ends_at_a_hyphen(broken):
    lines = [
        f"Nothing in this agreement is meant to say that a party which has lost {broken}",
        "mation of the other party by gross negligence or which fails to cooperate",
        "shall be liable for damages of any kind, unless the other party has given",
        "notice in writing within thirty days. The customer bears all other risk.",
    ]
    extracted = read(build("".join(shown(line, y=700 - 16 * n) for n, line in enumerate(lines))), LIMITS)
    blocks = [extracted.text[each.start : each.end] for each in extracted.blocks]
    assert [(block[:7], block[-11:]) for block in blocks] == [("Nothing", "other risk.")]
