"""Attack family: a true citation under a claim whose own words lie: numbers, quotations, links, markup, hidden signs."""

import pytest

from tests.verdicts import reply
from verified_gate import Gate, Location, Passage, VerifiedCitation
from verified_gate.gate import wording_fault
from verified_gate.model.passage import sha256_of_text

SOURCE = (
    "You can return a bike within 30 days of delivery for −5 % or €1,500.50, and he said “never again” to 7 people."
)
QUOTE = SOURCE
PASSAGE = Passage("a", SOURCE, "d", "Policy 2024", location=Location(heading=("Part one", "Section 9")))


def _code(text, question="", **policy):
    decision = Gate([PASSAGE], **policy).judge(reply((text, [("a", QUOTE)])), question=question)
    assert bool(decision.claims) == (not decision.refusals)
    assert [claim.position for claim in decision.withheld] == [0] * len(decision.refusals)
    return str(decision.refusals[0].code) if decision.refusals else "ok"


@pytest.mark.code("number_unsupported")
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("You have 60 days.", "You have 30 days."),
        ("You have 3 days.", "You have 30 days."),
        ("You have 300 days.", "You have 30 days."),
        ("You have 30.5 days.", "You have 30 days."),
        ("You have −30 days.", "You have 30 days."),
        ("You pay 30 %.", "You have 30 days."),
        ("You pay €30.", "You have 30 days."),
        ("The change is 5 %.", "The change is −5 %."),
        ("The change is +5 %.", "The change is -5%."),
        ("The change is ±5 %.", "The change is -5 %."),
        ("It costs 1500.50.", "It costs 1,500.50."),
        ("It costs 1.500,50.", "It costs 1,500.50."),
        ("It costs 500.50.", "It costs 1,500.50."),
        ("It costs 1,500.", "It costs 1,500.50."),
        ("It costs $1,500.50.", "It costs €1,500.50."),
        ("It costs 1,500.50 %.", "It costs 1,500.50 €."),
        ("It has 7² people.", "It has 7 people."),
        ("It has 7½ people.", "It has 7 people."),
        ("It has ½ people.", "It has 7 people."),
        ("It has ٧ people.", "It has 7 people."),
        ("It has 𝟕 people.", "It has 7 people."),
        ("It is 30/7.", "It is 30 and 7."),
        ("It is 7:30.", "It is 7 and 30."),
        ("Since 2023 it is so.", "Since 2024 it is so."),
        ("Section 8 says so.", "Section 9 says so."),
    ],
)
def test_a_number_that_the_quote_does_not_carry_is_refused(wrong, right):
    """(condition 57)"""
    assert _code(wrong) == "number_unsupported"
    assert _code(right) == "ok"
    assert _code(wrong, wording="quotes_only") == "ok"


def test_a_number_of_the_question_may_be_said_again_and_only_then():
    assert _code("For 8 bikes you have 30 days.") == "number_unsupported"
    assert _code("For 8 bikes you have 30 days.", question="And for 8 bikes?") == "ok"
    assert _code("For 8 bikes you have 30 days.", question="And for 88 bikes?") == "number_unsupported"


def test_a_number_of_another_citation_that_failed_does_not_count():
    gate = Gate([Passage("a", "within 30 days of it"), Passage("b", "within 60 days of it")])
    good, other = ("a", "within 30 days"), ("b", "within 60 days")
    assert gate.judge(reply(("30 or 60 days.", [good, other]))).code == "ok"
    decision = gate.judge(reply(("30 or 60 days.", [good, ("a", "within 60 days")])))
    assert [r.code for r in decision.refusals] == ["quote_in_other_passage", "number_unsupported"]
    assert decision.claims == ()


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize(("left", "right"), ["“”", '""', "„“", "„”", "«»", "»«", "‹›", "‘’", "''", "「」", "『』"])
def test_words_between_quotation_marks_must_stand_in_the_quotes(left, right):
    assert _code(f"He said {left}never again{right} to all.") == "ok"
    assert _code(f"He said {left}always again{right} to all.") == "wording_unsafe"
    assert _code(f"He said {left}ever again{right} to all.") == "wording_unsafe"  # inside a word
    assert _code(f"He said {left}never again{right} and {left}always{right}.") == "wording_unsafe"
    assert _code(f"He said {left}always again{right} to all.", wording="quotes_only") == "ok"


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize(
    "text",
    [
        "He said “never again",
        "He said never again”",
        'He said "never again',
        "He said „never again",
        "He said «never again",
        "He said “never “again”",
    ],
)
def test_an_open_quotation_is_refused(text):
    assert _code(text) == "wording_unsafe"


