# Builds the environment and runs the chain, the tests and the checks. `make help` lists the targets.
#
# All paths are relative and tools run as `python -m`, so that the path of this folder may hold
# spaces and any letters. Works with GNU Make 3.81 and later.

# The interpreter that the environment is made from: `make env PYTHON=python3.12`.
PYTHON ?= python3
# What `make lock` hands to uv: `make lock LOCK=--upgrade` moves every pin to the newest release.
LOCK ?=
# What `make verify` hands on: `make verify VERIFY="--cells 10 --seed 1"`.
VERIFY ?=

VENV := .venv/bin/python
PIP := $(VENV) -m pip --disable-pip-version-check -qq
# One worker a core, a file of tests never split between two, in the order that tests/conftest.py
# gives them; one thread each.
TESTS := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(VENV) -m pytest --numprocesses auto --dist loadfile \
	--no-loadscope-reorder
# Source only, unlike every other package of the lock, so pip has to build it: with the lock's own
# setuptools, not with whichever is newest that day.
BUILDER := setuptools

# The caller's own packages and pip settings must not leak into the environment.
unexport PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX
export PYTHONNOUSERSITE := 1
export PIP_USER := 0

.DEFAULT_GOAL := help
.PHONY: help figures smoke stress test test-all verify release release-stress gallery archive lint \
	docs env bench lock clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

figures: env ## build the environment, then every table, figure and verdict at the papers' settings
	$(VENV) -m snakemake

smoke: env ## the same with everything small, in a folder of its own
	$(VENV) -m snakemake --configfile workflow/config/smoke.yaml

stress: env ## judge every claim again: another seed, twice the horizon or size, half the step
	$(VENV) -m snakemake stress/results/claims.parquet --configfile workflow/config/stress.yaml

test: lint ## check the style and run the tests, except the long ones of test-all
	$(TESTS) -m "not matrix"

test-all: env ## run the tests that `make test` leaves out: all edits, faults, a SLURM cluster
	$(TESTS) -m matrix

verify: env ## recompute a sample of cells of the finished run; compare it with released/ (VERIFY=--all)
	$(VENV) -m deeplimits verify $(VERIFY)

release: env ## write released/ from the finished run
	$(VENV) -m deeplimits release

release-stress: env ## write the verdicts of the finished stress run to released/
	$(VENV) -m deeplimits release --configfile workflow/config/stress.yaml

gallery: env ## write the pictures and the verdicts of the README from the finished run
	$(VENV) -m deeplimits gallery

archive: figures ## everything, then code, results and description in one zip, deeplimits-*.zip
	$(VENV) -m deeplimits archive

lint: env ## check the style of the Python files and of the workflow
	$(VENV) -m ruff check
	$(VENV) -m ruff format --check
	$(VENV) -m snakefmt --check Snakefile workflow

docs: env ## build the documentation in docs/_build/html; a warning is an error
	$(VENV) -m sphinx -q -W --keep-going -b html docs docs/_build/html

env: .venv/installed ## build the environment in .venv, or bring it up to date

bench: env ## measure the engines against straightforward simulation
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(VENV) benchmarks/engines.py

lock: ## write requirements.lock anew from pyproject.toml (needs uv: pip install uv)
	echo $(BUILDER) | uv pip compile --quiet --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make lock" --output-file requirements.lock \
		--group dev $(LOCK) pyproject.toml -

clean: ## remove everything that was made, the environment included
	rm -rf .venv .snakemake .pytest_cache .ruff_cache .hypothesis logs smoke stress
	rm -rf docs/_build docs/api deeplimits-*.zip
	find results figures -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	find src tests -name __pycache__ -prune -exec rm -rf {} +

# The stamps are written last, so a failed or interrupted installation is done again. The first one
# holds the folder's path: an environment that was moved or copied points to its old place and is
# made anew.
ifneq ($(shell cat .venv/locked 2>/dev/null),$(CURDIR))
.venv/locked: FORCE
endif

.venv/locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "deeplimits needs Python 3.11 or later, and $(PYTHON) is not:" \
			"name another one, as in: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) can't make virtual environments:" \
			"install its venv module (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo "Building the environment in .venv (about a minute) ..."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@sed -n '/^$(BUILDER)==/,/[^\\]$$/p' requirements.lock >.venv/builder.lock
	@$(PIP) install --require-hashes --requirement .venv/builder.lock
	@$(PIP) install --require-hashes --no-deps --no-build-isolation --use-pep517 \
		--requirement requirements.lock
	@pwd -P >$@

.venv/installed: .venv/locked pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

FORCE:
