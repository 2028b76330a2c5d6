"""`show`: a passage, or what is cited, in its surroundings."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from verified_gate.cli.application import (
    AsJson,
    Corpus,
    Exit,
    Groups,
    Purpose,
    Tenant,
    actor_of,
    command,
    constraints_of,
)
from verified_gate.cli.corpora import label_of, place_of, store_of
from verified_gate.cli.terminal import quoted, write
from verified_gate.cli.terminal import show as print_lines
from verified_gate.model import Actor, Passage, sha256_of_text
from verified_gate.model.citation import place_of as place_in
from verified_gate.model.citation import words_of
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.protocol import Constraints
from verified_gate.text.layout import own_words

if TYPE_CHECKING:
    from verified_gate.corpus.store import CorpusStore
    from verified_gate.release import Line

MAX_CITATION: Final = 1_000_000
"""Code points of a citation's JSON."""
AROUND: Final = 300
"""Code points of the document that are shown before and after the passage, at most, in whole lines."""
OPENED, CLOSED = ">>", "<<"
UNSEEN, SEEN = "[not visible: ", "]"
_BREAK: Final = re.compile(r"\r\n|[\n\r]")
_NUMBERED: Final = re.compile(r"#\d{1,9}\Z")

STATES: Final = {
    "current": "current: these words stand in the version that is in force",
    "historic": "historic: these words stand in a version that is no longer in force",
    "source_changed": "source_changed: the text under this version is another one now",
    "reader_changed": "reader_changed: the file is the same, but another reader read it: the text is another one now",
    "quote_mismatch": "quote_mismatch: the citation does not describe a place that it can have come from",
    "unavailable": "unavailable: gone, or this actor may not read it",
    "integrity_failure": "integrity_failure: the stored text does not have its pinned hash, so it is not shown",
}

ADMISSIONS: Final = {
    "summary": "summary: these are a curator's words about the document, and no quotation of its publisher",
    "metadata_only": "metadata_only: this is the document's title; its text is not kept, and nothing of it is quoted",
}

_VERSIONS: Final = {
    "current": "current: this version is in force",
    "historic": "historic: this version is no longer in force",
}


@dataclass(frozen=True, slots=True)
class View:
    """What is shown: a passage in the text of its document, and in it the quote, each as [start, end) of the text.

    `status` is what a citation is worth now; for a key alone, whether the version is in force.
    """

    status: str
    passage: Passage | None = None
    text: str = ""
    quote: tuple[int, int] | None = None
    now_at: str | None = None
    hidden: tuple[tuple[int, int], ...] = ()
    """What of the text a reader of the file does not see."""
    furniture: tuple[tuple[int, int], ...] = ()
    """Running lines of the text, and footnotes that a paragraph goes on over."""

    @property
    def quoted(self) -> list[tuple[int, int]]:
        """What of the text is quoted: not what the quote passes over."""
        return own_words(*self.quote, self.furniture) if self.quote is not None else []


