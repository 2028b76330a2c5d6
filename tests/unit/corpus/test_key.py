"""Keys have one spelling, and names that keys are made of are narrow."""

import pytest

from verified_gate.corpus.document import Document
from verified_gate.corpus.key import Key, format_key, name_fault, parse_key
from verified_gate.model import Access


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("returns@3#c0", Key("", "returns", "3", 0)),
        ("acme:returns@2024-07#c12", Key("acme", "returns", "2024-07", 12)),
        ("de/rückgabe@1.10#c7", Key("", "de/rückgabe", "1.10", 7)),
    ],
)
def test_a_key_is_read_as_it_is_written(key, parts):
    assert parse_key(key) == parts
    assert str(parts) == format_key(parts.tenant, parts.document_id, parts.version, parts.position) == key


@pytest.mark.parametrize(
    "key",
    [
        *(
            "",
            "returns",
            "returns@3",
            "returns#c0",
            "@3#c0",
            "returns@#c0",
            ":returns@3#c0",
            "acme:@3#c0",
            "a:b:c@1#c0",
        ),
        *("returns@3#c00", "returns@3#c-1", "returns@3#c٣", "returns@3#c1\n", " returns@3#c1", "returns@3#c9999999999"),
        *(
            "returns@3@4#c0",
            "re turns@3#c0",
            "returns@\ud800#c0",
            "a\u200bb@1#c0",
            "x" * 2000,
            None,
            3,
            b"returns@3#c0",
            ["returns@3#c0"],
        ),
    ],
)
def test_anything_else_is_no_key(key):
    assert parse_key(key) is None


@pytest.mark.parametrize("name", ["a:b", "a@b", "a#b", "a b", "a\tb", "", "x" * 201, "a\u202eb", None])
def test_a_name_that_could_forge_a_key_is_refused(name):
    assert name_fault(name)
    with pytest.raises((ValueError, TypeError)):
        Document(name, "1", "text", ())
    with pytest.raises((ValueError, TypeError)):
        Document("d", "1", "text", (), access=Access(name, {"g"}))


def test_a_plain_name_is_taken():
    assert [name_fault(name) for name in ("returns", "Rückgabe", "返品", "a/b.c-d_e")] == [None] * 4
