# Two commands: `make demo` and `make test`.  Both set everything up first.
VENV   := .venv
GNOSIS := $(VENV)/bin/gnosis
READY  := $(VENV)/.ready
SOURCES := $(wildcard cython_core/*.c cython_core/*.h cython_core/*.pyx)

.PHONY: setup demo check site test test-long bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    set up, build the spine, probe a real transformer, check decisions with the kernel"
	@echo "make test    set up, build and audit the spine, run every test"
	@echo "make check   only what reads the sources: rules of ruff, types of mypy, the site (half a minute)"
	@echo "make site    the pages as a site, build/site"
	@echo "make test-long   the same for longer, with new seeds and in whole (about 40 minutes); recorded on docs/trust.md"
	@echo "make setup   only set up (.venv, pinned packages, compiled kernels)"
	@echo "make bench   the hot paths against their peers, in one run"
	@echo "make clean   remove what was built (not .venv)"

$(READY): pyproject.toml setup.py requirements/setup.sh requirements/lock.txt pysrc/gnosis/models/packages.txt $(SOURCES)
	@sh requirements/setup.sh $(VENV)
	@touch $@

setup: $(READY)

demo: setup
	@$(GNOSIS) demo

check: setup
	@$(VENV)/bin/python tests/check.py

site: setup
	@$(VENV)/bin/python -m mkdocs build --strict
	@echo "build/site/index.html"

test: setup
	@$(VENV)/bin/python tests/run.py

test-long: setup
	@$(GNOSIS) trust --long --write docs/trust.md

bench: setup
	@$(GNOSIS) bench

clean:
	rm -rf build dist .pytest_cache .hypothesis *.egg-info pysrc/*.egg-info cython_core/*.so $(READY)
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
