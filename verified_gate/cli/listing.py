"""How `status --documents` shows the versions of a store: as a table for people, and for programs."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.cells import cell_len

from verified_gate.cli.corpora import counted
from verified_gate.corpus.catalogue import Entry
from verified_gate.release import isolated, one_line

_MOST_NAMED: Final = 8
_MOST_MISSING: Final = 3
_LONGEST: Final = 100
"""Code points of what is told of one thing that is missing; `--json` tells all."""
_HEAD: Final = ("VERSION", "STATUS", "READ", "PAGES", "FOR", "TITLE")


def table(entries: Sequence[Entry]) -> list[str]:
    """One line each under a head, none where there is no version; and one below it for what is missing of a version that was
    not completely read. Names and titles are a document's words: disarmed.
    """
    if not entries:
        return []
    rows = [_HEAD, *(_row(each) for each in entries)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    widths[-1] = 0
    lines = [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    told = [f"\n  not read: {missing(each.lost)}" if each.lost else "" for each in entries]
    return [line + more for line, more in zip(lines, ["", *told], strict=True)]


def incomplete(names: Sequence[str], lost: Mapping[str, Sequence[str]], *, listed: bool = False) -> str:
    """Which documents were not completely read, and what of the first of them is missing; how many, where `table` tells
    the rest.
    """
    count = counted(len(names), "document was", "documents were")
    if listed:
        return f"{count} not completely read, as told below"
    told = (one_line(name) + (f" ({missing(lost[name])})" if name in lost else "") for name in names[:_MOST_NAMED])
    more = "; …, which `verified-gate status --documents` lists" if len(names) > _MOST_NAMED else ""
    return f"{count} not completely read: {'; '.join(told)}{more}"


def missing(lost: Sequence[str]) -> str:
    """The first of what could not be read of a document, and how much more there is. A reader's words: disarmed."""
    told = [isolated(each if len(each) <= _LONGEST else each[: _LONGEST - 1] + "…") for each in lost[:_MOST_MISSING]]
    more = f" and {len(lost) - _MOST_MISSING:,} more" if len(lost) > _MOST_MISSING else ""
    return ", ".join(told) + more


def as_json(entry: Entry) -> dict[str, Any]:
    """JSON-ready."""
    listing, rules = entry.listing, entry.listing.rules
    return {
        "version": _name(entry),
        "document_id": listing.document_id,
        "tenant": listing.tenant,
        "groups": list(entry.groups),
        "status": listing.status,
        "title": listing.title,
        "pages": entry.pages,
        "passages": listing.passages,
        "coverage": listing.coverage,
        "lost": list(entry.lost),
        "lang": listing.lang,
        "collection": listing.collection,
        "admission": rules.admission,
        "purposes": sorted(rules.purposes),
        "local_only": rules.local_only,
        "effective_from": rules.effective_from,
        "effective_to": rules.effective_to,
        "file": entry.path,
        "file_sha256": listing.file_sha256,
        "reader": listing.reader,
    }


def _name(entry: Entry) -> str:
    """As its keys begin, and as `mark` and `erase` take it."""
    return entry.listing.key(0).rpartition("#")[0]


def _row(entry: Entry) -> tuple[str, ...]:
    listing = entry.listing
    groups = f": {', '.join(map(one_line, entry.groups))}" if entry.groups else ""
    audience = "everybody" if listing.tenant is None else f"{one_line(listing.tenant)}{groups}"
    pages = f"{entry.pages:,}" if entry.pages else "-"
    return one_line(_name(entry)), str(listing.status), listing.coverage, pages, audience, isolated(listing.title)
