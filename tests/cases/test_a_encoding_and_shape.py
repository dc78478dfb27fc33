"""Cases A of inputs.md: encoding and shape of the file."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

import pytest
from case_files import BASE, build, figures, read, refused

from reportgen.calculation.plan import Plan

HEADER, ROW = BASE.splitlines()
TABS = BASE.replace(",", "\t")

SAME = {
    "A01 UTF-8 with a mark": b"\xef\xbb\xbf" + BASE.encode(),
    "A01 a mark and quotes": b"\xef\xbb\xbf" + BASE.replace("model", '"model"').encode(),
    "A03 UTF-16 with tabs": TABS.encode("utf-16"),
    "A03 UTF-16 big endian": b"\xfe\xff" + TABS.encode("utf-16-be"),
    "A03 UTF-16 with commas and CRLF": BASE.replace("\n", "\r\n").encode("utf-16"),
    "A07 semicolons": BASE.replace(",", ";").encode(),
    "A07 semicolons and a decimal comma": BASE.replace(",", ";").replace("7000000000", "7,0B").encode(),
    "A07 semicolons as Excel declares them": ("sep=;\r\n" + BASE.replace(",", ";")).encode(),
    "A07 tabs": TABS.encode(),
    "A09 blank lines at the end": (BASE + "\n\n   \n\n").encode(),
    "A09 blank lines everywhere": f"\n\n{HEADER}\n\n,,,,,\n{ROW}\n , ,,,,\n".encode(),
    "A11 empty columns at the end": f"{HEADER},,\n{ROW},,\n".encode(),
    "A11 an empty column inside": BASE.replace("model,", "model,,").replace("llama,", "llama,,").encode(),
    "line ends of an old Mac": BASE.replace("\n", "\r").encode(),
    "spaces around every cell": BASE.replace(",", " , ").encode(),
}


@pytest.mark.parametrize("case", SAME)
def test_it_is_read_like_the_base_file(case: str) -> None:
    assert figures(SAME[case]) == figures(BASE)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("模型-通义", "gb18030"), ("modèle", "cp1252"), ("モデル", "shift_jis"), ("модель", "koi8-r")],
)
def test_a05_a_code_page_is_refused_with_offset_and_option_and_read_with_it(
    name: str, encoding: str, tmp_path: Path
) -> None:
    plan = BASE.replace("llama", name).encode(encoding)
    refusal = str(refused(plan))
    assert refusal.startswith("plan.csv:2: found the byte 0x")
    assert "at offset" in refusal
    assert "--encoding" in refusal
    outputs = build(plan, tmp_path, encoding)
    assert name in outputs.texts("Plan")
    assert name in html.unescape(outputs.html)


REFUSED: Final[dict[str, tuple[str | bytes, str]]] = {
    "A11 data under no name": (f"{HEADER},\n{ROW},7B\n", "plan.csv:2: found '7B' in column 7, which has no name"),
    "A13 a quote never closed": (
        'model,params,gpu\n"llama,7000000000,H100\nqwen,14000000000,H100\n',
        "plan.csv:2: found a quote that is never closed",
    ),
    "A13 a quote never closed in a long file": (
        'model,params,gpu\n"llama,7B,H100\n' + "qwen,14B,H100\n" * 20_000,
        "plan.csv:2: found a quote that is never closed until line 20002",
    ),
    "A13 a quote inside a cell": ('model,params,gpu\n"llama"x,7B,H100\n', "plan.csv:2: found a quote inside a cell"),
    "A15 a header alone": (HEADER + "\n", "plan.csv:1: found no row under the header"),
    "A15 an empty file": ("", "plan.csv: found an empty file"),
    "A15 blank lines alone": ("\n \n,,\n", "plan.csv: found an empty file"),
    "A17 rows of text are no header": ("llama,A100\nqwen,H100\n", "plan.csv:1: hardware: found no such column"),
    "a row too short": (HEADER + "\nllama,7B\n", "plan.csv:2: found 2 cells; expected 6, as in the header on line 1"),
    "a row too long": (BASE + ROW + ",x\n", "plan.csv:3: found 7 cells; expected 6, as in the header on line 1"),
    "A03 UTF-16 without a mark": (BASE.encode("utf-16-le"), "plan.csv: found text in UTF-16 without its mark"),
    "A07 another delimiter": (BASE.replace(",", ":"), "which commas divide"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_with_its_place(case: str) -> None:
    plan, message = REFUSED[case]
    assert message in str(refused(plan))


def test_a17_the_header_is_exactly_the_first_record() -> None:
    plan = read("model,gpu,parameters\nllama,A100-80,7B\nqwen,H100,7B\n").plan
    assert plan.values[Plan.model].tolist() == ["llama", "qwen"]
