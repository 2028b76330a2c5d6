"""Shadow trees that a page itself declares (`<template shadowrootmode>`): browsers show them in the place of what is in
their host, and that again where a `slot` asks for it.
"""

from collections.abc import Sequence
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name

_HOSTS: Final = frozenset({"article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
                           "header", "main", "nav", "p", "section", "span"})  # fmt: skip
"""Elements that may hold a shadow tree, beside those of names of their own (`my-box`)."""


def unfold_shadows(templates: Sequence[Element]) -> None:
    """Put every shadow tree in its place; what no slot takes is taken out. Work is linear in the page."""
    for template in templates:
        host = template.getparent()
        if host is None or not _is_shadow(template):
            continue
        slots = {slot.get("name", ""): slot for slot in reversed(list(template.iter("{*}slot")))}
        _place(slots.get(""), None, host.text)
        for child in list(host):
            if child is template:
                _place(slots.get(""), None, child.tail)
                child.tail = None
                continue
            tail, child.tail = child.tail, None
            slot = slots.get(child.get("slot", ""))
            host.remove(child)
            _place(slot, child, None)
            _place(slots.get(""), None, tail)
        host.text = None
        template.tag = (
            template.tag.replace("template", "shadow-tree") if isinstance(template.tag, str) else template.tag
        )


def _place(slot: Element | None, child: Element | None, text: str | None) -> None:
    """Puts an element, or words, at the end of a slot; the first of them take the place of what else stood there."""
    if slot is None or (child is None and not (text or "").strip()):
        return
    if slot.get("taken") is None:
        slot.set("taken", "")
        slot.text = None
        for other in list(slot):
            slot.remove(other)
    if child is not None:
        slot.append(child)
    elif len(slot):
        slot[-1].tail = (slot[-1].tail or "") + (text or "")
    else:
        slot.text = (slot.text or "") + (text or "")


def in_shadow(element: Element) -> bool:
    """Whether it stands in a shadow tree, where styles of their own are."""
    return any(map(_is_shadow, element.iterancestors("{*}template")))


def inert(element: Element) -> bool:
    """Whether it stands in a template that is none, which no browser shows or reads."""
    return not all(map(_is_shadow, element.iterancestors("{*}template")))


def _is_shadow(template: Element) -> bool:
    host = template.getparent()
    held = host is not None and ((name := local_name(host)) in _HOSTS or "-" in name)
    return held and template.get("shadowrootmode", "").lower() in ("open", "closed")
