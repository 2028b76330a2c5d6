"""Selectors of style sheets, as far as they can be followed in a page that no script has run in.

A selector is read as its compounds (`p.note#x[lang]`), the last of which is the element itself and the others stand
somewhere around it. What is not followed (neighbours, places in a row, `:not`) is taken to hold, so that what such a
selector says of an element is a guess; what only holds under a pointer or for no element at all is dropped.
"""

import re
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name

_NAME: Final = r"(?:[\w\-\u0080-\U0010ffff]|\\.)+"
_TOKEN: Final = re.compile(
    rf"""(?P<at>\[\s*(?P<key>[\w:|-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?P<value>"[^"]*"|'[^']*'|[^\]\s]*)[^\]]*)?\])
    |(?P<part>[.#]{_NAME})|(?P<state>::?[\w-]+)|(?P<tag>{_NAME}|\*)|(?P<beside>\s*[+~]\s*)|(?P<gap>\s*>\s*|\s+)|.""",
    re.VERBOSE | re.DOTALL,
)
_INSIDE: Final = re.compile(r"\([^()]*\)")
_EITHER: Final = re.compile(r":(?:is|where|matches|-webkit-any|-moz-any)\(([^()]*)\)\s*\Z", re.IGNORECASE)
_HEX: Final = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_UNMET: Final = frozenset(
    {"hover", "focus", "active", "focus-within", "focus-visible", "visited", "target", "empty", "before", "after",
     "first-letter", "first-line", "selection", "placeholder", "marker", "placeholder-shown", "disabled", "invalid",
     "checked", "backdrop", "fullscreen"}
)  # fmt: skip
_LONGEST: Final = 500
"""Code points of a selector that are followed, from its end."""


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: its tag ("" for any), its `.class` and `#id` names, its attributes."""

    tag: str
    names: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.tag or self.names or self.attributes)

    def met_by(self, known: "Known") -> bool:
        return (
            (not self.tag or self.tag == known.tag)
            and self.names <= known.names
            and all(_has(known.element, *each) for each in self.attributes)
        )


@dataclass(frozen=True, slots=True)
class Guess:
    """An element and what must be around it, from the outside in."""

    subject: Compound
    around: tuple[Compound, ...] = ()
    needed: frozenset[str] = frozenset()
    """The tags and names of those around."""


@dataclass(frozen=True, slots=True)
class Known:
    """An element with its tag and names, read once for all selectors."""

    element: Element
    tag: str
    names: frozenset[str]


def known(element: Element) -> Known:
    names = {f".{name}" for name in element.get("class", "").split()}
    return Known(element, local_name(element).lower(), frozenset((*names, f"#{element.get('id', '')}")))


def stand_around(around: tuple[Compound, ...], line: list[Known]) -> bool:
    """Whether compounds, from the outside in, are met in this order in `line`, the nearest first."""
    at = 0
    for compound in reversed(around):
        while at < len(line) and not compound.met_by(line[at]):
            at += 1
        if at == len(line):
            return False
        at += 1
    return True


def guesses(selector: str) -> list[Guess]:
    """The elements that a selector may mean; none where it means a state that a page does not begin in."""
    selector = selector.strip()[-10 * _LONGEST :]
    either = _EITHER.search(selector)
    if either:
        return [
            guess
            for each in either[1].split(",")[:50]
            if each.strip()
            for guess in guesses(selector[: either.start()] + each.strip())
        ]
    for _ in range(5):
        selector, times = _INSIDE.subn("", selector)
        if not times:
            break
    if len(selector) > _LONGEST:  # what is furthest around is not asked for
        selector = selector[-_LONGEST:].partition(" ")[2] or selector[-_LONGEST:]
    compounds: list[Compound] = []
    tag, names, attributes, states = "", [], [], []  # type: tuple[str, list[str], list[tuple[str, str, str]], list[str]]
    for token in (*_TOKEN.finditer(selector), None):
        if token is not None and token["part"]:
            names.append(plain(token["part"]))
        elif token is not None and token["at"]:
            attribute = token["key"].lower(), token["op"] or "", (token["value"] or "").strip("\"'")
            _take(attribute, names, attributes)
        elif token is not None and token["state"]:
            states.append(token["state"].strip(":").lower())
        elif token is not None and token["tag"]:
            tag = plain(token["tag"]).lower().replace("*", "")
        elif token is None or token["gap"] or token["beside"]:
            if not _UNMET.isdisjoint(states):
                return []
            if token is None or not token["beside"]:
                compounds.append(Compound(tag, frozenset(names), tuple(attributes)))
            tag, names, attributes, states = "", [], [], []
    around = tuple(each for each in compounds[:-1] if not each.empty)
    subject = compounds[-1]
    if subject.empty and around:  # all that is in an element: the element itself
        subject, around = around[-1], around[:-1]
    needed = frozenset(name for each in around for name in (each.tag, *each.names) if name)
    return [Guess(subject, around, needed)]


def plain(name: str) -> str:
    """A name without its escapes."""
    return name.replace("\\", "")


def without_escapes(selector: str) -> str:
    """A selector whose escapes are but a sign before a character that is no letter."""
    return _HEX.sub(lambda found: _written(int(found[1], 16)), selector) if "\\" in selector else selector


def _take(attribute: tuple[str, str, str], names: list[str], attributes: list[tuple[str, str, str]]) -> None:
    key, op, value = attribute
    if key == "class" and op in ("=", "~=") and value and " " not in value:
        names.append(f".{value}")
    elif key == "id" and op == "=":
        names.append(f"#{value}")
    else:
        attributes.append(attribute)


def _has(element: Element, key: str, op: str, value: str) -> bool:
    own = element.get(key)
    if own is None or not op:
        return own is not None
    if op == "=":
        return own.lower() == value.lower()
    if op == "~=":
        return value in own.split()
    if op == "|=":
        return own == value or own.startswith(f"{value}-")
    return bool(value) and (
        (op == "^=" and own.startswith(value)) or (op == "$=" and own.endswith(value)) or (op == "*=" and value in own)
    )


def _written(code: int) -> str:
    sign = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return sign if sign.isalnum() or sign in "_-" else f"\\{sign}"
