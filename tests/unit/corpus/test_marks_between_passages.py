"""What is furniture or hidden between two passages is known where a quote runs on over the whole document."""

from pathlib import Path

from tests.pdf_files import build, report, shown
from verified_gate.corpus.store import CorpusStore

SECRET = "The bank pays nothing at all."


def whole_and_passages(path: Path, data: bytes, **options):
    path.write_bytes(data)
    with CorpusStore.in_memory() as store:
        store.add(path, **options)
        passages = store.passages()
        (whole,) = store.texts([passages[0].key])
        store.operator.rebuild()
        assert store.passages() == passages
        assert not store.search("bank nothing"), "what is not seen is not found, after a rebuild either"
        return whole, passages


def pieces(passage, spans):
    return [passage.text[start:end] for start, end in spans]


def test_headers_and_footers_between_passages_are_marked_in_the_whole_text(tmp_path):
    whole, passages = whole_and_passages(tmp_path / "report.pdf", report())
    assert passages[0].text == "Report of the board", "the first of them is a passage, to be found and quoted"
    assert all(not passage.furniture for passage in passages[1:]), "no other lies inside of a passage"
    assert pieces(whole, whole.furniture) == [
        line for page in range(1, 6) for line in ("Report of the board", f"Page {page} of 9")
    ]


def test_hidden_words_between_passages_are_marked_in_the_whole_text(tmp_path):
    data = build(
        shown(SECRET, y=740, colour="1 g") + shown("Seen words stand here.", y=600)
        + shown(SECRET, y=500, colour="1 g") + shown("More of them stand here.", y=400)
        + shown(SECRET, y=300, colour="1 g")
    )  # fmt: skip
    for strategy in ("paragraph", "sentence", "fixed"):
        whole, passages = whole_and_passages(tmp_path / "lease.pdf", data, strategy=strategy)
        assert pieces(whole, whole.hidden) == [SECRET] * 3
        for passage in passages:
            assert all(piece == SECRET for piece in pieces(passage, passage.hidden))


def test_marks_inside_of_a_passage_stay_where_they_are(tmp_path):
    data = build(shown("Seen words", y=600) + shown(SECRET, y=586, colour="1 g") + shown("go on here.", y=572))
    whole, (passage,) = whole_and_passages(tmp_path / "lease.pdf", data)
    assert pieces(whole, whole.hidden) == pieces(passage, passage.hidden) == [SECRET]


def test_a_citation_that_runs_on_over_hidden_words_is_none_that_can_have_been_released(tmp_path):
    data = build(
        shown("Seen words stand here.", y=600) + shown(SECRET, y=500, colour="1 g") + shown("More words stand.", y=400)
    )
    (tmp_path / "lease.pdf").write_bytes(data)
    with CorpusStore.in_memory() as store:
        store.add(tmp_path / "lease.pdf")
        first, last = store.passages()
        (whole,) = store.texts([first.key])

        def claim(start, end):
            return {
                "key": first.key, "keys": [first.key, last.key], "sha256": first.sha256, "start": start, "end": end,
                "quote": whole.text[start:end],
            }  # fmt: skip

        assert store.resolve(claim(0, len(first.text))).status == "current"
        assert store.resolve(claim(0, len(whole.text))).status == "quote_mismatch"
        hidden = whole.text.index(SECRET)
        assert store.resolve(claim(len(first.text) - 5, hidden + 8)).status == "quote_mismatch"
