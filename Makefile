# make demo      check the shipped example              make lint    ruff, mypy, import contracts
# make test      install everything, run the tests      make bench   ratios against named peers
# make golden    rewrite the golden files; review the diff
# make docs      rewrite what is made from rules, ontologies and the code
# make site      the documentation as HTML, in build/site; a dead link fails it
# make coverage  the tests again, with the share of lines and branches that they run
# make fuzz      change good inputs of every parser for MINUTES, until one fails
# make audit     known faults of what is installed; asks the network, fails where it cannot
# make bench-test  the tests of benchmarks and training, a tenth of the lock, a real engine
# make lock      rewrite requirements.lock; asks the network
# make lock-diff  the statements whose verdicts this change moves, old beside new
PYTHON ?= python3
DATA   ?= ../shared/data
MINUTES ?= 3
# The build of torch that [sbert] and [dev] get; docs/how-to/install.md says how to have the CPU build.
TORCH  ?= torch==2.13.0

VENV := .venv
BIN  := $(VENV)/bin
# the clients of LangChain and LlamaIndex ask for an older openai than ours: programs of theirs, which
# the tests start, have an environment of their own
CLIENTS := build/clients
# one worker more than cores: tests wait for processes and servers; nproc heeds a limit of threads
WORKERS := $(shell n=$$(env -u OMP_NUM_THREADS nproc 2>/dev/null || echo 2); echo $$((n < 4 ? n + 1 : 4)))
PIP  := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: demo test lint bench bench-test golden docs site coverage fuzz audit lock lock-diff clean

demo: $(VENV)/.base
	@$(BIN)/groundrules check examples/lease/answer.txt --context examples/lease/lease.txt --exit-zero
	@printf '\nNow with your own: %s\n' '$(BIN)/groundrules check TEXT --context SOURCE'

# each process that a test starts would compile the package anew without bytecode on disk
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev $(CLIENTS)/.made
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.budget

bench: $(VENV)/.bench
	@mkdir -p build/bench
	$(BIN)/python -m benchmarks --data $(DATA) --out build/bench

bench-test: export PYTHONDONTWRITEBYTECODE =
bench-test: $(VENV)/.bench
	$(BIN)/python -m pytest benchmarks/tests training/tests --numprocesses $(WORKERS) \
	  --dist loadfile

golden: $(VENV)/.dev
	GOLDEN=1 $(BIN)/python -m pytest $$(grep -rlw golden tests --include='test_*.py')

# slower by half than `make test`, and so not part of it
coverage: $(VENV)/.dev
	@mkdir -p build
	COVERAGE_FILE=build/.coverage $(BIN)/python -m pytest --cov --cov-report term \
	  --numprocesses $(WORKERS) --dist loadfile

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

# what [dev] and [docs] install, on every system and Python, each file by its hash
lock:
	@mkdir -p build
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet --disable-pip-version-check uv==0.13.8
	echo "$(TORCH)" > build/lock/torch.txt
	build/lock/bin/uv pip compile pyproject.toml benchmarks/requirements.txt --quiet --extra dev --extra docs --universal \
	  --python-version 3.11 --constraint build/lock/torch.txt --generate-hashes --no-annotate \
	  --no-emit-index-url --custom-compile-command "make lock" --output-file requirements.lock
	echo 'setuptools>=77' > build/lock/build.txt
	build/lock/bin/uv pip compile pyproject.toml build/lock/build.txt --quiet --extra serve --extra llm \
	  --extra mcp --universal --python-version 3.12 --constraint requirements.lock --generate-hashes \
	  --no-annotate --no-emit-index-url --custom-compile-command "make lock" \
	  --output-file deploy/requirements.lock

# fails where a verdict moved that benchmarks/lock/verdicts does not record
lock-diff: $(VENV)/.bench
	$(BIN)/python -m benchmarks.lock --data $(DATA) --table

docs: $(VENV)/.dev
	$(BIN)/python -m tools.docs

site: $(VENV)/.docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/site

clean:
	rm -rf $(VENV) build

$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11, 5) and "groundrules needs Python 3.11.5 or later")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.base: pyproject.toml $(VENV)/.python
	$(PIP) --no-compile --editable .
	@touch $@

# torch first: what depends on it then takes the build that is there; nothing is compiled before it
# is imported, which a tenth of the files are
$(VENV)/.dev: pyproject.toml $(VENV)/.python
	$(PIP) --no-compile "$(TORCH)"
	$(PIP) --no-compile --editable '.[dev]'
	@touch $@ $(VENV)/.base

$(VENV)/.bench: benchmarks/requirements.txt $(VENV)/.dev
	$(PIP) --no-compile --requirement $<
	@touch $@

$(CLIENTS)/.made: Makefile
	$(PYTHON) -m venv $(CLIENTS)
	$(CLIENTS)/bin/pip install --quiet --disable-pip-version-check --no-compile \
	  langchain-openai==1.7.4 llama-index-llms-openai==0.8.3
	@touch $@

$(VENV)/.docs: pyproject.toml $(VENV)/.base
	$(PIP) --editable '.[docs]'
	@touch $@
