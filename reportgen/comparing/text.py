"""A difference as plain text, for a terminal, a mail, a review."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reportgen.comparing.difference import Difference, LoneJob
from reportgen.comparing.saying import NOTHING_GIVEN, Moved, counted, given, moved, said_alone, which
from reportgen.errors import printable


def difference_as_text(difference: Difference) -> str:
    """Return all that differs: totals, then the jobs that are added, removed, changed."""
    lines = [f"{printable(difference.old.name)} → {printable(difference.new.name)}", counted(difference)]
    lines += _section("Totals", _rows(map(moved, difference.totals), "  "))
    lines += _section("Added", _lone("+", difference.added))
    lines += _section("Removed", _lone("-", difference.removed))
    lines += _section("Changed", _changed(difference))
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return ["", title, *found] if found else []


def _lone(mark: str, jobs: Sequence[LoneJob]) -> Iterator[str]:
    figures = [[said_alone(value, column) for column, value in job.figures] for job in jobs]
    heads = [_head(mark, job.job, job.number) for job in jobs]
    yield from _table([(head, *cells) for head, cells in zip(heads, figures, strict=True)], "")


def _changed(difference: Difference) -> Iterator[str]:
    for job in difference.changed:
        yield _head("~", job.job, job.number)
        yield from _rows(map(given, job.given), "    * ")
        if job.followed:
            yield f"    {NOTHING_GIVEN}"
            yield from _rows(map(moved, job.followed), "    * ")
        yield from _rows(map(moved, job.figures), "      ")


def _head(mark: str, job: str, number: int) -> str:
    return f"  {mark} {printable(job)}" + (f" ({which(number)})" if which(number) else "")


def _rows(rows: Iterable[Moved], indent: str) -> Iterator[str]:
    yield from _table([(row.label, f"{row.old} → {row.new}", row.change, row.share) for row in rows], indent)


def _table(rows: Sequence[Sequence[str]], indent: str) -> Iterator[str]:
    """Yield rows with their cells under each other, as wide as the widest that is not beyond reason."""
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(min(len(cell), 60) for cell in column) for column in zip(*shown, strict=True)]
    for row in shown:
        yield (indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))).rstrip()
