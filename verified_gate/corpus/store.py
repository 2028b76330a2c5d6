"""The store that people use: documents in, hits and passages out, for an actor.

Every read method of a reader takes the actor (None: no actor, public documents only) and runs in one read
transaction of its own. What changes the corpus or tells of all of it is the operator's: `add…`, and `operator`.
"""

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from verified_gate.corpus.background import Merger
from verified_gate.corpus.connection import Database
from verified_gate.corpus.disclosure import decide
from verified_gate.corpus.document import Document, Listing
from verified_gate.corpus.intake import document_of, group_names, read_source
from verified_gate.corpus.key import parse_key
from verified_gate.corpus.layout import Layout, read_layout
from verified_gate.corpus.limits import in_force, listed, named, private_collections
from verified_gate.corpus.operator import Operator
from verified_gate.corpus.pages import read_pages
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.reading import read_passage, read_whole
from verified_gate.corpus.resolution import Resolution, fields_of, resolve_fields
from verified_gate.corpus.search import Request, search
from verified_gate.corpus.writing import Added, store_documents
from verified_gate.ingest.document import Labels, Rules, Status
from verified_gate.ingest.extracted import Page
from verified_gate.ingest.ocr import Ocr
from verified_gate.ingest.reading import read_directory
from verified_gate.model import Access, Actor, Admission, Passage, ReasonCode
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints, Hit, Hits, Retrieved
from verified_gate.retrieval.query import check_limit, parse_question
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

CURRENT = (Status.CURRENT,)


