# positional-encoding-labs: the commands of the course. `make help` lists them.
# Needs GNU Make 3.81 or newer, a POSIX shell and Python 3.11 or newer. Nothing needs root. Windows: see README.md.

PYTHON ?= python3
UV ?= uv

# Activated rather than named by path, because nbgrader looks for programs by their bare names.
IN = . .venv/bin/activate &&
PIP = .venv/bin/python -m pip --disable-pip-version-check install --quiet
LOCKED = $(PIP) --require-hashes --requirement
NBVAL = python -m pytest --nbval --nbval-sanitize-with tests/nbval_sanitize.cfg --nbval-cell-timeout
LOCK = $(UV) pip compile pyproject.toml --universal --generate-hashes --no-header --quiet

# One thread each: sums are added in the same order everywhere, so printed numbers agree with the committed ones.
export OPENBLAS_NUM_THREADS = 1
export OMP_NUM_THREADS = 1
export MKL_NUM_THREADS = 1

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help lab test live record build lock format clean FORCE

help:
	@echo 'make lab      open the course in JupyterLab   (make lab ARGS="--no-browser --port 8899" passes options on)'
	@echo 'make test     lint, tests, "is everything built?", the solutions executed again'
	@echo 'make live     the long experiments of the notebooks, trained again and asserted: minutes'
	@echo 'make record   make anew what notebooks show of them before anyone trains: half an hour'
	@echo 'make build    make notebooks/ and the stored answers from solutions/   (make build ARGS="05_rotary" for one)'
	@echo 'make format   put Python files and solutions into the common form'
	@echo 'make lock     write requirements/*.txt anew   (ARGS=--upgrade takes the newest versions)'
	@echo 'make clean    remove .venv and what tools left behind; notebooks and progress stay'
	@echo 'Another Python: make lab PYTHON=python3.12'

lab: .venv/.lab
	@.venv/bin/labsupport lab $(ARGS)

build: .venv/.author
	@$(IN) labsupport build $(ARGS)

test: .venv/.author
	@echo '== 1 of 4: ruff (lint and form)'
	@$(IN) ruff check .
	@$(IN) ruff format --check .
	@echo '== 2 of 4: pytest (the tests of the package)'
	@$(IN) python -m pytest tests
	@echo '== 3 of 4: labsupport build --check (is everything built?)'
	@$(IN) labsupport build --check
	@echo '== 4 of 4: nbval (every solution executed again, outputs compared)'
	@$(IN) $(NBVAL) 120 solutions
	@echo '== all four passed'

live: .venv/.author
	@echo '== nbval with LABSUPPORT_LIVE=1 (long experiments trained again instead of shown as recorded)'
	@$(IN) LABSUPPORT_LIVE=1 $(NBVAL) 600 $$(grep -l '^LIVE = live()' solutions/*.md | sed 's/md$$/ipynb/')

record: .venv/.author
	@$(IN) set -e; for run in benchmarks/record_*.py; do echo "== $$run"; python "$$run"; done
	@$(IN) labsupport build

format: .venv/.author
	@$(IN) ruff check --fix-only .
	@$(IN) ruff format .

# author.txt takes its versions from lab.txt, so that a learner and an author run the same ones.
lock:
	@command -v "$(UV)" >/dev/null || { echo 'make lock needs the program uv; CONTRIBUTING.md says how to get it.' >&2; exit 1; }
	@$(LOCK) $(ARGS) --group lab --group backend --output-file requirements/lab.txt
	@$(LOCK) $(ARGS) --group author --constraints requirements/lab.txt --output-file requirements/author.txt

clean:
	rm -rf .venv build dist .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

requirements/author.txt:
	@echo 'This copy of the course is for learners and has no tests: make lab opens it.' >&2; exit 1

# --- the environment -------------------------------------------------------------------------------------------------
# The empty files .made, .lab and .author say which step was finished; each is written after its step. Three things make
# an environment unusable though it is there: it was made in another folder (its programs name that folder), its Python
# is gone, or pip was interrupted (the file .busy is left). Then it is made afresh. All of it can be made again at will.
USABLE := $(shell [ -x .venv/bin/python ] && [ ! -e .venv/.busy ] && [ "$$(cat .venv/.made 2>/dev/null)" = "$$(pwd -P)" ] && echo yes)
ifneq ($(USABLE),yes)
.venv/.made: FORCE
endif

.venv/.made:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'This course needs Python 3.11 or newer, and "$(PYTHON)" is older or cannot be run: install one and name it, for example: make lab PYTHON=python3.12' >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo '"$(PYTHON)" has no venv module: install the package python3-venv (Debian, Ubuntu: sudo apt install python3-venv), then try again.' >&2; exit 1; }
	@echo 'Making the environment .venv ...'
	@rm -rf .venv
	@"$(PYTHON)" -m venv .venv
	@pwd -P > .venv/.made

.venv/.lab: .venv/.made requirements/lab.txt pyproject.toml
	@echo 'Installing NumPy, matplotlib and JupyterLab into .venv (about a minute, once) ...'
	@touch .venv/.busy
	@$(LOCKED) requirements/lab.txt
	@$(PIP) --no-build-isolation --no-deps --editable .
	@rm .venv/.busy
	@touch $@

.venv/.author: .venv/.lab requirements/author.txt
	@echo 'Installing what authors need into .venv (half a minute, once) ...'
	@touch .venv/.busy
	@$(LOCKED) requirements/author.txt
	@rm .venv/.busy
	@touch $@
