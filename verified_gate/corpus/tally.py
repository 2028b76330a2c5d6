"""One number for what a set of rows says: kept by every write, and counted anew by a check, which so finds a row that
was changed, taken away or put in behind our back, though no other row tells of it.

The number is the sum of a hash of each row. It finds damage, and no one who writes the number anew as well.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from verified_gate.model.errors import CorpusError

_BITS: Final = (1 << 62) - 1

_TOLD: Final = "SELECT segment, json_group_array(json_array({1})) FROM {0} WHERE TRUE"
_ROWS: Final = {
    "setting": ("SELECT name, value FROM setting WHERE name NOT LIKE 'sum %' AND name <> 'tokenizer'", ""),
    "sqlite_sequence": ("SELECT name, seq FROM sqlite_sequence WHERE TRUE", ""),
    "audience": ("SELECT id, tenant, groups FROM audience WHERE TRUE", ""),
    "document": ("SELECT id, status FROM document WHERE TRUE", ""),
    "source": (
        "SELECT path, tenant, document, latest, pruned, file_sha256, labels_sha256, outcome FROM source WHERE TRUE",
        "",
    ),
    "tombstone": ("SELECT sha256 FROM tombstone WHERE TRUE", ""),
    "private_collection": ("SELECT name FROM private_collection WHERE TRUE", ""),
    "segment": ("SELECT id, slots, changed FROM segment WHERE TRUE", ""),
    "placement": (_TOLD.format("placement", "first, slots, tokens, document, position, run"), " GROUP BY segment"),
    "vocabulary": ("SELECT segment, run, prints FROM vocabulary WHERE TRUE", ""),
    "run": (_TOLD.format("run", "number, audience, first, slots"), " GROUP BY segment"),
}
"""What of each set is told by its rows, in the order of dependence; all else of them has a digest of its own, or is
counted anew. The version of the tokenizer is told as it is: an index is built anew for another.
"""

SETS: Final = tuple(_ROWS)
"""Names of the sets."""


def enter(connection: sqlite3.Connection, rows: str, *fields: int | str | bytes) -> None:
    """Count a row in, in the transaction that writes it."""
    _add(connection, rows, _hash(fields))


def leave(connection: sqlite3.Connection, rows: str, *fields: int | str | bytes) -> None:
    """Count a row out, in the transaction that takes it away."""
    _add(connection, rows, -_hash(fields))


@contextmanager
def counted(
    connection: sqlite3.Connection, rows: str, condition: str = "TRUE", values: Sequence[object] = ()
) -> Iterator[None]:
    """Count what is done inside to the rows of this condition, which must hold of the same rows before and after."""
    before = _sum(connection, rows, condition, values)
    yield
    change = _sum(connection, rows, condition, values) - before
    if change:
        _add(connection, rows, change)


def recount(connection: sqlite3.Connection) -> None:
    """Keep the numbers of what there is: for a file that has none yet. A number that is kept already stays."""
    for rows in _ROWS:
        connection.execute("INSERT OR IGNORE INTO setting VALUES (?, ?)", (f"sum {rows}", _sum(connection, rows)))


def is_changed(connection: sqlite3.Connection, rows: str) -> bool:
    """Is this set not as it was stored?"""
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (f"sum {rows}",)).fetchone()
    return row is None or row[0] != _sum(connection, rows)


def setting_of(connection: sqlite3.Connection, name: str) -> int:
    """The value of a setting that every file has. Raises `CorpusError`."""
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise CorpusError(f"the file is damaged, its setting {name} is lost: restore the file from a copy")
    return int(row[0])


def _sum(connection: sqlite3.Connection, rows: str, condition: str = "TRUE", values: Sequence[object] = ()) -> int:
    selected, grouped = _ROWS[rows]
    found = connection.execute(f"{selected} AND {condition}{grouped}", values)
    return sum(map(_hash, found)) & _BITS


def _add(connection: sqlite3.Connection, rows: str, number: int) -> None:
    connection.execute(
        "INSERT INTO setting VALUES (?1, ?2 & ?3) ON CONFLICT (name) DO UPDATE SET value = (value + (?2 & ?3)) & ?3",
        (f"sum {rows}", number & _BITS, _BITS),
    )


def _hash(fields: Sequence[object]) -> int:
    return int.from_bytes(hashlib.sha256(repr(fields).encode("utf-8", "surrogatepass")).digest()[:8]) & _BITS
