"""What a record and a receipt cost an answer, beside a bare write of as many bytes that is flushed to the disk.

    python -m benchmarks.records [--rounds 300] [--citations 10]

An answer of ten claims over ten delivered passages is recorded, with texts as keyed hashes and plain; its receipt is
written, signed and checked. Printed: median and 99th percentile in milliseconds, and for records the ratio to the
bare write in the same folder and run, alternating with it. The floor is 5 ms for the median of each record and receipt.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

from verified_gate.audit.keeping import Keeper, json_bytes, kept_of
from verified_gate.audit.receipt import receipt_of
from verified_gate.audit.receipt_check import verify_receipt
from verified_gate.audit.records import RecordLog
from verified_gate.audit.replay import replay
from verified_gate.audit.trace import Attempt, FoundKey, Trace
from verified_gate.corpus.store import CorpusStore
from verified_gate.gate import Gate
from verified_gate.model import Proposal, ProposedCitation, ProposedClaim
from verified_gate.release import release

FLOOR_MS = 5.0
KEY = bytes(range(32))
SENTENCE = "The buyer of article {0} may return it within {0} days of delivery and pays the return shipping himself."
FILLING = " It is kept in the store of the company until it is sold, given back or lent to somebody else again." * 8


def traced(store, citations):
    question = "How long may an article be returned?"
    keys = [f"doc{number}@1#c0" for number in range(1, citations + 1)]
    evidence = tuple(store.passage(key) for key in keys)
    claims = tuple(
        ProposedClaim(
            f"Article {number} may be returned within {number} days.",
            (ProposedCitation(key, f"may return it within {number} days of delivery"),),
        )
        for number, key in enumerate(keys, 1)
    )
    proposal = Proposal("answered", claims)
    policy = {"profile": "verbatim", "scope": "passage", "occurrences": "first", "wording": "checked"}
    decision = Gate(evidence, **policy).judge(proposal, question=question)
    answer = release(decision, evidence=evidence, store=store, question=question)
    assert len(answer.citations) == citations
    found = tuple(FoundKey(key, rank) for rank, key in enumerate(keys, 1))
    attempt = Attempt(1, proposal, decision, "ok")
    return Trace(question, policy=policy, found=found, delivered=evidence, exchanges=[attempt], answer=answer)


def timed(call):
    began = time.perf_counter()
    result = call()
    return (time.perf_counter() - began) * 1_000, result


def told(name, values, beside=None):
    values = sorted(values)
    median, tail = statistics.median(values), values[min(len(values) - 1, int(len(values) * 0.99))]
    ratio = "" if beside is None else f"   {median / statistics.median(beside):5.1f} x the bare write"
    print(f"{name:<34}{median:8.3f} ms median{tail:9.3f} ms p99{ratio}", flush=True)
    return median


def key_pem():
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    return private, key.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)


def main(_=None, rounds=300, citations=10):
    from verified_gate.audit.envelope import sign

    store = CorpusStore.in_memory()
    for number in range(1, citations + 1):
        store.add(SENTENCE.format(number) + FILLING, document_id=f"doc{number}", version="1", title=f"Article {number}")
    trace = traced(store, citations)
    medians = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("VERIFIED_GATE_BENCH_DIR")) as folder:
        root = pathlib.Path(folder)
        for name, log in (
            ("record, texts as keyed hashes", RecordLog.open(root / "keyed.db", key=KEY)),
            ("record, texts plain", RecordLog.open(root / "plain.db", plain=True)),
        ):
            kept = kept_of(trace, Keeper(KEY, plain="plain" in name))
            bare, written = [], []
            with (root / "bare").open("wb", buffering=0) as file:
                parts = [json_bytes(kept.summary), kept.payload, *(part for part, _ in kept.cited)]
                body = os.urandom(sum(map(len, parts)))

                def write(file=file, body=body):
                    file.write(body)
                    os.fsync(file.fileno())

                for _ in range(rounds):
                    bare.append(timed(write)[0])
                    written.append(timed(lambda log=log: log.write(trace))[0])
            told(f"bare write of {len(body):,} bytes, fsync", bare)
            medians.append(told(name, written, bare))
            with log:
                record = log.read(log.write(trace))
                told(
                    "  replayed from it",
                    [timed(lambda record=record: replay(record, store, None))[0] for _ in range(rounds)],
                )
        private, public = key_pem()
        receipt = receipt_of(trace.answer)
        envelope = sign(receipt, private)
        texts = [whole.text.encode() for key in trace.answer.retrieved for whole in store.texts([key])]
        for name, call in (
            (f"receipt of {len(receipt):,} bytes", lambda: receipt_of(trace.answer)),
            ("receipt, signed", lambda: sign(receipt_of(trace.answer), private)),
            ("receipt, signed, checked", lambda: verify_receipt(envelope, texts, public_key=public)),
        ):
            medians.append(told(name, [timed(call)[0] for _ in range(rounds)]))
        assert verify_receipt(envelope, texts, public_key=public).is_valid
    if max(medians) > FLOOR_MS:
        sys.exit(f"missed: more than {FLOOR_MS:g} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--citations", type=int, default=10)
    main(**vars(parser.parse_args()))
