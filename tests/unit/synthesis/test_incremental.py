"""Claims of a reply in pieces: each once it is whole, the same for any cut, and the same as the whole reply's."""

import json

import pydantic_core
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate import Passage
from verified_gate.model import Malformed, Proposal, decode_json
from verified_gate.model.proposal import parse_claim
from verified_gate.synthesis import SynthesisRequest, incremental
from verified_gate.synthesis.incremental import MAX_CLAIMS, MAX_HEAD, IncrementalReply
from verified_gate.synthesis.prompt import unescape, write_prompt
from verified_gate.synthesis.reply import read_reply

FIRST = {"text": 'A } ] " \\ [ { 🚲.', "citations": [{"key": "e01", "quote": 'x\n{"claims": [{}]}'}]}
SECOND = {"text": "B.", "citations": [{"key": "e02", "quote": "&lt;b>"}], "more": {"deep": [[{}], "}"]}}
REPLY = json.dumps({"status": "answered", "note": [1, {"claims": []}], "claims": [FIRST, SECOND]})


def _feed(text, size=1, **settings):
    """The claims, each with the number of characters after which it came."""
    reply = IncrementalReply(**settings)
    found = []
    for at in range(0, len(text), size):
        found += [(min(at + size, len(text)), part) for part in reply.feed(text[at : at + size])]
    return found


def _claims(text, size=1, **settings):
    return [part.claim for _, part in _feed(text, size, **settings)]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("escaped", [True, False])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 17, 10_000])
def test_claims_come_in_order_each_when_its_object_closes(size, escaped, indent):
    text = json.dumps(json.loads(REPLY), ensure_ascii=escaped, indent=indent)
    found = _feed(text, size, aliases={"e01": "a"}, unescape=unescape)
    assert [(part.position, part.claim, part.aliases) for _, part in found] == [
        (position, claim, {"e01": "a"}) for position, claim in enumerate(read_reply(text, unescape=unescape).claims)
    ]
    for end, part in found:
        assert end - size < _end_of(text, part.position) <= end


def _end_of(text, position):
    """After how many characters the claim has closed."""
    claims = json.loads(text)["claims"]
    for end in range(len(text) + 1):
        head = text[:end]
        if head.endswith("}"):
            try:
                whole = json.loads(f"{head}]}}")
            except ValueError:
                continue
            if whole.get("claims") == claims[: position + 1]:
                return end
    raise AssertionError


@pytest.mark.parametrize(
    "before",
    [
        "",
        "\ufeff \n",
        "<think>x</think>",
        '<think>{"claims": [</think>\n',
        "<think>a</think><think>b</think>",
        "```json\n",
        "```\n",
        "```JSON\n",
        "<think>a</think>\n```json\n\n",
    ],
)
def test_blanks_thoughts_and_a_fence_may_stand_before_the_reply(before):
    assert len(_claims(before + REPLY)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Here it is: " + REPLY,
        "```bash\nls\n```\n" + REPLY,
        "<think>" + REPLY,
        "<thinking>" + REPLY,
        "[" + REPLY + "]",
        '"' + REPLY,
        REPLY.replace('"answered"', '"abstained"'),
        REPLY.replace('"answered"', '"maybe"'),
        REPLY.replace('"answered"', "7"),
        REPLY.replace('"answered"', "NaN"),
        REPLY.replace('"note"', '"status"'),
        REPLY.replace('"note": [1, {"claims": []}]', '"claims": []'),
        REPLY.replace('"note": [1, {"claims": []}]', '"note": "\\ud800"'),
        REPLY.replace('"claims": [{"text"', '"claims": [[{"text"'),
        REPLY.replace('"claims": [{"text"', '"claims": [7, {"text"'),
        REPLY.replace('"claims": [{"text"', '"claims": ["x", {"text"'),
        REPLY.replace('"claims": [{"text"', '"claims": [, {"text"'),
        REPLY.replace('"claims": [{"text"', '"claims": {"0": {"text"'),
        REPLY.replace('"claims": [{"text"', '"claims" [{"text"'),
        '{"x": ' + REPLY,
        '{"x": {"claims": [' + json.dumps(FIRST) + "]}}",
        '{"x": "' + " " * MAX_HEAD + '", ' + REPLY[1:],
        '{"x": ' + "[" * 70,
        "}" + REPLY,
        "{]" + REPLY,
        "\\" + REPLY,
        "{\\" + REPLY[1:],
        "`" * 30 + REPLY,
    ],
)
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_anything_but_a_plain_reply_waits_for_its_end(text, size):
    assert _claims(text, size) == []
    assert len(_claims(REPLY, size)) == 2


