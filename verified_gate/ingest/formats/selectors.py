"""Selectors of style sheets, as far as they can be followed in a page that no script has run in.

A selector is read as its compounds (`p.note#x[lang]`), the last of which is the element itself and the others stand
around it. What is not followed (neighbours, `:has`) is taken to hold, and the selector is then not `exact`; what only
holds under a pointer, or for a part of an element that no words of the page stand in, is dropped.
"""

import functools
import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.states import in_language, is_checked, is_disabled

_NAME: Final = r"(?:[\w\-\u0080-\U0010ffff]|\\.)+"
_TOKEN: Final = re.compile(
    rf"""(?P<at>\[\s*(?P<key>(?:[\w*-]*\|(?!=))?[\w:-]+)\s*(?:(?P<op>[~|^$*]?=)\s*(?P<value>"[^"]*"|'[^']*'|[^\]\s]*)\s*(?P<flag>[is])?\s*)?\])
    |(?P<part>[.#]{_NAME})|(?P<pseudo>::[\w-]+)|(?P<state>:[\w-]+)(?:\((?P<of>[^()]{{0,99}})\))?|(?P<tag>{_NAME}|\*)
    |(?P<beside>\s*[+~]\s*)|(?P<inner>\s*>\s*)|(?P<gap>\s+)|.""",
    re.VERBOSE | re.DOTALL,
)
_PARTS: Final = re.compile(rf"[.#]{_NAME}")
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_NESTED: Final = re.compile(r"\(([^()]*)\((?:[^()]*)\)[^()]*\)")
"""A call in a call, of which the inner is left out."""
_OF_TREES: Final = re.compile(r"([\w)\]*-])?::(?:part\(\s*([\w-]{1,99})[^()]{0,99}\)|slotted\(([^()]{0,300})\))")
_EITHER: Final = re.compile(r":(?:is|where|matches|-webkit-any|-moz-any)\Z", re.IGNORECASE)
_HEX: Final = re.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_UNMET: Final = frozenset(
    {"hover", "focus", "active", "focus-within", "focus-visible", "visited", "target", "before", "after", "first-letter",
     "first-line", "fullscreen", "popover-open"}
)  # fmt: skip
"""Also the four that are parts of elements and may be written with one colon."""
_UNMET_INSIDE: Final = re.compile(
    r":(?:is|where)\((?:[^(),]|\([^(),]{0,50}\)){0,80}:(?:hover|focus|active|focus-within|focus-visible|target|visited)(?![\w-])"
    r"(?:[^(),]|\([^(),]{0,50}\)){0,80}\)"
)
"""One of the states that no page begins in, as all that a list asks."""
_PLACE: Final = re.compile(r"\s*(?:(odd|even)|([+-]?\d{0,6})n\s*([+-]\s*\d{1,6})?|([+-]?\d{1,6}))\s*\Z")
_LONGEST: Final = 500
"""Code points of a selector that are followed, from its end."""


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: its tag ("" for any), its `.class` and `#id` names, its attributes and states. `parent`:
    the next one, further in, stands right in it.
    """

    tag: str
    names: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    parent: bool = False

    @property
    def empty(self) -> bool:
        return not (self.tag or self.names or self.attributes or self.states)

    def met_by(self, known: "Known") -> bool:
        return (
            (not self.tag or self.tag == known.tag)
            and self.names <= known.names
            and all(_has(known.element, *each) for each in self.attributes)
            and all(_is(known, *each) for each in self.states)
        )


@dataclass(frozen=True, slots=True)
class Guess:
    """An element and what must be around it, from the outside in; `exact` where nothing else is asked."""

    subject: Compound
    around: tuple[Compound, ...] = ()
    needed: frozenset[str] = frozenset()
    """The tags and names of those around."""
    before: Compound | None = None
    """What stands before the element in its row: right before it where `parent` is set."""
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Known:
    """An element with its tag and names, read once for all selectors."""

    element: Element
    tag: str
    names: frozenset[str]


def known(element: Element, *, quirks: bool = False) -> Known:
    """`quirks`: names are known in small letters too, as pages without a document type have them."""
    names = {f".{name}" for name in class_names(element.get("class", ""))} | {f"#{element.get('id', '')}"}
    if quirks:
        names |= {name.lower() for name in names}
    return Known(element, local_name(element).lower(), frozenset(names))


def class_names(value: str) -> list[str]:
    """The names in a `class` attribute: not all that is white space to Python parts them."""
    return value.split() if value.isascii() and value.isprintable() else [*filter(None, _BLANKS.split(value))]


def folded(selector: str) -> str:
    """A selector with its classes and ids in small letters."""
    return _PARTS.sub(lambda found: found[0].lower(), selector)


def stand_around(around: tuple[Compound, ...], line: list[Known]) -> bool:
    """Whether compounds, from the outside in, are met in this order in `line`, the nearest first."""
    places: Iterable[int] = range(-1, 0)  # where the one further in may stand
    for compound in reversed(around):
        first = min(places) + 1
        tried = [at + 1 for at in places if at + 1 < len(line)] if compound.parent else range(first, len(line))
        places = [at for at in tried if compound.met_by(line[at])]
        if not places:
            return False
    return True


def stands_before(before: Compound, element: Element, *, quirks: bool = False) -> tuple[bool, int]:
    """Whether one of the elements before this one in its row is such, or the very next where that is asked; and how many
    were looked at.
    """
    most, count = 1 if before.parent else _MOST_BESIDE, 0
    for each in itertools.islice(element.itersiblings("{*}*", preceding=True), most):
        count += 1
        if before.met_by(known(each, quirks=quirks)):
            return True, count
    return False, count


def guesses(selector: str, *, exact: bool = True, inside: bool = False) -> list[Guess]:
    """The elements that a selector may mean; none where it means a state that a page does not begin in.

    `inside`: what is in an element (`.a *`) is asked for as that, and not as the element itself.
    """
    selector = selector.strip()[-10 * _LONGEST :]
    if "::" in selector:  # of shadow trees, which stand unfolded in the page
        selector = _OF_TREES.sub(_unfolded, selector)
    if "(" in selector and ":not(" not in selector and _UNMET_INSIDE.search(selector):
        return []
    if selector[-1:] == ")" and (either := _either(selector)):
        found = _of_either(*either, exact=exact)
        return found if inside else [_itself(each) for each in found]
    if selector.count("(") != selector.count(")"):
        return []  # no browser takes it
    for _ in range(5):
        selector, times = _NESTED.subn("(\x04)", selector)
        if not times:
            break
    exact = exact and "\x04" not in selector
    if len(selector) > _LONGEST:  # what is furthest around is not asked for
        selector, exact = selector[-_LONGEST:].partition(" ")[2] or selector[-_LONGEST:], False
    compounds: list[Compound] = []
    tag, names, attributes, states = "", [], [], []  # type: tuple[str, list[str], list[tuple[str, str, str]], list[tuple[str, str]]]
    before: Compound | None = None
    for token in (*_TOKEN.finditer(selector), None):
        if token is None or token["gap"] or token["inner"] or token["beside"]:
            sign = "" if token is None else token[0].strip()
            made = Compound(tag, frozenset(names), tuple(attributes), tuple(states), sign in ("+", ">"))
            exact = exact and (before is None or token is None)
            if sign in ("+", "~"):
                before = made
            else:
                compounds.append(made)
                before = before if token is None else None
            tag, names, attributes, states = "", [], [], []
        elif token["part"]:
            names.append(plain(token["part"]))
        elif token["at"]:
            exact = exact and token["flag"] != "s"
            attribute = (
                token["key"].lower().rpartition("|")[2],
                token["op"] or "",
                plain((token["value"] or "").strip("\"'")),
            )
            _take(attribute, names, attributes, folded=token["flag"] == "i")
        elif token["pseudo"] or (token["state"] and token["state"][1:].lower() in _UNMET):
            return []
        elif token["state"]:
            state = token["state"][1:].lower(), (token["of"] or "").strip()
            exact = exact and _followed(*state)
            states += [state] if _followed(*state) else []
        elif token["tag"]:
            tag = plain(token["tag"]).lower().replace("*", "")
        else:
            exact = False
    around = tuple(each for each in compounds[:-1] if not each.empty or each.parent)
    needed = frozenset(name for each in around for name in (each.tag, *each.names) if name)
    guess = Guess(compounds[-1], around, needed, before, exact)
    return [guess if inside else _itself(guess)]


def _itself(guess: Guess) -> Guess:
    """Where all is meant that is in an element: the element itself."""
    if not (guess.subject.empty and guess.around):
        return guess
    around = guess.around[:-1]
    needed = frozenset(name for each in around for name in (each.tag, *each.names) if name)
    return Guess(guess.around[-1], around, needed, None, exact=False)


def _either(selector: str) -> tuple[str, str, list[str]] | None:
    """What stands before a list of selectors at the end, the state that asks for one of them, and they; None where there
    is no such list, or one that is followed as a state of an element alone.
    """
    if selector.count("(") > _MOST_CALLS:
        return None
    depth, end, listed = 0, len(selector) - 1, list[str]()
    for at in range(len(selector) - 1, -1, -1):
        sign = selector[at]
        if sign == ")":
            depth += 1
        elif depth == 1 and sign in ",(":
            listed.append(selector[at + 1 : end].strip())
            end = at
        depth -= sign == "("
        if not depth:
            break
    state = _EITHER.search(selector, 0, end)
    if state is None or depth:
        return None
    before = selector[: state.start()]
    single = before and before[-1] not in _COMBINING
    if single and "(" not in selector[end + 1 :] and all(alone(each) is not None for each in listed):
        return None
    return before, state[0][1:].lower(), [each for each in reversed(listed) if each]


def _of_either(before: str, state: str, listed: list[str], *, exact: bool) -> list[Guess]:
    sure = not any("#" in each for each in listed)  # else all weigh what the heaviest does
    if (not before or before[-1] in _COMBINING) and all(alone(each) is not None for each in listed):
        return [guess for each in listed for guess in guesses(before + each, exact=exact and sure, inside=True)]
    wholes = guesses(f"{before}*" if not before or before[-1] in _COMBINING else before, exact=exact, inside=True)
    others = [guess for each in listed for guess in guesses(each, exact=state != "where" and sure, inside=True)]
    if len(wholes) * len(others) > _MOST_BOTH:
        return [replace(each, exact=False) for each in wholes]
    return [both for whole in wholes for other in others if (both := _both(whole, other))]


_COMBINING: Final = " >+~\t\n"
_MOST_CALLS: Final = 40
_MOST_BOTH: Final = 500
"""Selectors that one stands for; of more, what the list asks is taken to hold."""


def _each_alone(listed: str) -> bool:
    """Whether all selectors of a list ask something of the element alone."""
    return all(alone(each.strip()) is not None for each in listed.split(","))


def _both(whole: Guess, other: Guess) -> Guess | None:
    """An element that meets two selectors at once; what is around is asked by one of them only."""
    one, two = whole.subject, other.subject
    if one.tag and two.tag and one.tag != two.tag:
        return None
    subject = Compound(
        one.tag or two.tag, one.names | two.names, one.attributes + two.attributes, one.states + two.states, one.parent
    )
    kept = whole if whole.around or whole.before else other
    simple = not ((whole.around or whole.before) and (other.around or other.before))
    return Guess(subject, kept.around, kept.needed, kept.before, whole.exact and other.exact and simple)


def _unfolded(found: re.Match[str]) -> str:
    """What a selector for parts of shadow trees means where those stand in the page."""
    before = found[1] or ""
    return f'{before} [part~="{found[2]}"]' if found[2] else f"{before or 'slot'} {found[3]}"


def plain(name: str) -> str:
    """A name without its escapes, and with the signs that were set aside in it."""
    name = name.replace("\\", "")
    return name if name.isascii() else name.translate(_BACK)


PARTING: Final = "{}();,[]\"'>+~:.#*| \\"
"""Signs that part selectors, rules or declarations, unless they stand in a string or behind a stroke."""
SET_ASIDE: Final = {ord(sign): chr(0xFDD0 + place) for place, sign in enumerate(PARTING)}
"""What stands for them there, until a selector is read: no text has these."""
_BACK: Final = {ord(aside): chr(sign) for sign, aside in SET_ASIDE.items()}


def without_escapes(selector: str) -> str:
    """A selector whose escapes are but a sign before a character that is no letter."""
    return _HEX.sub(lambda found: _written(int(found[1], 16)), selector) if "\\" in selector else selector


def _take(
    attribute: tuple[str, str, str], names: list[str], attributes: list[tuple[str, str, str]], *, folded: bool
) -> None:
    key, op, value = attribute
    if key == "class" and op in ("=", "~=") and value and " " not in value and not folded:
        names.append(f".{value}")
        if op == "=":
            attributes.append(attribute)
    else:
        attributes.append((key, f"{op}i" if folded and op else op, value.lower() if folded else value))


def _has(element: Element, key: str, op: str, value: str) -> bool:
    own = element.get(key)
    if own is None or not op:
        return own is not None
    if op[-1] == "i":
        own, op = own.lower(), op[:-1]
    if op == "=":
        return own == value or (key not in ("class", "id") and own.lower() == value.lower())
    if op == "~=":
        return value in class_names(own)
    if op == "|=":
        return own == value or own.startswith(f"{value}-")
    return bool(value) and (
        (op == "^=" and own.startswith(value)) or (op == "$=" and own.endswith(value)) or (op == "*=" and value in own)
    )


_KINDS: Final = {"first-child": "nth-child", "last-child": "nth-last-child", "first-of-type": "nth-of-type",
                 "last-of-type": "nth-last-of-type"}  # fmt: skip
ANY_OF: Final = frozenset({"is", "matches", "-webkit-any", "-moz-any"})
"""States of what meets one selector of a list; `where` is one too, which weighs nothing."""
_NTH: Final = frozenset(_KINDS.values())


def _followed(name: str, of: str) -> bool:
    if name in _NTH:
        return _PLACE.match(of) is not None
    if name == "not" or (name in ANY_OF or name == "where"):
        return _each_alone(of)
    return name in _KINDS or name in _STATES


_STATES: Final = frozenset({"only-child", "only-of-type", "root", "lang", "link", "any-link", "checked",
                            "disabled", "empty", "host"})  # fmt: skip


def _is(known: Known, name: str, of: str) -> bool:
    """Whether an element is in a state that `_followed` knows."""
    element = known.element
    if name in ANY_OF or name == "where":
        return any(each is not None and each.met_by(known) for each in map(alone, map(str.strip, of.split(","))))
    if name == "not":
        return not any(each is not None and each.met_by(known) for each in map(alone, map(str.strip, of.split(","))))
    if name == "host":
        return next(element.iterchildren("{*}shadow-tree"), None) is not None
    if name == "root":
        return element.getparent() is None
    if name == "checked":
        return is_checked(element, known.tag)
    if name == "disabled":
        return is_disabled(element, known.tag)
    if name == "empty":
        return not len(element) and not element.text
    if name in ("link", "any-link"):
        return known.tag in ("a", "area") and element.get("href") is not None
    if name == "lang":
        return in_language(element, of)
    typed = name.endswith("of-type")
    if name.startswith("only-"):
        return _number(element, typed=typed, after=False) == 1 == _number(element, typed=typed, after=True)
    place = _number(element, typed=typed, after="last" in name)
    found = _PLACE.match("1" if name in _KINDS else of)
    if found is None:
        return True
    if found[4]:
        return place == int(found[4])
    step = 2 if found[1] else int(found[2] + "1") if found[2] in ("", "+", "-") else int(found[2])
    first = (1 if found[1] == "odd" else 0) if found[1] else int((found[3] or "0").replace(" ", ""))
    return place == first if not step else (place - first) % step == 0 and (place - first) // step >= 0


def _number(element: Element, *, typed: bool, after: bool) -> int:
    """The place of an element in its row, from 1."""
    kind = str(element.tag) if typed else "{*}*"
    return 1 + len(list(itertools.islice(element.itersiblings(kind, preceding=not after), _MOST_BESIDE)))


_MOST_BESIDE: Final = 2_000
"""Elements in a row that are counted."""


@functools.lru_cache(maxsize=1_000)
def alone(selector: str) -> Compound | None:
    """What a selector asks of an element alone; None where it asks more, or cannot be followed."""
    found = guesses(selector)
    if not found:  # a state that no page begins in
        return Compound("", frozenset(("#\x00",))) if selector else None
    only = found[0]
    alone = len(found) == 1 and only.exact and not only.around and only.before is None and not only.subject.empty
    return only.subject if alone else None


def _written(code: int) -> str:
    sign = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return sign if sign.isalnum() or sign in "_-" else f"\\{sign}"
