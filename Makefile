# Claimwright. `make` alone lists what there is.
#
#   make run            everything on this machine (GPU=1: with the CUDA build of the engine)
#   make test           set-up and every check, as CI runs it

PYTHON ?= python3.11
GPU ?=
ENGINE := $(if $(GPU),gpu,cpu)
VENV := $(if $(GPU),.venv-gpu,.venv)
BIN := $(VENV)/bin
REQUIREMENTS := requirements.in requirements-$(ENGINE).in requirements-dev.in constraints-$(ENGINE).txt

.DEFAULT_GOAL := help
.PHONY: help setup run test lint static clean

help:
	@echo 'make run [GPU=1]  start everything on this machine; Ctrl-C stops it'
	@echo 'make setup        only create the environment in $(VENV) (make run does it too)'
	@echo 'make test         set-up, every check, all tests on SQLite and on PostgreSQL'
	@echo 'make lint         the checks without the tests'
	@echo 'make static       build the JavaScript and CSS bundle again (developers; needs Node.js)'
	@echo 'make clean        remove the environments; the data in var/ stay'

setup: $(VENV)/.installed

# Again only when a list of packages has changed,
$(VENV)/.packages: $(REQUIREMENTS) .ci/setup.sh
	@PYTHON='$(PYTHON)' sh .ci/setup.sh '$(VENV)' '$(ENGINE)'
	@touch $@

# or the project's own metadata: vLLM finds the node's plug-ins through them.
$(VENV)/.installed: $(VENV)/.packages pyproject.toml
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install --no-deps --editable .
	@touch $@

run: setup
	@$(BIN)/python manage.py run

lint: setup
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh .ci/lint.sh

test: setup
	@sh .ci/system_packages.sh
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh .ci/lint.sh
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh .ci/test.sh

static:
	@command -v npm >/dev/null || { echo 'Node.js with npm is missing; it is needed for this command only.' >&2; exit 1; }
	cd static && npm ci && npm run build

clean:
	rm -rf .venv .venv-gpu
