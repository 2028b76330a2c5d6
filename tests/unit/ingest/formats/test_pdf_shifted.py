"""Raised and lowered digits of a PDF must not become part of the number that they touch."""

import pytest

from tests.pdf_files import BODY, build, shown
from verified_gate import Gate, Passage, Refusal, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits

SEEN = shown(BODY, y=600)
WIDTHS = {"0": 0.556, "(": 0.333, " ": 0.278, ".": 0.278, ",": 0.278, "/": 0.278, "-": 0.333, "+": 0.584}


def line(*pieces, turn="1 0 0 1"):
    """One line of these pieces, close to each other: words, or (words, size, rise)."""
    shows = []
    for piece in pieces:
        words, size, rise = (piece, 12, 0) if isinstance(piece, str) else piece
        shows.append(f"/F1 {size} Tf {rise} Ts ({words.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj")
    return f"q 0 g BT {turn} 300 400 Tm {' '.join(shows)} ET Q\n"


def words(*pieces, **options):
    text = read(build(SEEN + line(*pieces, **options)), ReadingLimits()).text
    return " ".join(text.replace(BODY, "").split())


def up(words):
    return (words, 7, 5)


def down(words):
    return (words, 7, -2)


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (("500", up("1")), "500¹"),
        (("500", up("1"), "9"), "500¹9"),
        (("10", up("2"), " m"), "10² m"),
        (("10", up("-3")), "10⁻³"),
        (("10", up("n+1")), "10ⁿ⁺¹"),
        (("500.", up("1")), "500.¹"),
        (("500,", up("12"), "000"), "500,¹²000"),
        (("500", up("1,2")), "500¹,²"),
        (("5", up("1"), "/", down("2")), "5¹/₂"),
        ((up("2"), "2024"), "²2024"),
        (("H", down("2"), "O"), "H₂O"),
        (("goods", up("1")), "goods¹"),
        (("10", ("2", 12, 5)), "10²"),
        ((("10", 24, 0), ("2", 14, 9)), "10²"),
    ],
)
def test_digits_that_stand_higher_or_lower_are_written_as_such(pieces, told):
    assert words(*pieces).replace(" ", "") == told.replace(" ", "")


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        ("500¹ euros", "500¹ euros"),
        ("10² days, 2024³", "10² days, 2024³"),
        ("goods¹² and”² (3)¹", "goods¹² and”² (3)¹"),
        ("¹ Without tax", "¹ Without tax"),
        ("¹²³", "123"),  # all that there is stands at one height
        ("12 of 13", "12 of 13"),
    ],
)
def test_digits_that_the_font_draws_high_are_written_as_such_though_the_file_calls_them_plain(drawn, told):
    meanings = {"¹": "1", "²": "2", "³": "3"}
    assert read(build(shown(drawn), meanings=meanings), ReadingLimits()).text == told
    assert read(build(shown(drawn)), ReadingLimits()).text == drawn  # as the font itself calls them


def test_what_is_quoted_of_a_number_with_a_mark_drawn_high_is_not_the_number_with_one_digit_more():
    text = read(build(shown("The fee is 500¹ euros a month."), meanings={"¹": "1"}), ReadingLimits()).text
    gate = Gate([Passage(key="k", text=text)], profile="extracted")
    assert isinstance(gate.verify("k", "The fee is 5001 euros"), Refusal)
    assert isinstance(gate.verify("k", "euros a month."), VerifiedCitation)


@pytest.mark.parametrize("turn", ["0 1 -1 0", "0.966 0.259 -0.259 0.966"])
@pytest.mark.parametrize(
    ("pieces", "told"), [(("500", up("1")), "500 ¹"), (("500", up("1"), "9"), "500 ¹9"), (("10", ("2", 12, 5)), "10 ²")]
)
def test_digits_are_seen_to_be_raised_on_a_turned_line_though_the_library_ends_the_line_before_them(pieces, told, turn):
    assert words(*pieces, turn=turn) == told


def test_a_raised_number_behind_a_space_is_no_group_of_digits():
    assert words("500 ", up("123"), " euros") == "500 ¹²³ euros"
    assert words("500 ", "123", " euros") == "500 123 euros"


def test_numbers_of_lines_below_and_of_cells_beside_are_not_raised():
    cells = shown("Total of", y=300) + shown("12", x=250, y=304, size=8) + shown("13", y=292, size=8)
    assert read(build(SEEN + cells), ReadingLimits()).text.split()[-4:] == ["Total", "of", "12", "13"]


