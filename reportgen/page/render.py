"""From a report to the text of a page: fills the templates, which choose and lay out but never calculate."""

from __future__ import annotations

import base64
import hashlib
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)

from reportgen.calculation.checks import HOLDS
from reportgen.errors import FileError, listed
from reportgen.page.answer import answer, hardware_figure, kinds, tiles
from reportgen.page.data import PageData
from reportgen.page.jobs import job_sections
from reportgen.page.origins import assumptions, catalogues, sources
from reportgen.page.saying import isolated, linked, visible
from reportgen.page.table import BANDS, MOST_SECTIONS, bands_figure, cut, foremost, job_table
from reportgen.report import CARDS_NEEDED_NOTE, NOT_MODELLED, Report
from reportgen.seal import UNSEALED, sealed
from reportgen.wording import glossary

STYLES: Final = ("palette.css", "style.css")
SCRIPT: Final = "script.js"


def render_page(
    report: Report, workbook_name: str, templates: list[Path], csv_name: str = "", index_name: str = ""
) -> str:
    """Return the page.

    Args:
        report: What to show.
        workbook_name: File name of the workbook beside the page.
        templates: Folders in which templates are looked for, first one first.
        csv_name: File name of the whole ledger as CSV beside the page, where there is one.
        index_name: Relative address of the page that lists all plans, where there is one.

    Raises:
        FileError: If a template is missing, wrong, or asks for what is not there; it names template and line.
    """
    data = page_data(report, workbook_name, csv_name, index_name)
    content = {field.name: getattr(data, field.name) for field in fields(data)}
    return fill("page.html", content, templates, STYLES, SCRIPT)


def fill(
    template: str, content: Mapping[str, object], templates: Sequence[Path], styles: Sequence[str], script: str = ""
) -> str:
    """Return a template filled and sealed.

    Args:
        template: Its file name.
        content: What it shows, by name; style, script, policy and seal come to it.
        templates: Folders in which templates are looked for, first one first.
        styles: File names of the styles that stand in it.
        script: File name of the script that stands in it, where there is one.

    Raises:
        FileError: If a template is missing, wrong, or asks for what is not there; it names template and line.
    """
    environment = make_environment(templates)
    try:
        style = "".join(_source(environment, name) for name in styles)
        code = _source(environment, script) if script else ""
        page = environment.get_template(template).render(
            content, style=style, script=code, policy=_policy(style, code), seal=UNSEALED
        )
    except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError) as error:
        raise FileError(_fault(error, templates)) from error
    return sealed(page)


def page_data(report: Report, workbook_name: str, csv_name: str = "", index_name: str = "") -> PageData:
    """Return everything that the templates show."""
    ledger = report.ledger
    found = kinds(report)
    shown = foremost(ledger, MOST_SECTIONS)
    jobs = job_sections(ledger, shown)
    return PageData(
        title=report.title,
        date=report.date,
        version=report.version,
        workbook_name=workbook_name,
        csv_name=csv_name,
        index_name=index_name,
        answer=answer(report, found),
        tiles=tiles(report),
        cards_needed_note=CARDS_NEEDED_NOTE,
        band_names=tuple((number, name) for number, (_, name) in enumerate(BANDS, 1)),
        bands=bands_figure(ledger),
        first=jobs[0] if jobs else None,
        hardware=hardware_figure(found),
        table=job_table(ledger, shown),
        jobs=jobs,
        jobs_note=cut(len(shown), len(ledger.inputs.plan)),
        verdict=report.verdict,
        checks_hold=all(check.verdict == HOLDS for check in report.checks),
        checks=tuple(report.checks),
        warnings=tuple(listed(ledger.inputs.warnings).splitlines()),
        assumptions=tuple(assumptions(ledger)),
        catalogues=tuple(catalogues(ledger)),
        glossary=tuple({entry.name: entry for entry in glossary() if entry.formula}.values()),
        not_modelled=NOT_MODELLED,
        sources=tuple(sources(ledger)),
    )


def make_environment(templates: Sequence[Path]) -> Environment:
    """Return the one environment of all templates: everything is escaped, nothing may be undefined."""
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in templates]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=visible,
    )
    environment.filters |= {"linked": linked, "isolated": isolated}
    return environment


def _source(environment: Environment, name: str) -> str:
    """Return the text of a style or script as it stands in the page; it is no template."""
    loader = environment.loader
    text = loader.get_source(environment, name)[0].replace("\r\n", "\n") if loader else ""
    if "</" in text:
        line = text[: text.index("</")].count("\n") + 1
        raise TemplateSyntaxError("'</' would end the element that holds this text", line, name)
    return text


def _policy(style: str, script: str) -> str:
    """Return the content security policy: nothing is loaded, only this style and this script count."""
    scripts = f"'{_digest(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src {scripts}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _fault(error: Exception, templates: Sequence[Path]) -> str:
    """Return what is wrong, with the template and the line."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename or error.name}:{error.lineno}: {error.message}"
    folders = tuple(str(folder) for folder in templates)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(folders)]
    place = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    return place + (f"no template {error.name}" if isinstance(error, TemplateNotFound) else str(error))
