"""What must hold between the columns of a row: a job must be sizeable, a model must be countable."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reportgen.calculation.bands import Calculation
from reportgen.calculation.ledger import Table, add_derived
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.errors import Problem
from reportgen.expression import Column, literal, match, pick
from reportgen.primitives import Array
from reportgen.reading.names import nearest
from reportgen.readings import evaluate

_ARCHITECTURE = (Models.vocabulary, Models.hidden_size, Models.layers, Models.heads)
_OPTIONAL = (
    Plan.parameters,
    Plan.trainable_parameters,
    Plan.lora_rank,
    Plan.micro_batch_size,
    Plan.sequence_length,
    Plan.activation_bytes,
)
_MODEL_ROW = Calculation.model_row


def model_problems(models: Table) -> Iterator[Problem]:
    """Yield what is wrong with models: without a given count they must be decoders whose sizes say it."""
    values = models.values
    counted = np.isnan(values[Models.parameters])
    is_decoder = values[Models.kind] == "decoder"
    yield from _where(
        models, counted & ~is_decoder, Models.parameters, "an empty cell", "a count, since only a decoder is counted"
    )
    counted = counted & is_decoder
    for size in _ARCHITECTURE:
        yield from _where(models, counted & (values[size] < 1), size, "no size", "a size, or a count under parameters")
    has_dense = values[Models.moe_layers] < values[Models.layers]
    needs_ffn = (values[Models.ffn_size] < 1) & (has_dense | (values[Models.expert_ffn_size] < 1))
    for wrong, column, found, expected in (
        (counted & needs_ffn, Models.ffn_size, "no size", "the inner width of the MLP"),
        (counted & (values[Models.head_dim] % 1 > 0), Models.head_dim, "a fraction", "the width of one head"),
        (
            values[Models.heads] % np.maximum(values[Models.kv_heads], 1) > 0,
            Models.kv_heads,
            "no divisor of heads",
            "one",
        ),
        (values[Models.moe_layers] > values[Models.layers], Models.moe_layers, "more than layers", "at most layers"),
        (
            values[Models.experts_per_token] > values[Models.experts],
            Models.experts_per_token,
            "more than experts",
            "at most experts",
        ),
    ):
        yield from _where(models, wrong, column, found, expected)


def plan_problems(plan: Table, models: Table) -> Iterator[Problem]:
    """Yield what is wrong with jobs whose cells are each right but do not go together."""
    values = {**plan.values, **models.values}
    add_derived(Models, values)
    row = evaluate(match(literal(Plan.model), Models.model), values)
    values[_MODEL_ROW] = row
    given = {column: ~np.isnan(values[column]) for column in _OPTIONAL}
    named = values[Plan.model] != ""
    yield from _where(
        plan, ~given[Plan.parameters] & ~named, Plan.model, "neither model nor parameters", "a model, or a count"
    )
    unknown = ~given[Plan.parameters] & named & (row == 0)
    for line, name in zip(plan.lines, np.where(unknown, values[Plan.model], "").tolist(), strict=True):
        if name:
            found = f"{name!r}, which {models.file} does not have"
            yield Problem(plan.file, line, Plan.model.name, found, nearest(name, models.values[Models.model].tolist()))
    sized = (_of_model(Models.layers, values) >= 1) & (_of_model(Models.hidden_size, values) >= 1)
    parameters = np.where(given[Plan.parameters], values[Plan.parameters], _of_model(Models.total_parameters, values))
    replica = values[Plan.tensor_parallel_degree] * values[Plan.pipeline_parallel_degree]
    with_batch = given[Plan.micro_batch_size] & given[Plan.sequence_length]
    for wrong, column, found, expected in (
        (
            given[Plan.lora_rank] & ~sized,
            Plan.lora_rank,
            "a rank for a model of unknown architecture",
            "a row of the models that has sizes",
        ),
        (
            given[Plan.lora_rank] & given[Plan.trainable_parameters],
            Plan.trainable_parameters,
            "a count beside lora_rank",
            "one of the two",
        ),
        (
            values[Plan.trainable_parameters] > parameters,
            Plan.trainable_parameters,
            "more than the model has",
            "at most its parameters",
        ),
        (
            given[Plan.micro_batch_size] & ~given[Plan.sequence_length],
            Plan.sequence_length,
            "an empty cell",
            "a length beside micro_batch_size",
        ),
        (
            given[Plan.sequence_length] & ~given[Plan.micro_batch_size],
            Plan.micro_batch_size,
            "an empty cell",
            "a size beside sequence_length",
        ),
        (
            with_batch & ~sized & ~given[Plan.activation_bytes],
            Plan.micro_batch_size,
            "a batch for a model of unknown architecture",
            "a row of the models that has sizes, or activation_bytes",
        ),
        (
            values[Plan.cards] % replica > 0,
            Plan.cards,
            "cards that do not fill whole replicas",
            "a multiple of tensor_parallel_degree × pipeline_parallel_degree",
        ),
    ):
        yield from _where(plan, wrong, column, found, expected)


def _of_model(column: Column, values: dict[Column, Array]) -> Array:
    return evaluate(pick(_MODEL_ROW, column, Plan.model), values)


def _where(table: Table, wrong: Array, column: Column, found: str, expected: str) -> Iterator[Problem]:
    for position in np.flatnonzero(wrong).tolist():
        yield Problem(table.file, table.lines[position], column.name, found, expected)
