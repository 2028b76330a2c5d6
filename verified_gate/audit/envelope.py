"""A receipt in a DSSE envelope, signed with Ed25519: who issued it. The signing is the library's (`cryptography`).

A signature says that the holder of the key issued these bytes, and nothing of when. Key files are PEM, as
`openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write them.
"""

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Final

from verified_gate.model.errors import MissingExtra, RecordError

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
MAX_SIGNATURES: Final = 16
MAX_RECEIPT: Final = 2_000_000
"""Bytes of a receipt; a larger one is neither written nor read."""
MAX_ENVELOPE: Final = 3_000_000
"""Bytes of a receipt in its envelope: base64 takes four for three, and there may be several signatures."""
_SIGNATURE: Final = 64


@dataclass(frozen=True, slots=True)
class Envelope:
    """The payload that was signed, and the signatures on it. Nothing is verified yet."""

    payload: bytes = field(repr=False)
    signatures: tuple[bytes, ...] = field(repr=False)


def pre_authentication_encoding(payload: bytes) -> bytes:
    """What is signed: type and payload with their lengths, so that neither can pass for the other."""
    kind = PAYLOAD_TYPE.encode("ascii")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def sign(payload: bytes, private_pem: bytes) -> bytes:
    """The envelope of a receipt as JSON. Raises `RecordError` for a key that is none and for a receipt of more than
    `MAX_RECEIPT` bytes, `MissingExtra` without the library.
    """
    if len(payload) > MAX_RECEIPT:
        raise RecordError(f"a receipt has at most {MAX_RECEIPT:,} bytes")
    serialization, ed25519 = _library()
    try:
        key = serialization.load_pem_private_key(private_pem, password=None)
    except (ValueError, TypeError, UnicodeError):
        raise RecordError("the key is no private key in PEM, or is kept under a password") from None
    if not isinstance(key, ed25519.Ed25519PrivateKey):
        raise RecordError("the key is none of Ed25519")
    envelope = {
        "payload": base64.b64encode(payload).decode("ascii"),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [
            {
                "keyid": _key_id(key.public_key()),
                "sig": base64.b64encode(key.sign(pre_authentication_encoding(payload))).decode("ascii"),
            }
        ],
    }
    return json.dumps(envelope).encode("ascii")


def parse_envelope(value: dict[str, Any]) -> Envelope | None:
    """The envelope of decoded JSON; None where it is not one of a Statement."""
    payload, signatures = _decoded(value.get("payload")), value.get("signatures")
    if payload is None or value.get("payloadType") != PAYLOAD_TYPE:
        return None
    if not isinstance(signatures, list) or not 0 < len(signatures) <= MAX_SIGNATURES:
        return None
    found = [_decoded(each.get("sig")) if isinstance(each, dict) else None for each in signatures]
    if any(each is None or len(each) != _SIGNATURE for each in found):
        return None
    return Envelope(payload, tuple(each for each in found if each is not None))


def is_signed_by(envelope: Envelope, public_pem: bytes) -> bool:
    """Did the holder of this key sign the payload? Which signature claims to be his does not matter.

    Raises `RecordError` for a key that is none, `MissingExtra` without the library.
    """
    serialization, ed25519 = _library()
    from cryptography.exceptions import InvalidSignature

    try:
        key = serialization.load_pem_public_key(public_pem)
    except (ValueError, TypeError, UnicodeError):
        raise RecordError("the key is no public key in PEM") from None
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise RecordError("the key is none of Ed25519")
    signed = pre_authentication_encoding(envelope.payload)
    for signature in envelope.signatures:
        try:
            key.verify(signature, signed)
        except InvalidSignature:
            continue
        return True
    return False


def _key_id(public: Any) -> str:
    """A hint which key it was: SHA-256 over its SubjectPublicKeyInfo in DER."""
    serialization, _ = _library()
    der = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(der).hexdigest()


def _decoded(text: object) -> bytes | None:
    """Base64, standard or for URLs, as DSSE allows."""
    if not isinstance(text, str) or not text.isascii():
        return None
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return None


def _library() -> Any:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise MissingExtra("signatures need the extra [receipts]: pip install 'verified-gate[receipts]'") from None
    return serialization, ed25519
