"""The plan: one job a row, as the user writes it."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.catalogues import Blocks, CloudPrices, Hardware, Optimizers, Recipes
from reportgen.calculation.declare import COUNT, PARAMETERS, SHARE, Bounds, Input
from reportgen.calculation.models import Models
from reportgen.expression import Sheet
from reportgen.units import DATE, TEXT, YES_NO


class Plan(Sheet):
    """The jobs of the plan: change any cell and everything that depends on it follows."""

    title = "Plan"
    bands: ClassVar = {
        "model": "What is trained",
        "optimizer": "How",
        "cards": "On how many cards, with what activations",
        "tokens": "How long, at whose price",
    }
    job = Input(TEXT, "Name of the job; the model's name where empty.", also=("name", "run"))
    model = Input(
        TEXT, "A row of the models, or any name when the parameters are given.", names=Models.model, free=True
    )
    parameters = Input(
        "parameter",
        "Parameters of the model; from its row in the models where empty.",
        bounds=PARAMETERS,
        also=("params", "parameter_count", "n_params"),
    )
    trainable_parameters = Input(
        "parameter",
        "Parameters that are trained, where given as a count; the rest is frozen.",
        bounds=PARAMETERS,
        also=("trainable", "trainable_params"),
    )
    trainable_share = Input(
        "1",
        "Share of the parameters that is trained, where no count is given.",
        default="100%",
        bounds=SHARE,
        percent=True,
    )
    lora_rank = Input("1", "Rank of LoRA adapters; then they alone are trained.", bounds=COUNT, also=("lora_r",))
    lora_targets = Input(
        TEXT,
        "Matrices that have adapters.",
        default="all-linear",
        choices=("query-value", "attention", "all-linear"),
    )
    optimizer = Input(TEXT, "A row of the optimizers.", default="adamw", names=Optimizers.optimizer, also=("optim",))
    recipe = Input(TEXT, "A row of the recipes.", default="mixed-16", names=Recipes.recipe, also=("precision",))
    hardware = Input(
        TEXT, "A row of the hardware.", required=True, names=Hardware.hardware, also=("gpu", "card", "accelerator")
    )
    zero_stage = Input(
        "1",
        "What is sharded: 0 nothing, 1 optimizer states, 2 gradients too, 3 parameters too.",
        default="3",
        bounds=Bounds(least=0, most=3, whole=True),
        also=("zero", "stage"),
    )
    tensor_parallel_degree = Input(
        "1", "Cards that share each layer; 1 is off.", default="1", bounds=COUNT, also=("tp", "tensor_parallel")
    )
    pipeline_parallel_degree = Input(
        "1",
        "Stages that the layers are split into; 1 is off.",
        default="1",
        bounds=COUNT,
        also=("pp", "pipeline_parallel"),
    )
    cards = Input(
        "card", "Cards the job has; the smallest number that fits where empty.", bounds=COUNT, also=("gpus", "n_gpus")
    )
    micro_batch_size = Input("1", "Sequences in one micro-batch.", bounds=COUNT, also=("mbs", "micro_batch"))
    sequence_length = Input("token", "Tokens in one sequence.", bounds=COUNT, also=("seq", "seq_len"))
    block = Input(
        TEXT,
        "A row of the blocks, the law of the activations; the recipe's choice for the model's MLP where empty.",
        names=Blocks.block,
    )
    sequence_parallel = Input(
        YES_NO,
        "Whether tensor parallelism also splits norms and dropouts over the sequence.",
        default="no",
        choices=("yes", "no"),
        also=("sp",),
    )
    interleaved_chunks = Input("1", "Chunks of layers on each pipeline stage; 1 is off.", default="1", bounds=COUNT)
    recompute = Input(
        TEXT, "Activations computed again in backward.", default="none", choices=("none", "selective", "full")
    )
    activation_bytes = Input(
        "byte", "Activations on one card, where known; overrides the model.", bounds=Bounds(whole=True)
    )
    tokens = Input("token", "Tokens to train on.", bounds=COUNT)
    hours = Input("hour", "Wall-clock hours, where known.", bounds=Bounds(above=0))
    start = Input(DATE, "Day on which the job begins.")
    provider = Input(TEXT, "Who rents the cards, where a listed cloud price is to be paid.")
    instance_type = Input(
        TEXT, "A row of the cloud prices; the hardware's own price where empty.", names=CloudPrices.instance_type
    )
    group = Input(
        TEXT,
        "What jobs are added up by beside their hardware.",
        also=("cost_centre", "cost_center", "team", "department"),
    )
