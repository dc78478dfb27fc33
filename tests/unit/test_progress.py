"""The line that says how far a long piece of work is."""

from __future__ import annotations

import io

import pytest

from reportgen.progress import Progress, duration


class Terminal(io.StringIO):
    """A terminal that remembers all that was written to it."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """What stood in the line, one after the other."""
        return [line.rstrip() for line in self.getvalue().split("\r")[1:]]


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_nothing_is_said_within_the_first_second() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress("sweep", 100, stream=terminal, clock=clock) as progress:
        clock.now += 0.9
        progress.advance(90)
    assert (terminal.getvalue(), progress.done) == ("", 90)


def test_it_says_what_is_done_how_fast_and_how_long_it_takes() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress("sweep", 10_000, "combinations", terminal, clock) as progress:
        clock.now += 2
        progress.advance(2_500)
        assert terminal.lines == ["sweep: 2,500 of 10,000 combinations, 1,250 a second, 6 s left"]


def test_it_is_gone_at_the_end_even_after_an_error() -> None:
    terminal, clock = Terminal(), Clock()

    def work() -> None:
        with Progress("build", 10, stream=terminal, clock=clock) as progress:
            clock.now += 2
            progress.advance(1)
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        work()
    assert terminal.getvalue().endswith("\r" + " " * len(terminal.lines[0]) + "\r")


def test_it_speaks_at_most_five_times_a_second() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress("read", 1_000, stream=terminal, clock=clock) as progress:
        for _ in range(200):
            clock.now += 0.01
            progress.advance(1)
        assert len(terminal.lines) in (5, 6)


def test_a_shorter_line_leaves_nothing_of_a_longer_one() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress("read", 1_000_000, stream=terminal, clock=clock) as progress:
        clock.now += 2
        progress.advance(2)
        clock.now += 1
        progress.advance(999_998)
        first, second = terminal.getvalue().split("\r")[1:]
        assert len(second) >= len(first.rstrip())


def test_a_line_is_no_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    terminal, clock = Terminal(), Clock()
    with Progress("read", 1_000_000, stream=terminal, clock=clock) as progress:
        clock.now += 2
        progress.advance(500_000)
        assert terminal.lines == ["read: 500,000 of 1,000,000 ro"]


def test_more_than_the_total_and_a_total_of_nothing_do_no_harm() -> None:
    terminal, clock = Terminal(), Clock()
    with Progress("read", 0, stream=terminal, clock=clock) as progress:
        clock.now += 2
        progress.advance(4)
        assert terminal.lines == ["read: 4 of 0 rows, 2 a second"]


def test_nothing_is_said_where_nobody_watches() -> None:
    stream, clock = io.StringIO(), Clock()
    with Progress("sweep", 100, stream=stream, clock=clock) as progress:
        clock.now += 5
        progress.advance(50)
    assert (stream.getvalue(), progress.seconds) == ("", 5.0)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3599, "59 min 59 s"), (3_660_000, "1,016 h 40 min")],
)
def test_a_duration_has_two_units(seconds: float, said: str) -> None:
    assert duration(seconds) == said
