"""How long a server asks to wait, in every form seen: headers in seconds, milliseconds, durations and dates, or
only in the message. A value that is negative, not finite, longer than a month or no number is no value.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_CREDIBLE_WAIT = 31 * 24 * 3600.0
"""Seconds. Monthly quotas exist; what is longer is nonsense."""

_NUMBER = re.compile(r"\+?(\d{1,15}\.?|\d{0,15}\.\d{1,12})", re.ASCII)
_DURATION = re.compile(
    r"(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,9}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?", re.ASCII
)
_IN_MESSAGE = re.compile(
    r"\b(?:retry|again|wait)\b[^\d\n]{0,30}?(?<![-−.,\d])(\d{1,9}(?:\.\d{1,9})?)\s?"
    r"(ms|milliseconds?|minutes?|min|hours?|h|seconds?|secs?|s|m)(?![a-z])(\d{1,9}(?:\.\d{1,9})?s)?",
    re.ASCII | re.IGNORECASE,
)
_UNIT = {"ms": 0.001, "mi": 60.0, "m": 60.0, "h": 3600.0, "ho": 3600.0, "s": 1.0, "se": 1.0}
_MAX_MESSAGE = 2_000


def asked_wait(headers: Mapping[str, str], message: str, now: float) -> float | None:
    """Seconds to wait as asked by `headers` (names in lower case) or `message`; None where nothing usable is said.

    `now` is the wall clock in seconds since 1970; a `date` header goes before it, so that a date is read by the
    server's own clock.
    """
    served = _date(headers.get("date", ""))
    clock = now if served is None else served
    for seconds in _candidates(headers, message, clock):
        if seconds is not None and math.isfinite(seconds) and 0 < seconds <= MAX_CREDIBLE_WAIT:
            return seconds
    return None


def _candidates(headers: Mapping[str, str], message: str, clock: float) -> Iterator[float | None]:
    milliseconds = _number(headers.get("retry-after-ms", ""))
    yield None if milliseconds is None else milliseconds / 1000
    plain = headers.get("retry-after", "")
    yield _number(plain)
    yield _until(plain, clock)
    yield _in_message(message)
    yield _reset(headers, clock)


def _reset(headers: Mapping[str, str], clock: float) -> float | None:
    """The longest wait of the windows that are used up, or of all where none says that it is."""
    waits: list[float] = []
    used_up: list[float] = []
    for name, value in headers.items():
        if "ratelimit" not in name or "-reset" not in name:
            continue
        wait = _duration(value)
        if wait is None:
            number = _number(value)
            wait = _until(value, clock) if number is None else number
        if wait is not None and wait > MAX_CREDIBLE_WAIT:  # seconds or milliseconds since 1970
            wait = (wait / 1000 if wait > 100 * clock else wait) - clock
        if wait is None or not 0 < wait <= MAX_CREDIBLE_WAIT:
            continue
        waits.append(wait)
        if _number(headers.get(name.replace("-reset", "-remaining"), "")) == 0:
            used_up.append(wait)
    return max(used_up or waits, default=None)


def _number(value: str) -> float | None:
    """A number, quoted or not; of several equal headers, which arrive joined by commas, the first."""
    match = _NUMBER.fullmatch(value.strip()[:64].partition(",")[0].strip().strip('"'))
    return float(match[1]) if match else None


def _duration(value: str) -> float | None:
    """`172ms`, `1.5s`, `6m0s`, `1h30m`."""
    value = value.strip()[:64]
    match = _DURATION.fullmatch(value)
    if match is None or not value:
        return None
    hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000


def _in_message(message: str) -> float | None:
    """`Please retry after 33 seconds`, `try again in 1.5s`, `try again in 6m0s`."""
    match = _IN_MESSAGE.search(message[:_MAX_MESSAGE])
    if match is None:
        return None
    unit = match[2].lower()
    seconds = float(match[1]) * (_UNIT["ms"] if unit.startswith(("ms", "mil")) else _UNIT[unit[:2]])
    return seconds + (float(match[3][:-1]) if match[3] else 0.0)


def _until(value: str, clock: float) -> float | None:
    date = _date(value)
    return None if date is None else date - clock


def _date(value: str) -> float | None:
    """Seconds since 1970 of an HTTP date or an RFC 3339 time."""
    value = value.strip()
    if not value or len(value) > 64:
        return None
    for parse in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = parse(value)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
    return None
