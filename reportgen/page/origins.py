"""Where the figures come from: assumptions, the rows of catalogues that are used, the files and their digests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reportgen.calculation.catalogues import AssumptionRows, Assumptions
from reportgen.calculation.ledger import CATALOGUES, JOB_SHEETS, Ledger, Table
from reportgen.expression import Column, Sheet
from reportgen.page.data import CatalogueTable, Heading, Source
from reportgen.page.saying import many, named, unit_shown
from reportgen.readings import leaves
from reportgen.units import ROW, TEXT
from reportgen.wording import figure

MOST_CATALOGUE_ROWS: Final = 60
"""Rows of one catalogue on the page; the workbook has all."""


def assumptions(ledger: Ledger) -> Iterator[dict[str, str]]:
    """Yield the rows of the assumptions as texts, the numbers in the form of the figure they set."""
    values = ledger.values
    declared = {column.name: column for column in Assumptions.columns}
    rows = zip(*(values[column].tolist() for column in AssumptionRows.columns), strict=True)
    for row in rows:
        name = row[AssumptionRows.columns.index(AssumptionRows.name)]
        yield {
            column.name: figure(value, declared[name] if column.unit != TEXT else column)
            for column, value in zip(AssumptionRows.columns, row, strict=True)
        }


def catalogues(ledger: Ledger) -> Iterator[CatalogueTable]:
    """Yield for each catalogue the rows that jobs refer to, without columns that are empty in all of them."""
    for sheet in CATALOGUES:
        if used := _used(ledger, sheet):
            yield _catalogue(ledger.inputs.tables[sheet], used)


def _used(ledger: Ledger, sheet: type[Sheet]) -> list[int]:
    """Return the positions of the rows that jobs refer to: the ledger finds each by the name in the first column."""
    rows = {
        int(row)
        for job_sheet in JOB_SHEETS
        for column, definition in job_sheet.derived()
        if column.unit == ROW and sheet.columns[0] in leaves(definition)
        for row in ledger.values[column].tolist()
        if row > 0
    }
    return [row - 1 for row in sorted(rows)]


def _catalogue(table: Table, used: list[int]) -> CatalogueTable:
    shown = used[:MOST_CATALOGUE_ROWS]
    texts = {
        column: [figure(value, column) for value in table.values[column].take(shown).tolist()]
        for column in _inputs(table)
    }
    kept = {column: cells for column, cells in texts.items() if not set(cells) <= {figure("", column), "0"}}
    return CatalogueTable(
        title=table.sheet.title,
        file=table.file,
        headings=tuple(_heading(column) for column in kept),
        rows=tuple(zip(*kept.values(), strict=True)),
        note=f"{len(shown):,} of {len(used):,} used rows; the workbook has all." if len(shown) < len(used) else "",
    )


def _inputs(table: Table) -> list[Column]:
    return [column for column in table.sheet.columns if column in table.values and column.name != "aliases"]


def _heading(column: Column) -> Heading:
    return Heading(column.name, named(column), unit_shown(column), column.meaning, number=column.unit != TEXT)


def sources(ledger: Ledger) -> Iterator[Source]:
    """Yield the files that the report was made from."""
    for sheet, table in ledger.inputs.tables.items():
        yield Source(sheet.title, table.file, many(len(table), "row"), table.digest)
