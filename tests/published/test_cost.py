"""Nodes, hours, money and power, each beside its arithmetic by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from reportgen import calculate, read_plan
from reportgen.calculation.analysis import analyse
from reportgen.calculation.bill import BillOfMaterials, GroupTotals
from reportgen.calculation.ledger import Ledger
from reportgen.listing import ledger_columns

CARDS: Final = """\
hardware,label_memory,reported_memory,cards_per_node,peak_flops,watts,price_per_card_hour,price_per_card,price_date
big,80 GB,81920 MiB,8,1e15,700,2,30000,2026-07-20
plain,80 GB,81920 MiB,8,1e15,700,,,
"""
OFFERS: Final = """\
instance_type,provider,hardware,cards,price_per_hour,region,price_date
eight.big,acme,big,8,24,here,2026-08-03
"""
PLAN: Final = """\
job,parameters,hardware,zero_stage,cards,tokens,hours,provider,instance_type,group
nine cards,1B,big,3,9,,10,,,a
by tokens,1B,big,3,8,4.8T,,,,a
offered,1B,big,3,8,,10,acme,eight.big,b
unpriced,1B,plain,3,8,,10,,,
no work,1B,big,3,8,,,,,b
never,1T,big,0,,,10,,,
"""
BY_HAND: Final[dict[str, dict[str, float | None]]] = {
    "nine cards": {
        "nodes": 2,  # 9 on nodes of 8
        "bought_cards": 16,
        "stranded_cards": 7,
        "card_hours": 90,
        "rental_cost": 180,  # 90 card-hours at 2 USD
        "purchase_cost": 480_000,  # 16 cards at 30,000 USD
        "card_kw": 1.05,  # 700 W with 1.5 W of server for each
        "power_kw": 9 * 1.05 * 1.3,  # PUE 1.3
        "energy_kwh": 9 * 1.05 * 1.3 * 0.8 * 10,  # mean draw 80 %, 10 hours
        "capital_per_card_hour": 30_000 * 1.5 * (1 / 5 + 0.08 + 0.05) / (8760 * 0.7),
        "energy_per_card_hour": 1.05 * 0.8 * 0.1,  # the hosting price pays for cooling: no PUE
        "hosting_per_card_hour": 1.05 * 165 * 12 / (8760 * 0.7),
    },
    "by tokens": {
        "hours": 6 * 1e9 * 4.8e12 / (8 * 1e15 * 0.4) / 3600,  # 2,500 hours
        "card_hours": 20_000,
        "rental_cost": 40_000,
    },
    "offered": {"price_per_card_hour": 3, "rental_cost": 240},  # 24 USD for 8 cards, 80 card-hours
    "unpriced": {"card_hours": 80, "price_per_card_hour": None, "rental_cost": None, "purchase_cost": None},
    "no work": {"nodes": 1, "hours": None, "card_hours": None, "rental_cost": None, "energy_kwh": None},
    "never": {"nodes": None, "bought_cards": None, "card_hours": None, "rental_cost": None},
}


def written(folder: Path, **further: str) -> Path:
    """Write the inputs into a folder and return the path of the plan."""
    for name, text in {"plan": PLAN, "hardware": CARDS, "offers": OFFERS, **further}.items():
        (folder / f"{name}.csv").write_text(text)
    return folder / "plan.csv"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("cost")
    return calculate(read_plan(written(folder), cloud_prices=folder / "offers.csv", hardware=folder / "hardware.csv"))


def figure(ledger: Ledger, job: str, name: str) -> float | None:
    columns = ledger_columns()
    position = ledger.values[columns["job"]].tolist().index(job)
    value: float = ledger.values[columns[name]][position].item()
    return None if value != value else value  # noqa: PLR0124 - no figure is the only one that is not itself


@pytest.mark.parametrize(("job", "name"), [(job, name) for job, figures in BY_HAND.items() for name in figures])
def test_a_figure_of_cost_is_that_of_hand_arithmetic(ledger: Ledger, job: str, name: str) -> None:
    expected = BY_HAND[job][name]
    found = figure(ledger, job, name)
    assert found == (None if expected is None else pytest.approx(expected, rel=1e-12))


def test_pue_is_charged_where_no_hosting_is_paid(tmp_path: Path) -> None:
    shipped = (Path(__file__).parents[2] / "inputs" / "assumptions.csv").read_text(encoding="utf-8")
    plan = written(tmp_path, assumptions=shipped.replace("colocation_price,165,", "colocation_price,0,"))
    hardware, assumptions, offers = (tmp_path / f"{name}.csv" for name in ("hardware", "assumptions", "offers"))
    ledger = calculate(read_plan(plan, cloud_prices=offers, hardware=hardware, assumptions=assumptions))
    assert figure(ledger, "nine cards", "energy_per_card_hour") == pytest.approx(1.05 * 0.8 * 0.1 * 1.3, rel=1e-12)
    assert figure(ledger, "nine cards", "hosting_per_card_hour") == 0


def test_the_bill_adds_up_cards_and_groups(ledger: Ledger) -> None:
    analysis = analyse(ledger)
    bill = {
        name: analysis.values[column].tolist()
        for name, column in ((column.name, column) for column in BillOfMaterials.columns)
    }
    assert bill["hardware"][:3] == ["big", "plain", ""]
    assert bill["jobs"][:2] == [5, 1]
    assert bill["unplaced_jobs"][:2] == [1, 0]
    assert bill["planned_cards"][:2] == [9 + 8 + 8 + 8, 8]
    assert bill["bought_cards"][:2] == [16 + 8 + 8 + 8, 8]
    assert bill["rental_cost"][0] == 180 + 40_000 + 240
    assert bill["jobs_without_rent"][:2] == [2, 1]
    assert analysis.values[GroupTotals.group].tolist()[:3] == ["a", "b", ""]
    assert analysis.values[GroupTotals.group_rental_cost].tolist()[:2] == [180 + 40_000, 240]
