"""Settings of a model server, from arguments or the environment; `.env.example` lists every variable."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import SplitResult, parse_qsl, urlsplit

from verified_gate.synthesis.protocol import Synthesizer

DEFAULT_DEADLINE = 60.0
"""Seconds for one whole answer."""

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where the model is and how long it may take. The key is kept out of `repr`."""

    base_url: str
    model: str
    api_key: str = field(repr=False)
    deadline: float

    @classmethod
    def read(
        cls,
        *,
        base_url: str | None = None,
        model: str | None = None,
        api_key: str | None = None,
        deadline: float | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> Self:
        """Take each argument, or where it is None the variable of its name.

        Raises `ValueError` that names the argument and the variable, and never holds the key.
        """

        def setting(given: str | None, name: str, meaning: str) -> str:
            variable = f"VERIFIED_GATE_{name.upper()}"
            value = (environ.get(variable, "") if given is None else given).strip()
            if not value:
                raise ValueError(f"{meaning} is missing: pass {name}= or set {variable}")
            return value

        return cls(
            _usable_url(setting(base_url, "base_url", "the URL of the model server")),
            setting(model, "model", "the name of the model"),
            _usable_key(setting(api_key, "api_key", "the key (any word, where the server asks for none)")),
            _seconds(deadline, environ.get("VERIFIED_GATE_DEADLINE", "").strip()),
        )


def synthesizer_from_environment(environ: Mapping[str, str] = os.environ) -> Synthesizer:
    """The model server of the environment where `VERIFIED_GATE_LLM` says so, else the template, which needs none.

    Raises `ValueError` where a setting is missing or makes no sense.
    """
    wish = environ.get("VERIFIED_GATE_LLM", "").strip().lower()
    if wish in _YES:
        from verified_gate.synthesis.openai_compat import OpenAISynthesizer

        settings = ModelSettings.read(environ=environ)
        return OpenAISynthesizer(
            base_url=settings.base_url,
            model=settings.model,
            api_key=settings.api_key,
            deadline=settings.deadline,
        )
    if wish not in _NO:
        raise ValueError("VERIFIED_GATE_LLM must be 1 (ask the model server) or 0 (do not)")
    from verified_gate.synthesis.template import TemplateSynthesizer

    return TemplateSynthesizer()


def _usable_url(value: str) -> str:
    """An http(s) URL; its text is not repeated in the message, since it may hold a password."""
    url = _split(value)
    if url is None or url.scheme not in ("http", "https") or not url.hostname:
        raise ValueError(
            "base_url (VERIFIED_GATE_BASE_URL) must be an http or https address such as http://127.0.0.1:8000/v1"
        )
    if url.username is not None or url.password is not None:
        raise ValueError("base_url (VERIFIED_GATE_BASE_URL) must hold no user or password: the key goes into api_key")
    if url.fragment or {name for name, _ in parse_qsl(url.query, keep_blank_values=True)} - {"api-version"}:
        raise ValueError("base_url (VERIFIED_GATE_BASE_URL) may end in no query but api-version=: it is logged")
    return value


def _split(value: str) -> SplitResult | None:
    if not value.isascii() or not value.isprintable() or " " in value:
        return None
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:  # a port that is none, a bracket left open
        return None
    return None if port == 0 else url


def _usable_key(value: str) -> str:
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("api_key (VERIFIED_GATE_API_KEY) must be one word of ASCII characters")
    return value


def _seconds(given: float | None, variable: str) -> float:
    if given is None and not variable:
        return DEFAULT_DEADLINE
    try:
        seconds = float(variable) if given is None else float(given)
    except ValueError:
        seconds = math.nan
    if not (math.isfinite(seconds) and 0 < seconds <= 24 * 3600):
        raise ValueError("deadline (VERIFIED_GATE_DEADLINE) must be a number of seconds, more than 0 and at most a day")
    return seconds
