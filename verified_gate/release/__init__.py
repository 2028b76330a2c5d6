"""Release: the last question before a reader sees anything, and the only way from a verdict to text.

Comes in: the gate's `Decision`, the store the evidence came from (or none) and the actor. Goes out: an
`Answer` made of `ReleasedCitation`s, and its renderings. May fail: nothing raises for what a model, a document
or a request holds; a store that cannot answer gives `retrieval_unavailable`. Must not import the engine,
the audit or any interface.
"""

from verified_gate.release.answer import Answer, release
from verified_gate.release.disclosure import ReleasedCitation, ReleasedClaim
from verified_gate.release.display import escaped_json, isolated, one_line, visible
from verified_gate.release.growing import GrowingAnswer
from verified_gate.release.render import (
    Line,
    answer_lines,
    citation_lines,
    note_lines,
    render_answer,
    render_citation,
    render_json,
    table_context,
    verdict_lines,
)
from verified_gate.release.sentences import abstention_sentence

__all__ = [
    "Answer",
    "GrowingAnswer",
    "Line",
    "ReleasedCitation",
    "ReleasedClaim",
    "abstention_sentence",
    "answer_lines",
    "citation_lines",
    "escaped_json",
    "isolated",
    "note_lines",
    "one_line",
    "release",
    "render_answer",
    "render_citation",
    "render_json",
    "table_context",
    "verdict_lines",
    "visible",
]
