"""What a fuzzer calls: any bytes in place of any input file end in believed inputs, or in problems with a place."""

from __future__ import annotations

from typing import Final

import pytest

import reportgen.reading.inputs
from reportgen.calculation.catalogues import AssumptionRows, Blocks
from reportgen.calculation.ledger import INPUT_SHEETS, Table, calculate
from reportgen.calculation.models import Architectures
from reportgen.calculation.plan import Plan
from reportgen.errors import InputError, Problem, Severity, problems_as_json
from reportgen.expression import Sheet
from reportgen.files import data_folder, read_source
from reportgen.reading.inputs import read_inputs
from reportgen.reading.tables import Source, read_table

ENCODINGS: Final = ("", "", "", "", "cp1252", "gb18030", "utf-16-le", "utf-7")
DECIMALS: Final = ("", "", "comma", "point")
JOB: Final = b"job,model,hardware,tp,mbs,seq,tokens,hours,instance_type\none,Llama-3 8B,H100,2,1,4096,1T,,p5.48xlarge\n"
NAMED: Final = ("Llama-3 8B", "Mixtral 8x7B", "adamw", "sgd", "mixed-16", "pure-16", "H100", "L4", "p5.48xlarge")
WHOLE: Final[tuple[type[Sheet], ...]] = (Blocks, AssumptionRows)
SHEETS: Final[tuple[type[Sheet], ...]] = (Plan, Plan, Plan, Plan, *INPUT_SHEETS)
"""Which file the bytes stand in for; the plan more often than the others."""


def _short(sheet: type[Sheet]) -> bytes:
    """Return a shipped file with only the rows that are named here, so that a run takes milliseconds."""
    path = data_folder("inputs") / f"{sheet.title.lower().replace(' ', '_')}.csv"
    header, *lines = path.read_bytes().splitlines(keepends=True)
    named = tuple(f"{name},".encode() for name in NAMED)
    return b"".join([header, *(line for line in lines if sheet in WHOLE or line.startswith(named))])


SHIPPED: Final[dict[type[Sheet], bytes]] = {Plan: JOB} | {sheet: _short(sheet) for sheet in INPUT_SHEETS[1:]}


def one(data: bytes) -> bool:
    """Read one input; return whether it was believed.

    The first byte chooses the file that the others stand in for, the encoding and the decimal mark.

    Raises:
        AssertionError: If a refusal does not say what and where, or a believed input cannot be calculated.
    """
    choice, content = (data[0], data[1:]) if data else (0, b"")
    sheet = SHEETS[choice % len(SHEETS)]
    sources = {one: Source(f"{one.title}.csv", text) for one, text in SHIPPED.items()}
    encoding, decimal = ENCODINGS[choice // 16 % len(ENCODINGS)], DECIMALS[choice // 64]
    sources[sheet] = Source(f"{sheet.title}.csv", content, encoding, decimal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reportgen.reading.inputs, "read_table", _read_table)
        return _ends_well(sources)


ARCHITECTURES: Final = read_table(Architectures, Source(*read_source(data_folder("inputs") / "architectures.csv")))[0]
TABLES: Final = {
    sheet: read_table(sheet, Source(f"{sheet.title}.csv", text), ARCHITECTURES) for sheet, text in SHIPPED.items()
}


def _read_table(sheet: type[Sheet], source: Source, _: Table | None = None) -> tuple[Table | None, list[Problem]]:
    """Read a table; the shipped ones are read already, since each run changes one of eight."""
    return TABLES[sheet] if source.data is SHIPPED[sheet] else read_table(sheet, source, ARCHITECTURES)


def _ends_well(sources: dict[type[Sheet], Source]) -> bool:
    try:
        inputs = read_inputs(sources[Plan], sources)
        _well_said(list(inputs.warnings), Severity.WARNING)
        calculate(inputs)
    except InputError as error:
        _well_said(error.problems, Severity.ERROR)
        _well_said(list(error.warnings), Severity.WARNING)
        return False
    return True


def _well_said(problems: list[Problem], severity: Severity) -> None:
    assert problems or severity is Severity.WARNING
    for problem in problems:
        assert problem.severity is severity
        assert problem.file.endswith(".csv")
        assert problem.found
        assert problem.expected
        assert str(problem).isprintable()
    problems_as_json(problems[:10]).encode()
