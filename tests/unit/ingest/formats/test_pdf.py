"""PDF: what is read of each kind of page, what is marked, and what is told of the rest."""

from pathlib import Path

import pytest

from tests.pdf_files import BODY, HELVETICA, assemble, box, build, picture, report, shown, stream_of
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


def annotated(annotation, *more):
    """A page with one annotation; `more` are objects from 60 on."""
    data = {
        1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [60 0 R] >> >>",
        2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
        3: HELVETICA,
        5: b"<< >>",
        6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R /Annots [50 0 R]"
        b" /Resources << /Font << /F1 3 0 R >> >> >>",
        7: stream_of((SEEN + shown(SECRET)).encode()),
        50: f"<< /Type /Annot{'' if '/F ' in annotation else ' /F 4'}{'' if '/Rect' in annotation else ' /Rect [60 690 300 720]'}"
        f" {annotation} >>".encode(),
    }
    return assemble(data | {60 + n: each for n, each in enumerate(more)})


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


# ------------------------------------------------------------------------------------------------------ hidden words


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
        pytest.param(shown(SECRET) + box(60, 694, 300, 1), id="struck through"),
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


# --------------------------------------------------------------------------------------------------------- furniture


def test_running_headers_footers_and_page_numbers_are_marked_as_whole_lines():
    extracted = read(report(), LIMITS)
    marked = pieces(extracted, extracted.furniture)
    assert marked == [line for page in range(1, 6) for line in ("Report of the board", f"Page {page} of 9")]
    blocks = [extracted.text[each.start : each.end] for each in extracted.blocks]
    assert blocks[0] == "Report of the board", "the first of them can be found and quoted"
    assert not any(word in block for word in ("Report of", "Page ") for block in blocks[1:])


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(report(1), id="one page has nothing that comes again"),
        pytest.param(
            report(header="", footer="{}{}{}".replace("{}", "", 2) + " dollars are due"), id="numbers in words"
        ),
        pytest.param(build(*(SEEN + shown("The same line.", y=400) for _ in range(5))), id="in the middle of the page"),
        pytest.param(
            build(*(SEEN + shown(f"Total {n}", y=30) for n in (17, 4, 90, 33, 2))), id="numbers that do not count along"
        ),
        pytest.param(
            build(*(SEEN + shown("The same line.", y=y) for y in (30, 60, 80, 100, 45))),
            id="at another height each time",
        ),
    ],
)
def test_lines_that_may_be_words_of_the_text_are_no_furniture(data):
    extracted = read(data, LIMITS)
    assert [each for each in pieces(extracted, extracted.furniture) if "dollars" not in each] == []


@pytest.mark.parametrize(
    "line",
    [
        "The fee in year {n} is {nine} euros.",
        "Article {n}",
        "Liability for lost bikes is limited to 100 euros.",
        "Liability for lost bikes is limited to 100 euros",
        "The seller shall",
        "not",
        "Without a warranty",
        "of page {n} of the plan",
        "on page {n} of 9 of the plan",
    ],
)
@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize("y", [760, 30])
def test_what_a_document_may_say_at_the_edge_of_each_page_is_no_furniture(line, count, y):
    pages = [SEEN + shown(line.format(n=n, nine=n + 9), y=y) for n in range(1, count + 1)]
    extracted = read(build(*pages), LIMITS)
    assert extracted.furniture == ()
    assert all(
        any(line.format(n=n, nine=n + 9) in extracted.text[each.start : each.end] for each in extracted.blocks)
        for n in range(1, count + 1)
    )


@pytest.mark.parametrize(
    ("line", "count"),
    [("Page {n} of 9", 2), ("{n}", 2), ("- {n} -", 3), ("Report of the board, page {n}", 3), ("www.example.org", 3)],
)
@pytest.mark.parametrize("lowered", [0, 5000])
def test_page_numbers_and_lines_that_come_again_are_furniture_wherever_the_page_lies(line, count, lowered):
    """The box of a page may begin anywhere: its edges are those of the box."""
    pages = [
        SEEN.replace(" 600 Tm", f" {600 + lowered} Tm") + shown(line.format(n=n), y=30 + lowered)
        for n in range(1, count + 1)
    ]
    extracted = read(build(*pages, media=f"0 {lowered} 612 {792 + lowered}"), LIMITS)
    assert pieces(extracted, extracted.furniture) == [line.format(n=n) for n in range(1, count + 1)]


def test_a_number_that_may_be_a_value_stays_in_a_block_though_it_counts_up():
    extracted = read(web_page(range(2, 8)), LIMITS)
    blocks = [extracted.text[each.start : each.end] for each in extracted.blocks]
    for start, end in extracted.furniture:
        assert any(each.start <= start and end <= each.end for each in extracted.blocks), blocks


