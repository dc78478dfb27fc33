"""Scales, ticks and labels as numbers; colours that are told apart in grey."""

from __future__ import annotations

import itertools
import re

import pytest

from reportgen.files import data_folder
from reportgen.page.charts import NARROW, WIDE, Amount, Bar, bars_picture
from reportgen.page.saying import linked, shortened
from reportgen.page.scales import Linear, Logarithmic, apart, round_down, round_up

PALETTE = (data_folder("templates") / "palette.css").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("value", "up", "down"), [(1, 1, 1), (1.2, 2, 1), (3, 5, 2), (7, 10, 5), (0.03, 0.05, 0.02), (1000, 1000, 1000)]
)
def test_round_numbers_enclose_a_value(value: float, up: float, down: float) -> None:
    assert round_up(value) == pytest.approx(up)
    assert round_down(value) == pytest.approx(down)


def test_linear_ticks_are_round_and_start_at_nothing() -> None:
    ticks = Linear(7305, 0, 1000).ticks(8, 0)
    assert [tick.text for tick in ticks] == ["0", "1,000", "2,000", "3,000", "4,000", "5,000", "6,000", "7,000"]
    assert ticks[0].at == 0
    assert ticks[-1].at <= 1000


def test_counts_have_no_ticks_between_whole_numbers() -> None:
    assert [tick.text for tick in Linear(2, 0, 100).ticks(4, 1)] == ["0", "1", "2"]


def test_a_logarithm_takes_the_same_length_for_the_same_factor() -> None:
    scale = Logarithmic(1, 1000, 300, 0)
    assert [scale.at(value) for value in (1, 10, 100, 1000)] == [300, 200, 100, 0]
    assert [tick.text for tick in scale.ticks()] == ["1", "10", "100", "1,000"]
    assert [tick.text for tick in Logarithmic(0.5, 5, 0, 1).ticks()] == ["0.5", "1", "2", "5"]


def test_labels_keep_apart_in_order_and_inside() -> None:
    places = apart([100, 100, 98, 300, 299], 14, 0, 300)
    assert all(second - first >= 14 for first, second in itertools.pairwise(sorted(places)))
    assert max(places) <= 300
    assert places[2] < places[0]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_parts_of_a_bar_touch_and_stay_inside(width: int) -> None:
    parts = tuple(Amount(value, band, "x") for band, value in enumerate((3.3, 0, 0.001, 9.7), 1))
    picture = bars_picture("k", [Bar("name", parts, "13 GB"), Bar("small", (Amount(1, 1, ""),), "1 GB")], "GB", width)
    pieces = picture.bars[0].pieces
    assert all(left.x + left.width == right.x for left, right in itertools.pairwise(pieces))
    assert pieces[0].x == picture.left
    assert pieces[-1].x + pieces[-1].width == picture.right
    assert picture.right + 9 * len("13 GB") <= picture.width


@pytest.mark.parametrize(("name", "short"), [("short", "short"), ("a" * 30, "a" * 9 + "…"), ("漢" * 9, "漢漢漢漢…")])
def test_a_long_name_is_shortened_by_its_width(name: str, short: str) -> None:
    assert shortened(name, 10) == short


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("see https://a.example/b?c=1, and http://d.example.", ["https://a.example/b?c=1", "http://d.example"]),
        ("mailto:a@b.example (or file:///c:/x)", ["mailto:a@b.example"]),
        ("javascript:alert(1) data:text/html,x JAVASCRIPT:x", []),
        ("https://", []),
    ],
)
def test_only_web_and_mail_addresses_are_links(text: str, links: list[str]) -> None:
    parts = list(linked(text))
    assert [part.href for part in parts if part.href] == links
    assert "".join(part.text for part in parts) == text


def lightness(colour: str) -> float:
    """Return the lightness L* of a colour, 0 black to 100 white."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return float(116 * luminance ** (1 / 3) - 16)


@pytest.mark.parametrize("mode", [0, 1, 2], ids=["light", "dark", "print"])
def test_bands_grow_lighter_so_that_grey_tells_them_apart(mode: int) -> None:
    bands = [re.findall(rf"--band-{number}: (#\w+)", PALETTE)[mode] for number in range(1, 6)]
    levels = [lightness(colour) for colour in bands]
    assert all(second - first >= 7 for first, second in itertools.pairwise(levels))
