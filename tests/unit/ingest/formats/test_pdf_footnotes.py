"""PDF: footnotes stand apart from the text, a sentence goes on over them, and nothing else is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pdf_files import build, line, shown
from verified_gate import Gate, Passage, Refusal, VerifiedCitation
from verified_gate.ingest.block_cutting import cut_blocks
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.formats.pdf_marks import mark_of
from verified_gate.ingest.limits import ReadingLimits

LIMITS = ReadingLimits()
NOTE = "See Section 2 of the Act on the sale of goods."
OVERLEAF = "charge to the buyer within ten days."
SENTENCE = "delivers the goods free of any charge to the buyer within ten days"


def up(words, size=7):
    return (words, size, 5)


def note(mark, words, *, y, size=9, x=72):
    """The first line of a footnote, with a raised mark."""
    return line((mark, size * 0.65, size * 0.35), y=y, x=x) + line(words, y=y, x=x + 5.5, size=size)


def body(*, mark="1", top="The tenant pays the rent on the first day of each month.", before="The seller"):
    """The text of a page; its last line, at 120, breaks off in a sentence."""
    return (
        shown(top, y=700)
        + shown("The landlord keeps the house in good repair.", y=686)
        + line(before, up(mark), " delivers the goods free of any", y=120)
    )


def after(words=OVERLEAF, *more):
    """The page that follows."""
    return (
        shown(words, y=700) + shown("The tenant pays the rent on the first day of each month.", y=660) + "".join(more)
    )


def of(*pages, **options):
    return read(build(*pages, **options), LIMITS)


def footnotes(extracted):
    """All that is marked as one: blocks, and what a paragraph runs over."""
    spans = {(each.start, each.end) for each in extracted.blocks if each.kind == "footnote"}
    return [" ".join(extracted.text[start:end].split()) for start, end in sorted(spans.union(extracted.furniture))]


def pieces(extracted):
    """What may be passed over."""
    return [" ".join(extracted.text[start:end].split()) for start, end in extracted.furniture]


def blocks(extracted):
    return [(each.kind, " ".join(extracted.text[each.start : each.end].split())) for each in extracted.blocks]


def verdict(extracted, quote, profile="extracted"):
    """What the gate says of a quote of the passage in which the goods are delivered."""
    (cut,) = [
        each
        for each in cut_blocks(extracted, "paragraph", 1_200, 0)
        if "delivers the goods" in extracted.text[each.start : each.end]
    ]
    passage = Passage(key="a", text=extracted.text[cut.start : cut.end], furniture=cut.furniture)
    return Gate([passage], profile=profile).verify("a", quote)


# ------------------------------------------------------------------------------------------------------ what they are


def test_a_sentence_that_goes_on_over_a_footnote_is_quoted_without_it_and_the_gap_is_shown():
    extracted = of(body() + note("1", NOTE, y=80), after())
    assert footnotes(extracted) == [f"¹ {NOTE}"]
    found = verdict(extracted, SENTENCE)
    assert isinstance(found, VerifiedCitation)
    assert "furniture" in found.folds
    assert found.display == "delivers the goods free of any […] charge to the buyer within ten days"


def test_a_footnote_that_a_sentence_goes_on_over_is_found_and_quoted_too():
    extracted = of(body() + note("1", NOTE[:20], y=80) + shown(NOTE[20:], y=69, size=9), after())
    found = verdict(extracted, NOTE)
    assert isinstance(found, VerifiedCitation)
    assert found.display == NOTE


@pytest.mark.parametrize(("lower", "size"), [(0, 9), (2, 9), (4, 9), (-2, 9), (0, 7), (2, 7)])
def test_small_words_beside_a_footnote_in_another_column_are_not_passed_over_with_it(lower, size):
    beside = line("the buyer shall not pay 500 euros at all", y=80 - lower, x=330, size=size)
    for more in ("", shown("and of the law of trade.", y=69, size=9)):
        assert len(footnotes(of(body() + note("1", NOTE, y=80) + more, after()))) == 1
        extracted = of(body() + note("1", NOTE, y=80) + more + beside, after())
        assert not any("not pay" in each for each in footnotes(extracted))


@pytest.mark.parametrize("words", ["Id.", "Ib.", "Act", "See Act."])
def test_nor_those_beside_a_footnote_of_one_word(words):
    beside = line("the buyer shall not pay 500 euros at all", y=80, x=330, size=9)
    assert footnotes(of(body() + note("1", words, y=80), after())) == [f"¹ {words}"]
    extracted = of(body() + note("1", words, y=80) + beside, after())
    assert not any("not pay" in each for each in footnotes(extracted))
    assert isinstance(verdict(extracted, SENTENCE), Refusal)


def test_only_the_whole_footnote_is_passed_over():
    extracted = of(body() + note("1", NOTE, y=80), after())
    refused = verdict(extracted, "goods free of any See Section 2 charge to the buyer within ten days")
    assert isinstance(refused, Refusal)
    assert refused.code == "quote_mismatch"


def test_a_footnote_that_no_paragraph_goes_on_over_is_a_block_of_its_own_and_no_furniture():
    extracted = of(body() + note("1", NOTE, y=80), after("The buyer pays within ten days."))
    assert blocks(extracted)[2:4] == [("footnote", f"¹ {NOTE}"), ("paragraph", "The buyer pays within ten days.")]
    assert extracted.furniture == ()


def test_several_footnotes_of_several_lines_are_a_block_each():
    page = (
        line("The tenant", up("1"), " pays the rent", up("2"), " each month.", y=700)
        + line("The seller", up("3"), " delivers the goods.", y=120)
        + note("1", "The tenant is the person who lives", y=90) + shown("in the house.", y=80, size=9)
        + note("2", "Heating is extra.", y=70)
        + note("3", "The seller is the person who sells", y=60) + shown("2 houses or more.", y=50, size=9)
    )  # fmt: skip
    extracted = of(page, after("The buyer pays."))
    assert footnotes(extracted) == [
        "¹ The tenant is the person who lives in the house.",
        "² Heating is extra.",
        "³ The seller is the person who sells 2 houses or more.",
    ]
    assert [kind for kind, _ in blocks(extracted)] == ["paragraph"] * 2 + ["footnote"] * 3 + ["paragraph"] * 2


@pytest.mark.parametrize("space", ["", " "])
def test_a_mark_may_touch_the_words_behind_it_or_stand_in_a_line_of_its_own(space):
    """PDFium ends the line between a raised mark and words that are painted with a space before them."""
    foot = line(("1", 6, 3), space + NOTE[:20], y=80, size=9) + shown(NOTE[20:], y=69, size=9)
    extracted = of(body() + foot, after())
    assert footnotes(extracted) == [f"{'1 ' if space else '¹'}{NOTE}"]
    assert isinstance(verdict(extracted, SENTENCE), VerifiedCitation)


def test_footnotes_that_the_file_tells_from_the_last_to_the_first_are_found():
    page = (
        body() + line("Rent", up("2"), " is due.", y=600) + note("2", "Heating is extra.", y=70) + note("1", NOTE, y=80)
    )
    assert footnotes(of(page)) == ["² Heating is extra.", f"¹ {NOTE}"]


@pytest.mark.parametrize(
    ("referring", "first"),
    [
        (line("The seller* delivers the goods.", y=120), "* See Section 2."),
        (line("The seller", up("*"), " delivers the goods.", y=120), "* See Section 2."),
        (line("The seller", up("1"), " delivers the goods.", y=120), "1 See Section 2."),
        (line("The seller", up("1"), " delivers the goods.", y=120), "1. See Section 2."),
        (line("The seller", up("12"), " delivers the goods.", y=120), "12 See Section 2."),
        (line("The seller", up("(1)"), " delivers the goods.", y=120), "(1) See Section 2."),
        (line("The fee is 500", up("1"), " euros.", y=120), "1 Without tax."),
        (line("The Seller)", up("2"), " delivers the goods.", y=120), "2 See Section 2."),
        (line("The goods are free.", up("2"), y=120), "2 See Section 2."),
    ],
)
def test_a_footnote_may_begin_with_a_sign_or_a_number_that_is_not_raised(referring, first):
    page = shown("The tenant pays the rent on the first day of each month.", y=700) + referring
    assert footnotes(of(page + shown(first, y=80, size=9))) == [first]
    assert footnotes(of(page + shown(first, y=80))) == [], "but not in letters as large as the text"


def test_running_lines_may_stand_beneath_a_footnote_and_a_sentence_goes_on_over_both():
    pages = body() + note("1", NOTE, y=80), after()
    extracted = of(*(page + shown(f"Page {n} of 2", y=30) for n, page in enumerate(pages, 1)))
    assert footnotes(extracted)[:2] == [f"¹ {NOTE}", "Page 1 of 2"]
    found = verdict(extracted, SENTENCE)
    assert isinstance(found, VerifiedCitation)
    assert found.display == "delivers the goods free of any […] […] charge to the buyer within ten days"


def test_a_footer_that_is_not_marked_as_one_may_stand_beneath_and_joins_no_footnote():
    extracted = of(body() + note("1", NOTE, y=80) + shown("12 Chapter 3. Sales", y=30), after())
    assert ("footnote", f"¹ {NOTE}") in blocks(extracted)


def test_a_footnote_that_goes_on_overleaf_is_one_there_too():
    long = "The seller is the person who sells the goods and"
    first = body() + note("1", "The seller is not the agent of the buyer", y=80) + shown(long, y=70, size=9)
    rest = shown("who signs the contract.", y=80, size=9)
    text = shown(OVERLEAF, y=700) + line("The buyer", up("2"), " pays.", y=120)
    assert footnotes(of(first, text + rest))[1:] == ["who signs the contract."]
    both = of(first, text + rest + note("2", "The buyer buys.", y=70))
    assert footnotes(both)[1:] == ["who signs the contract.", "² The buyer buys."]
    ended = first.replace("goods and", "goods.")
    assert len(footnotes(of(ended, text + rest))) == 1, "only where it breaks off"
    assert len(footnotes(of(first, text + rest.replace("(who", "(Who")))) == 1, "only where it goes on"


def test_several_footnotes_are_passed_over_together():
    foot = note("1", NOTE, y=80) + note("2", "Heating is extra.", y=69)
    found = verdict(of(line("Rent", up("2"), " is due.", y=740) + body() + foot, after()), SENTENCE)
    assert isinstance(found, VerifiedCitation)
    assert found.display == "delivers the goods free of any […] charge to the buyer within ten days"


def columns(first, second):
    """A page of two columns; a sentence goes on from the foot of the left one, and its footnote, to the right one."""
    filling = "The tenant pays the rent each month."
    left = "".join(shown(filling, y=700 - 14 * n, size=11) for n in range(10))
    left += line("The seller", up(first), " delivers free of any", y=560, size=11) + note("1", NOTE, y=100)
    right = "".join(shown(filling, x=320, y=686 - 14 * n, size=11) for n in range(10))
    right += line("Rent", up(second), " is due.", y=546, x=320, size=11) + note("2", "Heating is extra.", y=90, x=320)
    return of(left + shown("charge to the buyer.", x=320, y=700, size=11) + right)


def test_each_column_may_have_its_footnotes_and_a_sentence_goes_on_over_them():
    extracted = columns("1", "2")
    assert footnotes(extracted) == [f"¹ {NOTE}", "² Heating is extra."]
    assert pieces(extracted) == [f"¹ {NOTE}"], "the other one is a block"
    assert any(f"delivers free of any ¹ {NOTE} charge to the buyer." in words for _, words in blocks(extracted))


def test_a_footnote_is_referred_to_in_its_own_column():
    assert footnotes(columns("2", "1")) == []


# ------------------------------------------------------------------------------------------------------ what is none


@pytest.mark.parametrize(
    "foot",
    [
        pytest.param(shown("1 See Section 2 of the Act.", y=80), id="letters of the text"),
        pytest.param(line(up("1"), " of the goods that the seller delivers.", y=106), id="a raised number in the text"),
        pytest.param(line(up("2"), " See Section 2.", y=80, size=9), id="another mark"),
        pytest.param(shown("See Section 2 of the Act.", y=80, size=9), id="small letters without a mark"),
        pytest.param(shown("1st of May 2020, in Berlin.", y=80, size=9), id="an ordinal"),
        pytest.param(line("1", ("st", 5, 4), " of May 2020, in Berlin.", y=80, size=9), id="a raised ordinal"),
        pytest.param(shown("Signed: ____________________", y=80, size=9), id="a signature"),
        pytest.param(shown("1 ____________________", y=80, size=9), id="a numbered signature"),
        pytest.param(shown("1,000 of 2,000 shares.", y=80, size=9), id="an amount"),
        pytest.param(
            shown("Fees of the year in euros", y=100, size=9) + note("1", "Without tax.", y=90),
            id="a table's small print",
        ),
        pytest.param(
            note("1", NOTE, y=80) + shown("The buyer pays within ten days.", y=60), id="the text goes on beneath"
        ),
        pytest.param(note("1", NOTE, y=80, x=300), id="in the middle of the line"),
        pytest.param(shown("Total", y=80, size=9) + note("1", "83 euros", y=80, x=110), id="beside other words"),
        pytest.param(
            note("1", NOTE, y=80) + note("3", "Rent", y=70) + note("1", "Fees", y=60), id="marks out of order"
        ),
        pytest.param(note("1", NOTE, y=80) + shown("These words stand far beneath.", y=30, size=9), id="torn apart"),
        pytest.param(
            note("1", NOTE, y=80) + "".join(shown("Fine print of the terms " * 3, y=78 - n, size=9) for n in range(9)),
            id="a page of small print",
        ),
    ],
)
def test_what_only_looks_like_a_footnote_stays_in_the_text(foot):
    extracted = of(body() + line("Fees", up("3"), " are due.", y=600) + foot, after())
    assert footnotes(extracted) == []
    assert all(each.kind != "footnote" for each in extracted.blocks)


def test_text_made_to_look_like_a_footnote_that_nothing_refers_to_cannot_be_left_out_of_a_quote():
    """The positive twin is the same page with a reference."""
    pages = note("1", "unless the buyer pays no rent", y=80), after()
    hostile = of(body().replace("(1) Tj", "() Tj") + pages[0], pages[1])
    assert hostile.furniture == ()
    assert isinstance(Gate({"a": hostile.text}, profile="extracted").verify("a", SENTENCE), Refusal)
    assert isinstance(verdict(of(body() + pages[0], pages[1]), SENTENCE), VerifiedCitation)


@pytest.mark.parametrize("behind", ["ee Section 2.", "ee (all of it).", "e all. Heating is no part of the rent."])
@pytest.mark.parametrize("mark", ["raised", "plain"])
def test_large_letters_behind_a_small_one_cannot_be_left_out_of_a_quote(mark, behind):
    """A line is judged by its first letter, but for what may be passed over."""

    def page(size):
        first = (("1", 6, 3), "S") if mark == "raised" else ("1 S",)
        return body() + line(*first, (behind, size, 0), y=80, size=9) + shown("more of it.", y=69, size=9)

    assert isinstance(verdict(of(page(9), after()), SENTENCE), VerifiedCitation)
    large = of(page(12), after())
    assert large.furniture == ()
    assert isinstance(Gate({"a": large.text}, profile="extracted").verify("a", SENTENCE), Refusal)


def test_large_letters_in_a_later_line_cannot_be_left_out_either():
    foot = note("1", NOTE, y=80) + line("a", ("nd not of any other", 12, 0), y=69, size=9)
    assert of(body() + foot, after()).furniture == ()


def test_a_reference_that_is_not_seen_makes_no_footnote():
    page = body().replace("(1) Tj", "() Tj")
    hidden = line("seller", up("1"), " and buyer", y=650).replace("q 0 g", "q 1 g")
    assert footnotes(of(page + hidden + note("1", NOTE, y=80), after())) == []
    seen = hidden.replace("q 1 g", "q 0 g")
    assert footnotes(of(page + seen + note("1", NOTE, y=80), after())) == [f"¹ {NOTE}"]


@pytest.mark.parametrize("power", ["of 10", "of 50 m", "of x", "of 10 km", "of 5 (m)"])
def test_an_exponent_refers_to_no_footnote(power):
    page = body(mark="2", before=f"The area {power}")
    assert footnotes(of(page + note("2", "metres of the land", y=80), after())) == []
    assert footnotes(of(page + shown("2. The list of goods goes on.", y=80, size=9), after())) == []


def test_a_list_in_small_letters_of_which_an_item_has_the_number_of_an_exponent_stays_a_list():
    page = body(mark="2", before="The area of 50 m") + "".join(
        shown(f"{n}. The list of goods goes on.", y=112 - 11 * n, size=9) for n in (1, 2, 3)
    )
    assert footnotes(of(page, after())) == []


def test_letters_as_small_as_the_text_of_the_document_are_no_footnote_beneath_a_larger_title():
    page = line("Terms of sale", up("1", 12), y=700, size=20) + note("1", NOTE, y=670)
    page += "".join(shown("The seller delivers the goods to the buyer.", y=659 - 11 * n, size=9) for n in range(3))
    assert footnotes(of(page, after())) == []


def test_a_last_line_that_begins_with_an_exponent_is_none_though_footnotes_stand_beneath():
    page = body() + line("Land", up("2"), " and rent", up("3"), " are due.", y=600)
    page += line(up("2"), " of it is free of any", y=106)
    extracted = of(page + note("3", "Heating is extra.", y=80) + shown("See there.", y=70, size=9), after())
    assert footnotes(extracted) == ["³ Heating is extra. See there."]


def test_a_reference_stands_on_the_same_page_above():
    assert footnotes(of(body(), after(OVERLEAF, note("1", NOTE, y=80)))) == []
    assert footnotes(of(note("1", NOTE, y=740) + body())) == []


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ("¹ See", ("1", "raised", 1)),
        ("¹²See", ("12", "raised", 2)),
        ("⁽³⁾ See", ("3", "raised", 3)),
        ("** See", ("**", "sign", 2)),
        ("12) See", ("12", "plain", 3)),
        ("¹/₂ of it", None),
        ("**See** it", None),
        ("⁻¹ See", None),
        ("1st of May", None),
        ("1 st of May", None),
        ("1,000 of them", None),
        ("12", None),
        ("§ 5", None),
        ("", None),
    ],
)
def test_what_a_footnote_may_begin_with(words, mark):
    assert mark_of(words) == mark


def test_a_page_of_nothing_but_marks_costs_little():
    """Each line may be the first of a footnote, and each has a reference: the work stays bounded."""
    page = line("seller", up("1"), " and buyer", y=780) + "".join(
        note("1", f"words {n}", y=770 - n * 0.2) for n in range(3_000)
    )
    assert footnotes(of(page)) == []


LINES = st.tuples(
    st.sampled_from(["refers", "note", "foot", "text"]),
    st.sampled_from(["1", "2", "3", "12", "*"]),
    st.sampled_from(["the goods and", NOTE, "of 10", "1 See there.", "Page 1 of 2"]),
    st.sampled_from([72, 72, 90, 320]),
    st.sampled_from([0, 10, 12, 14, 40, 100]),
    st.sampled_from([12, 12, 9, 8]),
)


@given(st.lists(st.lists(LINES, min_size=1, max_size=9), min_size=1, max_size=3))
def test_whatever_the_lines_nothing_is_lost_and_spans_are_in_order(pages):
    made = []
    for page in pages:
        y, content = 760, ""
        for kind, mark, words, x, step, size in page:
            if kind == "refers":
                content += line(words, up(mark), " delivers", y=y, x=x, size=size)
            elif kind == "note":
                content += note(mark, words, y=y, x=x, size=size)
            else:
                content += shown(words, y=30 if kind == "foot" else y, x=x, size=size)
            y -= step
        made.append(content)
    extracted = of(*made)
    spans = [[(each.start, each.end) for each in extracted.blocks], extracted.furniture]
    kept = {at for kind in spans for start, end in kind for at in range(start, end)}
    assert not [at for at, char in enumerate(extracted.text) if char.isalnum() and at not in kept]
    for kind in spans:
        borders = [border for span in kind for border in span]
        assert borders == sorted(borders)
