"""What a reader made of a file, in a form that tests can compare."""

from verified_gate.ingest.formats import reader_of
from verified_gate.ingest.limits import ReadingLimits


def read(kind, data, limits=None, **options):
    """Read `data`, and check what holds of every reading."""
    data = data.encode() if isinstance(data, str) else data
    found = reader_of(kind)(data, limits or ReadingLimits(), kind=kind, **options)
    before = 0
    for block in found.blocks:
        assert before <= block.start < block.end <= len(found.text)
        assert block.kind == "code" or not found.text[block.start].isspace()
        assert not found.text[block.end - 1].isspace()
        before = block.end
    covered = "".join(found.text[block.start : block.end] for block in found.blocks)
    assert "".join(covered.split()) == "".join(found.text.split())  # every word is in a block
    starts = [anchor.start for anchor in found.anchors]
    assert starts == sorted(starts)
    assert all(0 <= start < end <= len(found.text) for start, end in found.hidden)
    assert found.text == found.text.strip()
    return found


def blocks(found):
    """(kind, words) of each block."""
    return [(block.kind, found.text[block.start : block.end]) for block in found.blocks]


def rows(found):
    """(number, words, headers) of each row."""
    return [(b.row, found.text[b.start : b.end], b.columns) for b in found.blocks if b.kind == "row"]


def hidden(found):
    """The words that are marked as not seen."""
    return [found.text[start:end] for start, end in found.hidden]


def headings(found):
    """(words, what heads the row) of each row."""
    return [(found.text[b.start : b.end], b.heading) for b in found.blocks if b.kind == "row"]
