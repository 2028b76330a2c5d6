"""What of a page no reader sees: hidden by attributes, inline styles, and the rules of its own style sheets.

Two degrees. `GONE`: certainly not shown (`display: none`, `visibility: hidden`, `opacity: 0`, no size, moved off the
page), and left out of the text, so that what a page whispers to machines never reaches a model. `DOUBTFUL`: text in
the colour of its ground, and what is hidden only in some windows, by a rule too complex to be sure of, or by one that
another may overrule; it stays in the text and is marked, so that nothing a reader might see is lost in silence, and no
quote of it passes.

Sure are the rules of one element: `tag`, `.class`, `#id` and their compounds, that hold on every screen. All others
(`selectors`) are guesses: what hides by itself is a doubt wherever it may hold, and colours are those of most screens,
by day. Scripts do not run.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.formats.animations import Animations
from verified_gate.ingest.formats.colours import ink
from verified_gate.ingest.formats.declared import Declarations, declarations, settled
from verified_gate.ingest.formats.doubts import hides, may_show, tells
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.screens import Holds
from verified_gate.ingest.formats.selectors import (
    Guess,
    Known,
    class_names,
    folded,
    guesses,
    known,
    plain,
    stand_around,
    stands_before,
)
from verified_gate.ingest.formats.sheets import IN_QUIRKS, Sheet
from verified_gate.ingest.formats.sight import calm, is_legible
from verified_gate.ingest.formats.weights import NO_LAYER, Layers, Weight, is_of, repeated, weighs

_NAME: Final = r"(?:[\w\-\u0080-\U0010ffff]|\\.)+"
_SIMPLE: Final = re.compile(rf"([a-z][a-z0-9]*|\*)?((?:[.#]{_NAME})*)", re.IGNORECASE)
_PARTS: Final = re.compile(rf"[.#]{_NAME}")
_NAMELESS: Final = re.compile(r"(?<![^.,])-\d")
_MOST_KNOWN: Final = 10_000
_MOST_RULES: Final = 20_000
_MANY, _PUT_IN = 30, 20
"""Declarations of one element of which more count as tries, and how many one that is written by others counts for."""
_LOOK: Final = 4
"""Tries that one look at all that is declared of an element is worth."""
_BUDGET: Final = 5_000_000
"""How often a rule may be tried on an element; twenty thousand rules for one name, and elements without end, are more."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The declarations of one selector, which all of `names` (`.class`, `#id`) and `tag` must meet."""

    tag: str
    names: frozenset[str]
    declared: Declarations
    weight: Weight


