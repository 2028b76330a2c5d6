"""Server-sent events: the same events for any split of the bytes, and the completion they make up."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.synthesis.stream import EventReader, assemble


def _events(*chunks):
    reader = EventReader()
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    return events + list(reader.feed(b"", last=True))


def _chunk(content=None, finish=None):
    return {"choices": [{"index": 0, "delta": {"content": content}, "finish_reason": finish}]}


def _stream(*chunks):
    return b"".join(
        b"data: " + (chunk if isinstance(chunk, bytes) else json.dumps(chunk).encode()) + b"\n\n" for chunk in chunks
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_ends_a_line(end):
    lines = [
        ": ping",
        "data: one",
        "data:two",
        "id: 7",
        "retry: 9",
        "strange",
        "",
        "event: error",
        "data: {}",
        "",
        "",
        "data: open",
    ]
    assert _events(end.join(lines).encode()) == [("", "one\ntwo"), ("error", "{}"), ("", "open")]


@given(
    st.lists(
        st.sampled_from(["data: é😀", "data:", "data: x", ": c", "event: e", "", "", "\ufeffdata: y"]), max_size=8
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(0, 80)),
)
def test_the_same_bytes_give_the_same_events_wherever_they_are_split(lines, end, cuts):
    body = end.join(lines).encode()
    places = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    parts = [body[start:stop] for start, stop in zip(places, places[1:], strict=False)]
    assert _events(*parts) == _events(body)


@given(st.binary(max_size=200) | st.text(alphabet='data:event \n\r{}[]"choices', max_size=200).map(str.encode))
def test_no_bytes_raise(body):
    assert isinstance(assemble(body), dict)


def test_pieces_are_put_together_and_the_end_is_known():
    whole = assemble(
        _stream(_chunk("a"), _chunk("b", "stop"), {"choices": [], "usage": {"prompt_tokens": 1}}, b"[DONE]")
    )
    assert whole["choices"] == [{"index": 0, "message": {"content": "ab"}, "finish_reason": "stop"}]
    assert whole["usage"] == {"prompt_tokens": 1}


@pytest.mark.parametrize(
    ("chunks", "finish"),
    [
        ([_chunk("a")], "length"),
        ([_chunk("a"), b"[DONE]"], None),
        ([_chunk("a", "stop")], "stop"),
        ([_chunk("a", "length")], "length"),
    ],
)
def test_a_stream_without_any_sign_of_its_end_is_cut(chunks, finish):
    assert assemble(_stream(*chunks))["choices"][0]["finish_reason"] == finish


def test_an_error_takes_the_place_of_what_came_before():
    assert assemble(_stream(_chunk("a"), {"error": {"code": 502}}, _chunk("b", "stop"))) == {"error": {"code": 502}}
    assert "error" in assemble(_stream(_chunk("a")) + b"event: error\ndata: overloaded\n\n")


def test_nothing_but_keep_alives_is_no_completion():
    assert assemble(b": ping\n\n: ping\n\ndata: ping\n\n") == {}


@pytest.mark.parametrize("unit", [b"data: x\n\n", b"data: x\n", b"\r", b"\n", b"x", b"data: {\n", b": \r\n"])
def test_a_flood_costs_no_more_than_its_length(unit):
    assert isinstance(assemble(unit * (4_000_000 // len(unit))), dict)
