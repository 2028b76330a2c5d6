"""Style sheets of pages: their rules in order, each with when it holds; what they take in; frames of animations."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from verified_gate.ingest.formats.brackets import without_braces
from verified_gate.ingest.formats.declared import Declarations, declarations, unescaped
from verified_gate.ingest.formats.drawn_sheets import sheet_text
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.parts import of_element
from verified_gate.ingest.formats.quirks import in_quirks
from verified_gate.ingest.formats.screens import Holds, both, on_screen
from verified_gate.ingest.formats.selectors import SET_ASIDE, without_escapes
from verified_gate.ingest.formats.shadows import in_shadow, inert, unfold_shadows
from verified_gate.ingest.formats.sight import as_colour, is_dark
from verified_gate.ingest.formats.standing_by import STANDING_BY, set_apart, tell_repeated

_LOOKED_AT: Final = ("style", "link", "template", *STANDING_BY)
_IN_XML: Final = tuple(f"{{*}}{name}" for name in _LOOKED_AT)
_SHEETED: Final = ("{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}")
_CSS: Final = "text/css"
_BRACES: Final = re.compile(r"[{}]")
_ASIDE: Final = re.compile(
    r"""((?:/\*.*?(?:\*/|\Z))++|<!--|-->|\\[{}();,\[\]"'])|("[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)"""
    r"""|(?<![\w-])url\((?!\s*["'])((?:[^)\\]|\\.)*)\)?""",
    re.DOTALL | re.IGNORECASE,
)
_IMPORT: Final = re.compile(
    r"""@import\s{0,9}(?:url\(\s{0,9})?(?:"([^"]{1,9999})"|'([^']{1,9999})'|([^"'\s();]{1,9999}))\s{0,9}\)?([^;{}]{0,200})""",
    re.IGNORECASE,
)
_ENCLOSED: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ENCLOSING: Final = re.compile(r"[(\[][^()\[\]]*[{}]")
_IN_ERROR: Final = "@in-error"
_AT: Final = ("", "@")
_COMBINED: Final = re.compile(r"[^\s,]\s+[^\s,]|[>+~():]")
_GLUED: Final = re.compile(r"[\w*\])-]&")
"""Rules in rules, that ask something more of the same element before those around."""
_NO_NAME: Final = re.compile(r"[^\w-]")
_SET_ASIDE: Final = {ord(","): "\x01", ord("("): "\x02", ord(")"): "\x03"}
_PARTING: Final = re.compile(r"[{};,]")
_PARTING_SELECTORS: Final = re.compile(r"[{};,()\[\]\\]")
_OF_ATTRIBUTE: Final = re.compile(r"\[[^\[\]{};,()\"']{1,90}=\s{0,9}\Z")
_WRITES: Final = re.compile(r"content\s{0,9}:[^{};]{0,60}\Z", re.IGNORECASE)
_BACK: Final = {1: ",", 2: "(", 3: ")"}
_DEEPEST: Final = 50
"""Rules in rules."""
_SUPPORTED: Final = re.compile(
    r"not\s{0,9}\(\s{0,9}(?:display\s{0,9}:\s{0,9}(?:inline-)?(?:grid|flex|block|contents|flow-root)"
    r"|position\s{0,9}:\s{0,9}(?:-webkit-)?sticky|(?:object-fit|gap|aspect-ratio|width|color|inset|filter)\s{0,9}:[^()]{0,99})\s{0,9}\)"
)
_FRAMES: Final = re.compile(
    r"""@(?:-webkit-|-moz-)?keyframes\s{0,9}(?:"([^"]{1,100})"|'([^']{1,100})'|(?<=\s)([^\s{"']{1,100}))""",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(r"@layer\s{1,9}([^;{}]{1,2000})", re.IGNORECASE)
_NEVER_BY_DAY: Final = frozenset({"never", "dark"})
_MAY_BE_LAYERED: Final = frozenset({"layered", "maybe", "dark"})
_PROPERTY: Final = re.compile(r"@property\s{1,9}(--[^\s{]{1,100})", re.IGNORECASE)


class SheetRule(NamedTuple):
    """One selector of a style sheet, what is declared for it as far as it may hide something, and when that holds.

    Frames of animations have the selector `@keyframes name from`, registered properties `@property --name`.
    """

    selector: str
    declared: Declarations
    holds: Holds = "always"
    layer: str = ""
    """The name of the layer that it is in, with the names of those around; `@layer` alone tells of names in their order."""


Sheet = Sequence[SheetRule]
_LINKS: Final[Sheet] = (SheetRule("a:any-link", {"color": "#0000ee"}, "layered", "browsers"),)
"""What browsers themselves say of links, below all that a page says."""
IN_QUIRKS: Final[Sheet] = (SheetRule("@quirks", {}),)
"""Stands before the sheets of a page without a document type."""


def parse_sheet(text: str, *, holds: Holds = "always", quirks: bool = False) -> Sheet:
    """The rules of a style sheet that may hold on a screen. Work is linear in the sheet.

    `quirks`: of a page without a document type, as `declarations` has it.
    """
    return tuple(_written(text, holds, quirks=quirks))


def _written(text: str, holds: Holds, *, quirks: bool) -> Iterator[SheetRule]:
    for selectors, declared, when, layer in _rules(text, quirks=quirks):
        each = [selectors] if selectors[0] == "@" else _parted(selectors)
        certain = both(holds, when)
        if len(each) > 1:
            if not all(map(str.strip, each)):
                continue  # no browser takes any of them
            if ":" in selectors and not all(map(_is_known, _PSEUDO.findall(selectors))):
                certain = both(certain, "maybe")
        for written in each:
            selector = without_escapes(written.strip())
            yield SheetRule(selector, declared, certain, layer)
            if ":" in selector and (whole := of_element(selector, declared)):
                yield SheetRule(*whole, both(certain, "maybe"), layer)


def _is_known(found: tuple[str, str]) -> bool:
    """Whether browsers know a state, or part, of elements: one that they do not takes the whole rule with it."""
    colons, name = found[0], found[1].lower()
    if colons == "::":
        return name in _PARTS or name.startswith("-webkit-")
    return name in _STATES or name in _OLD_PARTS


_PSEUDO: Final = re.compile(r"(?<!\\)(::?)(-?[a-zA-Z][\w-]*)")
_OLD_PARTS: Final = frozenset({"before", "after", "first-line", "first-letter"})
_PARTS: Final = _OLD_PARTS | {"selection", "placeholder", "marker", "backdrop", "file-selector-button", "cue", "part", "slotted",
                              "highlight", "grammar-error", "spelling-error", "target-text", "details-content", "picker",
                              "picker-icon", "checkmark", "scroll-marker", "scroll-button", "column"}  # fmt: skip
_LISTED: Final = """
active any-link autofill buffering checked default defined dir disabled empty enabled first-child first-of-type focus
focus-visible focus-within fullscreen future has host host-context hover in-range indeterminate invalid is lang last-child
last-of-type link local-link modal muted not nth-child nth-last-child nth-last-of-type nth-of-type only-child only-of-type open
optional out-of-range past paused picture-in-picture placeholder-shown playing popover-open read-only read-write required root
scope seeking stalled state target target-within user-invalid user-valid valid visited volume-locked where -webkit-any
-webkit-any-link -webkit-autofill -webkit-full-screen
"""
_STATES: Final = frozenset(_LISTED.split())


def sheets_of(
    element: Element, fetch: Callable[[str], Sheet | None], holds: Holds, *, quirks: bool
) -> list[Sheet | None]:
    """What a `style` or `link` adds to the style of its page; `fetch` gives a sheet by its address, or None."""
    if local_name(element) == "style":
        text = sheet_text(element)
        return [*_taken_in(text, fetch), parse_sheet(text, holds=holds, quirks=quirks)]
    link = element.get("href", "").strip()
    if link[:5].lower() == "data:":
        text = _in_address(link)
        return [*_taken_in(text, fetch), parse_sheet(text, holds=both(holds, "maybe"), quirks=quirks)]
    found = fetch(link)
    if not found or holds == "always":  # the same sheet, that of the chapter before is known by it
        return [found]
    return [[rule._replace(holds=both(rule.holds, holds)) for rule in found]]


def gathered(
    root: Element, links: Sequence[str], fetch: Callable[[str], Sheet | None], lost: Counter[str]
) -> list[Sheet]:
    """All sheets of a page in their order, `links` being named outside of it; what is missing is told in `lost`.

    Shadow trees that the page declares are put in their places; their sheets may hold, or not.
    """
    shadows: list[Element] = []
    found = [fetch(link) for link in links]
    quirks, preferred = in_quirks(root), ""
    uses: list[Element] = []
    for element in root.iter(*(_LOOKED_AT if str(root.tag)[:1] != "{" else _IN_XML)):
        tag = local_name(element)
        if tag == "template":
            shadows.append(element)
        elif tag == "use":
            uses.append(element)
        elif tag not in ("style", "link"):
            set_apart(element, tag, lost)
        elif (holds := _when(element, tag, root)) != "never":
            shadow = in_shadow(element)
            if (title := element.get("title", "").strip()) and not shadow:
                preferred = preferred or _preferred(root) or title
                if title != preferred:
                    continue
            found += sheets_of(element, fetch, both(holds, "maybe" if shadow else "always"), quirks=quirks)
    if uses:
        tell_repeated(uses, lost)
    unfold_shadows(shadows)
    lost["style sheet{s} in other files"] += found.count(None)
    return [
        *([IN_QUIRKS] if quirks else []),
        *(_painted(root, lost) if any(found) else _painted(root, lost)[1:]),
        *(sheet for sheet in found if sheet is not None),
    ]


def _preferred(root: Element) -> str:
    """The title of the sheets that a page asks for; without, it is that of the first with a title."""
    return _said(root, "http-equiv", "default-style")


def _said(root: Element, kind: str, name: str) -> str:
    """What the `meta` of this name says in the head of a page."""
    head = root.find("{*}head")
    metas = () if head is None else head.iterchildren("{*}meta")
    said = [meta.get("content", "").strip() for meta in metas if meta.get(kind, "").lower() == name]
    return said[-1] if said else ""


def _when(element: Element, tag: str, root: Element) -> Holds:
    """When a `style` or `link` counts: not where it is of another kind, stands by, or stands where no browser reads it."""
    kinds = element.get("rel", "").lower().split() if tag == "link" else ["stylesheet"]
    if "stylesheet" not in kinds or "alternate" in kinds or (tag == "link" and element.get("disabled") is not None):
        return "never"
    if str(root.tag)[:1] == "{" and not str(element.tag).startswith(_SHEETED):
        return "never"  # in XML, of another kind of markup
    if (element.get("type") or _CSS).partition(";")[0].strip().lower() != _CSS:
        return "never"
    if next(element.iterancestors("{*}noscript", "{*}math"), None) is not None or inert(element):
        return "never"
    holds = on_screen(element.get("media", ""))
    return "maybe" if holds == "never" and element.get("onload") else holds  # a script will have it so


def _painted(root: Element, lost: Counter[str]) -> list[Sheet]:
    """The colours that a page is given by attributes of its body, as a sheet before all others."""
    bodies = root.findall("{*}body")
    if len(bodies) > 1:
        lost["second body"] = 1  # in XML alone
    kinds = (("text", "body"), ("link", "a"))
    rules = [
        SheetRule(tag, {"color": as_colour(body.get(name, ""))})
        for body in bodies
        for name, tag in kinds
        if body.get(name)
    ]
    if is_dark(scheme := _said(root, "name", "color-scheme").lower()):
        rules.append(SheetRule("html", {"color-scheme": scheme}))
    return [_LINKS, rules] if rules else [_LINKS]


def _taken_in(text: str, fetch: Callable[[str], Sheet | None]) -> list[Sheet | None]:
    found: list[Sheet | None] = []
    for link in imports(text) if "@" in text else ():
        sheet = parse_sheet(_in_address(link)) if link[:5].lower() == "data:" else fetch(link)
        found.append(sheet and unsure(sheet))
    return found


def unsure(sheet: Sheet) -> Sheet:
    """A sheet that another takes in, which may be for some windows only."""
    return [rule._replace(holds=both(rule.holds, "usual")) for rule in sheet]


def _in_address(link: str) -> str:
    """The sheet that a `data:` address itself is."""
    kind, _, data = link.partition(",")
    content = unquote_to_bytes(data)
    if kind.lower().endswith(";base64"):
        try:
            content = base64.b64decode(content + b"==")
        except (binascii.Error, ValueError):
            return ""
    return content.decode("utf-8", "replace")


def _parted(selectors: str) -> list[str]:
    """The selectors of a list; a comma in brackets parts none."""
    if "(" not in selectors and "[" not in selectors:
        return selectors.split(",")
    for _ in range(3):
        selectors = _ENCLOSED.sub(lambda found: found[0].translate(_SET_ASIDE), selectors)
    return [each.translate(_BACK) for each in selectors.split(",")]


def imports(text: str) -> list[str]:
    """The addresses of the sheets that a sheet takes in, for screens."""
    found = [_IMPORT.match(text, at.start()) for at in re.finditer("@import", text, re.IGNORECASE)]
    return [each[1] or each[2] or each[3] for each in found if each and on_screen(each[4]) != "never"][:100]


def _rules(sheet: str, *, quirks: bool) -> Iterator[tuple[str, Declarations, Holds, str]]:
    sheet = _ASIDE.sub(_laid_aside, sheet)
    if sheet.count("(") != sheet.count(")") or _ENCLOSING.search(sheet):
        sheet = without_braces(sheet)
    sheet += "}" * min(max(sheet.count("{") - sheet.count("}"), 0), _DEEPEST)  # what is open at the end ends there
    at = 0
    heads: list[str] = [""]
    stray = False  # a brace that closes nothing makes the rule behind it none
    for brace in _BRACES.finditer(sheet):
        piece = sheet[at : brace.start()]
        at = brace.end()
        if brace[0] == "{":
            before, _, head = piece.rpartition(";")
            if len(heads) > 1:
                yield from _named(before, heads)
                if before.strip():  # what is declared before rules in a rule is overruled by them
                    yield from _made(heads, before, quirks=quirks)
            elif stray or (before.strip() and not all(each.lstrip()[:1] in _AT for each in before.split(";"))):
                head, stray = _IN_ERROR, False
            else:
                yield from _named(before, heads)
            head = head.strip()
            if head[:6].lower() == "@layer":
                head = f"@layer {head[6:].strip() or f'-{at}'}"
            heads.append(head)
            if head[:6] == "@layer" and _selector(heads)[1] not in _NEVER_BY_DAY:
                yield "@layer", {}, "always", _layer(heads)
            if len(heads) > _DEEPEST:
                return
        elif len(heads) > 1:
            yield from _named(piece, heads)
            yield from _made(heads, piece, quirks=quirks)
            heads.pop()
        else:
            stray = True
    yield from _named(sheet[at:], heads)


def _made(heads: list[str], body: str, *, quirks: bool) -> Iterator[tuple[str, Declarations, Holds, str]]:
    """The rule with this body, if it may hold."""
    registered = _PROPERTY.match(heads[-1])
    declared = _registered(registered[1], body) if registered else declarations(body, quirks=quirks)
    selector, holds = _selector(heads) if declared else ("", "never")
    layer = _layer(heads) if holds in _MAY_BE_LAYERED else ""
    if selector and holds != "never":
        yield selector, declared, holds, layer


def _named(text: str, heads: list[str]) -> Iterator[tuple[str, Declarations, Holds, str]]:
    """The layers that are named in their order, but have no rules there."""
    if "@" not in text or not (orders := _ORDERS.findall(text)) or _selector(heads)[1] in _NEVER_BY_DAY:
        return
    around = _layer(heads)
    for order in orders:
        names = (f"{around}.{name.strip()}" if around else name.strip() for name in order.split(","))
        yield "@layer", {}, "always", ",".join(names)


def _layer(heads: Sequence[str]) -> str:
    """The layer in which a rule stands, with the names of those around it."""
    return ".".join(head[6:].strip() for head in heads if head[:6] == "@layer")


def _registered(name: str, body: str) -> Declarations:
    """A property's first value, and whether elements take it over from those around."""
    found = dict(each.partition(":")[::2] for each in body.replace(" ", "").split(";"))
    first = found.get("initial-value", "initial").lower()
    return {name: first, "inherits": found.get("inherits", "true"), "syntax": found.get("syntax", "*")}


def _selector(heads: Sequence[str]) -> tuple[str, Holds]:
    """The whole selector of a rule in others, and when it holds."""
    selector, holds = "", "always"  # type: tuple[str, Holds]
    for head in heads[1:]:
        frames = _FRAMES.match(head)
        if frames:
            selector = f"@keyframes {as_name(frames[1] or frames[2] or frames[3])}"
        elif selector[:1] == "@":
            selector = f"{selector} {head.lower().replace(',', '|')}"
        elif _PROPERTY.match(head):
            selector = head
        elif head.startswith("@"):
            name, _, rest = head[1:].partition(" ")
            name, bracket, more = name.partition("(")
            holds = both(holds, _at(name.lower(), f"{bracket}{more} {rest}".strip()))
        elif selector:
            if head.count("&") > 9:
                return "", "never"
            single = "," in selector and not _COMBINED.search(selector)
            holds = both(holds, "maybe" if "," in selector and not single else "usual")
            around = f":is({selector})" if single or _GLUED.search(head) else selector
            selector = head.replace("&", around) if "&" in head else f"{around} {head}"
            if len(selector) > 5_000:
                return "", "never"
        else:
            selector = head
    return selector, holds


def _at(name: str, rest: str) -> Holds:
    if name == "media":
        return on_screen(rest)
    if name == "layer":
        return "layered"
    if name == "supports":
        return "never" if _SUPPORTED.fullmatch(rest.lower()) else "maybe"
    return "maybe" if name in ("container", "scope", "document", "-moz-document") else "never"


def as_name(written: str) -> str:
    """The name of an animation in one word."""
    return _NO_NAME.sub("-", unescaped(written).lower())


def _laid_aside(found: re.Match[str]) -> str:
    """A comment is none of the sheet; of a string or an address, what a sheet is parted by."""
    if found[3] is not None:
        return found[0] if not re.search(r"""[{};,"'(]""", found[3]) and found[0][-1] == ")" else "url()"
    quoted: str | None = found[2]
    if not quoted:
        if found[0][0] == "\\":
            return found[0][1].translate(SET_ASIDE)
        return "" if _within_compound(found) else " "
    if _PARTING_SELECTORS.search(quoted) and quoted[-1:] == quoted[0]:
        before = found.string[max(0, found.start() - 99) : found.start()]
        if _OF_ATTRIBUTE.search(before):
            return f'"{unescaped(quoted[1:-1]).translate(SET_ASIDE)}"'
    if not _PARTING.search(quoted):
        return quoted
    before = found.string[max(0, found.start() - 99) : found.start()]
    return _PARTING.sub("·", quoted) if _WRITES.search(before) else "''"  # a sign all the same, where it is shown


def _within_compound(comment: re.Match[str]) -> bool:
    """Whether a comment stands between parts of one selector, which it does not part."""
    before, after = (
        comment.string[max(0, comment.start() - 1) : comment.start()],
        comment.string[comment.end() : comment.end() + 2],
    )
    return (before.isalnum() or before in tuple("_-*)]")) and after[:1] in tuple(".#[:") and not after[1:].isdigit()
