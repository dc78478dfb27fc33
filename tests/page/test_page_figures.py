"""Every figure on the page is the ledger's; rounding never changes a verdict; the curve is the ledger elsewhere."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest
from pages import DAY, SMALL, hostile_ledger, ledger_of, page_of

from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import Ledger
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.calculation.totals import Totals
from reportgen.listing import ledger_columns, records
from reportgen.page.answer import answer, kinds
from reportgen.page.curves import DEGREES, curves
from reportgen.page.jobs import job_sections
from reportgen.page.saying import at_a_glance, gigabytes
from reportgen.page.table import bands_figure
from reportgen.report import Report
from reportgen.units import GB, TEXT
from reportgen.wording import Figures, explain


class Reader(HTMLParser):
    """The page read back: rows of the table of jobs, steps of each job, tiles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.heads: list[str] = []
        self.rows: list[list[tuple[str, str | None]]] = []
        self.steps: dict[str, dict[str, str]] = {}
        self.tiles: dict[str, str] = {}
        self._in_table = self._in_glossary = False
        self._job = self._name = self._text = ""
        self._exact: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "table":
            self._in_table = given.get("id") == "jobs-table"
        elif tag == "th" and self._in_table and "data-name" in given:
            self.heads.append(str(given["data-name"]))
        elif tag == "tr" and self._in_table and "data-fits" in given:
            self.rows.append([])
        elif tag == "details" and given.get("class") == "job":
            self._job = str(given["id"])
            self.steps[self._job] = {}
        elif tag in {"dt", "td", "th", "strong", "dd"}:
            self._exact = given.get("data-v")
            self._text = "" if tag != "strong" else self._text
        if tag in {"td", "th", "strong"}:
            self._text = ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"} and self._in_table and self.rows:
            self.rows[-1].append((self._text, self._exact))
        elif tag == "dt":
            self._name = self._text.strip()
        elif tag == "strong" and self._job:
            self.steps[self._job][self._name] = self._text
        elif tag == "dd" and not self.steps:
            self.tiles[self._name] = " ".join(self._text.split())
        elif tag == "section":
            self._job = ""


@pytest.fixture(scope="module")
def read(page: str) -> Reader:
    """The small page, read back."""
    return Reader(page)


def test_every_cell_of_the_table_is_the_ledgers(read: Reader, ledger: Ledger) -> None:
    known = ledger_columns()
    names = [name for name in read.heads if name in known and name not in {"job", "fits"}]
    exact = list(records(ledger, names))
    assert len(names) > 40
    for position, row in enumerate(read.rows):
        cells = dict(zip(read.heads, row, strict=True))
        for name in names:
            column, text = known[name], cells[name]
            value = ledger.values[column][position]
            assert text[0] == at_a_glance(value if column.unit == TEXT else float(value), column), name
            if column.unit != TEXT:
                assert text[1] == ("" if exact[position][name] is None else repr(exact[position][name])), name


def test_every_step_of_every_job_is_the_ledgers(read: Reader, ledger: Ledger) -> None:
    known = ledger_columns()
    for position in range(len(SMALL.splitlines()) - 1):
        said = read.steps[f"job-{position + 1}"]
        row = ledger.row(position)
        expected = {
            step.name: step.result
            for step in explain(Figures(ledger, [position]).of(0))
            if known[step.name].unit == "yes or no" or row[known[step.name]].item() != 0
        }
        assert said == expected


def test_tiles_are_the_totals(read: Reader, ledger: Ledger) -> None:
    total = dict(Report(ledger, "", DAY, "").totals)
    assert read.tiles["fits"] == "✓ 3 of 5 jobs"
    assert read.tiles["does not fit"] == "✗ 2 of 5 jobs"
    assert read.tiles["planned cards"].split()[0] == f"{total[Totals.total_planned_cards]:,.0f}"
    footprint = at_a_glance(total[Totals.total_training_footprint_gb], Totals.total_training_footprint_gb)
    assert read.tiles["training footprint"].startswith(f"{footprint} GB")


