"""Every condition of the contract that is held by a test is named by one, and none of them disappears."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]

COVERED = {
    1: "an invented key is dropped",
    2: "a quote with one changed character is dropped",
    3: "an empty or blank quote is dropped",
    4: "a real quote under another real key is dropped",
    5: "a citation without a quote is dropped",
    6: "of honest and dishonest citations only the honest leave",
    7: "the stored passage is hashed again",
    8: "nothing verified: the whole answer abstains",
    9: "a released citation carries key, document, version, span, hash",
    10: "the same guarantees under every synthesizer",
    11: "dropped holds what was refused, citations never does",
    12: "a claim whose citations failed is withheld with its wording",
    13: "fixed windows: the step, and the end once",
    14: "size 10 overlap 9 ends",
    15: "impossible sizes are wrong use",
    16: "empty and blank text give no passage",
    17: "no strategy returns an empty passage",
    18: "the same input gives the same keys",
    19: "first and last line, looked up in the file, are the passage",
    20: "a passage never crosses a heading",
    21: "sentences are not cut",
    22: "paragraph numbers do not move",
    23: "facts kept whole by each way of cutting are printed",
    24: "only current documents by default",
    25: "under the minimum score nothing is evidence",
    26: "without evidence the model is not called",
    27: "all words and any word",
    28: "operators are literals",
    29: "no prefix search by accident",
    30: "umlauts and accents are letters of their own",
    31: "too long a query is a clear error",
    32: "ties are ordered",
    33: "the limit is obeyed",
    34: "nothing found says where was looked",
    35: "recall for each strategy is printed",
    36: "another tenant's documents never appear",
    37: "nor those of a group not held",
    38: "an inactive actor gets nothing",
    39: "an actor without groups gets what needs none",
    40: "an unknown tenant gets public documents only",
    41: "a forbidden document leaves hits and scores the same",
    42: "duplicate ids are refused",
    43: "access is asked again when a citation is resolved",
    44: "forbidden and missing look alike",
    45: "filters narrow and never widen",
    46: "changed text under the same version: source_changed",
    47: "another version label is not current evidence unasked",
    48: "withdrawn access or a removed document: unavailable",
    49: "a tampered place or quote: quote_mismatch",
    50: "an archived citation names its version",
    51: "a revocation stops the release",
    52: "permission unknown for the moment is not deletion",
    53: "the reply must cite delivered keys only",
    54: "unusable replies have each their code",
    55: "delimiters are escaped",
    56: "citations come in the order cited, once each",
    57: "a number in the claim that stands in no cited quote is caught",
    58: "a document that orders the model about changes nothing",
    59: "an empty question is refused",
    60: "a passage's place survives to the answer",
    61: "metadata-only sources are never quoted, a summary is the curator's",
    62: "an incompletely read document is never presented as complete",
    63: "material for local processing never reaches a remote model; purposes hold",
    64: "neighbours shown for context widen nothing",
    65: "widening keeps every limit, happens once, and is told",
    66: "a failed channel beside a surviving one is partial",
    67: "the record tells the stages apart",
}
"""Number -> the condition in short; each is named by at least one test as "(condition N)"."""

NOT_YET: dict[int, str] = {}
"""Number -> why no test names it; one that a test does name belongs above."""


def _numbers(listed):
    for part in re.findall(r"\d+(?: to \d+)?", listed):
        first, _, last = part.partition(" to ")
        yield from range(int(first), int(last or first) + 1)


def _named():
    found = {}
    for path in TESTS.rglob("*.py"):
        if path == Path(__file__):
            continue
        for listed in re.findall(
            r"\bconditions? (\d+(?:(?:,| and| to|, and)? ?\d+)*)", path.read_text(encoding="utf-8")
        ):
            for number in _numbers(listed):
                found.setdefault(number, set()).add(path.name)
    return found


def test_every_covered_condition_is_still_named_by_a_test():
    missing = {number: COVERED[number] for number in set(COVERED) - set(_named())}
    assert missing == {}, "a test that named these conditions is gone"


def test_a_condition_that_a_test_names_is_counted():
    assert set(_named()) & set(NOT_YET) == set(), "move it to COVERED"
    assert set(_named()) <= set(COVERED)


def test_the_conditions_are_sixty_seven():
    assert sorted([*COVERED, *NOT_YET]) == list(range(1, 68))


def test_lists_and_ranges_of_numbers_are_read():
    assert list(_numbers("1, 2 and 5 to 7")) == [1, 2, 5, 6, 7]
