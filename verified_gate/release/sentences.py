"""What a reader sees where nothing was released: what was not found, and where was looked.

A sentence is chosen by the code alone. It names no document and no count, so a forbidden document and a missing
one read the same; and it never claims that an answer does not exist, only that none was found in what this
reader may read.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from verified_gate.model import ReasonCode

_C = ReasonCode

_ENGLISH: Final = {
    _C.NO_EVIDENCE: "Nothing that answers this was found in what you may read.",
    _C.NOTHING_VERIFIED: "An answer was proposed, but none of it could be verified in what you may read, so none of it is shown.",
    _C.MODEL_ABSTAINED: "Passages on this were found in what you may read, but no answer was found in them.",
    _C.MODEL_REFUSED: "The model declined to answer. This says nothing about what you may read.",
    _C.CONTENT_FILTERED: "A filter of the model service stopped the answer. This says nothing about what you may read.",
    _C.TRUNCATED: "The answer was cut off before its end, so none of it is shown. This says nothing about what you may read.",
    _C.EMPTY_REPLY: "The model sent an empty answer. This says nothing about what you may read.",
    _C.INVALID_JSON: "The answer could not be read, so none of it is shown. This says nothing about what you may read.",
    _C.INVALID_SCHEMA: "The answer did not have the agreed form, so none of it is shown. This says nothing about what you may read.",
    _C.CONTEXT_TOO_LONG: "The passages found in what you may read are too long for the model, so no answer was made from them.",
    _C.RATE_LIMITED: "The model service is busy; please ask again later. This says nothing about what you may read.",
    _C.PROVIDER_UNAVAILABLE: "The model service could not be used. This says nothing about what you may read.",
    _C.DEADLINE_EXCEEDED: "The answer took too long and was given up. This says nothing about what you may read.",
    _C.RETRIEVAL_UNAVAILABLE: "What you may read could not be searched just now, so nothing is known about an answer in it.",
    _C.BUDGET_EXCEEDED: "The answer was larger than is checked, so none of it is shown. This says nothing about what you may read.",
    _C.AUDIT_UNAVAILABLE: "The answer could not be recorded as it must be, so none of it is shown. This says nothing about what you may read.",
}

_GERMAN: Final = {
    _C.NO_EVIDENCE: "In dem, was Sie lesen dürfen, wurde nichts gefunden, das darauf antwortet.",
    _C.NOTHING_VERIFIED: "Eine Antwort wurde vorgeschlagen, aber nichts davon ließ sich in dem belegen, was Sie lesen dürfen; darum wird nichts gezeigt.",
    _C.MODEL_ABSTAINED: "In dem, was Sie lesen dürfen, wurden Stellen dazu gefunden, aber keine Antwort darin.",
    _C.MODEL_REFUSED: "Das Modell hat nicht geantwortet. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.CONTENT_FILTERED: "Ein Filter des Modelldienstes hat die Antwort gestoppt. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.TRUNCATED: "Die Antwort brach vor ihrem Ende ab; darum wird nichts davon gezeigt. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.EMPTY_REPLY: "Das Modell hat eine leere Antwort geschickt. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.INVALID_JSON: "Die Antwort war nicht lesbar; darum wird nichts davon gezeigt. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.INVALID_SCHEMA: "Die Antwort hatte nicht die vereinbarte Form; darum wird nichts davon gezeigt. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.CONTEXT_TOO_LONG: "Die Stellen in dem, was Sie lesen dürfen, sind zu lang für das Modell; darum wurde keine Antwort daraus gebildet.",
    _C.RATE_LIMITED: "Der Modelldienst ist ausgelastet; bitte fragen Sie später noch einmal. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.PROVIDER_UNAVAILABLE: "Der Modelldienst war nicht nutzbar. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.DEADLINE_EXCEEDED: "Die Antwort dauerte zu lange und wurde aufgegeben. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.RETRIEVAL_UNAVAILABLE: "Was Sie lesen dürfen, ließ sich gerade nicht durchsuchen; ob eine Antwort darin steht, ist nicht bekannt.",
    _C.BUDGET_EXCEEDED: "Die Antwort war größer, als geprüft wird; darum wird nichts davon gezeigt. Über das, was Sie lesen dürfen, sagt das nichts.",
    _C.AUDIT_UNAVAILABLE: "Die Antwort konnte nicht so aufgezeichnet werden, wie es sein muss; darum wird nichts davon gezeigt. Über das, was Sie lesen dürfen, sagt das nichts.",
}

SENTENCES: Final[Mapping[str, Mapping[ReasonCode, str]]] = MappingProxyType({"en": _ENGLISH, "de": _GERMAN})
"""Language (ISO 639-1) -> code of an answer -> the sentence."""


def abstention_sentence(code: ReasonCode, lang: str = "en") -> str:
    """The sentence for `code`. `lang` may carry a region (`de-AT`); a language without sentences gets English."""
    sentences = SENTENCES.get(_primary(lang), _ENGLISH)
    return sentences.get(code, sentences[_C.NOTHING_VERIFIED])


def withheld_sentence(count: int, lang: str = "en") -> str:
    """What a reader is told where `count` claims of an answer were withheld."""
    if _primary(lang) == "de":
        return f"{count} Aussage{'' if count == 1 else 'n'} zurückgehalten"
    return f"{count} claim{'' if count == 1 else 's'} withheld"


def interrupted_sentence(lang: str = "en") -> str:
    """What a reader is told where claims were released one by one and the reply then broke."""
    if _primary(lang) == "de":
        return "Die Antwort brach hier ab; was darüber steht, ist belegt, aber nicht das Ganze"
    return "The answer broke off here; what stands above is verified, but not the whole"


def partial_sentence(lang: str = "en") -> str:
    """What a reader is told where one way of searching failed, and another found what the answer is made of."""
    if _primary(lang) == "de":
        return "Es konnte nicht überall gesucht werden; in dem, was Sie lesen dürfen, kann mehr dazu stehen"
    return "Not everything could be searched; there may be more on this in what you may read"


def _primary(lang: str) -> str:
    return lang.replace("_", "-").partition("-")[0].casefold()
