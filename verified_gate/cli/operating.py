"""`ingest`, `status` and `optimize`: for whoever runs the corpus."""

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from verified_gate.cli.application import AsJson, Exit, StoreFile, command
from verified_gate.cli.corpora import counted, existing_store
from verified_gate.cli.terminal import show, write
from verified_gate.model.errors import CorpusError


class Kept(StrEnum):
    """What may be kept of a document."""

    FULL_TEXT = "full_text"
    SUMMARY = "summary"
    METADATA_ONLY = "metadata_only"


_CONDITIONS = {
    "ready": "ready",
    "partial": "ready; some current documents hold no text that can be found",
    "empty": "empty: it holds no current document",
    "not-indexed": "its index was built by another version of this program: `verified-gate optimize` builds it anew",
    "unavailable": "it cannot be read now, which says nothing of what it holds",
    "damaged": "damaged: restore it from a copy, or ingest the documents into a new file",
}


@command
def ingest(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Files and folders of them: PDF, DOCX, ODT, HTML, EPUB, XLSX, CSV, Markdown, text.",
            show_default=False,
        ),
    ],
    corpus: StoreFile,
    tenant: Annotated[
        str | None,
        typer.Option("--tenant", metavar="NAME", help="Whose documents they are; none: public.", show_default=False),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group", metavar="NAME", help="Only members of this group may read; repeatable.", show_default=False
        ),
    ] = None,
    collection: Annotated[str, typer.Option("--collection", metavar="NAME", help="A name to filter by.")] = "default",
    lang: Annotated[
        str, typer.Option("--lang", metavar="CODE", help="Language of files that name none.", show_default=False)
    ] = "",
    admission: Annotated[
        Kept,
        typer.Option("--admission", help="What may be kept: the text, a curator's summary, or what describes it."),
    ] = Kept.FULL_TEXT,
    purpose: Annotated[
        list[str] | None,
        typer.Option(
            "--purpose",
            metavar="NAME",
            help="Found and released for this purpose only; repeatable.",
            show_default=False,
        ),
    ] = None,
    effective_from: Annotated[
        str,
        typer.Option("--effective-from", metavar="DAY", help="First day in force, as 2026-01-31.", show_default=False),
    ] = "",
    effective_to: Annotated[
        str, typer.Option("--effective-to", metavar="DAY", help="First day no longer in force.", show_default=False)
    ] = "",
    version: Annotated[
        str | None,
        typer.Option(
            "--version",
            metavar="NAME",
            help="Store the one file as this version: for other labels of the same text.",
            show_default=False,
        ),
    ] = None,
    *,
    local_only: Annotated[bool, typer.Option("--local-only", help="Never send the text to a remote model.")] = False,
    draft: Annotated[
        bool, typer.Option("--draft", help="Store without putting in force; `mark VERSION current` does that.")
    ] = False,
    trust_front_matter: Annotated[
        bool,
        typer.Option("--trust-front-matter", help="Let a file say its own id, status, tenant and groups."),
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Let another text take the place of a stored one of the same version.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Withdraw the documents of files that are gone from these folders.")
    ] = False,
    reread: Annotated[
        bool,
        typer.Option("--reread", help="Read unchanged files again that another reader read than the one of now."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done.")] = False,
    password: Annotated[
        str | None,
        typer.Option("--password", metavar="WORD", help="Opens encrypted PDF files.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> Exit:
    """Store documents in a file that `ask`, `search` and `show` read.

    What is stored already from the same file under the same labels is left alone, so that it can be run again at any
    time; a changed file becomes the next version. A file that another version of its reader read is told and stays;
    with --reread it is read again, and becomes the next version where it reads otherwise. The file is made where it is
    missing. A document that cannot be read is told, nothing of it is stored, and the rest goes on; the exit code is 3
    then.
    """
    from verified_gate.cli import storing, telling
    from verified_gate.corpus.key import name_fault
    from verified_gate.ingest import Labels
    from verified_gate.ingest.document import Rules, Status
    from verified_gate.model import Access

    if group and tenant is None:
        raise typer.BadParameter("--group needs --tenant: groups belong to a tenant")
    named = (("--tenant", tenant), ("--version", version))
    for option, name in (*named, *(("--group", name) for name in group or ())):
        if name is not None and (fault := name_fault(name)):
            raise typer.BadParameter(f"{option} {fault}")
    if version is not None and (len(paths) != 1 or paths[0].is_dir()):
        raise typer.BadParameter("--version needs one file: a folder's files are versions of several documents")
    if not (collection.isprintable() and lang.isprintable() and 0 < len(collection) <= 200 and len(lang) <= 35):
        raise typer.BadParameter("--collection and --lang take a short name without control characters")
    if corpus.is_dir():
        raise CorpusError(f"--corpus {corpus}: is a folder; name the store's file")
    try:
        rules = Rules(admission.value, frozenset(purpose or ()), local_only, effective_from, effective_to)
    except ValueError as fault:
        raise typer.BadParameter(str(fault).replace("effective_", "--effective-")) from fault
    status = Status.DRAFT if draft else Status.CURRENT
    labels = Labels(Access(tenant, frozenset(group or ())), status, collection, lang, rules)
    way = telling.Way(
        trusted=trust_front_matter,
        replace=replace,
        prune=prune,
        dry_run=dry_run,
        as_json=as_json,
        password=password,
        version=version,
        reread=reread,
    )
    return storing.ingest(paths, corpus, labels, way)


@command
def status(
    corpus: StoreFile,
    *,
    check: Annotated[bool, typer.Option("--check", help="Hash every text, passage and posting again.")] = False,
    documents: Annotated[
        bool, typer.Option("--documents", help="List each version: status, what was read, pages, audience, title.")
    ] = False,
    as_json: AsJson = False,
) -> Exit:
    """Tell the state of a store's file.

    Exit code 3 where it is damaged, or cannot be read or searched: the condition is told in any case.
    """
    from verified_gate.cli import listing
    from verified_gate.corpus.operator import status_of
    from verified_gate.release import Line, escaped_json, one_line

    state, entries = status_of(corpus, check=check), []
    if documents and state.condition != "unavailable":
        with existing_store(corpus, read_only=True) as store:
            entries = store.operator.catalogue()
    size = corpus.stat().st_size if corpus.is_file() else 0
    if as_json:
        more = {"versions": [listing.as_json(each) for each in entries]} if documents else {}
        write(escaped_json(json.dumps({**asdict(state), "bytes": size, **more}, ensure_ascii=False)) + "\n")
    else:
        by_status = ", ".join(f"{count:,} {name}" for name, count in state.documents.items())
        versions = counted(sum(state.documents.values()), "version of a document", "versions of documents")
        condition = _CONDITIONS[state.condition] if corpus.exists() else "there is no such file"
        lines = [Line("claim", f"{one_line(str(corpus))}: {condition}")]
        counts = [
            Line("quote", f"{versions}{f' ({by_status})' if by_status else ''}", indent=2),
            Line("quote", f"{counted(state.passages, 'passage', 'passages')}, {_size(size)}", indent=2),
            Line("quote", f"index in {counted(state.segments, 'segment', 'segments')}", indent=2),
        ]
        lines += counts if state.condition != "unavailable" else []
        if state.incomplete:
            told = listing.incomplete(state.incomplete, state.lost, listed=bool(entries))
            lines.append(Line("withheld", told, indent=2))
        if state.unread:
            lines.append(Line("withheld", _unread(list(map(one_line, state.unread))), indent=2))
        if state.outdated:
            lines.append(Line("withheld", _outdated(list(map(one_line, state.outdated))), indent=2))
        lines += [Line("refused", f"{one_line(fault.place)}: {one_line(fault.fault)}", 2) for fault in state.faults]
        if state.unfinished:
            told = f"erased, and bytes of it may still stand here: {', '.join(map(one_line, state.unfinished))}"
            lines.append(Line("refused", f"{told}; `verified-gate erase` without a name finishes it", indent=2))
        if state.checked and not state.faults:
            lines.append(Line("released", "checked: every text, passage and posting has its hash", indent=2))
        show(lines)
        write("".join(f"{line}\n" for line in listing.table(entries)))
    return Exit.FAULT if state.condition in ("damaged", "not-indexed", "unavailable") else Exit.RELEASED


@command
def optimize(corpus: StoreFile, *, as_json: AsJson = False) -> Exit:
    """Make a store's file smaller and faster.

    Lays the index out anew, or builds it where another version of this program did, and gives free space back to
    the disk. Needs as much free disk as the file has. Readers go on meanwhile, and writers until space is given back.
    """
    before = corpus.stat().st_size if corpus.is_file() else 0
    with existing_store(corpus) as store:
        rebuilt = store.operator.status().condition == "not-indexed"
        if rebuilt:
            store.operator.rebuild()
        changed = store.operator.optimize() or rebuilt
    after = corpus.stat().st_size
    if as_json:
        write(json.dumps({"changed": changed, "rebuilt": rebuilt, "bytes_before": before, "bytes": after}) + "\n")
    else:
        what = (
            "the index was built anew" if rebuilt else "the index was laid out anew" if changed else "already in order"
        )
        write(f"{what}; {_size(before)} before, {_size(after)} now\n")
    return Exit.RELEASED


def _outdated(names: list[str]) -> str:
    count = counted(len(names), "document was", "documents were")
    named = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{count} read by another reader than the one of now: {named}; `verified-gate ingest --reread` reads the files again"


def _unread(names: list[str]) -> str:
    count = counted(len(names), "document is", "documents are")
    named = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{count} in force as read before: {named}; the file could not be read when it was ingested last"


def _size(size: int) -> str:
    return f"{size:,} bytes" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"
