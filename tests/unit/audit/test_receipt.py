"""What a receipt holds, and that a stock verifier reads it."""

import base64
import hashlib
import json
import runpy
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

from tests.records import RETURNS, corpus, exported, trace_of
from verified_gate import AnswerEngine, Gate, Passage
from verified_gate.audit.canonical import canonical_json, digest_of_json
from verified_gate.audit.envelope import MAX_ENVELOPE, MAX_RECEIPT, sign
from verified_gate.audit.receipt import ANSWER_MEMBERS, CITATION_MEMBERS, answer_members, receipt_of
from verified_gate.audit.receipt_check import verify_receipt
from verified_gate.model import sha256_of_text
from verified_gate.model.errors import MissingExtra, RecordError
from verified_gate.model.folds import Profile
from verified_gate.release import release

EXAMPLE = Path(__file__).parents[3] / "examples" / "verify_receipt.py"


def keys(made=None):
    private = made or ed25519.Ed25519PrivateKey.generate()
    return (
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
        private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
    )


@pytest.fixture
def store():
    return corpus()


@pytest.fixture
def answer(store):
    return trace_of(store).answer


@pytest.fixture
def texts(store):
    return exported(store, "returns@3", "battery@1")


def test_a_receipt_is_an_in_toto_statement_about_the_answer_and_what_it_cites(answer, texts):
    statement = json.loads(receipt_of(answer))
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "urn:verified-gate:receipt:v1"
    digests = {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]}
    assert list(digests) == ["answer", "returns@3 text", "returns@3 file", "battery@1 text", "battery@1 file"]
    assert digests["returns@3 text"] == hashlib.sha256(texts[0]).hexdigest()
    assert digests["answer"] == digest_of_json(answer_members(answer.to_dict()))
    assert statement["predicate"]["policy"] == {
        "profile": "verbatim",
        "folds": [],
        "scope": "passage",
        "occurrences": "first",
        "wording": "checked",
    }


def test_a_receipt_names_no_document_that_was_not_cited(store):
    """Delivered and refused keys, and details for the operator, are not in it."""
    answer = trace_of(store).answer
    assert "battery@1#c1" in answer.retrieved
    assert b"battery@1#c1" not in receipt_of(answer)
    assert "retrieved" not in ANSWER_MEMBERS
    assert "sentence" not in CITATION_MEMBERS


def test_the_same_answer_has_the_same_receipt_byte_for_byte(store):
    assert receipt_of(trace_of(store).answer) == receipt_of(trace_of(store).answer)


def test_an_honest_receipt_is_valid_bare_and_signed(answer, texts):
    private, public = keys()
    receipt = receipt_of(answer)
    assert verify_receipt(receipt, texts).code == "valid"
    assert verify_receipt(receipt, texts).signed is None
    signed = verify_receipt(sign(receipt, private), texts, public_key=public)
    assert (signed.code, signed.signed) == ("valid", True)
    assert verify_receipt(receipt, texts, public_key=public).code == "unsigned"
    assert verify_receipt(sign(receipt, private), texts, public_key=keys()[1]).code == "signature_invalid"
    assert verify_receipt(sign(receipt, private), texts, answer=answer.to_dict()).code == "valid"


def test_a_stock_verifier_accepts_the_envelope_and_refuses_a_changed_one(answer):
    private, public = keys()
    envelope = json.loads(sign(receipt_of(answer), private))
    key = SSlibKey.from_crypto(serialization.load_pem_public_key(public), keyid=envelope["signatures"][0]["keyid"])
    verified = Envelope.from_dict(json.loads(json.dumps(envelope)))
    assert list(verified.verify([key], 1)) == [key.keyid]
    assert verified.payload == receipt_of(answer)
    envelope["payload"] = base64.b64encode(receipt_of(answer).replace(b"30 days", b"60 days")).decode()
    with pytest.raises(VerificationError):
        Envelope.from_dict(envelope).verify([key], 1)


def test_a_signature_made_by_a_stock_signer_is_accepted(answer, texts):
    private = ed25519.Ed25519PrivateKey.generate()
    payload = receipt_of(answer)
    envelope = Envelope(payload, "application/vnd.in-toto+json", {})
    signature = base64.b64encode(private.sign(envelope.pae())).decode()
    told = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": "application/vnd.in-toto+json",
        "signatures": [{"sig": signature}],
    }
    assert verify_receipt(json.dumps(told).encode(), texts, public_key=keys(private)[1]).code == "valid"


def test_keys_that_are_none_are_told(answer, texts):
    receipt = receipt_of(answer)
    other = rsa.generate_private_key(65537, 2048)
    for pem in (b"", b"no key", keys(other)[0]):
        with pytest.raises(RecordError):
            sign(receipt, pem)
    for pem in (b"", b"no key", keys(other)[1]):
        with pytest.raises(RecordError):
            verify_receipt(sign(receipt, keys()[0]), texts, public_key=pem)


