"""From sealed values to text: one line at a time for a terminal, and JSON.

Everything a document or a model wrote passes through `display` on its way. Only the exact sealed types are accepted;
an object that merely looks like a released citation is a `TypeError`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from verified_gate.model import Location
from verified_gate.model.citation import context_of
from verified_gate.release.answer import Answer
from verified_gate.release.disclosure import ReleasedCitation
from verified_gate.release.display import escaped_json, isolated, one_line
from verified_gate.release.sentences import interrupted_sentence, partial_sentence, withheld_sentence

_MOST_CONTEXT: Final = 240


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a rendering: what it is (for colour), how far it is indented, and its text without line breaks.

    Where a terminal wraps it, what follows stands under the column `hanging` of the text.
    """

    kind: Literal["claim", "abstention", "label", "quote", "pins", "withheld", "blank", "released", "refused"]
    text: str
    indent: int = 0
    hanging: int = 0


def render_answer(answer: Answer) -> str:
    """The answer as a terminal shows it, without colours."""
    return "".join(f"{' ' * line.indent}{line.text}\n" for line in answer_lines(answer))


def render_citation(citation: ReleasedCitation, number: int) -> str:
    """One citation: label, quote, and the pins by which it can be looked up again."""
    return "".join(f"{' ' * line.indent}{line.text}\n" for line in citation_lines(citation, number))


def render_json(value: Answer | ReleasedCitation) -> str:
    """One line of JSON, safe in a terminal, a log and an HTML page; it decodes to `value.to_dict()`."""
    if type(value) is not Answer and type(value) is not ReleasedCitation:
        raise TypeError("only an Answer or a ReleasedCitation renders")
    return escaped_json(json.dumps(value.to_dict(), ensure_ascii=False)) + "\n"


def answer_lines(answer: Answer) -> Iterator[Line]:
    """The lines of an answer: its text, its citations, and how much was withheld."""
    if type(answer) is not Answer:
        raise TypeError("only an Answer renders")
    yield Line("claim" if answer.is_grounded else "abstention", answer.text)
    for number, citation in enumerate(answer.citations, start=1):
        yield Line("blank", "")
        yield from citation_lines(citation, number)
    yield from note_lines(answer)


def note_lines(answer: Answer) -> Iterator[Line]:
    """What stands under an answer: that it broke off or is partial, its code where it is none, how much was withheld."""
    notes = []
    if answer.interrupted is not None:
        notes.append(f"{interrupted_sentence(answer.lang)}: {answer.interrupted}")
    if answer.partial and answer.is_grounded:
        notes.append(partial_sentence(answer.lang))
    if not answer.is_grounded:
        notes.append(str(answer.code))
    if answer.withheld:
        codes = dict.fromkeys(str(code) for claim in answer.withheld for code in claim.codes)
        notes.append(f"{withheld_sentence(len(answer.withheld), answer.lang)}: {', '.join(codes)}")
    if notes:
        yield Line("blank", "")
        yield from (Line("withheld", f"({note})") for note in notes)


def citation_lines(citation: ReleasedCitation, number: int) -> Iterator[Line]:
    """The lines of one citation; `number` is its mark in the answer's text."""
    if type(citation) is not ReleasedCitation:
        raise TypeError("only a ReleasedCitation renders")
    name = citation.label.removesuffix(f"[{citation.key}]")
    yield Line("label", " ".join(filter(None, [f"[{number}]", isolated(name), f"[{isolated(citation.key)}]"])))
    if context := table_context(citation.location, citation.quote):
        yield Line("pins", context, indent=4)
    yield Line("quote", f"“{isolated(citation.display)}”", indent=4)
    document = [one_line(citation.document_id)] if citation.document_id else []
    document += [f"version {one_line(citation.version)}"] if citation.version else []
    pins = [" ".join(document)] if document else []
    pins.append(f"characters {citation.start}-{citation.end} of the {citation.offsets}")
    pins.append(f"sha256 {citation.passage_sha256[:16]}…")
    pins += [f"folds {', '.join(citation.folds)}"] if citation.folds else []
    pins += [f"first of {citation.occurrences}"] if citation.occurrences > 1 else []
    yield Line("pins", " · ".join(pins), indent=4)


def table_context(place: Location, shown: str) -> str:
    """What heads the cells of a table that are `shown`, as far as it fits on a few lines: `2023 · Rent · Fee | Deposit`."""
    context = one_line(context_of(place, shown))
    return isolated(context if len(context) <= _MOST_CONTEXT else f"{context[: _MOST_CONTEXT - 1]}…")


def verdict_lines(answer: Answer, notes: Sequence[Sequence[str]] = ()) -> Iterator[Line]:
    """One line a citation, in the order of the reply: what was released, and the code of what was not.

    `notes` holds for each of `answer.dropped`, as far as it goes, what an operator is told under it.
    """
    if type(answer) is not Answer:
        raise TypeError("only an Answer renders")
    lines: list[tuple[int, Line]] = []
    for claim in answer.claims:
        for citation in claim.citations:
            span = f"{citation.offsets} {citation.start}-{citation.end}"
            words = ["released", f"claims[{claim.position}]", one_line(citation.key), span]
            lines.append((claim.position, Line("released", f"{'  '.join(words)}  “{isolated(citation.display)}”")))
    for index, refusal in enumerate(answer.dropped):
        place = f"claims[{refusal.claim}]" if refusal.claim is not None else "reply"
        if refusal.citation is not None:
            place += f".citations[{refusal.citation}]"
        words = [str(refusal.code), place, one_line(refusal.key or ""), one_line(refusal.detail)]
        position = -1 if refusal.claim is None else refusal.claim
        lines.append((position, Line("refused", "  ".join(filter(None, words)))))
        lines += [(position, Line("pins", one_line(note), indent=4)) for note in (notes[index : index + 1] or [()])[0]]
    yield from (line for _, line in sorted(lines, key=lambda pair: pair[0]))
    if not lines:
        yield Line("refused", str(answer.code))
    yield Line("withheld", _summary(answer))


def _summary(answer: Answer) -> str:
    released, withheld = len(answer.claims), len(answer.withheld)
    if not released and not withheld:
        return "nothing was released"
    refused = sum(refusal.citation is not None for refusal in answer.dropped)
    parts = [f"{released} claim{'' if released == 1 else 's'} released", f"{withheld} withheld"]
    parts += [f"{refused} citation{'' if refused == 1 else 's'} refused"] if refused and not withheld else []
    return ", ".join(parts)
