"""The models: their published counts, or the count that follows from the architecture, matrix by matrix."""

from __future__ import annotations

from typing import ClassVar

from reportgen.calculation.declare import PARAMETERS, WHOLE, Input
from reportgen.expression import Column, Expression, Number, Operand, Sheet
from reportgen.functions import absolute, both, counted, given, is_text, maximum, minimum, where
from reportgen.units import TEXT, YES_NO

GATED, PLAIN = "gated", "plain"
_ARCHITECTURE = "the model's configuration; equal to the count of its published code, parameter for parameter"


def _size(meaning: str, default: str | Expression = "0", also: tuple[str, ...] = ()) -> Input:
    return Input("1", meaning, default=default, bounds=WHOLE, also=also)


def _yes_no(meaning: str, default: str | Expression = "no", also: tuple[str, ...] = ()) -> Input:
    return Input(YES_NO, meaning, default=default, choices=("yes", "no"), also=also)


def _if(condition: Column, then: Operand, otherwise: Operand = 0) -> Expression:
    return where(is_text(condition, "yes"), then, otherwise)


def _parameters(meaning: str, definition: Expression) -> Column:
    return Column("parameter", meaning, counted(definition, "parameter"), _ARCHITECTURE)


def _width(meaning: str, definition: Expression) -> Column:
    return Column("1", meaning, definition, _ARCHITECTURE)


class Architectures(Sheet):
    """What the published code of a kind of model has: texts for the empty cells of a model that names its class."""

    title = "Architectures"
    arch = Input(TEXT, "Class of the code.", required=True)
    mlp = Input(TEXT, "gated or plain.")
    tied = Input(TEXT, "Whether the head is the token embedding.")
    qkv_bias = Input(TEXT, "Whether query, key and value have a bias.")
    attn_out_bias = Input(TEXT, "Whether the output matrix of attention has a bias.")
    mlp_bias = Input(TEXT, "Whether MLP matrices have a bias.")
    head_bias = Input(TEXT, "Whether the head has a bias.")
    router_bias = Input(TEXT, "Whether the router has a bias.")
    norm_bias = Input(TEXT, "Whether norms have a bias.")
    norms_per_layer = Input(TEXT, "Norms in one layer.")
    norms_outside_layers = Input(TEXT, "Norms outside the layers.")
    qk_norm = Input(TEXT, "Norm of queries and keys.")
    qk_norm_bias = Input(TEXT, "Whether that norm has a bias.")
    attention_sinks = Input(TEXT, "Whether query heads have sinks.")
    shared_expert_gate = Input(TEXT, "Whether shared experts have a gate.")
    fused_qkv = Input(TEXT, "Whether query, key and value are one matrix.")
    fused_gate_up = Input(TEXT, "Whether gate and up are one matrix.")
    learned_positions = Input(TEXT, "Rows of the position table beyond max_position, as +2.")
    source = Input(TEXT, "Where the row comes from.")


