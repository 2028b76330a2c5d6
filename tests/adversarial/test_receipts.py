"""Receipts that somebody changed, and an independent reader of the format that agrees on every one.

The second reader is `examples/verify_receipt.py`: standard library only, none of our code.
"""

import ast
import base64
import copy
import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.records import HONEST, claim, corpus, exported, trace_of
from verified_gate.audit.canonical import canonical_json, digest_of_json
from verified_gate.audit.receipt import receipt_of
from verified_gate.audit.receipt_check import verify_receipt
from verified_gate.model import sha256_of_text

EXAMPLE = Path(__file__).parents[2] / "examples" / "verify_receipt.py"
_spec = importlib.util.spec_from_file_location("verify_receipt_example", EXAMPLE)
example = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(example)

TWICE = claim(
    "Both are said.", ("returns@3#c0", "within 30 days of delivery"), ("battery@1#c1", "never travels by air")
)
ANSWERS = (HONEST, HONEST[:1], HONEST[1:], (*HONEST, TWICE), (TWICE,))


def both(receipt, texts):
    """Is it valid? Both readers say the same, and the same of why."""
    ours, theirs = verify_receipt(receipt, texts), example.verify(receipt, texts)
    assert (theirs == "valid") == ours.is_valid, (ours.code, ours.place, theirs)
    return ours


@pytest.fixture(scope="module")
def honest():
    store = corpus()
    texts = exported(store, "returns@3", "battery@1")
    return [receipt_of(trace_of(store, claims).answer) for claims in ANSWERS], texts


def wrapped(payload, **changed):
    envelope = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": "application/vnd.in-toto+json",
        "signatures": [{"keyid": "a", "sig": base64.b64encode(bytes(64)).decode()}],
    }
    return json.dumps(envelope | changed).encode()


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from places(part, (*path, name))


def at(value, path):
    for name in path:
        value = value[name]
    return value


def changed(chooser, value):
    """Another value in the place of this one."""
    if isinstance(value, str) and value and chooser.random() < 0.7:
        index = chooser.randrange(len(value))
        return value[:index] + chooser.choice("x0 é\u200b") + value[index + 1 :]
    if type(value) is int and chooser.random() < 0.7:
        return value + chooser.choice([-1, 1, 7])
    if isinstance(value, list) and value and chooser.random() < 0.7:
        return chooser.choice([value[:-1], value + value[-1:], value[::-1]])
    return chooser.choice([None, True, 0, -1, 1.5, 2**60, "", "x", [], {}, ["x"], {"é": 1}, [1]])


def tampered(chooser, receipt):
    """One change at a random place; sometimes the forger makes the answer's digest fit again."""
    statement = json.loads(receipt)
    before = canonical_json(statement)
    path = chooser.choice([path for path in places(statement) if path])
    parent = at(statement, path[:-1])
    if isinstance(parent, dict) and chooser.random() < 0.15:
        del parent[path[-1]]
    else:
        parent[path[-1]] = changed(chooser, parent[path[-1]])
    if chooser.random() < 0.5:
        try:
            statement["subject"][0]["digest"]["sha256"] = digest_of_json(statement["predicate"]["answer"])
        except (KeyError, IndexError, TypeError, ValueError):
            pass
    written = json.dumps(statement, ensure_ascii=False).encode("utf-8", "surrogatepass")
    try:
        same = canonical_json(statement) == before
    except ValueError:
        same = False
    return written, same


def test_both_readers_agree_on_a_thousand_honest_and_tampered_receipts(honest):
    receipts, texts = honest
    chooser = random.Random(11)
    seen = {"honest": 0, "tampered": 0, "refused": 0}
    for number in range(1_000):
        receipt = chooser.choice(receipts)
        if number % 5 == 0:
            seen["honest"] += 1
            spelled = json.dumps(json.loads(receipt), indent=chooser.choice([None, 1])).encode()
            assert both(chooser.choice([receipt, spelled, wrapped(receipt)]), texts).is_valid
            continue
        damaged, same = tampered(chooser, receipt)
        if same:
            continue
        seen["tampered"] += 1
        verdict = both(chooser.choice([damaged, wrapped(damaged)]), texts)
        seen["refused"] += not verdict.is_valid
    assert seen["honest"] == 200
    assert seen["tampered"] > 700
    assert seen["refused"] > 600


