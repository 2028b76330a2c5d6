# The same words here and in CI. Each target builds what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
DATA ?= ../shared/data

.PHONY: demo test lint format docs bench clean

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

.venv/bench-ready: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@

demo: .venv/ready
	$(BIN)/python -m verified_gate.demo

test: .venv/ready
	$(BIN)/python -m pytest -n 2

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/ready
	$(BIN)/python -m tests.docs
	$(BIN)/python -m tests.readings

bench: .venv/bench-ready
	$(BIN)/python -m benchmarks $(DATA)

clean:
	rm -rf .venv
