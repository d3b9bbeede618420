# Each target is enough by itself on a machine with Python 3.11 or later and make.

PYTHON ?= python3
VENV ?= .venv
TORCH ?= torch==2.13.0
BIN := $(VENV)/bin
SIZE ?= 1000
SEED ?= 0
OUT ?= curriculum/hard-$(SEED)

.PHONY: curriculum test test-fast lint types layers clean

curriculum: $(VENV)/.base ## Build 1,000 hard problems and show three of them
	$(BIN)/synth build --tier hard --size $(SIZE) --seed $(SEED) --out $(OUT)
	$(BIN)/synth show $(OUT) --count 3

test: $(VENV)/.dev ## Run every test that needs no model
	$(BIN)/python -m pytest

test-fast: $(VENV)/.dev ## Run the tests that take under three seconds each
	$(BIN)/python -m pytest -m "not slow"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "execverify needs Python 3.11 or later; call make PYTHON=python3.12, say"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,cards]"
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info
