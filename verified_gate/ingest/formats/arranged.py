"""Where style sheets put an element in its line: set apart from its neighbours, raised or lowered; and what they write.

A box of its own (a block, a cell, a float, what is placed, an item of a flex box or grid) ends the words before it.
Digits that are raised or lowered are no digits of the number before them. Words that a sheet writes before or behind
an element are no text of the page, which no reader knows from those that are. Where it is not sure that a rule holds,
what it sets apart is set apart: words that stay apart are quoted one by one, those that ran together would be others.
"""

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain
from typing import Final, Literal, NamedTuple

from verified_gate.ingest.formats.declared import Declarations, declarations, put_in, settled
from verified_gate.ingest.formats.elements import BLOCKS, HEADINGS, PARTS_OF_TABLES, UNSEEN
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.formats.selectors import Guess, class_names, folded, guesses
from verified_gate.ingest.formats.sheets import SheetRule
from verified_gate.ingest.formats.visibility import Styles, Try
from verified_gate.ingest.formats.written import content_of, writes

Shift = Literal["", "raised", "lowered", "flat"]


class Place(NamedTuple):
    """`apart`: a box of its own, `out` one out of the line, which is nothing without words, `cell` one of a row. `items`: what stands in it
    is set apart, each from each; `contents`: it has no box, what stands in it stands in the one around. `before` and
    `after`: the `content` that sheets write.
    """

    apart: bool = False
    out: bool = False
    cell: bool = False
    items: bool = False
    contents: bool = False
    shift: Shift = ""
    wide: bool = False
    """A box in the line with room of its own, which no number goes on over."""
    initial: bool = False
    """A large letter at the side, which the word goes on behind."""
    before: str = ""
    after: str = ""


_IN_LINE: Final = ("inline", "ruby", "-webkit-inline", "contents", "none", "math", "inherit", "initial", "unset", "revert",
                   "unknown")  # fmt: skip
_SIDEWAYS: Final = frozenset({"left", "right", "inline-start", "inline-end"})
_PLACED: Final = frozenset({"absolute", "fixed"})
_LEVEL: Final = frozenset({"", "baseline", "0", "middle", "bottom", "text-bottom", "auto", "inherit", "initial", "unset",
                           "revert"})  # fmt: skip
_SHIFTING: Final = frozenset({"vertical-align", "font-variant-position", "font-variant", "baseline-shift", "top", "bottom",
                              "font-feature-settings"})  # fmt: skip
_NAMES: Final = _SHIFTING | {"display", "float", "position", "font-size"}
_BOXES_IN_LINE: Final = frozenset({"inline-block", "inline-table"})
_ROOM: Final = ("width", "margin", "margin-left", "margin-right", "padding", "padding-left", "padding-right")
_TELLS: Final = re.compile(
    r"display|float|position|vertical-align|font-variant|baseline-shift|font-feature", re.IGNORECASE
)
_PART: Final = re.compile(r"::?(before|after)\s{0,9}\Z", re.IGNORECASE)
_ANY: Final = "x-any"
"""Stands for any element while a selector is read: `guesses` takes none as what is around."""
_BARE: Final = re.compile(r"[-+\d.]*")
"""A number without a unit, which is no length."""
_BOXES: Final = frozenset({*BLOCKS, *HEADINGS, *PARTS_OF_TABLES, "table", "dialog"})
"""Elements that are boxes of their own whatever a sheet says."""
_LEFT_OUT: Final = UNSEEN | {"br", "option", "optgroup"}
_RAISED: Final = 0.15
"""Of the size of letters: small ones that stand so much higher or lower are no longer on the line."""
_FAR: Final = 0.3
"""Of the size of letters: any that stand so much higher or lower are not."""
_AWAY: Final = 1.5
"""Of the size of letters: what is moved so far stands in another line."""
_LARGE: Final = 24
"""Pixels: letters of half the size more than those of the text."""
_MOST_KNOWN: Final = 10_000
_MOST_RULES: Final = 20_000
_BUDGET: Final = 2_000_000
"""How often a rule may be looked at for an element; beyond, all is set apart that a rule may place."""
_MANY: Final = 8
"""Rules for elements of one name and class which are not tried anew for each that stands beside others."""
_COMBINED: Final = re.compile(r"[\s>+~]")
_LAST: Final = re.compile(r"([a-zA-Z][\w-]*)?((?:[.#][a-zA-Z_-][\w-]*)*)")
"""What the element itself must be, where a selector says it plainly."""
_NAMED: Final = re.compile(r"([.#])([\w-]+)")

_Key = tuple[str, str, str]
_Tries = tuple[Try, ...]
_Met = tuple[list[Try], tuple[int, ...], _Tries]