def test_texts_in_any_order_and_one_that_belongs_to_nothing_is_told(answer, texts):
    verdict = verify_receipt(receipt_of(answer), [b"another text", *reversed(texts)])
    assert (verdict.code, verdict.unused) == ("valid", (0,))
    assert verify_receipt(receipt_of(answer), texts[:1]).code == "text_missing"


def test_the_receipt_of_another_answer_is_told(store, answer, texts):
    other = trace_of(store, question="How long, really?", claims=[]).answer
    assert verify_receipt(receipt_of(answer), texts, answer=other.to_dict()).code == "answer_mismatch"
    assert verify_receipt(receipt_of(answer), texts, answer={"claims": 1}).code == "answer_mismatch"


def test_an_abstention_has_no_receipt(store):
    with pytest.raises(ValueError, match="released claim"):
        receipt_of(trace_of(store, claims=[]).answer)


def released(evidence, key, quote, **gate):
    made = Gate(evidence, **gate)
    decision = made.judge({"claims": [{"text": "So it is said.", "citations": [{"key": key, "quote": quote}]}]})
    assert decision.code == "ok", decision
    return release(decision, evidence=[made.passage(name) for name in made.keys])


def test_evidence_of_the_caller_rests_on_its_passage_and_says_so():
    answer = released({"mine": RETURNS}, "mine", "within 30 days of delivery")
    receipt = receipt_of(answer)
    (citation,) = json.loads(receipt)["predicate"]["answer"]["citations"]
    assert (citation["origin"], citation["offsets"]) == ("caller", "passage")
    assert verify_receipt(receipt, [RETURNS.encode()]).code == "valid"
    assert verify_receipt(receipt, [RETURNS.replace("30", "60").encode()]).code == "text_missing"


def test_a_place_that_only_the_caller_knows_is_not_vouched_for():
    """The document's hash that came with a passage was never checked: the passage's text is the subject."""
    passage = Passage("mine#c4", RETURNS, "mine", start=1200, text_sha256="ab" * 32)
    answer = released([passage], "mine#c4", "within 30 days of delivery")
    receipt = receipt_of(answer)
    assert [subject["name"] for subject in json.loads(receipt)["subject"]] == ["answer", "mine#c4 passage"]
    assert verify_receipt(receipt, [RETURNS.encode()]).code == "valid"


def test_two_texts_under_one_name_are_two_subjects():
    one, two = Passage("a#1", RETURNS), Passage("a#2", RETURNS + " So it is.")
    made = Gate([one, two])
    quote = "within 30 days of delivery"
    decision = made.judge(
        {"claims": [{"text": "So.", "citations": [{"key": "a#1", "quote": quote}, {"key": "a#2", "quote": quote}]}]}
    )
    receipt = receipt_of(release(decision, evidence=[one, two]))
    assert verify_receipt(receipt, [one.text.encode(), two.text.encode()]).code == "valid"


def test_canonical_json_is_that_of_rfc_8785():
    value = {"b": [1, True, None, 'é\n\u2028"\\/\x1f\x7f'], "a": {"z": 0, "A": -1}}
    assert canonical_json(value) == (
        b'{"a":{"A":-1,"z":0},"b":[1,true,null,"' + 'é\\n\u2028\\"\\\\/\\u001f\x7f'.encode() + b'"]}'
    )
    for bad in (1.5, {"é": 1}, 2**53, [float("nan")], "\ud800"):
        with pytest.raises(ValueError):
            canonical_json(bad)


def test_the_engine_answers_can_be_receipted():
    store = corpus()
    answer = AnswerEngine(store).answer("How long can I return a bike?")
    receipt = receipt_of(answer)
    names = {citation.key.partition("#")[0] for citation in answer.citations}
    assert verify_receipt(receipt, exported(store, *names)).code == "valid"


def test_what_no_receipt_can_be_written_of_is_told(monkeypatch, answer):
    with pytest.raises(TypeError):
        receipt_of("an answer")
    one, two = Passage("a#1", "It is so said here.", "a", start=0), Passage("a#2", " And so on it goes.", "a", start=19)
    beyond = released([one, two], "a#1", "so said here. And so on", scope="document", profile="typographic")
    with pytest.raises(RecordError, match="beyond its passage"):
        receipt_of(beyond)
    strange = released([Passage("b", "It is so said here.", title="\ud800")], "b", "so said here")
    with pytest.raises(RecordError, match="surrogate"):
        receipt_of(strange)
    monkeypatch.setattr("verified_gate.audit.receipt.MAX_RECEIPT", 100)
    with pytest.raises(RecordError, match="100 bytes"):
        receipt_of(answer)


