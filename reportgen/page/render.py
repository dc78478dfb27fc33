"""From a report to the text of a page: fills the templates, which choose and lay out but never calculate."""

from __future__ import annotations

from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from reportgen.calculation.bands import Calculation
from reportgen.calculation.catalogues import AssumptionRows, Assumptions
from reportgen.calculation.plan import Plan
from reportgen.expression import Column
from reportgen.report import CARDS_NEEDED_NOTE, NOT_MODELLED, Report
from reportgen.seal import UNSEALED, sealed
from reportgen.wording import amount, explain, figure, glossary, label

TABLE_COLUMNS: tuple[Column, ...] = (
    Plan.model,
    Plan.optimizer,
    Plan.recipe,
    Plan.hardware,
    Calculation.parameters,
    Calculation.bytes_per_parameter,
    Calculation.parameter_bytes,
    Calculation.gradient_bytes,
    Calculation.optimizer_state_bytes,
    Calculation.gradient_and_optimizer_bytes,
    Calculation.training_footprint_bytes,
    Calculation.training_footprint_gb,
    Calculation.training_footprint_gib,
    Calculation.optimizer_share,
    Calculation.inference_gb,
    Calculation.inference_gib,
    Calculation.card_gb,
    Calculation.card_gib,
    Calculation.cards_exact,
    Calculation.cards_needed,
)


def render_page(report: Report, workbook_name: str, templates: list[Path]) -> str:
    """Return the page.

    Args:
        report: What to show.
        workbook_name: File name of the workbook beside the page.
        templates: Folders in which templates are looked for, first one first.
    """
    environment = make_environment(templates)
    ledger = report.ledger
    jobs = ledger.values[Plan.job].tolist()
    columns = [(column, ledger.values[column].tolist()) for column in TABLE_COLUMNS]
    page = environment.get_template("page.html").render(
        title=report.title,
        date=report.date,
        version=report.version,
        seal=UNSEALED,
        workbook_name=workbook_name,
        verdict=report.verdict,
        checks=report.checks,
        totals=[(total, amount(value, total)) for total, value in report.totals],
        cards_needed_note=CARDS_NEEDED_NOTE,
        not_modelled=NOT_MODELLED,
        columns=TABLE_COLUMNS,
        rows=[
            (job, [(column, figure(values[position], column)) for column, values in columns])
            for position, job in enumerate(jobs)
        ],
        jobs=[(job, explain(ledger, position)) for position, job in enumerate(jobs)],
        assumptions=_assumptions(report),
        sources=[(sheet.title, table) for sheet, table in ledger.inputs.tables.items()],
        glossary=list(glossary()),
    )
    return sealed(page)


def _assumptions(report: Report) -> list[dict[str, str]]:
    """Return the rows of the assumptions as texts, the numbers in the form of the figure they set."""
    values = report.ledger.inputs.tables[AssumptionRows].values
    declared = {column.name: column for column in Assumptions.columns}
    return [
        {column.name: figure(value, declared[name]) for column, value in zip(AssumptionRows.columns, row, strict=True)}
        for name, *row in zip(
            values[AssumptionRows.name].tolist(),
            *(values[column].tolist() for column in AssumptionRows.columns),
            strict=True,
        )
    ]


def make_environment(templates: list[Path]) -> Environment:
    """Return the one environment of all templates: everything is escaped, nothing may be undefined."""
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in templates]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["label"] = label
    return environment