@command
def show(
    key: Annotated[
        str,
        typer.Argument(
            metavar="KEY",
            help="A passage's key, such as returns@3#c0, a citation or hit as --json prints it, or a file of one "
            "(answer.json#2: the second); - reads standard input.",
            show_default=False,
        ),
    ],
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Show a passage in its surroundings, with the quote marked.

    The lines of the passage have a | beside them; the quote of a citation stands between >> and <<. Exit code 1 where
    the words do not stand there any more, or this actor may not read them.
    """
    from verified_gate.release import escaped_json

    actor = actor_of(tenant, group)
    limits = constraints_of(purpose, None, None, None)
    wanted = wanted_of(key)
    with store_of(corpus) as store:
        view = view_of(store, wanted, actor, limits)
    if as_json:
        write(escaped_json(json.dumps(_as_json(view), ensure_ascii=False)) + "\n")
    else:
        print_lines(_lines(view))
    return Exit.RELEASED if view.passage is not None else Exit.WITHHELD


def wanted_of(given: str, parameter: str = "KEY") -> str | dict[str, Any]:
    """The key, or the members of the citation or hit, which may stand in a file, alone or in an answer or a list of hits:
    `answer.json#2` is the second. `parameter` is what messages call it. Raises `CorpusError`, `BadParameter` for what names no passage.
    """
    from verified_gate.corpus.key import parse_key

    place, number, text = _read(given)

    def no_passage(why: str) -> Exception:
        return CorpusError(f"{place}: {why}") if place else typer.BadParameter(why, param_hint=parameter)

    wanted: Any = text.strip()
    if wanted.startswith(("{", "[")):
        try:
            wanted = json.loads(wanted if len(wanted) < 4 * MAX_CITATION else "")
            if isinstance(wanted, dict) and "citations" in wanted:
                wanted = _one_of(wanted["citations"], number, place, "an answer", "citations", no_passage)
            elif isinstance(wanted, list):
                wanted = _one_of(wanted, number, place, "a list", "hits", no_passage)
        except (ValueError, RecursionError):
            raise no_passage("not the JSON of one citation or hit") from None
    if len(text) > MAX_CITATION and len(json.dumps(wanted)) > MAX_CITATION:
        raise no_passage(f"longer than {MAX_CITATION} characters")
    if isinstance(wanted, dict) and "key" not in wanted:
        raise no_passage("is no citation as `ask --json` prints them, and no hit of `search --json`: it names no key")
    if parse_key(wanted.get("key") if isinstance(wanted, dict) else wanted) is None:
        what = (
            "its key is spelled as none is" if isinstance(wanted, dict) else "neither a key nor the JSON of a citation"
        )
        raise no_passage(f"{what}; a key is such as returns@3#c0")
    return wanted  # type: ignore[no-any-return]


def _read(given: str) -> tuple[str, str, str]:
    """Where the text stands, which one of several is meant, and the text."""
    from verified_gate.corpus.key import parse_key

    if given == "-":
        return "standard input", "", sys.stdin.buffer.read(4 * MAX_CITATION).decode("utf-8", "replace")
    if given.lstrip().startswith(("{", "[")) or parse_key(given) is not None:
        return "", "", given
    file, _, number = given.rpartition("#") if _NUMBERED.search(given) else (given, "", "")
    if _is_file(file):
        with Path(file).open("rb") as opened:
            return file, number, opened.read(4 * MAX_CITATION).decode("utf-8", "replace")
    if "/" in file or file.lower().endswith((".json", ".txt")):
        raise CorpusError(f"{quoted(file)}: there is no such file")
    return "", "", given


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # longer than a name can be
        return False


def _one_of(
    several: Any, number: str, place: str, what: str, kind: str, no_passage: Callable[[str], Exception]
) -> dict[str, Any]:
    """One citation of an answer, one hit of a list."""
    if not isinstance(several, list) or not all(isinstance(each, dict) for each in several):
        raise ValueError
    wanted = int(number or "1")
    if not number and len(several) > 1:
        raise no_passage(f"{what} of {len(several)} {kind}: name one of them, as {place or 'answer.json'}#1")
    if not 1 <= wanted <= len(several):
        raise no_passage(f"{what} of {len(several)} {kind}, and {wanted} is none of them")
    return dict(several[wanted - 1])


def view_of(store: "CorpusStore", wanted: str | dict[str, Any], actor: Actor | None, limits: Constraints) -> View:
    """What a key, a citation or a hit names, as it stands now."""
    if isinstance(wanted, str):
        return _of_key(store, wanted, actor, limits)
    return (_of_citation if "quote" in wanted else _of_hit)(store, wanted, actor, limits)


def _of_key(store: "CorpusStore", key: str, actor: Actor | None, limits: Constraints) -> View:
    passage = store.passage(key, actor, constraints=limits)
    refused = str(store.standing(key, actor, constraints=limits) or "")
    if passage is None or refused == "unavailable":
        return View("unavailable")
    state = {"": "current", "superseded": "historic"}.get(refused, refused)
    return _in_document(store, state, passage, actor, limits, None)


def _of_hit(store: "CorpusStore", hit: dict[str, Any], actor: Actor | None, limits: Constraints) -> View:
    """A passage as a search found it: its text may be another one now."""
    view = _of_key(store, hit["key"], actor, limits)
    if view.passage is not None and hit.get("sha256", view.passage.sha256) != view.passage.sha256:
        return View("source_changed")
    return view


def _of_citation(store: "CorpusStore", citation: dict[str, Any], actor: Actor | None, limits: Constraints) -> View:
    resolution = store.resolve(citation, actor, constraints=limits)
    found = resolution.citation
    passage = None if found is None else store.passage(found.key, actor, constraints=limits)
    if found is None or passage is None:
        return View(resolution.status if found is None else "unavailable")
    now_at = None if resolution.current is None else resolution.current.key
    return _in_document(store, resolution.status, passage, actor, limits, (found.start, found.end), now_at)


def _in_document(
    store: "CorpusStore",
    state: str,
    passage: Passage,
    actor: Actor | None,
    limits: Constraints,
    quote: tuple[int, int] | None,
    now_at: str | None = None,
) -> View:
    texts = store.texts([passage.key], actor, constraints=limits)
    if not texts:  # revoked since the passage was read
        return View("unavailable")
    text = texts[0].text
    if sha256_of_text(text) != passage.text_sha256 or sha256_of_text(passage.text) != passage.sha256:
        return View("integrity_failure")
    return View(state, passage, text, quote, now_at, texts[0].hidden, texts[0].furniture)


def _spans(view: View) -> Iterator[tuple[int, int, int]]:
    """The lines that are shown, as their distance from the passage's first line, and [start, end) in the text."""
    assert view.passage is not None
    first_shown = start = view.passage.start or 0
    end = start + len(view.passage.text)
    if view.quote is not None:  # it may run over into neighbours
        first_shown, end = min(start, view.quote[0]), max(end, view.quote[1])
    breaks = [(0, 0), *((found.start(), found.end()) for found in _BREAK.finditer(view.text)), (len(view.text),) * 2]
    lines = [(begin, stop) for (_, begin), (stop, _) in pairwise(breaks)]
    first = next((index for index, (_, stop) in enumerate(lines) if stop >= start), 0)
    for index, (begin, stop) in enumerate(lines):
        if stop >= first_shown - AROUND and begin <= end + AROUND:
            yield index - first, begin, stop


def _lines(view: View) -> Iterator["Line"]:
    from verified_gate.release import Line, one_line

    passage = view.passage
    if passage is None:
        yield Line("abstention", STATES.get(view.status, view.status))
        return
    yield Line("label", label_of(passage))
    if place := _place(view):
        yield Line("quote", place)
    yield Line(
        "pins",
        f"{one_line(passage.document_id)} version {one_line(passage.version)} · sha256 {(passage.sha256 or '')[:16]}…",
    )
    state = (STATES if view.quote else _VERSIONS).get(view.status, view.status)
    yield Line("pins" if view.status == "current" else "withheld", state)
    if passage.admission != "full_text":
        yield Line("withheld", ADMISSIONS[passage.admission])
    if passage.coverage != "complete":
        yield Line("withheld", "not all of this document could be read: it may say more than its text does")
    if view.now_at is not None:
        yield Line("pins", f"the same words stand in the version in force, at {one_line(view.now_at)}")
    yield Line("blank", "")
    start = passage.start or 0
    end = start + len(passage.text)
    top = passage.location.first_line
    for distance, begin, stop in _spans(view):
        number = "" if top is None else str(top + distance)
        inside = begin < end and stop > start
        marked = one_line(passage.location.on_one_line(_marked(view, begin, stop)))
        quoted = any(begin < last and stop > first for first, last in view.quoted)
        kind: Any = "claim" if quoted else "quote" if inside else "pins"
        yield Line(kind, f"{number:>6} {'|' if inside else ' '} {marked}".rstrip(), hanging=9)


def _place(view: View) -> str:
    """Where the quote stands, or the passage: `page 12 (labelled 10), Duties › 4.2 Termination`; empty where a file's
    lines, which the label names, say it all.
    """
    from verified_gate.release import one_line, table_context

    assert view.passage is not None
    start, length = view.passage.start or 0, len(view.passage.text)
    first, last = (0, length) if view.quote is None else (view.quote[0] - start, view.quote[1] - start)
    place = place_in(view.passage, first, last)
    if place.page is None and place.row is None and not place.element and not place.chapter:
        return ""
    parts = [*words_of(place), " › ".join(place.heading), f"part {place.chapter}" if place.chapter else ""]
    shown = view.passage.seen if view.quote is None else view.text[slice(*view.quote)]
    parts += [f"element #{place.element}" if place.element else "", table_context(place, shown)]
    return one_line(", ".join(filter(None, parts)))


def _marked(view: View, begin: int, stop: int) -> str:
    """One line of the text; what is quoted of it is marked, and what a reader of the file does not see."""
    quoted = [(*piece, OPENED, CLOSED) for piece in view.quoted]
    marks = []
    for start, end, opening, closing in [*quoted, *((*span, UNSEEN, SEEN) for span in view.hidden)]:
        if start < stop and end > begin:
            marks += [(max(begin, start), 1, opening), (min(stop, end), 0, closing)]
    pieces, at = [], begin
    for offset, _, mark in sorted(marks):
        pieces += [view.text[at:offset], mark]
        at = offset
    return "".join([*pieces, view.text[at:stop]])


def _as_json(view: View) -> dict[str, Any]:
    passage = view.passage
    told: dict[str, Any] = {"status": view.status, "key": None if passage is None else passage.key}
    if passage is None:
        return told
    spans = [(begin, stop) for _, begin, stop in _spans(view)]
    first = min((begin for begin, _ in spans), default=0)
    last = max((stop for _, stop in spans), default=0)
    start = passage.start or 0
    return {
        **told,
        **place_of(passage),
        "text": passage.text,
        "before": view.text[first:start],
        "after": view.text[start + len(passage.text) : last],
        "quote": None if view.quote is None else {"start": view.quote[0], "end": view.quote[1]},
        "now_at": view.now_at,
    }