def test_a_document_that_was_brought_whole_is_the_subject():
    """The caller gave its text, and the gate saw it: the hash is one that was computed here."""
    whole = "It is so said here. And so on it goes."
    passage = Passage("a#1", whole[:19], "a", start=0, text_sha256=sha256_of_text(whole))
    answer = released([passage], "a#1", "so said here. And so on", scope="document", documents=[whole])
    receipt = receipt_of(answer, scope="document")
    assert [subject["name"] for subject in json.loads(receipt)["subject"]] == ["answer", "a text"]
    assert verify_receipt(receipt, [whole.encode()]).is_valid
    assert verify_receipt(receipt, [whole[:19].encode()]).code == "text_missing"


def test_without_the_library_a_signature_names_the_extra(answer, texts, monkeypatch):
    private, public = keys()
    envelope = sign(receipt_of(answer), private)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    for call in (lambda: sign(b"{}", private), lambda: verify_receipt(envelope, texts, public_key=public)):
        with pytest.raises(MissingExtra, match="receipts"):
            call()
    assert verify_receipt(envelope, texts).code == "valid"


def test_a_text_that_is_not_utf_8_is_not_the_one_that_was_cited():
    damaged = RETURNS.encode() + b"\xff"
    answer = released({"mine": RETURNS}, "mine", "within 30 days of delivery")
    statement = json.loads(receipt_of(answer))
    digest = hashlib.sha256(damaged).hexdigest()
    citation = statement["predicate"]["answer"]["citations"][0]
    citation["passage_sha256"] = digest
    statement["subject"][1]["digest"]["sha256"] = digest
    statement["subject"][0]["digest"]["sha256"] = digest_of_json(statement["predicate"]["answer"])
    assert verify_receipt(canonical_json(statement), [damaged]).code == "text_missing"


FOLDED = Passage("a#1", "The fee is 5 % of\nthe price, payable now.", "d")


def test_a_receipt_names_the_profile_that_its_folds_are_of_or_is_not_written():
    answer = released([FOLDED], "a#1", "The fee is 5 % of the price", profile="typographic")
    text = [FOLDED.text.encode()]
    assert answer.citations[0].folds
    for narrower in ({}, {"profile": "verbatim"}, {"profile": Profile.of()}):
        with pytest.raises(ValueError, match="profile"):
            receipt_of(answer, **narrower)
    for profile in ("typographic", "extracted", "editorial", Profile.of(*answer.citations[0].folds)):
        assert verify_receipt(receipt_of(answer, profile=profile), text).is_valid


def large(size):
    """An answer whose receipt has about `size` bytes, and its text."""
    text = "x" * size
    passage = Passage("a#1", text, "d")
    decision = Gate([passage]).judge({"claims": [{"text": "Said.", "citations": [{"key": "a#1", "quote": text}]}]})
    return release(decision, evidence=[passage]), text.encode()


def padded(size):
    """A receipt of exactly `size` bytes, with a member that readers do not know."""
    answer, text = large(1_000)
    statement = json.loads(receipt_of(answer))
    statement["padding"] = ""
    statement["padding"] = "x" * (size - len(canonical_json(statement)))
    return canonical_json(statement), [text]


def test_what_can_be_written_and_signed_is_read_by_both_readers_up_to_the_last_byte():
    secret, public = keys()
    example = runpy.run_path(str(EXAMPLE))["verify"]
    for size, valid in ((MAX_RECEIPT, True), (MAX_RECEIPT - 400_000, True), (MAX_RECEIPT + 1, False)):
        receipt, texts = padded(size)
        assert len(receipt) == size
        assert verify_receipt(receipt, texts).is_valid is valid
        assert (example(receipt, texts) == "valid") is valid
        if valid:
            envelope = sign(receipt, secret)
            assert verify_receipt(envelope, texts, public_key=public).is_valid
            assert example(envelope, texts) == "valid"
        else:
            with pytest.raises(RecordError):
                sign(receipt, secret)
            wrapped = {"payload": base64.b64encode(receipt).decode(), "payloadType": "application/vnd.in-toto+json"}
            wrapped["signatures"] = [{"sig": base64.b64encode(bytes(64)).decode()}]
            envelope = json.dumps(wrapped).encode()
            assert verify_receipt(envelope, texts).code == "malformed"
            assert example(envelope, texts) != "valid"


def test_an_envelope_of_any_size_but_a_reasonable_one_is_malformed():
    secret, _ = keys()
    receipt, texts = padded(10_000)
    example = runpy.run_path(str(EXAMPLE))["verify"]
    for size, valid in ((MAX_ENVELOPE, True), (MAX_ENVELOPE + 1, False)):
        envelope = sign(receipt, secret).ljust(size)
        assert verify_receipt(envelope, texts).is_valid is valid
        assert (example(envelope, texts) == "valid") is valid


def test_a_key_that_could_not_be_asked_shows_nothing_to_be_signed(answer, texts):
    _, public = keys()
    assert verify_receipt(b"{", texts, public_key=public).signed is False
    assert verify_receipt(b"{", texts).signed is None
    assert verify_receipt(receipt_of(answer), texts, public_key=public).signed is False
