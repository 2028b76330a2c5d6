"""`page`: a page of a PDF as a picture, with the quote of a citation marked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verified_gate.cli.application import Exit, Groups, Purpose, StoreFile, Tenant, actor_of, command, constraints_of
from verified_gate.cli.corpora import existing_store
from verified_gate.cli.outputs import Output, is_png
from verified_gate.cli.showing import ADMISSIONS, wanted_of
from verified_gate.cli.terminal import tell, write
from verified_gate.model import Actor
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.protocol import Constraints
from verified_gate.text.layout import own_words

if TYPE_CHECKING:
    from verified_gate.corpus.document import Listing
    from verified_gate.corpus.store import CorpusStore


@command
def page(
    document: Annotated[
        str,
        typer.Argument(metavar="DOC", help="A document's id, or a version of it: contract.pdf@2.", show_default=False),
    ],
    corpus: StoreFile,
    png: Annotated[Path, typer.Option("--png", metavar="OUT", help="Where the picture goes.", show_default=False)],
    number: Annotated[
        int | None,
        typer.Argument(
            metavar="[N]", min=1, help="The page, counted from 1; left out, that of the citation.", show_default=False
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", metavar="PDF", help="The file, where it is not where it was read from.", show_default=False
        ),
    ] = None,
    citation: Annotated[
        str | None,
        typer.Option(
            "--citation", metavar="JSON", help="A citation to be marked, or a file of one; - reads standard input."
        ),
    ] = None,
    password: Annotated[
        str | None, typer.Option("--password", metavar="WORD", help="Opens an encrypted file.", show_default=False)
    ] = None,
    scale: Annotated[float, typer.Option("--scale", min=0.2, max=8.0, help="Pixels a point (1/72 inch).")] = 2.0,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
) -> Exit:
    """Draw a page of a PDF, with the quote of a citation marked.

    DOC without a version is the version of the citation, and without a citation the one in force. The file must be the
    one that was read, byte by byte. Exit code 1 where the quote does not stand on that page, or this actor may not read
    the document.
    """
    from verified_gate.ingest.drawing import ReadsOtherwise, draw, on_pages
    from verified_gate.ingest.folder import shown as printable
    from verified_gate.ingest.unreadable import UnreadableFile

    actor, limits = actor_of(tenant, group), constraints_of(purpose, None, None, None)
    cited = None if citation is None else _cited(citation)
    with existing_store(corpus, read_only=True) as store:
        listing = _version(store, document, actor, limits, cited)
        key = "" if listing is None else listing.key(0)
        pages = store.pages(key, actor, constraints=limits)
        texts = store.texts([key], actor, constraints=limits)
        if listing is None or not texts:
            tell(f"{printable(document)}: no such document, or this actor may not read it")
            return Exit.WITHHELD
        if not pages:
            raise CorpusError(f"{printable(document)}: has no pages")
        quote = None if cited is None else _quote(store, cited, listing, actor, limits)
        path = file or store.operator.sources.path_of(listing.document_id, listing.version, listing.tenant)
    if cited is not None and quote is None:
        tell("the citation is not one of this version, or its words do not stand there any more")
        return Exit.WITHHELD
    marked = dict(on_pages(pages, *quote)) if quote is not None else {}
    wanted = number or min(marked, default=1)
    if quote is not None and wanted not in marked:
        tell(f"the quote does not stand on page {wanted}, but on {', '.join(map(str, sorted(marked)))}")
        return Exit.WITHHELD
    shown = next((each for each in pages if each.number == wanted), None)
    if shown is None:
        raise typer.BadParameter(f"{printable(document)} has {len(pages)} pages")
    if path is None or listing.file_sha256 is None:
        raise CorpusError(f"{printable(document)}: was not read from a file that is known; name it with --file")
    running = [(start - shown.start, end - shown.start) for start, end in texts[0].furniture]
    spans = own_words(*marked[wanted], running) if wanted in marked else []
    stored = texts[0].text[shown.start : shown.end]
    try:
        picture = draw(path, listing.file_sha256, wanted, spans, stored, scale=scale, password=password)
    except UnreadableFile as fault:
        raise CorpusError(f"{printable(str(path))}: {fault.why}") from None
    except CorpusError as fault:
        if isinstance(fault, ReadsOtherwise) or printable(str(path)) in str(fault):
            raise
        way = f"name the file that version {listing.version} was read from with --file"
        raise CorpusError(f"{printable(str(path))}: {fault}; {way}") from None
    Output("--png", png, "a PNG picture", is_png, corpus).write(picture)
    write(f"{printable(str(png))}: page {wanted}{f' (labelled {shown.label})' if shown.label else ''}\n")
    if further := [number for number in sorted(marked) if number != wanted]:
        others = ", ".join(map(str, further))
        where = f"page {others}" if len(further) == 1 else f"pages {others}"
        tell(
            f"the quote stands on {where} too; to draw that, name the page: `page {printable(document)} {further[0]} …`"
        )
    if cited is not None and listing.status != "current":
        tell(f"this is version {listing.version}, which the citation is of, and not the one in force")
    if listing.rules.admission != "full_text":
        tell(ADMISSIONS[listing.rules.admission])
    return Exit.RELEASED


def _version(
    store: "CorpusStore", name: str, actor: Actor | None, limits: Constraints, cited: dict[str, Any] | None
) -> "Listing | None":
    """The version named; of a document named without one, that of the citation, or else the one in force."""
    in_force = None
    for listing in store.documents(actor, constraints=limits):
        version = listing.key(0).rpartition("#")[0]  # of a tenant's, with its name in front, which need not be given
        document = version.rpartition("@")[0]
        if name in (f"{listing.document_id}@{listing.version}", version):
            return listing
        if name in (listing.document_id, document):
            if cited is not None and str(cited["key"]).rpartition("#")[0] == version:
                return listing
            if listing.status == "current" and in_force is None:
                in_force = listing
    return in_force


def _cited(given: str) -> dict[str, Any]:
    """The members of the citation. Raises `CorpusError`, `BadParameter` for what is none."""
    fields = wanted_of(given, "--citation")
    if not isinstance(fields, dict):
        raise typer.BadParameter("not the JSON of one citation", param_hint="--citation")
    return fields


def _quote(
    store: "CorpusStore", cited: dict[str, Any], listing: "Listing", actor: Actor | None, limits: Constraints
) -> tuple[int, int] | None:
    """Where in the document's text the citation's quote stands now; None where it does not."""
    found = store.resolve(cited, actor, constraints=limits).citation
    if found is None or (found.document_id, found.version) != (listing.document_id, listing.version):
        return None
    return found.start, found.end
