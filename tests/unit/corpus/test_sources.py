"""Which file was read into which version: asked for by the paths of a run, whatever else a corpus holds."""

import hashlib

import pytest

from verified_gate import CorpusStore
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.numbering import Read
from verified_gate.model import Access

LABELS = "0" * 64


def read(path, text="A bike is lent for a day.", tenant=None, **members):
    digest = hashlib.sha256(text.encode()).hexdigest()
    access = Access(tenant)
    name = members.pop("name", path)
    document = Document(name, "1", text, (Span(0, len(text)),), access=access, file_sha256=digest, **members)
    return Read(path, document, numbered=True)


def kept(store, *reads, tenant=""):
    return store.operator.sources.store(reads, LABELS, instead=False, tenant=tenant)


@pytest.fixture
def store():
    with CorpusStore.in_memory() as store:
        yield store


def steps_of(store, ask):
    """Steps of SQLite's machine, by the hundred."""
    connection, count = store._database._shared.connection, 0

    def counted():
        nonlocal count
        count += 1

    connection.set_progress_handler(counted, 100)
    try:
        ask()
    finally:
        connection.set_progress_handler(None, 0)
    return count


@pytest.mark.parametrize(
    "ask",
    [
        lambda sources: sources.known(["/files/7.txt"]),
        lambda sources: sources.former(["/files/7.txt"]),
        lambda sources: sources.elsewhere(["/files/7.txt"], "acme"),
        lambda sources: sources.not_in_force(["/files/7.txt"]),
        lambda sources: sources.missing(["/files/7.txt", "/elsewhere"], []),
    ],
    ids=["known", "former", "elsewhere", "not_in_force", "missing"],
)
def test_what_is_asked_of_one_file_does_not_grow_with_the_files_of_a_corpus(store, ask):
    """A file more in a corpus of many costs what it costs in one of few."""
    kept(store, *(read(f"/files/{number}.txt") for number in range(20)))
    few = steps_of(store, lambda: ask(store.operator.sources))
    kept(store, *(read(f"/files/{number}.txt") for number in range(20, 2_000)))
    assert steps_of(store, lambda: ask(store.operator.sources)) <= few + 2


def test_more_files_than_fit_one_statement_are_all_known(store):
    paths = [f"/files/{number}.txt" for number in range(2_100)]
    kept(store, *map(read, paths))
    known = store.operator.sources.known([*paths, "/files/none.txt", "/files/\udcff.txt"])
    assert list(known) == paths
    assert known["/files/9.txt"].document_id == "/files/9.txt" and not known["/files/9.txt"].pruned


def test_the_files_of_a_folder_that_are_gone_are_those_under_it_and_no_neighbours(store):
    paths = ["/a/b", "/a/b/1.txt", "/a/b/c/2.txt", "/a/b-c/3.txt", "/a/b.txt", "/a/b0", "/a/bc/4.txt", "/é/5.txt"]
    kept(store, *map(read, paths))
    missing = store.operator.sources.missing
    assert missing(["/a/b"], []) == {"/a/b", "/a/b/1.txt", "/a/b/c/2.txt"}
    assert missing(["/a/b/"], ["/a/b/1.txt"]) == {"/a/b/c/2.txt"}
    assert missing(["/a/b.txt", "/é"], []) == {"/a/b.txt", "/é/5.txt"}
    assert missing(["/"], []) == set(paths)
    assert missing(["/a/b"], paths) == missing([], []) == missing(["/none", "/a/\udcff"], []) == set()
    assert missing(["/a/b"], [], "acme") == set()


def test_each_tenant_is_asked_for_its_own_and_told_of_the_others(store):
    kept(store, read("/f.txt"))
    kept(store, read("/f.txt", tenant="acme"), tenant="acme")
    sources = store.operator.sources
    assert sources.known(["/f.txt"], "acme")["/f.txt"].tenant == "acme"
    assert sources.known(["/f.txt"])["/f.txt"].tenant == ""
    assert sources.elsewhere(["/f.txt"]) == [("/f.txt", "acme", "acme:/f.txt@1")]
    assert sources.elsewhere(["/f.txt"], "acme") == [("/f.txt", "", "/f.txt@1")]
    assert sources.elsewhere(["/other.txt"]) == sources.elsewhere([]) == []


def test_what_a_file_was_once_and_what_was_taken_back_is_told_of_the_files_of_the_run_alone(store):
    kept(store, read("/f.txt", name="old"), read("/g.txt", name="other"))
    kept(store, read("/f.txt", name="new", text="A bike is lent for two days."))
    store.operator.set_status("other", "1", "revoked")
    sources = store.operator.sources
    assert sources.former(["/g.txt", "/f.txt"]) == [("/f.txt", "old", "1")]
    assert sources.not_in_force(["/g.txt", "/f.txt"]) == [("/g.txt", "other", "1", "revoked")]
    assert sources.former(["/g.txt"]) == sources.not_in_force(["/f.txt"]) == []
    assert sources.withdraw_former(["/g.txt"]) == 0
    assert sources.withdraw_former(["/f.txt"]) == 1
    assert sources.former(["/f.txt"]) == []


def test_the_state_of_a_corpus_is_counted_and_no_record_is_read(store):
    """Only a check reads them all."""
    kept(store, *(read(f"/files/{number}.txt") for number in range(50)))
    status = store.operator.status()
    assert (status.condition, status.documents, status.passages) == ("ready", {"current": 50}, 50)
    few = steps_of(store, store.operator.status)
    kept(store, *(read(f"/files/{number}.txt", status="draft") for number in range(50, 100)))
    assert store.operator.status().documents == {"current": 50, "draft": 50}
    assert steps_of(store, store.operator.status) <= 3 * few + 10


def test_what_a_file_was_for_the_same_tenant_in_a_run_for_others_is_its_former_document_and_no_audience_of_others(
    store,
):
    kept(store, read("/f.txt", tenant="acme", name="takeover"))  # in a run for everybody, by its front matter
    sources = store.operator.sources
    assert sources.elsewhere(["/f.txt"], "acme") == sources.former(["/f.txt"], "acme") == []
    kept(store, read("/f.txt", "It costs 9 euros.", tenant="acme", name="fm"), tenant="acme")
    assert sources.elsewhere(["/f.txt"], "acme") == sources.elsewhere(["/f.txt"]) == []
    assert sources.former(["/f.txt"], "acme") == [("/f.txt", "takeover", "1")]
    assert sources.withdraw_former(["/f.txt"], "acme") == 1
    assert sources.former(["/f.txt"], "acme") == []
    kept(store, read("/f.txt", "It costs 8 euros.", tenant="umbrella", name="fm"), tenant="umbrella")
    assert [owner for _, owner, _ in sources.elsewhere(["/f.txt"], "umbrella")] == ["acme"], "but of others it is told"
