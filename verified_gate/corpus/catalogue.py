"""Every version with what an operator looks for in a list: for whom it is, how many pages it has, which file it was."""

import sqlite3
from dataclasses import dataclass

from verified_gate.corpus.document import Listing
from verified_gate.corpus.reading import read_all


@dataclass(frozen=True, slots=True)
class Entry:
    """A version for the operator, who may know its groups. `pages` is 0 where its kind has none; `path` is the file that
    it was read from, "" where it was read from none.
    """

    listing: Listing
    groups: tuple[str, ...]
    pages: int
    path: str


def read_catalogue(connection: sqlite3.Connection) -> list[Entry]:
    """Every version, ordered by tenant, id and version."""
    pages = dict(connection.execute("SELECT document, count(*) FROM page GROUP BY document").fetchall())
    # of several files that held the same text, the one that was read last under these labels
    paths = dict(connection.execute("SELECT document, path FROM source ORDER BY latest, path DESC").fetchall())
    return [
        Entry(each.listing, tuple(sorted(each.access.groups)), pages.get(each.id, 0), paths.get(each.id, ""))
        for each in read_all(connection)
    ]
