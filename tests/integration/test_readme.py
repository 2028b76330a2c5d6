"""The examples of the README, run as they stand there."""

import doctest

from tests.command_line import ROOT


def test_each_example_of_the_readme_gives_what_it_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    tried = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE, encoding="utf-8"
    )
    assert tried.failed == 0
    assert tried.attempted > 10
