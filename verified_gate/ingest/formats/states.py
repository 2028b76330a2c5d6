"""States of elements that selectors ask for, as a page begins in them: its language, and what is set in its forms."""

import re
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name

_XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_RANGE: Final = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^\s"',]+))\s*""")
_DISABLED: Final = frozenset({"button", "input", "select", "textarea", "optgroup", "option", "fieldset"})
_IN_FIELDSETS: Final = frozenset({"button", "input", "select", "textarea", "fieldset"})
_MOST_OPTIONS: Final = 2_000


def in_language(element: Element, ranges: str) -> bool:
    """Whether the language of an element is in one of a list of ranges, as `:lang()` names them."""
    around = (element, *element.iterancestors())
    told = (each.get("lang", each.get(_XML_LANG)) for each in around)
    own = next((each for each in told if each is not None), "").lower().split("-")
    return any(
        _is_in(own, "".join(filter(None, found.groups())).replace("\\", "").lower())
        for each in ranges.split(",")[:50]
        if (found := _RANGE.fullmatch(each))
    )


def _is_in(tags: list[str], wanted: str) -> bool:
    """Whether a language is in a range: RFC 4647, "Extended Filtering"."""
    first, *others = wanted.split("-")
    if first != tags[0] and (first != "*" or not tags[0]):
        return False
    at = 1
    for each in others:
        if each == "*":
            continue
        while at < len(tags) and tags[at] != each:
            if len(tags[at]) == 1:
                return False
            at += 1
        if at == len(tags):
            return False
        at += 1
    return True


def is_disabled(element: Element, tag: str) -> bool:
    """Whether a part of a form cannot be used: by itself, or for the `fieldset` or `optgroup` that it stands in."""
    if tag not in _DISABLED:
        return False
    if element.get("disabled") is not None:
        return True
    if tag == "option":
        group = element.getparent()
        return group is not None and local_name(group).lower() == "optgroup" and group.get("disabled") is not None
    inner = element
    for each in element.iterancestors() if tag in _IN_FIELDSETS else ():
        if each.get("disabled") is not None and local_name(each).lower() == "fieldset":
            first = next(each.iterchildren("{*}legend"), None)
            if first is None or first is not inner:
                return True
        inner = each
    return False


def is_checked(element: Element, tag: str) -> bool:
    """Whether a box is checked, or an option chosen, be it as the first of a list that shows but one."""
    if tag == "input":
        return element.get("checked") is not None and element.get("type", "").lower() in ("checkbox", "radio")
    if tag != "option":
        return False
    chosen = element.get("selected") is not None
    listed = next(element.iterancestors("{*}select"), None)
    if listed is None or listed.get("multiple") is not None:
        return chosen
    options = [each for each, _ in zip(listed.iter("{*}option"), range(_MOST_OPTIONS), strict=False)]
    selected = [each for each in options if each.get("selected") is not None]
    if selected:
        return element is selected[-1]
    if listed.get("size", "1").strip() not in ("", "0", "1"):
        return False
    return element is next((each for each in options if not is_disabled(each, "option")), None)