def test_the_first_sentence_counts_cards_and_verdicts(ledger: Ledger) -> None:
    report = Report(ledger, "", DAY, "")
    said = "".join(part.text for part in answer(report, kinds(report)))
    cards = [kind.sums for kind in kinds(report)]
    assert said.startswith("5 jobs are planned on ")
    assert said.endswith("2 jobs do not fit.")
    assert sum(next(iter(sums.values())) for sums in cards) == dict(report.totals)[Totals.total_planned_cards]


@pytest.mark.parametrize(("over", "verdict", "headroom"), [(0, "fits", "0"), (1, "does not fit", ">-0.01")])
def test_one_byte_too_much_does_not_fit_however_it_is_rounded(over: int, verdict: str, headroom: str) -> None:
    """The job is filled to the last byte of the usable memory, then by one byte more."""
    plan = "job,model,parameters,hardware,zero_stage,cards,activation_bytes\nfull,own,1B,H100,0,1,{}\n"
    ledger = ledger_of(plan.format(0))
    room = ledger.values[Sharding.headroom_bytes].item()
    page = Reader(page_of(ledger_of(plan.format(f"{room + over:.0f}"))))
    cells = dict(zip(page.heads, page.rows[0], strict=True))
    assert (cells["fits"][0], cells["headroom_bytes"][0]) == (verdict, headroom)
    assert cells["card_total_bytes"][0] == cells["usable_bytes"][0]
    assert cells["headroom_bytes"][1] == str(-over)


@pytest.mark.parametrize(
    ("value", "shown"), [(0, "0"), (1, "<0.01"), (-1, ">-0.01"), (0.01 * GB, "0.01"), (1e15, "1,000,000")]
)
def test_what_is_not_nothing_never_reads_as_nothing(value: float, shown: str) -> None:
    assert gigabytes(value) == shown


def test_a_curve_is_what_the_ledger_says_of_the_job_on_those_cards() -> None:
    header = "job,model,parameters,hardware,tp,micro_batch_size,seq,zero_stage,cards\n"
    job = "one,Llama-2 70B,,H100,4,1,4096,"
    curve = curves(ledger_of(f"{header}other,own,1B,L4,1,,,3,\n{job}3,\n"), [1])[0]
    plan = header + "".join(f"{job}{stage},{4 * degree}\n" for degree in DEGREES for stage in range(4))
    values = ledger_of(plan).values
    flat = [value for row in curve.totals for value in row]
    assert flat == values[Sharding.card_total_bytes].tolist()
    assert [float(fit) for row in curve.fits for fit in row] == values[Sharding.fits].tolist()
    assert list(curve.usable) == values[Sharding.usable_bytes].tolist()[::4]
    assert curve.cards == tuple(4.0 * degree for degree in DEGREES)


def test_a_curve_never_rises_and_higher_stages_lie_lower(ledger: Ledger) -> None:
    for section in job_sections(ledger, list(range(5))):
        assert section.curve is not None
        for line in section.curve.lines:
            heights = [int(point.split(",")[1]) for point in line.points.split()]
            assert heights[1:] == sorted(heights[1:])


def test_the_bands_of_a_job_add_up(ledger: Ledger) -> None:
    for section in job_sections(ledger, list(range(5))):
        shares = sum(float(band.share.rstrip("%")) for band in section.bands)
        assert math.isclose(shares, 100, abs_tol=0.3)


def test_a_name_of_the_user_is_text_in_every_place() -> None:
    page = page_of(hostile_ledger())
    outside = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    assert re.findall(r"<script|<img|onerror=\"|<h1>out", outside) == []
    links = re.findall(r'href="([^"]*)"', outside)
    assert all(link.startswith(("#", "https://", "http://", "data:,", "plan.xlsx")) for link in links)
    assert "https://example.org/a?b=1&amp;c=2" in links


def test_characters_that_html_forbids_are_replaced() -> None:
    page = page_of(ledger_of("job,model,parameters,hardware\nodd\ufdd0 and \ufdefmore,own,1B,H100\n"))
    assert "odd\ufffd and \ufffdmore" in page
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufdd0-\ufdef]", page) == []


def test_footprints_on_the_page_are_sorted(ledger: Ledger) -> None:
    columns = (ledger.values[Calculation.training_footprint_bytes], ledger.values[Plan.job])
    order = sorted(zip(*(column.tolist() for column in columns), strict=True), reverse=True)
    assert [job for job, _ in bands_figure(ledger).rows] == [job for _, job in order]
