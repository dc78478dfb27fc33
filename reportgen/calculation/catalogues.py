"""The catalogues and assumptions: what each column of an input file means, its unit and its bounds."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.declare import (
    BELOW_ONE,
    COUNT,
    PART,
    POSITIVE,
    SHARE,
    WHOLE,
    Assumption,
    Bounds,
    Constant,
    Input,
)
from reportgen.expression import Column, Expression, Number, Sheet
from reportgen.functions import given, match, where, whole
from reportgen.units import DATE, GB, GIB, MIB, ROW, TEXT, YES_NO

PLANNING = "planning rule of this tool; the four overheads stand under Assumptions"


class Optimizers(Sheet):
    """How many values an optimizer keeps for each trainable parameter, and how wide they are."""

    title = "Optimizers"
    optimizer = Input(TEXT, "Name of the optimizer.", required=True)
    moments_per_parameter = Input(
        "value/parameter", "Values kept for each trainable parameter: 0 SGD, 1 momentum, 2 Adam.", required=True
    )
    other_moments_per_parameter = Input(
        "value/parameter",
        "The same outside the layers' matrices, where it differs: Muon takes matrices and leaves the rest to AdamW.",
        default=moments_per_parameter,
    )
    moment_width = Input("byte/value", "Bytes of one kept value; empty where the recipe decides.")
    keeps_master = Input(
        YES_NO, "Whether the recipe's master copies are kept with this optimizer.", default="yes", choices=("yes", "no")
    )
    step_copies = Input(
        "1",
        "Further copies of each parameter made during the step by a form that goes over all tensors at once.",
        default=where(moments_per_parameter >= Number(2, "value/parameter"), 1, 0),
    )
    counted = Input(TEXT, "What is counted, and at which shapes where they matter.")
    source = Input(TEXT, "Where the row comes from.")


class Recipes(Sheet):
    """Which numbers training holds, in which width: five widths, because bytes per parameter are a set."""

    title = "Recipes"
    recipe = Input(TEXT, "Name of the recipe.", required=True)
    parameter_width = Input("byte/parameter", "Bytes of one parameter as the layers compute with it.", required=True)
    gradient_width = Input("byte/parameter", "Bytes of one gradient.", required=True)
    master_weight_width = Input("byte/parameter", "Bytes of the master copy of one parameter; 0 for none.", default="0")
    master_gradient_width = Input(
        "byte/parameter", "Bytes of the master copy of one gradient; 0 for none.", default="0"
    )
    moment_width = Input("byte/value", "Bytes of one value that the optimizer keeps.", required=True)
    frozen_width = Input(
        "byte/parameter", "Bytes of one frozen parameter, where it has a width of its own.", default=parameter_width
    )
    plain_block = Input(TEXT, "Activation law of models with a plain MLP.", default="korthikanti")
    gated_block = Input(TEXT, "Activation law of models with a gated MLP.", default="llama-fused-sdpa-bf16")
    logit_width = Input("byte/token", "Bytes of one logit kept for the loss.", default="4")
    gathered_width = Input(
        "byte/parameter", "Bytes of one parameter that stage 3 has gathered.", default=parameter_width
    )
    gathered_blocks = Input(
        "1",
        "Layers that stage 3 gathers at once beside embeddings and head; 0 for the rule of live_parameters.",
        default="0",
        bounds=WHOLE,
    )
    bucket_parameters = Input(
        "parameter", "Gradients in the buckets that are being reduced, capped by the model; 0 for none.", default="0"
    )
    bucket_stages = Input(
        "1", "Highest stage at which those buckets exist.", default="0", bounds=Bounds(least=0, most=3, whole=True)
    )
    foreach = Input(
        "1",
        "1 where the optimizer's step goes over all tensors at once, 0 where it is fused.",
        default="0",
        bounds=WHOLE,
    )
    description = Input(TEXT, "What the recipe stands for.")
    source = Input(TEXT, "Where the row comes from.")


class Blocks(Sheet):
    """Laws of what one layer keeps until backward: bytes for each token and each value named, measured or published."""

    title = "Blocks"
    block = Input(TEXT, "Name of the law: code, attention, precision.", required=True)
    per_input = Input("byte/token", "A layer's input, for each hidden value.", default="0")
    per_hidden = Input("byte/token", "For each hidden value.", default="0")
    per_query = Input("byte/token", "For each value of the query heads.", default="0")
    per_kv = Input("byte/token", "For each value of the key heads; the values' are as many.", default="0")
    per_ffn = Input("byte/token", "For each feed-forward value.", default="0")
    per_score = Input("byte/token/token", "For each pair of tokens and each head.", default="0")
    per_head = Input("byte/token", "For each query head.", default="0")
    per_kv_head = Input("byte/token", "For each key head.", default="0")
    per_token = Input("byte/token", "For each token.", default="0")
    per_routed_hidden = Input("byte/token", "For each hidden value of a token in each expert it visits.", default="0")
    per_routed_ffn = Input("byte/token", "For each feed-forward value in each expert it visits.", default="0")
    per_router = Input("byte/token", "For each expert the router weighs.", default="0")
    per_routed = Input("byte/token", "For each expert a token visits.", default="0")
    per_rank = Input("byte/token", "For each rank of a LoRA adapter, in one layer.", default="0")
    per_final = Input("byte/token", "Last norm and input of the head, for each hidden value.", default="0")
    per_weight = Input("byte/parameter", "16-bit copy of each matrix weight that autocast keeps.", default="0")
    source = Input(TEXT, "Where the row comes from.")


class AssumptionRows(Sheet):
    """Every scalar that a figure rests on, with its range and its source; change it here and all figures follow."""

    title = "Assumptions"
    name = Input(TEXT, "Name of the assumption; formulas use it.", required=True)
    value = Input("as stated", "The value that the figures use.", required=True)
    unit = Input(TEXT, "Unit of the value.", required=True)
    low = Input("as stated", "Lower end of the plausible range.")
    high = Input("as stated", "Upper end of the plausible range.")
    source = Input(TEXT, "Where the value comes from.")


class Assumptions(Sheet):
    """The assumptions as formulas refer to them: by name."""

    title = "Assumptions"
    inference_width = Assumption(
        "byte/parameter", "Bytes of one parameter when the model only answers.", bounds=POSITIVE
    )
    driver_reserve = Assumption(
        "1", "Share of the reported memory that the driver keeps from programs.", bounds=BELOW_ONE, percent=True
    )
    context_memory = Assumption("GiB", "Context, kernels and library workspaces of one process.")
    communication_memory = Assumption("GiB", "Buffers for talking to other cards; none on a single card.")
    fragmentation = Assumption(
        "1", "Share of the rest that the allocator holds but cannot use.", bounds=BELOW_ONE, percent=True
    )
    live_parameters = Assumption("parameter", "Parameters that stage 3 holds gathered at once, capped by the model.")
    logit_copies = Assumption("1", "Copies of the logits alive at the peak of the loss.", bounds=Bounds(least=1))

    flops_per_parameter_token = Assumption(
        "FLOP/parameter/token",
        "Arithmetic for one active parameter and one token, forward and backward.",
        bounds=POSITIVE,
    )
    model_flops_utilization = Assumption(
        "1", "Share of the peak rate that training turns into the model's arithmetic.", bounds=PART, percent=True
    )
    power_load = Assumption(
        "1", "Mean draw of a working card as a share of its rated watts.", bounds=PART, percent=True
    )
    node_power_factor = Assumption("1", "Power of a whole server for each watt of its cards.", bounds=Bounds(least=1))
    pue = Assumption("1", "Power of the building for each watt of its machines.", bounds=Bounds(least=1))
    power_price = Assumption("USD/kWh", "Price of electricity.")
    colocation_price = Assumption(
        "USD/kW/month", "Price of hosting one kW of machines for a month, cooling included; 0 for one's own building."
    )
    depreciation_years = Assumption("year", "Years over which a bought card is written off.", bounds=POSITIVE)
    card_use = Assumption("1", "Share of the owned hours in which a card works.", bounds=PART, percent=True)
    capital_cost = Assumption("1/year", "Yearly cost of the money in bought cards.", bounds=SHARE, percent=True)
    support_share = Assumption(
        "1/year", "Yearly maintenance and staff as a share of the purchase price.", bounds=SHARE, percent=True
    )
    server_price_share = Assumption("1", "Server, network and storage for each unit of card price.", percent=True)


class Constants(Sheet):
    """What nobody may change: the sizes of the units, so that no formula holds a typed number."""

    title = "Assumptions"
    bytes_per_gb = Constant("byte/GB", "Bytes in a gigabyte, 10⁹.", value=GB)
    bytes_per_gib = Constant("byte/GiB", "Bytes in a gibibyte, 2³⁰.", value=GIB)
    bytes_per_mib = Constant("byte/MiB", "Bytes in a mebibyte, 2²⁰.", value=MIB)
    seconds_per_hour = Constant("s/hour", "Seconds in an hour.", value=3600)
    hours_per_year = Constant("hour/year", "Hours in a year of 365 days.", value=8760)
    months_per_year = Constant("month/year", "Months in a year.", value=12)
    watts_per_kw = Constant("W/kW", "Watts in a kilowatt.", value=1000)
    check_tolerance = Constant("1", "Relative difference up to which two figures of a check are one.", value=1e-12)


def _usable(reported: Expression, communication: Expression) -> Expression:
    left = reported * (1 - Assumptions.driver_reserve) - Assumptions.context_memory * Constants.bytes_per_gib
    return whole((left - communication) * (1 - Assumptions.fragmentation))


class Hardware(Sheet):
    """Cards with the memory on their label and the memory their driver reports; never one taken for the other."""

    title = "Hardware"
    bands: ClassVar = {"hardware": "Given", "row": "Derived"}
    hardware = Input(TEXT, "Name of the card.", required=True)
    aliases = Input(TEXT, "Other names of the card, divided by semicolons.")
    vendor = Input(TEXT, "Who makes the card.")
    label_memory = Input("GB", "Memory on the card's label, read as 10⁹ bytes.", required=True, bounds=POSITIVE)
    reported_memory = Input("MiB", "Memory that the driver reports; empty where unknown.", bounds=POSITIVE)
    cards_per_node = Input("card", "Cards in one node.", default="8", bounds=COUNT)
    peak_flops = Input("FLOP/s", "Dense 16-bit peak rate of one card.", bounds=POSITIVE)
    watts = Input("W", "Power limit of one card.", bounds=POSITIVE)
    price_per_card_hour = Input("USD/card/hour", "Rent of one card for one hour.")
    price_per_card = Input("USD/card", "Purchase price of one card.")
    price_date = Input(DATE, "Day on which the prices were read.")
    price_source = Input(TEXT, "Who asks that price, where and for what.")
    source = Input(TEXT, "Where the row comes from.")

    row = Column(ROW, "Row of the card here.", match(hardware, hardware))
    label_bytes = Column("byte", "Memory on the label, in whole bytes.", whole(label_memory * Constants.bytes_per_gb))
    memory_basis = Column(
        TEXT,
        "Which memory counts: what the driver reports, or the label where that is unknown.",
        where(given(reported_memory), "reported", "label"),
    )
    reported_bytes = Column(
        "byte",
        "The memory that counts, in whole bytes.",
        where(given(reported_memory), whole(reported_memory * Constants.bytes_per_mib), label_bytes),
    )
    lone_usable_bytes = Column(
        "byte",
        "What a job may use of the card when it is alone.",
        _usable(reported_bytes, Number(0, "byte")),
        PLANNING,
    )
    shared_usable_bytes = Column(
        "byte",
        "What a job may use of the card when it talks to others.",
        _usable(reported_bytes, Assumptions.communication_memory * Constants.bytes_per_gib),
        PLANNING,
    )


class CloudPrices(Sheet):
    """Dated on-demand prices of public clouds; a job names provider and instance type to pay one of them."""

    title = "Cloud prices"
    instance_type = Input(TEXT, "The provider's name for the instance; unique in this list.", required=True)
    provider = Input(TEXT, "Who rents it.", required=True)
    hardware = Input(TEXT, "The card in it.", names=Hardware.hardware, free=True)
    cards = Input("card", "Cards in it.", required=True, bounds=COUNT)
    price_per_hour = Input("USD/hour", "Price of the whole instance for one hour.", required=True)
    region = Input(TEXT, "Where that is its price.")
    price_date = Input(DATE, "Day on which the price was read.")
    source = Input(TEXT, "Where the row comes from.")
