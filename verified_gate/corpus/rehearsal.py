"""The file of a corpus as it would be after what is written here: for who only wants to know what a write would do.

The file is read and never written: tables of the connection's own, which end with it, stand before those of the file
that tell of versions. So a rehearsal is the very code of the writing, asked in the same order.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from verified_gate.corpus.connection import Database
from verified_gate.corpus.schema import statements
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

_COPIED: Final = ("setting", "audience", "document", "source")
"""Tables in the order of dependence, with their rows: what there is of each version and each file but its text."""
_EMPTY: Final = ("block", "placement")
"""Tables that a version which is replaced or superseded is taken out of: there is nothing in them to take out."""


class Rehearsal(Database):
    """The file `path`, opened read-only, in which what is written is seen through this object alone, by one thread. To be
    written without texts (`texts=False`), which would not be found. Raises `CorpusError` as `Database` does.
    """

    def __init__(self, path: Path) -> None:
        self._stage: sqlite3.Connection | None = None
        super().__init__(path, read_only=True, create=False, tokenizer=TOKENIZER_VERSION)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction whose writes later ones of this object see, rolled back where it raises."""
        with self._translated(), self.damage_told(), self._held() as connection:
            if self._stage is None:
                with _transaction(connection):
                    _set(connection)
                self._stage = connection
            with _transaction(connection):
                yield connection

    @contextmanager
    def _held(self) -> Iterator[sqlite3.Connection]:
        with super()._held() as connection:
            if self._stage not in (None, connection):  # it was opened anew, since the file is another now
                raise CorpusError(f"{self.name} was written to while it was read; try again")
            yield connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _set(connection: sqlite3.Connection) -> None:
    """Put the tables before those of the file."""
    indexes = []
    for name, statement in statements().items():
        kind, _, rest = statement.partition(f" {name} ")
        if name in _COPIED + _EMPTY:
            connection.execute(f"CREATE TEMP TABLE {name} {rest}")
        elif rest.removeprefix("ON ").partition(" ")[0] in _COPIED:
            indexes.append(f"{kind} temp.{name} {rest}")
    for name in _COPIED:
        columns = ", ".join(column for _, column, *_ in connection.execute(f"PRAGMA temp.table_info({name})"))
        connection.execute(f"INSERT INTO temp.{name} ({columns}) SELECT {columns} FROM main.{name}")  # noqa: S608
    for statement in indexes:
        connection.execute(statement)