class Arranged:
    """What the sheets of a page say of the places of its elements, by tag, class and, where rules have one, id."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self.harmless: set[_Key] = set()
        """Tag and class, with no id, of elements that rules change nothing of: neither in what is seen, nor their place."""
        self.count = 0
        self.attributes: set[str] = set()
        """Of elements that are placed for them alone."""
        self._rules: dict[str, list[Try]] = {}
        self._unread: dict[str, list[tuple[SheetRule, str, str, int]]] = {}  # by a name that the element must have
        self._made: list[Try] = []
        self._names: dict[int, frozenset[str]] = {}  # of what each declares; of the part that it writes to
        self._setting: dict[tuple[int, str], frozenset[str]] = {}
        self._parts: dict[int, str] = {}  # of rules that write something: before or after
        self._attributed: dict[tuple[str, str | None], list[Try]] = {}  # by the attribute, and what it must be
        self._same: dict[object, tuple[list[Try], int]] = {}  # where a rule is that says what others say too
        self._ids: set[str] = set()
        self._seen: dict[_Key, _Tries] = {}
        self._places: dict[tuple[str, tuple[int, ...]], Place | None] = {}
        self._beside: dict[int, _Met] = {}  # what rules met the children of the parent asked for last
        self._parent: Element | None = None
        self._near = copy(styles)  # it knows what that knows, and what it looks at is no cost of what is seen
        self._left = _BUDGET
        for sheet in styles.sheets:
            for rule in sheet:
                if not _NAMES.isdisjoint(rule.declared) or "content" in rule.declared:
                    self._take(rule)

    def _take(self, rule: SheetRule) -> None:
        if rule.selector[:1] == "@" or rule.holds in ("never", "dark") or self.count >= _MOST_RULES:
            return
        selector, part = folded(rule.selector) if self.styles.quirks else rule.selector, ""
        if ":" in selector and (found := _PART.search(selector)):
            selector, part = selector[: found.start()], found[1].lower()
            if "content" not in rule.declared:
                return
        elif _NAMES.isdisjoint(rule.declared):
            return
        self.count += 1
        last = _LAST.fullmatch(_COMBINED.split(selector)[-1]) if len(selector) < 300 else None
        if last is None or not last[0]:
            self._read(rule, selector, part, self.count)
            return
        names = [f"{sign}{name}" for sign, name in _NAMED.findall(last[2])]
        self._ids.update(name for name in names if name[0] == "#")
        self._unread.setdefault(min(names, default=(last[1] or "").lower()), []).append(
            (rule, selector, part, self.count)
        )

    def _read(self, rule: SheetRule, selector: str, part: str, place: int) -> None:
        """Follow a rule's selector, which most never need: no element has their names."""
        selector = selector.rstrip() if selector.rstrip()[-1:] not in (">", "+", "~", "") else f"{selector} *"
        if selector[-1:] == "*":
            selector = f"{selector[:-1]}{_ANY}"
        for guess in guesses(selector):
            if guess.subject.tag == _ANY:
                guess = replace(guess, subject=replace(guess.subject, tag=""))  # noqa: PLW2901
            subject = guess.subject
            compounds = (subject, *guess.around)
            names = [name for each in compounds for name in each.names]
            self._ids.update(name for name in subject.names if name[0] == "#")
            ids = sum(name[0] == "#" for name in names)
            others = len(names) - ids + sum(len(each.attributes) + len(each.states) for each in compounds)
            tags = sum(bool(each.tag) for each in compounds)
            weight = self.styles.layers.place(rule.layer), ids, others, tags, place
            exact = guess.exact and rule.holds != "maybe"
            declared = rule.declared
            if not (subject.tag or subject.names or part):  # of any element: only what sets it apart for sure
                declared = {name: value for name, value in declared.items() if value not in _BOXES_IN_LINE}
            made = Try(guess, declared, weight, hiding=False, exact=exact, plain=True)
            self._made.append(made)  # so that no other has its `id`
            self._names[id(made)] = frozenset((part,) if part else settled(declared))
            if part:
                self._parts[id(made)] = part
            if subject.names or subject.tag or not subject.attributes:
                rules = self._rules.setdefault(min(subject.names, default=subject.tag), [])
            elif _sets("", part, declared):
                key, op, value = subject.attributes[0]
                self.attributes.add(key)
                rules = self._attributed.setdefault((key, value.lower() if op in ("=", "=i") else None), [])
            else:
                continue
            says = guess, part, exact, weight[0], tuple(declared.items())
            before, at = self._same.setdefault(says, (rules, len(rules)))
            before[at : at + 1] = [made]  # the last overrules those that say the same

    def of(self, tag: str, element: Element, variables: Mapping[str, str]) -> Place | None:
        """Where the element stands; None where it stands as all of its name do."""
        style = element.get("style")
        tells = style is not None and _TELLS.search(style) is not None
        tried = self._tries(tag, element) if self.count else ()
        if not (tells or tried):
            return None
        found = self._met(element, tried)
        if found is None:
            return Place(apart=tag not in _BOXES and tag not in _LEFT_OUT, items=tag not in _LEFT_OUT)
        met, key = found[0], (tag, found[1])
        if not tells and key in self._places:
            return self._places[key]
        inline = declarations(style or "", quirks=self.styles.quirks) if tells else {}
        place = self._place(tag, met, inline, variables)
        if not tells and not any("var(" in value for each in met for value in each.declared.values()):
            if len(self._places) > _MOST_KNOWN:
                self._places.clear()
            self._places[key] = place
        return place

    @property
    def spent(self) -> bool:
        """Whether more rules are for more elements than can be looked at: what comes then is set apart."""
        return self._left < 0

    def forget(self) -> None:
        """Let go of the elements of a page."""
        self._parent = None
        self._beside.clear()
        self._near.forget()

    def _met(self, element: Element, tried: _Tries) -> _Met | None:
        """The rules that may be of an element, and which they are; None where too many would have to be looked at."""
        if not tried:
            return [], (), ()
        many = len(tried) > _MANY
        if many and (parent := element.getparent()) is not self._parent:
            self._parent, self._beside = parent, {}
        found = self._beside.get(id(tried)) if many else None
        if found is None or found[2] is not tried:
            self._left -= len(tried)
            if self._left < 0:
                return None
            met = self._near.among(tried, element)
            if self._near.spent:
                self._left = -1
                return None
            found = met, tuple(map(id, met)), tried
            if many and not any(_asks_more(each.guess) for each in tried):
                self._beside[id(tried)] = found
        return found

    def _tries(self, tag: str, element: Element) -> _Tries:
        own_id, quirks = f"#{element.get('id', '')}", self.styles.quirks
        own_id = own_id.lower() if quirks and own_id not in self._ids else own_id
        key = tag, element.get("class", ""), own_id if own_id in self._ids else ""
        tried = self._seen.get(key)
        if tried is None:
            own = frozenset((*(f".{name}" for name in class_names(key[1])), key[2] or "#"))
            own = own | {name.lower() for name in own} if quirks else own
            for name in (tag.lower(), *own):
                for unread in self._unread.pop(name, ()):
                    self._read(*unread)
            near = [rules for name in (tag.lower(), "", *own) if (rules := self._rules.get(name))]
            self._left -= sum(map(len, near))
            tried = tuple(near[0][:1]) if self._left < 0 and near else self._tried(key, own, near)
            if not tried and not key[2] and self.styles.of(tag, element).harmless:
                self.harmless.add((tag, key[1], ""))
        if self.attributes and (names := self.attributes.intersection(element.keys())):
            of = [
                self._attributed.get((name, value), ())
                for name in names
                for value in (None, element.get(name, "").lower())
            ]
            return (*tried, *chain.from_iterable(of))
        return tried

    def _tried(self, key: _Key, own: frozenset[str], near: Sequence[Sequence[Try]]) -> _Tries:
        """The rules that may place elements of a tag, class and id."""
        tag = key[0]
        tried = tuple(
            each
            for each in chain.from_iterable(near)
            if each.guess.subject.tag in ("", tag.lower()) and each.guess.subject.names <= own
        )
        kind = "box" if tag in _BOXES or tag in _LEFT_OUT else tag if tag in ("sup", "sub") else ""
        telling = frozenset[str]().union(*{self._sets(each, kind) for each in tried})
        tried = tuple(each for each in tried if telling and not telling.isdisjoint(self._names[id(each)]))
        if len(self._seen) > _MOST_KNOWN:
            self._seen.clear()
        self._seen[key] = tried
        return tried

    def _sets(self, rule: Try, kind: str) -> frozenset[str]:
        """What a rule may set of elements of a kind; asked of all that have its names."""
        key = id(rule), kind
        found = self._setting.get(key)
        if found is None:
            tag = "p" if kind == "box" else kind
            found = self._setting[key] = _sets(tag, self._parts.get(id(rule), ""), rule.declared)
        return found

    def _place(self, tag: str, met: Sequence[Try], inline: Declarations, variables: Mapping[str, str]) -> Place | None:
        parts: dict[str, list[Try]] = {"": [], "before": [], "after": []}
        for each in sorted(met, key=lambda one: one.weight):
            parts[self._parts.get(id(each), "")].append(each)
        own = put_in(settled(*(each.declared for each in parts[""] if each.exact), inline), variables)
        place = placed(tag, own)
        if not all(each.exact for each in parts[""]):
            maybe = placed(tag, put_in(settled(*(each.declared for each in parts[""]), inline), variables))
            apart, items = place.apart or maybe.apart, place.items or maybe.items
            place = (place if place.apart else maybe)._replace(apart=apart, items=items, shift=place.shift)
        before, after = (content_of(each.declared for each in parts[part]) for part in ("before", "after"))
        place = place._replace(before=before, after=after)
        return place if any(place) else None


