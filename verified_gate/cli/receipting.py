"""`receipt write`, `receipt verify` and `export`: what somebody else can check of an answer, with nothing of ours.

A receipt, a text, a key and an answer are files that somebody else may have written: each is read within a limit, and
what is wrong with it is told in a sentence.
"""

import base64
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from verified_gate.cli.application import (
    AsJson,
    AsOf,
    Corpus,
    Exit,
    Groups,
    Only,
    Purpose,
    Tenant,
    actor_of,
    command,
    constraints_of,
    receipt_command,
)
from verified_gate.cli.corpora import store_of
from verified_gate.cli.lifecycle import version_of
from verified_gate.cli.logs import MAX_KEY, LogFile, RecordId, RecordKey, bytes_of, log_of
from verified_gate.cli.outputs import Output
from verified_gate.cli.recording import write_json
from verified_gate.cli.showing import ADMISSIONS
from verified_gate.cli.terminal import show, tell
from verified_gate.model.errors import CorpusError, RecordError

if TYPE_CHECKING:
    from verified_gate.corpus.store import CorpusStore
    from verified_gate.model import Actor
    from verified_gate.release import Line
    from verified_gate.retrieval.protocol import Constraints

MAX_TEXT: Final = 1_000_000_000
"""Bytes of an exported text."""

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write here instead of to standard output.", show_default=False),
]


@receipt_command("write")
def receipt_write(
    record: RecordId,
    records: LogFile,
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
    only: Only = None,
    as_of: AsOf = None,
    record_key: RecordKey = None,
    sign: Annotated[
        Path | None,
        typer.Option(
            "--sign", metavar="KEY", help="Sign with this Ed25519 key in PEM (extra [receipts]).", show_default=False
        ),
    ] = None,
    out: Out = None,
) -> Exit:
    """Write the receipt of a stored answer.

    The answer is verified again first, as `replay` does; the receipt is of what this reader may have now.
    Exit code 1: nothing of it is left, and there is no receipt.
    """
    from verified_gate.audit.envelope import sign as signed
    from verified_gate.audit.receipt import receipt_of
    from verified_gate.audit.replay import replay as verify_again

    actor, limits = actor_of(tenant, group), constraints_of(purpose, only, None, as_of)
    key = None if sign is None else bytes_of(sign, MAX_KEY)
    with log_of(records, record_key) as log, store_of(corpus) as store:
        again = verify_again(log.read(record), store, actor, keeper=log.keeper, constraints=limits)
    if not again.answer.is_grounded:
        tell(f"{again.answer.code}: nothing of this answer can be shown now, so it has no receipt")
        return Exit.WITHHELD
    written = receipt_of(again.answer, **again.policy)
    data = (written if key is None else signed(written, key)) + b"\n"
    _write_bytes(data, None if out is None else Output("--out", out, "a receipt", _is_receipt, corpus, [records]))
    return Exit.RELEASED


