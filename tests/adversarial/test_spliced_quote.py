"""Attack family: parts of a text joined so that it says something else, with or without a mark for what was left out."""

import pytest

from tests.verdicts import PROFILES, code, codes, verdict
from verified_gate import Gate, Passage, VerifiedCitation

BASE = "The buyer may, at any time, return the bike."
ELIDED = "The buyer may … return the bike."


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize("mark", ["…", "...", "[...]", "[…]", " … ", "....", "(...)", "[ … ]"])
def test_an_elision_is_refused_but_under_editorial(mark):
    quote = f"The buyer may {mark} return the bike."
    assert {code(BASE, quote, profile) for profile in PROFILES[:3]} == {"quote_elided"}
    citation = verdict(BASE, quote, "editorial")
    assert isinstance(citation, VerifiedCitation)
    assert (citation.quote, citation.folds) == (BASE, ("elision",))


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize(
    ("source", "quote"),
    [
        pytest.param("The landlord is not permitted to terminate it.", "The landlord is ... permitted to terminate it.", id="not"),
        pytest.param("The landlord is NOT permitted to terminate it.", "The landlord is ... permitted to terminate it.", id="NOT"),
        pytest.param("The landlord is **not** permitted to terminate it.", "The landlord is ... permitted to terminate it.", id="marked"),
        pytest.param("The firm can’t be made to pay damages.", "The firm … pay damages.", id="can’t"),
        pytest.param("The firm won't be made to pay damages.", "The firm … pay damages.", id="won't"),
        pytest.param("The firm cannot and need never pay damages.", "The firm … pay damages.", id="cannot"),
        pytest.param("The buyer may, if the seller agrees, return the bike.", ELIDED, id="if"),
        pytest.param("The buyer may, unless it is used, return the bike.", ELIDED, id="unless"),
        pytest.param("The buyer may, except on Sundays, return the bike.", ELIDED, id="except"),
        pytest.param("The buyer may, only on Sundays, return the bike.", ELIDED, id="only"),
        pytest.param("The buyer may, without the lamp, return the bike.", ELIDED, id="without"),
        pytest.param("The buyer may, provided it is new, return the bike.", ELIDED, id="provided"),
        pytest.param("The buyer may, until May, return the bike.", ELIDED, id="until"),
        pytest.param("The buyer may, when it is new, return the bike.", ELIDED, id="when"),
        pytest.param("The buyer may have been unable to return the bike.", "The buyer may … return the bike.", id="unable"),
        pytest.param("The firm has refused to pay the damages.", "The firm has … pay the damages.", id="refused"),
        pytest.param("The buyer is alleged to have sold it.", "The buyer is … have sold it.", id="alleged"),
    ],
)  # fmt: skip
def test_an_elision_that_hides_a_negation_or_a_condition_is_refused(source, quote):
    assert codes(source, quote) == {"quote_elided"}
    assert codes(source, source) == {"ok"}
    assert code(BASE, ELIDED, "editorial") == "ok"


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize(
    ("lang", "plain", "hiding", "quote"),
    [
        ("en", "He may gladly sell the old bike.", "He may not sell the old bike.", "He may … the old bike."),
        ("de", "Er darf das Rad gerne heute zurück geben.", "Er darf das Rad nicht zurück geben.", "Er darf … zurück geben."),
        ("fr", "Il peut rendre ce vélo demain matin.", "Il peut ne jamais rendre ce vélo demain matin.", "Il peut … demain matin."),
        ("es", "Puede devolver la bicicleta mañana temprano.", "Puede devolver la bicicleta sólo mañana temprano.", "Puede devolver … mañana temprano."),
        ("it", "Può rendere la bici domani mattina.", "Può rendere la bici soltanto domani mattina.", "Può rendere … domani mattina."),
        ("nl", "Hij mag de fiets morgen terug geven.", "Hij mag de fiets niet terug geven.", "Hij mag … terug geven."),
        ("pt", "Pode devolver a bicicleta amanhã cedo.", "Pode devolver a bicicleta apenas amanhã cedo.", "Pode devolver … amanhã cedo."),
    ],
)  # fmt: skip
def test_each_supported_language_has_its_list_and_another_has_no_elision(lang, plain, hiding, quote):
    assert code(plain, quote, "editorial", lang=lang) == "ok"
    assert code(plain, quote, "editorial", lang=f"{lang}-XX") == "ok"
    assert code(hiding, quote, "editorial", lang=lang) == "quote_elided"
    for none in ("", "xx", "fi"):
        assert code(plain, quote, "editorial", lang=none) == "quote_elided"


