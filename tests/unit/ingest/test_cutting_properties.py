"""Cutting, for every document and strategy: exact places, nothing lost, nothing crossed."""

import re

from hypothesis import given
from hypothesis import strategies as st

from verified_gate.ingest import Strategy, cut, read_document
from verified_gate.ingest.outline import Lines, sections
from verified_gate.model import sha256_of_text
from verified_gate.text.graphemes import is_grapheme_border

WORDS = st.sampled_from(
    ["Bikes", "cost", "€1,050.00.", "Is it?", "No. 5", "Dr. Faber", "e\u0301t\u00e9", "自転車です。", "साइकिल।", "هل؟", "👩\u200d👧", "🇩🇪🇫🇷",
     "x" * 30, "a:", '"Yes."', "…", "\u00a0", "\t", " \u0301x", "。\u0301"]
)  # fmt: skip
LINE = st.builds(
    lambda mark, words: mark + " ".join(words),
    st.sampled_from(
        [
            "",
            "",
            "",
            "# ",
            "## ",
            "### ",
            "- ",
            "  - ",
            "1. ",
            "2. ",
            "> ",
            "| ",
            "    ",
            "```",
            "~~~",
            "===",
            "---",
            "***",
        ]
    ),
    st.lists(WORDS, max_size=6),
)
NEWLINE = st.sampled_from(["\n", "\r\n", "\r"])
BODIES = st.builds(
    lambda lines, breaks: "".join(line + ends for line, ends in zip(lines, breaks, strict=False)),
    st.lists(LINE, max_size=14),
    st.lists(st.builds(lambda newline, count: newline * count, NEWLINE, st.integers(1, 4)), min_size=14, max_size=14),
)
FRONTS = st.sampled_from([[], ["---", "id: doc", "version: 1.10", "---", ""], ["---", "tenant: acme", "", "---", ""]])
CUTS = st.one_of(
    st.tuples(st.sampled_from(list(Strategy)), st.none() | st.integers(1, 60), st.just(0)),
    st.integers(1, 60).flatmap(
        lambda size: st.tuples(st.just(Strategy.FIXED), st.just(size), st.integers(0, size - 1))
    ),
)


@st.composite
def files(draw) -> tuple[bytes, str]:
    front = draw(NEWLINE).join(draw(FRONTS))
    body = draw(BODIES)
    if not front and body.startswith("---"):
        body = "No front matter " + body
    text = draw(st.sampled_from(["", "\ufeff"])) + front + body
    return text.encode(), draw(st.sampled_from(["doc.md", "doc.txt"]))


@given(files(), CUTS)
def test_every_passage_is_exact_in_text_lines_and_keys(file, how):
    """(conditions 17, 18, 19)"""
    data, name = file
    strategy, size, overlap = how
    document = read_document(data, name, trusted=True)
    passages = cut(document, strategy, size=size, overlap=overlap)
    assert passages == cut(read_document(data, name, trusted=True), strategy, size=size, overlap=overlap)
    assert [passage.key for passage in passages] == [f"{document.key}#c{n}" for n in range(len(passages))]

    file_text = data.decode().removeprefix("\ufeff")
    lines = re.split("\r\n|\r|\n", file_text)
    body_at = len(file_text) - len(document.text)
    for passage in passages:
        start, end = passage.start, passage.start + len(passage.text)
        assert document.text[start:end] == passage.text
        assert passage.text.strip()
        assert not passage.text[-1].isspace()
        assert not passage.text[0].isspace() or not is_grapheme_border(passage.text, 1)  # a mark on a space
        assert passage.sha256 == sha256_of_text(passage.text)
        assert is_grapheme_border(document.text, start)
        assert is_grapheme_border(document.text, end)
        # the lines, counted by another way than the code's
        first, last = passage.location.first_line, passage.location.last_line
        assert first == len(re.split("\r\n|\r|\n", file_text[: body_at + start]))
        assert _flat(passage.text) in _flat("\n".join(lines[first - 1 : last]))
        assert _flat(passage.text).split("\n")[0] in lines[first - 1]
        assert _flat(passage.text).split("\n")[-1] in lines[last - 1]


@given(files(), CUTS)
def test_no_passage_crosses_a_heading_and_no_word_is_lost(file, how):
    """(condition 20)"""
    data, name = file
    strategy, size, overlap = how
    document = read_document(data, name, trusted=True)
    passages = cut(document, strategy, size=size, overlap=overlap)
    spans = [(passage.start, passage.start + len(passage.text)) for passage in passages]
    outline = sections(document.text, Lines(document.text), markdown=document.format == "markdown")
    held = {index for start, end in spans for index in range(start, end)}
    for start, end in spans:
        assert any(section.start <= start and end <= section.end for section in outline)
    for section in outline:
        words = {index for index in range(section.body, section.end) if document.text[index].isalnum()}
        assert words <= held
    if strategy is Strategy.FIXED:
        assert all(first[0] <= second[0] and first[1] < second[1] for first, second in _pairs(spans))
    else:
        assert all(first[1] <= second[0] for first, second in _pairs(spans))


@given(files())
def test_paragraph_numbers_never_go_back_and_are_those_of_the_original(file):
    """(condition 22)"""
    data, name = file
    document = read_document(data, name, trusted=True)
    pieces = re.sub("\r\n|\r", "\n", document.text)
    pieces = re.sub(r"(?m)^[^\S\n]+$", "", pieces).split("\n\n")
    for passage in cut(document, "paragraph"):
        number = passage.location.paragraph
        words = _flat(passage.text).split()
        assert words[-1] in pieces[number - 1] or any(words[-1] in piece for piece in pieces[number - 1 :])
        assert any(word in pieces[number - 1] for word in words)
    numbers = [passage.location.paragraph for passage in cut(document, "paragraph")]
    assert numbers == sorted(numbers)


def _flat(text: str) -> str:
    return re.sub("\r\n|\r", "\n", text)


def _pairs(spans):
    return zip(spans, spans[1:], strict=False)
