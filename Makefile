PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT := out

.PHONY: report test check lint types accuracy readme clean

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

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) $(OUT) build dist