def test_bytes_that_were_flipped_are_never_valid_in_what_is_checked(honest):
    receipts, texts = honest
    chooser = random.Random(12)
    for _ in range(300):
        receipt = bytearray(chooser.choice(receipts))
        index = chooser.randrange(receipt.index(b'"answer":{'), receipt.index(b'"policy":'))
        receipt[index] ^= 1 << chooser.randrange(7)
        assert not both(bytes(receipt), texts).is_valid


@pytest.mark.parametrize("change", ["quote", "start", "claim", "title", "page", "folds", "withheld"])
def test_anything_in_the_answer_that_changed_is_told_by_its_digest(honest, change):
    receipts, texts = honest
    statement = json.loads(receipts[0])
    answer = statement["predicate"]["answer"]
    citation = answer["citations"][0]
    before = copy.deepcopy(answer)
    match change:
        case "quote":
            citation["quote"] = citation["quote"].replace("30", "60")
        case "start":
            citation["start"] += 1
        case "claim":
            answer["claims"][0]["text"] = "You have 60 days to return a bike."
        case "title":
            citation["title"] = "The law"
        case "page":
            citation["page"] = 3
        case "folds":
            citation["folds"] = ["whitespace"]
        case "withheld":
            answer["withheld"] = [{"position": 9, "codes": ["quote_mismatch"]}]
    assert answer != before
    assert both(canonical_json(statement), texts).code == "answer_mismatch"


def forged(receipt, forge):
    """Changed by somebody who makes the digest fit again: only what is checked against the texts stops him."""
    statement = json.loads(receipt)
    forge(statement, statement["predicate"]["answer"], statement["predicate"]["spans"])
    statement["subject"][0]["digest"]["sha256"] = digest_of_json(statement["predicate"]["answer"])
    return canonical_json(statement)


FORGERIES = {
    "an altered quote": ("quote_mismatch", lambda s, a, p: a["citations"][0].update(quote=a["citations"][0]["quote"].replace("30", "60"))),
    "a quote that is cut": ("quote_mismatch", lambda s, a, p: a["citations"][0].update(quote=a["citations"][0]["quote"][:-1])),
    "a moved span": ("inconsistent", lambda s, a, p: p[0].update(start=p[0]["start"] + 1)),
    "a moved place": (
        "quote_mismatch",
        lambda s, a, p: [each.update(start=each["start"] + 1, end=each["end"] + 1) for each in (p[0], a["citations"][0])],
    ),
    "a passage elsewhere": ("quote_mismatch", lambda s, a, p: p[0]["passage"].update(start=1)),
    "a passage that does not hold the quote": (
        "quote_mismatch",
        lambda s, a, p: p[0].update(passage={"start": 0, "end": 1}),
    ),
    "a fold that the profile does not have": ("inconsistent", lambda s, a, p: a["citations"][0].update(folds=["whitespace"])),
    "a citation that no claim cites": ("inconsistent", lambda s, a, p: a["claims"].pop()),
    "a claim that cites what is not there": ("inconsistent", lambda s, a, p: a["claims"][0].update(citations=[1, 9])),
    "a claim that cites nothing": ("malformed", lambda s, a, p: a["claims"][0].update(citations=[])),
    "no claim": ("malformed", lambda s, a, p: a.update(claims=[], citations=[]) or p.clear()),
    "spans in another order": ("inconsistent", lambda s, a, p: p.reverse()),
    "a document that was not cited": (
        "inconsistent",
        lambda s, a, p: s["subject"].append({"name": "other@1 text", "digest": {"sha256": "0" * 64}}),
    ),
    "the answer as its own source": ("inconsistent", lambda s, a, p: p[0].update(subject="answer")),
    "a source that is no subject": ("inconsistent", lambda s, a, p: p[0].update(subject="nothing")),
    "another document's text": ("inconsistent", lambda s, a, p: p[0].update(subject=p[1]["subject"])),
    "a name that stands twice": ("malformed", lambda s, a, p: s["subject"].append(dict(s["subject"][-1]))),
    "another type": ("malformed", lambda s, a, p: s.update(_type="https://in-toto.io/Statement/v0.1")),
    "another predicate": ("malformed", lambda s, a, p: s.update(predicateType="urn:verified-gate:receipt:v2")),
    "an abstention": ("malformed", lambda s, a, p: a.update(code="no_evidence")),
    "a start before the text": ("malformed", lambda s, a, p: p[0].update(start=-1)),
}  # fmt: skip


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forger_without_a_key_cannot_make_words_stand_where_they_do_not(honest, forgery):
    receipts, texts = honest
    code, forge = FORGERIES[forgery]
    assert both(forged(receipts[0], lambda *_: None), texts).is_valid  # the twin
    assert both(forged(receipts[0], forge), texts).code == code


