"""Finding the JSON in a model's text, and its shape."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.model import Malformed, Proposal, ProposedCitation, ProposedClaim, parse_proposal
from verified_gate.model.proposal import MAX_JSON_CHARACTERS
from verified_gate.synthesis import SynthesisFailure
from verified_gate.synthesis.prompt import unescape
from verified_gate.synthesis.reply import Envelope, find_reply, read_reply, reply_schema

CLAIM = {"text": "A.", "citations": [{"key": "e01", "quote": "one two three"}]}
GOOD = json.dumps({"status": "answered", "claims": [CLAIM]})
OTHER = json.dumps({"status": "answered", "claims": []})
READ = (ProposedClaim("A.", (ProposedCitation("e01", "one two three"),)),)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\ufeff\n {GOOD}\r\n",
        f"```json\n{GOOD}\n```",
        f"```JSON\r\n{GOOD}\r\n```",
        f"Sure!\n  ```\n{GOOD}\n  ```\nDone.",
        f"```python\nx = {{}}\n```\n```json\n{GOOD}\n```",
        f"Sure! {GOOD} I hope it helps {{x}}.",
        f"<think>{OTHER}</think>{GOOD}",
        f"<think>a</think>{OTHER}<think>b</think>```json\n{GOOD}\n```",
        f"The set {{a, b}} and {{'c': 1}}: {GOOD}",
        f'{{"note": "a plan"}} {GOOD}',
        f'{{"claims": [oops]}} {GOOD}',
        GOOD.replace("one two", "one\\ntwo").replace("\\ntwo", " two"),
    ],
)
def test_the_one_reply_in_a_text_is_found(text):
    reply = read_reply(text, {"e01": "k"})
    assert isinstance(reply, Proposal)
    assert (reply.claims, reply.aliases) == (READ, {"e01": "k"})


def test_raw_line_breaks_in_a_quote_survive():
    reply = read_reply(GOOD.replace("one two", "one\ntwo"))
    assert reply.claims[0].citations[0].quote == "one\ntwo three"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty_reply"),
        ("\ufeff \n", "empty_reply"),
        ("Thirty days.", "invalid_json"),
        (GOOD[:-1], "invalid_json"),
        (f'{{"draft": {GOOD}', "invalid_json"),
        (f"{OTHER} and then {GOOD[:-5]}", "invalid_json"),
        (f"```json\n{OTHER}\n```\n```json\n{GOOD[:-5]}", "invalid_json"),
        ('{"claims": [], "claims": []}', "invalid_json"),
        ('x {"claims": [NaN]}', "invalid_json"),
        ('x {"claims": ["\\ud800"]}', "invalid_json"),
        ('{"a":' * 100 + GOOD + "}" * 100, "invalid_json"),
        (f"<think>{GOOD}", "truncated"),
        (f"</think><think>{GOOD}", "truncated"),
        (GOOD + OTHER, "invalid_schema"),
        (f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```", "invalid_schema"),
        ('```json\n{"claims": {}}\n```', "invalid_schema"),
        ("[" + GOOD + "]", "invalid_schema"),
        ('{"claims": "none"}', "invalid_schema"),
        ('{"status": "done", "claims": []}', "invalid_schema"),
    ],
)
def test_what_is_not_one_whole_reply_has_its_code(text, code):
    reply = read_reply(text)
    assert isinstance(reply, SynthesisFailure)
    assert reply.code == code


@pytest.mark.parametrize("tail", ["", "!", "\\", '"', "}", GOOD])
@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"',
        '{"a":',
        "[{",
        "{}",
        '{"a":{},',
        '{"a":1!',
        '{"a":1}',
        '{"\\"',
        '{"a":"\\',
        "{ ",
        "```\n",
        "```json\n{",
        OTHER,
        "<think>",
        "</think>",
    ],
)
def test_floods_of_openings_are_read_in_time_that_grows_with_their_length(unit, tail):
    """The limit of the suite ends what is quadratic; no time is asserted."""
    text = unit * (1_900_000 // len(unit)) + tail
    assert isinstance(find_reply(text), SynthesisFailure | dict)


def test_a_reply_of_ten_megabytes_is_not_searched():
    assert read_reply("{" * 10_000_000).code == "invalid_json"
    assert read_reply(" " * (MAX_JSON_CHARACTERS + 1) + GOOD).code == "invalid_json"


@given(st.text(alphabet='{}[]"\\:, `jsontruelc\n<>/hik01e') | st.text())
def test_no_text_raises(text):
    assert isinstance(read_reply(text), Proposal | SynthesisFailure)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.sampled_from(["answered", "abstained", "x"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["status", "claims", "x"]), inner),
    )
)
def test_the_envelope_agrees_with_the_parser_wherever_claims_are_named(value):
    parsed = parse_proposal(value)
    if isinstance(value, dict) and "claims" in value:
        try:
            Envelope.model_validate(value)
        except ValueError:
            assert isinstance(parsed, Malformed)
        else:
            assert isinstance(parsed, Proposal)


def test_strings_are_unescaped_in_claims_and_citations_and_keys_are_not():
    claim = {"text": "a &lt; b", "citations": [{"key": "&lt;", "quote": "&amp;lt;", "prefix": "&lt;", "suffix": "<"}]}
    reply = read_reply(json.dumps({"claims": [claim]}), unescape=unescape)
    assert reply.claims == (ProposedClaim("a < b", (ProposedCitation("&lt;", "&lt;", "<", "<"),)),)
    assert read_reply(json.dumps({"claims": [claim]})).claims[0].text == "a &lt; b"


def test_bad_claims_and_citations_keep_their_place():
    claims = [7, {"text": "x", "citations": [{"key": 1}, {"key": "e01", "quote": "q"}]}]
    reply = read_reply(json.dumps({"claims": claims}), unescape=unescape)
    assert reply.claims[0].where == "claims[0]"
    assert reply.claims[1].citations[0].where == "claims[1].citations[0].key"
    assert reply.claims[1].citations[1].quote == "q"


@pytest.mark.parametrize(
    "mark", ["【4:0†source】", "【12†notes.md】", "\ue200cite\ue202turn0\ue201", '<cite index="1-2">', "</cite>"]
)
def test_artefacts_of_services_are_taken_out_of_claims_and_left_in_quotes(mark):
    claim = {"text": f"A{mark}.", "citations": [{"key": "e01", "quote": f"one{mark} two three"}]}
    read = read_reply(json.dumps({"claims": [claim]})).claims[0]
    assert read.text == "A."
    assert mark in read.citations[0].quote
    assert read_reply(json.dumps({"claims": [{"text": "A [7] 【x】."}]})).claims[0].text == "A [7] 【x】."


@pytest.mark.parametrize("aliases", [("e01",), ("e01", "e02", "e03")])
def test_the_schema_is_what_strict_servers_take(aliases):
    schema = reply_schema(aliases)
    text = json.dumps(schema)
    assert not any(word in text for word in ("$ref", "$defs", "title", "const", "default", "anyOf"))

    def objects(part):
        if isinstance(part, dict):
            if part.get("type") == "object":
                yield part
            for value in part.values():
                yield from objects(value)

    found = list(objects(schema))
    assert len(found) == 3
    for part in found:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
    assert found[-1]["properties"]["key"] == {"type": "string", "enum": list(aliases)}