@dataclass(frozen=True, slots=True)
class Try:
    """A rule that may hold: whether it hides by itself, whether it surely holds where its elements are, on most screens."""

    guess: Guess
    declared: Declarations
    weight: Weight
    hiding: bool
    exact: bool
    plain: bool
    """Nothing on a white ground is hidden by it, whatever else holds."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """What rules declare of an element; whether one that is not sure may say otherwise; whether, as it stands, it
    changes nothing in what is seen on a plain ground; and which others may be of it.
    """

    declared: Declarations
    contested: bool
    harmless: bool
    tries: tuple[Try, ...] = ()
    calm: bool = False
    """It changes nothing on any ground, if no other rule holds."""
    rules: tuple[Rule, ...] = ()
    legible: bool = False
    """It would be harmless, were not letters smaller than those around, if still to be read."""


_ON_MOST: Final = frozenset({"usual", "layered"})
_UNTRIED: Final = Ruled({}, contested=False, harmless=False)
_UNRULED: Final = Ruled({}, contested=False, harmless=True, calm=True)


class Styles:
    """The simple rules of style sheets, by one name each, and the names that rules too complex to follow may show."""

    def __init__(self, sheets: Sequence[Sheet] = ()) -> None:
        self.quirks = IN_QUIRKS in sheets
        """Whether the page has no document type: names of classes and ids are then one in capitals and small letters."""
        self.shrunk = False
        """Whether letters sized by those of the page may be tiny."""
        self.sheets: list[Sheet] = []
        self.count = 0
        """Of the rules taken."""
        self.layers = Layers()
        self._rules: dict[str, list[Rule]] = {}
        self._ids: set[str] = set()
        self._contested: set[str] = set()
        self._tries: dict[str, list[Try]] = {}
        self.attributes: set[str] = set()
        """Of elements that may be hidden for them alone."""
        self._attributed: list[Try] = []
        self._animations = Animations()
        self.registered: dict[str, tuple[str, bool]] = {}
        """Custom properties: their first value, and whether elements take them over from those around."""
        self._typed: dict[str, str] = {}  # the kinds of their values
        self._parent: Element | None = None
        self._line: list[Known] = []  # the parent and what it is in, where that was asked for
        self._known: dict[Element, Known] = {}
        self._names: dict[Element, frozenset[str]] = {}  # of each and of those around it
        self._own: dict[tuple[object, str, str], frozenset[str]] = {}  # by tag, class and, where rules have one, id
        self._around: dict[int, bool] = {}  # of the parent
        self._cascaded: list[tuple[Ruled, Sequence[Try], dict[str, str]]] = []  # the last two
        self._inked: tuple[Element | None, str] = None, ""
        self.held: tuple[Element | None, bool] = None, False
        """Of the parent asked for last: whether what is placed in it is placed by another element than the page."""
        self._left = _BUDGET
        self.spent = False
        """Whether more rules are for more elements than can be tried: what comes then is not known to be seen."""
        self._seen: dict[tuple[str, str, str], Ruled] = {}
        self.harmless: set[tuple[str, str, str]] = set()
        """Tag and class, with no id, of elements for which the rules were found to change nothing in what is seen."""
        for sheet in sheets:
            self.add(sheet)

    def add(self, sheet: Sheet) -> None:
        """Take the rules of a sheet; later ones win."""
        if any("-" in rule.layer for rule in sheet):  # one without a name is of this sheet alone
            own = f"{len(self.sheets)}-"
            sheet = [rule._replace(layer=_NAMELESS.sub(lambda found: own + found[0], rule.layer)) for rule in sheet]
        self.sheets.append(sheet)
        for selector, declared, holds, layer in sheet:
            if selector == "@layer":
                for name in layer.split(","):
                    self.layers.place(name.strip())
            elif selector[:1] == "@":
                self._take_apart(selector, declared)
            else:
                self._add(selector, declared, holds, self.layers.place(layer) if layer else NO_LAYER)

    def _take_apart(self, selector: str, declared: Declarations) -> None:
        """A frame of an animation, a registered property, or that the page is read as those of long ago."""
        kind, name, *frames = selector.split(" ") if " " in selector else (selector, "")
        if kind == "@property":
            self.registered[name] = declared.get(name, "initial"), declared.get("inherits") != "false"
            self._typed[name] = declared.get("syntax", "*").strip("\"'")
        else:
            self._animations.take(name, frames, declared)

    def typed(self, declared: Declarations) -> Declarations:
        """Without what is no value of a registered custom property, as far as that is certain."""
        bad = [
            name for name, value in declared.items() if not is_of(value, self._typed.get(name.removeprefix("!"), "*"))
        ]
        return {name: value for name, value in declared.items() if name not in bad} if bad else declared

    def animated(self, declared: Declarations) -> bool:
        """Whether an animation may leave the words unseen."""
        return self._animations.may_hide(declared)

    def animated_grounds(self, declared: Declarations) -> frozenset[str]:
        """The grounds that an animation gives an element, `CLEAR` where it takes away its own."""
        return self._animations.grounds(declared)

    def _add(self, selector: str, declared: Declarations, holds: Holds, layer: tuple[float, ...]) -> None:
        selector = folded(selector) if self.quirks else selector
        simple = _SIMPLE.fullmatch(selector)
        parts = [plain(name) for name in _PARTS.findall(selector)]
        self._ids.update(name for name in parts if name[0] == "#")
        if not selector or self.count >= _MOST_RULES:
            return
        if not simple or holds != "always":
            if may_show(declared):
                self._contested.update(parts, (selector.lower(),) if simple and not parts else ())
            certain = {name: value for name, value in declared.items() if "var(" not in value}
            hiding = hides(certain) or self.animated(certain)  # the rest is judged where the variables are known
            shows = (holds in _ON_MOST or "[hidden" in selector) and declared.get("display", "none") != "none"
            if hiding or shows or (holds != "dark" and (not calm(declared) or tells(declared))):
                self._try(selector, declared, holds, layer, hiding=hiding)
            return
        self.count += 1
        names = frozenset(parts)
        tag = (simple[1] or "").lower().replace("*", "")
        rule = Rule(tag, names, declared, self._weight(names, tag, layer, len(parts) - len(names)))
        self._rules.setdefault(min(names, default=tag), []).append(rule)

    def _weight(self, names: Iterable[str], tag: str, layer: tuple[float, ...], others: int = 0) -> Weight:
        ids = sum(name[0] == "#" for name in names)
        return layer, ids, sum(name[0] != "#" for name in names) + others, bool(tag), self.count

    def _try(
        self, selector: str, declared: Declarations, holds: Holds, layer: tuple[float, ...], *, hiding: bool
    ) -> None:
        for guess in guesses(selector):
            self.count += 1
            subject = guess.subject
            self._ids.update(name for name in subject.names | guess.needed if name[0] == "#")
            compounds = (subject, *guess.around, *((guess.before,) if guess.before else ()))
            ids, names, tags = weighs(compounds)
            weight = layer, ids, names + repeated(selector), tags, self.count
            found = Try(
                guess,
                declared,
                weight,
                hiding,
                guess.exact and holds not in ("maybe", "dark"),
                calm(declared, plain=True) and not tells(declared),
            )
            if subject.names or subject.tag:
                self._tries.setdefault(min(subject.names, default=subject.tag), []).append(found)
            elif subject.attributes:
                self._attributed.append(found)
                self.attributes.add(subject.attributes[0][0])
            else:
                self._tries.setdefault("", []).append(found)

    def forget(self) -> None:
        """Let go of the elements of a page, and with them of all of it; what rules say of others stays known."""
        self._parent, self._line, self._around = None, [], {}
        self._inked, self.held = (None, ""), (None, False)
        self._known.clear()
        self._names.clear()

    def met(self, ruled: "Ruled", element: Element) -> list[Try]:
        """The rules that may be of an element beside the sure ones."""
        tried = (*ruled.tries, *self._attributed) if self._attributed and not self.spent else ruled.tries
        return self.among(tried, element) if tried else []

    def among(self, tried: Sequence[Try], element: Element) -> list[Try]:
        """Those of the rules `tried`, whose names the element has, that may be of it."""
        own = None
        found: list[Try] = []
        if self.spent:
            return found
        self._charge(len(tried))
        for each in tried:
            subject, guess = each.guess.subject, each.guess
            if not self._placed(guess, element.getparent()):  # known for all that stand beside it
                continue
            if subject.attributes or subject.states:  # without, `of` has met all of the subject
                own = own or known(element, quirks=self.quirks)
                if not subject.met_by(own):
                    continue
            if guess.before is not None:
                before, looked = stands_before(guess.before, element, quirks=self.quirks)
                self._charge(1 + 2 * looked)
                if not before:
                    continue
            found.append(each)
        return found

    def ink_around(self, element: Element) -> str:
        """The colour that words around an element have by rules, "" where it is not known from them."""
        parent = element.getparent()
        if parent is None or parent is not self._inked[0]:
            self._inked = parent, self._ink_around(element)
        return self._inked[1]

    def _ink_around(self, element: Element) -> str:
        for each in element.iterancestors():
            found = self.declared_of(each).get("color", "")
            if found and found not in ("inherit", "unset"):
                return "" if "var(" in found else ink(found)
        return ""

    def declared_of(self, element: Element) -> Declarations:
        """All that is declared of an element, by rules as they may hold and by itself."""
        self._charge(_LOOK)
        ruled = self.of(local_name(element), element)
        inline = declarations(element.get("style", ""), quirks=self.quirks)
        return settled(self.cascade(ruled, self.met(ruled, element)), inline)

    def shrink(self) -> None:
        """The letters of the page itself are tiny: sizes by it (`rem`) are looked at."""
        self.shrunk = True
        self._seen.clear()
        self.harmless.clear()

    def cascade(self, ruled: "Ruled", met: Sequence[Try]) -> dict[str, str]:
        """What holds of an element with these rules, beside the sure ones."""
        for before, tried, found in self._cascaded:  # as of the element before, most often
            if ruled is before and met == tried:
                return found
        layers = [(rule.weight, rule.declared) for rule in ruled.rules]
        layers += [(each.weight, each.declared) for each in met]
        layers.sort(key=lambda each: each[0])
        found = settled(*(declared for _, declared in layers))
        if self.layers and any(name[0] == "!" for name in found):  # of what is `!important`, the first layer wins
            layers.sort(key=lambda each: (tuple(-place for place in each[0][0]), each[0][1:]))
            for _, declared in layers:
                for name, value in declared.items():
                    if name[0] == "!":
                        found[name] = found[name[1:]] = value
        self._charge(2 * len(layers))
        self._cascaded = [(ruled, met, found), *self._cascaded[:1]]
        return found

    def _placed(self, guess: Guess, parent: Element | None) -> bool:
        """Whether what a guess asks for stands around the children of `parent`; asked once for all of them."""
        if not guess.around or parent is None:
            return not guess.around
        if not guess.needed <= (self._names.get(parent) or self._names_around(parent)):
            return False
        if parent is not self._parent:
            self._parent, self._around, self._line = parent, {}, []
        found = self._around.get(id(guess))
        if found is None:
            if not self._line:
                outer = (parent, *parent.iterancestors())
                self._line = [self._known.get(each) or self._learnt(each) for each in outer]
            self._charge(len(self._line))
            found = self._around[id(guess)] = stand_around(guess.around, self._line)
        return found

    def _names_around(self, element: Element) -> frozenset[str]:
        """The tags and names of an element and of all that it is in."""
        line = []
        found = None
        outer: Element | None = element
        while outer is not None and found is None:
            line.append(outer)
            outer = outer.getparent()
            found = self._names.get(outer) if outer is not None else frozenset()
        if len(self._names) > _MOST_KNOWN or len(self._own) > _MOST_KNOWN:
            self._names.clear()
            self._own.clear()
        for each in reversed(line):
            found = self._names[each] = self._with_own(found or frozenset(), each)
        return found or frozenset()

    def _with_own(self, outside: frozenset[str], element: Element) -> frozenset[str]:
        """Names and those of an element, which most often are of others around too."""
        key = element.tag, element.get("class", ""), element.get("id", "") if self._ids else ""
        own = self._own.get(key)
        if own is None:
            learnt = known(element, quirks=self.quirks)
            own = self._own[key] = learnt.names | {learnt.tag}
            self._charge(len(own))
        self._charge(1)
        if own <= outside:
            return outside
        self._charge(len(outside))
        return outside | own

    def _learnt(self, element: Element) -> Known:
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        found = self._known[element] = known(element, quirks=self.quirks)
        self._charge(1 + len(found.names))
        return found

    def charge_for(self, declared: Declarations) -> None:
        """For the variables that an element has of these declarations, and for those that are registered."""
        if (many := len(declared) + len(self.registered)) > _MANY:
            self._charge(many + _PUT_IN * sum("var(" in value for value in declared.values()))

    def _charge(self, times: int) -> None:
        self._left -= times
        self.spent = self._left < 0

    def of(self, tag: str, element: Element) -> "Ruled":
        """What the rules say of an element."""
        if not self.count:
            return _UNRULED
        if self.spent:
            return _UNTRIED
        own_id = f"#{element.get('id', '')}"
        own_id = own_id.lower() if self.quirks and own_id not in self._ids else own_id
        key = tag, element.get("class", ""), own_id if own_id in self._ids else ""
        return self._seen.get(key) or self._of(*key)

    def _of(self, tag: str, classes: str, own_id: str) -> "Ruled":
        own = frozenset((*(f".{name}" for name in class_names(classes)), own_id or "#"))
        own = own | {name.lower() for name in own} if self.quirks else own
        self._charge(sum(len(self._rules.get(name, ())) for name in (tag, "", *own)))
        tried = [each for name in (tag.lower(), "", *own) for each in self._tries.get(name, ())]
        self._charge(len(tried))
        met = [
            rule
            for name in (tag, "", *own)
            for rule in self._rules.get(name, ())
            if rule.tag in ("", tag) and rule.names <= own
        ]
        met.sort(key=lambda rule: rule.weight)
        found = settled(*(rule.declared for rule in met))
        tries = tuple(
            each for each in tried if each.guess.subject.tag in ("", tag.lower()) and each.guess.subject.names <= own
        )
        by_page = self.shrunk and "rem" in found.get("font-size", "")
        as_it_is = not by_page and not tells(found)
        as_it_is = as_it_is and not self.animated_grounds(found)
        is_calm = as_it_is and calm(found) and shown(found) == "shown" and not self.animated(found)
        contested = not {tag, *own}.isdisjoint(self._contested)
        plain = as_it_is and calm(found, plain=True) and shown(found) == "shown" and not self.animated(found)
        harmless = plain and all(each.plain and not each.hiding for each in tries)
        legible = harmless
        if not harmless and is_legible(found.get("font-size", "")):
            others = {name: value for name, value in found.items() if name != "font-size"}
            legible = as_it_is and calm(others, plain=True) and shown(found) == "shown"
        ruled = Ruled(found, contested, harmless, tries, is_calm, tuple(met), legible)
        self._seen[tag, classes, own_id] = ruled
        if ruled.harmless and not own_id:
            self.harmless.add((tag, classes, own_id))
        return ruled
