# make demo    check the shipped example              make lint    ruff, mypy, import contracts
# make test    install everything, run the tests      make bench   ratios against named peers
# make golden  rewrite the golden files; review the diff
# make fuzz    change good inputs of every parser for MINUTES, until one fails
# make audit   known faults of what is installed; asks the network, fails where it cannot
PYTHON ?= python3
DATA   ?= ../shared/data
MINUTES ?= 3
# The build of torch that [sbert] and [dev] get; docs/install.md says how to have the CPU build.
TORCH  ?= torch==2.13.0

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: demo test lint bench golden fuzz audit docs clean

demo: $(VENV)/.base
	@$(BIN)/groundrules check examples/lease/answer.txt --context examples/lease/lease.txt --exit-zero

# each process that a test starts would compile the package anew without bytecode on disk
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile
	$(BIN)/groundrules test

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.dev
	@mkdir -p build/bench
	$(BIN)/python -m benchmarks --data $(DATA) --out build/bench

golden: $(VENV)/.dev
	GOLDEN=1 $(BIN)/python -m pytest -k golden

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --out build/fuzz

# not part of `make test`: it asks the registry which releases have known faults
audit: $(VENV)/.dev
	@mkdir -p build
	$(PYTHON) -m venv build/audit
	build/audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	$(BIN)/pip freeze --exclude-editable > build/audit/installed.txt
	build/audit/bin/pip-audit --strict --progress-spinner off --disable-pip --no-deps \
	  --requirement build/audit/installed.txt

docs: $(VENV)/.dev
	$(BIN)/python -m groundrules.cli.docs

clean:
	rm -rf $(VENV) build

$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "groundrules needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.base: pyproject.toml $(VENV)/.python
	$(PIP) --no-compile --editable .
	@touch $@

# torch first: what depends on it then takes the build that is there
$(VENV)/.dev: pyproject.toml $(VENV)/.python
	$(PIP) "$(TORCH)"
	$(PIP) --editable '.[dev]'
	@touch $@ $(VENV)/.base