@pytest.mark.parametrize(
    ("rise", "told"),
    [(0, "345"), (2.5, "345"), (3.5, "345"), (-3.5, "345"), (4.5, "³⁴⁵"), (-4.5, "₃₄₅")],
)
def test_a_number_filled_in_by_hand_stands_on_the_line_though_not_quite(rise, told):
    """It is no part of the number before, as that of a group of digits would be; smaller ones are raised in any case."""
    assert words("The rent is ", ("345", 12, rise), " euros") == "The rent is 345 euros"
    assert words("Clause 12 ", ("1250", 12, rise), " euros") == "Clause 12 1250 euros"
    assert words("The rent is 12 ", ("345", 12, rise), " euros") == f"The rent is 12 {told} euros"
    assert words("The rent is ", ("345", 8, 4.5), " euros") == "The rent is ³⁴⁵ euros"
    assert words("The rent is 5", ("345", 12, 2.5), " euros") == "The rent is 5³⁴⁵ euros"


@pytest.mark.parametrize(
    "pieces",
    [
        ("500", "1"),
        ("50", ("01", 12, 0.4)),
        ("50", ("01", 8, 0)),
        (("5", 16, 0), "001"),
        ("1", up("st"), " of May"),
        ("on 3", up("rd"), " May 2024"),
        ("a", up("b"), " 12"),
    ],
)
def test_digits_that_stand_on_the_line_stay_as_they_are(pieces):
    plain = "".join(piece if isinstance(piece, str) else piece[0] for piece in pieces)
    assert words(*pieces).replace(" ", "") == plain.replace(" ", "")


def test_a_shifted_digit_takes_the_place_of_one_character():
    """Offsets and boxes stay what they were."""
    flat, shifted = (build(line("500", ("1", 7, rise), " dollars") + SEEN) for rise in (0, 5))
    assert len(read(flat, ReadingLimits()).text.split("\r\n")[0]) == len("5001 dollars")
    assert read(shifted, ReadingLimits()).text.replace("\r\n dollars", " dollars").startswith("500¹ dollars")


def verdict(quote, *pieces):
    extracted = read(build(SEEN + line(*pieces)), ReadingLimits())
    return Gate([Passage("a", extracted.text, "d")], profile="extracted").verify("a", quote)


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(
    ("pieces", "false", "true"),
    [
        (("The fee is 500", up("1"), " dollars."), "The fee is 5001 dollars.", "The fee is 500¹ dollars."),
        (("The area is 10", up("2"), " metres."), "The area is 102 metres.", "The area is 10² metres."),
        (("The price is $500", up("00"), " net."), "The price is $50000 net.", "The price is $500⁰⁰ net."),
    ],
)  # fmt: skip
def test_a_number_that_ran_together_with_a_raised_digit_is_refused_and_the_one_on_the_page_is_not(pieces, false, true):
    refusal = verdict(false, *pieces)
    assert isinstance(refusal, Refusal) and refusal.code == "quote_mismatch"
    assert isinstance(verdict(true, *pieces), VerifiedCitation)
    assert isinstance(verdict("The fee is 5001 dollars.", "The fee is 5001 dollars."), VerifiedCitation)


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        ([("pay 500 euros", 12, 0)], "pay 500 euros"),
        ([("pay 500", 12, 0), ("1", 7, 4)], "pay 500¹"),
        ([("H", 12, 0), ("2", 7, -2), ("O and 500", 12, 0), ("1", 7, 4)], "H₂O and 500¹"),
        ([("pay 5", 12, 0), ("00 euros", 12, 0)], "pay 500 euros"),
    ],
)
@pytest.mark.parametrize("turn", ["1 0 0 1 72 700 cm", "-1 0 0 -1 72 700 cm"])
def test_letters_of_a_negative_size_are_turned_and_their_numbers_read_as_seen(pieces, told, turn):
    """A negative size turns letters about, as the matrix then does once more."""
    sign = -1 if turn.startswith("-") else 1
    shows = " ".join(f"/F1 {sign * size} Tf {sign * rise} Ts ({words}) Tj" for words, size, rise in pieces)
    text = read(build(SEEN + f"q {turn} BT {shows} ET Q"), ReadingLimits()).text
    assert " ".join(text.replace(BODY, "").split()).replace("¹ ", "¹") == told
