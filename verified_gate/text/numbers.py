"""Numbers as a reader sees them: digits with their sign or operator, separators, exponents, fractions, and their unit."""

import re
from typing import Final
from unicodedata import category

_SCRIPTS: Final = [*map(chr, range(0xA2, 0x3400)), *map(chr, range(0xFD00, 0xFFF0)), *map(chr, range(0x1F100, 0x1F10D))]
_NUMERIC: Final = "".join(char for char in _SCRIPTS if category(char) in ("No", "Nl"))
_CURRENCY: Final = "$" + "".join(char for char in _SCRIPTS if category(char) == "Sc")
_GROUPING: Final = " \u00a0\u2002-\u200a\u202f"
_SPACE: Final = _GROUPING + "\n"
_SIGN: Final = "-+±∓−‐‑‒–﹣－＋⁺⁻˗➖➕"
_OPERATOR: Final = "<>~＜＞" + "".join(char for char in _SCRIPTS if category(char) == "Sm" and char not in "+±∓−⁺⁻＋|¬")
_DIGITS: Final = rf"[\d{_NUMERIC}]+"
_SCALE: Final = (
    r"(?:thousand|m(?:n|io|rd)|bn|[mbt]illi(?:on|ards?)s?|tsd|tausend|millionen|milliarden|millones|milioni|miliardi|miljoen"
    r"|miljard|crores?|lakhs?)(?!\w)"
)
_BEGINS, _ENDS = r"(?<![^\t\n])", r"(?![^\t\n])"
"""Of a cell."""
_NUMBER: Final = re.compile(
    rf"(?P<sign>(?<![\w%{_CURRENCY})\]])[{_SIGN}]|[−±∓][{_SPACE}]|[±∓]\t|[{_OPERATOR}]=?[{_SPACE}\t]?|{_BEGINS}[+＋]\t)?"
    rf"(?P<before>[{_CURRENCY}]|(?<!\d[{_GROUPING}])[{_CURRENCY}][{_SPACE}]|{_BEGINS}[{_CURRENCY}]\t)?"
    rf"(?P<minus>(?<=[{_CURRENCY}])[-−])?(?P<point>(?<!\w)[.,])?"
    rf"(?P<digits>\d{{1,3}}(?:[{_GROUPING}\n]\d{{3}})+(?!\d)|{_DIGITS}(?:(?:[.,'’٫٬/:·˙․‧、﹒﹐^×xX]|[*_`]{{1,9}}){_DIGITS})*(?:[{_GROUPING}]\d{{1,2}}[/⁄]\d{{1,2}}(?![\d/]))?(?:\t[⁰¹²³⁴-⁹]{{2}}{_ENDS})?)"
    rf"(?P<times>(?i:[{_SPACE}-]?{_SCALE}|\t{_SCALE}{_ENDS}|(?-i:[kKMGT])(?!\w)|e[-+]?\d+|[{_SPACE}]?[万萬億亿兆千百만억]))?"
    rf"(?P<after>[{_SPACE}]?[%‰‱٪％﹪]|\t[%‰‱٪％﹪]{_ENDS}|[{_CURRENCY}](?!\d)|[{_SPACE}][{_CURRENCY}](?![{_SPACE}]?\d)|\t[{_CURRENCY}](?![^\n]))?"
)
"""`2020 $30`, `500€ 30`: a currency sign is that of the number it touches; between two, apart from both (`2020 $ 30`), of none. A tab is the border of a cell; a cell of nothing but
a sign or a scale word belongs to the number beside it: `$`, `5`, `million`; so does `<`, but no dash, which stands for nothing at all; two raised digits may be its cents.
"""
_MINUSES: Final = str.maketrans(dict.fromkeys("−‐‑‒–﹣－", "-") | {"＋": "+", "＜": "<", "＞": ">"})
_SPACES: Final = re.compile(rf"[{_SPACE}\t]")
_BETWEEN_GROUPS: Final = re.compile(f"[{_GROUPING}]")


def numbers_in(text: str) -> set[tuple[str, str]]:
    """Each number with its sign or operator, and the percent or currency sign that stands with it; also without
    the latter. Numbers written as words are none. Digits on both sides of a line end may be one number or two: as a number with
    that line end they are none that a claim on one line can have. A tab parts two numbers, and a number from what is no unit alone.
    """
    found = set()
    for match in _NUMBER.finditer(text):
        sign, minus, point, digits, times = match.group("sign", "minus", "point", "digits", "times")
        signs = _SPACES.sub("", (sign or "") + (minus or "")).translate(_MINUSES)
        number = f"{signs}{point or ''}{_BETWEEN_GROUPS.sub(' ', digits).replace(chr(0x2019), chr(39))}{_SPACES.sub('', times or '').lower().lstrip('-')}"
        unit = _SPACES.sub("", match.group("after") or match.group("before") or "")
        found |= {(number, ""), (number, unit)}
    return found
