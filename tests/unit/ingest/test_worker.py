"""Reading in processes that can be killed: whatever a file does, it costs what the limits say, and the next is read."""

import os
import random
import socket
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.pdf_files import BODY, HELVETICA, assemble, build, shown
from verified_gate.ingest import child, process
from verified_gate.ingest.extracted import Anchor, Block, Extracted, Page
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import WireError, decode_extracted, encode_extracted, packed, unpacked
from verified_gate.ingest.worker import Readers, shared_readers

PLAIN = build(shown(BODY))
DATA = Path(__file__).parents[2] / "data" / "messy" / "pdf"


@pytest.fixture
def readers():
    with Readers(workers=2) as made:
        yield made


def reason(readers, data, kind="pdf", **options):
    with pytest.raises(UnreadableFile) as fault:
        readers.read(data, kind, **options)
    return fault.value.reason


def bomb(unpacked_bytes):
    """A PDF whose one stream unpacks to many times its size."""
    packed_stream = zlib.compress(b"0 0 1 1 re f\n" * (unpacked_bytes // 13), 9)
    return assemble(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
            3: HELVETICA,
            5: b"<< >>",
            6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R /Resources << >> >>",
            7: f"<< /Filter /FlateDecode /Length {len(packed_stream)} >>\nstream\n".encode()
            + packed_stream
            + b"\nendstream",
        }
    )


def test_a_process_is_used_again_for_the_next_file(readers):
    assert [readers.read(PLAIN, "pdf").text for _ in range(3)] == [BODY] * 3
    assert len(readers._idle) == 1


def test_many_threads_share_a_few_processes(readers):
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: readers.read(PLAIN, "pdf").text, range(40))) == {BODY}
    assert len(readers._idle) <= 2


def test_a_file_that_takes_too_long_is_stopped_and_the_next_is_read(readers):
    readers.limits = ReadingLimits(seconds=0.01)  # a process needs longer than this to begin
    assert reason(readers, PLAIN) == Unreadable.TIMED_OUT
    readers.limits = ReadingLimits()
    assert readers.read(PLAIN, "pdf").text == BODY


def test_a_bomb_takes_no_more_memory_than_the_limit(readers):
    readers.limits = ReadingLimits(memory_bytes=60_000_000)
    assert reason(readers, bomb(400_000_000)) in {
        Unreadable.OUT_OF_MEMORY,
        Unreadable.CRASHED,  # the library ends itself where it gets no memory
        Unreadable.DAMAGED,
        Unreadable.TOO_LARGE,
        Unreadable.NO_TEXT,
        Unreadable.NEEDS_OCR,
    }
    assert readers.read(PLAIN, "pdf").text == BODY


def page_with(content, *, entries="", stream=b"", **objects):
    """A PDF of one page, beside a further stream `/X` with these entries."""
    from tests.pdf_files import stream_of

    return assemble(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
            3: HELVETICA,
            5: b"<< >>",
            6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R"
            b" /Resources << /Font << /F1 3 0 R >> /XObject << /X 8 0 R >> >> >>",
            7: stream_of(content.encode()),
            8: stream_of(stream, entries),
        }
    )


FORM = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 8 0 R >> >>"
IMAGE = (
    "/Type /XObject /Subtype /Image /Width 25000 /Height 20000 /ColorSpace /DeviceGray /BitsPerComponent 8"
    " /Filter /FlateDecode"
)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(
            page_with(shown(BODY) + "/X Do\n", entries=FORM, stream=b"/X Do\n"), id="a form that draws itself"
        ),
        pytest.param(page_with("q " * 500_000 + shown(BODY)), id="half a million saved states"),
        pytest.param(
            page_with(
                shown(BODY) + "q 600 0 0 600 0 0 cm /X Do Q\n",
                entries=IMAGE,
                stream=zlib.compress(b"\0" * 50_000_000, 9),
            ),
            id="a picture that unpacks to half a gigabyte",
        ),
        pytest.param(build(shown(BODY), outline=[("x", 0)] * 3_000), id="thousands of bookmarks"),
    ],
)
def test_a_page_that_was_made_to_hurt_gives_its_words(readers, data):
    read = readers.read(data, "pdf")
    assert BODY in read.text


