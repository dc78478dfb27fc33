"""What training holds, band by band, for the whole model and on how many cards by the label."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.catalogues import Assumptions, Constants, Hardware, Optimizers, Recipes
from reportgen.calculation.models import Models
from reportgen.calculation.plan import Plan
from reportgen.expression import Column, Expression, Missing, Number, Position, Sheet
from reportgen.functions import ceil_div, counted, find, given, is_text, literal, match, minimum, pick, where, whole
from reportgen.units import ROW, TEXT

ZERO = "Rajbhandari et al. 2020 (arXiv 1910.02054), section 3.1"
MIXED_PRECISION = "Micikevicius et al. 2018 (arXiv 1710.03740), section 3.1"
LORA = "Hu et al. 2021 (arXiv 2106.09685), section 4.1"
NO_ROW = Number(0, ROW)
DECIMAL_AND_BINARY = "IEC 80000-13: G is 10⁹, Gi is 2³⁰"


def of_model(model_row: Expression, column: Column) -> Expression:
    """Return a size of the job's model; 0 where the model has no row."""
    return where(model_row > NO_ROW, pick(model_row, column, Plan.model), Number(0, column.unit))


class Calculation(Sheet):
    """One job a row, one formula a column: from the plan and the catalogues to bytes and cards."""

    title = "Calculation"
    bands: ClassVar = {
        "model_row": "Rows found",
        "parameters": "Parameters",
        "parameter_width": "Widths",
        "values_per_parameter": "Bands",
        "training_footprint_gb": "In GB and in GiB",
        "label_bytes": "Cards by the label",
    }
    job = Column(TEXT, "Name of the job.", Plan.job)

    model_row = Column(
        ROW, "Row of the model in the models; 0 where it has none.", match(literal(Plan.model), Models.model)
    )
    optimizer_row = Column(ROW, "Row of the optimizer in the optimizers.", find(Plan.optimizer, Optimizers.optimizer))
    recipe_row = Column(ROW, "Row of the recipe in the recipes.", find(Plan.recipe, Recipes.recipe))
    hardware_row = Column(ROW, "Row of the card in the hardware.", find(Plan.hardware, Hardware.hardware))

    card_first = Column(
        ROW,
        "Row of the card, at the first job that uses it.",
        where(match(Plan.hardware, Plan.hardware) >= Position(Plan.hardware), hardware_row, Missing("", ROW)),
    )
    group_row = Column(ROW, "First job of the same group; 0 without one.", match(literal(Plan.group), Plan.group))
    group_first = Column(
        ROW,
        "The same, at that first job.",
        where(group_row >= Position(Plan.group), group_row, Missing("", ROW)),
    )

    parameters = Column(
        "parameter",
        "Parameters of the model.",
        where(given(Plan.parameters), Plan.parameters, pick(model_row, Models.total_parameters, Plan.model)),
    )
    active_parameters = Column(
        "parameter",
        "Parameters that one token passes through.",
        where(
            model_row > NO_ROW,
            minimum(pick(model_row, Models.total_active_parameters, Plan.model), parameters),
            parameters,
        ),
    )
    adapter_width = Column(
        "1",
        "Inputs and outputs of all matrices that have a LoRA adapter.",
        where(
            is_text(Plan.lora_targets, "query-value"),
            of_model(model_row, Models.lora_query_value_width),
            where(
                is_text(Plan.lora_targets, "attention"),
                of_model(model_row, Models.lora_attention_width),
                of_model(model_row, Models.lora_all_linear_width),
            ),
        ),
        LORA,
    )
    adapter_parameters = Column(
        "parameter",
        "Parameters of the LoRA adapters, beside the model's own.",
        where(
            given(Plan.lora_rank),
            counted(Plan.lora_rank * adapter_width, "parameter"),
            Number(0, "parameter"),
        ),
        LORA,
    )
    trainable_parameters = Column(
        "parameter",
        "Parameters that are trained; frozen ones have no gradient and no optimizer state.",
        where(
            given(Plan.lora_rank),
            adapter_parameters,
            where(
                given(Plan.trainable_parameters), Plan.trainable_parameters, whole(parameters * Plan.trainable_share)
            ),
        ),
    )
    frozen_parameters = Column(
        "parameter",
        "Parameters that are held but not trained.",
        parameters + adapter_parameters - trainable_parameters,
    )

    parameter_width = Column(
        "byte/parameter",
        "Bytes of one parameter.",
        pick(recipe_row, Recipes.parameter_width, Plan.recipe),
        MIXED_PRECISION,
    )
    gradient_width = Column(
        "byte/parameter",
        "Bytes of one gradient.",
        pick(recipe_row, Recipes.gradient_width, Plan.recipe),
        MIXED_PRECISION,
    )
    master_weight_width = Column(
        "byte/parameter",
        "Bytes of the master copy of one parameter.",
        where(
            is_text(pick(optimizer_row, Optimizers.keeps_master, Plan.optimizer), "yes"),
            pick(recipe_row, Recipes.master_weight_width, Plan.recipe),
            Number(0, "byte/parameter"),
        ),
        MIXED_PRECISION,
    )
    master_gradient_width = Column(
        "byte/parameter",
        "Bytes of the master copy of one gradient.",
        where(
            is_text(pick(optimizer_row, Optimizers.keeps_master, Plan.optimizer), "yes"),
            pick(recipe_row, Recipes.master_gradient_width, Plan.recipe),
            Number(0, "byte/parameter"),
        ),
        "DeepSpeed and Megatron-LM keep 32-bit gradients in some recipes",
    )
    frozen_width = Column(
        "byte/parameter", "Bytes of one frozen parameter.", pick(recipe_row, Recipes.frozen_width, Plan.recipe)
    )
    other_share = Column(
        "1",
        "Share of the trained parameters outside the layers' matrices; all where the architecture is unknown.",
        where(
            given(Plan.lora_rank),
            0,
            where(model_row > NO_ROW, pick(model_row, Models.other_share, Plan.model), 1),
        ),
        percent=True,
    )
    moments_per_parameter = Column(
        "value/parameter",
        "Values that the optimizer keeps for one trainable parameter, averaged over the layers' matrices and the rest.",
        pick(optimizer_row, Optimizers.moments_per_parameter, Plan.optimizer)
        + (
            pick(optimizer_row, Optimizers.other_moments_per_parameter, Plan.optimizer)
            - pick(optimizer_row, Optimizers.moments_per_parameter, Plan.optimizer)
        )
        * other_share,
        "Kingma and Ba 2015 (arXiv 1412.6980): two for Adam",
    )
    moment_width = Column(
        "byte/value",
        "Bytes of one kept value: the optimizer's own where it fixes one, else the recipe's.",
        where(
            given(pick(optimizer_row, Optimizers.moment_width, Plan.optimizer)),
            pick(optimizer_row, Optimizers.moment_width, Plan.optimizer),
            pick(recipe_row, Recipes.moment_width, Plan.recipe),
        ),
    )

    step_width = Column(
        "byte/parameter",
        "Bytes of one value made during the optimizer's step: as wide as the master copy, or as the parameter.",
        where(master_weight_width > Number(0, "byte/parameter"), master_weight_width, parameter_width),
    )

    values_per_parameter = Column(
        "value/parameter",
        "Values that backward and the optimizer add for one trainable parameter: 1 SGD, 2 momentum, 3 Adam.",
        Number(1, "value/parameter") + moments_per_parameter,
    )
    parameter_bytes = Column(
        "byte",
        "The parameters, trained and frozen.",
        whole(trainable_parameters * parameter_width + frozen_parameters * frozen_width),
        ZERO,
    )
    gradient_bytes = Column("byte", "The gradients.", whole(trainable_parameters * gradient_width), ZERO)
    master_weight_bytes = Column(
        "byte", "The master copy of the parameters.", whole(trainable_parameters * master_weight_width), ZERO
    )
    master_gradient_bytes = Column(
        "byte", "The master copy of the gradients.", whole(trainable_parameters * master_gradient_width)
    )
    moment_bytes = Column(
        "byte",
        "The running averages that the optimizer keeps.",
        whole(trainable_parameters * moments_per_parameter * moment_width),
        ZERO,
    )
    optimizer_state_bytes = Column(
        "byte",
        "Everything the optimizer holds: master copies and moments.",
        master_weight_bytes + master_gradient_bytes + moment_bytes,
        ZERO,
    )
    gradient_and_optimizer_bytes = Column(
        "byte", "What training adds to the parameters.", gradient_bytes + optimizer_state_bytes, ZERO
    )
    training_footprint_bytes = Column(
        "byte",
        "All that training holds before activations: parameters, gradients, optimizer states.",
        parameter_bytes + gradient_and_optimizer_bytes,
        ZERO,
    )
    bytes_per_parameter = Column(
        "byte/parameter", "The footprint for one parameter.", training_footprint_bytes / parameters, ZERO
    )
    optimizer_share = Column(
        "1",
        "The optimizer's share of the footprint.",
        optimizer_state_bytes / training_footprint_bytes,
        percent=True,
    )
    inference_bytes = Column(
        "byte", "The parameters alone, as held to answer.", whole(parameters * Assumptions.inference_width)
    )

    training_footprint_gb = Column(
        "GB", "The footprint in GB.", training_footprint_bytes / Constants.bytes_per_gb, DECIMAL_AND_BINARY
    )
    training_footprint_gib = Column(
        "GiB", "The footprint in GiB.", training_footprint_bytes / Constants.bytes_per_gib, DECIMAL_AND_BINARY
    )
    inference_gb = Column(
        "GB", "The inference bytes in GB.", inference_bytes / Constants.bytes_per_gb, DECIMAL_AND_BINARY
    )
    inference_gib = Column(
        "GiB", "The inference bytes in GiB.", inference_bytes / Constants.bytes_per_gib, DECIMAL_AND_BINARY
    )

    label_bytes = Column(
        "byte",
        "Memory on the label of one card, in whole bytes.",
        pick(hardware_row, Hardware.label_bytes, Plan.hardware),
    )
    card_gb = Column(
        "GB", "Memory on the label of one card, in GB.", label_bytes / Constants.bytes_per_gb, DECIMAL_AND_BINARY
    )
    card_gib = Column(
        "GiB", "The same memory in GiB: 80 GB are 74.5 GiB.", label_bytes / Constants.bytes_per_gib, DECIMAL_AND_BINARY
    )
    cards_exact = Column(
        "card",
        "Footprint over label, bytes over bytes: the same in either system.",
        training_footprint_bytes / label_bytes,
    )
    cards_exact_in_gb = Column(
        "card", "The same quotient taken in GB.", training_footprint_gb / card_gb, DECIMAL_AND_BINARY
    )
    cards_exact_in_gib = Column(
        "card", "The same quotient taken in GiB.", training_footprint_gib / card_gib, DECIMAL_AND_BINARY
    )
    cards_needed = Column(
        "card",
        "Whole cards for an even split of the training state alone, by the label.",
        ceil_div(training_footprint_bytes, label_bytes),
    )