@pytest.mark.parametrize(
    "broken",
    [
        json.dumps(SECOND)[:-1] + ', "text": "again"}',
        json.dumps(SECOND).replace("B.", "\\udc00"),
        json.dumps(SECOND).replace('"B."', "NaN"),
        json.dumps(SECOND).replace("]", "}", 1),
        json.dumps(SECOND).replace('"B."', "B"),
        json.dumps(SECOND).replace('"B."', '"\\x"'),
        '{"text": "B.", "citations": ' + "[" * 80 + "]" * 80 + "}",
        json.dumps(SECOND)[:-1],
        '"B."',
        "7",
        "[]",
    ],
)
def test_a_claim_that_is_no_strict_json_is_not_given_away_nor_any_after_it(broken):
    text = '{"claims": [%s, %s, %s]}'
    assert len(_claims(text % (json.dumps(FIRST), json.dumps(SECOND), json.dumps(FIRST)))) == 3
    assert len(_claims(text % (json.dumps(FIRST), broken, json.dumps(FIRST)))) == 1


def test_nothing_is_given_away_after_the_claims_have_ended():
    for more in (f', "claims": [{json.dumps(FIRST)}]}}', "}" + REPLY, "\n" + REPLY, "]"):
        text = REPLY[:-1] + more
        assert len(_claims(text)) == 2
        assert _claims(REPLY + REPLY) == _claims(REPLY)


def test_a_claim_of_the_wrong_shape_keeps_its_place():
    text = '{"claims": [{"text": 7}, {}, {"text": "x", "citations": {}}, %s]}' % json.dumps(FIRST)
    claims = _claims(text)
    assert [type(claim) for claim in claims[:3]] == [Malformed] * 3
    assert claims == list(read_reply(text).claims)


def test_claims_between_which_no_comma_stands_are_no_list():
    first, second = json.dumps(FIRST), json.dumps(SECOND)
    for between, count in ((" , ", 2), ("", 1), (",,", 1), ("7,", 1)):
        assert len(_claims(f'{{"claims": [{first}{between}{second}]}}')) == count


def test_where_the_model_points_the_quotes_are_cut():
    request = SynthesisRequest("Q?", (Passage("k", "One stands here. Two stands here."),), cite="sentences")
    prompt = write_prompt(request)
    citations = [{"key": "e01", "sentences": [2]}, {"key": "e01", "sentences": [9]}]
    text = json.dumps({"claims": [{"text": "Two.", "citations": citations}]})
    claims = _claims(text, numbered=prompt.numbered)
    assert claims == list(read_reply(text, numbered=prompt.numbered).claims)
    assert claims[0].citations[0].quote == "Two stands here."


def test_more_claims_than_are_given_away_wait_for_the_end():
    text = '{"claims": [' + ", ".join(["{}"] * (MAX_CLAIMS + 5)) + "]}"
    assert len(_claims(text, 1_000)) == MAX_CLAIMS


def test_a_reply_that_is_longer_than_is_read_is_not_given_away_to_its_end():
    text = '{"claims": [{}, {"text": "' + "x" * 2_000_000 + '"}, {}]}'
    assert len(_claims(text, 100_000)) == 1


