"""Numbers as a reader sees them: digits with their sign, separators, superscripts and fractions, and their unit."""

import re
from typing import Final

_FRACTIONS: Final = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u218f"
_NUMBER: Final = re.compile(rf"(?:(?<!\w)[-−+±])?[\d{_FRACTIONS}]+(?:[.,'’٫٬/:·\u202f\u2009\u00a0][\d{_FRACTIONS}]+)*")
_UNIT_AFTER: Final = re.compile(r"[ \u00a0\u202f\u2009]?([%‰‱٪％]|[$¢£¤¥€₠-⃏])")
_UNIT_BEFORE: Final = re.compile(r"([$¢£¤¥€₠-⃏])[ \u00a0\u202f\u2009]?\Z")


def numbers_in(text: str) -> set[tuple[str, str]]:
    """Each number with its sign, and the percent or currency sign that stands with it; also without the latter."""
    found = set()
    for match in _NUMBER.finditer(text):
        number = match.group().replace("−", "-")
        after = _UNIT_AFTER.match(text, match.end())
        before = _UNIT_BEFORE.search(text, max(0, match.start() - 2), match.start())
        unit = after or before
        found |= {(number, ""), (number, unit.group(1) if unit else "")}
    return found
