"""What one card keeps until backward: every term of the law a column, then the layers, the head, the loss."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.bands import NO_ROW, Calculation, of_model
from reportgen.calculation.catalogues import Assumptions, Blocks, Recipes
from reportgen.calculation.models import PLAIN, Models
from reportgen.calculation.plan import Plan
from reportgen.expression import Column, Expression, Number, Sheet
from reportgen.functions import both, ceil_div, find, given, is_text, maximum, minimum, pick, where, whole
from reportgen.units import ROW, TEXT

KORTHIKANTI = "Korthikanti et al. 2022 (arXiv 2205.05198), sections 4 and 5"
MEASURED = "tensors saved for backward, counted to the byte with torch 2.13 and transformers 5.24"
NO_BYTES = Number(0, "byte")


def _of_model(column: Column) -> Expression:
    return of_model(Calculation.model_row, column)


class Activations(Sheet):
    """Activations on one card, the first of a pipeline: nothing where the plan gives no batch or no sequence."""

    title = "Activations"
    bands: ClassVar = {
        "default_block": "Law",
        "hidden_size": "Sizes",
        "micro_batch_tokens": "Tokens",
        "hidden_activation_bytes": "One layer",
        "layer_input_bytes": "Recompute",
        "chunks_in_flight": "One card",
    }
    job = Column(TEXT, "Name of the job.", Plan.job)
    default_block = Column(
        TEXT,
        "Law that the recipe takes for the model's kind of MLP.",
        where(
            is_text(
                where(Calculation.model_row > NO_ROW, pick(Calculation.model_row, Models.mlp, Plan.model), ""), PLAIN
            ),
            pick(Calculation.recipe_row, Recipes.plain_block, Plan.recipe),
            pick(Calculation.recipe_row, Recipes.gated_block, Plan.recipe),
        ),
    )
    block = Column(TEXT, "Law of the activations.", where(is_text(Plan.block, ""), default_block, Plan.block))
    block_row = Column(ROW, "Row of the law in the blocks.", find(block, Blocks.block))

    hidden_size = Column("1", "Width of the residual stream.", _of_model(Models.hidden_size))
    layers = Column("1", "Transformer blocks.", _of_model(Models.layers))
    heads = Column("1", "Query heads.", _of_model(Models.heads))
    kv_heads = Column("1", "Key and value heads.", _of_model(Models.kv_heads))
    query_width = Column("1", "All query heads together.", _of_model(Models.query_width))
    key_width = Column("1", "All key heads together.", _of_model(Models.key_width))
    vocabulary = Column("1", "Rows of the token embedding.", _of_model(Models.vocabulary))
    experts = Column("1", "Routed experts in one layer.", _of_model(Models.experts))
    expert_width = Column("1", "Inner width of one routed expert.", _of_model(Models.expert_width))
    moe_layers = Column("1", "Layers with a mixture of experts.", _of_model(Models.moe_layers))
    ffn_width = Column(
        "1",
        "Inner width of MLP and shared experts, averaged over the layers.",
        where(
            layers > 0,
            (_of_model(Models.ffn_size) * (layers - moe_layers) + _of_model(Models.shared_width) * moe_layers) / layers,
            0,
        ),
    )
    routes = Column(
        "1",
        "Experts that one token visits, averaged over the layers.",
        where(layers > 0, _of_model(Models.experts_per_token) * moe_layers / layers, 0),
    )

    micro_batch_tokens = Column(
        "token",
        "Tokens of one micro-batch.",
        where(
            both(given(Plan.micro_batch_size), given(Plan.sequence_length)),
            Plan.micro_batch_size * Plan.sequence_length,
            Number(0, "token"),
        ),
    )
    sequence_length = Column(
        "token",
        "Tokens of one sequence.",
        where(given(Plan.sequence_length), Plan.sequence_length, Number(0, "token")),
    )
    sequence_parallel_degree = Column(
        "1",
        "Cards that share what tensor parallelism alone leaves whole; 1 is off.",
        where(is_text(Plan.sequence_parallel, "yes"), Plan.tensor_parallel_degree, 1),
        KORTHIKANTI,
    )
    gathered_group_parameters = Column(
        "parameter",
        "Embeddings, head and the layers that stage 3 gathers at once, on one card of a replica.",
        (
            _of_model(Models.root_parameters)
            + pick(Calculation.recipe_row, Recipes.gathered_blocks, Plan.recipe) * _of_model(Models.block_parameters)
        )
        / Plan.tensor_parallel_degree,
        "torch FSDP2, measured",
    )

    hidden_activation_bytes = Column(
        "byte",
        "Kept at hidden width: inputs and outputs of norms, dropout masks.",
        whole(pick(block_row, Blocks.per_hidden, block) * micro_batch_tokens * hidden_size / sequence_parallel_degree),
        MEASURED,
    )
    query_activation_bytes = Column(
        "byte",
        "Kept at query width: queries and the result of attention.",
        whole(
            pick(block_row, Blocks.per_query, block) * micro_batch_tokens * query_width / Plan.tensor_parallel_degree
        ),
        MEASURED,
    )
    kv_activation_bytes = Column(
        "byte",
        "Kept at the width of keys and values.",
        whole(
            pick(block_row, Blocks.per_kv, block)
            * micro_batch_tokens
            * key_width
            / maximum(minimum(Plan.tensor_parallel_degree, kv_heads), 1)
        ),
        MEASURED,
    )
    score_activation_bytes = Column(
        "byte",
        "Attention scores: softmax, its mask and its result; none where a kernel does not keep them.",
        whole(
            pick(block_row, Blocks.per_score, block)
            * micro_batch_tokens
            * sequence_length
            * heads
            / Plan.tensor_parallel_degree
        ),
        KORTHIKANTI,
    )
    head_statistic_bytes = Column(
        "byte",
        "Numbers for each token and head: softmax statistics, norms of queries and keys.",
        whole(
            micro_batch_tokens
            * (pick(block_row, Blocks.per_head, block) * heads + pick(block_row, Blocks.per_kv_head, block) * kv_heads)
            / Plan.tensor_parallel_degree
        ),
        MEASURED,
    )
    norm_statistic_bytes = Column(
        "byte",
        "Numbers for each token that the norms keep.",
        whole(pick(block_row, Blocks.per_token, block) * micro_batch_tokens / sequence_parallel_degree),
        MEASURED,
    )
    ffn_activation_bytes = Column(
        "byte",
        "Kept at feed-forward width, in MLP and shared experts.",
        whole(pick(block_row, Blocks.per_ffn, block) * micro_batch_tokens * ffn_width / Plan.tensor_parallel_degree),
        MEASURED,
    )
    expert_activation_bytes = Column(
        "byte",
        "Routed experts: input, output and feed-forward values of a token, once for every expert it visits.",
        whole(
            micro_batch_tokens
            * routes
            * (
                pick(block_row, Blocks.per_routed_hidden, block) * hidden_size / sequence_parallel_degree
                + pick(block_row, Blocks.per_routed_ffn, block) * expert_width / Plan.tensor_parallel_degree
            )
        ),
        MEASURED,
    )
    router_activation_bytes = Column(
        "byte",
        "Router: a weight for each token and expert, an offset for each expert, the indices of each visit.",
        where(
            moe_layers > 0,
            whole(
                (
                    pick(block_row, Blocks.per_router, block)
                    * experts
                    * (
                        micro_batch_tokens
                        + where(micro_batch_tokens > Number(0, "token"), Number(1, "token"), Number(0, "token"))
                    )
                    * moe_layers
                    / layers
                    + pick(block_row, Blocks.per_routed, block) * micro_batch_tokens * routes
                )
                / sequence_parallel_degree
            ),
            NO_BYTES,
        ),
        MEASURED,
    )
    adapter_activation_bytes = Column(
        "byte",
        "LoRA: the narrow values between the two matrices of an adapter.",
        where(
            given(Plan.lora_rank),
            whole(pick(block_row, Blocks.per_rank, block) * Plan.lora_rank * micro_batch_tokens),
            NO_BYTES,
        ),
        MEASURED,
    )
    layer_activation_bytes = Column(
        "byte",
        "All that one layer keeps until backward without recompute.",
        hidden_activation_bytes
        + query_activation_bytes
        + kv_activation_bytes
        + score_activation_bytes
        + head_statistic_bytes
        + norm_statistic_bytes
        + ffn_activation_bytes
        + expert_activation_bytes
        + router_activation_bytes
        + adapter_activation_bytes,
        KORTHIKANTI,
    )
    layer_input_bytes = Column(
        "byte",
        "Input of one layer, all that full recompute keeps of it; tensor parallelism does not divide it.",
        whole(pick(block_row, Blocks.per_input, block) * micro_batch_tokens * hidden_size),
        KORTHIKANTI,
    )
    recomputed_bytes = Column(
        "byte",
        "What one layer makes again in backward: nothing, the scores, or all of it.",
        where(
            is_text(Plan.recompute, "full"),
            layer_activation_bytes,
            where(is_text(Plan.recompute, "selective"), score_activation_bytes, NO_BYTES),
        ),
        KORTHIKANTI,
    )
    kept_layer_bytes = Column(
        "byte",
        "What one layer keeps: its input alone, or all but what is made again.",
        where(is_text(Plan.recompute, "full"), layer_input_bytes, layer_activation_bytes - recomputed_bytes),
        KORTHIKANTI,
    )
    chunks_in_flight = Column(
        "1",
        "Chunks of layers whose activations the first pipeline stage holds at once.",
        Plan.pipeline_parallel_degree * Plan.interleaved_chunks
        + where(Plan.interleaved_chunks > 1, Plan.pipeline_parallel_degree - 1, 0),
        KORTHIKANTI,
    )
    layers_in_flight = Column(
        "1",
        "The same in layers; a chunk that does not divide evenly is counted whole.",
        ceil_div(layers, Plan.pipeline_parallel_degree * Plan.interleaved_chunks) * chunks_in_flight,
        KORTHIKANTI,
    )
    stage_activation_bytes = Column(
        "byte", "All layers on the first pipeline stage.", kept_layer_bytes * layers_in_flight, KORTHIKANTI
    )
    head_tokens = Column(
        "token",
        "Tokens that this card's head sees; none where the head is on a later stage.",
        where(Plan.pipeline_parallel_degree > 1, Number(0, "token"), micro_batch_tokens),
    )
    head_input_bytes = Column(
        "byte",
        "Last norm and input of the head.",
        whole(pick(block_row, Blocks.per_final, block) * head_tokens * hidden_size / sequence_parallel_degree),
        MEASURED,
    )
    logit_bytes = Column(
        "byte",
        "Logits kept for the loss.",
        whole(
            pick(Calculation.recipe_row, Recipes.logit_width, Plan.recipe)
            * head_tokens
            * vocabulary
            / Plan.tensor_parallel_degree
        ),
        MEASURED,
    )
    loss_temporary_bytes = Column(
        "byte",
        "Further copies of the logits at the peak of the loss.",
        whole((Assumptions.logit_copies - 1) * logit_bytes),
    )
    cast_weight_bytes = Column(
        "byte",
        "16-bit copies of the matrices that autocast keeps; one layer's at a time with full recompute.",
        where(
            micro_batch_tokens > Number(0, "token"),
            whole(
                pick(block_row, Blocks.per_weight, block)
                * (_of_model(Models.shared_matrix_parameters) + _of_model(Models.token_embedding_parameters))
                / (Plan.tensor_parallel_degree * Plan.pipeline_parallel_degree)
                / where(is_text(Plan.recompute, "full"), maximum(layers, 1), 1)
            ),
            NO_BYTES,
        ),
        MEASURED,
    )
    peak_bytes = Column(
        "byte",
        "What comes on top for a moment: the loss, or one layer made again, whichever is larger.",
        maximum(loss_temporary_bytes, recomputed_bytes),
    )
    activation_bytes = Column(
        "byte",
        "Activations on one card: as given, else layers, head, logits, copies of weights and the peak on top.",
        where(
            given(Plan.activation_bytes),
            Plan.activation_bytes,
            stage_activation_bytes + head_input_bytes + logit_bytes + cast_weight_bytes + peak_bytes,
        ),
        KORTHIKANTI,
    )