def _asks_more(guess: Guess) -> bool:
    """Whether a rule holds of some of equal elements in one parent only."""
    return bool(guess.subject.attributes or guess.subject.states or guess.before)


def placed(tag: str, declared: Declarations) -> Place:
    """Where an element with these declarations stands."""
    display = declared.get("display", "")
    sideways = declared.get("float", "") in _SIDEWAYS
    out = sideways or declared.get("position", "") in _PLACED
    block = bool(display) and not display.startswith(_IN_LINE)
    items = "flex" in display or "grid" in display
    if tag in _BOXES or tag in _LEFT_OUT:
        return Place(items=items and tag not in _LEFT_OUT, contents=display == "contents")
    if out or block:
        size = declared.get("font-size", "")
        large = size in ("xx-large", "xxx-large") or (_pixels(size, 0.16) or 0) >= _LARGE
        return Place(
            apart=True, out=out, cell=display == "table-cell" and not out, items=items, initial=sideways and large
        )
    shift, away = _shift(tag, declared) if display in ("", "inline", "inline-block") else ("", False)
    wide = display.startswith("inline-") and any(_pixels(declared.get(name, ""), 9) for name in _ROOM)
    return Place(apart=away, out=away, items=items, contents=display == "contents", shift=shift, wide=wide)


