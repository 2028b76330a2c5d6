"""Each value of each row of a corpus file, changed or lost in turn: the check tells it, and no verb fails but in words."""

import contextlib
import shutil
import sqlite3

import pytest

from tests.unit.corpus.documents import document
from verified_gate import Actor, AnswerEngine
from verified_gate.corpus.numbering import Read
from verified_gate.corpus.store import CorpusStore
from verified_gate.ingest.extracted import Page
from verified_gate.model.errors import CorpusError, VerifiedGateError

ACME = Actor("acme", groups={"board"})


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A small corpus with at least one row in each table."""
    folder = tmp_path_factory.mktemp("rows")
    path = folder / "kb.db"
    with CorpusStore.open(path) as store:
        store.add("A bike has a bell. " * 120 + "It lasts ten years.", document_id="bike")
        board = document("plan", "A bell rings.", "The board rides.", tenant="acme", groups=["board"], collection="own")
        store.add_documents(
            [board, document("note", "A note for everyone.")]
        )  # two runs in a segment have vocabularies
        store.add("A horn is loud.", document_id="horn", version="1")
        store.add("A horn is very loud.", document_id="horn", version="2", effective_from="2020-01-01", purposes="sale")
        store.add("A wheel turns.", document_id="wheel")
        store.add("A bell turns.", document_id="spoke")
        paged = document("book", "A bell on a page.", pages=[Page(1, 0, 17, "i")])
        store.operator.sources.store([Read("/files/book.md", paged, True, ())], "00" * 32, instead=False)
        store.operator.set_private("own")
        store.operator.erase("wheel", None)
        store.operator.remove("spoke", "1")
        assert store.operator.status(check=True).condition == "ready"
    return path


def rows_of(path, table):
    """The rows of a table as they are named by their keys, with the names of its columns."""
    connection = sqlite3.connect(path)
    try:
        told = connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
        columns = [name for name, _ in told]
        keys = [name for name, key in told if key] or columns
        found = connection.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
        return columns, keys, found
    finally:
        connection.close()


def tables_of(path):
    connection = sqlite3.connect(path)
    try:
        return [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        ]
    finally:
        connection.close()


def changed(value):
    """The same with one bit changed, or something where nothing was."""
    match value:
        case None:
            return 1
        case int():
            return value ^ 64
        case str():
            return chr(ord(value[0]) ^ 1) + value[1:] if value else "x"
        case _:
            return bytes([value[0] ^ 1]) + value[1:] if value else b"x"


def changes_of(path):
    """Each change of one value, and each loss of a row: what it is, the statement, and its values. Of a long table the
    first and the last row.
    """
    for table in tables_of(path):
        columns, keys, rows = rows_of(path, table)
        assert rows, f"no row in {table}"
        where = " AND ".join(f"{key} IS ?" for key in keys)
        for row in rows if table in ("setting", "sqlite_sequence", "audience") else {rows[0], rows[-1]}:
            yield f"a lost row of {table} {row}", f"DELETE FROM {table} WHERE {where}", row
            for column in columns:
                connection = sqlite3.connect(path)
                (value,) = connection.execute(f"SELECT {column} FROM {table} WHERE {where}", row).fetchone()
                connection.close()
                statement = f"UPDATE {table} SET {column} = ? WHERE {where}"
                yield f"{column} of {table} {row}", statement, (changed(value), *row)


BOOK = ["/files/book.md"]


def verbs_of(store):
    """What readers and the operator do, in an order in which each has something to do."""
    operator = store.operator
    keys = ["bike@1#c0", "acme:plan@1#c1", "horn@2#c0", "horn@1#c0", "book@1#c0"]
    answer = AnswerEngine(store).answer("How long does a bike last?")
    cited = [citation.to_dict() for citation in answer.citations]
    yield from (
        lambda: store.search("bell", ACME),
        lambda: store.search("bell", statuses=("current", "superseded"), collection="default"),
        lambda: [store.passage(key, ACME) for key in keys],
        lambda: [store.standing(key, ACME) for key in keys],
        lambda: [store.neighbours(key, ACME) for key in keys],
        lambda: [store.pages(key, ACME) for key in keys],
        lambda: store.texts(keys, ACME),
        lambda: [store.resolve(citation) for citation in cited],
        lambda: store.documents(ACME),
        lambda: store.passages(ACME),
        operator.status,
        operator.documents,
        operator.private_collections,
        lambda: operator.sources.known(BOOK),
        lambda: operator.sources.former(BOOK),
        lambda: operator.sources.elsewhere(BOOK, "acme"),
        lambda: operator.sources.not_in_force(BOOK),
        lambda: operator.sources.missing(["/files"], []),
        lambda: store.add("A bell is new.", document_id="new"),
        lambda: operator.set_status("bike", "1", "revoked"),
        lambda: operator.publish("bike", "1"),
        lambda: operator.set_private("own", private=False),
        lambda: operator.sources.withdraw(BOOK),
        lambda: operator.erase("horn", None, seconds=0.1),
        lambda: operator.remove("plan", "1", tenant="acme"),
        lambda: operator.finish_erasures(seconds=0.1),
        operator.optimize,
        operator.rebuild,
    )


def damage(path, statement, values):
    """Change the file behind our back. False where its own rules do not let it."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        try:
            return connection.execute(statement, values).rowcount == 1
        except sqlite3.IntegrityError:
            return False


