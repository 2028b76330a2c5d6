"""How `status --documents` shows the versions of a store: as a table for people, and for programs."""

from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len

from verified_gate.corpus.catalogue import Entry
from verified_gate.release import isolated, one_line

_HEAD: Final = ("VERSION", "STATUS", "READ", "PAGES", "FOR", "TITLE")


def table(entries: Sequence[Entry]) -> list[str]:
    """One line each under a head, none where there is no version. Names and titles are a document's words: disarmed."""
    if not entries:
        return []
    rows = [_HEAD, *(_row(each) for each in entries)]
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    widths[-1] = 0
    return [
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


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
