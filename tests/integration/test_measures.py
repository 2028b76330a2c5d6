"""The measures print what they count: a small labelled set whose right numbers are known beforehand."""

import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import ORDER
from tests.command_line import ROOT, call
from verified_gate import CorpusStore

PASSAGES = [
    ("p1", "Bikes", "A bike comes with a lamp. The lamp is worth nine euros."),
    ("p2", "Bikes", "Helmets are sold in four sizes. A helmet is not taken back."),
    ("p3", "Cargo", "Cargo bikes carry two children. They carry 80 kilograms at most."),
]
FACT = "Helmets are sold in four sizes. A helmet is not taken back."


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
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.cutting", tmp_path], cwd=ROOT, capture_output=True, text=True, check=True
    )
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


@pytest.mark.parametrize("name", ORDER)
def test_every_measure_takes_the_folder_that_it_is_called_with(name):
    signature = inspect.signature(importlib.import_module(f"benchmarks.{name}").main)
    assert signature.bind(Path())


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
