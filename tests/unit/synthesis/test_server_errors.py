"""What an error means: its numbers, its words, and how long to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.synthesis.fault import ALWAYS, Fault, ModelText
from verified_gate.synthesis.server_errors import ServerError, error_of, fault_of, read_error, told_plainly

SECONDS = [
    ({"error": {"message": "x", "details": [{"@type": "RetryInfo", "retryDelay": "2.5s"}]}}, 2.5),
    ({"error": {"message": "x", "details": [{"retryDelay": "soon"}, 7, {"retryDelay": 3}]}}, None),
    ({"error": {"message": "try again in 3s"}}, 3.0),
    ({"message": "wait 4 seconds"}, 4.0),
]


@pytest.mark.parametrize(("body", "seconds"), SECONDS)
def test_the_wait_is_found_where_the_body_tells_it(body, seconds):
    fault = fault_of(429, {}, read_error(body.get("error") or body), 0.0)
    assert (fault.code, fault.wait) == ("rate_limited", seconds)


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        ({"error": "x"}, True),
        ({"errors": ["x"]}, True),
        ({"object": "error"}, True),
        ({"success": False}, True),
        ({"message": "x", "code": 500}, True),
        ({"message": "x", "type": "InternalServerError"}, True),
        ({"choices": [], "msg": "x", "code": "429"}, True),
        ({"choices": None, "error_msg": "x"}, True),
        ({"status": "UNAVAILABLE"}, True),
        ({"message": "two are before you", "type": "queue", "code": 0}, False),
        ({"detail": "x"}, False),
        ({"choices": [{}], "message": "x"}, False),
        ({"choices": [{}], "error": None}, False),
        ({"choices": [{}], "error": {}}, False),
        ({"message": {"content": "x"}}, False),
        ({"usage": {}}, False),
        ({}, False),
    ],
)
def test_what_is_an_error_and_what_is_none(body, is_one):
    assert (error_of(body) is not None) is is_one


@pytest.mark.parametrize("phrase", ["too many tokens", "maximum context length is 5", "prompt is too long"])
@pytest.mark.parametrize("status", [400, 401, 402, 403, 422, 429, 500])
def test_words_speak_of_the_prompt_only_where_the_status_does_not_say_otherwise(phrase, status):
    said = str(fault_of(status, {}, error_of({"error": {"message": phrase}}), 0.0).code)
    account = {
        401: "provider_unavailable",
        402: "provider_unavailable",
        403: "provider_unavailable",
        429: "rate_limited",
    }
    assert said == account.get(status, "context_too_long")
    code = error_of({"error": {"message": "x", "code": "context_length_exceeded"}})
    assert fault_of(status, {}, code, 0.0).code == "context_too_long"


@pytest.mark.parametrize("status", [400, 500, 503])
@pytest.mark.parametrize(
    "phrase", ["too many tokens per minute", "Too many tokens, please wait", "too many tokens: try again in 1s"]
)
def test_too_many_tokens_in_a_time_are_no_long_prompt(phrase, status):
    assert fault_of(status, {}, read_error({"message": phrase}), 0.0).code == "provider_unavailable"


@pytest.mark.parametrize(
    ("code", "status", "outcome", "retry"),
    [
        ("rate_limit_exceeded", 200, "rate_limited", ALWAYS),
        ("RateLimitError", 200, "rate_limited", ALWAYS),
        ("ThrottlingException", 200, "rate_limited", ALWAYS),
        ("server_error", 200, "provider_unavailable", ALWAYS),
        ("UNAVAILABLE", 200, "provider_unavailable", ALWAYS),
        ("BadRequestError", 200, "provider_unavailable", 0),
        ("model_not_found", 200, "provider_unavailable", 0),
        ("a word that nobody knows", 200, "provider_unavailable", ALWAYS),
        ("invalid_request_error", 503, "provider_unavailable", ALWAYS),
        ("rate_limit_exceeded", 400, "provider_unavailable", 0),
    ],
)
def test_a_code_in_words_stands_for_a_status_where_there_is_no_other(code, status, outcome, retry):
    for name in ("code", "type", "status"):
        fault = fault_of(status, {}, error_of({"error": {"message": "x", name: code}}), 0.0)
        assert (str(fault.code), fault.retry) == (outcome, retry)


def test_a_page_says_nothing_and_a_line_of_text_does():
    assert told_plainly(b"<html>response_format</html>") == ServerError()
    assert fault_of(400, {}, told_plainly(b"response_format: NO"), 0.0).format_refused
    assert not fault_of(400, {}, told_plainly(b"<!doctype html> response_format"), 0.0).format_refused
    assert len(told_plainly(b"x" * 100_000).words) == 4_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["error", "message", "code", "type", "status", "detail", "details", "retryDelay", "param"]),
            inner,
        )
    ),
    max_leaves=20,
)


@given(
    st.dictionaries(st.sampled_from(["error", "errors", "message", "choices", "detail", "object"]), JSON),
    st.integers(200, 599),
)
def test_no_error_raises(body, status):
    assert isinstance(fault_of(status, {}, error_of(body) or ServerError(), 0.0), Fault | ModelText)
