# Everything a user or developer does. Needs git, make and Python 3.11, 3.12 or 3.13; nothing else.
.DEFAULT_GOAL := help
# Compiled modules are kept between runs: with this variable each run compiles thousands again.
unexport PYTHONDONTWRITEBYTECODE
SHELL := /bin/bash
# The newest Python of these that starts and can make virtual environments.
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3; do \
  if $$name -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2> /dev/null; \
  then echo $$name; break; fi; done)
BIN := .venv/bin
INSTALLED := .venv/installed
# The pins are complete: nothing is resolved. uv needs half of pip's time: the one on the PATH, else the
# pinned one, which pip installs first. It asks the index that pip is configured for. Where it fails,
# two processes of pip install half of the pins each.
PIP := $(BIN)/python -m pip install --quiet --no-compile --no-deps --disable-pip-version-check
PIP_INDEX := $(BIN)/python -m pip config list | sed -n "s/^[^ ]*[.:]index-url='\(.*\)'$$/\1/p" | tail -n 1
SLOW := spark or airflow or end_to_end or thorough
# Folders in which every test is slow; the fast part does not even import them.
SLOW_FOLDERS := browser dags end_to_end faults plugins/served
FIRST_HALF := $(filter-out %/cli %/planning %/steps %/whatif %/__pycache__ %.py,$(wildcard tests/mqcap/*)) $(wildcard tests/mqcap/test_*.py)

FAST := $(BIN)/python -m pytest -q -m "not ($(SLOW))"

help: ## Show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-16s %s\n", $$1, $$2}'

# One installation at a time: the lock lasts until the shell of the recipe, and pip, have ended, also
# where the make above them was killed. Who waited for an installation that ended well needs no other.
$(INSTALLED): constraints.txt pyproject.toml
	@python='$(PYTHON)'; \
	if ! "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2> /dev/null; then \
	  echo "error: mqcap needs Python 3.11, 3.12 or 3.13 with its venv module (python3.13 and python3.13-venv of the system's packages), found $${python:-none}: install one, or name it: make PYTHON=/path/to/python3.13"; \
	  exit 1; \
	fi; \
	exec 9< Makefile; \
	"$$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2> /dev/null || { \
	  echo "Another make installs in this folder: waiting for its end"; \
	  "$$python" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)' || true; \
	}; \
	if [ $@ -nt constraints.txt ] && [ $@ -nt pyproject.toml ]; then exit 0; fi; \
	trap 'status=$$?; if [ $$status -ne 0 ]; then rm -rf .venv; echo "The installation did not end: .venv is removed, run make again."; fi; exit $$status' EXIT; \
	trap 'exit 1' INT TERM HUP; \
	set -e; \
	echo "Setting up .venv with $$("$$python" --version) (one to three minutes the first time)"; \
	{ test -f $@ && $(BIN)/python -m pip --version; } > /dev/null 2>&1 || { rm -rf .venv; "$$python" -m venv .venv; }; \
	rm -f $@; \
	uv=$$(command -v uv) || { $(PIP) --constraint constraints.txt uv && uv=$(BIN)/uv; } > /dev/null 2>&1 || true; \
	index=$$($(PIP_INDEX)); \
	uv_pip() { $${index:+env UV_DEFAULT_INDEX="$$index"} "$$uv" pip install --quiet --no-deps --python $(BIN)/python "$$@"; }; \
	{ uv_pip -r constraints.txt && uv_pip -e .; } > /dev/null 2>&1 || { \
	  printf '%s\n' 0 1 | xargs -P 2 -I HALF sh -c "awk 'NR % 2 == HALF' constraints.txt | $(PIP) -r /dev/stdin" \
	    || $(PIP) -r constraints.txt; \
	  $(PIP) -e .; \
	}; \
	$(BIN)/mqcap local class-archive || true; \
	touch $@

install: $(INSTALLED) ## Create the virtual environment with the pinned dependencies

run: $(INSTALLED) ## Sample estate, history, daily run through Airflow, then serve the pages
	@exec $(BIN)/mqcap local run

demo: $(INSTALLED) ## The same as run, then stop instead of serving
	@exec $(BIN)/mqcap local run --no-serve

test: $(INSTALLED) test-fast ## All tests
	@$(BIN)/python -m pytest -n 3 --dist loadfile -m "$(SLOW)"

# Two processes with a half each: workers of one process would all collect all tests.
test-fast: $(INSTALLED) ## The tests that need a minute: without Spark, Airflow, servers, end-to-end runs
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) test-fast-first test-fast-second

test-fast-first:
	@$(FAST) $(FIRST_HALF)

test-fast-second:
	@$(FAST) tests $(FIRST_HALF:%=--ignore=%) $(SLOW_FOLDERS:%=--ignore=tests/%)

check: $(INSTALLED) ## Format, lint (security too), types, imports, spelling, packages
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@PYTHONPATH=.:plugins $(BIN)/lint-imports
	@$(BIN)/codespell
	@$(BIN)/python -m pip check

audit: $(INSTALLED) ## Known vulnerabilities of the pinned packages; asks the public advisory service
	@test -x .venv-audit/bin/pip-audit || ($(PYTHON) -m venv .venv-audit && .venv-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.9.0)
	@.venv-audit/bin/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

format: $(INSTALLED) ## Apply the formatter and the safe fixes of the linter
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format .

golden: $(INSTALLED) ## Regenerate golden files; read the diff before committing
	@MQCAP_GOLDEN=write $(BIN)/python -m pytest -m "not ($(SLOW))" -k golden $(SLOW_FOLDERS:%=--ignore=tests/%)
	@MQCAP_GOLDEN=write $(BIN)/python -m pytest tests/browser

docs: $(INSTALLED) ## Write the pages of rules, operands, estate keys, settings and metrics from the code
	@$(BIN)/python -m devtools.docs.kept_pages

docs-site: $(INSTALLED) ## The documentation as a site in var/site, with commands, REST API and layouts
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "var/site/index.html; with the search: $(BIN)/python -m http.server --directory var/site --bind 127.0.0.1"

compare: $(INSTALLED) ## Fields and figures of the sample data against their expected results
	@$(BIN)/python -m tests.spark_apps.expected

FORECAST_DATA ?= ../shared/data/forecast
bench: $(INSTALLED) ## The seven benchmarks as one table beside the last release (BENCH="decode load": some of them)
	@FORECAST_DATA=$(FORECAST_DATA) $(BIN)/python -m devtools.benchmarks $(BENCH)

fuzz: $(INSTALLED) ## Change bytes of inputs at random for MQCAP_FUZZ_SECONDS (60): nothing may crash or hang
	@$(BIN)/python -m tests.fuzz.run

services-test: $(INSTALLED) ## docker/ built, started, used for a day, upgraded; needs DOCKER_HOST, or root on Debian
	@$(BIN)/python -m tests.services.run

airflow-releases: $(INSTALLED) ## Resolve mqcap beside the packages of Airflow's releases 3.1.8 to 3.3.2
	@$(PIP) --constraint constraints.txt uv
	@$(BIN)/python -m tests.services.airflow_releases

clean: ## Remove what runs have left (var/) but keep the environment
	@rm -rf var spark-warehouse

constraints: ## Write constraints.txt from the present environment
	@$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

.PHONY: help install run demo test test-fast test-fast-first test-fast-second check audit format golden docs docs-site compare bench fuzz services-test airflow-releases clean constraints
