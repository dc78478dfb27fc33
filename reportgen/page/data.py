"""What the templates get: plain records, every decision and every rounding already made.

docs/templates.md describes each field; a field is only ever added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from reportgen.page.charts import BarsPicture
from reportgen.page.lines import CurvePicture
from reportgen.page.saying import Part
from reportgen.report import CheckResult
from reportgen.wording import Entry, Step


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure to be seen first; ``tone`` is good, bad or empty."""

    label: str
    value: str
    unit: str = ""
    note: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The head of a column: the ledger's name, its words, its unit; ``group`` counts from 1, 0 is none."""

    name: str
    label: str
    unit: str
    meaning: str
    number: bool
    group: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as it is read; ``exact`` is the ledger's own number, empty where the text is the figure."""

    text: str
    exact: str
    number: bool
    group: int


@dataclass(frozen=True, slots=True)
class Row:
    """A job in the table; ``anchor`` is empty where the page has no section of it."""

    job: str
    anchor: str
    fits: bool
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns that a reader shows or hides together."""

    number: int
    title: str
    shown: bool
    columns: int


@dataclass(frozen=True, slots=True)
class JobTable:
    """The table of jobs; ``cut`` says in a sentence what is left out, empty where nothing is."""

    groups: tuple[ColumnGroup, ...]
    headings: tuple[Heading, ...]
    rows: tuple[Row, ...]
    cut: str
    command: str


@dataclass(frozen=True, slots=True)
class BandRow:
    """One band of a job: ``band`` is its colour."""

    band: int
    label: str
    arithmetic: str
    gb: str
    share: str


@dataclass(frozen=True, slots=True)
class StageRow:
    """One ZeRO stage of a job."""

    stage: int
    divides: str
    state: str
    fewest: str
    own: bool


@dataclass(frozen=True, slots=True)
class CurveRow:
    """A row of figures under a curve; ``stages`` holds each stage's GB and whether it fits."""

    degree: str
    cards: str
    stages: tuple[tuple[str, bool], ...]
    usable: str


@dataclass(frozen=True, slots=True)
class StepGroup:
    """The arithmetic of one sheet of the workbook; ``zeros`` are names of figures that are nothing for this job."""

    title: str
    steps: tuple[Step, ...]
    zeros: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JobSection:
    """One job in full."""

    anchor: str
    job: str
    fits: bool
    headline: str
    sentence: tuple[Part, ...]
    bands: tuple[BandRow, ...]
    card: tuple[tuple[str, str], ...]
    stages: tuple[StageRow, ...]
    stages_note: str
    curve: CurvePicture | None
    curve_rows: tuple[CurveRow, ...]
    arithmetic: tuple[StepGroup, ...]


@dataclass(frozen=True, slots=True)
class HardwareRow:
    """What all jobs on one kind of card come to."""

    hardware: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BandsFigure:
    """Bands per job, wide and narrow, with the same figures as a table."""

    pictures: tuple[BarsPicture, ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    note: str


@dataclass(frozen=True, slots=True)
class HardwareFigure:
    """Cards and cost by hardware, wide and narrow, with the same figures as a table."""

    cards: tuple[BarsPicture, ...]
    cost: tuple[BarsPicture, ...]
    headings: tuple[tuple[str, str], ...]
    rows: tuple[HardwareRow, ...]


@dataclass(frozen=True, slots=True)
class CatalogueTable:
    """The rows of a catalogue that a job refers to."""

    title: str
    file: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


@dataclass(frozen=True, slots=True)
class Source:
    """One file that the report was made from."""

    sheet: str
    file: str
    rows: str
    digest: str


@dataclass(frozen=True, slots=True)
class PageData:
    """Everything on the page, in reading order."""

    title: str
    date: date
    version: str
    workbook_name: str
    csv_name: str
    index_name: str
    answer: tuple[Part, ...]
    tiles: tuple[Tile, ...]
    cards_needed_note: str
    band_names: tuple[tuple[int, str], ...]
    bands: BandsFigure
    first: JobSection | None
    hardware: HardwareFigure
    table: JobTable
    jobs: tuple[JobSection, ...]
    jobs_note: str
    verdict: str
    checks_hold: bool
    checks: tuple[CheckResult, ...]
    warnings: tuple[str, ...]
    assumptions: tuple[Mapping[str, str], ...]
    catalogues: tuple[CatalogueTable, ...]
    glossary: tuple[Entry, ...]
    not_modelled: tuple[str, ...]
    sources: tuple[Source, ...]
