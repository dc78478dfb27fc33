"""What a card offers a job, and what one replica of the model asks of each of its cards."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.activations import MEASURED, Activations
from reportgen.calculation.bands import NO_ROW, Calculation
from reportgen.calculation.catalogues import PLANNING, Assumptions, Constants, Hardware, Optimizers, Recipes
from reportgen.calculation.plan import Plan
from reportgen.expression import Column, Sheet
from reportgen.functions import ceil_div, minimum, pick, where, whole
from reportgen.units import TEXT

ZERO_STAGES = "Rajbhandari et al. 2020 (arXiv 1910.02054), section 5"
DEEPSPEED = "DeepSpeed, zero/config.py: stage3_max_live_parameters; torch FSDP2, measured"


class Memory(Sheet):
    """What a job may use of one card, and what one replica of the model asks of each of its cards."""

    title = "Memory"
    bands: ClassVar = {
        "memory_basis": "What a card offers",
        "model_parallel_degree": "What one replica asks of each of its cards",
    }
    job = Column(TEXT, "Name of the job.", Plan.job)

    memory_basis = Column(
        TEXT,
        "Which memory counts: what the driver reports, or the label where that is unknown.",
        pick(Calculation.hardware_row, Hardware.memory_basis, Plan.hardware),
    )
    reported_bytes = Column(
        "byte",
        "Memory of one card, in whole bytes.",
        pick(Calculation.hardware_row, Hardware.reported_bytes, Plan.hardware),
    )
    driver_bytes = Column(
        "byte", "What the driver keeps.", whole(reported_bytes * Assumptions.driver_reserve), PLANNING
    )
    context_bytes = Column(
        "byte", "Context of the process.", whole(Assumptions.context_memory * Constants.bytes_per_gib), PLANNING
    )
    lone_usable_bytes = Column(
        "byte",
        "What a job may use of a single card.",
        pick(Calculation.hardware_row, Hardware.lone_usable_bytes, Plan.hardware),
        PLANNING,
    )
    shared_usable_bytes = Column(
        "byte",
        "What a job may use of each of several cards.",
        pick(Calculation.hardware_row, Hardware.shared_usable_bytes, Plan.hardware),
        PLANNING,
    )

    model_parallel_degree = Column(
        "card",
        "Cards that hold one replica of the model: tensor times pipeline.",
        Plan.tensor_parallel_degree * Plan.pipeline_parallel_degree,
        ZERO_STAGES,
    )
    replica_parameter_bytes = Column(
        "byte",
        "Parameters on one card of a replica, before any sharding.",
        ceil_div(Calculation.parameter_bytes, model_parallel_degree),
    )
    replica_gradient_bytes = Column(
        "byte", "Gradients there.", ceil_div(Calculation.gradient_bytes, model_parallel_degree)
    )
    replica_optimizer_bytes = Column(
        "byte", "Optimizer states there.", ceil_div(Calculation.optimizer_state_bytes, model_parallel_degree)
    )
    replica_step_bytes = Column(
        "byte",
        "Temporaries there of an optimizer step that goes over all tensors at once.",
        ceil_div(
            whole(
                pick(Calculation.recipe_row, Recipes.foreach, Plan.recipe)
                * pick(Calculation.optimizer_row, Optimizers.step_copies, Plan.optimizer)
                * Calculation.step_width
                * Calculation.trainable_parameters
            ),
            model_parallel_degree,
        ),
        MEASURED,
    )
    bucket_bytes = Column(
        "byte",
        "Gradients there in the buckets that are being reduced.",
        whole(
            Calculation.gradient_width
            * minimum(
                Calculation.trainable_parameters / model_parallel_degree,
                pick(Calculation.recipe_row, Recipes.bucket_parameters, Plan.recipe),
            )
        ),
        MEASURED,
    )
    bucket_stages = Column(
        "1", "Highest stage with buckets.", pick(Calculation.recipe_row, Recipes.bucket_stages, Plan.recipe)
    )
    gathered_blocks = Column(
        "1",
        "Layers that stage 3 gathers at once beside embeddings and head; 0 for the rule of live_parameters.",
        where(Calculation.model_row > NO_ROW, pick(Calculation.recipe_row, Recipes.gathered_blocks, Plan.recipe), 0),
        DEEPSPEED,
    )
    gathered_parameters = Column(
        "parameter",
        "Parameters that stage 3 holds whole at once on one card, never more than its replica's share.",
        minimum(
            where(gathered_blocks > 0, Activations.gathered_group_parameters, Assumptions.live_parameters),
            Calculation.parameters / model_parallel_degree,
        ),
        DEEPSPEED,
    )
    gathered_bytes = Column(
        "byte",
        "The same in the width in which they are gathered.",
        whole(gathered_parameters * pick(Calculation.recipe_row, Recipes.gathered_width, Plan.recipe)),
        DEEPSPEED,
    )