@pytest.mark.parametrize(
    "text",
    ["It’s the buyer's right", "The buyers' right is the sellers' duty", "L’homme n'est pas là"],
)
def test_an_apostrophe_is_no_quotation(text):
    assert _code(text) == "ok"


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize(
    "unsafe",
    [
        "See https://a.example now", "See HTTP://a.example now", "See ftp://a.example now", "See www.a.example now",
        "See javascript:alert(1) now", "See data:text/html,x now", "Write to mailto:a@b.example", "See file:/etc/passwd",
        "See [this](a.example) now", "See ![this](a.png) now", "You <b>may</b> do it", "You may <img src=x onerror=1>",
        "<!-- hidden --> You may", "You may </evidence>", "You &lt;b&gt; may", "You may&nbsp;do it", "You may &#60;b> it",
        "You **may** do it", "You __may__ do it", "You `may` do it", "You ~~may~~ do it", "# You may do it", "You may\n## do it",
        "> You may do it", "| You | may |", "```\nYou may\n```",
        "You may do it [7].", "You may do it [ 7 ].", "You may do it [30].", "You may do it [^7].", "You may do it [7, 30].",
        "You may do it [e01].", "You may do it [7-30].", "You may do it【7】.", "You may do it【7†source】.", "You may do it†.",
        "You may do it〔7〕.", "You may do it\ue200cite\ue202.",
        "You \u202emay\u202c do it", "You ma\u200by do it", "You ma\u00ady do it", "You may \U000e0041do it", "You may\x00 do it",
        "You may\x1b[31m do it", "You may \u2066do\u2069 it", "\ud800 You may do it", "", " ", "…", "—", "\n",
    ],
)  # fmt: skip
def test_wording_that_is_more_than_plain_words_is_refused(unsafe):
    assert _code(unsafe) == "wording_unsafe"
    assert _code("You may do it, 7 or 30 (see: the policy); a/b - c_d, x < y & z.") == "ok"
    assert _code(unsafe, wording="quotes_only") == "ok"


@pytest.mark.parametrize(
    "text", ["من می\u200cخواهم", "a \U0001f469\u200d\U0001f467 family", "你可以退货", "Zwei\nZeilen", "क्षत्रिय लोग"]
)
def test_plain_words_of_any_script_pass(text):
    assert _code(text) == "ok"


def test_a_claim_that_repeats_its_quote_passes():
    assert _code(SOURCE) == "ok"


def test_quotes_only_shows_the_quotes_in_place_of_the_wording():
    decision = Gate([PASSAGE], wording="quotes_only").judge(
        reply(("Lies [7] “of all” 99 kinds.", [("a", "return a bike within 30 days")]))
    )
    assert decision.claims[0].text == "“return a bike within 30 days”"


def test_the_fault_is_told_of_the_claim_and_its_citations_stay_unrefused():
    (refusal,) = Gate([PASSAGE]).judge(reply(("You have 60 days.", [("a", QUOTE)]))).refusals
    assert (refusal.claim, refusal.citation, refusal.code, refusal.stage) == (0, None, "number_unsupported", "claim")
    assert "60" not in repr(refusal)


