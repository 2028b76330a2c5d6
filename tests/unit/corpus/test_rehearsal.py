"""A rehearsal: what is written is seen as it would be, and the file stays as it is, also where nobody may write it."""

from dataclasses import replace

import pytest

from tests.unit.corpus.test_sources import kept, read
from verified_gate import CorpusStore
from verified_gate.corpus.operator import Operator
from verified_gate.corpus.rehearsal import Rehearsal
from verified_gate.model.errors import CorpusError, IngestError

ROWS = (
    "SELECT id, tenant, name, version, status, audience, title, passages, file_sha256 FROM document ORDER BY id",
    "SELECT path, tenant, document, latest, pruned, file_sha256, outcome FROM source ORDER BY path, tenant, document",
    "SELECT id, tenant, groups FROM audience ORDER BY id",
)
GONE = ["/gone/a.txt", "/gone/b.txt", "/gone/c.txt", "/gone/never.txt"]


@pytest.fixture
def path(tmp_path):
    here, made = tmp_path / "b.txt", tmp_path / "kb.db"
    here.write_text("A bike.")
    with CorpusStore.open(made) as store:
        kept(store, read("/gone/a.txt"), read("/gone/b.txt", name="b", text="A bike."))
        kept(store, read(str(here), name="b", text="A bike."))
        kept(store, read("/gone/c.txt", status="draft"), read("/there/d.txt"), read("/there/e.txt"))
        kept(store, read("/gone/a.txt", tenant="acme"), tenant="acme")
    return made


@pytest.fixture
def rehearsal(path):
    made = Rehearsal(path)
    yield made
    made.close()


def rows_of(database):
    with database.reading() as connection:
        return [connection.execute(query).fetchall() for query in ROWS]


def changed(sources, **texts):
    """Files gone and back, replaced, moved on to a next version, refused; gives what was told of each."""
    told = [sources.withdraw(GONE)]
    new = [read("/there/d.txt", text="A horn."), read("/there/f.txt", tenant="other")]
    told += [sources.store([each], "00" * 32, instead=False, **texts) for each in new]
    told.append(sources.store([read("/gone/a.txt")], "00" * 32, instead=False, **texts))
    told.append(sources.store([read("/there/e.txt", text="A bell.")], "00" * 32, instead=True, **texts))
    clash = replace(read("/there/e.txt", text="A lamp."), numbered=False)
    with pytest.raises(IngestError):
        sources.store([clash], "00" * 32, instead=False, **texts)
    sources.note({"/there/d.txt": "damaged"}, [])
    return told


def test_what_is_rehearsed_is_what_is_done_then_and_the_file_stays_as_it_is(path, rehearsal):
    before = path.read_bytes()
    told = changed(Operator(rehearsal).sources, texts=False)
    seen = rows_of(rehearsal)
    with CorpusStore.open(path) as store:
        first = rows_of(store._database)
        assert path.read_bytes() == before and seen != first
        assert changed(store.operator.sources) == told and told[0] == 2, "b lies elsewhere too"
        assert rows_of(store._database) == seen
        assert store.operator.status(check=True).faults == ()


def test_nothing_of_a_rehearsal_stays_or_reaches_another(path, rehearsal):
    changed(Operator(rehearsal).sources, texts=False)
    other = Rehearsal(path)
    with CorpusStore.open(path) as store:
        assert rows_of(other) == rows_of(store._database) != rows_of(rehearsal)
    other.close()


def test_what_raises_in_a_rehearsal_is_undone_and_what_was_written_before_stays(rehearsal):
    sources = Operator(rehearsal).sources
    sources.withdraw(GONE[:1])
    seen = rows_of(rehearsal)
    with pytest.raises(CorpusError), rehearsal.writing() as connection:
        connection.execute("DELETE FROM source")
        raise CorpusError("stopped")
    assert rows_of(rehearsal) == seen


def test_a_file_that_nobody_may_write_is_rehearsed_in(path, rehearsal):
    with rehearsal.writing() as connection, pytest.raises(Exception, match="readonly"):
        connection.execute("DELETE FROM main.source")
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        again = Rehearsal(path)
        assert Operator(again).sources.withdraw(GONE) == 2
        again.close()
    finally:
        path.parent.chmod(0o755)


def test_a_rehearsal_that_lost_its_connection_says_so(path, rehearsal):
    Operator(rehearsal).sources.withdraw(GONE)
    rehearsal._local.handle = None
    with pytest.raises(CorpusError, match="written to while"):
        rows_of(rehearsal)
