"""Cutting a document into passages: the pieces that are found, delivered, quoted and cited.

Whatever the strategy, a passage is exactly `document.text[start:end]`, never crosses a heading, never cuts a
grapheme cluster, and has a key that the same input gives again (`returns@3#c0`). A heading is context
(`location.heading`) and begins the first passage beneath it; one with nothing beneath is a passage of its own; one
that only holds sub-headings is none. What has no letter or digit (a rule, a row of stars) is none either.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from verified_gate.ingest.block_cutting import Cut, cut_blocks
from verified_gate.ingest.document import SourceDocument
from verified_gate.ingest.outline import Lines, Section, blanked, sections
from verified_gate.ingest.paragraphs import Body, Span, bodies, grouped, packed, sentences
from verified_gate.ingest.unseen_markdown import unseen
from verified_gate.ingest.windows import inside, whole, windows
from verified_gate.model import Location, Passage, sha256_of_text


class Strategy(StrEnum):
    """How a section is cut.

    `paragraph`: a paragraph each; a list stays with its lead-in; one longer than `size` is split at sentence ends.
    `sentence`: as many whole sentences as `size` holds. `fixed`: windows of `size`, each `overlap` over the last.
    """

    PARAGRAPH = "paragraph"
    SENTENCE = "sentence"
    FIXED = "fixed"


DEFAULT_SIZE: Final[Mapping[Strategy, int]] = {
    Strategy.PARAGRAPH: 1_200,
    Strategy.SENTENCE: 400,
    Strategy.FIXED: 800,
}
"""Code points."""


def cut(
    document: SourceDocument, strategy: str = Strategy.PARAGRAPH, *, size: int | None = None, overlap: int = 0
) -> tuple[Passage, ...]:
    """Cut `document`; `size` and `overlap` are in code points. Blank text gives no passage.

    A sentence longer than `size` stays whole up to 4,000 code points; a heading is not counted.
    Raises `ValueError` for an unknown strategy, a size under 1, and an overlap that is negative, not under the
    size, or asked of another strategy than `fixed`.
    """
    if strategy not in list(Strategy):
        raise ValueError(f"strategy must be one of {', '.join(Strategy)}")
    chosen = Strategy(strategy)
    limit = DEFAULT_SIZE[chosen] if size is None else size
    if limit < 1:
        raise ValueError("size must be 1 or more")
    if not 0 <= overlap < limit:
        raise ValueError("overlap must be 0 or more, and less than size")
    if overlap and chosen is not Strategy.FIXED:
        raise ValueError("only the strategy `fixed` takes an overlap")
    if document.extracted is not None:
        cuts = cut_blocks(document.extracted, chosen, limit, overlap)
        return tuple(_passage(document, position, each) for position, each in enumerate(cuts))
    text, markdown = document.text, document.format == "markdown"
    lines = Lines(text)
    hidden = unseen(text) if markdown else ()
    outline = sections(blanked(text, hidden), lines, markdown=markdown)
    passages: list[Passage] = []
    ends = [end for _, end in hidden]
    for index, body in enumerate(bodies(text, lines, outline, markdown=markdown)):
        section = outline[index]
        if body.parts:
            spans = _CUT[chosen](text, section, body, limit, overlap)
        elif index + 1 < len(outline) and outline[index + 1].depth > section.depth:
            continue
        else:
            spans = [(section.start, section.body)]
        for start, end in (whole(text, *span, section.start, section.end) for span in spans):
            if any(map(str.isalnum, text[start:end])):
                place = Location(
                    heading=section.path,
                    paragraph=body.number_at(start),
                    first_line=document.first_line + lines.number(start),
                    last_line=document.first_line + lines.number(end - 1),
                )
                marked = inside(hidden, ends, start, end)
                passages.append(_passage(document, len(passages), Cut(start, end, place, hidden=marked)))
    return tuple(passages)


def _paragraphs(text: str, section: Section, body: Body, size: int, _: int) -> list[Span]:
    return _with_heading(section, grouped(text, body.parts, size))


def _sentences(text: str, section: Section, body: Body, size: int, _: int) -> list[Span]:
    units = sentences(text, body.parts[0].start, body.parts[-1].end, size)
    return packed(_with_heading(section, units), size)


def _with_heading(section: Section, spans: list[Span]) -> list[Span]:
    return [(section.start, spans[0][1]), *spans[1:]] if section.start < section.body else spans


def _windows(text: str, section: Section, body: Body, size: int, overlap: int) -> list[Span]:
    first = section.start if section.start < section.body else body.parts[0].start
    return windows(text, first, body.parts[-1].end, size, overlap, section.start, section.end)


def _passage(document: SourceDocument, position: int, piece: Cut) -> Passage:
    text = document.text[piece.start : piece.end]
    return Passage(
        key=f"{document.key}#c{position}",
        text=text,
        document_id=document.id,
        title=document.title,
        version=document.version,
        start=piece.start,
        sha256=sha256_of_text(text),
        text_sha256=document.text_sha256,
        file_sha256=document.file_sha256,
        lang=document.lang,
        location=piece.location,
        furniture=piece.furniture,
        hidden=piece.hidden,
        turns=piece.turns,
        admission=document.rules.admission,
        coverage="complete" if document.extracted is None else document.extracted.coverage,
        local_only=document.rules.local_only,
    )


_CUT: Final[Mapping[Strategy, Callable[[str, Section, Body, int, int], list[Span]]]] = {
    Strategy.PARAGRAPH: _paragraphs,
    Strategy.SENTENCE: _sentences,
    Strategy.FIXED: _windows,
}
