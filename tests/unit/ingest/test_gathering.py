"""Files read several at a time: what came of each, in order, whatever one of them is."""

import hashlib
import os
import threading
from pathlib import Path

import pytest

from tests.pdf_files import BODY, build, picture, shown
from verified_gate.ingest import Labels, gathering, read_directory, read_document, read_file
from verified_gate.ingest import folder as folder_of_files
from verified_gate.ingest.gathering import gather, read_each
from verified_gate.ingest.reading import load
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import IngestError

DATA = Path(__file__).parents[2] / "data" / "messy" / "pdf"


@pytest.fixture(scope="module")
def readers():
    with Readers(workers=2) as made:
        yield made


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    (root / "sub").mkdir(parents=True)
    (root / "a.md").write_text("# Head\n\nWords.")
    (root / "b.pdf").write_bytes(build(shown(BODY)))
    (root / "c.pdf").write_bytes(build(picture()))
    (root / "d.pdf").write_bytes(b"no pdf")
    (root / "e.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (root / "f.md").write_bytes(b"\xff")
    (root / "sub" / "g").write_bytes(build(shown(BODY)))
    (root / ".hidden.pdf").write_bytes(build(shown(BODY)))
    return root


def outcomes(folder, readers, **options):
    return list(read_each(gather([folder]).files, readers, Labels(), **options))


def test_each_file_is_told_in_order_and_a_bad_one_stops_nothing(folder, readers):
    found = {each.found.name: (each.state, each.code) for each in outcomes(folder, readers)}
    assert found == {
        "a.md": ("read", ""),
        "b.pdf": ("read", ""),
        "c.pdf": ("failed", Unreadable.NEEDS_OCR),
        "d.pdf": ("failed", Unreadable.DAMAGED),
        "e.png": ("skipped", Unreadable.UNKNOWN_KIND),
        "f.md": ("failed", "unfit"),
        "sub/g": ("read", ""),
    }
    assert list(found) == sorted(found)


def test_what_is_stored_already_is_not_read_again(folder, readers):
    known = hashlib.sha256((folder / "b.pdf").read_bytes()).hexdigest()
    found = outcomes(folder, readers, is_stored=lambda path, sha256: sha256 == known)
    assert [each.found.name for each in found if each.state == "unchanged"] == ["b.pdf", "sub/g"]
    assert all(each.document is None for each in found if each.state == "unchanged")


def test_only_a_few_files_are_read_ahead(tmp_path, readers):
    for number in range(60):
        (tmp_path / f"{number:02}.md").write_text("Words.")
    asked = []
    stream = read_each(
        gather([tmp_path]).files, readers, Labels(), is_stored=lambda path, sha256: bool(asked.append(path))
    )
    next(stream)
    assert len(asked) <= 3 * readers.workers + 2
    assert len(list(stream)) == 59


def test_who_waits_for_a_slow_file_is_called_meanwhile_and_not_where_none_is_slow(tmp_path, readers, monkeypatch):
    (tmp_path / "a.md").write_text("Words.")
    files = gather([tmp_path]).files
    called, go_on = [], threading.Event()

    def slow(path, sha256):
        return go_on.wait(60)

    def waiting():
        called.append(1)
        go_on.set()

    assert [each.state for each in read_each(files, readers, Labels(), waiting=waiting)] == ["read"]
    assert called == []
    monkeypatch.setattr(gathering, "_PATIENCE", 0.01)
    found = list(read_each(files, readers, Labels(), is_stored=slow, waiting=waiting))
    assert [each.state for each in found] == ["unchanged"], "it went on because of the call"


def test_a_document_of_another_kind_keeps_its_suffix_in_its_id(folder, readers):
    (folder / "a.pdf").write_bytes(build(shown(BODY)))
    found = [each.document for each in outcomes(folder, readers) if each.document]
    assert [each.id for each in found] == ["a", "a.pdf", "b.pdf", "sub/g"]
    assert [each.title for each in found] == ["Head", "a", "b", "g"]
    assert all(each.numbered for each in found)


def test_a_pipe_or_a_socket_is_passed_over(folder, readers):
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "pipe.pdf")
    found = {each.found.name: each.state for each in outcomes(folder, readers)}
    assert (found["pipe"], found["pipe.pdf"]) == ("skipped", "failed")


