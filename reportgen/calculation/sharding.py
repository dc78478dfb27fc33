"""Each stage on one card and the smallest number of cards; what of a card is usable; whether the job fits."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.activations import MEASURED, NO_BYTES, Activations
from reportgen.calculation.bands import Calculation
from reportgen.calculation.catalogues import PLANNING, Assumptions, Constants, Hardware
from reportgen.calculation.fewest import NEVER, fewest_cards, fewest_of_several, planned_in_nodes
from reportgen.calculation.memory import DEEPSPEED, ZERO_STAGES, Memory
from reportgen.calculation.plan import Plan
from reportgen.expression import Column, Missing, Sheet
from reportgen.functions import (
    NO,
    YES,
    both,
    ceil_div,
    choose,
    common_multiple,
    given,
    joined,
    maximum,
    pick,
    where,
    whole,
)
from reportgen.units import TEXT, YES_NO

OPTIMIZER_STATES, GRADIENTS, PARAMETERS = 1, 2, 3
"""The stages, by what each of them shards besides what the lower ones do."""


class Sharding(Sheet):
    """Each job on one card at every ZeRO stage, the smallest number of cards, and whether the planned ones hold it."""

    title = "Sharding"
    bands: ClassVar = {
        "zero0_floor_bytes": "What each stage leaves on every card, and the smallest number of cards",
        "cards_per_node": "Planned cards",
        "zero0_card_bytes": "State on one card",
        "shares_work": "The card",
        "card_state_bytes": "The job on its card",
    }
    job = Column(TEXT, "Name of the job.", Plan.job)

    zero0_floor_bytes = Column(
        "byte",
        "What stage 0 leaves on every card however many there are: everything.",
        Memory.replica_parameter_bytes
        + Memory.replica_gradient_bytes
        + Memory.replica_optimizer_bytes
        + Memory.bucket_bytes
        + maximum(Activations.activation_bytes, Memory.replica_step_bytes),
        ZERO_STAGES,
    )
    zero1_floor_bytes = Column(
        "byte",
        "What stage 1 leaves on every card: parameters, gradients, activations.",
        Memory.replica_parameter_bytes
        + Memory.replica_gradient_bytes
        + where(Memory.bucket_stages >= OPTIMIZER_STATES, Memory.bucket_bytes, NO_BYTES)
        + Activations.activation_bytes,
        ZERO_STAGES,
    )
    zero2_floor_bytes = Column(
        "byte",
        "What stage 2 leaves on every card: parameters, activations.",
        Memory.replica_parameter_bytes
        + where(Memory.bucket_stages >= GRADIENTS, Memory.bucket_bytes, NO_BYTES)
        + Activations.activation_bytes,
        ZERO_STAGES,
    )
    zero3_floor_bytes = Column(
        "byte",
        "What stage 3 leaves on every card: gathered parameters, activations.",
        Memory.gathered_bytes
        + where(Memory.bucket_stages >= PARAMETERS, Memory.bucket_bytes, NO_BYTES)
        + Activations.activation_bytes,
        ZERO_STAGES,
    )
    replica_total_bytes = Column(
        "byte",
        "One replica's card with nothing sharded: state, and activations or the step's temporaries.",
        Memory.replica_parameter_bytes
        + Memory.replica_gradient_bytes
        + Memory.replica_optimizer_bytes
        + maximum(Activations.activation_bytes, Memory.replica_step_bytes),
    )
    fits_whole = Column(
        YES_NO,
        "Whether one replica fits its cards with nothing sharded.",
        replica_total_bytes
        <= where(Memory.model_parallel_degree > 1, Memory.shared_usable_bytes, Memory.lone_usable_bytes),
    )
    zero0_min_cards = Column(
        "card",
        "Smallest number of cards at stage 0: one replica or never.",
        where(fits_whole, Memory.model_parallel_degree, Missing(NEVER, "card")),
        ZERO_STAGES,
        absent=NEVER,
    )
    zero1_room_bytes = Column(
        "byte",
        "What that leaves on a card for what stage 1 shards.",
        Memory.shared_usable_bytes - zero1_floor_bytes,
    )
    zero1_min_cards = Column(
        "card",
        "Smallest number of cards at stage 1.",
        fewest_cards(
            fits_whole,
            Memory.model_parallel_degree,
            fewest_of_several(
                Memory.model_parallel_degree,
                zero1_room_bytes,
                Memory.replica_optimizer_bytes,
                (Activations.activation_bytes, Memory.replica_step_bytes),
            ),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    zero2_room_bytes = Column(
        "byte",
        "What that leaves on a card for what stage 2 shards.",
        Memory.shared_usable_bytes - zero2_floor_bytes,
    )
    zero2_min_cards = Column(
        "card",
        "Smallest number of cards at stage 2.",
        fewest_cards(
            fits_whole,
            Memory.model_parallel_degree,
            fewest_of_several(
                Memory.model_parallel_degree,
                zero2_room_bytes,
                Memory.replica_gradient_bytes + Memory.replica_optimizer_bytes,
                (Activations.activation_bytes, Memory.replica_step_bytes),
            ),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    zero3_room_bytes = Column(
        "byte",
        "What that leaves on a card for what stage 3 shards.",
        Memory.shared_usable_bytes - zero3_floor_bytes,
    )
    zero3_min_cards = Column(
        "card",
        "Smallest number of cards at stage 3.",
        fewest_cards(
            fits_whole,
            Memory.model_parallel_degree,
            fewest_of_several(
                Memory.model_parallel_degree,
                zero3_room_bytes,
                Memory.replica_parameter_bytes + Memory.replica_gradient_bytes + Memory.replica_optimizer_bytes,
                (Activations.activation_bytes + Memory.gathered_bytes, Memory.replica_step_bytes),
            ),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    min_cards = Column(
        "card",
        "Smallest number of cards at the job's own stage.",
        choose(Plan.zero_stage + 1, zero0_min_cards, zero1_min_cards, zero2_min_cards, zero3_min_cards),
        ZERO_STAGES,
        absent=NEVER,
    )

    floor_bytes = Column(
        "byte",
        "What the job's stage leaves on every card.",
        choose(Plan.zero_stage + 1, zero0_floor_bytes, zero1_floor_bytes, zero2_floor_bytes, zero3_floor_bytes),
        ZERO_STAGES,
    )
    passing_bytes = Column(
        "byte",
        "The part of it that is gone when the optimizer steps.",
        Activations.activation_bytes + where(Plan.zero_stage >= PARAMETERS, Memory.gathered_bytes, NO_BYTES),
    )
    sharded_bytes = Column(
        "byte",
        "What the job's stage divides among its replicas.",
        choose(
            Plan.zero_stage + 1,
            NO_BYTES,
            Memory.replica_optimizer_bytes,
            Memory.replica_gradient_bytes + Memory.replica_optimizer_bytes,
            Memory.replica_parameter_bytes + Memory.replica_gradient_bytes + Memory.replica_optimizer_bytes,
        ),
        ZERO_STAGES,
    )
    several_min_cards = Column(
        "card",
        "Smallest number of cards at the job's own stage if there must be several replicas.",
        fewest_of_several(
            Memory.model_parallel_degree,
            Memory.shared_usable_bytes - floor_bytes,
            sharded_bytes,
            (passing_bytes, Memory.replica_step_bytes),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    cards_per_node = Column(
        "card", "Cards in one node.", pick(Calculation.hardware_row, Hardware.cards_per_node, Plan.hardware)
    )
    node_multiple = Column(
        "card",
        "Cards that fill whole nodes and whole replicas.",
        common_multiple(cards_per_node, Memory.model_parallel_degree),
    )
    whole_node_cards = Column(
        "card",
        "The smallest number, in whole nodes and whole replicas once it is more than one node.",
        planned_in_nodes(min_cards, several_min_cards, cards_per_node, node_multiple),
        absent=NEVER,
    )
    planned_cards = Column(
        "card",
        "Cards of the job: as given, else the smallest number in whole nodes.",
        where(given(Plan.cards), Plan.cards, whole_node_cards),
        absent=NEVER,
    )
    data_parallel_degree = Column(
        "1",
        "Replicas of the model.",
        where(given(planned_cards), planned_cards / Memory.model_parallel_degree, Missing(NEVER, "1")),
        ZERO_STAGES,
        absent=NEVER,
    )
    zero0_card_bytes = Column(
        "byte",
        "State on one card at stage 0.",
        Memory.replica_parameter_bytes + Memory.replica_gradient_bytes + Memory.replica_optimizer_bytes,
        ZERO_STAGES,
    )
    zero1_card_bytes = Column(
        "byte",
        "State on the fullest card at stage 1: optimizer states are divided.",
        where(
            given(data_parallel_degree),
            Memory.replica_parameter_bytes
            + Memory.replica_gradient_bytes
            + ceil_div(Memory.replica_optimizer_bytes, data_parallel_degree),
            Missing(NEVER, "byte"),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    zero2_card_bytes = Column(
        "byte",
        "State on the fullest card at stage 2: gradients too.",
        where(
            given(data_parallel_degree),
            Memory.replica_parameter_bytes
            + ceil_div(Memory.replica_gradient_bytes + Memory.replica_optimizer_bytes, data_parallel_degree),
            Missing(NEVER, "byte"),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    zero3_card_bytes = Column(
        "byte",
        "State on the fullest card at stage 3: parameters too.",
        where(
            given(data_parallel_degree),
            ceil_div(zero0_card_bytes, data_parallel_degree),
            Missing(NEVER, "byte"),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )

    shares_work = Column(
        YES_NO,
        "Whether there is more than one replica, so that stages shard and gradients are reduced.",
        where(given(data_parallel_degree), data_parallel_degree > 1, NO),
    )
    several_cards = Column(
        YES_NO,
        "Whether a card keeps memory for talking to others.",
        where(given(planned_cards), planned_cards > 1, YES),
    )
    communication_bytes = Column(
        "byte",
        "Buffers for talking to other cards.",
        where(several_cards, whole(Assumptions.communication_memory * Constants.bytes_per_gib), NO_BYTES),
        PLANNING,
    )
    usable_bytes = Column(
        "byte",
        "What the job may use of one card.",
        where(several_cards, Memory.shared_usable_bytes, Memory.lone_usable_bytes),
        PLANNING,
    )
    fragmentation_bytes = Column(
        "byte",
        "What the allocator holds but cannot use.",
        Memory.reported_bytes - Memory.driver_bytes - Memory.context_bytes - communication_bytes - usable_bytes,
        PLANNING,
    )

    card_state_bytes = Column(
        "byte",
        "State on the fullest card at the job's own stage.",
        choose(Plan.zero_stage + 1, zero0_card_bytes, zero1_card_bytes, zero2_card_bytes, zero3_card_bytes),
        ZERO_STAGES,
        absent=NEVER,
    )
    gradient_bucket_bytes = Column(
        "byte",
        "Copy of the gradients that is being reduced.",
        where(
            both(shares_work, Plan.zero_stage <= Memory.bucket_stages),
            Memory.bucket_bytes,
            NO_BYTES,
        ),
        MEASURED,
    )
    live_parameter_bytes = Column(
        "byte",
        "Parameters gathered at once; none below stage 3.",
        where(both(shares_work, Plan.zero_stage >= PARAMETERS), Memory.gathered_bytes, NO_BYTES),
        DEEPSPEED,
    )
    step_temporary_bytes = Column(
        "byte",
        "Temporaries of the optimizer's step, for what the card holds of the states.",
        where(
            both(shares_work, Plan.zero_stage >= OPTIMIZER_STATES),
            ceil_div(sharded_bytes + Memory.replica_step_bytes, data_parallel_degree)
            - ceil_div(sharded_bytes, data_parallel_degree),
            Memory.replica_step_bytes,
        ),
        MEASURED,
    )
    working_bytes = Column(
        "byte",
        "What comes and goes: activations and gathered parameters, or the step's temporaries, whichever is larger.",
        maximum(Activations.activation_bytes + live_parameter_bytes, step_temporary_bytes),
    )
    card_total_bytes = Column(
        "byte",
        "All that the fullest card holds.",
        where(
            given(card_state_bytes),
            card_state_bytes + gradient_bucket_bytes + working_bytes,
            Missing(NEVER, "byte"),
        ),
        absent=NEVER,
    )
    headroom_bytes = Column(
        "byte",
        "What is left of the usable memory; negative where the job does not fit.",
        where(given(card_total_bytes), usable_bytes - card_total_bytes, Missing(NEVER, "byte")),
        absent=NEVER,
    )
    fits = Column(
        YES_NO,
        "Whether the job fits its planned cards.",
        where(given(card_total_bytes), card_total_bytes <= usable_bytes, NO),
    )
    binding = Column(
        TEXT,
        "Why: what fills the card, or what no number of cards can divide.",
        where(
            given(min_cards),
            where(
                working_bytes > zero0_card_bytes,
                "activations and what comes and goes fill the card",
                "the training state fills the card",
            ),
            joined(
                where(
                    both(Plan.zero_stage < PARAMETERS, Memory.replica_parameter_bytes >= Memory.shared_usable_bytes),
                    "parameters alone exceed the card at stage ",
                    where(
                        Activations.activation_bytes >= Memory.shared_usable_bytes,
                        "activations alone exceed the card at stage ",
                        "what is not sharded exceeds the card at stage ",
                    ),
                ),
                Plan.zero_stage,
            ),
        ),
        ZERO_STAGES,
    )
