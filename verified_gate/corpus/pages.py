"""The pages of a stored version, and what could be read of each."""

import sqlite3

from verified_gate.corpus.reading import Stored
from verified_gate.ingest.extracted import Page


def read_pages(connection: sqlite3.Connection, stored: Stored) -> tuple[Page, ...]:
    """In their order; none for what has no pages."""
    rows = connection.execute(
        "SELECT number, start, start + length, label, coverage, lost FROM page WHERE document = ? ORDER BY number",
        (stored.id,),
    )
    return tuple(
        Page(number, start, end, label, coverage, tuple(lost.split("\n")) if lost else ())
        for number, start, end, label, coverage, lost in rows
    )