def test_files_with_flipped_cut_and_doubled_bytes_give_text_or_a_code_and_kill_nothing(readers):
    chooser = random.Random(11)
    files = [path.read_bytes() for path in sorted(DATA.glob("*.pdf"))]
    codes = set()
    for _ in range(150):
        data = bytearray(chooser.choice(files))
        for _ in range(chooser.choice((1, 5, 40))):
            at = chooser.randrange(len(data))
            change = chooser.random()
            if change < 0.6:
                data[at] = chooser.randrange(256)
            elif change < 0.8:
                del data[at : at + chooser.randrange(1, 99)]
            else:
                data[at:at] = data[: chooser.randrange(1, 99)]
        try:
            codes.add(readers.read(bytes(data), "pdf").coverage)
        except UnreadableFile as fault:
            codes.add(fault.reason)
    assert codes <= {
        "complete", "partial", Unreadable.DAMAGED, Unreadable.ENCRYPTED, Unreadable.NEEDS_OCR, Unreadable.NO_TEXT,
    }  # fmt: skip
    assert {"complete", Unreadable.DAMAGED} <= codes


def test_a_process_that_grows_beyond_the_limit_is_stopped(readers, monkeypatch):
    monkeypatch.setattr(process, "_resident", lambda _: 10**12)
    readers.limits = ReadingLimits(memory_bytes=10**9)
    assert reason(readers, bomb(100_000_000)) == Unreadable.OUT_OF_MEMORY


def test_a_process_that_somebody_ended_is_no_fault_of_the_next_file(readers):
    readers.read(PLAIN, "pdf")
    os.kill(readers._idle[0]._process.pid, 9)
    readers._idle[0]._process.wait()
    assert readers.read(PLAIN, "pdf").text == BODY


def test_a_process_that_dies_while_it_reads_is_told(readers):
    readers.read(PLAIN, "pdf")
    pid = readers._idle[0]._process.pid
    killer = threading.Timer(0.05, os.kill, (pid, 9))
    killer.start()
    codes = set()
    for _ in range(2_000):
        try:
            readers.read(PLAIN, "pdf")
        except UnreadableFile as fault:
            codes.add(fault.reason)
        if readers._idle and readers._idle[0]._process.pid != pid:
            break
    killer.join()
    assert codes <= {Unreadable.CRASHED}
    assert readers.read(PLAIN, "pdf").text == BODY


def test_a_file_over_the_limit_is_not_even_sent(readers):
    readers.limits = ReadingLimits(file_bytes=100)
    assert reason(readers, PLAIN) == Unreadable.TOO_LARGE
    assert readers._idle == []


def test_a_password_goes_with_the_file(readers):
    assert reason(readers, b"%PDF-1.7 nothing", password="x") == Unreadable.DAMAGED


def test_closed_readers_read_nothing():
    readers = Readers()
    readers.close()
    with pytest.raises(ValueError, match="closed"):
        readers.read(PLAIN, "pdf")


BUSY = """
import sys, json
sys.path[:] = json.loads(sys.argv[1])
from verified_gate.ingest import child
def task(message):
    def run(data, limits):
        import hashlib, time
        {work}
    return run
child._TASKS["read"] = task
child.main(int(sys.argv[2]))
"""
PARENT = """
import os, subprocess, sys, threading
from verified_gate.ingest import process, worker
from verified_gate.ingest.limits import ReadingLimits
process._START = sys.argv[1]
readers = worker.Readers(ReadingLimits(seconds=100_000))
thread = threading.Thread(target=readers.read, args=(b"", "pdf"), daemon=True)
thread.start()
while not readers._busy:
    pass
(one,) = readers._busy
print(one._process.pid, flush=True)
if sys.argv[2] == "forked" and not os.fork():
    print(os.getpid(), flush=True)  # it keeps the pipe open
    threading.Event().wait()
threading.Event().wait()
"""


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("forked", ["", "forked"])
@pytest.mark.parametrize(
    "work", ["while True: pass", "hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)", "time.sleep(1e6)"]
)
def test_a_process_that_reads_on_and_on_ends_with_its_parent_and_not_before(work, forked):
    code = BUSY.replace("{work}", work)
    with subprocess.Popen([sys.executable, "-c", PARENT, code, forked], stdout=subprocess.PIPE, text=True) as parent:
        pids = [int(parent.stdout.readline()) for _ in range(2 if forked else 1)]
        try:
            time.sleep(4 * child._LOOK_SECONDS)
            assert lives(pids[0]), "as long as its parent lives"
            parent.kill()
            parent.wait()
            deadline = time.monotonic() + 60
            while lives(pids[0]) and time.monotonic() < deadline:
                time.sleep(0.05)
            assert not lives(pids[0])
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, 9)


