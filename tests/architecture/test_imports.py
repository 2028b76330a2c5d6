"""The house's rules: what imports what, how large, what is public, and that it is written down."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import verified_gate

PACKAGE = Path(verified_gate.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
FOLDERS = sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))
PURE = ("gate", "model", "text")
HEAVY = ("numpy", "openai", "pydantic", "rapidfuzz", "rich", "sqlite3", "tenacity", "typer", "yaml", "httpx", "asyncio")

PUBLIC = [
    "Access",
    "Actor",
    "Answer",
    "AnswerEngine",
    "Constraints",
    "CorpusStore",
    "Decision",
    "Diagnosis",
    "Gate",
    "Location",
    "Passage",
    "Profile",
    "Proposal",
    "ReasonCode",
    "RecordLog",
    "Refusal",
    "ReleasedCitation",
    "ReleasedClaim",
    "Resolution",
    "VerifiedCitation",
    "VerifiedClaim",
    "VerifiedGateError",
    "explain",
]
GATE_LINES = 1_000
FILE_LINES = 420


def _tree(path):
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def _imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def _name(path):
    return str(path.relative_to(PACKAGE.parent))


@pytest.mark.parametrize(
    "statement",
    [
        "from verified_gate import Gate",
        "from verified_gate import Gate, Passage, VerifiedCitation, Refusal, Profile, ReasonCode",
        "import verified_gate; verified_gate.__all__; dir(verified_gate)",
        "from verified_gate import Gate; Gate({'a': 'one two three'}, profile='editorial').judge('{}')",
    ],
)
def test_importing_the_gate_pulls_in_nothing_heavy(statement):
    script = (
        f"{statement}\nimport sys\nprint(sorted({{name.partition('.')[0] for name in sys.modules}} & set({HEAVY!r})))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name in PURE], ids=_name)
def test_the_trusted_core_imports_the_standard_library_and_what_it_stands_on(path):
    allowed = {"gate": ("gate", "model", "text"), "model": ("model", "text"), "text": ("text",)}[path.parent.name]
    for name in _imports(_tree(path)):
        top, _, rest = name.partition(".")
        if top == "verified_gate":
            assert rest.partition(".")[0] in allowed, f"{_name(path)} imports {name}"
        else:
            assert top in sys.stdlib_module_names, f"{_name(path)} imports {name}"


IMPURE = {"os", "io", "pathlib", "time", "datetime", "logging", "random", "socket", "subprocess", "threading", "tempfile", "shutil", "sys", "secrets", "uuid", "ctypes", "importlib", "pickle", "warnings"}  # fmt: skip


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name in PURE], ids=_name)
def test_the_trusted_core_is_pure(path):
    """No I/O, clock, settings, logging or chance."""
    tree = _tree(path)
    assert not {name.partition(".")[0] for name in _imports(tree)} & IMPURE
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input", "eval", "exec", "compile", "__import__"}


def test_the_gate_stays_within_its_lines():
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in (PACKAGE / "gate").glob("*.py")}
    assert sum(lines.values()) <= GATE_LINES, lines


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_can_be_read_in_one_sitting(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= FILE_LINES, f"{_name(path)} has {lines} lines: divide it by what it does"


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_says_what_it_is_for(path):
    docstring = ast.get_docstring(_tree(path))
    assert docstring, f"{_name(path)} has no docstring"
    assert docstring.splitlines()[0].rstrip().endswith((".", ":", ",", ";")) or "\n" in docstring


def test_no_file_is_a_drawer_for_anything():
    assert not [
        path
        for path in FILES
        if {"utils", "util", "helpers", "helper", "manager", "common", "misc"} & set(path.stem.split("_"))
    ]


def test_the_public_names_are_these():
    assert verified_gate.__all__ == PUBLIC
    for name in PUBLIC:
        assert getattr(verified_gate, name).__name__ == name
    assert set(dir(verified_gate)) == {*PUBLIC, "__version__"}
    with pytest.raises(AttributeError):
        verified_gate.anything_else  # noqa: B018


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_the_one_of_its_module(name):
    value = getattr(verified_gate, name)
    assert value.__module__.startswith("verified_gate.")
    assert value.__doc__
    assert getattr(verified_gate, name) is value


@pytest.mark.parametrize(
    "folder", [folder for folder in FOLDERS if folder.name in ("gate", "model", "release", "text")], ids=_name
)
def test_every_public_part_has_a_docstring(folder):
    missing = []
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                missing += [f"{path.name}:{node.name}"] if not ast.get_docstring(node) else []
                missing += [
                    f"{path.name}:{node.name}.{part.name}"
                    for part in node.body
                    if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
                    and not part.name.startswith("_")
                    and not ast.get_docstring(part)
                ]
        missing += [
            f"{path.name}:{node.name}"
            for node in _tree(path).body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and not node.name.startswith("_")
            and not ast.get_docstring(node)
        ]
    assert missing == []


@pytest.mark.parametrize("folder", FOLDERS, ids=_name)
def test_every_folder_says_what_comes_in_goes_out_may_fail_and_what_it_may_not_import(folder):
    docstring = " ".join((ast.get_docstring(_tree(folder / "__init__.py")) or "").split()).lower()
    for said in ("comes in:", "goes out:", "fail|fault|raise", "import"):
        assert re.search(said, docstring), f"{folder.name}/__init__.py does not say {said!r}"


def test_only_the_gate_and_release_can_name_a_seal():
    for path in FILES:
        names = {node.id for node in ast.walk(_tree(path)) if isinstance(node, ast.Name)}
        named = {
            alias.name for node in ast.walk(_tree(path)) if isinstance(node, ast.ImportFrom) for alias in node.names
        }
        assert not {"_SEAL", "_Seal"} & named, _name(path)
        if {"_SEAL", "_Seal"} & names:
            assert _name(path) in ("verified_gate/gate/verdict.py", "verified_gate/release/disclosure.py")
        if {"seal_citation", "seal_claim"} & (names | named):
            assert path.parent.name == "gate", _name(path)


def test_nothing_but_the_gate_takes_part_in_its_judgement():
    """No module writes into the gate's or the model's objects behind their back."""
    for path in FILES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__setattr__":
                assert isinstance(node.func.value, ast.Name), _name(path)
                assert node.func.value.id == "object", _name(path)
                assert isinstance(node.args[0], ast.Name), _name(path)
                assert node.args[0].id == "self", _name(path)
