"""Front matter: the few fields a file may say of itself, between two lines `---` at its top.

YAML with everything that surprises left out: each value is the string as written (`version: 1.10` stays "1.10"),
there are no anchors, aliases, tags or double fields, and nothing nests deeper than the list of groups.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from verified_gate.ingest.document import Status

MAX_FRONT_MATTER: Final = 16_384
"""Code points between the two lines."""

MAX_GROUPS: Final = 100
_MAX_DEPTH: Final = 2

_OPENING: Final = re.compile(r"---[ \t]{0,99}(?:\r\n|\r|\n|\Z)")
_CLOSING: Final = re.compile(r"(?:\r\n|\r|\n)(?:---|\.\.\.)[ \t]{0,99}(?:\r\n|\r|\n|\Z)")
_MISPLACED: Final = re.compile(
    r"(?:<!--[^<>]{0,999}-->)?[\s\ufeff\u200b-\u200d\u2060]{0,99}(?:-{3,99}|\+{3,99}|={3,99})[^\w\r\n]{0,99}[\r\n]"
)
"""A fence that is none: behind a blank line or an invisible character, or too long. Labels below it would be text, and
what its writer meant for a few would be public.
"""

_LABEL: Final = re.compile(r"(?<=[\r\n])[ \t{\"']{0,99}(?:tenant|groups|status)[\"' \t]{0,99}[:=]", re.IGNORECASE)
_BREAK: Final = re.compile(r"\r\n|\r|\n")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}")

Fault = tuple[int, str]
"""1-based line of the file, and what is wrong there; holds no text of the file."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields given, parsed (absent ones are missing), where the text begins, and every fault found."""

    fields: Mapping[str, str | tuple[str, ...] | Status]
    body: int
    faults: tuple[Fault, ...] = ()


def parse_front_matter(text: str) -> FrontMatter:
    """Parse the front matter of a file's `text`; a text that does not begin with a line `---` has none."""
    opening = _OPENING.match(text)
    if opening is None:
        if _MISPLACED.match(text) and (label := _LABEL.search(text, 0, MAX_FRONT_MATTER)):
            line = len(_BREAK.findall(text, 0, label.start())) + 1
            return FrontMatter({}, 0, ((line, "a label outside of front matter: begin the file with a line `---`"),))
        return FrontMatter({}, 0)
    closing = _CLOSING.search(text, opening.end() - 1)  # the opening's line end may be the closing's too
    if closing is None:
        return FrontMatter({}, 0, ((1, "front matter is not closed: end it with a line `---`"),))
    block = text[opening.end() : closing.start()]
    if len(block) > MAX_FRONT_MATTER:
        return FrontMatter({}, 0, ((1, f"front matter is longer than {MAX_FRONT_MATTER} characters"),))
    fields: dict[str, str | tuple[str, ...] | Status] = {}
    faults: list[Fault] = []
    try:
        nodes = _nodes(block)
    except _UnfitError as unfit:
        return FrontMatter({}, closing.end(), ((unfit.line + 2, str(unfit)),))
    for line, name, node in nodes:
        parse = _FIELDS.get(name)
        if parse is None:
            faults.append((line + 2, f"unknown field; known are {', '.join(sorted(_FIELDS))}"))
        elif name in fields:
            faults.append((line + 2, f"`{name}` is given twice"))
        else:
            try:
                fields[name] = parse(node)
            except _UnfitError as unfit:
                faults.append((unfit.line + 2, f"`{name}` {unfit}"))
    return FrontMatter(fields, closing.end(), tuple(faults))


class _UnfitError(ValueError):
    """A fault at a 0-based line of the block."""

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(fault)
        self.line = line


class _Loader(yaml.BaseLoader):
    """Composes plain nodes only. The refusals stand here, before anything is built, so that nothing can grow."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        line = event.start_mark.line
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _UnfitError(line, "front matter may not hold anchors or aliases")
        if getattr(event, "tag", None) is not None:
            raise _UnfitError(line, "front matter may not hold tags")
        if self.depth > _MAX_DEPTH:
            raise _UnfitError(line, "front matter is nested too deep")
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1


def _nodes(block: str) -> list[tuple[int, str, yaml.Node]]:
    """The fields of the block: line, name, value."""
    try:
        loader = _Loader(block)
        try:
            root = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line if fault.problem_mark else 0
        raise _UnfitError(line, "front matter is not YAML; a value that holds `: ` or ` #` needs quotes") from None
    except yaml.YAMLError:
        line = next((n for n, part in enumerate(_BREAK.split(block)) if not _is_printable(part)), 0)
        raise _UnfitError(line, "front matter holds a control character") from None
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode):
        raise _UnfitError(root.start_mark.line, "front matter must be fields, each `name: value`")
    for name, _ in root.value:
        if not isinstance(name, yaml.ScalarNode):
            raise _UnfitError(name.start_mark.line, "front matter must be fields, each `name: value`")
    return [(name.start_mark.line, name.value, value) for name, value in root.value]


def _is_printable(text: str) -> bool:
    return not any(unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") and char != "\t" for char in text)


def _line(limit: int) -> Callable[[yaml.Node], str]:
    def parse(node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise _UnfitError(node.start_mark.line, "must be one value")
        value: str = node.value.strip()
        if not value:
            raise _UnfitError(node.start_mark.line, "is empty; leave the line out or give it a value")
        if len(value) > limit:
            raise _UnfitError(node.start_mark.line, f"is longer than {limit} characters")
        if any(unicodedata.category(char) in ("Cc", "Zl", "Zp") or char in HIDDEN for char in value):
            raise _UnfitError(node.start_mark.line, "holds a line break, a control character or a hidden character")
        return value

    return parse


def _name(limit: int) -> Callable[[yaml.Node], str]:
    parse_line = _line(limit)

    def parse(node: yaml.Node) -> str:
        value = parse_line(node)
        if not is_name(value):
            raise _UnfitError(node.start_mark.line, "may not hold white space, hidden characters, `:`, `@` or `#`")
        return value

    return parse


HIDDEN: Final = frozenset(
    "\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
"""Characters a reader cannot see, that would make two names look alike or turn the direction of what follows."""


def is_name(value: str) -> bool:
    """May `value` be an id, a version, a tenant or a group? Keys are made of them, so `:@#` and blanks are out."""
    return bool(value) and not any(char in ":@#" or unicodedata.category(char)[0] in "ZC" for char in value)


def _status(node: yaml.Node) -> Status:
    value = _line(20)(node)
    try:
        return Status(value)
    except ValueError:
        raise _UnfitError(node.start_mark.line, f"must be one of {', '.join(Status)}") from None


def _language(node: yaml.Node) -> str:
    value = _line(100)(node)
    if not _LANGUAGE.fullmatch(value):
        raise _UnfitError(node.start_mark.line, "must be a language tag such as `en` or `pt-BR`")
    return value


def _groups(node: yaml.Node) -> tuple[str, ...]:
    if not isinstance(node, yaml.SequenceNode):
        raise _UnfitError(node.start_mark.line, "must be a list, such as `[support, sales]`")
    if len(node.value) > MAX_GROUPS:
        raise _UnfitError(node.start_mark.line, f"has more than {MAX_GROUPS} entries")
    return tuple(_name(200)(part) for part in node.value)


_FIELDS: Final[Mapping[str, Callable[[yaml.Node], str | tuple[str, ...] | Status]]] = {
    "id": _name(200),
    "title": _line(300),
    "version": _name(100),
    "status": _status,
    "lang": _language,
    "tenant": _name(200),
    "groups": _groups,
    "collection": _name(200),
}