def test_a_process_whose_parent_died_before_it_began_ends_at_once():
    start = [sys.executable, "-c", "from verified_gate.ingest.child import main; main(1 << 30)"]
    with subprocess.Popen(start, stdin=subprocess.PIPE) as orphan:
        assert orphan.wait(timeout=60) == 1
    start[-1] = "import os; from verified_gate.ingest.child import main; main(os.getppid())"
    with subprocess.Popen(start, stdin=subprocess.PIPE) as served:
        served.stdin.close()
        assert served.wait(timeout=60) == 0, "it served until its input ended"


def test_a_kind_without_its_package_names_the_extra(monkeypatch):
    from verified_gate.ingest import formats
    from verified_gate.model.errors import MissingExtra

    def fail(name):
        raise ImportError(name="some_library")

    monkeypatch.setattr(formats, "import_module", fail)
    with pytest.raises(MissingExtra, match=r"verified-gate\[documents\]"):
        formats.reader_of("pdf")


def test_the_readers_of_a_process_are_the_same_ones():
    assert shared_readers() is shared_readers()


# ------------------------------------------------------------------------------------------- what it may not reach


def test_the_reading_process_can_reach_no_network_and_start_no_process():
    code = (
        "import sys, socket, subprocess, urllib.request\n"
        "from verified_gate.ingest import child\n"
        "sys.addaudithook(child._refuse)\n"
        "tries = (lambda: socket.create_connection(('127.0.0.1', 9)), lambda: socket.getaddrinfo('localhost', 80),\n"
        "         lambda: urllib.request.urlopen('http://127.0.0.1:9'), lambda: subprocess.run(['true']),\n"
        "         lambda: __import__('os').system('true'), lambda: __import__('os').fork())\n"
        "for attempt in tries:\n"
        "    try: attempt()\n"
        "    except child.Forbidden: print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["refused"] * 6


def test_the_reading_process_knows_no_secret_of_the_environment(readers, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret-key")
    readers.read(PLAIN, "pdf")
    environment = Path(f"/proc/{readers._idle[0]._process.pid}/environ").read_bytes()
    assert b"a-secret-key" not in environment
    assert b"PATH=" in environment


def test_a_reader_that_wants_to_reach_out_is_a_coded_reason(monkeypatch):
    def reach(message):
        def task(data, limits):
            raise child.Forbidden("socket.connect")

        return task

    monkeypatch.setitem(child._TASKS, "read", reach)
    message, _ = child._answer({"task": "read", "limits": {}}, b"")
    assert message["unreadable"] == Unreadable.EXTERNAL_REFERENCE


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (MemoryError(), Unreadable.OUT_OF_MEMORY),
        (RecursionError(), Unreadable.TOO_DEEP),
        (ValueError("words of the document"), Unreadable.DAMAGED),
        (UnreadableFile(Unreadable.BOMB, "too much"), Unreadable.BOMB),
    ],
)
def test_whatever_a_reader_raises_is_a_coded_reason_without_the_files_words(monkeypatch, fault, code):
    def raising(message):
        def task(data, limits):
            raise fault

        return task

    monkeypatch.setitem(child._TASKS, "read", raising)
    message, _ = child._answer({"task": "read", "limits": {}}, b"")
    assert message["unreadable"] == code
    assert "words of the document" not in str(message)


def test_reading_works_where_sockets_are_disabled(readers):
    with pytest.raises(Exception, match="socket"):
        socket.socket(socket.AF_INET)
    assert readers.read(PLAIN, "pdf").text == BODY


# ------------------------------------------------------------------------------------------------------------ the wire

WHOLE = Extracted(
    text="Head\nwords \U0001f600 here",
    reader="r 1",
    blocks=(Block("heading", 0, 4, 1), Block("row", 5, 10, row=2, columns=("A", "B"))),
    pages=(Page(1, 0, 4, "i", "partial", ("picture",)), Page(2, 5, 16)),
    anchors=(Anchor(5, "id", "part"),),
    furniture=((0, 4),),
    hidden=((5, 10),),
    title="T",
    lang="en",
    lost=("1 attachment",),
)


def _bytes(data):
    place = [0]

    def take(count):
        start, place[0] = place[0], place[0] + count
        return data[start : start + count]

    return take