def opened(path):
    """The corpus of the file, read into memory: a hundred files on a disk would take long."""
    store = CorpusStore.in_memory()
    data = bytearray(path.read_bytes())
    data[18:20] = b"\x01\x01"  # without a log beside it
    store._database._shared.connection.deserialize(bytes(data))
    return store


def test_each_changed_value_and_each_lost_row_is_told_and_no_verb_fails_but_in_words(whole, tmp_path):
    """(condition 7)"""
    made = list(changes_of(whole))
    assert len(made) > 150
    done = 0
    faults = []
    tried = set()
    path = tmp_path / "kb.db"
    for name, statement, values in made:
        shutil.copy(whole, path)
        if not damage(path, statement, values):
            continue
        done += 1
        with opened(path) as store:
            if store.operator.status(check=True).condition == "ready":
                faults.append(f"{name}: not told")
            if statement in tried and " setting " not in statement:  # one row of a table will do for the verbs
                continue
            tried.add(statement)
            for at, verb in enumerate(verbs_of(store)):
                try:
                    verb()
                except VerifiedGateError:
                    pass
                except Exception as fault:
                    faults.append(f"{name}: verb {at}: {type(fault).__name__} {fault}")
    assert faults == []
    assert done > len(made) * 0.9


def test_nothing_is_told_of_the_file_as_it_is_and_each_verb_works(whole):
    with opened(whole) as store:
        refused = 0
        for verb in verbs_of(store):
            try:
                verb()
            except VerifiedGateError:
                refused += 1
        assert refused == 1  # what is no draft is not published
        status = store.operator.status(check=True)
        assert (status.condition, status.faults) == ("ready", ())


@pytest.mark.parametrize("version", [0, 4])
def test_a_schema_that_is_none_is_refused_in_words(whole, tmp_path, version):
    path = tmp_path / "kb.db"
    shutil.copy(whole, path)
    CorpusStore.open(path).close()
    assert damage(path, f"PRAGMA user_version = {version}", ()) is False
    with pytest.raises(CorpusError):
        CorpusStore.open(path)


@pytest.mark.parametrize("bit", range(20))
def test_a_block_of_text_under_a_number_that_is_not_its_own_is_told(whole, tmp_path, bit):
    path = tmp_path / "kb.db"
    shutil.copy(whole, path)
    with CorpusStore.open(path) as store:
        assert store.operator.status(check=True).condition == "ready"
        ending = store.texts(["bike@1#c0"])[0].text[-20:]
        assert ending == " It lasts ten years."
    move = (
        "UPDATE block SET id = id + (1 << ?) WHERE id = (SELECT max(block.id) FROM block JOIN document ON name = 'bike'"
    )
    damage(path, f"{move} WHERE block.id BETWEEN document.id << 20 AND ((document.id + 1) << 20) - 1)", (bit,))
    with CorpusStore.open(path) as store:
        status = store.operator.status(check=True)
        assert status.condition == "damaged"
        assert "bike@1" in {fault.place for fault in status.faults}


def test_a_lost_mark_of_the_index_stops_no_revocation(whole, tmp_path):
    path = tmp_path / "kb.db"
    shutil.copy(whole, path)
    assert damage(path, "UPDATE setting SET name = 'epoci' WHERE name = 'epoch'", ())
    with CorpusStore.open(path) as store:
        with pytest.raises(CorpusError):
            store.search("bell")
        store.operator.set_status("bike", "1", "revoked")
        assert store.passage("bike@1#c0") is None
        assert "setting" in {fault.place for fault in store.operator.status(check=True).faults}


def test_a_fault_of_wrong_use_stays_what_it_is(whole, tmp_path):
    path = tmp_path / "kb.db"
    shutil.copy(whole, path)
    with CorpusStore.open(path) as store:
        with pytest.raises(ValueError, match="quiet"):
            store.operator.set_status("bike", "1", "quiet")
        with pytest.raises(TypeError), store._database.reading():
            raise TypeError
