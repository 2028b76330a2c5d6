"""The few fields a file may say of itself."""

import pytest

from verified_gate.ingest import Status
from verified_gate.ingest.front_matter import MAX_FRONT_MATTER, MAX_GROUPS, is_name, parse_front_matter


def front(*lines: str, newline: str = "\n", body: str = "Text\n"):
    return parse_front_matter(newline.join(["---", *lines, "---", ""]) + body)


def test_every_field_is_read_with_its_type():
    read = front(
        "id: returns",
        "title: 'Returns: the policy'",
        "version: 1.10",
        "status: superseded",
        "lang: pt-BR",
        "tenant: acme",
        "groups: [support, sales]",
        "collection: policies",
    )
    assert read.faults == ()
    assert read.fields == {
        "id": "returns",
        "title": "Returns: the policy",
        "version": "1.10",
        "status": Status.SUPERSEDED,
        "lang": "pt-BR",
        "tenant": "acme",
        "groups": ("support", "sales"),
        "collection": "policies",
    }


@pytest.mark.parametrize(
    "value", ["1.10", "007", "2024-07-01", "1e3", "yes", "null", "0x10", "~", "12:30.5".replace(":", ".")]
)
def test_a_value_stays_the_string_that_was_written(value):
    assert front(f"version: {value}").fields == {"version": value}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_the_text_begins_after_the_closing_line_whatever_the_line_ends(newline):
    text = newline.join(["---", "id: a", "---", "", "Text"])
    read = parse_front_matter(text)
    assert (read.fields, text[read.body :]) == ({"id": "a"}, f"{newline}Text")


@pytest.mark.parametrize(
    "text", ["", "Text", "# Heading\n---\n", "----\nid: a\n---\n", " ---\nid: a\n---\n", "\n---\nid: a\n---\n"]
)
def test_a_text_that_does_not_begin_with_the_line_has_none(text):
    read = parse_front_matter(text)
    assert (read.fields, read.body, read.faults) == ({}, 0, ())


@pytest.mark.parametrize(
    "text", ["---\n---\nText", "---\n\n---\nText", "---\n# only a comment\n---\nText", "---\n...\nText"]
)
def test_an_empty_front_matter_gives_no_field(text):
    read = parse_front_matter(text)
    assert (read.fields, text[read.body :], read.faults) == ({}, "Text", ())


@pytest.mark.parametrize("text", ["---", "---\n", "---\nid: a\n", "---\nid: a\n ---\n", "---\nid: a\n----\nText"])
def test_unclosed_front_matter_is_a_fault_of_line_1(text):
    assert [line for line, _ in parse_front_matter(text).faults] == [1]


FAULTS = {
    "unknown field": ("author: me", 3),
    "field twice": ("id: b", 3),
    "list for a value": ("title: [a, b]", 3),
    "mapping for a value": ("title: {a: b}", 3),
    "value for a list": ("groups: support", 3),
    "list in a list": ("groups: [[a]]", 3),
    "empty value": ("tenant:", 3),
    "blank value": ("tenant: '  '", 3),
    "unknown status": ("status: Current", 3),
    "not a language": ("lang: english please", 3),
    "colon in an id": ("tenant: 'a:b'", 3),
    "space in a version": ("version: 1 beta", 3),
    "hash in a version": ("version: '1#c0'", 3),
    "at sign in a group": ("groups: ['a@b']", 3),
    "line break in a title": ('title: "a\\nb"', 3),
    "turned direction in a title": ('title: "a\u202eb"', 3),
    "hidden character in a tenant": ('tenant: "ac\u200bme"', 3),
    "long title": (f"title: {'a' * 301}", 3),
    "too many groups": (f"groups: [{', '.join('g' for _ in range(MAX_GROUPS + 1))}]", 3),
    "anchor": ("title: &a x", 3),
    "alias": ("title: *a", 3),
    "tag": ("title: !!python/name:os.system x", 3),
    "tag of a list": ("groups: !!set [a]", 3),
    "nested deep": ("title: [[[[a]]]]", 3),
    "not YAML": ("title: a: b", 3),
    "unclosed quote": ("title: 'a", 3),
    "tab": ("\ttitle: a", 3),
    "control character": ("title: a\u0007b", 3),
    "name that is no name": ("[a]: b", 3),
    "merge": ("<<: {id: b}", 3),
}


@pytest.mark.parametrize(("line", "at"), FAULTS.values(), ids=FAULTS.keys())
def test_a_wrong_field_is_a_fault_that_names_its_line(line, at):
    read = front("id: a", line)
    assert [fault[0] for fault in read.faults] == [at]


def test_the_positive_twin_of_the_wrong_fields_has_no_fault():
    assert front("id: a", "title: 'a: b # c'", "groups: []").faults == ()


def test_every_fault_is_told_and_none_holds_the_text_of_the_file():
    read = front("secretfield: 1", "title: []", "status: secretvalue", "lang: secret value")
    assert [line for line, _ in read.faults] == [2, 3, 4, 5]
    assert not any("secret" in fault for _, fault in read.faults)


@pytest.mark.parametrize("block", ["- a\n- b", "only words", "[a, b]"])
def test_front_matter_that_is_not_fields_is_a_fault(block):
    assert len(front(block).faults) == 1


@pytest.mark.parametrize("unit", ["[", "{a: ", "- ", "? ", "a: &a ", "'", '"\\', "!", "&a ", "a:\n ", "|\n"])
def test_hostile_yaml_is_refused_without_growing(unit):
    read = front(unit * (MAX_FRONT_MATTER // len(unit)))
    assert len(read.faults) == 1


def test_a_longer_front_matter_is_refused_unparsed():
    assert len(front(*["# comment"] * (MAX_FRONT_MATTER // 8)).faults) == 1
    assert front(*["# comment"] * (MAX_FRONT_MATTER // 16)).faults == ()


@pytest.mark.parametrize("name", ["returns", "de/rueckgabe", "Rückgabe", "自転車", "2024-07", "a.b_c~d"])
def test_names_may_hold_letters_of_any_script(name):
    assert is_name(name)


@pytest.mark.parametrize(
    "name", ["", "a b", "a:b", "a@b", "a#b", "a\u00a0b", "a\nb", "a\u200bb", "a\u202eb", "a\ud800", "a\ue000"]
)
def test_names_may_hold_nothing_that_keys_are_made_of_or_that_is_hidden(name):
    assert not is_name(name)


@pytest.mark.parametrize("before", ["\n", " ", "\ufeff\ufeff", "\u200b", "-"])
def test_labels_that_are_no_front_matter_are_a_fault_and_never_public(before):
    """The twin without anything before the fence is front matter."""
    written = "---\ntenant: acme\n---\nFor acme only.\n"
    assert parse_front_matter(written).fields == {"tenant": "acme"}
    misplaced = parse_front_matter(before + written)
    assert misplaced.fields == {}
    assert [fault for _, fault in misplaced.faults] == [
        "a label outside of front matter: begin the file with a line `---`"
    ]


def test_a_rule_at_the_top_of_a_document_is_no_front_matter():
    assert parse_front_matter("----\n\nThe tenant: he pays.\n").faults == ()