class Models(Sheet):
    """Public models and their parameters; a job names a row, or brings its own count. A decoder may be counted here."""

    title = "Models"
    bands: ClassVar = {
        "model": "Given",
        "query_width": "Widths",
        "query_weights": "Attention of one layer",
        "norm_vector": "Norms",
        "mlp_parameters": "MLP and experts of one layer",
        "attention_parameters": "The whole model",
        "expert_matrix_parameters": "Shares",
        "lora_query_width": "LoRA: inputs and outputs of the adapted matrices",
    }
    model = Input(TEXT, "Name of the model.", required=True)
    kind = Input(
        TEXT,
        "Only a decoder is counted by formula; the others rest on the given count.",
        default="decoder",
        choices=("decoder", "encoder", "encoder-decoder", "vision+text"),
    )
    arch = Input(
        TEXT,
        "Class of the published code; empty cells take what that code has.",
        also=("architecture", "architectures"),
    )
    parameters = Input(
        "parameter", "Given count, tied weights once; empty where the architecture says it.", bounds=PARAMETERS
    )
    active_parameters = Input("parameter", "Given count that one token passes through.", bounds=PARAMETERS)
    vocabulary = _size("Rows of the token embedding.", also=("vocab_size",))
    hidden_size = _size("Width of the residual stream.", also=("n_embd",))
    layers = _size("Transformer blocks.", also=("num_hidden_layers",))
    heads = _size("Query heads.", also=("num_attention_heads",))
    kv_heads = _size("Key and value heads.", heads, also=("num_key_value_heads",))
    qk_nope_head_dim = _size("Latent attention: the part of a head without rotary positions.")
    qk_rope_head_dim = _size("Latent attention: the rotary part of a head, shared by all heads on the key side.")
    head_dim = _size(
        "Width of one query or key head.",
        where(
            qk_nope_head_dim > 0,
            qk_nope_head_dim + qk_rope_head_dim,
            where(heads > 0, hidden_size / heads, 0),
        ),
    )
    v_head_dim = _size("Width of one value head.", head_dim)
    q_lora_rank = _size("Latent attention: rank of the compressed query.")
    kv_lora_rank = _size("Latent attention: rank of the compressed key and value.")
    mlp = Input(TEXT, "gated (gate, up, down) or plain (up, down).", default=GATED, choices=(GATED, PLAIN))
    experts = _size(
        "Routed experts in a mixture-of-experts layer.", also=("num_experts", "n_routed_experts", "num_local_experts")
    )
    experts_per_token = _size("Routed experts that one token passes through.", experts, also=("num_experts_per_tok",))
    expert_ffn_size = _size(
        "Inner width of one routed expert; that of the MLP where 0.", also=("moe_intermediate_size",)
    )
    ffn_size = _size(
        "Inner width of the dense MLP.",
        where(expert_ffn_size > 0, expert_ffn_size, where(is_text(mlp, PLAIN), 4 * hidden_size, 0)),
        also=("intermediate_size",),
    )
    shared_experts = _size("Experts that every token passes through.", also=("n_shared_experts",))
    shared_expert_ffn_size = _size(
        "Inner width of one shared expert.",
        where(expert_ffn_size > 0, expert_ffn_size, ffn_size),
        also=("shared_expert_intermediate_size",),
    )
    moe_layers = _size("Layers with a mixture of experts; the others have the MLP.", where(experts > 0, layers, 0))
    tied = _yes_no("Whether the head is the token embedding.", also=("tie_word_embeddings",))
    _by_mlp = where(is_text(mlp, PLAIN), "yes", "no")
    qkv_bias = _yes_no("Whether query, key and value have a bias.", _by_mlp)
    attn_out_bias = _yes_no("Whether the output matrix of attention has a bias.", _by_mlp)
    mlp_bias = _yes_no("Whether MLP and expert matrices have a bias.", _by_mlp)
    head_bias = _yes_no("Whether the head has a bias.")
    router_bias = _yes_no("Whether the router has a bias.")
    norm_bias = _yes_no("Whether norms have a bias beside their weight.", _by_mlp)
    norms_per_layer = _size("Norms of hidden width in one layer.", "2")
    norms_outside_layers = _size("Norms of hidden width outside the layers.", "1")
    qk_norm = Input(
        TEXT,
        "Norm of queries and keys: none, one head wide, or all heads wide.",
        default="no",
        choices=("no", "head", "width"),
    )
    qk_norm_bias = _yes_no("Whether that norm has a bias.")
    attention_sinks = _yes_no("Whether each query head has a learned sink.")
    shared_expert_gate = _yes_no("Whether the shared experts have a gate of hidden width.")
    max_position = _size(
        "Longest sequence; it counts where the class of the code has a table of positions.",
        also=("max_position_embeddings",),
    )
    learned_positions = _size("Rows of the learned position table.")
    embedding_size = _size("Width of the token embedding, where projections lead to the hidden width.", hidden_size)
    extra_parameters = Input("parameter", "Anything else, active, outside the embeddings.", default="0", bounds=WHOLE)
    fused_qkv = _yes_no("Whether query, key and value are one matrix for LoRA.")
    fused_gate_up = _yes_no("Whether gate and up are one matrix for LoRA.")
    source = Input(TEXT, "Where the row comes from.")

    query_width = _width("All query heads together.", heads * head_dim)
    key_width = _width("All key heads together.", kv_heads * head_dim)
    value_width = _width("All value heads together.", kv_heads * v_head_dim)
    attention_width = _width("What attention hands to its output matrix.", heads * v_head_dim)
    expert_width = _width(
        "Inner width of one routed expert.",
        where(expert_ffn_size > 0, expert_ffn_size, where(experts > 0, ffn_size, 0)),
    )
    shared_width = _width("Inner width of all shared experts together.", shared_experts * shared_expert_ffn_size)
    mlp_matrices = _width("Matrices of one MLP or expert.", where(is_text(mlp, GATED), 3, 2))
    query_weights = _parameters(
        "Query matrix of one layer; with a rank, down and up.",
        where(q_lora_rank > 0, q_lora_rank * (hidden_size + query_width), hidden_size * query_width),
    )
    key_value_weights = _parameters(
        "Key and value matrices of one layer; with a rank, the shared down and each head's up.",
        where(
            kv_lora_rank > 0,
            hidden_size * (kv_lora_rank + qk_rope_head_dim)
            + kv_lora_rank * (query_width - heads * qk_rope_head_dim + attention_width),
            hidden_size * (key_width + value_width),
        ),
    )
    attention_output_weights = _parameters("Output matrix of attention of one layer.", attention_width * hidden_size)
    query_key_value_biases = _parameters(
        "Biases of query, key and value of one layer.",
        _if(
            qkv_bias,
            where(
                kv_lora_rank > 0, q_lora_rank + kv_lora_rank + qk_rope_head_dim, query_width + key_width + value_width
            ),
        ),
    )
    attention_biases = _parameters(
        "Bias of the output matrix and sinks of one layer.",
        _if(attn_out_bias, hidden_size) + _if(attention_sinks, heads),
    )
    norm_vector = _parameters("One norm of hidden width.", _if(norm_bias, 2, 1) * hidden_size)
    query_key_norm_parameters = _parameters(
        "Norms of queries and keys of one layer.",
        where(is_text(qk_norm, "head"), 2 * head_dim, where(is_text(qk_norm, "width"), query_width + key_width, 0))
        * _if(qk_norm_bias, 2, 1),
    )
    norm_parameters = Column(
        "parameter",
        "All norms of one layer, those of latent attention included.",
        norms_per_layer * norm_vector + query_key_norm_parameters + counted(q_lora_rank + kv_lora_rank, "parameter"),
        _ARCHITECTURE,
    )
    mlp_parameters = _parameters(
        "Dense MLP of one layer.",
        mlp_matrices * hidden_size * ffn_size + _if(mlp_bias, (mlp_matrices - 1) * ffn_size + hidden_size),
    )
    expert_parameters = _parameters(
        "One routed expert.",
        mlp_matrices * hidden_size * expert_width + _if(mlp_bias, (mlp_matrices - 1) * expert_width + hidden_size),
    )
    shared_expert_parameters = _parameters(
        "All shared experts of one layer and their gate.",
        mlp_matrices * hidden_size * shared_width
        + where(both(is_text(mlp_bias, "yes"), shared_width > 0), (mlp_matrices - 1) * shared_width + hidden_size, 0)
        + _if(shared_expert_gate, hidden_size),
    )
    router_parameters = _parameters("Router of one layer.", experts * (hidden_size + _if(router_bias, 1)))
    attention_parameters = Column(
        "parameter",
        "Attention of one layer.",
        query_weights + key_value_weights + attention_output_weights + query_key_value_biases + attention_biases,
        _ARCHITECTURE,
    )
    moe_parameters = Column(
        "parameter",
        "Mixture of experts of one layer.",
        experts * expert_parameters + shared_expert_parameters + router_parameters,
        _ARCHITECTURE,
    )
    layer_parameters = Column(
        "parameter",
        "All layers together.",
        layers * (attention_parameters + norm_parameters)
        + (layers - moe_layers) * mlp_parameters
        + moe_layers * moe_parameters,
        _ARCHITECTURE,
    )
    token_embedding_parameters = _parameters("Token embedding.", vocabulary * embedding_size)
    position_embedding_parameters = _parameters("Learned position table.", learned_positions * hidden_size)
    head_parameters = _parameters(
        "Head, where it is not the token embedding.", _if(tied, 0, vocabulary * embedding_size)
    )
    projection_parameters = _parameters(
        "Head bias, and projections between a narrow embedding and the layers.",
        _if(head_bias, vocabulary)
        + where(absolute(embedding_size - hidden_size) > 0, 2 * embedding_size * hidden_size, 0),
    )
    embedding_parameters = Column(
        "parameter",
        "Token embedding, position table and head.",
        token_embedding_parameters + position_embedding_parameters + head_parameters,
        _ARCHITECTURE,
    )
    root_parameters = Column(
        "parameter",
        "All that is in no layer.",
        embedding_parameters + norms_outside_layers * norm_vector + projection_parameters + extra_parameters,
        _ARCHITECTURE,
    )
    computed_parameters = Column(
        "parameter",
        "Count that follows from the architecture, tied weights once; 0 for what is no decoder.",
        where(is_text(kind, "decoder"), layer_parameters + root_parameters, Number(0, "parameter")),
        _ARCHITECTURE,
    )
    unused_expert_parameters = Column(
        "parameter",
        "Routed experts that one token does not pass through.",
        moe_layers * (experts - minimum(experts_per_token, experts)) * expert_parameters,
        _ARCHITECTURE,
    )
    total_parameters = Column(
        "parameter",
        "Parameters: the given count, else the computed one.",
        where(given(parameters), parameters, computed_parameters),
    )
    total_active_parameters = Column(
        "parameter",
        "Parameters that one token passes through: given, else all but the experts it does not visit.",
        where(given(active_parameters), active_parameters, total_parameters - unused_expert_parameters),
    )
    count_difference = Column(
        "parameter",
        "How far given and computed are apart, where both are known.",
        where(
            both(given(parameters), computed_parameters > Number(0, "parameter")),
            absolute(parameters - computed_parameters),
            Number(0, "parameter"),
        ),
    )
    expert_matrix_parameters = _parameters(
        "Matrices of all routed experts.", moe_layers * experts * mlp_matrices * hidden_size * expert_width
    )
    shared_matrix_parameters = Column(
        "parameter",
        "All other matrices inside the layers.",
        layers * (query_weights + key_value_weights + attention_output_weights)
        + counted(
            hidden_size * mlp_matrices * ((layers - moe_layers) * ffn_size + moe_layers * shared_width), "parameter"
        )
        + counted(moe_layers * (experts * hidden_size + _if(shared_expert_gate, hidden_size)), "parameter"),
        _ARCHITECTURE,
    )
    other_share = Column(
        "1",
        "Share of the parameters outside the layers' matrices; all of them where the architecture is unknown.",
        where(
            computed_parameters > Number(0, "parameter"),
            (computed_parameters - expert_matrix_parameters - shared_matrix_parameters) / computed_parameters,
            1,
        ),
        percent=True,
    )
    block_parameters = Column(
        "parameter",
        "The largest layer.",
        attention_parameters
        + norm_parameters
        + maximum(
            where(layers > moe_layers, mlp_parameters, Number(0, "parameter")),
            where(moe_layers > 0, moe_parameters, Number(0, "parameter")),
        ),
        _ARCHITECTURE,
    )
    lora_query_width = _width(
        "LoRA: inputs and outputs of the query matrix of one layer.",
        hidden_size + query_width + 2 * q_lora_rank,
    )
    lora_key_value_width = _width(
        "LoRA: inputs and outputs of key and value of one layer.",
        where(
            kv_lora_rank > 0,
            hidden_size
            + qk_rope_head_dim
            + 2 * kv_lora_rank
            + query_width
            - heads * qk_rope_head_dim
            + attention_width,
            2 * hidden_size + key_width + value_width,
        ),
    )
    lora_qkv_width = _width(
        "LoRA: inputs and outputs of query, key and value of one layer; one fused matrix has one input.",
        _if(fused_qkv, hidden_size + query_width + key_width + value_width, lora_query_width + lora_key_value_width),
    )
    lora_split_query_value_width = _width(
        "LoRA on separate query and value of one layer; latent attention has key and value in one.",
        where(kv_lora_rank > 0, lora_qkv_width, lora_query_width + hidden_size + value_width),
    )
    lora_query_value_width = _width(
        "LoRA on query and value, all layers.",
        layers * _if(fused_qkv, lora_qkv_width, lora_split_query_value_width),
    )
    lora_attention_width = _width(
        "LoRA on query, key, value and output, all layers.", layers * (lora_qkv_width + attention_width + hidden_size)
    )
    lora_mlp_inputs = _width("LoRA: inputs that a fused gate and up save.", _if(fused_gate_up, hidden_size))
    lora_mlp_width = _width(
        "LoRA on the dense MLPs, all layers.",
        (layers - moe_layers) * (mlp_matrices * (hidden_size + ffn_size) - lora_mlp_inputs),
    )
    lora_shared_expert_width = _width(
        "LoRA on the shared experts and their gate, all layers.",
        moe_layers
        * (
            where(shared_width > 0, mlp_matrices * (hidden_size + shared_width) - lora_mlp_inputs, 0)
            + _if(shared_expert_gate, hidden_size + 1)
        ),
    )
    lora_expert_width = _width(
        "LoRA on the routed experts, each with adapters of its own, all layers.",
        moe_layers * experts * (mlp_matrices * (hidden_size + expert_width) - lora_mlp_inputs),
    )
    lora_all_linear_width = _width(
        "LoRA on every matrix but router, embedding and head.",
        lora_attention_width
        + lora_mlp_width
        + lora_shared_expert_width
        + lora_expert_width
        + where(absolute(embedding_size - hidden_size) > 0, 2 * (embedding_size + hidden_size), 0),
    )