def test_the_language_of_the_gate_serves_evidence_that_names_none():
    for lang, expected in (("en", "ok"), ("", "quote_elided")):
        gate = Gate({"a": BASE}, profile="editorial", lang=lang)
        assert isinstance(gate.verify("a", ELIDED), VerifiedCitation) == (expected == "ok")
    gate = Gate([Passage("a", BASE, lang="fi")], profile="editorial", lang="en")
    assert gate.verify("a", ELIDED).code == "quote_elided"


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize(
    ("source", "quote"),
    [
        pytest.param("One two alpha comes before three four beta.", "three four beta … One two alpha", id="reversed"),
        pytest.param("The buyer may return it. The seller pays the costs.", "The buyer may … pays the costs.", id="two sentences"),
        pytest.param("The buyer may return it.\n\nThe seller pays", "The buyer may … The seller pays", id="two paragraphs"),
        pytest.param("The buyer may " + "word " * 41 + "return the bike.", ELIDED, id="205 characters"),
        pytest.param("The buyer may " + "and so on, " * 900 + "return the bike.", ELIDED, id="pages apart"),
        pytest.param(BASE, "The … return the bike.", id="one word before"),
        pytest.param(BASE, "The buyer may … bike.", id="one word after"),
        pytest.param(BASE, "The buyer may … at any … time … return the bike.", id="one word between"),
        pytest.param(BASE, "… return the bike.", id="nothing before"),
        pytest.param(BASE, "The buyer may …", id="nothing after"),
        pytest.param(BASE, "The buyer may … keep the bike.", id="an invented part"),
        pytest.param(BASE, "The buyer may … return the bik", id="a part that splits a word"),
        pytest.param(BASE, "he buyer may … return the bike.", id="a first part that splits a word"),
        pytest.param("He pays 1,500 euros and then 2,500 euros each.", "He pays … 500 euros each", id="a part that splits a number"),
        pytest.param("He pays the first part, one, two, three, four.", "He pays … first part … one two", id="altered part"),
    ],
)  # fmt: skip
def test_an_elision_outside_its_rule_is_refused(source, quote):
    assert codes(source, quote) == {"quote_elided"}
    assert code(BASE, ELIDED, "editorial") == "ok"


def test_an_elision_of_two_hundred_characters_and_of_several_parts_passes():
    assert code("The buyer may " + "word " * 39 + "return the bike.", ELIDED, "editorial") == "ok"
    source = "The buyer may, at any time, return the bike, in person, to the seller."
    assert code(source, "The buyer may … return the bike … to the seller.", "editorial") == "ok"


@pytest.mark.code("quote_elided")
def test_more_parts_than_the_rule_follows_are_refused():
    source = " and ".join(f"one{n} two{n} three{n}" for n in "abcdefghijkl")
    parts = [f"one{n} two{n}" for n in "abcdefghijkl"]
    assert code(source, " … ".join(parts[:8]), "editorial") == "ok"
    assert code(source, " … ".join(parts), "editorial") == "quote_elided"


def test_an_ellipsis_of_the_source_is_text_like_any_other():
    source = "and so on… until noon"
    assert codes(source, source) == {"ok"}
    assert code(source, "and so on... until noon") == "quote_elided"
    assert code(source, "and so on... until noon", "typographic") == "ok"


@pytest.mark.code("quote_mismatch")
def test_parts_joined_without_a_mark_are_refused():
    source = "The buyer pays the fee. Later, the seller returns it. The buyer signs."
    assert codes(source, "The buyer pays the fee. The buyer signs.") == {"quote_mismatch"}
    assert codes(source, "The buyer returns it.") == {"quote_mismatch"}
    assert codes(source, "The buyer pays the fee. Later") == {"ok"}