def test_a_link_out_of_the_folder_is_a_fault(folder, tmp_path):
    (tmp_path / "secret.pdf").write_bytes(build(shown(BODY)))
    (folder / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    gathered = gather([folder])
    assert [place for place, _ in gathered.faults] == ["link.pdf"]
    assert "link.pdf" not in [each.name for each in gathered.files]


def test_what_is_behind_a_fault_is_told_by_its_path(folder, monkeypatch):
    (folder / "link.md").symlink_to("nowhere")
    scanned = os.scandir

    def refuse(path):
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied")
        return scanned(path)

    assert gather([folder]).broken == (str(folder / "link.md"),)
    monkeypatch.setattr(os, "scandir", refuse)
    assert sorted(gather([folder]).broken) == [str(folder / "link.md"), str(folder / "sub")]
    assert [place.rstrip("/") for place in gather([folder / "sub"]).broken] == [str(folder / "sub")]


def test_no_more_of_a_file_is_read_than_is_needed_to_refuse_it(tmp_path):
    for name, start in (("a.png", b"\x89PNG\r\n\x1a\n"), ("a.bin", b"data")):
        with (tmp_path / name).open("wb") as file:
            file.write(start)
            file.truncate(10**12)  # sparse
        with pytest.raises(UnreadableFile) as fault:
            load(tmp_path / name, name)
        assert fault.value.reason == Unreadable.UNKNOWN_KIND
    with (tmp_path / "a.pdf").open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(10**12)
    with pytest.raises(UnreadableFile) as fault:
        load(tmp_path / "a.pdf", "a.pdf")
    assert fault.value.reason == Unreadable.TOO_LARGE


def test_one_file_gives_its_text_or_a_coded_reason(tmp_path):
    (tmp_path / "a.pdf").write_bytes(build(shown(BODY)))
    read = read_file(tmp_path / "a.pdf")
    assert (read.text, read.id, read.version) == (BODY, "a.pdf", "1")
    assert read.file_sha256 == hashlib.sha256((tmp_path / "a.pdf").read_bytes()).hexdigest()
    with pytest.raises(UnreadableFile) as fault:
        read_document(build(picture()), "scan.pdf")
    assert (fault.value.reason, fault.value.place) == (Unreadable.NEEDS_OCR, "scan.pdf")
    assert isinstance(fault.value, IngestError)


def test_a_password_opens_an_encrypted_file():
    path = DATA / "libreoffice-writer-password.pdf"
    assert read_file(path, password="openpassword").text.startswith("Lorem ipsum")
    with pytest.raises(UnreadableFile) as fault:
        read_file(path)
    assert fault.value.reason == Unreadable.ENCRYPTED


def test_a_folder_read_as_a_whole_tells_documents_that_cannot_be_read_and_refuses_bad_texts(folder):
    (folder / "f.md").unlink()
    reading = read_directory(folder)
    assert [each.id for each in reading.documents] == ["a", "b.pdf", "sub/g"]
    assert {name: why.partition(":")[0] for name, why in reading.ignored} == {
        "c.pdf": "needs_ocr",
        "d.pdf": "damaged",
        "e.png": "unknown_kind",
    }
    (folder / "f.md").write_bytes(b"\xff")
    with pytest.raises(IngestError) as fault:
        read_directory(folder)
    assert [place for place, _ in fault.value.faults] == ["f.md:1"]


@pytest.mark.parametrize("inner", ["sub", "sub/g", "a.md", "../docs", "sub/../sub"])
def test_a_file_that_two_paths_lead_to_is_read_once_under_the_outermost(folder, inner):
    whole = gather([folder])
    for paths in ([folder, folder / inner], [folder / inner, folder]):
        twice = gather(paths)
        assert sorted((each.path, each.name) for each in twice.files) == [
            (each.path, each.name) for each in whole.files
        ]


def test_a_file_named_beside_a_folder_that_passes_it_over_is_read_and_a_link_in_the_folder_is_a_file(folder):
    hidden = gather([folder, folder / ".hidden.pdf"])
    assert [each.name for each in hidden.files][-1] == ".hidden.pdf"
    (folder / "link.md").symlink_to(folder / "a.md")
    assert {"a.md", "link.md"} <= {each.name for each in gather([folder]).files}


def test_a_folder_whose_name_is_not_utf8_is_told_and_the_rest_goes_on(tmp_path, readers):
    bad = Path(os.fsdecode(os.fsencode(tmp_path) + b"/d\xff"))
    bad.mkdir()
    (bad / "a.md").write_text("Words.")
    (tmp_path / "b.md").write_text("Words.")
    found = list(read_each(gather([bad, tmp_path / "b.md"]).files, readers, Labels()))
    assert [(each.state, each.code) for each in found] == [("failed", "unfit"), ("read", "")]
    assert found[0].found.shown.isprintable()


@pytest.mark.parametrize(("changes", "text"), [(0, b"half"), (1, b"half and whole"), (99, None)])
def test_a_file_that_changes_while_it_is_read_is_read_again_or_told(tmp_path, monkeypatch, changes, text):
    file = tmp_path / "a.md"
    file.write_text("half")
    state, seen = folder_of_files._state, []

    def looked(descriptor):
        seen.append(1)
        if len(seen) % 2 == 0 and len(seen) // 2 <= changes:  # it was read, and somebody writes on
            with file.open("a") as writer:
                writer.write(" and whole" if len(seen) == 2 else "!")
        return state(descriptor)

    monkeypatch.setattr(folder_of_files, "_state", looked)
    if text is None:
        with pytest.raises(IngestError) as fault:
            load(file, "a.md")
        assert [place for place, _ in fault.value.faults] == ["a.md"]
    else:
        assert load(file, "a.md") == text
