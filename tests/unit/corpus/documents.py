"""Small documents for the tests of the store."""

from verified_gate.corpus.document import Document, Span
from verified_gate.model import Access


def document(name, *texts, version="1", tenant=None, groups=(), status="current", **labels):
    """A document whose passages are `texts`, with a blank line between."""
    spans, start = [], 0
    for text in texts:
        spans.append(Span(start, start + len(text)))
        start += len(text) + 2
    access = Access(tenant, frozenset(groups))
    return Document(name, version, "\n\n".join(texts), spans, access=access, status=status, **labels)
