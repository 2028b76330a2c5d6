"""Attack family: revoke, change, erase or restrict a source between retrieval and release, or while a stored answer is
verified again; from other threads and other processes. Whatever was committed before the release transaction wins.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests.simulator import AdversarialSynthesizer
from verified_gate import Actor, AnswerEngine, CorpusStore, ReasonCode
from verified_gate.audit.replay import replay
from verified_gate.audit.records import RecordLog
from verified_gate.corpus.protocol import Pin

TEXT = "You can return a bike within 30 days of delivery."
OTHER = "A bike is delivered within five working days."
QUOTE = "return a bike within 30 days"
QUESTION = "How many days to return a bike?"
ACTOR = Actor("acme", {"support"})
LABELS = {"tenant": "acme", "groups": ["support"]}

CHANGES = {
    "revoke": ("store.operator.set_status('returns', '1', 'revoked', tenant='acme')", ReasonCode.UNAVAILABLE),
    "withdraw": ("store.operator.set_status('returns', '1', 'withdrawn', tenant='acme')", ReasonCode.UNAVAILABLE),
    "erase": ("store.operator.erase('returns', None, tenant='acme')", ReasonCode.UNAVAILABLE),
    "remove": ("store.operator.remove('returns', '1', tenant='acme')", ReasonCode.UNAVAILABLE),
    "make private": ("store.operator.set_private('default')", ReasonCode.UNAVAILABLE),
    "supersede": (f"store.add({TEXT!r}, document_id='returns', version='2', **LABELS)", ReasonCode.SUPERSEDED),
    "publish": ("store.operator.publish('returns', 'next', tenant='acme')", ReasonCode.SUPERSEDED),
    "edit": (
        f"store.add({TEXT.replace('30', '60')!r}, document_id='returns', version='1', replace=True, **LABELS)",
        ReasonCode.SOURCE_CHANGED,
    ),
    "limit": (
        f"store.add({TEXT!r}, document_id='returns', version='1', replace=True, purposes='billing', **LABELS)",
        ReasonCode.UNAVAILABLE,
    ),
    "nothing": ("store.operator.documents()", None),
}
IN_A_PROCESS = "import sys; from verified_gate import CorpusStore; LABELS = {labels!r}; store = CorpusStore.open(sys.argv[1]); {change}; store.close()"


def by_thread(path, change):
    """In another thread, over a store of its own; back when it is committed."""
    faults = []

    def work():
        try:
            with CorpusStore.open(path) as store:
                exec(change, {"store": store, "LABELS": LABELS})
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert not faults


def by_process(path, change):
    """In another process; back when it has ended."""
    code = IN_A_PROCESS.format(labels=LABELS, change=change)
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, timeout=60)


def filled(path):
    store = CorpusStore.open(path)
    store.add(TEXT, document_id="returns", version="1", **LABELS)
    store.add(TEXT, document_id="returns", version="next", status="draft", **LABELS)
    store.add(OTHER, document_id="shipping", version="1", tenant="acme", collection="manuals")
    return store


def enemy_of(path=None, how=None, change=None):
    enemy = AdversarialSynthesizer()
    enemy.claim("You have 30 days.", ("acme:returns@1#c0", QUOTE))
    enemy.claim("Delivery takes five working days.", ("acme:shipping@1#c0", "delivered within five working days"))
    if how is not None:
        enemy.meanwhile = lambda: how(path, change)
    return enemy


def assert_outcome(answer, code):
    """The protected claim is withheld with its code, and the independent one stays."""
    cited = [citation.key for citation in answer.citations]
    if code is None:
        assert cited == ["acme:returns@1#c0", "acme:shipping@1#c0"]
        return
    assert cited == ["acme:shipping@1#c0"]
    assert [(claim.position, claim.codes) for claim in answer.withheld] == [(0, (code,))]
    assert "30" not in answer.text + answer.quotes_text


@pytest.mark.code("unavailable")
@pytest.mark.code("superseded")
@pytest.mark.code("source_changed")
@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, by_thread) for name in CHANGES),
        *((name, by_process) for name in ("revoke", "erase", "edit", "publish")),
    ],
)
def test_a_change_committed_after_retrieval_and_before_release_wins(tmp_path, name, how):
    """(conditions 46, 47, 48, 51)"""
    change, code = CHANGES[name]
    path = tmp_path / "kb.db"
    with filled(path) as store:
        engine = AnswerEngine(store, synthesizer=enemy_of(path, how, change))
        assert_outcome(engine.answer(QUESTION, actor=ACTOR), code)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_committed_between_release_and_replay_wins(tmp_path, name):
    """(condition 51) An answer that was released and stored is decided on again."""
    change, code = CHANGES[name]
    path = tmp_path / "kb.db"
    with filled(path) as store, RecordLog.open(tmp_path / "records.db", key=b"k" * 32, plain=True) as log:
        answer = AnswerEngine(store, synthesizer=enemy_of(), records=log).answer(QUESTION, actor=ACTOR)
        assert_outcome(answer, None)
        by_thread(path, change)
        assert_outcome(replay(log.read(answer.record), store, ACTOR).answer, code)


@pytest.mark.parametrize("name", ["revoke", "erase", "edit", "supersede"])
def test_a_change_committed_while_a_stored_answer_is_verified_again_wins(tmp_path, name):
    """(condition 51) The passages were read, and the release transaction has not begun."""
    change, code = CHANGES[name]
    path = tmp_path / "kb.db"

    class Meanwhile:
        """The store, and something that happens after it was read and before it is asked what may leave."""

        def __init__(self, store):
            self._store = store

        def __getattr__(self, what):
            return getattr(self._store, what)

        def disclose(self, pins, actor, **limits):
            by_thread(path, change)
            return self._store.disclose(pins, actor, **limits)

    with filled(path) as store, RecordLog.open(tmp_path / "records.db", plain=True) as log:
        answer = AnswerEngine(store, synthesizer=enemy_of(), records=log).answer(QUESTION, actor=ACTOR)
        assert_outcome(replay(log.read(answer.record), Meanwhile(store), ACTOR).answer, code)


def test_whatever_is_released_was_permitted_when_its_transaction_opened(tmp_path):
    """Threads revoke and restore; others ask. No release that began after a revocation had returned lets it go, and
    none that ended before one began is refused.
    """
    path = tmp_path / "kb.db"
    lock = threading.Lock()  # held over the writer's verb: `revoked` is then what is committed
    state = {"revoked": False, "changes": 0}
    stop = threading.Event()
    faults, seen = [], set()

    def write():
        with CorpusStore.open(path) as store:
            while not stop.is_set():
                revoked = not state["revoked"]
                with lock:
                    store.operator.set_status("returns", "1", "revoked" if revoked else "current", tenant="acme")
                    state["revoked"] = revoked
                    state["changes"] += 1
                time.sleep(0.001)

    def ask(store, pin):
        while not stop.is_set():
            with lock:
                before, changes = state["revoked"], state["changes"]
                decided = store.disclose([pin], ACTOR)
            if decided != [ReasonCode.UNAVAILABLE if before else None]:
                faults.append((before, changes, decided))
            seen.add(before)
            free = store.disclose([pin], ACTOR)  # without the lock: either, and never anything else
            if free not in ([None], [ReasonCode.UNAVAILABLE]):
                faults.append(free)
            hits = store.search("return a bike", ACTOR)
            if {hit.key for hit in hits} - {"acme:returns@1#c0", "acme:shipping@1#c0"}:
                faults.append(hits)

    with filled(path) as store:
        passage = store.passage("acme:returns@1#c0", ACTOR)
        pin = Pin("returns", "1", passage.key, passage.sha256, passage.text_sha256, passage.start)
        threads = [threading.Thread(target=write), *(threading.Thread(target=ask, args=(store, pin)) for _ in range(3))]
        for thread in threads:
            thread.start()
        time.sleep(1.5)
        stop.set()
        for thread in threads:
            thread.join(60)
    assert faults == []
    assert seen == {False, True}


WRITER = """
import sys, time
from verified_gate import CorpusStore
with CorpusStore.open(sys.argv[1]) as store:
    print("ready", flush=True)
    for number in range(100000):
        store.operator.set_status("returns", "1", "revoked", tenant="acme")
        print("revoked", flush=True)
        if not sys.stdin.readline():
            break
        store.operator.set_status("returns", "1", "current", tenant="acme")
        print("current", flush=True)
        if not sys.stdin.readline():
            break
"""


def test_a_revocation_by_another_process_holds_once_it_said_so_and_if_it_is_killed(tmp_path):
    """(condition 51) What the other process told it had committed is what release sees, also after kill -9."""
    path = tmp_path / "kb.db"
    chooser = random.Random(5)
    with filled(path) as store:
        passage = store.passage("acme:returns@1#c0", ACTOR)
        pin = Pin("returns", "1", passage.key, passage.sha256, passage.text_sha256, passage.start)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        ) as child:
            assert child.stdout.readline() == "ready\n"
            for _ in range(chooser.randint(20, 30)):
                told = child.stdout.readline().strip()
                expected = [ReasonCode.UNAVAILABLE if told == "revoked" else None]
                assert store.disclose([pin], ACTOR) == expected
                assert [hit.key for hit in store.search("return 30", ACTOR)] == (
                    [] if told == "revoked" else ["acme:returns@1#c0"]
                )
                child.stdin.write("\n")
            os.kill(child.pid, signal.SIGKILL)
        assert store.operator.status(check=True).faults == ()
