"""From bytes and folders to documents, or to one error that names every bad file."""

import hashlib
import os
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.ingest import Labels, SourceDocument, Status, read_directory, read_document, read_file
from verified_gate.ingest.front_matter import is_name
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.reading import MAX_FILE_BYTES, claim_of, likeness, other_ids
from verified_gate.model import Access
from verified_gate.model.errors import IngestError


def places(fault) -> list[str]:
    return [place for place, _ in fault.value.faults]


def put(root, **files) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path = path.with_suffix(".md") if not path.suffix else path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


# one file


def test_a_file_without_front_matter_has_sane_labels():
    data = "# Returns policy\n\nText.\n".encode()
    read = read_document(data, "policies/returns.md")
    assert (read.id, read.title, read.version, read.status) == (
        "policies/returns",
        "Returns policy",
        "1",
        Status.CURRENT,
    )
    assert (read.lang, read.access, read.collection, read.first_line) == ("", Access(), "default", 1)
    assert (read.text, read.name, read.format) == (data.decode(), "policies/returns.md", "markdown")
    assert read.file_sha256 == read.text_sha256 == hashlib.sha256(data).hexdigest()
    assert read.key == "policies/returns@1"


def test_a_trusted_file_is_believed():
    data = b"---\nid: r\ntenant: acme\ngroups: [b, a]\nstatus: draft\nversion: 1.10\n---\nText"
    read = read_document(data, "x.md", trusted=True)
    assert (read.id, read.status, read.version) == ("r", Status.DRAFT, "1.10")
    assert read.access == Access("acme", frozenset({"a", "b"}))
    assert (read.key, read.disregarded) == ("acme:r@1.10", ())
    assert read.file_sha256 == hashlib.sha256(data).hexdigest()
    assert read.text_sha256 == hashlib.sha256(b"Text").hexdigest()


def test_an_untrusted_file_does_not_choose_its_readers_status_or_id():
    labels = Labels(Access("acme", frozenset({"support"})), Status.DRAFT, "inbox", "de")
    data = b"---\nid: r\ntenant: other\ngroups: [all]\nstatus: current\ntitle: T\nversion: 2\n---\nText"
    read = read_document(data, "x.md", labels=labels)
    assert (read.id, read.access, read.status) == ("x", labels.access, Status.DRAFT)
    assert (read.title, read.version, read.collection, read.lang) == ("T", "2", "inbox", "de")
    assert read.disregarded == ("groups", "id", "status", "tenant")


def test_a_trusted_file_that_names_groups_only_keeps_the_operators_tenant():
    read = read_document(b"---\ngroups: [support]\n---\nT", "x.md", trusted=True, labels=Labels(Access("acme")))
    assert read.access == Access("acme", frozenset({"support"}))


def test_a_trusted_file_that_names_no_reader_keeps_the_operators_labels():
    labels = Labels(Access("acme", frozenset({"support"})))
    assert read_document(b"---\nid: a\n---\nT", "x.md", trusted=True, labels=labels).access == labels.access


def test_groups_without_a_tenant_are_a_fault():
    with pytest.raises(IngestError):
        read_document(b"---\ngroups: [support]\n---\nT", "x.md", trusted=True)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_a_byte_order_mark_leave_text_and_lines_right(mark, newline):
    body = newline.join(["", "# Title", "Text ", ""])
    data = mark + (newline.join(["---", "id: a", "---", ""]) + body).encode()
    read = read_document(data, "x.md", trusted=True)
    assert (read.id, read.text, read.first_line) == ("a", body, 4)
    assert read.file_sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a.md", "# One\n# Two", "One"),
        ("a.md", "Text\n\nSet text\n---\n", "Set text"),
        ("a.md", "```\n# code\n```\n## Real ##\n", "Real"),
        ("my notes.md", "No heading", "my notes"),
        ("notes.txt", "# not a heading in plain text", "notes"),
        ("a.md", "# a\u202eb\u200bc \t d", "abc d"),
        ("a.md", "#\n\n# Named", "Named"),
        ("a.md", "<!--\n# Commented out\n-->\n# Seen", "Seen"),
        ("a.md", "# Fees <!-- of 800 euros --> for all", "Fees for all"),
        ("a.md", "```\n<!--\n```\n# Seen, as code opens no comment", "Seen, as code opens no comment"),
    ],
)
def test_the_default_title_is_the_first_heading_or_the_file_name(name, text, title):
    assert read_document(text.encode(), name).title == title


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("a.md", "a"),
        ("a/b c: d.md", "a/b-c-d"),
        ("v1.2 final.txt", "v1.2-final"),
        ("Ru\u0308ckgabe.md", "R\u00fcckgabe"),
        ("हिन्दी.md", "हिन्दी"),
        ("a#b@c.md", "a-b-c"),
    ],
)
def test_the_default_id_is_the_path_made_fit_for_keys(name, made):
    assert read_document(b"T", name).id == made


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"ok\nok\xff", 2),
        (b"ok\r\nok\rok\xe4", 3),
        (b"a\n\n\xed\xa0\x80", 3),
        (b"a\n\xed\xb0\x80", 2),
        ("a\n".encode("utf-16"), 1),
        (b"a\nb\0", 2),
        (b"\xc0\xaf", 1),
        (b"\xf4\x90\x80\x80", 1),
        (b"---\nid: a", 1),
        (b"---\nid: a\nfoo: b\n---\n", 3),
    ],
    ids=[
        "latin",
        "truncated",
        "high surrogate",
        "low surrogate",
        "utf-16",
        "nul",
        "overlong",
        "beyond",
        "unclosed",
        "unknown field",
    ],
)
def test_a_bad_file_is_one_error_that_names_file_and_line(data, line):
    with pytest.raises(IngestError) as fault:
        read_document(data, "dir/bad.md")
    assert places(fault) == [f"dir/bad.md:{line}"]


