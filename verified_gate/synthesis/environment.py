"""Settings of a model server, from arguments or the environment; `.env.example` lists every variable."""

import ipaddress
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Literal, Self
from urllib.parse import SplitResult, parse_qsl, urlsplit

from verified_gate.synthesis.protocol import Synthesizer

DEFAULT_DEADLINE = 60.0
"""Seconds for one whole answer."""

NO_KEY = "none"
"""Sent to a server on this machine where no key was given."""

MAX_OPTIONS = 4_000
"""Characters of the further options as JSON."""

_NAMES = ("llm", "base_url", "model", "api_key", "key_header", "remote", "options", "deadline")
VARIABLES = MappingProxyType({name: f"VERIFIED_GATE_{name.upper()}" for name in _NAMES})
"""Setting -> the variable it is read from."""

_FLAGS = MappingProxyType({"base_url": "--base-url", "model": "--model"})
"""Setting -> its flag on the command line."""

_OURS = frozenset({"model", "messages", "response_format", "stream", "n", "tools", "tool_choice", "functions"})
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where the model is and how long it may take. The key is kept out of `repr`."""

    base_url: str
    model: str
    api_key: str = field(repr=False)
    deadline: float
    key_header: Literal["authorization", "api-key"] = "authorization"
    options: Mapping[str, object] = field(default_factory=dict)
    remote: bool = True

    @classmethod
    def read(
        cls,
        *,
        base_url: str | None = None,
        model: str | None = None,
        api_key: str | None = None,
        deadline: float | None = None,
        key_header: str | None = None,
        options: Mapping[str, object] | None = None,
        remote: bool | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> Self:
        """Take each argument, or where it is None the variable of its name.

        A server on this machine needs no key, and is not remote unless that is said or the model's name says so. Raises `ValueError` that names the argument and the variable, and never holds the key.
        """

        def variable(name: str) -> str:
            return environ.get(VARIABLES[name], "").strip()

        def setting(given: str | None, name: str, meaning: str, otherwise: str = "") -> str:
            value = (variable(name) if given is None else given.strip()) or otherwise
            if not value:
                flag = f" (on the command line: {_FLAGS[name]})" if name in _FLAGS else ""
                raise ValueError(f"{meaning} is missing: pass {name}= or set {VARIABLES[name]}{flag}")
            return value

        url = _usable_url(setting(base_url, "base_url", "the URL of the model server"))
        host = urlsplit(url).hostname or ""
        name = _usable_name(setting(model, "model", "the name of the model"))
        key = setting(
            api_key,
            "api_key",
            "the key (any word, where the server asks for none)",
            NO_KEY if is_loopback(host) and api_key is None else "",
        )
        azure = host.endswith((".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"))
        header = setting(key_header, "key_header", "", "api-key" if azure else "authorization").lower()
        if header not in ("authorization", "api-key"):
            raise ValueError("key_header (VERIFIED_GATE_KEY_HEADER) must be authorization or api-key")
        return cls(
            url,
            name,
            _usable_key(key),
            _seconds(deadline, variable("deadline")),
            "api-key" if header == "api-key" else "authorization",
            _usable_options(options, variable("options")),
            _remote(
                given=remote, variable=variable("remote").lower(), here=is_loopback(host) and not _runs_elsewhere(name)
            ),
        )


def _runs_elsewhere(model: str) -> bool:
    """Does the name say that a server here only passes the passages on (`big:cloud`, `x-Cloud:latest`)?"""
    return any(part.endswith("cloud") for part in model.casefold().split(":"))


def synthesizer_from_environment(environ: Mapping[str, str] = os.environ) -> Synthesizer:
    """The model server of the environment where `VERIFIED_GATE_LLM` says so, else the template, which needs none.

    Raises `ValueError` where a setting is missing or makes no sense.
    """
    wish = environ.get(VARIABLES["llm"], "").strip().lower()
    if wish in _YES:
        from verified_gate.synthesis.openai_compat import OpenAISynthesizer

        settings = ModelSettings.read(environ=environ)
        return OpenAISynthesizer(**{field.name: getattr(settings, field.name) for field in fields(settings)})
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


def _usable_name(value: str) -> str:
    if not value.isprintable():  # a lone surrogate, too, which no request can carry
        raise ValueError("model (VERIFIED_GATE_MODEL) must be a name of printable characters")
    return value


def _usable_key(value: str) -> str:
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError("api_key (VERIFIED_GATE_API_KEY) must be one word of ASCII characters")
    return value


def is_loopback(host: str) -> bool:
    """Does `host` name this machine itself?"""
    host = host.strip("[]").rstrip(".").lower()
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _remote(*, given: bool | None, variable: str, here: bool) -> bool:
    if given is None and variable not in _YES | _NO:
        raise ValueError("VERIFIED_GATE_REMOTE must be 1 (passages leave for elsewhere), 0 (they do not) or unset")
    if given is not None:
        return given is not False
    return variable in _YES if variable else not here


def _usable_options(given: Mapping[str, object] | None, variable: str) -> Mapping[str, object]:
    """Further members of each request, such as `reasoning_effort`; those that this package sends itself are refused."""
    options: object = given
    if given is None:
        try:
            options = json.loads(variable[: MAX_OPTIONS + 1] or "{}")
        except (ValueError, RecursionError):
            options = None
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise ValueError('options (VERIFIED_GATE_OPTIONS) must be one JSON object, such as {"reasoning_effort": "low"}')
    if ours := sorted(_OURS & set(options)):
        raise ValueError(f"options (VERIFIED_GATE_OPTIONS) may not hold {', '.join(ours)}")
    try:
        written = json.dumps(dict(options), allow_nan=False, ensure_ascii=False)
        written.encode()
    except (TypeError, ValueError, RecursionError):
        raise ValueError(
            "options (VERIFIED_GATE_OPTIONS) hold something that JSON cannot: no request could be sent"
        ) from None
    if len(written) > MAX_OPTIONS:
        raise ValueError(f"options (VERIFIED_GATE_OPTIONS) are longer than {MAX_OPTIONS} characters")
    return MappingProxyType(json.loads(written))


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