@pytest.mark.parametrize("escaped", [True, False])
def test_a_parser_of_partial_json_reads_the_same_claims_at_the_same_places(escaped):
    """The library's partial mode, which cannot tell that a value is whole, is the second opinion here."""
    text = json.dumps(json.loads(REPLY), ensure_ascii=escaped)
    for end, part in _feed(text):
        partial = pydantic_core.from_json(text[:end], allow_partial=True)["claims"]
        assert len(partial) == part.position + 1
        assert parse_claim(partial[-1], f"claims[{part.position}]") == part.claim
        assert pydantic_core.from_json(text[: end - 1], allow_partial=True)["claims"][-1] is not None
        with pytest.raises(ValueError):
            pydantic_core.from_json(text[: end - 1])


@pytest.mark.parametrize("size", [1, 64, 10_000_000])
@pytest.mark.parametrize(
    "text",
    [
        '{"claims": [' + ", ".join([json.dumps(FIRST)] * 900) + "]}",
        '{"claims": [{"text": "' + "}" * 100_000 + '"}]}',
        '{"claims": [{"x": [' + ", ".join(["{}"] * 40_000) + "]}]}",
        "{" + '"a": [], ' * 7_000 + '"claims": [{}]}',
        "{" + '"claims": [], ' * 4_000,
        '{"claims": ' * 60,
        "<think>" * 40_000,
    ],
    ids=["claims", "braces in a string", "objects in a claim", "lists before", "claims again", "deep", "thoughts"],
)
def test_each_character_is_decoded_twice_at_most_however_the_text_is_cut(text, size, monkeypatch):
    """Once here and once as part of the whole: work is linear in the reply."""
    decoded = []
    monkeypatch.setattr(incremental, "decode_json", lambda part: decoded.append(len(part)) or decode_json(part))
    found = _feed(text, size)
    assert sum(decoded) <= len(text) + 20 * (len(found) + 2)


PARTS = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", '"', "\\", ",", ":", "<think>", "</think>", "```json\n", '"claims"', '"status"', '"answered"', '"text"',
         '"citations"', json.dumps(FIRST), json.dumps(SECOND), '{"claims": [', "]}", "7", "null", " ", "\\u00e9", "é", "\ud800", "{}"]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(PARTS | PARTS.map(lambda part: '{"claims": [' + json.dumps(FIRST) + part), st.integers(1, 9))
def test_what_is_given_away_begins_the_whole_reply_or_the_whole_is_refused(text, size):
    """Whatever the text: the same for any cut, and never a claim that a readable whole does not begin with."""
    claims = _claims(text, size)
    assert claims == _claims(text, len(text) or 1)
    whole = read_reply(text)
    if isinstance(whole, Proposal) and "</think>" not in text:
        assert list(whole.claims[: len(claims)]) == claims


LEADS = st.lists(st.sampled_from(["<think>a</think>", '<think>{"claims": [</think>', "\n", " "]), max_size=4).map(
    "".join
)
WORDS = st.lists(st.sampled_from(["</think>", "<think>", "a", " ", '"', "\\", "{", "}", "```json\n"]), max_size=6).map(
    "".join
)


@given(
    LEADS,
    st.sampled_from(["", "```json\n"]),
    st.lists(WORDS, min_size=1, max_size=3),
    st.booleans(),
    st.integers(1, 60),
)
def test_a_reply_whose_words_speak_of_thoughts_is_read_alike_in_parts_and_as_a_whole(lead, fence, words, more, size):
    """What closes a thought is its first `</think>`; one in a string of the reply is a word like any other."""
    claims = [{"text": each, "citations": [{"key": "e01", "quote": each}]} for each in words]
    text = (
        lead
        + fence
        + json.dumps({"status": "answered", "claims": claims})
        + ("\n```" if fence else "")
        + " Done." * more
    )
    whole = read_reply(text)
    assert isinstance(whole, Proposal)
    assert [claim.text for claim in whole.claims] == words
    assert _claims(text, size) == list(whole.claims)
