"""The corpus as it would be were some files gone: what one transaction sees of it, and nothing that stays."""

import pytest

from tests.unit.corpus.test_sources import kept, read
from verified_gate import CorpusStore
from verified_gate.corpus.pruning import pretend_pruned
from verified_gate.model.errors import CorpusError

ROWS = (
    "SELECT name, version, status FROM document ORDER BY id",
    "SELECT path, tenant, document, latest, pruned FROM source ORDER BY path, tenant, document",
)


@pytest.fixture(params=["in a file", "in memory"])
def store(request, tmp_path):
    opened = CorpusStore.open(tmp_path / "kb.db") if request.param == "in a file" else CorpusStore.in_memory()
    with opened as store:
        here = tmp_path / "b.txt"
        here.write_text("A bike.")
        kept(store, read("/gone/a.txt"), read("/gone/b.txt", name="b", text="A bike."))
        kept(store, read(str(here), name="b", text="A bike."))
        kept(store, read("/gone/c.txt", status="draft"), read("/there/d.txt"))
        kept(store, read("/gone/a.txt", tenant="acme"), tenant="acme")
        yield store


def seen(store, *gone):
    with store._database.reading() as connection:
        pretend_pruned(connection, gone, "")
        return [connection.execute(query).fetchall() for query in ROWS]


def test_what_is_pretended_is_what_pruning_does_and_ends_with_its_transaction(store):
    before, gone = seen(store), ["/gone/a.txt", "/gone/b.txt", "/gone/c.txt", "/gone/never.txt"]
    pretended = seen(store, *gone)
    assert pretended != before and seen(store) == before
    assert store.operator.sources.withdraw(gone) == 2, "b lies elsewhere too"
    assert seen(store) == pretended


def test_nothing_is_pretended_of_what_is_not_stored_and_a_fault_leaves_nothing_behind(store):
    before = seen(store)
    assert seen(store, "/none.txt") == before
    with pytest.raises(CorpusError), store._database.reading() as connection:
        pretend_pruned(connection, ["/gone/a.txt"], "")
        raise CorpusError("stopped")
    assert seen(store) == before
