"""One number for what a set of rows says: kept by every write, and counted anew by a check, which so finds a row that
was changed, taken away or put in behind our back, though no other row tells of it.

The number is the sum of a hash of each row. It finds damage, and no one who writes the number anew as well.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Final

_BITS: Final = (1 << 62) - 1

_ROWS: Final = {
    "document": "SELECT id, status FROM document",
    "tombstone": "SELECT sha256 FROM tombstone",
    "private_collection": "SELECT name FROM private_collection",
}
"""What of each set is told by its rows; all else of them has a digest of its own."""


def enter(connection: sqlite3.Connection, rows: str, *fields: int | str | bytes) -> None:
    """Count a row in, in the transaction that writes it."""
    _add(connection, rows, _hash(fields))


def leave(connection: sqlite3.Connection, rows: str, *fields: int | str | bytes) -> None:
    """Count a row out, in the transaction that takes it away."""
    _add(connection, rows, -_hash(fields) & _BITS)


def recount(connection: sqlite3.Connection) -> None:
    """Keep the numbers of what there is: for a file that has none yet."""
    for rows in _ROWS:
        connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (f"sum {rows}", _sum(connection, rows)))


def changed_sets(connection: sqlite3.Connection) -> Iterator[str]:
    """Names of the sets that are not as they were stored."""
    for rows in _ROWS:
        row = connection.execute("SELECT value FROM setting WHERE name = ?", (f"sum {rows}",)).fetchone()
        if (0 if row is None else row[0]) != _sum(connection, rows):
            yield rows


def _sum(connection: sqlite3.Connection, rows: str) -> int:
    return sum(map(_hash, connection.execute(_ROWS[rows]))) & _BITS


def _add(connection: sqlite3.Connection, rows: str, number: int) -> None:
    connection.execute(
        "INSERT INTO setting VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = (value + ?2) & ?3",
        (f"sum {rows}", number, _BITS),
    )


def _hash(fields: tuple[int | str | bytes, ...]) -> int:
    return int.from_bytes(hashlib.sha256(repr(fields).encode("utf-8", "surrogatepass")).digest()[:8]) & _BITS