def test_a_monster_file_is_refused_by_its_size(tmp_path):
    monster = tmp_path / "monster.md"
    with monster.open("wb") as file:
        file.truncate(100_000_000)  # sparse: 100 MB that are nowhere
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path)
    assert places(fault) == ["monster.md"]
    with pytest.raises(IngestError):
        read_document(b"x" * (MAX_FILE_BYTES + 1), "x.md")


def test_a_file_of_the_largest_size_is_read():
    assert len(read_document(b"x" * MAX_FILE_BYTES, "x.md").text) == MAX_FILE_BYTES


@given(
    st.binary(max_size=80) | st.text(max_size=80).map(lambda text: ("---\n" + text).encode("utf-8", "surrogatepass"))
)
def test_any_bytes_give_a_document_or_an_ingest_error(data):
    try:
        read = read_document(data, "x.md", trusted=True)
    except IngestError as error:
        assert error.faults
    else:
        assert data.decode().removeprefix("\ufeff").endswith(read.text)


def test_the_repr_of_a_document_does_not_hold_its_text():
    assert "secret words" not in repr(read_document(b"secret words", "x.md"))


def test_read_file_takes_the_name_from_the_path(tmp_path):
    put(tmp_path, sub__a="Text")
    read = read_file(tmp_path / "sub" / "a.md")
    assert (read.id, read.name) == ("a", "a.md")
    with pytest.raises(IngestError):
        read_file(tmp_path / "missing.md")


# a folder


def test_a_folder_is_read_in_the_order_of_its_names_and_tells_what_it_ignored(tmp_path):
    put(tmp_path, b="B", a="A", sub__c="C", **{"d.markdown": "D", "E.TXT": "E", "f.pdf": "F", "sub__g": "G"})
    put(tmp_path, **{".hidden.md": "H", ".git__x": "X"})
    reading = read_directory(tmp_path)
    assert [read.name for read in reading.documents] == ["E.TXT", "a.md", "b.md", "d.markdown", "sub/c.md", "sub/g.md"]
    assert [name for name, _ in reading.ignored] == ["f.pdf"]
    assert [read.id for read in reading.documents] == ["E", "a", "b", "d", "sub/c", "sub/g"]


def test_one_error_names_every_bad_file_and_nothing_is_returned(tmp_path):
    put(tmp_path, good="Good", latin=b"\xe4", nul=b"a\0", open="---\nid: a", two="---\nx: 1\ny: 2\n---\n")
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path, trusted=True)
    assert places(fault) == ["latin.md:1", "nul.md:1", "open.md:1", "two.md:2", "two.md:3"]
    for name in ("latin", "nul", "open", "two"):
        (tmp_path / f"{name}.md").unlink()
    assert [read.id for read in read_directory(tmp_path).documents] == ["good"]


def test_duplicate_ids_are_refused(tmp_path):
    """(condition 42)"""
    put(tmp_path, a="---\nid: r\n---\nA", b="---\nid: r\n---\nB")
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path, trusted=True)
    assert places(fault) == ["b.md"]
    assert "a.md" in str(fault.value)


@pytest.mark.parametrize("difference", ["version: 2", "tenant: acme"])
def test_the_same_id_in_another_version_or_tenant_is_no_duplicate(tmp_path, difference):
    put(tmp_path, a="---\nid: r\n---\nA", b=f"---\nid: r\n{difference}\n---\nB")
    assert len(read_directory(tmp_path, trusted=True).documents) == 2


