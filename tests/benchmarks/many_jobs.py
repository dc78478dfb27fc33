"""Plans of any length: the jobs of inputs/plan.csv again and again, varied so that every column has something to do."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import Final

from reportgen.files import data_folder

FIRST_DAY: Final = date(2026, 1, 5)
CARDS: Final = ("H100", "A100-80", "GB200", "L4", "B200", "MI250X", "B200-192")
OFFERS: Final = {"H100": ("aws", "p5.48xlarge"), "L4": ("aws", "g6.48xlarge")}
"""Cloud prices that some jobs pay, by card."""
RECIPES: Final = ("mixed-16", "deepspeed-16", "autocast", "pure-32", "fsdp-mixed")
TARGETS: Final = ("all-linear", "attention", "query-value")


def write_plan(jobs: int, path: Path) -> Path:
    """Write a plan of so many jobs, always the same, and return its path."""
    rows = islice(_rows(), jobs)
    first = next(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(first))
        writer.writeheader()
        writer.writerow(first)
        writer.writerows(rows)
    return path


def _rows() -> Iterator[dict[str, str]]:
    """Yield jobs without end."""
    with (data_folder("inputs") / "plan.csv").open(encoding="utf-8", newline="") as file:
        patterns = list(csv.DictReader(file))
    number = 0
    while True:
        for pattern in patterns:
            yield _varied(pattern, number) | _variety_of_model(pattern, number)
            number += 1


def _varied(pattern: dict[str, str], number: int) -> dict[str, str]:
    """Return a job like the pattern under its own name, with its own cards, degrees, work and price."""
    tensor, pipeline = 2 ** (number // 12 % 3), 2 ** (number // 36 % 2)
    card = CARDS[number % len(CARDS)] if number % 2 else pattern["hardware"]
    provider, instance = OFFERS.get(card, ("", "")) if number % 3 == 0 else ("", "")
    return pattern | {
        "job": f"{pattern['job']} {number + 1}",
        "hardware": card,
        "tensor_parallel_degree": str(tensor),
        "pipeline_parallel_degree": str(pipeline),
        "interleaved_chunks": "2" if pipeline > 1 and number % 2 else "",
        "sequence_parallel": "yes" if tensor > 1 and number % 2 else "",
        "cards": str(tensor * pipeline * (1 + number % 64)) if number % 3 else "",
        "tokens": "" if number % 4 == 0 else f"{1 + number % 997}B",
        "hours": str(1 + number % 499) if number % 4 == 0 else "",
        "start": (FIRST_DAY + timedelta(days=number % 365)).isoformat(),
        "provider": provider,
        "instance_type": instance,
        "cost_centre": f"{pattern['cost_centre']} {number % 40}",
    }


def _variety_of_model(pattern: dict[str, str], number: int) -> dict[str, str]:
    """Return a count and a share for a model of one's own, a batch for one of the catalogue."""
    own = bool(pattern["parameters"])
    return {
        "model": "in-house" if own else pattern["model"],
        "parameters": f"{2 + number % 197}.{number % 10}B" if own else "",
        "trainable_share": f"{5 + number % 90}%"
        if own and number % 7 == 0 and not pattern["trainable_parameters"]
        else "",
        "recipe": RECIPES[number % len(RECIPES)] if number % 11 == 0 else pattern["recipe"],
        "lora_targets": TARGETS[number // 12 % len(TARGETS)] if pattern["lora_rank"] else "",
        "micro_batch_size": "" if own else str(1 + number % 3),
        "sequence_length": "" if own else str(1024 * (1 + number % 8)),
        "block": "gpt-eager-dropout-fp32" if not own and number % 13 == 0 else "",
        "activation_bytes": f"{1 + number % 8} GiB" if own and number % 5 == 0 else "",
    }
