"""Answers with their traces for the tests of records and receipts: a small corpus, an engine's stages one by one."""

from verified_gate.audit.trace import Attempt, FoundKey, Trace
from verified_gate.corpus.store import CorpusStore
from verified_gate.gate import Gate
from verified_gate.model import Proposal, ProposedCitation, ProposedClaim
from verified_gate.release import release

KEY = b"0123456789abcdef0123456789abcdef"
RETURNS = "You can return a bike within 30 days of delivery.\n\nThe buyer pays the return shipping of 25 euros."
BATTERY = "A battery is covered for two years from delivery.\n\nA battery never travels by air."
SECRET = "Staff may return a bike within 90 days of delivery, marked Quokka."


def corpus():
    """Two public documents, and one of tenant acme's support group."""
    store = CorpusStore.in_memory()
    store.add(RETURNS, document_id="returns", version="3", title="Returns policy")
    store.add(BATTERY, document_id="battery", version="1", title="Batteries")
    store.add(SECRET, document_id="staff", version="1", title="Staff", tenant="acme", groups=["support"])
    return store


def claim(text, *citations):
    """A proposed claim; citations are (key, quote)."""
    return ProposedClaim(text, tuple(ProposedCitation(key, quote) for key, quote in citations))


HONEST = (
    claim("You have 30 days to return a bike.", ("returns@3#c0", "return a bike within 30 days of delivery")),
    claim("A battery is covered for two years.", ("battery@1#c0", "covered for two years from delivery")),
)


def trace_of(store, claims=HONEST, *, question="How long?", actor=None, keys=None, profile="verbatim", **policy):
    """The trace of an answer to `question` of these claims over these passages (those of all documents by default)."""
    if keys is None:
        keys = [passage.key for passage in store.passages(actor)]
    evidence = tuple(store.passage(key, actor) for key in keys)
    proposal = Proposal("answered", tuple(claims))
    told = {"profile": profile, "scope": "passage", "occurrences": "first", "wording": "checked", **policy}
    decision = Gate(evidence, documents=store.texts(keys, actor), **told).judge(proposal, question=question)
    answer = release(
        decision, evidence=evidence, store=store, actor=actor, question=question, wording=told["wording"], lang="en"
    )
    return Trace(
        question,
        actor,
        "en",
        policy={**told, "limit": 8},
        eligible=len(evidence),
        channels={"lexical": "ok"},
        found=tuple(FoundKey(key, rank) for rank, key in enumerate(keys, 1)),
        delivered=evidence,
        exchanges=[Attempt(1, proposal, decision, str(decision.code))],
        answer=answer,
    )


def exported(store, *names, actor=None):
    """The bytes of documents as `verified-gate export` writes them; `names` as `returns@3`."""
    return [whole.text.encode() for name in names for whole in store.texts([f"{name}#c0"], actor)]
