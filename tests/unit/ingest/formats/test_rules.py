"""The names of readers: library, and our own rules by number, so that what is read otherwise has another name."""

from dataclasses import replace

import pytest

from tests import readings
from verified_gate.ingest import cutting
from verified_gate.ingest.formats import KINDS, reader_of, rules
from verified_gate.ingest.formats.rules import RULES, is_current, name_of


@pytest.fixture(autouse=True)
def _forget():
    is_current.cache_clear()
    yield
    is_current.cache_clear()
    readings.now.cache_clear()


@pytest.mark.parametrize("kind", RULES)
def test_a_reader_is_current_under_its_own_name_and_no_other(kind, monkeypatch):
    name = name_of(kind)
    assert is_current(name)
    assert is_current(f"{name}, and an OCR program")
    for other in (
        "",
        name[:-1],
        f"{name}1",
        f"an older {name}",
        name.replace("rules", "rule"),
        name.rpartition(", ")[0],
    ):
        assert not is_current(other)
    monkeypatch.setitem(RULES, kind, RULES[kind] + 1)
    is_current.cache_clear()
    assert name_of(kind) != name
    assert not is_current(name)


def test_the_rules_of_each_kind_count_for_themselves(monkeypatch):
    docx = name_of("docx")
    monkeypatch.setitem(RULES, "html", RULES["html"] + 1)
    assert is_current(docx), "though both are read by one library"


def test_names_from_before_there_were_rules_are_those_of_other_readers():
    for name in ("csv 1", "pypdfium2 5.15.2 (PDFium 8149)", "lxml 6.1.3 (libxml2 2.14.6)", "wasm rules 1"):
        assert not is_current(name)


def test_where_a_library_is_missing_nothing_reads_otherwise(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    names = {kind: name_of(kind) for kind in ("pdf", "docx")}
    monkeypatch.setattr(rules, "import_module", missing)
    assert all(map(is_current, names.values()))
    monkeypatch.setitem(RULES, "pdf", RULES["pdf"] + 1)
    is_current.cache_clear()
    assert not is_current(names["pdf"]), "our rules alone say that it is another"


def test_every_kind_has_its_rules():
    assert set(RULES) == {*KINDS, "markdown", "text"}
    assert {kind: reader_of(kind) for kind in KINDS}
    assert {kind for kind, _ in readings.files()} == set(RULES), "a file of each kind is read below"


def test_what_is_read_changes_only_together_with_the_name_of_its_reader():
    assert readings.forgotten() == [], readings.ADVICE


def test_every_reading_is_kept_under_the_rules_of_now():
    kept, now = readings.kept(), readings.now()
    assert kept.keys() == now.keys(), "run `python -m tests.readings`"
    assert {name: rules_of(each) for name, each in kept.items()} == {
        name: rules_of(each) for name, each in now.items()
    }, "run `python -m tests.readings`"


def rules_of(reading):
    return reading["reader"].rpartition(", ")[2]


CHANGES = {
    "furniture": ({"furniture": ()}, {"pdf running.pdf"}),
    "hidden words": (
        {"hidden": ()},
        {"pdf unseen.pdf", "html page.html", "docx made.docx", "epub made.epub", "odt made.odt"},
    ),
    "title": ({"title": "Another"}, {"pdf pages.pdf", "xlsx made.xlsx", "csv fees.csv", "odt lease.odt"}),
    "what was lost": ({"lost": ("all",)}, {"pdf running.pdf", "html page.html", "xlsx made.xlsx"}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_what_a_reader_gives_is_found_under_the_same_name(monkeypatch, what):
    change, found = CHANGES[what]
    monkeypatch.setattr(
        readings, "reader_of", lambda kind: lambda *data, **more: replace(reader_of(kind)(*data, **more), **change)
    )
    readings.now.cache_clear()
    assert found <= set(readings.forgotten())


def test_a_change_of_what_is_read_of_markdown_is_found_and_is_none_under_another_name(monkeypatch):
    monkeypatch.setattr(cutting, "unseen", lambda text: ())
    readings.now.cache_clear()
    assert readings.forgotten() == ["markdown unseen.md"]
    monkeypatch.setitem(RULES, "markdown", RULES["markdown"] + 1)
    readings.now.cache_clear()
    assert readings.forgotten() == []
