"""Check a receipt with the standard library alone: `python verify_receipt.py RECEIPT TEXT...`

A second reader of the format, which shares no code with the package that writes it: do the words that an answer cites
stand where the receipt says, in the texts you bring? Signatures are left to any DSSE verifier. Exit code 0 says yes.
"""

import base64
import hashlib
import json
import re
import sys
from pathlib import Path

TEXT, COUNT, MAYBE, HEX = (str,), (int,), (str, type(None)), re.compile("[0-9a-f]{64}")
STRETCH, SUBJECT = {"start": COUNT, "end": COUNT}, {"name": TEXT, "digest": {"sha256": HEX}}
SPAN = {**STRETCH, "citation": COUNT, "subject": TEXT, "passage": STRETCH}
CITED = {**STRETCH, "key": TEXT, "quote": TEXT, "offsets": re.compile("document|passage"), "folds": [TEXT]}
CITED |= {"passage_sha256": HEX, "text_sha256": MAYBE, "file_sha256": MAYBE}
ANSWER = {"code": re.compile("ok"), "claims": [{"text": TEXT, "citations": [COUNT]}], "citations": [CITED]}
PREDICATE = {"answer": ANSWER, "spans": [SPAN], "policy": {"profile": TEXT, "folds": [TEXT]}}
STATEMENT = {"predicateType": re.compile("urn:verified-gate:receipt:v1"), "predicate": PREDICATE}
STATEMENT |= {"_type": re.compile("https://in-toto[.]io/Statement/v1"), "subject": [SUBJECT]}
PAYLOAD = {"payloadType": re.compile("application/vnd[.]in-toto[+]json"), "payload": TEXT}


def need(condition, fault="malformed"):
    if not condition:
        raise ValueError(fault)


def require(value, shape, depth=1):
    """`value` has the shape, where one is given, and is JSON that has one canonical spelling."""
    need(depth <= 64 and not isinstance(value, float) and (type(value) is not int or abs(value) < 2**53))
    if isinstance(shape, re.Pattern):
        need(isinstance(value, str) and shape.fullmatch(value))
    elif isinstance(shape, tuple):
        need(type(value) in shape and (type(value) is not int or value >= 0))
    elif shape is not None:
        need(type(value) is type(shape) and (isinstance(value, list) or set(shape) <= set(value)))
    for name, part in value.items() if isinstance(value, dict) else ():
        require(part, (shape or {}).get(name) if name.isascii() else (), depth + 1)
    for part in value if isinstance(value, list) else ():
        require(part, shape[0] if shape else None, depth + 1)


def load(data, shape):
    once = lambda pairs: need(len(dict(pairs)) == len(pairs)) or dict(pairs)  # noqa: E731
    value = json.loads(data.decode("utf-8").lstrip("\ufeff"), strict=False, object_pairs_hook=once)
    json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate has no canonical spelling
    require(value, shape if len(data) <= 3_000_000 else ())
    if "payloadType" not in value or shape == STATEMENT:
        return value if len(data) <= 2_000_000 else need(None)
    require(value, {**PAYLOAD, "signatures": [{"sig": TEXT}]})
    parts = [value["payload"], *(each["sig"] for each in value["signatures"])]
    payload, *signed = [base64.b64decode(p.replace("-", "+").replace("_", "/"), validate=True) for p in parts]
    need(len(signed) <= 16 and {64} == set(map(len, signed)))
    return load(payload, STATEMENT)


def verify(receipt, texts):
    try:
        require(statement := load(receipt, {}), STATEMENT)
        check(statement["subject"], statement["predicate"]["answer"], statement["predicate"], texts)
    except (ValueError, RecursionError) as fault:
        return f"not valid: {fault}"
    return "valid"


def check(subject, answer, predicate, texts):
    subjects, claims = {each["name"]: each["digest"]["sha256"] for each in subject}, answer["claims"]
    need(len(subjects) == len(subject) and claims and all(claim["citations"] for claim in claims))
    brought = {hashlib.sha256(text).hexdigest(): text for text in texts}
    spelled = json.dumps(answer, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")
    need(subjects.get("answer") == hashlib.sha256(spelled).hexdigest(), "answer_mismatch")
    numbers, cites = list(range(1, len(answer["citations"]) + 1)), {n for claim in claims for n in claim["citations"]}
    need(cites == set(numbers) and [s["citation"] for s in predicate["spans"]] == numbers, "inconsistent")
    own, used = subjects.keys() - {"answer"}, {"answer", *(span["subject"] for span in predicate["spans"])}
    folds, files = set(predicate["policy"]["folds"]), {cited["file_sha256"] for cited in answer["citations"]}
    need(all(name in used or digest in files for name, digest in subjects.items()), "inconsistent")
    for span, cited in zip(predicate["spans"], answer["citations"], strict=True):
        need(span["subject"] in own and set(cited["folds"]) <= folds, "inconsistent")
        digest, start, end = subjects[span["subject"]], span["start"], span["end"]
        same, whole = (start, end) == (cited["start"], cited["end"]), cited["offsets"] == "document"
        alike = same or (whole and end - start == cited["end"] - cited["start"])
        of_text, of_passage = digest == cited["text_sha256"], digest == cited["passage_sha256"]
        need((same and whole) if of_text else (of_passage and alike), "inconsistent")
        need(digest in brought, "text_missing")
        text, first, last = brought[digest].decode("utf-8"), span["passage"]["start"], span["passage"]["end"]
        need(start < end <= len(text) and text[start:end] == cited["quote"], "quote_mismatch")
        need(first < min(last, end) and start < last <= len(text), "quote_mismatch")
        need(hashlib.sha256(text[first:last].encode()).hexdigest() == cited["passage_sha256"], "quote_mismatch")


if __name__ == "__main__":
    names = sys.argv[1:] or sys.exit("usage: python verify_receipt.py RECEIPT TEXT...")
    try:
        receipt, *texts = [Path(name).read_bytes() for name in names]
    except OSError as fault:
        sys.exit(f"cannot be read: {fault}")
    sys.exit(print(outcome) if (outcome := verify(receipt, texts)) == "valid" else outcome)
