"""Records of a stream: each claim's record holds its own part, and the last one the whole."""

import pytest

from tests.records import KEY, claim
from verified_gate import AnswerEngine, CorpusStore
from verified_gate.audit import RecordLog
from verified_gate.audit.replay import replay
from verified_gate.audit.report import report
from verified_gate.engine import AnswerDone, ClaimReleased
from verified_gate.model import Proposal
from verified_gate.synthesis.protocol import WholeClaim


class Streaming:
    """Proposes these claims one by one; breaks after `breaks` of them."""

    remote = False

    def __init__(self, claims, breaks=None):
        self.claims, self.breaks = tuple(claims), breaks

    def synthesize(self, request):
        return Proposal("answered", self.claims)

    def stream(self, request):
        for position, each in enumerate(self.claims):
            if position == self.breaks:
                raise OSError("the line is dead")
            yield WholeClaim(position, each, None)
        yield Proposal("answered", self.claims)


def store_of(count):
    store = CorpusStore.in_memory()
    text = " ".join(f"Rule w{number} holds for bikes." for number in range(count))
    store.add(text, document_id="rules", version="1")
    return store


def rules(numbers):
    return [claim("A rule holds.", ("rules@1#c0", f"Rule w{number} holds for bikes.")) for number in numbers]


@pytest.fixture
def log(tmp_path):
    with RecordLog.open(tmp_path / "records.db", plain=True) as log:
        yield log


def streamed(log, store, synthesizer):
    events = list(AnswerEngine(store, synthesizer=synthesizer, records=log).stream("Which rule holds for bikes?"))
    assert isinstance(events[-1], AnswerDone)
    return events[-1].answer, [event for event in events if isinstance(event, ClaimReleased)]


def test_the_record_of_a_claim_holds_what_came_since_the_one_before_and_the_last_the_whole(log):
    made = [*rules([0]), claim("No.", ("rules@1#c0", "words that stand nowhere here")), *rules([2, 3])]
    answer, released = streamed(log, store_of(5), Streaming(made))
    *parts, whole = list(log.records())
    assert [event.claim.position for event in released] == [0, 2, 3]
    assert [[each.position for each in part.payload.claims] for part in parts] == [[0], [2], [3]]
    assert [(part.payload.exchanges[0].first, len(part.payload.exchanges[0].claims)) for part in parts] == [
        (0, 1),
        (1, 2),
        (3, 1),
    ]
    assert [[each.claim for each in part.payload.exchanges[0].verified] for part in parts] == [[0], [2], [3]]
    assert [[each.position for each in part.summary.withheld] for part in parts] == [[], [1], []]
    assert [part.summary.complete for part in parts] == [False] * 3
    assert [part.summary.earlier for part in parts] == [[], [parts[0].id], [parts[1].id]]
    assert all(each.text is None and len(each.sha256) == 64 for part in parts for each in part.payload.delivered)
    assert (whole.id, whole.summary.complete) == (answer.record, True)
    assert whole.summary.earlier == [part.id for part in parts]
    assert [each.position for each in whole.payload.claims] == [0, 2, 3]
    assert len(whole.payload.exchanges[0].claims) == 4
    assert whole.payload.delivered[0].text is not None
    assert log.check().faults == ()
    found = report(log)
    assert (found.records, found.parts, found.judged) == (1, 3, 1)


@pytest.mark.parametrize("keyed", [False, True])
def test_each_part_is_verified_again_for_itself(tmp_path, keyed):
    store = store_of(3)
    with RecordLog.open(tmp_path / "k.db", key=KEY if keyed else None, plain=not keyed) as log:
        answer, _ = streamed(log, store, Streaming(rules([0, 1, 2])))
        *parts, whole = list(log.records())
        for position, part in enumerate(parts):
            again = replay(part, store, None, keeper=log.keeper).answer
            assert [each.position for each in again.claims] == [position]
            assert [each.quote for each in again.citations] == [f"Rule w{position} holds for bikes."]
        assert len(replay(whole, store, None, keeper=log.keeper).answer.claims) == len(answer.claims) == 3


def test_a_stream_that_broke_has_a_last_record_of_the_whole_that_left(log):
    store = store_of(4)
    answer, released = streamed(log, store, Streaming(rules([0, 1, 2, 3]), breaks=2))
    *parts, whole = list(log.records())
    assert (len(released), len(parts)) == (2, 2)
    assert (whole.id, whole.summary.complete) == (answer.record, False)
    assert [each.position for each in whole.payload.claims] == [0, 1]
    assert whole.summary.earlier == [part.id for part in parts]


def test_an_erasure_reaches_every_part(log):
    streamed(log, store_of(3), Streaming(rules([0, 1, 2])))
    assert log.erase(["rules@1"]) == 4
    assert all(record.payload is None for record in log.records())


def test_a_log_grows_with_what_was_claimed_and_not_with_its_square(tmp_path):
    sizes = []
    for count in (10, 40):
        with RecordLog.open(tmp_path / f"{count}.db", plain=True) as log:
            answer, _ = streamed(log, store_of(count), Streaming(rules(range(count))))
            assert len(answer.claims) == count
            with log._file.reading() as connection:
                sizes.append(connection.execute("SELECT sum(length(body)) FROM part").fetchone()[0])
    assert sizes[1] < 5 * sizes[0]
