"""Writes docs/accuracy.md: every published or measured case beside our figure.

python tests/published/accuracy.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from sources import SOURCES, Case, Figure, Source

PAGE: Final = Path(__file__).parents[2] / "docs" / "accuracy.md"
STILL_OFF: Final = Path(__file__).parent / "still_off.md"

HEAD: Final = """\
# How near the figures are

Each case below is a figure that somebody published or measured, or arithmetic done by hand, beside the figure that
reportgen gives for the same job. The test run prints this page and fails where it is stale or a figure is off. The
expected numbers stand in `tests/published/*.csv`; to accept a change of ours, run `make accuracy` and read the
difference.
"""


def page() -> str:
    """Return the whole page."""
    listed = [(source, source.cases()) for source in SOURCES]
    parts = [HEAD, "\n".join(_overview(listed))]
    parts += ["\n".join(_section(source, cases)) for source, cases in listed]
    return "\n\n".join(part.strip() for part in (*parts, STILL_OFF.read_text(encoding="utf-8"))) + "\n"


def _overview(listed: list[tuple[Source, list[Case]]]) -> Iterator[str]:
    yield from ("| source | cases | exact | worst difference |", "| --- | ---: | ---: | ---: |")
    for source, cases in listed:
        yield f"| {source.title} | {len(cases)} | {_exact(cases)} | {_worst(cases)} |"


def _section(source: Source, cases: list[Case]) -> Iterator[str]:
    yield from (f"## {source.title}", "", f"{source.origin}.", "")
    if source.listed:
        yield from _table(cases)
        return
    yield from ("| group | cases | exact | worst difference |", "| --- | ---: | ---: | ---: |")
    for group, members in groupby(sorted(cases, key=lambda case: case.group), key=lambda case: case.group):
        grouped = list(members)
        yield f"| {group} | {len(grouped)} | {_exact(grouped)} | {_worst(grouped)} |"
    apart = [case for case in cases if case.why or abs(case.difference) > source.tolerance]
    if apart:
        yield from ("", "Apart from the others:", "")
        yield from _table(apart)


def _table(cases: list[Case]) -> Iterator[str]:
    yield from ("| case | figure | published or measured | ours | difference |", "| --- | --- | ---: | ---: | ---: |")
    for case in cases:
        name = f"{case.name}: {case.why}" if case.why else case.name
        yield f"| {name} | {case.quantity} | {_said(case.expected)} | {_said(case.ours)} | {_difference(case)} |"


def _exact(cases: list[Case]) -> int:
    return sum(case.difference == 0 for case in cases)


def _worst(cases: list[Case]) -> str:
    return _difference(max((case for case in cases if not case.why), key=lambda case: abs(case.difference)))


def _difference(case: Case) -> str:
    if case.difference == 0:
        return "none"
    if isinstance(case.ours, str) or isinstance(case.expected, str):
        return "another text"
    share = 100 * case.difference
    return f"{share:+.0f} %" if abs(share) >= 10 else f"{share:+.2g} %"


def _said(figure: Figure) -> str:
    if isinstance(figure, str):
        return figure
    return f"{figure:,.0f}" if figure == int(figure) else f"{figure:,.6g}"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
