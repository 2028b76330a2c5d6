"""The measures print what they count: a small labelled set whose right numbers are known beforehand."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import NAMES
from tests.command_line import ROOT, call
from verified_gate import CorpusStore

PASSAGES = [
    ("p1", "Bikes", "A bike comes with a lamp. The lamp is worth nine euros."),
    ("p2", "Bikes", "Helmets are sold in four sizes. A helmet is not taken back."),
    ("p3", "Cargo", "Cargo bikes carry two children. They carry 80 kilograms at most."),
]
FACT = "Helmets are sold in four sizes. A helmet is not taken back."


MEASURES = sorted(
    path.stem for path in (ROOT / "benchmarks").glob("*.py") if 'if __name__ == "__main__"' in path.read_text("utf-8")
)


def _measured(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_the_facts_that_each_way_of_cutting_keeps_whole_are_counted(tmp_path):
    """(condition 23)"""
    passages = [{"pid": pid, "title": title, "text": text} for pid, title, text in PASSAGES]
    sentence = "Cargo bikes carry two children."
    _lines(tmp_path / "clapnq/passages.jsonl", passages)
    _lines(tmp_path / "clapnq/questions.jsonl", [{"pid": "p3", "outputs": [{"selected_sentences": [sentence]}]}])
    _lines(tmp_path / "quotesum/passages.jsonl", passages)
    _lines(tmp_path / "quotesum/answers.jsonl", [{"quotes": [{"pid": "p2", "quote": FACT, "found": "exact"}]}])
    text = "x" * 500 + " " + "y" * 700 + "."
    (tmp_path / "cuad/txt").mkdir(parents=True)
    (tmp_path / "cuad/txt/c1.txt").write_text(text, encoding="utf-8")
    _lines(tmp_path / "cuad/clauses.jsonl", [{"cid": "c1", "txt_spans": [[0, len(text)]]}])
    done = _measured("benchmarks.cutting", tmp_path)
    assert done.returncode == 0
    head, *rows = done.stdout.splitlines()
    assert head.split()[::3] == ["clapnq", "quotesum", "cuad"] and "(1)" in head
    kept = {row[: row.index("  ")].strip(): [cell for cell in row.split() if cell.endswith("%")] for row in rows}
    assert kept["paragraph"] == ["100.0%", "100.0%", "100.0%"]
    assert kept["sentence size=200"][:2] == ["100.0%", "100.0%"]
    assert kept["fixed size=400"] == ["100.0%", "100.0%", "0.0%"]
    assert len(rows) == 8


@pytest.mark.parametrize("strategy", ["paragraph", "sentence", "fixed"])
def test_recall_on_labelled_questions_is_printed_for_each_strategy(tmp_path, strategy):
    """(condition 35)"""
    with CorpusStore.open(tmp_path / "shop.db") as store:
        for name, title, text in PASSAGES:
            store.add(text, document_id=name, title=title, strategy=strategy)
    asked = [
        {"question": "how many sizes of helmets", "text": "four sizes"},
        {"question": "how many children", "document_id": "p3"},
        {"question": "what is a lamp worth", "document_id": "p2"},
    ]
    _lines(tmp_path / "asked.jsonl", asked)
    told = call(
        "eval", "retrieval", "--questions", tmp_path / "asked.jsonl", "--corpus", tmp_path / "shop.db", "--json"
    )
    figures = json.loads(told.out)
    assert figures["questions"] == 3 and figures["recall@1"] == 0.667
    assert [line["rank"] for line in figures["ranks"]][:2] == [1, 1]


def test_each_measure_that_is_run_is_there():
    assert set(NAMES) <= set(MEASURES)


@pytest.mark.parametrize(("name", "few"), [("lifecycle", {"documents": 20, "keys": 20}), ("records", {"citations": 2})])
def test_a_measure_without_data_of_others_runs_to_its_end(tmp_path, capsys, name, few):
    measure = importlib.import_module(f"benchmarks.{name}").main
    missed = ""
    try:
        measure(tmp_path, rounds=2, **few)
    except SystemExit as end:  # its floor, on a busy machine
        missed = str(end.code)
    assert missed == "" or missed.startswith("missed: ")
    assert len(capsys.readouterr().out.splitlines()) >= 7


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_tells_what_it_does_and_what_it_is_started_with(name):
    done = _measured(f"benchmarks.{name}", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ") and len(done.stdout.splitlines()) > 5


@pytest.mark.parametrize("name", ["__main__", "retrieval", "scores", "cutting", "million", "debian"])
def test_a_measure_without_its_data_says_what_is_missing(name, tmp_path):
    for arguments in ((), (tmp_path / "nothing",)):
        done = _measured(f"benchmarks.{name}", *arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr and "usage: " in done.stderr


def test_an_unknown_measure_and_one_without_its_passages_are_no_measures(tmp_path):
    for name in ("nonesuch", "million"):
        done = _measured("benchmarks", tmp_path, name)
        assert done.returncode == 2 and name in done.stderr


PLAIN = " ".join(f"word{number % 40} and" for number in range(20))


@pytest.mark.parametrize("audiences", [1, 1000])
def test_a_file_of_fewer_passages_than_asked_for_is_measured_as_it_is(tmp_path, audiences):
    """Of a thousand audiences most hold nothing then; who reads least still reads something."""
    _lines(tmp_path / "some.jsonl", [{"text": f"{PLAIN} number {number}"} for number in range(130)])
    given = (tmp_path / "some.jsonl", "--folder", tmp_path, "--only-ours", "--audiences", audiences)
    done = _measured("benchmarks.million", *given)
    assert (done.returncode, done.stderr) == (0, "")
    assert "130 passages" in done.stdout and "1,000,000" not in done.stdout and " 0 %" not in done.stdout


@pytest.mark.parametrize("bad", ['{"txt": "no"}', "no JSON", '["text"]', '{"text": 3}'])
def test_a_line_that_is_no_passage_is_named(tmp_path, bad):
    path = tmp_path / "bad.jsonl"
    _lines(path, [{"text": PLAIN}] * 120)
    path.write_text(path.read_text("utf-8") + bad + "\n", "utf-8")
    done = _measured("benchmarks.million", path, "--folder", tmp_path)
    assert done.returncode == 1 and "bad.jsonl:121" in done.stderr
    assert "Traceback" not in done.stderr
    few = _measured("benchmarks.million", path, "--folder", tmp_path, "--passages", 5)
    assert few.returncode == 1 and "Traceback" not in few.stderr


def test_retrieval_among_other_passages_tells_what_is_left_and_what_is_lost(tmp_path):
    """The passage of a question is found alone; among copies of the question it is not."""
    data, question = tmp_path / "data", "how many sizes of helmets"
    passages = [{"pid": pid, "title": title, "text": text} for pid, title, text in PASSAGES]
    _lines(data / "clapnq/passages.jsonl", passages)
    _lines(data / "clapnq/questions.jsonl", [{"pid": "p2", "question": question, "answerable": True}])
    _lines(data / "quotesum/passages.jsonl", passages)
    _lines(data / "quotesum/answers.jsonl", [{"question": question, "sources": [{"pid": "p2"}]}])
    for lang in ("en", "de", "es", "zh", "ar", "tr", "ru", "hi"):
        _lines(data / f"xquad/{lang}.passages.jsonl", passages)
        _lines(data / f"xquad/{lang}.questions.jsonl", [{"pid": "p2", "question": question}])
    (data / "cuad/txt").mkdir(parents=True)
    (data / "cuad/txt/c1.txt").write_text(FACT, encoding="utf-8")
    _lines(data / "cuad/clauses.jsonl", [{"cid": "c1", "category": "Sizes", "txt_spans": [[0, 9]]}])
    _lines(data / "cuad/categories.jsonl", [{"category": "Sizes", "description": "of helmets"}])
    _lines(tmp_path / "pool.jsonl", [{"text": question}] * 12)
    done = _measured("benchmarks.retrieval", data, tmp_path / "pool.jsonl", "--others", 10)
    assert (done.returncode, done.stderr) == (0, "")
    alone, _, pooled = done.stdout.partition("one corpus of all sets and 10 other passages")
    assert "clapnq" in alone and "1.000  (0.865)" in alone
    rows = {line[:26].strip(): line[26:].split() for line in pooled.splitlines() if line[26:]}
    assert rows["clapnq"] == ["1", *["0.000", "(-1.000)"] * 4]
    assert rows["cuad, slices of 1,000"] == ["1", *["1.000", "(+0.000)"] * 4]
