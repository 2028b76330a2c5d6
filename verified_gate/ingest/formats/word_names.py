"""Names in the parts of a Word document. What is of a foreign name space is none of Word's, whatever it is called: no
program shows the words of an `x:t`, and none takes `x:val` for the value of a `w:color`.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, TypeVar, cast

from verified_gate.ingest.formats.markup import Element

_OPEN, _STRICT, _MICROSOFT = (
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/office/",
)
_WORD: Final = (f"{_OPEN}wordprocessingml/2006/main", f"{_STRICT}wordprocessingml/main")
_MATH: Final = (f"{_OPEN}officeDocument/2006/math", f"{_STRICT}officeDocument/math")
_COLOURS: Final = (f"{_OPEN}drawingml/2006/main", f"{_STRICT}drawingml/main")
_RELATIONS: Final = (f"{_OPEN}officeDocument/2006/relationships", f"{_STRICT}officeDocument/relationships")
_CHOICES: Final = f"{_OPEN}markup-compatibility/2006"
_EFFECTS: Final = f"{_MICROSOFT}word/2010/wordml"
_QUALIFIED: Final = frozenset({*_WORD, *_MATH, _EFFECTS})
"""Attributes of their elements are of the same name space; those of drawings are of none."""
_DRAWN: Final = frozenset(
    {base + name for base in (f"{_OPEN}drawingml/2006/", f"{_STRICT}drawingml/") for name in (
        "main", "wordprocessingDrawing", "picture", "chart", "diagram", "lockedCanvas")}
    | {_MICROSOFT + name for name in (
        "word/2010/wordprocessingShape", "word/2010/wordprocessingGroup", "word/2010/wordprocessingCanvas",
        "word/2010/wordprocessingDrawing", "word/2010/wordprocessingInk", "drawing/2010/main", "drawing/2014/chartex")}
    | {"urn:schemas-microsoft-com:vml", "urn:schemas-microsoft-com:office:office",
       "urn:schemas-microsoft-com:office:word", _EFFECTS, _CHOICES}
)  # fmt: skip
_OF_MATH, _OF_CHOICES = ("oMath", "oMathPara"), "AlternateContent"
_IN_DRAWINGS: Final = frozenset({"txbxContent", "drawing", "pict", "object", "control"})
"""Of Word's own elements, those that stand in drawings or hold them."""
_MOST: Final = 4_096
"""Names that are kept; a document has a few hundred."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def word_name(element: Element) -> str:
    """What Word calls an element of the running text; "" for one that it does not know there."""
    return _word_name(element.tag)


def drawn_name(element: Element) -> str:
    """What Word calls an element of a drawing, a fill or a text effect; "" for one that it does not know there."""
    return _drawn_name(element.tag)


def math_name(element: Element) -> str:
    """What Word calls an element of a formula, whose runs may be those of the text; "" for one that it does not know."""
    space, name = _split(element.tag)
    return name if space in _MATH or space in _WORD else ""


def effect_name(element: Element) -> str:
    """What Word calls a property of a run: its own, or the fill of the letters that is an effect."""
    name = _word_name(element.tag)
    return name or ("textFill" if element.tag == _FILL else "")


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along `path`, each of its parent's name space; in drawings, of that of colours too."""
    for name in path:
        if element is None:
            return None
        element = next(element.iterchildren(*_children(element.tag, name)), None)
    return element


def is_beside(element: Element, other: Element) -> bool:
    """Whether both are of one name space."""
    return _split(element.tag)[0] == _split(other.tag)[0]


def every(element: Element, *names: str) -> Iterator[Element]:
    """The elements of Word's own that are called so, in order, `element` among them."""
    return element.iter(*(f"{{{space}}}{name}" for name in names for space in _WORD))


def value(element: Element | None, name: str = "val") -> str:
    """An attribute that Word knows; "" where there is none."""
    return "" if element is None else element.get(_attribute(element.tag, name), "")


def relation(element: Element) -> str:
    """The id of the relationship that an element names; "" where there is none."""
    return next((held for space in _RELATIONS if (held := element.get(f"{{{space}}}id"))), "")


def inside(element: Element | None) -> list[Element]:
    """The children; none of no element."""
    return [] if element is None else list(element)


def switched(properties: Element | None, name: str) -> bool | None:
    """Whether a property is on or off; None where it is not given."""
    found = child(properties, name)
    return None if found is None else value(found).lower() not in _OFF


def whole(digits: str) -> int | None:
    """A whole number, below zero as well; None for what is none."""
    plain = digits.removeprefix("-")
    return int(digits) if plain.isdecimal() and len(plain) < 10 else None


_OFF: Final = frozenset({"0", "false", "off"})
_FILL: Final = f"{{{_EFFECTS}}}textFill"


def _kept(function: _Function) -> _Function:
    """Remembers what it gave for the names of one document."""
    return cast("_Function", lru_cache(maxsize=_MOST)(function))


@_kept
def _split(tag: object) -> tuple[str, str]:
    space, _, name = tag.rpartition("}") if isinstance(tag, str) else ("", "", "")  # a reference to an entity has none
    return space[1:], name


@_kept
def _word_name(tag: object) -> str:
    space, name = _split(tag)
    if space in _WORD:
        return name if name not in (*_OF_MATH, _OF_CHOICES) else ""
    known = _OF_MATH if space in _MATH else (_OF_CHOICES,) if space == _CHOICES else ()
    return name if name in known else ""


@_kept
def _drawn_name(tag: object) -> str:
    space, name = _split(tag)
    return name if space in _DRAWN or (space in _WORD and name in _IN_DRAWINGS) else ""


@_kept
def _children(tag: object, name: str) -> tuple[str, ...]:
    space, _ = _split(tag)
    spaces = _WORD if space in _WORD else _MATH if space in _MATH else dict.fromkeys((space, *_COLOURS))
    return tuple(f"{{{each}}}{name}" for each in spaces)


@_kept
def _attribute(tag: object, name: str) -> str:
    space, _ = _split(tag)
    return f"{{{space}}}{name}" if space in _QUALIFIED else name