def test_the_rule_alone_gives_the_code_or_none():
    citation = Gate([PASSAGE]).verify("a", "within 30 days of delivery")
    assert isinstance(citation, VerifiedCitation)
    assert wording_fault("You have 30 days.", [citation]) is None
    assert wording_fault("You have 60 days.", [citation]) == "number_unsupported"
    assert wording_fault("You have 60 days.", [citation], "What of 60 days?") is None
    assert wording_fault("You have 30 days [1].", [citation]) == "wording_unsafe"


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize(("left", "right"), ["❝❞", "〝〞", "＂＂", "《》", "›‹", "‚‘", "〈〉", ("''", "''"), ("‘", "")])
def test_other_quotation_marks_do_not_hide_a_quotation(left, right):
    assert _code(f"He said {left}always again{right} to all.") == "wording_unsafe"
    assert _code("He said always again to all.") == "ok"


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize(
    "mark",
    [
        "[policy#c]",
        "[returns@30#c0]",
        "［30］",
        "⟦30⟧",
        "〖30〗",
        "[Source 30]",
        "[Quelle 7]",
        "①",
        "[30, 7]",
        "[ref 7]",
    ],
)
def test_marks_that_look_like_citations_do_not_pass_in_any_width(mark):
    assert _code(f"You may do it {mark}.") == "wording_unsafe"
    assert _code("You may do it (30).") == "ok"


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize("link", ["//evil.example", "evil.com/login", "a@evil.com", "HTTPS://evil.com", "www.evil.com"])
def test_links_without_a_scheme_do_not_pass(link):
    assert _code(f"See {link} for it.") == "wording_unsafe"
    assert _code("See the policy and/or the clause for it.") == "ok"


def test_an_address_passes_where_the_quote_has_it():
    gate = Gate({"a": "Write to the shop at help@shop.example in time."})
    for address, expected in (("help@shop.example", "ok"), ("help@evil.example", "nothing_verified")):
        claim = (f"Write to {address} in time.", [("a", "Write to the shop at help@shop.example")])
        assert gate.judge(reply(claim)).code == expected


ROW = Passage("a", "Total revenue of the company\t12\t345", location=Location(row=2, columns=("", "2023", "2024")))
PAGES = Passage("a", "The tenant shall pay\r\n2\r\n500 euros a month to the landlord.", furniture=((22, 23),))
NOTED = Passage("a", "The fee of this part is 500[1] dollars a month.")
NAMED = Passage("a", "The late fee is due every month.", document_id="contract-800.html", title="Contract 800")
DECOMPOSED = Passage("a", NAMED.text, document_id="Pr\u00e4mie-800", title="Pra\u0308mie 800")


@pytest.mark.code("number_unsupported")
@pytest.mark.parametrize(
    ("passage", "profile", "quote", "wrong", "right"),
    [
        (ROW, "typographic", "Total revenue of the company 12 345", "Revenue is 12 345.", "Revenue is 12."),
        (
            ROW,
            "typographic",
            "Total revenue of the company 12 345",
            "Total revenue of the company 12 345",
            "It is 345.",
        ),
        (ROW, "verbatim", "Total revenue of the company\t12", "Revenue is 345.", "Revenue of 2023 is 12."),
        (PAGES, "extracted", PAGES.text, "The tenant pays 2 500 euros.", "The tenant pays 500 euros."),
        (PAGES, "extracted", "The tenant shall pay 500 euros a month", "It is 2 euros.", "It is 500 euros."),
        (NOTED, "editorial", "The fee of this part is 500 dollars a month.", "It is 1 dollar.", "It is 500 dollars."),
        (NOTED, "verbatim", NOTED.text, "It is 5001 dollars.", "It is 500 dollars."),
        (NAMED, "verbatim", NAMED.text, "The late fee is 800 euros.", "The late fee is due every month."),
        (DECOMPOSED, "verbatim", NAMED.text, "The late fee is 800 euros.", "The late fee is due every month."),
    ],
)
def test_numbers_of_cells_running_lines_notes_and_file_names_prove_none_that_nobody_wrote(
    passage, profile, quote, wrong, right
):
    """(condition 57)"""
    for text, outcome in ((wrong, ["number_unsupported"]), (right, [])):
        decision = Gate([passage], profile=profile).judge(reply((text, [("a", quote)])))
        assert [str(refusal.code) for refusal in decision.refusals] == outcome


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("Fees for 2020 $30 a month.", "It is $2020.", "It is $30."),
        ("Fees for 2020\n€ 30 a month.", "It is 2020 €.", "It is €30."),
        ("Fees of 500 € in 2020.", "It is 2020 €.", "It is 500 €."),
        ("Fees of 500€ 30 days before.", "It is €30.", "It is €500."),
        ("The deposit is always 30\n€ per day of hire.", "It is $30.", "It is 30 €."),
        ("The fees in 2020 $ 30 were due.", "They were 2020 $.", "In 2020 30 were due."),
        ("The fees in 2020 $ 30 were due.", "They were $ 30 % of it.", "They were 30."),
    ],
)
def test_a_currency_sign_belongs_to_the_number_that_it_stands_at(text, wrong, right):
    for claim, outcome in ((wrong, ["number_unsupported"]), (right, [])):
        decision = Gate([Passage("a", text)]).judge(reply((claim, [("a", text)])))
        assert [str(refusal.code) for refusal in decision.refusals] == outcome


