"""One answer, whole or streamed: read by the same rules, whatever its bytes are cut into."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.model import ReasonCode
from verified_gate.synthesis.fault import ALWAYS, Fault, ModelText, Unreadable
from verified_gate.synthesis.wire import AFTER_DONE, AFTER_FINISH, MAX_EVENTS, AnswerReader

SSE = {"content-type": "text/event-stream"}
BROKE = Fault(ReasonCode.PROVIDER_UNAVAILABLE, "the connection broke", ALWAYS)
LATE = Fault(ReasonCode.DEADLINE_EXCEEDED, "late")


def _chunk(content=None, finish=None, **more):
    return {"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": finish, **more}]}


def _stream(*chunks):
    return b"".join(
        b"data: " + (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode()) + b"\n\n" for chunk in chunks
    )


def _read(body, headers=SSE, status=200, missing=None, size=None):
    heard = []
    reader = AnswerReader(heard.append)
    reader.begin(status, headers)
    for at in range(0, len(body), size or max(1, len(body))):
        reader.feed(body[at : at + (size or len(body))])
    return reader.outcome(0.0, missing), reader.patience, "".join(heard)


def _code(outcome):
    return "text" if isinstance(outcome, ModelText) else str(outcome.code)


@given(
    st.binary(max_size=200) | st.text(alphabet='data:event \n\r{}[]"choices', max_size=200).map(str.encode),
    st.sampled_from([200, 400, 404, 429, 500, 302]),
    st.sampled_from([{}, SSE]),
    st.sampled_from([None, BROKE, LATE]),
    st.integers(1, 50),
)
def test_no_bytes_raise_and_cuts_change_nothing(body, status, headers, missing, size):
    cut = _read(body, headers, status, missing, size)
    assert isinstance(cut[0], ModelText | Fault)
    assert cut[0] == _read(body, headers, status, missing)[0]


def test_pieces_are_put_together_and_heard_as_they_come():
    outcome, patience, heard = _read(_stream(_chunk("a"), _chunk("b", "stop"), {"choices": [], "usage": {}}, b"[DONE]"))
    assert (outcome.text, patience, heard) == ("ab", AFTER_DONE, "ab")


SIGNS = [
    ([_chunk("a")], None, "truncated"),
    ([_chunk("a"), b"[DONE]"], AFTER_DONE, "text"),
    ([_chunk("a", "stop")], AFTER_FINISH, "text"),
    ([_chunk("a", "length")], AFTER_FINISH, "truncated"),
    ([_chunk("a", "length"), _chunk(None, "stop"), b"[DONE]"], AFTER_DONE, "truncated"),
    ([_chunk("a", "content_filter"), _chunk(None, "stop")], AFTER_FINISH, "content_filtered"),
    ([_chunk("a", "error"), _chunk(None, "stop")], AFTER_FINISH, "provider_unavailable"),
    ([_chunk("a", "stop"), {"error": "x"}], AFTER_DONE, "provider_unavailable"),
    ([_chunk("a", "stop"), {"object": "error", "message": "x"}, b"[DONE]"], AFTER_DONE, "provider_unavailable"),
]


@pytest.mark.parametrize("missing", [None, BROKE, LATE])
@pytest.mark.parametrize(("chunks", "patience", "code"), SIGNS)
def test_a_sign_of_the_end_counts_however_the_connection_ends(chunks, patience, code, missing):
    """Without one, what has begun is cut where the connection ended or broke, and late where the time was up."""
    outcome, waited, _ = _read(_stream(*chunks), missing=missing)
    assert waited == patience
    assert _code(outcome) == ("deadline_exceeded" if missing is LATE and patience is None else code)


@pytest.mark.parametrize("body", [b"", b": ping\n\n", _stream({"choices": []}), _stream(_chunk(""))])
def test_where_nothing_of_a_reply_came_the_connection_is_what_failed(body):
    for missing in (BROKE, LATE):
        assert _read(body, missing=missing)[0] == missing
        assert _read(body[:20], {}, missing=missing)[0] == missing


def test_a_whole_body_counts_whatever_became_of_its_connection_and_half_of_one_does_not():
    body = json.dumps({"choices": [{"message": {"content": "a"}}]}).encode()
    for missing in (None, BROKE, LATE):
        assert _read(body, {}, missing=missing)[:2] == (ModelText("a"), AFTER_DONE)
        outcome, patience, _ = _read(body[:-1], {}, missing=missing)
        assert (patience, _code(outcome)) == (None, str((missing or BROKE).code))


def test_the_headers_of_an_error_are_enough():
    for body in (b"", b"{", b'{"error": "x"}', b"<html>"):
        for missing in (None, LATE, BROKE):
            outcome, _, _ = _read(body, {"retry-after": "2"}, 429, missing)
            assert (outcome.code, outcome.wait) == ("rate_limited", 2.0)


# --- the same for both ------------------------------------------------------------------------------------------------


CONTENTS = {
    "text": ("a{}", "text"),
    "parts": ([{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "a{}"}], "text"),
    "texts": (["a", "{}"], "text"),
    "one part": ({"type": "text", "text": "a{}"}, "text"),
    "a part whose text is an object": ([{"type": "text", "text": {"value": "a{}"}}], "text"),
    "an object": ({"claims": []}, "text"),
    "a refusal": ([{"refusal": "no"}, {"type": "text", "text": "a{}"}], "model_refused"),
    "a refusal of its own": ({"type": "refusal", "refusal": "no"}, "model_refused"),
    "nothing": (None, "empty_reply"),
    "a number": (7, "empty_reply"),
}


@pytest.mark.parametrize("index", [0, 1, "0", "7", None, -1, True])
@pytest.mark.parametrize("kind", CONTENTS)
def test_whole_and_streamed_a_content_is_read_alike(kind, index):
    content, code = CONTENTS[kind]
    choice = {} if index is None else {"index": index}
    whole = json.dumps({"choices": [choice | {"message": {"content": content}, "finish_reason": "stop"}]}).encode()
    streamed = _stream(
        {"choices": [choice | {"delta": {"content": content}}]}, {"choices": [choice | {"finish_reason": "stop"}]}
    )
    outcome, _, heard = _read(streamed)
    assert outcome == _read(whole, {})[0]
    assert _code(outcome) == code
    assert heard in ("", getattr(outcome, "text", ""))


def test_the_choice_of_the_smallest_index_counts_wherever_it_stands_and_the_others_are_told():
    parts = {2: "c", 0: "a", 1: "b"}
    whole = {"choices": [{"index": at, "message": {"content": text}} for at, text in parts.items()]}
    chunks = [
        {"choices": [{"index": at, "delta": {"content": text}, "finish_reason": "stop"}]} for at, text in parts.items()
    ]
    outcome, _, heard = _read(_stream(*chunks))
    assert outcome == _read(json.dumps(whole).encode(), {})[0]
    assert (outcome.text, heard) == ("a", "a")
    assert "3 choices" in outcome.detail


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        ([_chunk("ab"), _chunk("cd")], "abcd"),
        ([_chunk("ab"), {"choices": [{"message": {"content": "abcd"}, "finish_reason": "stop"}]}], "abcd"),
        ([_chunk(" ab"), _chunk("cd\n"), {"choices": [{"message": {"content": "abcd"}}]}], " abcd\n"),
        ([{"choices": [{"message": {"content": part}}]} for part in ('{"a', '": {"a', '": 1}}')], '{"a": {"a": 1}}'),
    ],
)
def test_a_message_that_repeats_all_that_came_before_adds_nothing_to_it(chunks, text):
    outcome, _, heard = _read(_stream(*chunks, b"[DONE]"))
    assert (outcome.text, heard) == (text, text)


def test_what_was_unusual_about_a_good_answer_is_told_in_words_of_our_own():
    def outcome(finish, **message):
        choice = {"message": {"content": "a", **message}, "finish_reason": finish}
        return _read(json.dumps({"choices": [choice]}).encode(), {})[0]

    def detail(finish, **message):
        return outcome(finish, **message).detail

    assert detail("stop") == ""
    for hostile in ("WEIRD_reason", "sk-CANARY-1", "two words", "x" * 31, 7, ["stop"], {"a": 1}):
        assert detail(hostile) == "an unusual finish_reason"
        kept = outcome(hostile).finish
        assert kept == ("WEIRD_reason" if hostile == "WEIRD_reason" else "")
    assert "1234 characters of reasoning" in detail("stop", reasoning="x" * 1234, reasoning_content="x" * 1234)


# --- floods -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [b"data:{}\n\n", b"data: x\n\n", b"{}\n"])
def test_events_without_end_are_not_read_on(unit):
    with pytest.raises(Unreadable):
        _read(b"data: {}\n\n" + unit * (MAX_EVENTS + 1))
    assert _code(_read(b"data: {}\n\n" + unit * 100)[0]) == "provider_unavailable"


@pytest.mark.parametrize("unit", [b"\r", b"\n", b"data: {\n\n", b": \r\n", b"id: 1\n"])
def test_a_flood_costs_no_more_than_its_length(unit):
    body = b"data: {}\n\n" + unit * (300_000 // len(unit))
    assert _code(_read(body, size=16_384)[0]) == "provider_unavailable"


@pytest.mark.parametrize("unit", [b"{", b"[", b"{},", b"1,", b'"",', b'"a":{},'])
def test_a_body_of_many_values_is_given_up_before_it_is_decoded(unit):
    with pytest.raises(Unreadable):
        _read(b'{"a":[' + unit * 250_000, {}, size=16_384)
    text = json.dumps({"choices": [{"message": {"content": unit.decode() * 250_000}, "finish_reason": "stop"}]})
    assert _read(text.encode(), {}, size=16_384)[0].text == unit.decode() * 250_000


@given(st.lists(st.sampled_from(['"', "\\", "{", "}", "[", "]", ",", "a", '"}', "é"]), max_size=30), st.integers(1, 7))
def test_the_end_of_a_body_is_where_json_says(parts, size):
    text = "".join(parts)
    body = json.dumps({"x": text}, ensure_ascii=False).encode()
    for end in range(1, len(body)):
        assert _read(body[:end], {}, size=size)[1] is None
    assert _read(body, {}, size=size)[1] == AFTER_DONE
