"""Pages for the tests: plans as text in, ledgers and pages out."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

from reportgen.calculation.ledger import INPUT_SHEETS, Ledger, calculate
from reportgen.calculation.plan import Plan
from reportgen.files import data_folder
from reportgen.page.render import render_page
from reportgen.reading.inputs import read_inputs
from reportgen.report import Report

DAY: Final = date(2026, 1, 31)

SMALL: Final = """\
job,model,parameters,lora_rank,optimizer,recipe,hardware,zero_stage,cards,tokens,owner
30B pretraining,in-house 30B,30B,,adamw,mixed-16,H100,3,,600B,research
=1+1,in-house 13B,13B,,adam,pure-16,A100-80,2,,,"a ""quoted"", name"
too few cards,in-house 70B,70B,,adamw,mixed-16,H100,3,8,1B,-5
"never, at stage 1",Llama-3.1 405B,,,adamw,mixed-16,B200,1,,,@team
Llama-2 70B adapters,Llama-2 70B,,16,adamw,lora-16,H200,0,,1B,product
"""
"""One that fits, one whose name is a formula, one with too few cards, one that never fits, one with adapters."""

LONG: Final = "unbroken" * 250
HOSTILE_NAMES: Final = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "javascript:document.title='owned'",
    "\u202egnp.exe \u2066 \u202b mixed",
    "{{ 7*7 }}{% raw %}",
    "</title></style></script><h1>out</h1>",
    "مشروع التدريب 12",
    LONG,
)


def ledger_of(plan: str, **catalogues: str) -> Ledger:
    """Return every figure of a plan's text; a catalogue given by its sheet's name stands in for the shipped one."""
    texts = {}
    for sheet in INPUT_SHEETS:
        if sheet is not Plan:
            name = sheet.title.lower().replace(" ", "_")
            shipped = (data_folder("inputs") / f"{name}.csv").read_text(encoding="utf-8")
            texts[sheet] = (f"{name}.csv", catalogues.get(name, shipped).encode())
    return calculate(read_inputs(("plan.csv", plan.encode()), texts))


def page_of(ledger: Ledger, title: str = "Capacity of the plan", templates: Path | None = None) -> str:
    """Return the page of a ledger, the same at every call."""
    folders = [templates] if templates else []
    return render_page(Report(ledger, title, DAY, "1.2.3"), "plan.xlsx", [*folders, data_folder("templates")])


def cell(text: str) -> str:
    """Return a text as a cell of a CSV file."""
    return '"' + text.replace('"', '""') + '"'


def hostile_ledger() -> Ledger:
    """Return a plan in which names of jobs, of models, of cards and of an owner are hostile."""
    shipped = (data_folder("inputs") / "hardware.csv").read_text(encoding="utf-8")
    columns = shipped.splitlines()[0].split(",")
    cards = [name.replace("*", "x")[:200] for name in HOSTILE_NAMES]
    rows = [
        {
            "hardware": cell(card),
            "label_memory": "80 GB",
            "source": cell(f"javascript:alert(1), https://example.org/a?b=1&c=2, {card}"),
        }
        for card in cards
    ]
    hardware = shipped + "".join(",".join(row.get(column, "") for column in columns) + "\n" for row in rows)
    plan = "job,model,parameters,hardware,owner\n" + "".join(
        f"{cell(name)},{cell(name[:200])},7B,{cell(card)},{cell(name)}\n"
        for name, card in zip(HOSTILE_NAMES, cards, strict=True)
    )
    return ledger_of(plan, hardware=hardware)


def large_plan(jobs: int) -> str:
    """Return a plan of many jobs, half of which have activations."""
    models = ("Llama-2 70B", "Llama-3 8B", "Mixtral 8x7B", "")
    cards, recipes = ("H100", "A100-80", "L4", "B200"), ("mixed-16", "pure-16", "fsdp-mixed")
    lines = ["job,model,parameters,hardware,zero_stage,recipe,cards,micro_batch_size,sequence_length,tokens,owner"]
    for number in range(jobs):
        model = models[number % 4]
        size = "" if model else f"{number % 397 + 1}B"
        batch = "1,4096" if model and number % 2 else ","
        lines.append(
            f"run {number},{model or 'own'},{size},{cards[number % 11 % 4]},{number % 7 % 4},{recipes[number % 3]},"
            f"{('', '', '8', '64')[number % 13 % 4]},{batch},1B,team {number % 7}"
        )
    return "\n".join(lines) + "\n"
