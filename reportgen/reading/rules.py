"""What must hold between the columns of a row: a job must be sizeable, a model must be countable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from reportgen.arrays import Array
from reportgen.calculation.bands import NO_ROW, Calculation, of_model
from reportgen.calculation.catalogues import CloudPrices, Hardware
from reportgen.calculation.ledger import CONSTANTS, Table, evaluate_on_demand
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.errors import Problem, kept
from reportgen.expression import Column, Expression, Number
from reportgen.functions import NO, YES, absolute, both, given, is_text, match, maximum, pick, where, whole
from reportgen.reading.names import unknown_names

MOST_CARDS: Final = 10**9
"""So many that the least common multiple of two such numbers is still exact."""


class Rule(NamedTuple):
    """A condition under which a row is wrong, the column to blame, what was found and what is expected."""

    wrong: Expression
    column: Column
    found: str
    expected: str


def _not(condition: Expression) -> Expression:
    return where(condition, NO, YES)


def _without_size(size: Column) -> Rule:
    wrong = both(_COUNTED, _not(size >= 1))
    return Rule(wrong, size, "no size", "a size, or a count under parameters")


def _no_divisor(number: Expression, divisor: Expression) -> Expression:
    """Yes where the division leaves a rest."""
    number, divisor = maximum(number, 1), maximum(divisor, 1)
    return absolute(whole(number / divisor) * divisor - number) > 0


def _too_many(number: Expression, column: Column) -> Rule:
    return Rule(number > MOST_CARDS, column, f"more than {MOST_CARDS:,} cards", f"at most {MOST_CARDS:,}")


_COUNTED = both(is_text(Models.kind, "decoder"), _not(given(Models.parameters)))
MODEL_RULES = (
    Rule(
        both(_not(is_text(Models.kind, "decoder")), _not(given(Models.parameters))),
        Models.parameters,
        "an empty cell",
        "a count, since only a decoder is counted",
    ),
    _without_size(Models.vocabulary),
    _without_size(Models.hidden_size),
    _without_size(Models.layers),
    _without_size(Models.heads),
    Rule(
        both(both(_COUNTED, Models.layers > Models.moe_layers), _not(Models.ffn_size >= 1)),
        Models.ffn_size,
        "no size",
        "the inner width of the MLP",
    ),
    Rule(
        both(both(_COUNTED, Models.moe_layers > 0), _not(maximum(Models.ffn_size, Models.expert_ffn_size) >= 1)),
        Models.expert_ffn_size,
        "no size",
        "the inner width of an expert",
    ),
    Rule(
        both(_COUNTED, Models.head_dim > whole(Models.head_dim)), Models.head_dim, "a fraction", "the width of one head"
    ),
    Rule(_no_divisor(Models.heads, Models.kv_heads), Models.kv_heads, "no divisor of heads", "one"),
    Rule(Models.moe_layers > Models.layers, Models.moe_layers, "more than layers", "at most layers"),
    Rule(Models.experts_per_token > Models.experts, Models.experts_per_token, "more than experts", "at most experts"),
)

HARDWARE_RULES = (
    Rule(
        Hardware.lone_usable_bytes <= Number(0, "byte"),
        Hardware.label_memory,
        "a card smaller than what driver, context and fragmentation take",
        "more, or smaller reserves under the assumptions",
    ),
    _too_many(Hardware.cards_per_node, Hardware.cards_per_node),
)

_SIZED = both(
    of_model(Calculation.model_row, Models.layers) >= 1, of_model(Calculation.model_row, Models.hidden_size) >= 1
)
_OFFER = match(Plan.instance_type, CloudPrices.instance_type)
_WAYS = Plan.tensor_parallel_degree * Plan.pipeline_parallel_degree
PLAN_RULES = (
    _too_many(Plan.cards, Plan.cards),
    _too_many(_WAYS, Plan.tensor_parallel_degree),
    Rule(
        both(_not(given(Plan.parameters)), is_text(Plan.model, "")),
        Plan.model,
        "neither model nor parameters",
        "a model, or a count",
    ),
    Rule(
        both(given(Plan.lora_rank), _not(_SIZED)),
        Plan.lora_rank,
        "a rank for a model of unknown architecture",
        "a row of the models that has sizes",
    ),
    Rule(
        both(given(Plan.lora_rank), given(Plan.trainable_parameters)),
        Plan.trainable_parameters,
        "a count beside lora_rank",
        "one of the two",
    ),
    Rule(
        Plan.trainable_parameters > Calculation.parameters,
        Plan.trainable_parameters,
        "more than the model has",
        "at most its parameters",
    ),
    Rule(
        both(given(Plan.micro_batch_size), _not(given(Plan.sequence_length))),
        Plan.sequence_length,
        "an empty cell",
        "a length beside micro_batch_size",
    ),
    Rule(
        both(given(Plan.sequence_length), _not(given(Plan.micro_batch_size))),
        Plan.micro_batch_size,
        "an empty cell",
        "a size beside sequence_length",
    ),
    Rule(
        both(both(given(Plan.micro_batch_size), _not(given(Plan.activation_bytes))), _not(_SIZED)),
        Plan.micro_batch_size,
        "a batch for a model of unknown architecture",
        "a row of the models that has sizes, or activation_bytes",
    ),
    Rule(
        _no_divisor(Plan.cards, _WAYS),
        Plan.cards,
        "cards that do not fill whole replicas",
        "a multiple of tensor_parallel_degree × pipeline_parallel_degree",
    ),
    Rule(
        both(_OFFER > NO_ROW, _not(is_text(Plan.hardware, pick(_OFFER, CloudPrices.hardware, Plan.instance_type)))),
        Plan.instance_type,
        "an instance with other cards",
        "one with the job's hardware",
    ),
    Rule(
        both(
            both(_OFFER > NO_ROW, _not(is_text(Plan.provider, ""))),
            _not(is_text(Plan.provider, pick(_OFFER, CloudPrices.provider, Plan.instance_type))),
        ),
        Plan.provider,
        "another provider than the instance's",
        "the provider that rents it",
    ),
)


def model_problems(models: Table) -> Iterator[Problem]:
    """Yield what is wrong with models: without a given count they must be decoders whose sizes say it."""
    return _broken(models, MODEL_RULES, dict(models.values))


def hardware_problems(hardware: Table, assumptions: Mapping[Column, float]) -> Iterator[Problem]:
    """Yield what is wrong with cards: one that has nothing left for a job cannot be planned with."""
    values = {**hardware.values, **{name: np.asarray(value) for name, value in assumptions.items()}}
    values |= {constant: np.asarray(constant.value, dtype=np.float64) for constant in CONSTANTS}
    return _broken(hardware, HARDWARE_RULES, values)


def plan_problems(plan: Table, models: Table, prices: Table) -> Iterator[Problem]:
    """Yield what is wrong with jobs whose cells are each right but do not go together."""
    values = {**plan.values, **models.values, **prices.values}
    named = (values[Plan.model] != "") & np.isnan(values[Plan.parameters])
    unfound = named & (evaluate_on_demand(Calculation.model_row, values) == 0)
    if unfound.any():
        unknown = np.where(unfound, values[Plan.model], "")
        yield from unknown_names(plan, Plan.model, unknown, dict.fromkeys(unknown[unfound].tolist()), models)
    yield from _broken(plan, PLAN_RULES, values)


def _broken(table: Table, rules: tuple[Rule, ...], values: dict[Column, Array]) -> Iterator[Problem]:
    for rule in rules:
        wrong = np.flatnonzero(evaluate_on_demand(rule.wrong, values) == 1).tolist()
        yield from kept(
            Problem(table.file, table.lines[position], rule.column.name, rule.found, rule.expected)
            for position in wrong
        )
