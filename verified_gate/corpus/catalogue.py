"""Every version with what an operator looks for in a list: for whom it is, how many pages it has, which file it was, and
what of it could not be read.
"""

import sqlite3
from dataclasses import dataclass

from verified_gate.corpus.document import Listing
from verified_gate.corpus.reading import read_all
from verified_gate.corpus.schema import UNREAD


@dataclass(frozen=True, slots=True)
class Entry:
    """A version for the operator, who may know its groups. `pages` is 0 where its kind has none; `path` is the file that
    it was read from, "" where it was read from none. `lost`: what of it could not be read, page by page where it has any.
    """

    listing: Listing
    groups: tuple[str, ...]
    pages: int
    path: str
    lost: tuple[str, ...] = ()


def read_catalogue(connection: sqlite3.Connection) -> list[Entry]:
    """Every version, ordered by tenant, id and version."""
    pages = dict(connection.execute("SELECT document, count(*) FROM page GROUP BY document").fetchall())
    # of several files that held the same text, the one that was read last under these labels
    paths = dict(connection.execute("SELECT document, path FROM source ORDER BY latest, path DESC").fetchall())
    lost = lost_of(connection)
    return [
        Entry(
            each.listing,
            tuple(sorted(each.access.groups)),
            pages.get(each.id, 0),
            paths.get(each.id, ""),
            lost.get(each.id, ()),
        )
        for each in read_all(connection)
    ]


def lost_of(connection: sqlite3.Connection) -> dict[int, tuple[str, ...]]:
    """What could not be read of each version that is not complete, by its id: as it was told when its file was read, else
    as its pages tell.
    """
    incomplete = "SELECT id FROM document WHERE coverage <> 'complete'"
    pages = connection.execute(
        f"SELECT document, number, lost FROM page WHERE document IN ({incomplete}) AND lost <> '' ORDER BY 1, 2"  # noqa: S608
    )
    found: dict[int, tuple[str, ...]] = {}
    for identity, number, lost in pages:
        found[identity] = (*found.get(identity, ()), *(f"page {number}: {what}" for what in lost.split("\n")))
    files = connection.execute(
        f"SELECT document, outcome FROM source WHERE document IN ({incomplete}) ORDER BY latest, path DESC"  # noqa: S608
    )
    return found | {identity: told for identity, outcome in files if (told := outcome_of(outcome)[1])}


def outcome_of(stored: str) -> tuple[str, tuple[str, ...], str]:
    """What of a file could be read, what of it was lost, and why it could not be read since: the last stands first,
    behind `UNREAD`, where there is such a reason.
    """
    unread, _, rest = stored.removeprefix(UNREAD).partition("\n") if stored.startswith(UNREAD) else ("", "", stored)
    coverage, *lost = rest.split("\n")
    return coverage, tuple(lost), unread
