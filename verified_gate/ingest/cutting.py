"""Cutting a document into passages: the pieces that are found, delivered, quoted and cited.

Whatever the strategy, a passage is exactly `document.text[start:end]`, never crosses a heading, never cuts a
grapheme cluster, and has a key that the same input gives again (`returns@3#c0`). A heading is context
(`location.heading`) and begins the first passage beneath it; one with nothing beneath is a passage of its own; one
that only holds sub-headings is none. What has no letter or digit (a rule, a row of stars) is none either.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from verified_gate.ingest.block_cutting import Cut, cut_blocks
from verified_gate.ingest.document import SourceDocument
from verified_gate.ingest.markdown_tables import TableRow, rows_between, table_rows
from verified_gate.ingest.outline import Lines, Section, blanked, sections
from verified_gate.ingest.paragraphs import Body, Span, bodies, grouped, packed, split
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
    tables = table_rows(text, lines, hidden) if markdown else []
    rows = [(row.start, row.end) for row in tables]
    passages: list[Passage] = []
    ends = [end for _, end in hidden]
    for index, body in enumerate(bodies(text, lines, outline, markdown=markdown)):
        section = outline[index]
        if body.parts:
            spans = _CUT[chosen](text, section, body, limit, overlap, rows)
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
                place, turns = _in_tables(text, place, tables, start, end)
                passages.append(_passage(document, len(passages), Cut(start, end, place, turns, hidden=marked)))
    return tuple(passages)


def _paragraphs(text: str, section: Section, body: Body, size: int, _: int, rows: Sequence[Span]) -> list[Span]:
    return _with_heading(section, grouped(text, body.parts, size, rows))


def _sentences(text: str, section: Section, body: Body, size: int, _: int, rows: Sequence[Span]) -> list[Span]:
    units = split(text, body.parts[0].start, body.parts[-1].end, size, rows)
    return packed(_with_heading(section, units), size)


def _with_heading(section: Section, spans: list[Span]) -> list[Span]:
    return [(section.start, spans[0][1]), *spans[1:]] if section.start < section.body else spans


def _windows(text: str, section: Section, body: Body, size: int, overlap: int, rows: Sequence[Span]) -> list[Span]:
    """Windows, and of tables as many whole rows as fit."""
    first, last = body.parts[0].start, body.parts[-1].end
    groups = list(_joined(text, rows, first, last))
    if groups and groups[0][0][0] == first:  # a heading begins the first passage beneath it
        groups[0][0] = (section.start, groups[0][0][1])
    at = section.start if section.start < section.body else first
    spans: list[Span] = []
    for group in groups:
        if at < group[0][0]:
            spans += windows(text, at, group[0][0], size, overlap, section.start, group[0][0])
        spans += packed((piece for row in group for piece in split(text, *row, size, [row])), size)
        at = group[-1][1]
    return [*spans, *(windows(text, at, last, size, overlap, at, section.end) if at < last else [])]


def _joined(text: str, rows: Sequence[Span], start: int, end: int) -> Iterator[list[Span]]:
    """Rows inside of [start, end), those together that only a line end stands between."""
    group: list[Span] = []
    for number in range(bisect_left(rows, (start, start)), len(rows)):
        row = rows[number]
        if row[0] >= end:
            break
        if group and any(map(str.isalnum, text[group[-1][1] : row[0]])):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _in_tables(
    text: str, place: Location, tables: Sequence[TableRow], start: int, end: int
) -> tuple[Location, tuple[tuple[int, Location], ...]]:
    """The place of a passage, with its first row where it begins in one, and where other rows begin in it."""
    turns: list[tuple[int, Location]] = []
    behind = start
    for row in rows_between(tables, start, end):
        if row.start > behind + 1 and turns:
            turns.append((behind - start, place))
        heading, columns = row.names_from(text, start)
        there = replace(place, row=row.number, row_heading=heading, columns=columns)
        turns.append((max(0, row.start - start), there))
        behind = row.end
    if turns and behind < end:
        turns.append((behind - start, place))
    if not turns or turns[0][0]:
        return place, tuple(turns)
    own = replace(turns[0][1], last_row=turns[-1][1].row)
    return own, tuple(turns[1:])


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


_CUT: Final[Mapping[Strategy, Callable[[str, Section, Body, int, int, Sequence[Span]], list[Span]]]] = {
    Strategy.PARAGRAPH: _paragraphs,
    Strategy.SENTENCE: _sentences,
    Strategy.FIXED: _windows,
}
