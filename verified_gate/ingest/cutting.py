"""Cutting a document into passages: the pieces that are found, delivered, quoted and cited.

Whatever the strategy, a passage is exactly `document.text[start:end]`, never crosses a heading, never cuts a
grapheme cluster, and has a key that the same input gives again (`returns@3#c0`). A heading is context
(`location.heading`) and begins the first passage beneath it; one with nothing beneath is a passage of its own; one
that only holds sub-headings is none. What has no letter or digit (a rule, a row of stars) is none either.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from verified_gate.ingest.document import SourceDocument
from verified_gate.ingest.outline import Lines, Section, sections
from verified_gate.ingest.paragraphs import Body, Span, bodies, grouped, packed, sentences
from verified_gate.model import Location, Passage, sha256_of_text
from verified_gate.text.characters import is_unspaced
from verified_gate.text.graphemes import LOOK_BACK, grapheme_border_before, is_grapheme_border


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

_LONGEST_WORD: Final = 64
"""A window's edge moves back over at most this much of a word."""


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
    text, markdown = document.text, document.format == "markdown"
    lines = Lines(text)
    outline = sections(text, lines, markdown=markdown)
    passages: list[Passage] = []
    for index, body in enumerate(bodies(text, lines, outline, markdown=markdown)):
        section = outline[index]
        if body.parts:
            spans = _CUT[chosen](text, section, body, limit, overlap)
        elif index + 1 < len(outline) and outline[index + 1].depth > section.depth:
            continue
        else:
            spans = [(section.start, section.body)]
        for start, end in (_whole(text, *span, section) for span in spans):
            if any(map(str.isalnum, text[start:end])):
                key = f"{document.key}#c{len(passages)}"
                place = Location(
                    heading=section.path,
                    paragraph=body.number_at(start),
                    first_line=document.first_line + lines.number(start),
                    last_line=document.first_line + lines.number(end - 1),
                )
                passages.append(_passage(document, key, start, end, place))
    return tuple(passages)


def _whole(text: str, start: int, end: int, section: Section) -> Span:
    """The span without white space around it, but with what belongs to a cluster that it would cut."""
    span = text[start:end]
    start, end = start + len(span) - len(span.lstrip()), start + len(span.rstrip())
    if not is_grapheme_border(text, start):  # a mark that stands on a space
        start = grapheme_border_before(text, start, section.start)
    if not is_grapheme_border(text, end):
        end = _next_border(text, end, section.end)
    return start, end


def _next_border(text: str, index: int, last: int) -> int:
    nearest = min(last, index + LOOK_BACK)
    return next((at for at in range(index + 1, nearest) if is_grapheme_border(text, at)), nearest)


def _paragraphs(text: str, section: Section, body: Body, size: int, _: int) -> list[Span]:
    return _with_heading(section, grouped(text, body.parts, size))


def _sentences(text: str, section: Section, body: Body, size: int, _: int) -> list[Span]:
    units = sentences(text, body.parts[0].start, body.parts[-1].end, size)
    return packed(_with_heading(section, units), size)


def _with_heading(section: Section, spans: list[Span]) -> list[Span]:
    return [(section.start, spans[0][1]), *spans[1:]] if section.start < section.body else spans


def _windows(text: str, section: Section, body: Body, size: int, overlap: int) -> list[Span]:
    """Windows on a grid whose step is `size - overlap`; the first one that reaches the end is the last.

    An edge that would fall inside a word moves back to the word's start, at most 64 code points and never a whole
    step, so that no passage begins with the `5 mg` of `15 mg`; an edge inside a grapheme cluster moves to its start.
    White space at the edges is left out.
    """
    first = section.start if section.start < section.body else body.parts[0].start
    last = body.parts[-1].end
    step = size - overlap
    reach = min(_LONGEST_WORD, step - 1)
    spans: list[Span] = []
    for nominal in range(first, last, step):
        start = _edge(text, nominal, first, reach)
        end = last if nominal + size >= last else _edge(text, nominal + size, first, reach)
        if end <= start:  # one cluster is longer than the window
            end = _next_border(text, start, last)
        start, end = _whole(text, start, end, section)
        if start < end and (not spans or end > spans[-1][1]):
            spans.append((start, end))
        if nominal + size >= last:
            break
    return spans


def _edge(text: str, index: int, first: int, reach: int) -> int:
    for edge in range(index, max(first, index - reach) - 1, -1):
        if edge == first or _between_words(text, edge):
            return edge
    return grapheme_border_before(text, index, first)


def _between_words(text: str, index: int) -> bool:
    before, after = text[index - 1], text[index]
    apart = before.isspace() or after.isspace() or is_unspaced(before) or is_unspaced(after)
    return apart and is_grapheme_border(text, index)


def _passage(document: SourceDocument, key: str, start: int, end: int, place: Location) -> Passage:
    text = document.text[start:end]
    return Passage(
        key=key,
        text=text,
        document_id=document.id,
        title=document.title,
        version=document.version,
        start=start,
        sha256=sha256_of_text(text),
        text_sha256=document.text_sha256,
        file_sha256=document.file_sha256,
        lang=document.lang,
        location=place,
    )


_CUT: Final[Mapping[Strategy, Callable[[str, Section, Body, int, int], list[Span]]]] = {
    Strategy.PARAGRAPH: _paragraphs,
    Strategy.SENTENCE: _sentences,
    Strategy.FIXED: _windows,
}