def test_what_was_read_comes_back_as_it_was():
    told, text = encode_extracted(WHOLE)
    message, data = unpacked(_bytes(b"".join(packed({"done": told}, text))), 10_000)
    assert decode_extracted(message["done"], data, ReadingLimits()) == WHOLE


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reader", 5),
        ("title", None),
        ("blocks", [({}, 0, 4, 1, None, [], [], [])]),
        ("blocks", [("heading", 0, 4, 1, None, [], [])]),
        ("blocks", [("heading", 0, 4, 1, None, [], [], [], 1)]),
        ("blocks", [("heading", 0, 4, -1, None, [], [], [])]),
        ("blocks", [("row", 0, 4, 0, True, [], [], [])]),
        ("blocks", [("row", 0, 4, 0, 1, None, [], [])]),
        ("blocks", [("row", 0, 4, 0, 1, [], [5], [])]),
        ("blocks", [("row", 0, 4, 0, 1, [], [], [[0, -1]])]),
        ("blocks", [("row", 0, 4, 0, 1, [], [], [[9, 0]])]),
        ("blocks", [("row", 0, 4, 0, 1, [], [], [[2, 0], [1, 1]])]),
        ("blocks", [("poem", 0, 4, 1, None, [], [], [])]),
        ("blocks", [("heading", 0, 99, 1, None, [], [], [])]),
        ("blocks", [("heading", 3, 2, 1, None, [], [], [])]),
        ("blocks", [("row", 0, 4, 0, 0, [], [], [])]),
        ("blocks", [("heading", 0, 4, 1, None, [], [], []), ("heading", 2, 6, 1, None, [], [], [])]),
        ("blocks", [("heading", True, 4, 1, None, [], [], [])]),
        ("blocks", [("row", 0, 4, 0, 2**53, [], [], [])]),
        ("blocks", [("row", 0, 4, 0, 1, ["\ud800"], [], [])]),
        ("blocks", [("row", 0, 4, 0, 1, [], ["\ud800"], [])]),
        ("blocks", [("row", 0, 4, 0, 1, [], [], [[1, 2**53]])]),
        ("pages", [(1, 0, 4, "\ud800", "complete", [])]),
        ("pages", [(2**53, 0, 4, "", "complete", [])]),
        ("anchors", [(0, "\ud800", "")]),
        ("title", "\ud800"),
        ("reader", "\udfff"),
        ("lost", ["\ud800"]),
        ("pages", [(0, 0, 4, "", "complete", [])]),
        ("pages", [(1, 0, 4, "", "all of it", [])]),
        ("pages", [(1, 0, 4, "", "complete", [1])]),
        ("anchors", [(99, "", "")]),
        ("furniture", [(0, 99)]),
        ("hidden", [(-1, 2)]),
        ("hidden", [("0", 2)]),
        ("hidden", [(0, 1, 2)]),
        ("lost", [["x"]]),
    ],
)
def test_a_process_that_was_taken_over_cannot_send_what_is_no_document(name, value):
    told, text = encode_extracted(WHOLE)
    decode_extracted(told, text, ReadingLimits())
    parts = [*zip(*value, strict=True)] if isinstance(value, list) and name != "lost" else value
    with pytest.raises(WireError):
        decode_extracted({**told, name: parts}, text, ReadingLimits())


@pytest.mark.parametrize("parts", [7, [[0], [4], []], [[0, 4], [4]], {"a": 1}, "ab"])
def test_nor_parts_that_do_not_go_together(parts):
    told, text = encode_extracted(WHOLE)
    with pytest.raises(WireError):
        decode_extracted({**told, "furniture": parts}, text, ReadingLimits())


@pytest.mark.parametrize("text", [b"\xff" * 20, b"\xed\xa0\x80" * 20, b""])
def test_nor_a_text_that_is_none_or_too_short_for_what_stands_in_it(text):
    with pytest.raises(WireError):
        decode_extracted(encode_extracted(WHOLE)[0], text, ReadingLimits())


@pytest.mark.parametrize("limits", [ReadingLimits(characters=5), ReadingLimits(blocks=1)])
def test_nor_more_than_the_limits_allow(limits):
    with pytest.raises(WireError):
        decode_extracted(*encode_extracted(WHOLE), limits)


def test_a_message_is_bounded_and_whole():
    message = b"".join(packed({"a": 1}, b"xyz"))
    with pytest.raises(WireError):
        unpacked(_bytes(message), 5)
    for size in range(len(message)):
        with pytest.raises(EOFError):
            unpacked(_bytes(message[:size]), 1000)
    with pytest.raises(WireError):
        unpacked(_bytes(b"".join(packed({})).replace(b"{}", b"[]")), 1000)


def test_readers_of_no_process_are_none():
    for workers in (0, -1):
        with pytest.raises(ValueError, match="workers"):
            Readers(workers=workers)
    with Readers(workers=1) as readers:
        assert readers.read(PLAIN, "pdf").text
