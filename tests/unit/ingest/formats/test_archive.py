"""Bounded reading of zip containers."""

import pytest

from tests.containers import zipped
from verified_gate.ingest.formats.archive import Archive, resolve
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


def test_members_are_read_by_name_and_what_is_not_there_is_told_apart():
    with Archive(zipped({"a.txt": "one", "b/c.txt": "two"}), ReadingLimits()) as archive:
        assert archive.names == ("a.txt", "b/c.txt")
        assert archive.read("b/c.txt") == b"two"
        assert archive.read_if_there("no") is None
        assert "a.txt" in archive and "no" not in archive
        with pytest.raises(KeyError):
            archive.read("no")


def test_reading_again_and_again_counts():
    with Archive(zipped({"a": "x" * 60}), ReadingLimits(unpacked_bytes=100)) as archive:
        archive.read("a")
        with pytest.raises(UnreadableFile) as fault:
            archive.read("a")
    assert fault.value.reason is Unreadable.BOMB


@pytest.mark.parametrize(
    ("base", "reference", "member"),
    [("a/b.opf", "c.html", "a/c.html"), ("a/b.opf", "../c.html#x?y", "c.html"), ("a/b.opf", "/c.html", "c.html"),
     ("a/b.opf", "d/./e/../f%20g.html", "a/d/f g.html"), ("b.opf", "c.html", "c.html"), ("a/b.opf", "", "a/b.opf"),
     ("a/b.opf", "#x", "a/b.opf"), ("a/b", "http://x/y", ""), ("a/b", "//x/y", ""), ("a/b", "data:text/css,x", "")],
)  # fmt: skip
def test_references_are_resolved_within_the_container(base, reference, member):
    assert resolve(base, reference) == member


@pytest.mark.parametrize(
    "reference", ["../../x", "a/../../../x", "%2e%2e/%2e%2e/x", "..\\x", "a%5Cb", "a%00b", "/../x"]
)
def test_references_that_climb_out_are_refused(reference):
    with pytest.raises(UnreadableFile) as fault:
        resolve("a/b", reference)
    assert fault.value.reason is Unreadable.UNSAFE_PATH
