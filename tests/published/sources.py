"""What papers print and what was measured, each figure beside ours: data in, cases out.

The expected numbers stand in the CSV files of this folder. They come from papers, from measurements and from arithmetic
by hand, never from reportgen.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import numpy as np

from reportgen import Ledger, calculate, read_plan
from reportgen.arrays import Array
from reportgen.calculation.models import Models
from reportgen.expression import Column
from reportgen.files import data_folder
from reportgen.listing import ledger_columns

Row: TypeAlias = Mapping[str, str]
Figure: TypeAlias = float | str

BYTES_IN_GB, BYTES_IN_GIB = 10**9, 2**30


@dataclass(frozen=True)
class Case:
    """One figure of a source beside ours; ``why`` says why the two may differ, where they may."""

    group: str
    name: str
    quantity: str
    expected: Figure
    ours: Figure
    why: str = ""

    @property
    def difference(self) -> float:
        """Ours less theirs, as a share of theirs; of two texts, whether they differ."""
        if isinstance(self.ours, str) or isinstance(self.expected, str):
            return float(self.ours != self.expected)
        return (self.ours - self.expected) / (abs(self.expected) or 1)


@dataclass(frozen=True)
class Source:
    """Where cases come from, how near ours must be to them, and whether the page lists each of them."""

    title: str
    origin: str
    cases: Callable[[], list[Case]]
    tolerance: float = 0
    listed: bool = False


# --- from texts to figures -------------------------------------------------------------------------------------------


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a file of this folder."""
    return list(csv.DictReader((Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()))


def csv_text(records: Iterable[Mapping[str, object]]) -> str:
    """Return records as CSV; cells that only some of them have are empty in the others."""
    listed = list(records)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for one in listed for name in one)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return text.getvalue()


def ledger_of(jobs: Iterable[Mapping[str, object]], models: Iterable[Mapping[str, object]] = ()) -> Ledger:
    """Return every figure of some jobs; models that are given stand in for the shipped ones."""
    with TemporaryDirectory() as folder:
        plan, catalogue = Path(folder, "plan.csv"), Path(folder, "models.csv")
        plan.write_text(csv_text(jobs), encoding="utf-8")
        catalogue.write_text(csv_text(models), encoding="utf-8")
        return calculate(read_plan(plan, models=catalogue if models else None))


def figures(ledger: Ledger, name: str) -> Array:
    """Return a column of the jobs by its name in ``reportgen table``."""
    return ledger.values[ledger_columns()[name]]


def figure(ledger: Ledger, name: str, position: int) -> Figure:
    """Return one figure as the report shows it: where there is none, the word that stands for it."""
    value = figures(ledger, name)[position]
    if isinstance(value, str):
        return value
    return ledger_columns()[name].absent if np.isnan(value) else float(value)


