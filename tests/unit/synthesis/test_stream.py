"""Server-sent events: the same events for any split of the bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.synthesis.fault import Unreadable
from verified_gate.synthesis.stream import MAX_EVENT, EventReader, is_stream


def _events(*chunks):
    reader = EventReader()
    events = [event for chunk in chunks for event in reader.feed(chunk)]
    return events + list(reader.feed(b"", last=True))


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


def test_a_bare_line_of_json_is_an_event_of_its_own_and_costs_its_neighbours_nothing():
    assert _events(b'data: a\n{"error": 1}\n\ndata: b\n\n') == [("bare", '{"error": 1}'), ("", "a"), ("", "b")]


@given(
    st.lists(
        st.sampled_from(["data: é😀", "data:", "data: x", ": c", "event: e", "", "", "\ufeffdata: y", "{é}"]),
        max_size=8,
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(0, 80)),
)
def test_the_same_bytes_give_the_same_events_wherever_they_are_split(lines, end, cuts):
    body = end.join(lines).encode()
    places = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    parts = [body[start:stop] for start, stop in zip(places, places[1:], strict=False)]
    assert _events(*parts) == _events(body)


@pytest.mark.parametrize("unit", [b"x", b"data: x\n", b"data:\n"])
def test_an_event_without_end_is_not_read_on(unit):
    long = unit * (2 * MAX_EVENT // len(unit) + 2)
    with pytest.raises(Unreadable):
        _events(*(long[at : at + 65_536] for at in range(0, 2 * len(long), 65_536)), unit * 2 * MAX_EVENT)
    whole = b"data: " + b"x" * (MAX_EVENT - 100) + b"\n\n"
    assert _events(whole * 3) == [("", "x" * (MAX_EVENT - 100))] * 3


STREAMS = [b"data: {}", b"data:{}", b"event: x", b": ping", b"id: 1", b"retry: 1", b"\xef\xbb\xbfdata: {}", b" \n: x"]
OTHERS = [b"{}", b"[]", b"<html>", b"", b"7", b"prose: x", b'"data": x']


@pytest.mark.parametrize("kind", ["", "application/json", "text/plain", "text/event-stream; charset=utf-8"])
def test_a_stream_is_known_by_its_first_bytes_and_by_its_type_only_where_those_say_nothing(kind):
    headers = {"content-type": kind}
    assert all(is_stream(headers, start) for start in STREAMS)
    typed = kind.startswith("text/event-stream")
    assert [is_stream(headers, start) for start in OTHERS] == [
        typed and start[:1] not in (b"{", b"[") for start in OTHERS
    ]


def test_the_data_of_events_is_json_or_nothing():
    assert json.loads(_events(b'data: {"a":\ndata: 1}\n\n')[0][1]) == {"a": 1}
