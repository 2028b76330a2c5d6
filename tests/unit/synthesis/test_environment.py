"""Settings from arguments and the environment."""

import re
from pathlib import Path

import pytest

from verified_gate.synthesis import OpenAISynthesizer, TemplateSynthesizer, synthesizer_from_environment
from verified_gate.synthesis.environment import DEFAULT_DEADLINE, NO_KEY, VARIABLES, ModelSettings, is_loopback

ENVIRONMENT = {
    "VERIFIED_GATE_LLM": "1",
    "VERIFIED_GATE_BASE_URL": "http://model.test/v1",
    "VERIFIED_GATE_MODEL": "m",
    "VERIFIED_GATE_API_KEY": "CANARY-key",
}


def test_the_environment_fills_what_is_not_given():
    assert ModelSettings.read(environ=ENVIRONMENT) == ModelSettings(
        "http://model.test/v1", "m", "CANARY-key", DEFAULT_DEADLINE
    )
    given = ModelSettings.read(model="other", deadline=5, environ=ENVIRONMENT | {"VERIFIED_GATE_DEADLINE": "9"})
    assert (given.model, given.deadline) == ("other", 5.0)
    assert ModelSettings.read(environ=ENVIRONMENT | {"VERIFIED_GATE_DEADLINE": "2.5"}).deadline == 2.5
    assert "CANARY" not in repr(given)


@pytest.mark.parametrize(
    ("host", "local"),
    [("localhost", True), ("127.0.0.1", True), ("127.8.9.1", True), ("[::1]", True), ("api.localhost", True),
     ("model.test", False), ("10.0.0.1", False), ("0.0.0.0", False), ("localhost.evil.test", False), ("127.0.0.1.evil.test", False)],
)  # fmt: skip
def test_only_this_machine_is_local_and_needs_no_key(host, local):
    environ = {name: value for name, value in ENVIRONMENT.items() if "KEY" not in name}
    assert is_loopback(host) is local
    if not local:
        with pytest.raises(ValueError, match="VERIFIED_GATE_API_KEY"):
            ModelSettings.read(base_url=f"http://{host}:8000/v1", environ=environ)
    settings = ModelSettings.read(base_url=f"http://{host}:8000/v1", api_key=None if local else "k", environ=environ)
    assert (settings.remote, settings.api_key) == (not local, NO_KEY if local else "k")


@pytest.mark.parametrize(
    ("given", "variable", "remote"),
    [(None, "", True), (None, "0", False), (None, "1", True), (False, "1", False), (True, "0", True)],
)
def test_the_operator_says_whether_passages_leave(given, variable, remote):
    environ = ENVIRONMENT | {"VERIFIED_GATE_REMOTE": variable}
    assert ModelSettings.read(remote=given, environ=environ).remote is remote
    with OpenAISynthesizer(base_url="http://model.test/v1", model="m", api_key="k", remote=remote) as ours:
        assert ours.remote is remote
    assert ModelSettings.read(base_url="http://[::1]/v1", environ=environ).remote is (variable == "1")
    with pytest.raises(ValueError, match="VERIFIED_GATE_REMOTE"):
        ModelSettings.read(environ=ENVIRONMENT | {"VERIFIED_GATE_REMOTE": "perhaps"})


@pytest.mark.parametrize(
    ("model", "remote"),
    [("gpt-oss:120b-cloud", True), ("big:cloud", True), ("x:CLOUD", True), ("x:8b-Cloud", True),
     ("hf.co/x-cloud:latest", True), ("X-CLOUD:latest", True), ("llama3:8b", False), ("cloudy:8b", False)],
)  # fmt: skip
def test_a_model_that_runs_elsewhere_behind_a_server_here_is_remote(model, remote):
    settings = ModelSettings.read(base_url="http://127.0.0.1:11434/v1", model=model, environ={})
    assert settings.remote is remote
    told = ModelSettings.read(base_url="http://127.0.0.1:11434/v1", model=model, remote=False, environ={})
    assert told.remote is False


def test_azure_takes_the_key_under_its_own_name_unless_told_otherwise():
    for url, header in (
        ("https://mine.openai.azure.com/openai/deployments/d?api-version=1", "api-key"),
        ("https://openai.azure.com.evil.test/v1", "authorization"),
    ):
        assert ModelSettings.read(base_url=url, environ=ENVIRONMENT).key_header == header
        told = ModelSettings.read(base_url=url, key_header="Authorization", environ=ENVIRONMENT)
        assert told.key_header == "authorization"
    with pytest.raises(ValueError, match="VERIFIED_GATE_KEY_HEADER"):
        ModelSettings.read(key_header="x-CANARY", environ=ENVIRONMENT)