@receipt_command("verify")
def receipt_verify(
    receipt: Annotated[Path, typer.Argument(metavar="RECEIPT", help="The receipt's file.", show_default=False)],
    text: Annotated[
        list[Path],
        typer.Option(
            "--text", metavar="FILE", help="A cited document's exported text; repeatable.", show_default=False
        ),
    ],
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", metavar="KEY", help="It must be signed by this Ed25519 public key in PEM.", show_default=False
        ),
    ] = None,
    answer: Annotated[
        Path | None,
        typer.Option(
            "--answer",
            metavar="FILE",
            help="It must be the receipt of this answer, as `ask --json` or `replay --json` printed it.",
            show_default=False,
        ),
    ] = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Check a receipt with nothing but it and the cited texts.

    No corpus, no network. Valid: the cited words stand at their places in these texts. Exit code 1: it is not.
    """
    from verified_gate.audit.envelope import MAX_ENVELOPE
    from verified_gate.audit.receipt_check import verify_receipt

    told = None
    if answer is not None:
        told = _json_of(answer)
    verdict = verify_receipt(
        bytes_of(receipt, 2 * MAX_ENVELOPE),
        [bytes_of(path, MAX_TEXT) for path in text],
        public_key=None if key is None else bytes_of(key, MAX_KEY),
        answer=told,
    )
    unused = [str(text[at]) for at in verdict.unused]
    if as_json:
        write_json({"code": verdict.code, "place": verdict.place, "signed": verdict.signed, "unused_texts": unused})
    else:
        show(_verdict_lines(verdict.code, verdict.place, verdict.signed))
    if unused:
        tell(f"not cited, or not the text that was: {', '.join(unused)}")
    return Exit.RELEASED if verdict.is_valid else Exit.WITHHELD


@command
def export(
    document: Annotated[
        str,
        typer.Argument(metavar="VERSION", help="As its keys begin: returns@3, acme:returns@3.", show_default=False),
    ],
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
    out: Out = None,
) -> Exit:
    """Write a version's stored text, byte for byte.

    It is what offsets count in and what receipts are checked against: UTF-8, with the line breaks that are stored. Exit
    code 1: there is no such version, or this reader may not read it.
    """
    from verified_gate.model import sha256_of_text

    actor, limits = actor_of(tenant, group), constraints_of(purpose, None, None, None)
    name = document.partition("#")[0]
    known = version_of(name)
    with store_of(corpus) as store:
        key = _key_of(store, [f"{name}#c0", *([f"{tenant}:{name}#c0"] if tenant else [])], actor, limits)
        passage = store.passage(key, actor, constraints=limits)
        found = store.texts([key], actor, constraints=limits)
        listings = store.documents(actor, constraints=limits) if out is not None and out.exists() else ()
        texts = {each.text_sha256 for each in listings if each.document_id == known.document_id}
    if passage is None or not found or passage.admission == "metadata_only":
        tell("unavailable: there is no such text, or this reader may not read it")
        return Exit.WITHHELD
    if sha256_of_text(found[0].text) != passage.text_sha256:
        raise CorpusError(f"{document}: the stored text does not have its hash; restore it from a copy")

    def is_text_of_it(file: BinaryIO) -> bool:
        """Is this what an earlier call wrote, of this version or another one?"""
        return hashlib.sha256(file.read(MAX_TEXT)).hexdigest() in {passage.text_sha256, *texts}

    kind = "the text of a version of this document"
    target = None if out is None else Output("--out", out, kind, is_text_of_it, corpus)
    _write_bytes(found[0].text.encode("utf-8", "surrogatepass"), target)
    if passage.admission != "full_text":
        tell(ADMISSIONS[passage.admission])
    return Exit.RELEASED


def _key_of(store: "CorpusStore", keys: list[str], actor: "Actor | None", limits: "Constraints") -> str:
    """The first of these that this actor may read: whoever asks as a tenant need not name it again. Else the first."""
    return next((key for key in keys if store.passage(key, actor, constraints=limits) is not None), keys[0])


def _json_of(path: Path) -> dict[str, Any]:
    from verified_gate.audit.envelope import MAX_RECEIPT
    from verified_gate.audit.receipt import ANSWER_MEMBERS
    from verified_gate.model import decode_json

    try:
        value = decode_json(bytes_of(path, 2 * MAX_RECEIPT).decode("utf-8"))
    except UnicodeDecodeError:
        value = None
    if not isinstance(value, dict) or not all(name in value for name in ANSWER_MEMBERS):
        raise RecordError(f"{path}: not the JSON of an answer, as `ask --json` and `replay --json` print it")
    return value


def _write_bytes(data: bytes, out: Output | None) -> None:
    if out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        out.write(data)


_STATEMENT: Final = b'{"_type":"https://in-toto.io/Statement/v1","predicate":{"answer":{"citations":['
"""What a receipt begins with, whose members are in the order of their names."""
_ENVELOPE: Final = b'{"payload": "' + base64.b64encode(_STATEMENT[: len(_STATEMENT) // 3 * 3])


def _is_receipt(file: BinaryIO) -> bool:
    return file.read(len(_STATEMENT) + len(_ENVELOPE)).startswith((_STATEMENT, _ENVELOPE))


_VERDICTS: Final = {
    "valid": "valid: every cited word stands at its place in the texts that were brought",
    "malformed": "malformed: this is no receipt that can be checked",
    "unsigned": "unsigned: a key was given, and nothing is signed",
    "signature_invalid": "signature_invalid: it was not signed by this key, or changed since",
    "answer_mismatch": "answer_mismatch: the answer is not the one that the receipt is of",
    "inconsistent": "inconsistent: its parts do not belong together",
    "text_missing": "text_missing: a cited text was not brought, or is not the one that was cited",
    "quote_mismatch": "quote_mismatch: cited words do not stand where the receipt says",
}


def _verdict_lines(code: str, place: str, signed: bool | None) -> Iterator["Line"]:  # noqa: FBT001
    from verified_gate.release import Line, one_line

    yield Line("released" if code == "valid" else "refused", _VERDICTS[code])
    if place:
        yield Line("pins", f"at {one_line(place)}", indent=2)
    if signed is None:
        yield Line("pins", "no key was given: who issued it was not checked", indent=2)
    elif signed:
        yield Line("pins", "signed by the holder of the key", indent=2)
    elif code == "malformed":
        yield Line("pins", "the key was given, and there is nothing that it could have signed", indent=2)
