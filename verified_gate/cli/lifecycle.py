"""`mark`, `erase` and `private`: what an operator decides of documents that are stored."""

import json
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verified_gate.cli.application import AsJson, Exit, StoreFile, command
from verified_gate.cli.corpora import counted, existing_store
from verified_gate.cli.logs import RecordKey, log_to_erase
from verified_gate.cli.terminal import tell, write
from verified_gate.model.errors import CorpusError

if TYPE_CHECKING:
    from verified_gate.corpus.key import Key
    from verified_gate.corpus.store import CorpusStore


class Mark(StrEnum):
    """What a version can be marked as."""

    CURRENT = "current"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"
    SUPERSEDED = "superseded"
    DRAFT = "draft"


def version_of(name: str) -> "Key":
    """The parts of `acme:returns@3`."""
    from verified_gate.corpus.key import parse_key

    key = parse_key(f"{name}#c0")
    if key is None:
        raise typer.BadParameter("name a version as its keys begin, such as returns@3 or acme:returns@3")
    return key


def _owner(store: "CorpusStore", key: "Key", version: str | None) -> str | None:
    """Whose document is meant: that of the tenant named; else the public one, or the only one there is. Raises
    `CorpusError` where several tenants have one.
    """
    if key.tenant:
        return key.tenant
    owners = store.operator.owners(key.document_id, version)
    if len(owners) < 2 or None in owners:
        return owners[0] if owners else None
    told = f"{key.document_id}@{version}" if version else key.document_id
    raise CorpusError(
        f"{told}: several tenants have one; name whose it is: {', '.join(f'{each}:{told}' for each in owners)}"
    )


@command
def mark(
    version: Annotated[
        str,
        typer.Argument(metavar="VERSION", help="As its keys begin: returns@3, acme:returns@3.", show_default=False),
    ],
    status: Annotated[Mark, typer.Argument(metavar="STATUS", help="current, withdrawn, revoked, superseded or draft.")],
    corpus: StoreFile,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Give a stored version another status, at once.

    A draft that becomes current takes the place of the version that was. What is withdrawn or revoked is disclosed to
    nobody from then on, also where it was found before; nothing is deleted.
    """
    key = version_of(version)
    with existing_store(corpus) as store:
        tenant = _owner(store, key, key.version)
        store.operator.set_status(key.document_id, key.version, status.value, tenant=tenant)
    version = str(replace(key, tenant=tenant or "")).rpartition("#")[0]
    write(json.dumps({"version": version, "status": status}) + "\n" if as_json else f"{version} is {status}\n")
    return Exit.RELEASED


@command
def erase(
    corpus: StoreFile,
    version: Annotated[
        str | None,
        typer.Argument(
            metavar="VERSION", help="As its keys begin; with --all-versions without @version.", show_default=False
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            metavar="FILE",
            help="Erase in this record log too what tells of it.",
            show_default=False,
        ),
    ] = None,
    record_key: RecordKey = None,
    *,
    all_versions: Annotated[bool, typer.Option("--all-versions", help="Erase every version of the document.")] = False,
    as_json: AsJson = False,
) -> Exit:
    """Erase a version from a store's file, every byte of it, for good.

    Without VERSION, finish what could not be finished before. Citations of an erased version are unavailable for ever,
    and its name is not given again. Needs as much free disk as the file has. Exit code 3: nobody can read it any more,
    and bytes of it may still stand in the file or its log; the message says what to do. Copies of the file, and what
    the disk keeps of its blocks, are not reached. Of a record log that has a key, the key is needed.
    """
    with existing_store(corpus) as store, log_to_erase(records, record_key) as log:
        if version is None:
            if all_versions:
                raise typer.BadParameter("--all-versions needs the name of a document")
            erasure = store.operator.finish_erasures(records=log)
        elif all_versions:
            key = version_of(f"{version}@all")
            erasure = store.operator.erase(key.document_id, None, tenant=_owner(store, key, None), records=log)
        else:
            key = version_of(version)
            tenant = _owner(store, key, key.version)
            erasure = store.operator.erase(key.document_id, key.version, tenant=tenant, records=log)
    if as_json:
        write(json.dumps(asdict(erasure)) + "\n")
    elif erasure.finished:
        told = [f"erased: {', '.join(erasure.erased)}"] if erasure.erased else []
        told += (
            [f"erased in the record log: {counted(erasure.records, 'record', 'records')}"] if erasure.records else []
        )
        write("".join(f"{line}\n" for line in told) or "nothing was left to erase\n")
    if not erasure.finished:
        tell(f"not finished: {', '.join(erasure.erased)}: {erasure.detail}")
    return Exit.RELEASED if erasure.finished else Exit.FAULT


@command
def private(
    corpus: StoreFile,
    collection: Annotated[
        str | None, typer.Argument(metavar="COLLECTION", help="Its name; none: list them.", show_default=False)
    ] = None,
    *,
    undo: Annotated[bool, typer.Option("--undo", help="Let it be searched without being named again.")] = False,
    as_json: AsJson = False,
) -> Exit:
    """Let a collection be searched only where it is named.

    Who may read it is another matter, which --tenant and --group of `ingest` say.
    """
    from verified_gate.release.display import one_line

    with existing_store(corpus) as store:
        if collection is not None:
            try:
                store.operator.set_private(collection, private=not undo)
            except ValueError as fault:
                raise typer.BadParameter(str(fault)) from fault
            if not undo and not store.operator.has_collection(collection):
                tell(
                    f"no document is in the collection {one_line(collection)} yet: is its name spelled as it is meant?"
                )
        names = sorted(store.operator.private_collections())
    if as_json:
        write(json.dumps({"private": names}) + "\n")
    else:
        write(f"private: {', '.join(map(one_line, names))}\n" if names else "no collection is private\n")
    return Exit.RELEASED
