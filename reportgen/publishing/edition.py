"""One plan as it is now, beside what the site has of it: whether it changed, what changed, what writes its files."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from reportgen.calculation.bill import BillOfMaterials
from reportgen.calculation.checks import HOLDS
from reportgen.calculation.ledger import Ledger
from reportgen.comparing.snapshot import TOTALS
from reportgen.errors import printable
from reportgen.files import digest_of, digest_of_folder, read_source, text_writer
from reportgen.listing import as_csv, ledger_columns
from reportgen.page.answer import kinds
from reportgen.page.render import render_page
from reportgen.publishing.change import change_since, in_words
from reportgen.publishing.state import ENDINGS, Change, Published
from reportgen.report import Report
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save

INDEX: Final = "index.html"

Writer = Callable[[Path], None]


@dataclass(frozen=True)
class Settings:
    """How a site is published; an empty title or address leaves what the site has.

    ``title`` is that of the plan, ``site_title`` that of the index, ``url`` the site's address for the feed.
    """

    day: date
    version: str
    templates: Sequence[Path]
    title: str = ""
    site_title: str = ""
    url: str = ""
    cards: tuple[str, ...] = ()
    force: bool = False


def slug(stem: str) -> str:
    """Return a plan's name as its folder and its files have it: letters and digits, hyphens between."""
    words = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFKC", stem).casefold()).strip("-")
    return words or "plan"


class Edition:
    """One plan as it is now.

    ``is_same`` says that it is made from the same as before, ``is_standing`` that its files stand as they were written.
    """

    def __init__(self, folder: Path, name: str, ledger: Ledger, former: Published | None, settings: Settings) -> None:
        self.name, self.former, self.settings = name, former, settings
        stem = Path(ledger.inputs.plan.file).stem
        title = settings.title or (former.title if former else "") or printable(stem)
        self.csv = "".join(as_csv(ledger, list(ledger_columns())))
        self.fingerprint = _fingerprint(ledger, title, self.csv, settings)
        self.is_same = former is not None and former.fingerprint == self.fingerprint
        day = date.fromisoformat(former.date) if former is not None and self.is_same else settings.day
        self.report = Report(ledger, title, day, settings.version, settings.cards)
        self.paths = {ending: folder / name / f"{name}.{ending}" for ending in ENDINGS}
        self.digests = {ending: digest_of(path) for ending, path in self.paths.items()}
        self.is_standing = former is not None and self.is_same and former.files == self.digests
        self.change = self._change()

    @property
    def is_news(self) -> bool:
        """Whether the feed tells of it: a new plan, or one of which a figure moved."""
        return not self.is_same and (self.former is None or bool(in_words(self.change)))

    def _change(self) -> Change:
        if self.former is None:
            return Change()
        if self.is_same:
            return self.former.change
        believed = self.digests["csv"] == self.former.files["csv"]
        old = read_source(self.paths["csv"])[1].decode() if believed else ""
        return change_since(self.former.date, old, self.csv, self.former.totals, _totals(self.report))

    def published(self) -> Published:
        """Return what the site remembers of it; the digests of its files come when they are written."""
        cards = {kind.hardware: kind.sums[BillOfMaterials.planned_cards] for kind in kinds(self.report)}
        return Published(
            name=self.name,
            title=self.report.title,
            date=self.report.date.isoformat(),
            fingerprint=self.fingerprint,
            files=self.former.files if self.former and self.is_standing else dict.fromkeys(ENDINGS, "0" * 64),
            totals=_totals(self.report),
            cards={hardware: number for hardware, number in cards.items() if number},
            checks_hold=all(check.verdict == HOLDS for check in self.report.checks),
            change=self.change,
        )

    def writers(self, digests: dict[str, str]) -> dict[Path, Writer]:
        """Return what writes each file; each puts the digest of what it wrote into ``digests``."""
        page = render_page(
            self.report, self.paths["xlsx"].name, list(self.settings.templates), self.paths["csv"].name, f"../{INDEX}"
        )
        plain: dict[str, Writer] = {
            "html": text_writer(page),
            "xlsx": lambda path: save(build_workbook(self.report), path, self.report.date),
            "csv": text_writer(self.csv),
        }
        return {self.paths[ending]: _noting(write, ending, digests) for ending, write in plain.items()}


def _noting(write: Writer, ending: str, digests: dict[str, str]) -> Writer:
    def write_and_note(path: Path) -> None:
        write(path)
        digests[ending] = digest_of(path)

    return write_and_note


def _fingerprint(ledger: Ledger, title: str, csv: str, settings: Settings) -> str:
    """Return a digest of all that the files of a plan are made from, but for the day."""
    sources = [(sheet.title, table.file, table.digest) for sheet, table in ledger.inputs.tables.items()]
    templates = [digest_of_folder(folder) for folder in settings.templates]
    return digest(json.dumps([settings.version, title, settings.cards, sources, templates, csv]))


def _totals(report: Report) -> dict[str, float | None]:
    values = report.ledger.values
    return {column.name: None if math.isnan(values[column].item()) else values[column].item() for column in TOTALS}


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