def test_a_paragraph_that_runs_over_the_end_of_a_page_is_one_block_with_the_footer_in_it():
    pages = [
        shown("Report of the board", y=760) + shown("the words go on and", y=400) + shown(f"on to page {n + 1} where", y=386)
        + shown(f"- {n} -", y=30)
        for n in range(1, 5)
    ]  # fmt: skip
    extracted = read(build(*pages), LIMITS)
    assert [extracted.text[each.start : each.end] for each in extracted.blocks[:-1]] == ["Report of the board"]
    assert len(extracted.furniture) == 8


def test_roman_page_numbers_count_along():
    pages = [SEEN + shown(number, y=30) for number in ("iv", "v", "vi", "vii")]
    extracted = read(build(*pages), LIMITS)
    assert pieces(extracted, extracted.furniture) == ["iv", "v", "vi", "vii"]


def letters(number):
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def web_page(numbers, *, x=300, lines=27, shape="{}"):
    """One page after the other of a text that was a web page before: numbers of pages stand anywhere in it."""
    rows = []
    for number in numbers:
        rows += [
            f"these words of the contract go on and on to {letters(number)} {letters(row)}" for row in range(lines)
        ]
        rows.append((shape.format(number), x))
    rows.append("The last words of the contract stand here.")
    pages = []
    for start in range(0, len(rows), 31):
        placed = [(row, 72) if isinstance(row, str) else row for row in rows[start : start + 31]]
        pages.append("".join(shown(words, x=left, y=740 - 22 * n, size=10) for n, (words, left) in enumerate(placed)))
    return build(*pages)


@pytest.mark.parametrize("shape", ["{}", "- {} -", "-{}-", "Page {} of 9"])
def test_page_numbers_that_count_up_anywhere_on_their_pages_are_marked(shape):
    extracted = read(web_page(range(2, 8), shape=shape), LIMITS)
    assert pieces(extracted, extracted.furniture) == [shape.format(n) for n in range(2, 8)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(web_page(range(2, 8), x=72), id="numbers at the margin, as of clauses"),
        pytest.param(web_page(range(2, 5)), id="too few"),
        pytest.param(web_page(range(2, 8), lines=6), id="too near each other, as in a table"),
        pytest.param(web_page((2, 4, 6, 8, 10, 12)), id="numbers that do not count up by one"),
        pytest.param(web_page(range(2, 8), shape="{} dollars"), id="numbers with words"),
    ],
)
def test_numbers_that_may_be_words_of_the_text_are_no_page_numbers(data):
    assert read(data, LIMITS).furniture == ()


def test_a_paragraph_goes_on_over_a_page_number_in_the_middle_of_its_page():
    extracted = read(web_page(range(2, 8)), LIMITS)
    (number, *_) = extracted.furniture
    assert any(block.start < number[0] < block.end for block in extracted.blocks)


# ------------------------------------------------------------------------------------------------ headings and blocks


def test_larger_letters_are_headings_with_a_level_by_their_size():
    content = shown("Lease", y=740, size=24) + "".join(
        shown(f"{n} Section", y=800 - 140 * n, size=16)
        + "".join(shown(BODY, y=770 - 140 * n - 14 * line) for line in range(5))
        for n in (1, 2, 3)
    )
    extracted = read(build(content), LIMITS)
    headings = [
        (each.level, extracted.text[each.start : each.end]) for each in extracted.blocks if each.kind == "heading"
    ]
    assert headings == [(1, "Lease"), (2, "1 Section"), (2, "2 Section"), (2, "3 Section")]


def test_where_most_letters_are_of_no_one_size_nothing_is_a_heading():
    content = "".join(shown(BODY, y=740 - 40 * n, size=10 + n) for n in range(10))
    assert all(each.kind != "heading" for each in read(build(content), LIMITS).blocks)


def test_an_outline_that_is_not_on_its_pages_is_not_believed():
    extracted = read(build(SEEN, outline=[("Something else", 0), ("Nowhere", 0)]), LIMITS)
    assert all(each.kind != "heading" for each in extracted.blocks)


def test_a_gap_between_lines_ends_a_paragraph():
    content = "".join(shown(BODY, y=700 - 14 * n - 20 * (n > 2)) for n in range(6))
    assert len(read(build(content), LIMITS).blocks) == 2


@pytest.mark.parametrize("none", ["lease_v3.docx", "untitled", r"\(anonymous\)", "Microsoft Word - Lease"])
def test_a_title_that_is_a_name_of_a_file_or_of_nothing_is_none(none):
    assert read(build(SEEN, title="Lease of the shop"), LIMITS).title == "Lease of the shop"
    assert read(build(SEEN, title=none), LIMITS).title == ""


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