def test_files_whose_paths_make_one_id_are_documents_of_their_own(tmp_path):
    put(tmp_path, **{"a.md": "A", "a.txt": "B", "x y.txt": "C", "x-y.txt": "D", "x  y.txt": "E", "b.md": "F"})
    found = {read.name: read.id for read in read_directory(tmp_path).documents}
    assert (found["a.md"], found["a.txt"], found["b.md"]) == ("a", "a--txt", "b")
    named = [found["x  y.txt"], found["x y.txt"], found["x-y.txt"]]
    assert named[:2] == ["x-y", "x-y--txt"] and named[2].startswith("x-y--")
    assert {read.name: read.id for read in read_directory(tmp_path).documents} == found
    put(tmp_path, **{"c.md": "---\nid: b\nversion: 1\n---\nThe text of c."})
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path, trusted=True)
    assert places(fault) == ["c.md"], "what a file says of itself is taken at its word"


@given(st.lists(st.text(st.sampled_from("ab1 -_.:/ü\u0308u\u00fc\u2003\u200b"), min_size=1), min_size=2, max_size=2))
def test_files_whose_paths_make_one_id_are_alike(names):
    first, second = (f"{name}{ending}" for name, ending in zip(names, (".md", ".txt"), strict=True))
    if read_document(b"T", first).id == read_document(b"T", second).id:
        assert likeness(first) == likeness(second)


@pytest.mark.parametrize(
    ("names", "alike"),
    [
        (["a b.md", "a-b.txt", "a  b.txt.md", "a_b.pdf"], True),
        (["u\u0308.md", "\u00fc.txt"], True),
        (["x" * 300 + ".md", "y" + "x" * 299 + ".txt"], True),
        (["a.md", "b.md"], False),
        (["a/b.md", "a/c.md"], False),
    ],
)
def test_names_are_alike_where_their_ids_may_clash(names, alike):
    assert (len({likeness(name) for name in names}) == 1) is alike


@pytest.mark.parametrize("name", ["a.md", "a b.txt", "a  b.md", "sub/x" * 90 + ".md", "-.md", "a--b.md"])
def test_no_id_made_of_a_path_is_another_one_of_a_second_file(name):
    document = read_document(b"T", name)
    others = other_ids(document, "/files/" + name)
    assert len({document.id, *others}) == 4 and all(is_name(each) and len(each) <= 200 for each in others)
    assert all("--" in each and read_document(b"T", f"{each}.md").id != each for each in others)
    assert other_ids(read_document(b"---\nid: a\n---\nT", name, trusted=True)) == ()


@pytest.mark.parametrize(
    ("name", "data", "claimed"),
    [
        ("a.md", b"---\nid: b\n---\nT", ("b", None)),
        ("a.md", b"---\nid: b\nversion: 1\n---\nT", ("b", "1")),
        ("a.txt", b"\xef\xbb\xbf---\nid: b\n---\nT", ("b", None)),
        ("a.md", b"---\ntitle: b\n---\nT", None),
        ("a.md", b"---\nid: b\nnonsense: 1\n---\nT", None),
        ("a.md", b"T" * 100_000, None),
        ("a.md", b"\xff", None),
        ("a.html", b"---\nid: b\n---\nT", None),
    ],
)
def test_the_id_that_a_file_claims_is_that_of_its_front_matter(tmp_path, name, data, claimed):
    (tmp_path / name).write_bytes(data)
    assert claim_of(tmp_path / name, name) == claimed
    assert claim_of(tmp_path / "none.md", "none.md") is None


@pytest.mark.parametrize("name", ["0.md", "z.md"])
def test_an_id_that_a_clash_makes_is_none_that_another_file_names(tmp_path, name):
    texts = {"readme.md": "T", "readme.txt": "U", name: "---\nid: readme--txt\n---\nV"}
    for each, text in texts.items():
        (tmp_path / each).write_text(text)
    ids = {each.name: each.id for each in read_directory(tmp_path, trusted=True).documents}
    assert (ids["readme.md"], ids[name]) == ("readme", "readme--txt")
    assert ids["readme.txt"].startswith("readme--") and len(set(ids.values())) == 3
    (tmp_path / name).unlink()
    assert {each.id for each in read_directory(tmp_path, trusted=True).documents} == {"readme", "readme--txt"}


@pytest.mark.parametrize("files", [{}, {"a.pdf": "x"}, {".a.md": "x"}])
def test_a_folder_without_documents_is_an_error(tmp_path, files):
    put(tmp_path, **files)
    with pytest.raises(IngestError):
        read_directory(tmp_path)