@pytest.mark.parametrize(
    "receipt",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"a":1,"a":2}',
        b"[" * 100_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b'{"payloadType":"application/vnd.in-toto+json"}',
        b'{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[]}',
        b'{"payloadType":"text/plain","payload":"e30=","signatures":[{"sig":"' + b"A" * 86 + b'=="}]}',
        b'{"payloadType":"application/vnd.in-toto+json","payload":"\xc3\xa9","signatures":[{"sig":"AA=="}]}',
        b'{"n":1' + b"0" * 5_000 + b"}",
        b'{"n":NaN}',
        b'{"n":"\\ud800"}',
        b" " * 2_000_001,
    ],
)
def test_what_is_no_receipt_is_malformed_and_raises_nothing(receipt):
    assert both(receipt, [b"text"]).code == "malformed"


def test_a_receipt_inside_an_envelope_inside_an_envelope_is_none(honest):
    receipts, texts = honest
    assert both(wrapped(receipts[0]), texts).is_valid
    assert both(wrapped(wrapped(receipts[0])), texts).code == "malformed"
    assert both(wrapped(receipts[0], signatures=[{"sig": "AAAA"}]), texts).code == "malformed"
    assert both(wrapped(receipts[0], payloadType="application/json"), texts).code == "malformed"


def test_a_text_with_one_changed_character_is_missing(honest):
    receipts, texts = honest
    assert both(receipts[0], texts).is_valid
    for index in range(2):
        other = list(texts)
        other[index] = other[index].replace(b"delivery", b"Delivery", 1)
        assert both(receipts[0], other).code == "text_missing"


def with_passages(receipt, text, count):
    """A sound receipt of `count` citations of one place, each with another passage around it."""
    statement = json.loads(receipt)
    answer = statement["predicate"]["answer"]
    (citation,), (span,) = answer["citations"], statement["predicate"]["spans"]
    ends = [len(text) - number for number in range(count)]
    answer["citations"] = [
        {**citation, "text_sha256": sha256_of_text(text), "passage_sha256": sha256_of_text(text[:end])} for end in ends
    ]
    answer["claims"][0]["citations"] = list(range(1, count + 1))
    statement["predicate"]["spans"] = [
        {**span, "citation": number, "passage": {"start": 0, "end": end}} for number, end in enumerate(ends, 1)
    ]
    statement["subject"][0]["digest"]["sha256"] = digest_of_json(answer)
    statement["subject"][1]["digest"]["sha256"] = sha256_of_text(text)
    return canonical_json(statement)


def test_passages_made_to_be_expensive_are_given_up(honest):
    """Each names another large passage, and the text would be hashed once for each: 64 times is enough."""
    receipts, texts = honest
    text = texts[0].decode() + "x" * 50_000
    assert verify_receipt(with_passages(receipts[1], text, 60), [text.encode()]).is_valid
    assert verify_receipt(with_passages(receipts[1], text, 70), [text.encode()]).code == "malformed"


def test_the_second_reader_is_small_and_stands_on_the_standard_library_alone():
    source = EXAMPLE.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 100
    imported = {
        alias.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for alias in node.names
    }
    imported |= {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_a_file_that_cannot_be_read_ends_the_second_reader_in_a_sentence(tmp_path):
    (tmp_path / "receipt").write_bytes(b"{}")
    for files in (["missing"], ["receipt", "missing"], ["."], ["receipt"], []):
        done = subprocess.run(
            [sys.executable, "-I", EXAMPLE, *files], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
