"""`page`: a page of a PDF as a picture, with the quote of a citation marked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from verified_gate.cli.application import Exit, Groups, Purpose, StoreFile, Tenant, actor_of, command, constraints_of
from verified_gate.cli.corpora import existing_store
from verified_gate.cli.outputs import Output, is_png
from verified_gate.cli.showing import ADMISSIONS, STATES, View, view_of, wanted_of
from verified_gate.cli.terminal import tell, write
from verified_gate.model import Actor
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.protocol import Constraints
from verified_gate.text.layout import own_words

if TYPE_CHECKING:
    from verified_gate.corpus.document import Listing
    from verified_gate.corpus.store import CorpusStore

_OTHER_PICTURES: Final = frozenset(
    {".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".svg", ".avif", ".heic", ".jp2", ".ico"}
)


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
            "--citation",
            metavar="JSON",
            help="What is to be marked: a citation or hit as --json prints it, or a file of one (answer.json#2: the "
            "second), or a key; - reads standard input.",
            show_default=False,
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
    if png.suffix.lower() in _OTHER_PICTURES:
        raise typer.BadParameter(
            f"{png}: the picture is a PNG: name it {png.with_suffix('.png').name}", param_hint="--png"
        )
    wanted_words = None if citation is None else wanted_of(citation, "--citation")
    cited = None if wanted_words is None else _version_in(wanted_words)
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
        view = View("") if wanted_words is None else view_of(store, wanted_words, actor, limits)
        path = file or store.operator.sources.path_of(listing.document_id, listing.version, listing.tenant)
    if cited is not None and (why := _why_unmarked(document, listing, cited, view)) is not None:
        tell(why)
        return Exit.WITHHELD
    quote = _words(view)
    marked = dict(on_pages(pages, *quote)) if quote is not None else {}
    wanted = number or min(marked, default=1)
    if quote is not None and wanted not in marked:
        tell(f"the words do not stand on page {wanted}, but on {', '.join(map(str, sorted(marked)))}")
        return Exit.WITHHELD
    shown = next((each for each in pages if each.number == wanted), None)
    if shown is None:
        raise typer.BadParameter(f"{printable(document)} has {len(pages)} page{'s' * (len(pages) != 1)}")
    if path is None or listing.file_sha256 is None:
        raise CorpusError(f"{printable(document)}: was not read from a file that is known; name it with --file")
    passed_over = texts[0].furniture if view.quote is not None else (*texts[0].furniture, *texts[0].hidden)
    running = [(start - shown.start, end - shown.start) for start, end in passed_over]
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
            f"the words stand on {where} too; to draw that, name the page: `page {printable(document)} {further[0]} …`"
        )
    if cited is not None and listing.status != "current":
        tell(f"this is version {listing.version}, which the citation is of, and not the one in force")
    if listing.rules.admission != "full_text":
        tell(ADMISSIONS[listing.rules.admission])
    return Exit.RELEASED


def _version(
    store: "CorpusStore", name: str, actor: Actor | None, limits: Constraints, cited: str | None
) -> "Listing | None":
    """The version named; of a document named without one, that which is `cited`, or else the one in force."""
    in_force = None
    for listing in store.documents(actor, constraints=limits):
        version = _name(listing)  # of a tenant's, with its name in front, which need not be given
        document = version.rpartition("@")[0]
        if name in (f"{listing.document_id}@{listing.version}", version):
            return listing
        if name in (listing.document_id, document):
            if cited == version:
                return listing
            if listing.status == "current" and in_force is None:
                in_force = listing
    return in_force


def _name(listing: "Listing") -> str:
    """A version as its keys begin."""
    return listing.key(0).rpartition("#")[0]


def _version_in(wanted: str | dict[str, Any]) -> str:
    """The version that a key, a citation or a hit is of."""
    return str(wanted if isinstance(wanted, str) else wanted["key"]).rpartition("#")[0]


def _why_unmarked(document: str, listing: "Listing", cited: str, view: View) -> str | None:
    """Why nothing of `listing`, which `document` named, can be marked by what is of the version `cited`."""
    from verified_gate.release.display import one_line

    here, there = _name(listing), one_line(cited)
    if cited == here:
        return None if view.passage is not None else STATES.get(view.status, view.status)
    if cited.rpartition("@")[0] != here.rpartition("@")[0]:
        return f"the citation is of {there}, and not of {one_line(document)}: name the document that it is of"
    if here.endswith(document):
        return f"the citation is of {there}, and not of the version named: name that one, or the document alone"
    return f"the citation is of {there}, which is gone, or this actor may not read it; {one_line(here)} is in force"


def _words(view: View) -> tuple[int, int] | None:
    """Where in the document's text the quote stands, or else the passage; None where none is asked for."""
    if view.passage is None or view.quote is not None:
        return view.quote
    start = view.passage.start or 0
    return start, start + len(view.passage.text)