def test_a_missing_folder_and_a_file_for_a_folder_are_errors(tmp_path):
    put(tmp_path, a="A")
    for path in (tmp_path / "missing", tmp_path / "a.md"):
        with pytest.raises(IngestError):
            read_directory(path)


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    put(tmp_path, inside__a="A", outside__secret="S")
    (tmp_path / "inside" / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (tmp_path / "inside" / "folder").symlink_to(tmp_path / "outside")
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path / "inside")
    assert sorted(places(fault)) == ["folder", "link.md"]


def test_a_link_that_stays_inside_is_read_and_one_to_a_folder_is_not_followed(tmp_path):
    put(tmp_path, **{"..data__a.md": "A", "b.md": "B"})
    (tmp_path / "a.md").symlink_to("..data/a.md")
    (tmp_path / "loop").symlink_to(tmp_path)
    reading = read_directory(tmp_path)
    assert [read.name for read in reading.documents] == ["a.md", "b.md"]
    assert [name for name, _ in reading.ignored] == ["loop"]


def test_a_link_that_leads_nowhere_or_in_a_circle_is_a_fault(tmp_path):
    put(tmp_path, a="A")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    (tmp_path / "circle.md").symlink_to("circle.md")
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path)
    assert places(fault) == ["circle.md", "gone.md"]


def test_the_folder_itself_may_be_a_link(tmp_path):
    put(tmp_path, real__a="A")
    (tmp_path / "link").symlink_to("real")
    assert len(read_directory(tmp_path / "link").documents) == 1


def test_a_pipe_and_a_socket_are_refused_without_waiting(tmp_path):
    put(tmp_path, a="A")
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s.md"))
        with pytest.raises(IngestError) as fault:
            read_directory(tmp_path)
    assert places(fault) == ["pipe.md", "s.md"]


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    put(tmp_path, **{"dir.md__a.md": "A"})
    assert [read.name for read in read_directory(tmp_path).documents] == ["dir.md/a.md"]


def test_an_unreadable_file_is_named(tmp_path, monkeypatch):
    put(tmp_path, a="A", b="B")
    opened = os.open

    def refuse(path, *rest):
        if str(path).endswith("b.md"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path)
    assert places(fault) == ["b.md"]


def test_an_unlistable_folder_is_named(tmp_path, monkeypatch):
    put(tmp_path, a="A", sub__b="B")
    scanned = os.scandir

    def refuse(path):
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied")
        return scanned(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path)
    assert places(fault) == ["sub"]


def test_a_name_with_line_breaks_cannot_forge_a_line_of_the_message(tmp_path):
    (tmp_path / "a\nb.md: fine.md").write_bytes(b"\xff")
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path)
    assert places(fault) == ["a\\nb.md: fine.md:1"]


def test_a_name_that_is_not_utf8_is_a_fault(tmp_path):
    put(tmp_path, a="A")
    with open(os.fsencode(tmp_path) + b"/\xff.md", "wb") as file:
        file.write(b"T")
    with pytest.raises(IngestError) as fault:
        read_directory(tmp_path)
    assert places(fault) == ["\\udcff.md"]


def test_reading_twice_gives_equal_documents(tmp_path):
    put(tmp_path, a="# A\n\ntext", b="---\nlang: de\n---\n\nB")
    assert read_directory(tmp_path) == read_directory(tmp_path)
    assert all(isinstance(read, SourceDocument) for read in read_directory(tmp_path).documents)


def test_a_file_that_names_its_readers_is_never_published_because_nobody_trusted_it():
    """(ADR 0013) Refused, unless the operator trusts the file or names the tenant that it will belong to."""
    data = b"---\ntenant: acme\ngroups: [hr]\n---\nSalaries are 5 euros.\n"
    with pytest.raises(IngestError) as fault:
        read_document(data, "hr.md")
    assert [place for place, _ in fault.value.faults] == ["hr.md"]
    assert read_document(data, "hr.md", trusted=True).access == Access("acme", frozenset({"hr"}))
    named = read_document(data, "hr.md", labels=Labels(Access("globex")))
    assert (named.access, named.disregarded) == (Access("globex"), ("groups", "tenant"))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_text_of_more_lines_than_are_read_is_refused(end):
    most = ReadingLimits().lines
    assert read_document(f"a{end}".encode() * most, "a.txt").first_line == 1
    with pytest.raises(IngestError, match="lines; split it"):
        read_document(f"a{end}".encode() * (most + 1), "a.txt")
