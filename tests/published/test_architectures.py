"""A model that names the class of its published code needs only its sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from reportgen import calculate, read_plan
from reportgen.calculation.models import Models

MODELS: Final = """\
model,arch,vocabulary,hidden_size,layers,heads,kv_heads,ffn_size,max_position
Qwen2.5 14B,Qwen2ForCausalLM,152064,5120,48,40,8,13824,
GPT-2 large,GPT2LMHeadModel,50257,1280,36,20,,,1024
OPT 2.7b,OPTForCausalLM,50272,2560,32,32,,10240,2048
Llama-2 13B,,32000,5120,40,40,,13824,
"""
COUNTED: Final = {
    "Qwen2.5 14B": 14_770_033_664,
    "GPT-2 large": 774_030_080,
    "OPT 2.7b": 2_651_596_800,
    "Llama-2 13B": 13_015_864_320,
}
"""Parameters of the published code, counted on empty tensors; biases, ties and position tables come with the class."""


@pytest.mark.parametrize("name", COUNTED)
def test_a_model_is_counted_from_its_sizes_and_its_class(name: str, tmp_path: Path) -> None:
    (tmp_path / "models.csv").write_text(MODELS)
    (tmp_path / "plan.csv").write_text(f"model,hardware\n{name},H100\n")
    ledger = calculate(read_plan(tmp_path / "plan.csv", models=tmp_path / "models.csv"))
    names = ledger.values[Models.model].tolist()
    assert ledger.values[Models.total_parameters][names.index(name)] == COUNTED[name]
