"""One job, picked by its name: its card at every degree and stage, and what fragmentation and price do to it."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.activations import NO_BYTES, Activations
from reportgen.calculation.catalogues import Assumptions, Hardware
from reportgen.calculation.cost import NO_PRICE, Cost
from reportgen.calculation.fewest import NEVER, fewest_cards, fewest_of_several, planned_in_nodes
from reportgen.calculation.memory import ZERO_STAGES, Memory
from reportgen.calculation.plan import Plan
from reportgen.calculation.sharding import Sharding
from reportgen.expression import Column, Expression, Missing, Number, Scalar, Sheet
from reportgen.functions import both, given, literal, match, pick, where, with_columns
from reportgen.units import ROW, TEXT, YES_NO

TITLE = "What-if"
DEGREES = tuple(float(2**power) for power in range(11))
FRAGMENTATION_STEPS = (-0.05, 0.0, 0.05, 0.1, 0.15)
PRICE_STEPS = (-0.2, -0.1, 0.0, 0.1, 0.2)
BASE = FRAGMENTATION_STEPS.index(0.0)


class Picked(Sheet):
    """Pick a job from the list: the tables and the chart follow."""

    title = TITLE
    picked_job = Scalar(TEXT, "The job; pick another from the list.")
    picked_row = Scalar(ROW, "Its row in the plan.", match(literal(picked_job), Plan.job))


def _picked(column: Column) -> Scalar:
    meaning = f"Of the picked job: {column.meaning[0].lower()}{column.meaning[1:]}"
    return Scalar(
        column.unit,
        meaning,
        pick(Picked.picked_row, column, Picked.picked_job),
        column.source,
        absent=column.absent,
        name=f"picked_{column.name}",
    )


_NEEDED = (
    Memory.model_parallel_degree,
    Memory.replica_parameter_bytes,
    Memory.replica_gradient_bytes,
    Memory.replica_optimizer_bytes,
    Memory.replica_step_bytes,
    Memory.bucket_bytes,
    Memory.bucket_stages,
    Memory.gathered_bytes,
    Memory.reported_bytes,
    Memory.shared_usable_bytes,
    Activations.activation_bytes,
    Sharding.replica_total_bytes,
    Sharding.floor_bytes,
    Sharding.passing_bytes,
    Sharding.sharded_bytes,
    Sharding.cards_per_node,
    Sharding.node_multiple,
    Sharding.min_cards,
    Cost.price_per_card_hour,
    Cost.rental_cost,
)
OF = {column: _picked(column) for column in _NEEDED}
"""What the tables below need of the picked job."""

PickedFigures = Sheet.made_of("PickedFigures", TITLE, str(Picked.__doc__), tuple(OF.values()))


def _state(stage: Column, degree: Column) -> Expression:
    return with_columns(stage, {**OF, Sharding.data_parallel_degree: degree})


def _total(stage: int, state: Column, degree: Column, several: Column) -> Expression:
    shares = (
        NO_BYTES,
        OF[Memory.replica_optimizer_bytes],
        OF[Memory.replica_gradient_bytes] + OF[Memory.replica_optimizer_bytes],
        OF[Memory.replica_parameter_bytes] + OF[Memory.replica_gradient_bytes] + OF[Memory.replica_optimizer_bytes],
    )
    replaced: dict[Column, Expression] = {
        **OF,
        Plan.zero_stage: Number(stage),
        Sharding.data_parallel_degree: degree,
        Sharding.shares_work: several,
        Sharding.card_state_bytes: state,
        Sharding.sharded_bytes: shares[stage],
    }
    return with_columns(Sharding.card_total_bytes, replaced)


class Degrees(Sheet):
    """The picked job's fullest card at each number of replicas: the state alone, then with all that comes and goes."""

    title = TITLE
    degree = Column("1", "Replicas of the model.")
    several = Column(YES_NO, "Whether there is more than one.", degree > 1)
    stage_0_state = Column("byte", "State at stage 0.", _state(Sharding.zero0_card_bytes, degree), ZERO_STAGES)
    stage_1_state = Column("byte", "State at stage 1.", _state(Sharding.zero1_card_bytes, degree), ZERO_STAGES)
    stage_2_state = Column("byte", "State at stage 2.", _state(Sharding.zero2_card_bytes, degree), ZERO_STAGES)
    stage_3_state = Column("byte", "State at stage 3.", _state(Sharding.zero3_card_bytes, degree), ZERO_STAGES)
    stage_0_total = Column("byte", "All at stage 0.", _total(0, stage_0_state, degree, several), ZERO_STAGES)
    stage_1_total = Column("byte", "All at stage 1.", _total(1, stage_1_state, degree, several), ZERO_STAGES)
    stage_2_total = Column("byte", "All at stage 2.", _total(2, stage_2_state, degree, several), ZERO_STAGES)
    stage_3_total = Column("byte", "All at stage 3.", _total(3, stage_3_state, degree, several), ZERO_STAGES)
    usable = Column("byte", "What the job may use of each card.", OF[Memory.shared_usable_bytes])


