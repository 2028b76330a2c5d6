"""Every reason code has an adversarial test that shows it, marked `@pytest.mark.code("…")`, with a positive twin."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from verified_gate.model import REASONS, ReasonCode

ADVERSARIAL = Path(__file__).parents[1] / "adversarial"
NOT_A_REFUSAL = {ReasonCode.OK}


def _marks(tree: ast.Module) -> dict[str, list[str]]:
    """Code -> names of the tests marked with it, from decorators of functions and classes and from `pytestmark`."""
    shown = defaultdict(list)

    def visit(node: ast.AST, inherited: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                own = inherited + tuple(code for mark in child.decorator_list for code in _codes(mark))
                if isinstance(child, ast.ClassDef):
                    visit(child, own)
                elif child.name.startswith("test_"):
                    for code in own:
                        shown[code].append(child.name)

    visit(tree, ())
    return shown


def _codes(node: ast.AST) -> list[str]:
    """The codes of each `pytest.mark.code(…)` under `node`, also inside `pytest.param(…, marks=…)`."""
    return [
        argument.value
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "code"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


SHOWN: dict[str, list[str]] = defaultdict(list)
for file in sorted(ADVERSARIAL.rglob("test_*.py")):
    for name, tests in _marks(ast.parse(file.read_text(encoding="utf-8"))).items():
        SHOWN[name] += [f"{file.stem}::{test}" for test in tests]


@pytest.mark.parametrize("code", [code for code in ReasonCode if code not in NOT_A_REFUSAL])
def test_every_reason_code_is_shown_by_an_adversarial_test(code):
    assert SHOWN[str(code)], f"no test in tests/adversarial is marked @pytest.mark.code({str(code)!r})"


def test_no_adversarial_test_names_a_code_that_does_not_exist():
    assert set(SHOWN) <= {str(code) for code in ReasonCode}


def test_every_code_of_the_enumeration_is_in_the_registry_under_its_own_name():
    assert set(REASONS) == set(ReasonCode)
    assert all(reason.code is code for code, reason in REASONS.items())


def test_a_mark_is_found_on_functions_classes_and_parameters():
    tree = ast.parse(
        "@pytest.mark.code('a')\ndef test_one(): ...\n"
        "@pytest.mark.code('b', 'c')\nclass TestTwo:\n    def test_three(self): ...\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.code('d'))])\nasync def test_four(x): ...\n"
        "@pytest.mark.code('e')\ndef helper(): ...\n"
    )
    assert dict(_marks(tree)) == {"a": ["test_one"], "b": ["test_three"], "c": ["test_three"], "d": ["test_four"]}