def test_further_options_are_an_object_without_what_is_ours():
    environ = ENVIRONMENT | {"VERIFIED_GATE_OPTIONS": '{"reasoning_effort": "low"}'}
    assert dict(ModelSettings.read(environ=environ).options) == {"reasoning_effort": "low"}
    assert dict(ModelSettings.read(options={"temperature": 0}, environ=environ).options) == {"temperature": 0}
    for wrong in ("[]", "{", "7", '{"messages": []}', '{"stream": true}', '{"a": ' + "[" * 5_000, "{" + " " * 9_000):
        with pytest.raises(ValueError, match="VERIFIED_GATE_OPTIONS"):
            ModelSettings.read(environ=ENVIRONMENT | {"VERIFIED_GATE_OPTIONS": wrong})


@pytest.mark.parametrize("name", ["base_url", "model", "api_key"])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_setting_is_named_with_its_variable(name, value, monkeypatch):
    variable = f"VERIFIED_GATE_{name.upper()}"
    environ = {key: text for key, text in ENVIRONMENT.items() if key != variable}
    with pytest.raises(ValueError, match=f"pass {name}= or set {variable}"):
        ModelSettings.read(environ=environ, **{name: value})
    for key in ENVIRONMENT:
        monkeypatch.delenv(key, raising=False)
    arguments = {"base_url": "http://model.test/v1", "model": "m", "api_key": "k"} | {name: value}
    with pytest.raises(ValueError, match=variable):
        OpenAISynthesizer(**arguments)


@pytest.mark.parametrize(
    "url",
    ["model.test/v1", "ftp://model.test", "http://", "http:///v1", "http://user:CANARY@model.test/v1", "http://model.test:99999/v1",
     "http://model.test/v1?key=CANARY", "http://model.test/v1#CANARY", "http://mod el.test", "http://[::1/v1", "http://möbel.test/v1", "file:///CANARY"],
)  # fmt: skip
def test_an_unusable_address_is_refused_without_repeating_it(url):
    with pytest.raises(ValueError, match="VERIFIED_GATE_BASE_URL") as caught:
        ModelSettings.read(base_url=url, environ=ENVIRONMENT)
    assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8000/v1", "https://model.test", "http://[::1]:8000/v1/", "https://m.test/d?api-version=1"]
)
def test_a_usable_address_is_kept(url):
    assert ModelSettings.read(base_url=url, environ=ENVIRONMENT).base_url == url


@pytest.mark.parametrize("key", ["CANARY key", "CANARY\nkey", "CANÄRY", "CANARY\x00"])
def test_a_key_that_no_header_can_carry_is_refused_without_repeating_it(key):
    with pytest.raises(ValueError, match="VERIFIED_GATE_API_KEY") as caught:
        ModelSettings.read(api_key=key, environ=ENVIRONMENT)
    assert key not in str(caught.value)
    assert ModelSettings.read(api_key=" key\n", environ=ENVIRONMENT).api_key == "key"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon", "1e9"])
def test_a_deadline_that_is_none_is_refused(seconds):
    with pytest.raises(ValueError, match="VERIFIED_GATE_DEADLINE"):
        ModelSettings.read(environ=ENVIRONMENT | {"VERIFIED_GATE_DEADLINE": seconds})


@pytest.mark.parametrize("wish", ["1", "true", "YES", " on "])
def test_the_environment_asks_for_the_model(wish):
    with synthesizer_from_environment(ENVIRONMENT | {"VERIFIED_GATE_LLM": wish}) as synthesizer:
        assert isinstance(synthesizer, OpenAISynthesizer)
        assert "CANARY" not in repr(synthesizer)


@pytest.mark.parametrize("environ", [{}, {"VERIFIED_GATE_LLM": "0"}, ENVIRONMENT | {"VERIFIED_GATE_LLM": "off"}])
def test_without_a_wish_the_template_answers(environ):
    assert isinstance(synthesizer_from_environment(environ), TemplateSynthesizer)


def test_a_wish_that_is_none_is_refused():
    with pytest.raises(ValueError, match="VERIFIED_GATE_LLM"):
        synthesizer_from_environment(ENVIRONMENT | {"VERIFIED_GATE_LLM": "maybe"})


def test_the_example_lists_every_variable_that_is_read():
    root = Path(__file__).parents[3]
    listed = set(
        re.findall(r"^(VERIFIED_GATE_\w+)=", (root / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    )
    read = set(VARIABLES.values())
    assert listed == read
