"""Real documents from the command line: ingested, asked, shown, their pages drawn."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command_line import ROOT, call
from tests.pdf_files import BODY, build, picture, report, shown
from verified_gate import Gate
from verified_gate.corpus.store import CorpusStore

DATA = ROOT / "tests" / "data" / "messy" / "pdf"
QUESTION = "When does the tenant pay the rent?"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    (root / "lease.pdf").write_bytes(
        build(shown("Lease of the shop", y=700), shown(BODY, y=500), labels="0 << /S /r >> 1 << /S /D /St 10 >>")
    )
    (root / "bike.md").write_text("# Bikes\n\nA bike has two wheels and a bell.\n")
    return root


@pytest.fixture
def corpus(folder, tmp_path):
    path = tmp_path / "kb.db"
    assert call("ingest", folder, "--corpus", path).code == 0
    return path


def cited(corpus, tmp_path):
    answer = json.loads(call("ask", QUESTION, "--corpus", corpus, "--json").out)
    (citation,) = answer["citations"]
    (tmp_path / "citation.json").write_text(json.dumps(citation))
    return citation


def test_the_place_of_a_quote_survives_from_file_to_answer(corpus, tmp_path, folder):
    """(condition 60)"""
    citation = cited(corpus, tmp_path)
    assert citation["quote"] == BODY
    assert (citation["page"], citation["page_label"], citation["document_id"]) == (2, "10", "lease.pdf")
    with CorpusStore.open(corpus) as store:
        (hit,) = store.search(QUESTION, limit=1)
        pages = store.pages(hit.key)
        (whole,) = store.texts([hit.key])
    assert (hit.passage.location.page, hit.passage.location.page_label) == (2, "10")
    assert [page.label for page in pages] == ["i", "10"]
    assert whole.text[citation["start"] : citation["end"]] == BODY
    assert pages[1].start <= citation["start"] < citation["end"] <= pages[1].end


def test_show_names_the_place_in_words_for_a_key_and_for_a_citation_in_a_file(corpus, tmp_path):
    citation = cited(corpus, tmp_path)
    for wanted in (citation["key"], str(tmp_path / "citation.json")):
        done = call("show", wanted, "--corpus", corpus)
        assert done.code == 0
        assert "page 2 (labelled 10)" in done.out
    told = json.loads(call("show", citation["key"], "--corpus", corpus, "--json").out)
    assert (told["page"], told["page_label"], told["coverage"]) == (2, "10", "complete")


def test_page_draws_the_page_of_a_citation(corpus, tmp_path):
    citation = cited(corpus, tmp_path)
    done = call(
        "page", "lease.pdf", "--corpus", corpus, "--citation", tmp_path / "citation.json", "--png", tmp_path / "p.png"
    )
    assert (done.code, done.out) == (0, f"{tmp_path / 'p.png'}: page 2 (labelled 10)\n")
    marked = (tmp_path / "p.png").read_bytes()
    assert marked.startswith(b"\x89PNG")
    plain = call("page", "lease.pdf@1", "2", "--corpus", corpus, "--png", tmp_path / "plain.png")
    assert plain.code == 0
    assert (tmp_path / "plain.png").read_bytes() != marked, "the words are marked"
    again = call(
        "page", "lease.pdf", "2", "--corpus", corpus, "--citation", json.dumps(citation), "--png", tmp_path / "q.png"
    )
    assert again.code == 0
    assert (tmp_path / "q.png").read_bytes() == marked


def test_show_marks_the_words_of_a_quote_and_no_footnote_that_it_passes_over(tmp_path):
    noted = (
        "q 0 g BT 1 0 0 1 72 120 Tm /F1 12 Tf (The seller) Tj /F1 7 Tf 5 Ts (1) Tj /F1 12 Tf 0 Ts"
        " ( delivers the goods free of any) Tj ET Q\n"
    )
    note = "q 0 g BT 1 0 0 1 72 60 Tm /F1 6 Tf 3 Ts (1) Tj ET Q\n" + shown("See Section 2.", x=77, y=60, size=9)
    root, path = tmp_path / "docs", tmp_path / "kb.db"
    root.mkdir()
    (root / "sale.pdf").write_bytes(
        build(shown(BODY) + noted + note, shown("charge to the buyer within ten days.") + shown(BODY, y=660))
    )
    assert call("ingest", root, "--corpus", path).code == 0
    with CorpusStore.open(path) as store:
        hit = store.search("goods free of any charge to the buyer", limit=1)[0]
        found = Gate([hit.passage], profile="extracted").verify(
            hit.key, "delivers the goods free of any charge to the buyer"
        )
    done = call("show", json.dumps(found.to_dict()), "--corpus", path)
    assert done.code == 0
    lines = [line for line in done.out.splitlines() if ">>" in line]
    assert [line.partition(">>")[2].partition("<<")[0] for line in lines] == [
        "delivers the goods free of any",
        "charge to the buyer",
    ]


def test_page_draws_nothing_where_the_quote_does_not_stand_there(corpus, tmp_path, folder):
    citation = cited(corpus, tmp_path)
    draw = ("page", "lease.pdf", "--corpus", corpus, "--png", tmp_path / "p.png")
    other = call(*draw, "1", "--citation", json.dumps(citation))
    assert other.code == 1
    forged = call(*draw, "2", "--citation", json.dumps({**citation, "quote": "The landlord pays the rent."}))
    assert forged.code == 1
    assert call("page", "bike", "1", "--corpus", corpus, "--png", tmp_path / "p.png").code == 3
    assert call("page", "nothing", "1", "--corpus", corpus, "--png", tmp_path / "p.png").code == 1
    assert call(*draw, "9").code == 2
    (folder / "lease.pdf").write_bytes(build(shown(BODY)))
    assert call(*draw, "2").code == 3, "another file lies there now"
    (folder / "lease.pdf").unlink()
    os.mkfifo(folder / "lease.pdf")
    for more in ((), ("--file", "/dev/zero"), ("--file", folder)):
        assert call(*draw, "2", *more).code == 3, "nothing that ends lies there now"
    assert not (tmp_path / "p.png").exists()


def test_page_tells_that_a_quote_goes_on_over_the_next_page(tmp_path):
    root, path = tmp_path / "docs", tmp_path / "kb.db"
    root.mkdir()
    (root / "sale.pdf").write_bytes(
        build(
            shown("The seller delivers the goods free of any", y=60), shown("charge to the buyer.") + shown(BODY, y=660)
        )
    )
    assert call("ingest", root, "--corpus", path).code == 0
    with CorpusStore.open(path) as store:
        hit = store.search("goods free of any charge to the buyer", limit=1)[0]
    gate = Gate([hit.passage], profile="extracted")
    draw = ("page", "sale.pdf", "--corpus", path, "--png", tmp_path / "p.png", "--citation")
    over = json.dumps(gate.verify(hit.key, "free of any charge to the buyer").to_dict())
    first = call(*draw, over)
    assert (first.code, "page 2 too" in first.err, "page sale.pdf 2" in first.err) == (0, True, True)
    second = call(*draw, over, "2")
    assert (second.code, "page 1 too" in second.err) == (0, True)
    within = call(*draw, json.dumps(gate.verify(hit.key, "The seller delivers the goods").to_dict()))
    assert (within.code, within.err) == (0, "")


def test_page_draws_the_version_that_a_citation_is_of(corpus, folder, tmp_path):
    citation = cited(corpus, tmp_path)
    former = tmp_path / "former.pdf"
    shutil.copy(folder / "lease.pdf", former)
    (folder / "lease.pdf").write_bytes(build(shown("Lease of the house", y=700), shown(BODY, y=500)))
    assert call("ingest", folder, "--corpus", corpus).code == 0
    draw = ("page", "lease.pdf", "--corpus", corpus, "--png", tmp_path / "p.png")
    lost = call(*draw, "--citation", json.dumps(citation))
    assert (lost.code, str(folder / "lease.pdf") in lost.err, "--file" in lost.err) == (3, True, True)
    done = call(*draw, "--citation", json.dumps(citation), "--file", former)
    assert (done.code, done.out.partition(": ")[2], "version 1" in done.err) == (0, "page 2 (labelled 10)\n", True)
    assert call(*draw, "2").code == 0, "without a citation it is the version in force"
    assert call("page", "lease.pdf@2", *draw[2:], "--citation", json.dumps(citation)).code == 1, "it is not of that one"
    now = cited(corpus, tmp_path)
    assert (now["version"], call(*draw, "--citation", json.dumps(now)).err) == ("2", "")


def test_page_tells_which_document_or_version_a_citation_is_of_and_else_what_became_of_its_words(
    corpus, folder, tmp_path
):
    citation = cited(corpus, tmp_path)
    (folder / "sub").mkdir()
    shutil.copy(folder / "lease.pdf", folder / "sub" / "lease.pdf")
    assert call("ingest", folder, "--corpus", corpus).code == 0

    def page(document, given):
        return call("page", document, "--corpus", corpus, "--png", tmp_path / "p.png", "--citation", json.dumps(given))

    other = page("sub/lease.pdf", citation)
    assert (other.code, "of lease.pdf@1, and not of sub/lease.pdf" in other.err) == (1, True)
    forged = page("lease.pdf", {**citation, "quote": "The landlord pays the rent."})
    assert (forged.code, "quote_mismatch" in forged.err, "not of" in forged.err) == (1, True, False)
    (folder / "lease.pdf").write_bytes(build(shown(BODY, y=300)))
    assert call("ingest", folder, "--corpus", corpus).code == 0
    earlier = page("lease.pdf@2", citation)
    assert (earlier.code, "of lease.pdf@1, and not of the version named" in earlier.err) == (1, True)
    assert call("mark", "lease.pdf@1", "revoked", "--corpus", corpus).code == 0
    gone = page("lease.pdf", citation)
    assert (gone.code, "lease.pdf@1, which is gone" in gone.err) == (1, True)
    assert page("lease.pdf", {"key": "lease.pdf@2#c0"}).code == 0


def test_page_marks_what_show_takes(corpus, tmp_path):
    hits = json.loads(call("search", QUESTION, "--corpus", corpus, "--json").out)
    (hit,) = [each for each in hits if each["key"].startswith("lease.pdf@1#") and each["page"] == 2]
    draw = ("page", "lease.pdf", "2", "--corpus", corpus, "--png")
    assert call(*draw, tmp_path / "plain.png").code == 0
    (tmp_path / "hits.json").write_text(json.dumps(hits))
    for given in (json.dumps(hit), f"{tmp_path}/hits.json#{hits.index(hit) + 1}", hit["key"]):
        done = call(*draw, tmp_path / "p.png", "--citation", given)
        assert (done.code, done.err) == (0, "")
        assert (tmp_path / "p.png").read_bytes() != (tmp_path / "plain.png").read_bytes(), "its words are marked"
    changed = call(*draw, tmp_path / "q.png", "--citation", json.dumps(hit | {"sha256": "0" * 64}))
    assert (changed.code, "source_changed" in changed.err, (tmp_path / "q.png").exists()) == (1, True, False)


def test_what_is_no_citation_is_told_as_that_under_its_option(corpus, tmp_path):
    draw = ("page", "lease.pdf", "--corpus", corpus, "--png", tmp_path / "p.png", "--citation")
    for given in ('{"x":1}', "{}", '{"key": 1}', "[1]", "nonsense"):
        done = call(*draw, given)
        assert (done.code, "for --citation" in done.err, "KEY" in done.err) == (2, True, False)
    assert "ask --json" in call(*draw, '{"x":1}').err
    other = call("show", '{"x":1}', "--corpus", corpus)
    assert (other.code, "for KEY" in other.err, "ask --json" in other.err) == (2, True, True)
    assert call(*draw, json.dumps(cited(corpus, tmp_path))).code == 0


def test_page_is_drawn_only_for_who_may_read_it(folder, tmp_path):
    path = tmp_path / "kb.db"
    call("ingest", folder, "--corpus", path, "--tenant", "acme", "--group", "legal")
    draw = ("page", "lease.pdf", "1", "--corpus", path, "--png", tmp_path / "p.png")
    forbidden, missing = call(*draw), call("page", "lost.pdf", *draw[2:])
    assert forbidden.code == missing.code == 1
    assert forbidden.err.replace("lease.pdf", "lost.pdf") == missing.err
    assert call(*draw, "--tenant", "acme", "--group", "legal").code == 0


def test_what_was_not_completely_read_is_never_presented_as_complete(tmp_path):
    """(condition 62)"""
    root, path = tmp_path / "docs", tmp_path / "kb.db"
    root.mkdir()
    (root / "scan.pdf").write_bytes(build(shown(BODY), picture()))
    done = call("ingest", root, "--corpus", path)
    assert done.code == 0
    assert "page 2: no text layer" in done.err
    assert "partial 1" in done.out
    again = call("ingest", root, "--corpus", path)
    assert "page 2: no text layer" in again.err, "told every time"
    citation = cited(path, tmp_path)
    assert citation["coverage"] == "partial"
    assert "not all of the document could be read" in citation["label"]
    assert "not all of this document could be read" in call("show", citation["key"], "--corpus", path).out
    state = call("status", "--corpus", path)
    assert "1 document was not completely read: scan.pdf@1 (page " in state.out
    assert json.loads(call("status", "--corpus", path, "--json").out)["incomplete"] == ["scan.pdf@1"]


def test_a_whole_document_beside_it_is_presented_as_complete(corpus, tmp_path):
    assert cited(corpus, tmp_path)["coverage"] == "complete"
    assert "not completely read" not in call("status", "--corpus", corpus).out


def test_files_that_cannot_be_read_are_told_with_their_codes_and_the_rest_is_stored(folder, tmp_path):
    path = tmp_path / "kb.db"
    (folder / "scan.pdf").write_bytes(build(picture()))
    (folder / "fake.pdf").write_bytes(b"no pdf at all")
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    shutil.copy(DATA / "libreoffice-writer-password.pdf", folder / "locked.pdf")
    done = call("ingest", folder, "--corpus", path, "--json")
    told = json.loads(done.out)
    assert done.code == 3
    assert {Path(each["file"]).name: each["code"] for each in told["failed"]} == {
        "scan.pdf": "needs_ocr",
        "fake.pdf": "damaged",
        "locked.pdf": "encrypted",
    }
    assert [Path(each["file"]).name for each in told["skipped"]] == ["photo.png"]
    assert told["documents"] == 2
    opened = json.loads(call("ingest", folder, "--corpus", path, "--password", "openpassword", "--json").out)
    assert (opened["documents"], opened["unchanged"]) == (1, 2)
    with CorpusStore.open(path) as store:
        assert [each.document_id for each in store.operator.documents()] == ["bike", "lease.pdf", "locked.pdf"]


def test_a_file_that_lies_about_its_kind_is_read_as_what_it_is(tmp_path):
    (tmp_path / "lease.txt").write_bytes(build(shown(BODY)))
    path = tmp_path / "kb.db"
    assert call("ingest", tmp_path / "lease.txt", "--corpus", path).code == 0
    assert cited(path, tmp_path)["page"] == 1


def test_words_that_are_not_seen_are_not_found_and_not_quoted(tmp_path):
    (tmp_path / "lease.pdf").write_bytes(build(shown(BODY) + shown("Zebra money is due.", y=680, colour="1 g")))
    path = tmp_path / "kb.db"
    assert call("ingest", tmp_path / "lease.pdf", "--corpus", path).code == 0
    assert call("search", "zebra money", "--corpus", path).code == 1
    assert call("search", "tenant rent", "--corpus", path).code == 0


def test_words_that_are_not_seen_are_marked_wherever_words_are_shown(tmp_path):
    page = '<p>The late fee is 900 euros<span style="color:#fff"> but never over 10</span> for all.</p>'
    (tmp_path / "fee.html").write_text(page)
    corpus = tmp_path / "kb.db"
    assert call("ingest", tmp_path / "fee.html", "--corpus", corpus).code == 0
    found = call("search", "late fee", "--corpus", corpus)
    assert "The late fee is 900 euros […] for all." in found.out
    shown_whole = call("show", "fee.html@1#c0", "--corpus", corpus)
    assert "The late fee is 900 euros [not visible: but never over 10] for all." in shown_whole.out
    told = json.loads(call("search", "late fee", "--corpus", corpus, "--json").out)[0]
    ((start, end),) = told["hidden"]
    assert told["text"][start:end].strip() == "but never over 10"


def test_a_store_takes_a_pdf_as_it_takes_a_text(tmp_path, folder):
    with CorpusStore.in_memory() as store:
        store.add(folder / "lease.pdf", document_id="lease", version="7", title="The lease")
        (hit,) = store.search(QUESTION, limit=1)
        assert (hit.key, hit.passage.title, hit.passage.location.page) == ("lease@7#c1", "The lease", 2)
    with CorpusStore.from_directory(folder) as store:
        assert {each.document_id for each in store.documents()} == {"bike", "lease.pdf"}
    (folder / "scan.pdf").write_bytes(build(picture()))
    with CorpusStore.in_memory() as store:
        added = store.add_directory(folder)
        assert (added.documents, [name for name, _ in added.ignored]) == (2, ["scan.pdf"])
        assert added.ignored[0][1].startswith("needs_ocr")


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_ingest_leaves_whole_documents_and_no_process_behind(tmp_path, stop):
    """(invariant 8)"""
    root, path = tmp_path / "docs", tmp_path / "kb.db"
    root.mkdir()
    for number in range(120):
        (root / f"d{number:03}.pdf").write_bytes(report(4, body=f"Bell number {number} weighs {number} grams."))
    code = (
        "import sys; from verified_gate.cli import storing, main; storing.BATCH_DOCUMENTS = 5; "
        f"sys.argv = ['', 'ingest', {str(root)!r}, '--corpus', {str(path)!r}]; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.15)
        readers = _children(process.pid)
        process.send_signal(stop)
        process.wait(timeout=20)
    deadline = time.monotonic() + 20
    while any(map(_lives, readers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(_lives, readers))
    assert call("status", "--check", "--corpus", path).code == 0
    with CorpusStore.open(path) as store:
        with CorpusStore.in_memory() as other:
            whole = other.add(root / "d000.pdf").passages
        assert whole >= 4 and all(each.passages == whole for each in store.operator.documents())
    done = json.loads(call("ingest", root, "--corpus", path, "--json").out)
    assert done["documents"] + done["unchanged"] == 120


def _children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in listed.read_text().split()] if listed.exists() else []


def _lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_ask_says_that_something_was_found_where_none_of_it_may_be_told(tmp_path):
    root, path = tmp_path / "docs", tmp_path / "kb.db"
    root.mkdir()
    (root / "bills.md").write_text("# R\n\nBills are kept for years, see https://x.example/p for how many.\n")
    assert call("ingest", root, "--corpus", path).code == 0
    done = call("ask", "How long are bills kept?", "--corpus", path)
    assert done.code == 1 and "search shows the passages" in done.err
    other = call("ask", "Who painted the ceiling?", "--corpus", path)
    assert other.code == 1 and "search shows the passages" not in other.err


@pytest.mark.parametrize(("name", "told"), [(None, "docs: holds no document"), ("a.bin", "a.bin: is no document")])
def test_a_folder_without_a_document_is_told_by_what_it_holds(tmp_path, name, told):
    folder, kb = tmp_path / "docs", tmp_path / "kb.db"
    folder.mkdir()
    if name:
        (folder / name).write_bytes(b"\x7fELF" + bytes(99))
    done = call("ingest", folder, "--corpus", kb)
    assert done.code == 3 and told in done.err
    assert not kb.exists()
