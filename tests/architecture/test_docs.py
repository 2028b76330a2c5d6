"""Generated text is true: blocks of README.md and ARCHITECTURE.md, and the files of tests/golden."""

import pytest

from tests import docs


@pytest.mark.parametrize(
    ("document", "block"), [(name, block) for name, blocks in docs.REQUIRED.items() for block in blocks]
)
def test_every_generated_block_stands_in_its_document_and_is_true(document, block):
    text = (docs.ROOT / document).read_text(encoding="utf-8")
    stands = docs.block_of(text, block)
    assert stands is not None, f"{document} has no block <!-- {block}:start --> … <!-- {block}:end -->"
    assert stands == docs.BLOCKS[block](), f"{document}, block {block}: run `python -m tests.docs`"


@pytest.mark.parametrize("name", docs.GOLDENS)
def test_every_golden_file_is_what_the_program_prints(name):
    assert (docs.GOLDEN / name).read_text(encoding="utf-8") == docs.GOLDENS[name](), "run `python -m tests.docs`"


def test_a_block_is_replaced_and_the_text_around_it_stays(monkeypatch):
    monkeypatch.setattr(docs, "BLOCKS", {"demo": lambda: "new\n", "help": lambda: "other\n"})
    text = "before\n<!-- demo:start -->\nold\nold\n<!-- demo:end -->\nafter <!-- help:start -->\n"
    assert docs.with_blocks(text) == "before\n<!-- demo:start -->\nnew\n<!-- demo:end -->\nafter <!-- help:start -->\n"
    assert docs.with_blocks("no block\n") == "no block\n"


def test_a_cell_cannot_break_its_table():
    assert docs.table([("a", "b"), ("x|y", "z")]) == "| a | b |\n|---|---|\n| x\\|y | z |\n"


def test_a_fence_is_longer_than_any_in_its_text():
    assert docs.fenced("````\nx\n") == "`````text\n````\nx\n`````\n"
