# Every task of the project; plain `make` lists them. Needs Python 3.11 or newer and, for the tests,
# the programs of tests/packages.txt.

# The interpreter the virtual environment is made from: the first of these that is new enough.
PYTHON ?= $(shell for name in python3 python3.11 python3.12 python3.13 python3.14; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$name" && break; done)

VENV := .venv
BIN := $(VENV)/bin
# Tests at a time: most of them wait for real programs rather than use a processor.
WORKERS ?= 4
# Extra arguments for the tests or the benchmarks: make test ARGS="-k drift"
ARGS ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-semantic check bench bench-judge bench-semantic campaign clean

help: ## List these tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.demo ## Play a whole session on a private daemon: no display, no network
	@$(BIN)/python -m antidrift_cli demo

test: $(VENV)/.dev ## Run all tests; ARGS="-k drift" narrows them
	@tests/packages.sh
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-semantic: $(VENV)/.semantic ## Test the judge with the sentence model, which it installs
	$(BIN)/python -m pytest tests/semantic $(ARGS)

check: $(VENV)/.dev ## Check style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(VENV)/.bench ## Measure speed and memory
	$(BIN)/python -m tests.bench $(ARGS)

bench-judge: $(VENV)/.dev ## Measure the built-in judge, cross-validated, beside simpler ones
	$(BIN)/python -m tests.judge $(ARGS)

bench-semantic: $(VENV)/.semantic ## The same with the sentence model; ARGS=train makes its weights
	$(BIN)/python -m tests.judge.semantic $(ARGS)

campaign: $(VENV)/.dev ## Try the real AI programs, from npm: what CI can't run
	$(BIN)/python -m pytest tests/campaign $(ARGS)

clean: ## Remove everything the other tasks made
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# Editable, so that the one environment always runs the code of this checkout and only a change of
# pyproject.toml calls for installing again.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,check]'
	@touch $(VENV)/.demo $@

# The peers that the daemon is measured beside.
$(VENV)/.bench: pyproject.toml $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

$(VENV)/.semantic: pyproject.toml | $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,check,semantic]'
	@touch $@

# Debian and Ubuntu keep what venv needs in a package of its own.
$(BIN)/python:
	@python="$(PYTHON)"; test -n "$$python" || \
		{ echo "no Python 3.11 or newer found: install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }; \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$$python does not run or is older than Python 3.11" >&2; exit 1; }; \
	"$$python" -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$$python cannot make virtual environments: sudo apt install" \
			"$$("$$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; exit 1; }; \
	"$$python" -m venv --clear $(VENV)
