"""One section a job: its verdict in a sentence, its bands, its card, its stages, its arithmetic in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from reportgen.arrays import Array
from reportgen.calculation.activations import Activations
from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import Ledger
from reportgen.calculation.memory import Memory
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Column
from reportgen.listing import ledger_columns
from reportgen.page.curves import DEGREES, Curve, curves
from reportgen.page.data import BandRow, CurveRow, JobSection, StageRow, StepGroup
from reportgen.page.lines import CurvePicture, curve_picture
from reportgen.page.saying import DOES_NOT_FIT, FITS, Part, at_a_glance, gigabytes
from reportgen.page.table import BANDS, anchor
from reportgen.units import YES_NO
from reportgen.wording import FigureOf, Figures, Step, amount, arithmetic, explain, figure, result

_STAGES: Final = (
    ("nothing", Sharding.zero0_card_bytes, Sharding.zero0_min_cards),
    ("optimizer states", Sharding.zero1_card_bytes, Sharding.zero1_min_cards),
    ("optimizer states, gradients", Sharding.zero2_card_bytes, Sharding.zero2_min_cards),
    ("optimizer states, gradients, parameters", Sharding.zero3_card_bytes, Sharding.zero3_min_cards),
)

_CARD: Final = (
    ("memory of the card", Memory.reported_bytes),
    ("usable of it", Sharding.usable_bytes),
    ("training state", Sharding.card_state_bytes),
    ("gradient buckets", Sharding.gradient_bucket_bytes),
    ("activations", Activations.activation_bytes),
    ("gathered parameters", Sharding.live_parameter_bytes),
    ("temporaries of the step", Sharding.step_temporary_bytes),
    ("all on the fullest card", Sharding.card_total_bytes),
    ("headroom", Sharding.headroom_bytes),
)
"""What a card has and holds; what is nothing is not said."""

Job = Mapping[Column, Array]


def job_sections(ledger: Ledger, positions: list[int]) -> tuple[JobSection, ...]:
    """Return the sections of these jobs."""
    figures = Figures(ledger, positions)
    return tuple(
        _section(ledger.row(position), anchor(position), figures.of(place), curve)
        for place, (position, curve) in enumerate(zip(positions, curves(ledger, positions), strict=True))
    )


def _section(job: Job, key: str, figure_of: FigureOf, curve: Curve) -> JobSection:
    return JobSection(
        anchor=key,
        job=job[Plan.job].item(),
        fits=job[Sharding.fits].item() == 1,
        headline=_headline(job),
        sentence=tuple(_sentence(job)),
        bands=tuple(_bands(job, figure_of)),
        card=tuple((name, result(job[column].item(), column)) for name, column in _CARD if job[column].item() != 0),
        stages=tuple(
            StageRow(
                stage,
                divides,
                gigabytes(job[state].item()),
                figure(job[fewest].item(), fewest),
                stage == job[Plan.zero_stage].item(),
            )
            for stage, (divides, state, fewest) in enumerate(_STAGES)
        ),
        stages_note=_stages_note(job),
        curve=_picture(key, job, curve),
        curve_rows=tuple(_curve_rows(curve)),
        arithmetic=tuple(_arithmetic(figure_of, job)),
    )


def _said(job: Job, column: Column) -> str:
    return amount(job[column].item(), column)


def _headline(job: Job) -> str:
    footprint = f"{gigabytes(job[Calculation.training_footprint_bytes].item())} GB of training state"
    planned = job[Sharding.planned_cards].item()
    return footprint if math.isnan(planned) else f"{footprint}, {_said(job, Sharding.planned_cards)} planned"


def _sentence(job: Job) -> Iterator[Part]:
    """Yield what the job is, what it holds, and whether it fits, with the reason."""
    yield Part(f"{_said(job, Calculation.parameters)} with ")
    yield Part(job[Plan.optimizer].item(), is_name=True)
    yield Part(" in the recipe ")
    yield Part(job[Plan.recipe].item(), is_name=True)
    yield Part(" on ")
    yield Part(job[Plan.hardware].item(), is_name=True)
    yield Part(f" at ZeRO stage {figure(job[Plan.zero_stage].item(), Plan.zero_stage)}. ")
    yield Part(f"By the label on the card the training state alone takes {_said(job, Calculation.cards_needed)}; ")
    if math.isnan(job[Sharding.min_cards].item()):
        yield Part("of usable memory no number of cards is enough: ")
    else:
        yield Part(f"of usable memory the smallest number that fits is {_said(job, Sharding.min_cards)}: ")
    yield Part(f"{job[Sharding.binding].item()}. ")
    if not math.isnan(job[Sharding.planned_cards].item()):
        yield Part(_on_planned_cards(job))


def _on_planned_cards(job: Job) -> str:
    held, usable, left = (
        job[column].item() for column in (Sharding.card_total_bytes, Sharding.usable_bytes, Sharding.headroom_bytes)
    )
    fits = job[Sharding.fits].item() == 1
    rest = f"{gigabytes(abs(left))} GB {'to spare' if fits else 'too much'}"
    return (
        f"On {_said(job, Sharding.planned_cards)} the fullest card holds {gigabytes(held)} GB "
        f"where {gigabytes(usable)} GB are usable: it {FITS if fits else DOES_NOT_FIT}, with {rest}."
    )


def _bands(job: Job, figure_of: FigureOf) -> Iterator[BandRow]:
    footprint = job[Calculation.training_footprint_bytes].item()
    for number, (band, name) in enumerate(BANDS, 1):
        if value := job[band].item():
            share = at_a_glance(value / footprint, Calculation.optimizer_share)
            yield BandRow(number, name, arithmetic(band, figure_of), gigabytes(value), share)


def _stages_note(job: Job) -> str:
    if math.isnan(job[Sharding.planned_cards].item()):
        return "No number of planned cards, so stages 1 to 3 have no degree to divide by."
    degree = figure(job[Sharding.data_parallel_degree].item(), Sharding.data_parallel_degree)
    split = _said(job, Memory.model_parallel_degree)
    return f"On {_said(job, Sharding.planned_cards)}: data-parallel degree {degree}, each replica on {split}."


def _picture(key: str, job: Job, curve: Curve) -> CurvePicture | None:
    """Return the picture of a job's curve; None where a card would hold nothing, which no logarithm can show."""
    if not all(value > 0 for row in (curve.usable, *curve.totals) for value in row):
        return None
    degree, held = job[Sharding.data_parallel_degree].item(), job[Sharding.card_total_bytes].item()
    planned = None if math.isnan(degree) or math.isnan(held) else (degree, held)
    return curve_picture(f"curve-{key}", curve, int(job[Plan.zero_stage].item()), planned)


def _curve_rows(curve: Curve) -> Iterator[CurveRow]:
    for degree, cards, usable, totals, fits in zip(
        DEGREES, curve.cards, curve.usable, curve.totals, curve.fits, strict=True
    ):
        stages = tuple((gigabytes(value), fit) for value, fit in zip(totals, fits, strict=True))
        yield CurveRow(f"{degree:,}", figure(cards, Sharding.planned_cards), stages, gigabytes(usable))


def _arithmetic(figure_of: FigureOf, job: Job) -> Iterator[StepGroup]:
    """Yield the arithmetic sheet by sheet; figures that are nothing for this job only by their names."""
    known = ledger_columns()
    steps: dict[str, list[Step]] = {}
    zeros: dict[str, list[str]] = {}
    for step in explain(figure_of):
        column = known[step.name]
        title = column.sheet.title if column.sheet else ""
        steps.setdefault(title, [])
        zeros.setdefault(title, [])
        if column.unit != YES_NO and job[column].item() == 0:
            zeros[title].append(step.name)
        else:
            steps[title].append(step)
    for title, some in steps.items():
        yield StepGroup(title, tuple(some), tuple(zeros[title]))
