"""Settings from arguments and the environment."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from verified_gate.synthesis import OpenAISynthesizer, TemplateSynthesizer, synthesizer_from_environment
from verified_gate.synthesis.connection import _trusted_authorities
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


def test_the_example_can_be_loaded_by_a_shell_with_each_line_it_shows(tmp_path):
    example = (Path(__file__).parents[3] / ".env.example").read_text(encoding="utf-8")
    shown = re.findall(r"^# (VERIFIED_GATE_\w+=.+)$", example, re.MULTILINE)
    assert len(shown) >= 2
    for line in shown:
        file = tmp_path / "env"
        file.write_text(example + line + "\n", encoding="utf-8")
        code = 'set -a; . "$0"; set +a; exec env -0'
        run = subprocess.run(["sh", "-e", "-c", code, str(file)], capture_output=True, text=True, check=True, env={})
        environ = dict(pair.split("=", 1) for pair in run.stdout.split("\0") if "=" in pair)
        assert run.stderr == ""
        settings = ModelSettings.read(model="m", environ=environ)
        assert dict(settings.options) == json.loads(line.partition("=")[2].strip("'"))


def test_the_header_of_the_key_is_known_by_the_hosts_that_the_example_names():
    example = (Path(__file__).parents[3] / ".env.example").read_text(encoding="utf-8")
    for ending in re.findall(r"\*(\.[a-z.]+)", example):
        assert ModelSettings.read(base_url=f"https://x{ending}/v1", model="m", api_key="k").key_header == "api-key"
    for host in ("x.azure.com", "models.ai.azure.com", "openai.azure.com.test"):
        assert ModelSettings.read(base_url=f"https://{host}/v1", model="m", api_key="k").key_header == "authorization"


@pytest.mark.parametrize(
    "options",
    [{"x": object()}, {"x": float("nan")}, {"x": {1, 2}}, {"x": "\ud800"}, {"x": b"y"}, {"x": "y" * 5_000}],
    ids=["object", "nan", "set", "surrogate", "bytes", "long"],
)
def test_options_that_no_request_can_carry_are_refused_when_the_synthesizer_is_made(options):
    with pytest.raises(ValueError, match="VERIFIED_GATE_OPTIONS"):
        ModelSettings.read(options=options, environ=ENVIRONMENT)
    honest = {"x": [1, 2.5, None, {"y": "é"}]}
    settings = ModelSettings.read(options=honest, environ=ENVIRONMENT)
    assert dict(settings.options) == honest
    honest["x"].clear()
    assert len(settings.options["x"]) == 4


@pytest.mark.parametrize("name", ["m\ud800", "m\nn", "m\0"])
def test_a_name_that_no_request_can_carry_is_refused(name):
    with pytest.raises(ValueError, match="VERIFIED_GATE_MODEL"):
        ModelSettings.read(model=name, environ=ENVIRONMENT)
    assert ModelSettings.read(model="qwen3:8b Modèle", environ=ENVIRONMENT).model == "qwen3:8b Modèle"


def test_what_is_missing_is_named_with_its_argument_its_flag_and_its_variable():
    for name, flag in (("base_url", "--base-url"), ("model", "--model")):
        environ = {key: value for key, value in ENVIRONMENT.items() if key != VARIABLES[name]}
        with pytest.raises(ValueError, match=flag) as told:
            ModelSettings.read(environ=environ)
        assert f"{name}=" in str(told.value)
        assert VARIABLES[name] in str(told.value)


@pytest.mark.parametrize(
    ("environ", "named"),
    [
        ({"ALL_PROXY": "socks5://user:CANARY@127.0.0.1:1"}, "SOCKS"),
        ({"HTTPS_PROXY": "ftp://user:CANARY@127.0.0.1:1"}, "HTTPS_PROXY"),
        ({"SSL_CERT_FILE": "/nonexistent"}, "SSL_CERT_FILE"),
        ({"SSL_CERT_FILE": "/dev/null"}, "SSL_CERT_FILE"),
    ],
    ids=str,
)
def test_an_environment_with_which_no_connection_can_be_made_is_told_by_its_variable(environ, named, monkeypatch):
    _trusted_authorities.cache_clear()
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    given = {"model": "m", "api_key": "k"}
    with pytest.raises(ValueError, match=named) as told:
        OpenAISynthesizer(base_url="https://model.test/v1", **given)
    assert "CANARY" not in str(told.value)
    OpenAISynthesizer(base_url="http://127.0.0.1:1/v1", **given).close()
    for name in environ:
        monkeypatch.delenv(name)
    OpenAISynthesizer(base_url="https://model.test/v1", **given).close()
