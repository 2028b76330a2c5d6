"""Every form in which a server asks to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.synthesis.waiting import MAX_CREDIBLE_WAIT, asked_wait

NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "86400"}, 86400),
        ({"retry-after": "Tue, 14 Nov 2023 22:14:20 GMT"}, 60),
        ({"retry-after": "2023-11-14T22:13:50Z"}, 30),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "abc", "retry-after": "9"}, 9),
        ({"x-ratelimit-reset-requests": "172ms"}, 0.172),
        ({"x-ratelimit-reset-tokens": "6m0s"}, 360),
        ({"x-ratelimit-reset-requests": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-reset": "30"}, 30),
        ({"x-ratelimit-reset": "1700000030"}, 30),
        ({"x-ratelimit-reset": "1700000030000"}, 30),
        ({"anthropic-ratelimit-requests-reset": "2023-11-14T22:13:50Z"}, 30),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "9s"}, 9),
        (
            {
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-tokens": "9s",
            },
            1,
        ),
        ({"retry-after": "2", "x-ratelimit-reset-tokens": "9s"}, 2),
    ],
)
def test_headers(headers, seconds):
    assert asked_wait(headers, "", NOW) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please retry after 33 seconds.", 33),
        ("please try again in 1.5s", 1.5),
        ("Please try again in 172ms.", 0.172),
        ("Try again in 6m0s.", 360),
        ("retry in 2 minutes", 120),
        ("You must wait 1 hour", 3600),
        ("please wait 5 sec", 5),
    ],
)
def test_messages(message, seconds):
    assert asked_wait({}, message, NOW) == pytest.approx(seconds)
    assert asked_wait({"retry-after": "7"}, message, NOW) == 7


@pytest.mark.parametrize(
    "value",
    ["", "-1", "0", "abc", "nan", "inf", "1e5", "1_0", "٣", "99999999999", "9" * 5_000, "Tue, 14 Nov 2023 22:13:20 GMT",
     "Tue, 14 Nov 1999 22:13:20 GMT", "Tue, 99 Foo 2023 22:13:20 GMT", "Tue, 14 Nov 9999 22:13:20 GMT", "5 apples", "None"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["retry-after", "retry-after-ms", "x-ratelimit-reset-requests"])
def test_nonsense_is_no_wait(name, value):
    if (name, value) != ("retry-after-ms", "99999999999"):
        assert asked_wait({name: value}, "", NOW) is None
    assert asked_wait({name: value, "retry-after": "3"} | ({"retry-after-ms": "3000"}), "", NOW) == 3


@pytest.mark.parametrize(
    "message", ["", "Please try again later.", "Limit 30000, used 29000.", "wait -5 seconds", "retry 5 apples"]
)
def test_a_message_without_a_wait_is_none(message):
    assert asked_wait({}, message, NOW) is None


def test_a_date_is_read_by_the_clock_of_the_server():
    headers = {"retry-after": "Tue, 14 Nov 2023 22:14:20 GMT", "date": "Tue, 14 Nov 2023 22:14:00 GMT"}
    assert asked_wait(headers, "", NOW) == 20
    assert asked_wait(headers | {"date": "yesterday"}, "", NOW) == 60


@given(
    st.dictionaries(
        st.sampled_from(["retry-after", "retry-after-ms", "date", "x-ratelimit-reset", "x-ratelimit-reset-a"]),
        st.text(),
    ),
    st.text() | st.from_regex(r"(retry|again|wait).{0,50}", fullmatch=True),
)
def test_no_header_and_no_message_raises_or_asks_for_nonsense(headers, message):
    wait = asked_wait(headers, message, NOW)
    assert wait is None or 0 < wait <= MAX_CREDIBLE_WAIT