def shipped(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped catalogue."""
    return list(csv.DictReader((data_folder("inputs") / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


# --- the ZeRO paper and statements by hand ---------------------------------------------------------------------------


def zero_paper() -> list[Case]:
    """Every cell of the figure and the table: whole bytes on the fullest card, decimal GB."""
    cells = rows("zero_paper.csv")
    ledger = ledger_of(
        {
            "parameters": cell["parameters"],
            "hardware": "H100",
            "zero_stage": cell["zero_stage"],
            "cards": cell["data_parallel_degree"],
        }
        for cell in cells
    )
    return [
        Case(
            f"{float(cell['parameters']) / BYTES_IN_GB:g}B parameters",
            f"{cell['where']}, {float(cell['parameters']) / BYTES_IN_GB:g}B, {cell['data_parallel_degree']} cards, "
            f"printed {cell['printed_gb']} GB",
            f"zero{cell['zero_stage']}_card_bytes",
            float(ceil(Fraction(cell["exact_gb"]) * BYTES_IN_GB)),
            figure(ledger, f"zero{cell['zero_stage']}_card_bytes", position),
        )
        for position, cell in enumerate(cells)
    ]


STATEMENTS: Final = rows("statements.csv")
_OF_A_STATEMENT: Final = ("source", "case", "quantity", "value", "remark")


def statements(source: str) -> list[Case]:
    """Return the statements of one source: a job, one of its figures, and the arithmetic that gives it."""
    chosen = [row for row in STATEMENTS if row["source"] == source]
    ledger = ledger_of({name: cell for name, cell in row.items() if name not in _OF_A_STATEMENT} for row in chosen)
    return [
        Case(
            source,
            f"{row['case']}: {row['remark']}",
            row["quantity"],
            _number_or_text(row["value"]),
            figure(ledger, row["quantity"], position),
        )
        for position, row in enumerate(chosen)
    ]


def _number_or_text(text: str) -> Figure:
    try:
        return float(text)
    except ValueError:
        return text


# --- models ----------------------------------------------------------------------------------------------------------


OTHER_MODELS: Final = rows("other_models.csv")


def shipped_models() -> list[Case]:
    """Decoders of the catalogue by their architecture alone; the others rest on the given count."""
    counted = {row["model"]: row for row in rows("models_counted.csv")}
    catalogue = shipped("models")
    alone = [
        row | {"parameters": "", "active_parameters": ""} if row["kind"] == "decoder" else row for row in catalogue
    ]
    wanted = {
        "parameters": Models.total_parameters,
        "active_parameters": Models.total_active_parameters,
        "parameters_without_embedding": None,
    }
    values = ledger_of([{"parameters": 1, "hardware": "H100"}], models=alone).values
    cases = []
    for position, row in enumerate(catalogue):
        for name, column in wanted.items():
            if column is None and row["kind"] != "decoder":
                continue
            cases.append(
                Case(
                    row["kind"] + ("" if row["kind"] == "decoder" else ", on the given count"),
                    row["model"],
                    name,
                    float(counted[row["model"]][name]),
                    _count(values, column, position),
                )
            )
    return cases


def architectures() -> list[dict[str, str]]:
    """Return the decoders that are in no catalogue, without any count."""
    kept = [name for name in OTHER_MODELS[0] if not name.startswith("measured")]
    return [{name: row[name] for name in kept} for row in OTHER_MODELS]


def other_models() -> list[Case]:
    """Decoders that are in no catalogue, counted from their architecture."""
    values = ledger_of([{"parameters": 1, "hardware": "H100"}], models=architectures()).values
    wanted = {
        "parameters": Models.total_parameters,
        "active_parameters": Models.total_active_parameters,
        "embedding_parameters": Models.token_embedding_parameters,
    }
    return [
        Case("decoder", row["model"], name, float(row[f"measured_{name}"]), _count(values, column, position))
        for position, row in enumerate(OTHER_MODELS)
        for name, column in wanted.items()
    ]


def _count(values: Mapping[Column, Array], column: Column | None, position: int) -> float:
    if column is None:
        return float(values[Models.total_parameters][position] - values[Models.embedding_parameters][position])
    return float(values[column][position])


RANK: Final = 8
EXPERTS_LEFT_OUT: Final = "all-linear without routed experts"


def lora() -> list[Case]:
    """Adapters as peft builds them, for one rank: inputs and outputs of all adapted matrices."""
    measured = rows("lora_measured.csv")
    ledger = ledger_of(
        (
            {
                "model": row["model"],
                "hardware": "H100",
                "lora_rank": RANK,
                "lora_targets": row["lora_targets"].removesuffix(" without routed experts"),
            }
            for row in measured
        ),
        models=[*shipped("models"), *architectures()],
    )
    names = ledger.values[Models.model].tolist()
    routed = ledger.values[Models.lora_expert_width]
    return [
        Case(
            row["lora_targets"],
            f"{row['model']}, {row['lora_targets']}",
            "adapter_parameters",
            RANK * float(row["measured_width"]),
            float(adapters)
            - (RANK * float(routed[names.index(row["model"])]) if row["lora_targets"] == EXPERTS_LEFT_OUT else 0),
        )
        for row, adapters in zip(measured, figures(ledger, "adapter_parameters").tolist(), strict=True)
    ]


# --- optimizers ------------------------------------------------------------------------------------------------------

MEASURED_MODULE: Final = {
    "model": "measured module",
    "parameters": 4096 * 4096 + 4096 * 11008 + 4096 + 11008,
    "hidden_size": 4096,
    "layers": 1,
    "heads": 1,
    "head_dim": 1024,
    "ffn_size": 5504,
    "mlp": "plain",
    "tied": "yes",
    **dict.fromkeys(("qkv_bias", "attn_out_bias", "mlp_bias", "norm_bias"), "no"),
    "norms_per_layer": 0,
    "norms_outside_layers": 0,
    "extra_parameters": 4096 + 11008,
}
"""A 4096 × 4096 and a 4096 × 11008 matrix with their biases, said as an architecture of the same matrices."""


def optimizers() -> list[Case]:
    """State bytes for one parameter after a real step."""
    measured = rows("optimizers_measured.csv")
    recipe = {"fp32": "pure-32", "bf16": "pure-16"}
    ledger = ledger_of(
        (
            {
                "model": MEASURED_MODULE["model"],
                "hardware": "H100",
                "optimizer": row["row"],
                "recipe": recipe[row["parameter_dtype"]],
            }
            for row in measured
        ),
        models=[MEASURED_MODULE],
    )
    ours = figures(ledger, "moment_bytes") / figures(ledger, "trainable_parameters")
    return [
        Case(
            row["library"],
            f"{row['optimizer']}, {row['parameter_dtype']} (row {row['row']})",
            "moment_bytes / trainable_parameters",
            float(row["measured_bytes_per_parameter"]),
            float(bytes_per_parameter),
            row["why_it_differs"],
        )
        for row, bytes_per_parameter in zip(measured, ours.tolist(), strict=True)
    ]


# --- activations -----------------------------------------------------------------------------------------------------

MODES: Final = {
    "none (no parallelism)": {"recompute": "none"},
    "tensor parallel": {"recompute": "none"},
    "tensor+sequence parallel": {"recompute": "none", "sequence_parallel": "yes"},
    "tensor + selective": {"recompute": "selective"},
    "tensor+sequence+selective": {"recompute": "selective", "sequence_parallel": "yes"},
    "full recompute": {"recompute": "full"},
}
WHOLE: Final = "none (no parallelism)"


def korthikanti() -> list[Case]:
    """Table 2: four models, six ways to train them; the paper leaves embeddings and head out."""
    table = rows("korthikanti_table2.csv")
    models = [
        {"model": row["model"], "vocabulary": 51200, "mlp": "plain"}
        | {size: row[size] for size in ("hidden_size", "layers", "heads")}
        for row in table
        if row["mode"] == WHOLE
    ]
    copied = ("model", "micro_batch_size", "sequence_length", "pipeline_parallel_degree", "interleaved_chunks")
    ledger = ledger_of(
        (
            {"hardware": "H100", "block": "korthikanti"}
            | {name: row[name] for name in copied}
            | {"tensor_parallel_degree": "1" if row["mode"] == WHOLE else row["tensor_parallel_degree"]}
            | MODES[row["mode"]]
            for row in table
        ),
        models=models,
    )
    return [
        Case(row["model"], f"{row['model']}, {row['mode']}", name, expected, figure(ledger, name, position))
        for position, row in enumerate(table)
        for name, expected in (
            ("kept_layer_bytes", float(row["bytes_per_layer"])),
            ("stage_activation_bytes", float(round(float(row["first_stage_gib"]) * BYTES_IN_GIB))),
        )
    ]


SIZES: Final = ((512, 2, 768, 12, 12), (2048, 4, 4096, 32, 8), (4096, 1, 8192, 64, 8), (96, 3, 640, 10, 2))
"""Tokens, sequences, hidden size, heads and key heads at which the laws are tried."""


def activation_laws() -> list[Case]:
    """The given laws of one layer, at sizes where nothing was measured; a GPT has f = 4h and k = a."""
    tried = [(row, size) for row in rows("activation_laws.csv") for size in SIZES]
    models, jobs, expected = [], [], []
    for number, (row, (s, b, h, a, key_heads)) in enumerate(tried):
        law = {name: int(cell) for name, cell in row.items() if name not in ("block", "law")}
        gated = law["sbf"] > 0
        k, f = (key_heads, 7 * h // 2) if gated else (a, 4 * h)
        terms = {"sbh": s * b * h, "sbh_kv": s * b * h * k // a, "sbf": s * b * f, "as2b": a * s * s * b}
        terms |= {"asb": a * s * b, "sb": s * b}
        expected.append(sum(law[name] * term for name, term in terms.items()))
        sizes = {"hidden_size": h, "layers": 1, "heads": a, "kv_heads": k, "ffn_size": f, "vocabulary": 1000}
        models.append({"model": f"model {number}", "mlp": "gated" if gated else "plain"} | sizes)
        jobs.append(_layer_job(f"model {number}", row["block"], s, b))
    ledger = ledger_of(jobs, models=models)
    return [
        Case(
            row["block"],
            f"{row['block']}: {row['law']}, s {size[0]}, b {size[1]}, h {size[2]}",
            "layer_activation_bytes",
            float(law_bytes),
            figure(ledger, "layer_activation_bytes", position),
        )
        for position, ((row, size), law_bytes) in enumerate(zip(tried, expected, strict=True))
    ]


def _layer_job(model: str, block: str, tokens: int | str, sequences: int | str) -> dict[str, object]:
    return {
        "model": model,
        "hardware": "H100",
        "block": block,
        "sequence_length": tokens,
        "micro_batch_size": sequences,
    }


_SIZES_OF_A_MODEL: Final = (
    *("hidden_size", "layers", "heads", "kv_heads", "head_dim", "ffn_size", "vocabulary"),
    *("experts", "experts_per_token", "expert_ffn_size", "shared_experts", "moe_layers", "shared_expert_gate"),
)
_MEASURED_SUMS: Final = {
    "layer": ("layer_activation_bytes", "cast_weight_bytes"),
    "kept": ("kept_layer_bytes",),
    "logits": ("logit_bytes", "cast_weight_bytes"),
}
"""What was counted together: autocast's copies of weights lie among the tensors saved for backward."""


def activations() -> list[Case]:
    """Tensors saved for backward, counted in real blocks and heads."""
    measured = rows("activations_measured.csv")
    models = [_measured_model(number, row) for number, row in enumerate(measured)]
    jobs = [
        _layer_job(f"model {number}", row["block"], row["sequence_length"], row["micro_batch_size"])
        | {"recompute": row["recompute"], "lora_rank": row["lora_rank"]}
        for number, row in enumerate(measured)
    ]
    ledger = ledger_of(jobs, models=models)
    return [
        Case(
            row["block"],
            f"{row['block']}, {row['quantity']}, s {row['sequence_length']}, b {row['micro_batch_size']}, "
            f"h {row['hidden_size']}, recompute {row['recompute']}",
            " + ".join(_MEASURED_SUMS[row["quantity"]]),
            float(row["measured_bytes"]),
            float(sum(figures(ledger, name)[position] for name in _MEASURED_SUMS[row["quantity"]])),
        )
        for position, row in enumerate(measured)
    ]


def _measured_model(number: int, row: Row) -> dict[str, object]:
    """Return the model of a measurement; of the head alone, one without anything in its layer."""
    sizes: dict[str, object] = {name: row[name] for name in _SIZES_OF_A_MODEL}
    if row["quantity"] == "logits":
        sizes |= dict.fromkeys(("heads", "kv_heads", "head_dim", "ffn_size"), 0)
    plain = row["block"].startswith(("gpt", "korthikanti"))
    return {"model": f"model {number}", "parameters": 1, "mlp": "plain" if plain else "gated"} | sizes


# --- all of them -----------------------------------------------------------------------------------------------------

_META: Final = "built from its configuration on empty tensors with transformers 5.24 and counted"

SOURCES: Final[Sequence[Source]] = (
    Source(
        "ZeRO paper",
        "Rajbhandari et al. 2020 (arXiv 1910.02054), Figure 1 and Table 1: decimal GB on one card, mixed-16 with Adam; "
        "some cells are truncated in print",
        zero_paper,
        listed=True,
    ),
    Source(
        "Activation recomputation paper",
        "Korthikanti et al. 2022 (arXiv 2205.05198), Table 2: one layer, and all layers on the first pipeline stage",
        korthikanti,
        listed=True,
    ),
    *(
        Source(
            title, "The arithmetic stands in each line, and in statements.csv", partial(statements, title), listed=True
        )
        for title in dict.fromkeys(row["source"] for row in STATEMENTS)
    ),
    Source("Models of the catalogue", f"Each {_META}", shipped_models),
    Source("Models outside the catalogue", f"Each {_META}; read with `--models`", other_models),
    Source("LoRA adapters", "Rank 8, as peft 0.21.2 builds them on empty tensors", lora, listed=True),
    Source("Optimizer states", "One real step over 61.9 M parameters, torch 2.13, CPU", optimizers, 0.01),
    Source("Laws of one layer", "Fitted to torch 2.13 and transformers 5.24 with nothing left over", activation_laws),
    Source("Activations", "Tensors saved for backward, torch 2.13, transformers 5.24, peft 0.21, CPU", activations),
)