class Sensitivity(Sheet):
    """The picked job at its own stage with more or less fragmentation, and with a lower or higher rent."""

    title = TITLE
    fragmentation_step = Column("1", "Added to the assumed fragmentation.", percent=True)
    fragmentation = Column(
        "1", "Fragmentation of this line.", Assumptions.fragmentation + fragmentation_step, percent=True
    )
    _assumed: ClassVar = {Hardware.reported_bytes: OF[Memory.reported_bytes], Assumptions.fragmentation: fragmentation}
    usable_of_one = Column(
        "byte", "What the job may use of a card that is alone.", with_columns(Hardware.lone_usable_bytes, _assumed)
    )
    usable_of_many = Column(
        "byte", "What the job may use of each of several cards.", with_columns(Hardware.shared_usable_bytes, _assumed)
    )
    whole_replica = Column(
        YES_NO,
        "Whether one replica fits with nothing sharded.",
        OF[Sharding.replica_total_bytes] <= where(OF[Memory.model_parallel_degree] > 1, usable_of_many, usable_of_one),
    )
    several = Column(
        "card",
        "Smallest number of cards of several replicas.",
        fewest_of_several(
            OF[Memory.model_parallel_degree],
            usable_of_many - OF[Sharding.floor_bytes],
            OF[Sharding.sharded_bytes],
            (OF[Sharding.passing_bytes], OF[Memory.replica_step_bytes]),
        ),
        ZERO_STAGES,
        absent=NEVER,
    )
    fewest = Column(
        "card",
        "Smallest number of cards.",
        fewest_cards(whole_replica, OF[Memory.model_parallel_degree], several),
        ZERO_STAGES,
        absent=NEVER,
    )
    in_nodes = Column(
        "card",
        "The same in whole nodes.",
        planned_in_nodes(fewest, several, OF[Sharding.cards_per_node], OF[Sharding.node_multiple]),
        absent=NEVER,
    )
    rent_for_an_hour = Column(
        "USD/hour",
        "Rent of those cards for an hour.",
        where(
            both(given(in_nodes), given(OF[Cost.price_per_card_hour])),
            in_nodes * OF[Cost.price_per_card_hour],
            Missing(NO_PRICE, "USD/hour"),
        ),
        absent=NO_PRICE,
    )


class PriceSteps(Sheet):
    """The picked job's rent with a lower or higher price."""

    title = TITLE
    price_step = Column("1", "Change of the price.", percent=True)
    price = Column(
        "USD/card/hour",
        "Rent of one card for one hour.",
        where(
            given(OF[Cost.price_per_card_hour]),
            OF[Cost.price_per_card_hour] * (1 + price_step),
            Missing(NO_PRICE, "USD/card/hour"),
        ),
        absent=NO_PRICE,
    )
    rent = Column(
        "USD",
        "Rent of the job.",
        where(given(OF[Cost.rental_cost]), OF[Cost.rental_cost] * (1 + price_step), Missing(NO_PRICE, "USD")),
        absent=NO_PRICE,
    )


STEPS = {
    Degrees.degree: DEGREES,
    Sensitivity.fragmentation_step: FRAGMENTATION_STEPS,
    PriceSteps.price_step: PRICE_STEPS,
}
"""The values that the tables go through; a reader may change them."""