class CorpusStore:
    """A corpus in one SQLite file, or in memory. Safe to share between threads, and across fork."""

    def __init__(self, database: Database, *, minimum_score: float = 0.0) -> None:
        """Use `open`, `in_memory` or `from_directory`. `minimum_score` is what `retrieve` asks for."""
        self._database = database
        self._minimum_score = minimum_score
        self._known: Layout | None = None
        self._merger = Merger(database)
        self.operator = Operator(database)

    @classmethod
    def in_memory(cls, *, minimum_score: float = 0.0) -> Self:
        """An empty corpus that lives as long as the object."""
        return cls(Database(None, tokenizer=TOKENIZER_VERSION), minimum_score=minimum_score)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        create: bool = True,
        minimum_score: float = 0.0,
    ) -> Self:
        """Open the corpus in the file `path`, which is made where it is missing and `create` is on.

        With `read_only`, who may not write the file makes no file beside it, also where the folder would allow it; a
        read that the writer disturbs there raises `CorpusError`, and is done again.

        Raises `CorpusError` for a file that is not a corpus (it is left as it is), one of a newer schema, and one that
        cannot be opened. Where another version of the tokenizer built the index, searching and adding raise it until
        `operator.rebuild()` has run.
        """
        database = Database(Path(path), read_only=read_only, create=create, tokenizer=TOKENIZER_VERSION)
        return cls(database, minimum_score=minimum_score)

    @classmethod
    def from_directory(
        cls,
        path: str | os.PathLike[str],
        *,
        strategy: str = "paragraph",
        size: int | None = None,
        overlap: int = 0,
        minimum_score: float = 0.0,
    ) -> Self:
        """A corpus in memory of the documents in the folder `path`, whose front matter is trusted.

        Raises one `IngestError` that names every bad file and its fault; nothing is stored then.
        """
        store = cls.in_memory(minimum_score=minimum_score)
        try:
            store.add_directory(path, trust_front_matter=True, strategy=strategy, size=size, overlap=overlap)
        except BaseException:
            store.close()
            raise
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<CorpusStore {self._database.name}>"

    def close(self) -> None:
        """Close every connection of this process, when what is merged in the background is done; nothing is lost, since
        every write was committed whole. Others' writes that have not begun are refused from now on.
        """
        self._merger.close()
        self._database.close()

    # ------------------------------------------------------------------------------------------- the reader's side

    def search(
        self,
        question: str,
        actor: Actor | None = None,
        limit: int = 10,
        *,
        match: Literal["any", "all"] = "any",
        collection: str | Collection[str] | None = None,
        lang: str | Collection[str] | None = None,
        document_ids: Collection[str] | None = None,
        versions: Collection[str] | None = None,
        statuses: Collection[str] = CURRENT,
        minimum_score: float = 0.0,
        constraints: Constraints = UNCONSTRAINED,
    ) -> Hits:
        """The best passages for `question` that `actor` may read, best first, ties by document and passage.

        The counts behind a score come from the current passages that `actor` may read, and from nothing else; the
        filters `collection`, `lang`, `document_ids`, `versions` and `statuses`, and the limits in `constraints`, choose
        among candidates and change no score. `lang="de"` finds `de-AT` as well. `statuses` may name `current` and
        `superseded`. A private collection is searched only where `collection` or `constraints.only` names it. Where
        `constraints.prefer` names collections, their hits come first, and those of the others behind them; `widened` of
        the list says whether those were looked in.

        `minimum_score`, from 0 to 1, is a share of what no passage can reach for this question: every word of it,
        without end, weighted by how rare each is. A passage that holds each word once, at average length, has 0.45;
        one that lacks the rare words has little. Passages under it are not found.

        Raises `QueryError` (a `ValueError`) for a question or a limit outside of the limits.
        """
        request = Request(
            terms=parse_question(question),
            limit=check_limit(limit),
            match=match,
            collections=_names(collection),
            langs=_names(lang),
            document_ids=_names(document_ids),
            versions=_names(versions),
            statuses=frozenset(Status(status) for status in statuses),
            minimum_score=minimum_score,
            constraints=constraints,
        )
        with self._reading(actor) as connection:
            found = search(connection, self._layout(connection), request, actor)
            return Hits(found.hits, widened=found.widened)

    def retrieve(
        self, question: str, actor: Actor | None, limit: int, *, constraints: Constraints = UNCONSTRAINED
    ) -> Retrieved:
        """The passages of `search`, over the store's own minimum score, with what is to be told of them."""
        request = Request(
            terms=parse_question(question),
            limit=check_limit(limit),
            minimum_score=self._minimum_score,
            constraints=constraints,
        )
        with self._reading(actor) as connection:
            found = search(connection, self._layout(connection), request, actor)
            passages = tuple(hit.passage for hit in found.hits)
            return Retrieved(passages, widened=found.widened, eligible=found.eligible)

    @contextmanager
    def _reading(self, actor: Actor | None) -> Iterator[sqlite3.Connection]:
        """A read transaction for somebody. Raises `TypeError` for what is no actor: it is nobody, and never everybody."""
        if actor is not None and not isinstance(actor, Actor):
            raise TypeError("actor must be an Actor or None")
        with self._database.reading() as connection:
            yield connection

    def _layout(self, connection: sqlite3.Connection) -> Layout:
        layout = read_layout(connection, self._known)
        if self._known is not layout:
            self._known = layout
        return layout

    def passage(
        self, key: str, actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> Passage | None:
        """The passage with this key, current or historic; None where it is missing, forbidden or outside of the limits
        alike.
        """
        parsed = parse_key(key)
        with self._reading(actor) as connection:
            stored = named(connection, parsed, actor, constraints)
            return None if stored is None or parsed is None else read_passage(connection, stored, parsed.position)

    def neighbours(
        self, key: str, actor: Actor | None = None, *, reach: int = 1, constraints: Constraints = UNCONSTRAINED
    ) -> tuple[Passage, ...]:
        """The passages around this one in its document, at most `reach` before and as many behind, in the document's
        order and without the passage itself: to be shown as context. Empty where the passage is missing or forbidden.
        """
        parsed = parse_key(key)
        with self._reading(actor) as connection:
            stored = named(connection, parsed, actor, constraints)
            if stored is None or parsed is None or parsed.position >= stored.listing.passages:
                return ()
            first, last = max(parsed.position - reach, 0), min(parsed.position + reach, stored.listing.passages - 1)
            around = (
                read_passage(connection, stored, place) for place in range(first, last + 1) if place != parsed.position
            )
            return tuple(passage for passage in around if passage is not None)

    def texts(
        self, keys: Iterable[str], actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> list[Passage]:
        """The whole texts of the documents that these passages are of, each once, as far as `actor` may read them: one
        passage a document, with no key, that begins at 0.
        """
        found: dict[int, Passage] = {}
        with self._reading(actor) as connection:
            for key in keys:
                stored = named(connection, parse_key(key), actor, constraints)
                if stored is not None and stored.id not in found:
                    found[stored.id] = read_whole(connection, stored)
        return list(found.values())

    def pages(
        self, key: str, actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> tuple[Page, ...]:
        """The pages of the document that the passage with this key is of, with what could be read of each; empty where it
        has none, and where `actor` may not read it.
        """
        with self._reading(actor) as connection:
            stored = named(connection, parse_key(key), actor, constraints)
            return () if stored is None else read_pages(connection, stored)

    def disclose(
        self,
        pins: Sequence[Pin],
        actor: Actor | None = None,
        *,
        statuses: Collection[str] = CURRENT,
        constraints: Constraints = UNCONSTRAINED,
    ) -> list[ReasonCode | None]:
        """For each pin, why it may not leave now, or None: release it. One read transaction, opened by this call.

        `statuses` widens to `superseded` for a run that asked for historic evidence; `constraints` are those of the
        request that the evidence was retrieved for. Codes: see `Store.disclose`.
        """
        wanted = frozenset(Status(status) for status in statuses)
        with self._reading(actor) as connection:
            private = private_collections(connection)
            return [decide(connection, pin, actor, wanted, constraints, private) for pin in pins]

    def standing(
        self, key: str, actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> ReasonCode | None:
        """What is to be said of the passage with this key before it is shown: None where it is in force and as it was
        stored, else `unavailable`, `superseded` or `integrity_failure`.
        """
        parsed = parse_key(key)
        with self._reading(actor) as connection:
            stored = named(connection, parsed, actor, constraints)
            passage = None if stored is None or parsed is None else read_passage(connection, stored, parsed.position)
            if stored is None or passage is None:
                return ReasonCode.UNAVAILABLE
            pin = Pin(passage.document_id, passage.version, passage.key, passage.sha256 or "")
            return decide(connection, pin, actor, frozenset(CURRENT), constraints)

    def resolve(
        self, citation: object, actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> Resolution:
        """What `citation` (a citation of an earlier answer, or its `to_dict()`) is worth now. Never raises for what
        the citation holds, nor for any other value of JSON (`unavailable`). Raises `TypeError` for a hit or a passage:
        they come from no request, and cite no words.
        """
        if isinstance(citation, (Hit, Passage)):
            raise TypeError("citation must be one of an answer, or its to_dict(); ask standing() about a passage's key")
        fields = fields_of(citation)
        with self._reading(actor) as connection:
            return resolve_fields(connection, fields, actor, constraints)

    def documents(
        self,
        actor: Actor | None = None,
        *,
        document_ids: Collection[str] | None = None,
        constraints: Constraints = UNCONSTRAINED,
    ) -> list[Listing]:
        """The versions that `actor` may read, current and historic, ordered by tenant, id and version; those of
        `document_ids` alone, if given.
        """
        with self._reading(actor) as connection:
            return [stored.listing for stored in listed(connection, actor, constraints, document_ids)]

    def passages(self, actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED) -> list[Passage]:
        """The passages of all documents in force that `actor` may read, in the order of `documents`."""
        found: list[Passage] = []
        with self._reading(actor) as connection:
            for stored in listed(connection, actor, constraints):
                if in_force(connection, constraints, stored):
                    read = (read_passage(connection, stored, position) for position in range(stored.listing.passages))
                    found += [passage for passage in read if passage is not None]
        return found

    # ----------------------------------------------------------------------------------------- the operator's side

    def add(
        self,
        source: str | Path,
        *,
        document_id: str | None = None,
        version: str | None = None,
        title: str | None = None,
        lang: str = "",
        collection: str = "default",
        tenant: str | None = None,
        groups: Iterable[str] = (),
        status: str = Status.CURRENT,
        admission: Admission = "full_text",
        purposes: str | Collection[str] = (),
        local_only: bool = False,
        effective_from: str = "",
        effective_to: str = "",
        trust_front_matter: bool = False,
        strategy: str = "paragraph",
        size: int | None = None,
        overlap: int = 0,
        replace: bool = False,
        password: str | None = None,
        ocr: Ocr | None = None,
    ) -> Added:
        """Store one version: a text (a string, which needs `document_id`) or a file (a `Path`).

        The labels are the operator's; a file's own word on id, status, tenant and groups counts only with
        `trust_front_matter`. A current version supersedes the one before it. The same text under the same labels
        again is left alone; another text under the same id and version needs `replace`. `admission`: `summary` for a
        text that a curator wrote about the document; with `metadata_only` it is found by its title, and its text is not
        stored. It is found and released for one of `purposes` only, where there are any, and never sent to a remote
        model where it is `local_only`. Dates in ISO form, `effective_to` is the first day on which it is not in force.
        A file may be of any kind that is read; `password` opens an encrypted one, and `ocr` is called with a page as a PNG,
        and its number from 1, for the words of a page that is a picture.
        Raises `IngestError` (`UnreadableFile` with its code), and `ValueError` for a label that makes no sense; nothing is stored then.
        """
        rules = Rules(admission, _names(purposes) or frozenset(), local_only, effective_from, effective_to)
        labels = Labels(Access(tenant, group_names(groups)), Status(status), collection, lang, rules)
        read = read_source(
            source, labels, document_id, version, title, trusted=trust_front_matter, password=password, ocr=ocr
        )
        return self.add_documents([document_of(read, strategy, size, overlap)], replace=replace)

    def add_directory(
        self,
        path: str | os.PathLike[str],
        *,
        lang: str = "",
        collection: str = "default",
        tenant: str | None = None,
        groups: Iterable[str] = (),
        status: str = Status.CURRENT,
        admission: Admission = "full_text",
        purposes: str | Collection[str] = (),
        local_only: bool = False,
        effective_from: str = "",
        effective_to: str = "",
        trust_front_matter: bool = False,
        strategy: str = "paragraph",
        size: int | None = None,
        overlap: int = 0,
        replace: bool = False,
    ) -> Added:
        """Store the documents of a folder, all in one transaction or none. Labels and faults as in `add`; a document that
        cannot be read (a scan, an encrypted file) and files of other kinds are passed over and told in `ignored`.
        """
        rules = Rules(admission, _names(purposes) or frozenset(), local_only, effective_from, effective_to)
        labels = Labels(Access(tenant, group_names(groups)), Status(status), collection, lang, rules)
        reading = read_directory(path, trusted=trust_front_matter, labels=labels)
        documents = [document_of(read, strategy, size, overlap) for read in reading.documents]
        with self._database.writing() as connection:
            added = store_documents(connection, documents, replace=replace)
        self._merger.wake()
        return added + Added(ignored=reading.ignored)

    def add_documents(self, documents: Iterable[Document], *, replace: bool = False, batch: int = 500) -> Added:
        """Store documents that were cut already, `batch` of them in a transaction; each is wholly in or out."""
        total = Added()
        remaining: Iterator[Document] = iter(documents)
        while chosen := list(islice(remaining, batch)):
            with self._database.writing() as connection:
                total += store_documents(connection, chosen, replace=replace)
            self._merger.wake()
        return total


def _names(value: str | Collection[str] | None) -> frozenset[str] | None:
    if value is None:
        return None
    names: Any = [value] if isinstance(value, str) else value
    return frozenset(names)