DOCUMENT = "The sum shall be paid within 30 days of delivery. It is due at once."
CROSSING = "shall be paid within 30 days"


def _passage(key, first, last, **place):
    return Passage(key, DOCUMENT[first:last], **{"document_id": "d", "version": "1", "start": first, **place})


@pytest.mark.code("quote_crosses_passages")
def test_a_quote_over_the_border_of_neighbours_is_told_as_such():
    for profile in PROFILES:
        gate = Gate([_passage("a", 0, 22), _passage("b", 22, 48)], profile=profile)
        assert gate.verify("a", CROSSING).code == "quote_crosses_passages"
        assert gate.verify("b", CROSSING).code == "quote_crosses_passages"
    assert isinstance(Gate([_passage("a", 0, 48)]).verify("a", CROSSING), VerifiedCitation)


@pytest.mark.parametrize(
    "other",
    [
        _passage("b", 22, 48, version="2"),
        _passage("b", 22, 48, document_id="e"),
        _passage("b", 22, 48, start=None),
        _passage("b", 22, 48, sha256="0" * 64),
        _passage("b", 22, 48, start=400),
        _passage("b", 22, 48, text_sha256="0" * 64),
    ],
    ids=["another version", "another document", "place unknown", "altered", "far away", "another text"],
)
def test_passages_that_are_no_neighbours_are_never_spliced(other):
    for scope in ("passage", "document"):
        assert Gate([_passage("a", 0, 22), other], scope=scope).verify("a", CROSSING).code == "quote_mismatch"
        twin = Gate([_passage("a", 0, 22), _passage("b", 22, 48)], scope=scope).verify("a", CROSSING)
        assert isinstance(twin, VerifiedCitation) == (scope == "document")


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize("other", ["globex:d@1#c1", "d@1#c1"])
def test_documents_of_two_tenants_with_the_same_names_and_text_are_no_neighbours(other):
    first, key = _passage("acme:d@1#c0", 0, 22, text_sha256="0" * 64), "acme:d@1#c0"
    twin = _passage("acme:d@1#c1", 22, 48, text_sha256="0" * 64)
    assert isinstance(Gate([first, twin], scope="document").verify(key, CROSSING), VerifiedCitation)
    alien = _passage(other, 22, 48, text_sha256="0" * 64)
    assert Gate([first, alien], scope="document").verify(key, CROSSING).code == "quote_mismatch"


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize(
    "negation",
    [
        "not", "NOT", "Not", "n\u200bot", "n\u00adot", "n\u2060ot", "un\u00adlikely", "n&#111;t", "&#110;ot", "ｎｏｔ", "*n*ot",
        "**not**", "n_o_t", "n\u043et", "no-\nt", "[not](x)", "“not”", "(not)", "not,", "hardly", "un-\nlikely",
    ],
)  # fmt: skip
def test_a_negation_written_so_that_it_is_not_seen_is_seen(negation):
    quote = "The firm is … pay the damages."
    assert codes(f"The firm is {negation} to pay the damages.", quote) == {"quote_elided"}
    assert code("The firm is glad to pay the damages.", quote, "editorial") == "ok"


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize(
    "condition",
    [
        "in case of defects", "in the event of defects", "once a year", "after 90 days", "prior to use", "up to five times",
        "before use", "within 3 days", "upon request", "during May", "conditional on it", "5 times", "if asked", 
        "subject to law", "while new", "at most twice", "but rarely",
    ],
)  # fmt: skip
def test_a_condition_in_other_words_is_seen(condition):
    assert codes(f"The buyer may, {condition}, return the bike.", ELIDED) == {"quote_elided"}
    assert code("The buyer may, as all know, return the bike.", ELIDED, "editorial") == "ok"


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("The law prohibits and stops all return of bikes.", "The law … all return of bikes."),
        ("The law prevents all return of the bikes.", "The law … return of the bikes."),
        ("The seller returns the non-refundable deposit paid.", "The seller returns … deposit paid."),
        ("The buyer ceased to own the bike.", "The buyer … own the bike."),
    ],
)
def test_a_verb_that_negates_is_seen(source, quote):
    assert codes(source, quote) == {"quote_elided"}
    assert codes(source, source) == {"ok"}