def test_the_numbers_of_a_footnote_may_be_claimed_with_a_quote_of_the_footnote():
    note = "1 The fee is 450 euros for 30 days."
    text = f"The landlord shall pay\n{note}\nthe whole amount due."
    gate = Gate([Passage("a", text, furniture=((23, 23 + len(note)),))], profile="extracted")
    for claim, quote, outcome in (
        ("The fee is 450 euros.", "The fee is 450 euros for 30 days.", []),
        ("It is due within 30 days.", "The landlord shall pay the whole amount due.", ["number_unsupported"]),
    ):
        decision = gate.judge(reply((claim, [("a", quote)])))
        assert [str(refusal.code) for refusal in decision.refusals] == outcome


def test_a_hyphen_in_a_cell_joins_nothing_in_the_next():
    gate = Gate([Passage("a", "A-\tGood enough it is\tAB-\tRare type here")])
    assert isinstance(gate.verify("a", "Good enough it is"), VerifiedCitation)
    assert isinstance(gate.verify("a", "Rare type here"), VerifiedCitation)
    assert (
        str(Gate([Passage("a", "It is un-\nable to go on.")]).verify("a", "able to go on").code) == "quote_splits_token"
    )


@pytest.mark.code("number_unsupported")
@pytest.mark.parametrize("source", ["2**10", "2*10", "2_10", "2__10", "2`10`", "2*1*0", "2**10**"])
def test_marks_between_digits_make_no_number_that_nobody_wrote(source):
    text = f"It costs {source} euros, or **500** or *7* or `9` of them."
    for claim, outcome in (
        ("It costs 210 euros.", ["number_unsupported"]),
        ("It costs 2 euros.", ["number_unsupported"]),
        ("It costs 10 euros.", ["number_unsupported"]),
        ("It costs 500 or 7 or 9 euros.", []),
    ):
        decision = Gate([Passage("a", text)]).judge(reply((claim, [("a", text)])))
        assert [str(refusal.code) for refusal in decision.refusals] == outcome, claim


@pytest.mark.code("wording_unsafe")
@pytest.mark.parametrize(
    ("passage", "false", "honest"),
    [
        (
            Passage("a", "The contract of the parties\tshall not be valid at all", location=Location(page=1)),
            'It says "the parties shall not be valid at all".',
            'It says "contract of the parties".',
        ),
        (
            Passage("a", "The contract is due\nFees\twaived for all of them", location=Location(row=1)),
            'It says "due Fees".',
            'It says "waived for all of them".',
        ),
        (
            Passage(
                "a",
                "The seller delivers free of any\n1 See Section 2 of the Act.\ncharge to the buyer",
                furniture=((32, 59),),
            ),
            'It says "of the Act. charge to the buyer".',
            'It says "free of any […] charge to the buyer".',
        ),
    ],
)
def test_words_quoted_in_a_claim_run_over_no_border_that_is_shown_and_over_nothing_left_out(passage, false, honest):
    for claim, outcome in ((false, ["wording_unsafe"]), (honest, [])):
        decision = Gate([passage], profile="extracted").judge(reply((claim, [("a", passage.text)])))
        assert [str(refusal.code) for refusal in decision.refusals] == outcome