def _shift(tag: str, declared: Declarations) -> tuple[Shift, bool]:
    """How the element stands to the line, and whether it is moved away from it."""
    natural = tag in ("sup", "sub")
    if not natural and _SHIFTING.isdisjoint(declared):
        return "", False
    size = declared.get("font-size", "")
    small = _small(size)
    variant = f"{declared.get('font-variant-position', '')} {declared.get('font-variant', '')}"
    features = declared.get("font-feature-settings", "")
    if "super" in variant or ("sups" in features and "sups' 0" not in features.replace('"', "'")):
        return "raised", False
    if "sub" in variant.split() or ("subs" in features and "subs' 0" not in features.replace('"', "'")):
        return "lowered", False
    align = declared.get("vertical-align", "") or declared.get("baseline-shift", "")
    if align == "super" or (align in ("top", "text-top") and small):
        up = 0.4
    elif align == "sub":
        up = -0.2
    elif align in _LEVEL or align in ("top", "text-top"):
        up = {"sup": 0.4, "sub": -0.2}[tag] if natural and not align else 0.0
    else:
        up = 0.0 if _BARE.fullmatch(align) else (_pixels(align, 0.19) or 0.0) / 16
    if declared.get("position") == "relative":
        top, bottom = (_pixels(declared.get(side, ""), 0) for side in ("top", "bottom"))
        up += -top / 16 if top is not None else (bottom or 0.0) / 16
    if natural:
        if abs(up) < _RAISED:
            level = "" if small or not size else "flat"
            return level, False  # type: ignore[return-value]  # one of the four
        return ("raised" if up > 0 else "lowered"), False
    if abs(up) > _AWAY:
        return "", True
    if abs(up) < (_RAISED if small or align in ("super", "sub") else _FAR):
        return "", False
    return ("raised" if up > 0 else "lowered"), False


def _pixels(value: str, share: float) -> float | None:
    found = measures(value, share)
    return found[0] if found else None


def _small(size: str) -> bool:
    if size in ("smaller", "small", "x-small", "xx-small"):
        return True
    found = _pixels(size, 0.16)
    return found is not None and 0 < found < 15


def _sets(tag: str, part: str, declared: Declarations) -> frozenset[str]:
    """What these declarations, whatever others say, may change a place by: what must be known of other rules then."""
    if part:
        return frozenset((part,) if writes(declared.get("content", "")) else ())
    declared = settled(declared)
    if any("var(" in declared.get(name, "") for name in _NAMES):
        return _NAMES
    if tag in _BOXES or tag in _LEFT_OUT:
        return frozenset(("display",)) if any(placed(tag, declared)) else frozenset()
    if tag in ("sup", "sub"):
        return frozenset() if _NAMES.isdisjoint(declared) else _NAMES
    found = frozenset[str]()
    for names in (_DISPLAY, _FLOAT, _POSITION):
        if any(placed(tag, {name: declared[name] for name in names if name in declared})):
            found |= names - set(_ROOM)  # which counts in the rule that makes the box
    shifting = {name: declared[name] for name in _SHIFTING if name in declared}
    if shifting and any(placed(tag, {**shifting, "position": "relative", "font-size": "small"})):
        found |= _SHIFTING | {"position", "font-size"}
    return found


_DISPLAY: Final = frozenset({"display", *_ROOM})
_FLOAT: Final = frozenset({"float", "font-size"})
_POSITION: Final = frozenset({"position"})
