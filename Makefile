PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT := out
JOBS := 1000 10000 100000

.PHONY: report test check lint types accuracy readme benchmark clean

report: $(VENV)/installed ## build inputs/plan.csv into out/
	$(BIN)/reportgen build inputs/plan.csv --output $(OUT)

test: $(VENV)/installed-dev ## run the whole test suite
	$(BIN)/python -m pytest

check: lint types test ## everything that CI checks, but for the wheel

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev
	$(BIN)/mypy

accuracy: $(VENV)/installed-dev ## print docs/accuracy.md anew
	$(BIN)/python tests/published/accuracy.py

readme: $(VENV)/installed-dev ## print the program's output in README.md anew
	$(BIN)/python tests/test_documentation.py

benchmark: $(VENV)/installed-benchmark ## measure against other writers, into docs/benchmarks.md and README.md
	$(BIN)/python tests/benchmarks/benchmark.py $(JOBS)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/installed

$(VENV)/installed-benchmark: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[benchmark]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) $(OUT) build dist
