# Two commands matter: `make demo` and `make test`. Both install what they need into .venv first.
SHELL := /bin/bash
PYTHON ?= python3
PY := .venv/bin/python
BASE := .venv/.installed
STAMP := .venv/.installed-dev

# Byte code is kept: the tests start some hundred processes, which would each compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install demo test test-all lint style bench bench-peers browser smoke clean

help:
	@echo "make demo      install, then make, split and measure SCAN (under five minutes)"
	@echo "make test      install, then lint and run the tests (under fifteen minutes)"
	@echo "make test-all  the same with the slow proofs"
	@echo "make smoke     a small study of two models on SCAN (two minutes)"
	@echo "make lint      ruff and mypy --strict"
	@echo "make bench     speed and memory, printed as a table"
	@echo "make bench-peers  the figures of docs/performance.md; others' programs beside ours where they are named"
	@echo "make clean     remove .venv and what the demo wrote"

install: $(STAMP)

define make_venv
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Recombine needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11 install" >&2; exit 1; }
	@test -x $(PY) || "$(PYTHON)" -m venv .venv
endef

# The demo needs the package alone; the tests need what developers use, torch among it.
$(BASE): pyproject.toml constraints.txt
	$(make_venv)
	@echo "installing into .venv ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $(BASE)

# One run of pip has the package too; what is imported is compiled then, and that is a small part of torch and others.
$(STAMP): pyproject.toml constraints.txt
	$(make_venv)
	@echo "installing the package and what developers use into .venv ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[dev]'
	@touch $(BASE) $(STAMP)

demo: $(BASE)
	@$(PY) -m recombine demo --out demo

lint: style
	$(PY) -m mypy

style: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

# Two processes; the tests of a file stay together, so that what they share is made once.
PARALLEL ?= -n 2 --dist loadfile

# Tests that read public data find it in RECOMBINE_DATA, or in ../shared/data, and skip with a reason elsewhere.
DATA = $${RECOMBINE_DATA:-$$(cd ../shared/data 2>/dev/null && pwd)}

# The browser tests want a Chromium: the one there is, or Debian's where it can be installed; else they skip and say so.
browser: $(STAMP)
	@if $(PY) tests/find_chromium.py >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing Chromium for the browser tests ..."; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null 2>&1 \
	    || echo "Chromium could not be installed; the browser tests will skip" >&2; \
	else echo "no Chromium found; the browser tests will skip" >&2; fi

# mypy keeps one core busy for a minute or two: the tests run meanwhile, and what it says stands after theirs.
MYPY_SAYS := .venv/mypy.txt
define run_tests
	@$(PY) -m mypy >$(MYPY_SAYS) 2>&1 & types=$$!; trap "kill $$types" INT TERM; \
	RECOMBINE_DATA="$(DATA)" OMP_NUM_THREADS=1 $(PY) -m pytest $(PARALLEL) $(1); tests=$$?; \
	wait $$types; types=$$?; echo "mypy:"; cat $(MYPY_SAYS); exit $$((tests ? tests : types))
endef

test: style browser
	$(call run_tests)

test-all: style browser
	$(call run_tests,-m 'slow or not slow')

smoke: $(STAMP)
	$(PY) -m recombine study run studies/smoke.toml --processes 2

bench: $(STAMP)
	RECOMBINE_DATA="$(DATA)" $(PY) benchmarks/features.py
	RECOMBINE_DATA="$(DATA)" $(PY) benchmarks/data_cache.py

# Fetches nothing: RECOMBINE_PEER_NQG and RECOMBINE_PEER_DBCA name checkouts, see benchmarks/peer_programs.py.
bench-peers: $(STAMP)
	RECOMBINE_DATA="$(DATA)" $(PY) -m recombine warm-up --quiet
	RECOMBINE_DATA="$(DATA)" $(PY) benchmarks/peers.py

clean:
	rm -rf .venv demo