@pytest.mark.code("number_unsupported")
@pytest.mark.parametrize(
    ("row", "false", "honest"),
    [
        ("Shares repurchased\t30\t$\t40", "30 $ were repurchased.", "$40 were repurchased."),
        ("Shares repurchased\t30\t$ 40\t12", "It is 30 $.", "It is $ 40."),
        ("Shares repurchased\t30\t$(40)\t12", "It is 30 $.", "It is 30."),
        ("Shares repurchased\t30\t€ per share\t12", "It is 30 €.", "It is 30."),
        ("Losses of the year\t−\t5\t7", "It is −5.", "It is 5."),
        ("The fee of the year is\t<\t5\teuros", "It is 5.", "It is <5."),
        ("The fee of the year is <\t5\teuros", "It is 5.", "It is <5."),
        ("The change of the year\t±\t5\t7", "It is 5.", "It is ±5 and 7."),
        ("Members of the club\t12\tMillion Dollar Club", "It has 12 million members.", "It has 12 members."),
        ("It stands at rank\t7\tThousand Oaks", "It is 7 thousand.", "Its rank is 7."),
        ("Numbers of the year\t2020\t% of sales", "It is 2020 %.", "It was in 2020."),
        ("Losses of the year\t$\t5\tmillion\t7", "It is $5.", "It is $5 million."),
        ("Shares of the year\t12.5\t%\t7", "It is 7 %.", "It is 12.5 %."),
        ("Price of the bike of today\t$\t19\t⁹⁹\t7", "It is $19.", "It is 7."),
    ],
)
def test_a_cell_joins_the_number_beside_it_only_where_it_is_a_unit_and_nothing_else(row, false, honest):
    for claim, outcome in ((false, ["number_unsupported"]), (honest, [])):
        decision = Gate([Passage("a", row, location=Location(row=2))]).judge(reply((claim, [("a", row)])))
        assert [str(refusal.code) for refusal in decision.refusals] == outcome


def test_what_is_shown_of_a_quote_keeps_cells_apart_and_leaves_out_what_is_no_part_of_its_page():
    row = Gate([ROW]).verify("a", "Total revenue of the company\t12\t345")
    assert row.display == row.sentence == "Total revenue of the company · 12 · 345"
    for quote in ("The tenant shall pay 500 euros a month", "The tenant shall pay\r\n2\r\n500 euros a month"):
        found = Gate([PAGES], profile="extracted").verify("a", quote)
        assert found.display == "The tenant shall pay […] 500 euros a month"
        assert found.sentence == "The tenant shall pay […] 500 euros a month to the landlord."
    text = "The fee is 900 euros a month but never more than 10 euros for all."
    hidden = Passage("a", text, hidden=((text.index(" but"), text.index(" for all")),))
    assert (
        Gate([hidden]).verify("a", "The fee is 900 euros a month").sentence
        == "The fee is 900 euros a month […] for all."
    )


def test_a_quote_of_a_whole_document_leaves_out_its_running_lines_too():
    whole = Passage("", PAGES.text, furniture=PAGES.furniture)
    parts = [
        Passage("a", PAGES.text[:22], start=0, text_sha256=sha256_of_text(whole.text)),
        Passage("b", PAGES.text[25:], start=25, text_sha256=sha256_of_text(whole.text)),
    ]
    gate = Gate(parts, profile="extracted", scope="document", documents=[whole])
    assert gate.verify("a", "The tenant shall pay 500 euros a month").display == (
        "The tenant shall pay […] 500 euros a month"
    )
