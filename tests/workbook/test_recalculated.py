"""The judge itself, and that changing one input moves everything that depends on it, and rightly."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from books import DAY, SMALL_PLAN, read_texts, save_report, shipped_catalogues, small_catalogues
from engines import Book, LibreOffice, Value, differences, same
from openpyxl import Workbook, load_workbook

from reportgen.calculation.checks import FAILS
from reportgen.calculation.ledger import INPUT_SHEETS
from reportgen.expression import Sheet
from reportgen.files import data_folder
from reportgen.report import VERDICT_EDITED, VERDICT_OK
from reportgen.workbook import cells
from reportgen.workbook.cells import Formula, save
from reportgen.workbook.checks import AS_REPORTED, EDITED
from reportgen.workbook.layout import FIRST_ROW, HEADER_ROW


@pytest.mark.parametrize("keep_stored", [True, False], ids=["stored values left in", "stored values taken out"])
def test_a_wrong_stored_value_is_not_believed_by_the_judge(
    libreoffice: LibreOffice, tmp_path: Path, keep_stored: bool
) -> None:
    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "Canary"
    sheet["A1"] = 480
    sheet["A2"] = Formula("A1/80", 1006.0)
    sheet["A3"] = Formula('IF(A2=6,"six","other")', "other")
    path = tmp_path / "canary.xlsx"
    save(cells.Book(workbook), path, DAY)
    stored = Book(path)
    (live,) = libreoffice.recalculate([path], keep_stored=keep_stored)
    assert [stored.value("Canary", address) for address in ("A2", "A3")] == [1006, "other"]
    assert [live.value("Canary", address) for address in ("A2", "A3")] == [6, "six"]
    assert [address for _, address, *_ in differences(stored, live)] == ["A2", "A3"]


@dataclass(frozen=True)
class Change:
    """One cell of one input, by the name of its row and of its column; ``text`` in the CSV, ``value`` in the sheet."""

    sheet: str
    row: str
    column: str
    text: str
    value: float | str


CHANGES: Final = {
    "a width of a recipe": Change("Recipes", "mixed-16", "parameter_width", "4", 4),
    "an assumption": Change("Assumptions", "inference_width", "value", "0.5", 0.5),
    "the memory on a label": Change("Hardware", "H100", "label_memory", "96 GB", 96),
    "the moments of an optimizer": Change("Optimizers", "adamw", "moments_per_parameter", "1", 1),
    "the optimizer of a job": Change("Plan", "30B pretraining", "optimizer", "sgd", "sgd"),
    "the recipe of a job": Change("Plan", "13B with Adam", "recipe", "megatron-bf16", "megatron-bf16"),
    "the card of a job": Change("Plan", "30B pretraining", "hardware", "H200", "H200"),
    "the stage of a job": Change("Plan", "30B pretraining", "zero_stage", "2", 2),
    "the parameters of a job": Change("Plan", "13B with 1B trainable", "parameters", "20B", 20e9),
    "the trained parameters of a job": Change("Plan", "13B with 1B trainable", "trainable_parameters", "2B", 2e9),
    "the rank of a job's adapters": Change("Plan", "Llama-2 70B adapters", "lora_rank", "64", 64),
    "the batch of a job": Change("Plan", "Llama-2 70B adapters", "micro_batch_size", "4", 4),
    "the tokens of a job": Change("Plan", "30B pretraining", "tokens", "1T", 1e12),
    "the hours of a job": Change("Plan", "13B with Adam", "hours", "100", 100),
    "the memory a driver reports": Change("Hardware", "H100", "reported_memory", "70000 MiB", 70000),
    "the cards in a node": Change("Hardware", "H100", "cards_per_node", "4", 4),
    "a rent": Change("Hardware", "H100", "price_per_card_hour", "2.5", 2.5),
    "a purchase price": Change("Hardware", "H100", "price_per_card", "30000", 30000),
    "the watts of a card": Change("Hardware", "H200", "watts", "1000", 1000),
    "fragmentation": Change("Assumptions", "fragmentation", "value", "15%", 0.15),
    "the utilization": Change("Assumptions", "model_flops_utilization", "value", "25%", 0.25),
    "a hosting price": Change("Assumptions", "colocation_price", "value", "0", 0),
    "a law of activations": Change("Blocks", "llama-fused-sdpa-bf16", "per_hidden", "34", 34),
    "the active parameters of a model": Change("Models", "Llama-2 70B", "active_parameters", "50B", 50e9),
}
BY_HAND: Final[dict[str, dict[str, float]]] = {
    "a width of a recipe": {"training_footprint_bytes": 30e9 * (4 + 2 + 4 + 8), "cards_needed": 7},
    "an assumption": {"inference_bytes": 15e9, "inference_gb": 15},
    "the memory on a label": {"card_gb": 96, "cards_needed": 5},
    "the moments of an optimizer": {"training_footprint_bytes": 30e9 * (2 + 2 + 4 + 4), "cards_needed": 5},
    "the optimizer of a job": {"training_footprint_bytes": 30e9 * (2 + 2 + 4), "cards_needed": 3},
}
"""What the first job, 30 billion parameters on H100 with AdamW in mixed-16, must then show."""


def _sheet(title: str) -> type[Sheet]:
    return next(sheet for sheet in INPUT_SHEETS if sheet.title == title)


def _changed_text(text: str, change: Change) -> str:
    header, *rows = csv.reader(text.splitlines())
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(
        [header]
        + [
            [
                change.text if row[0] == change.row and name == change.column else cell
                for name, cell in zip(header, row, strict=True)
            ]
            for row in rows
        ]
    )
    return target.getvalue()


def _fresh(change: Change, path: Path) -> Path:
    catalogues = small_catalogues()
    if change.sheet == "Plan":
        return save_report(read_texts(_changed_text(SMALL_PLAN, change), catalogues), path)
    sheet = _sheet(change.sheet)
    return save_report(read_texts(SMALL_PLAN, {**catalogues, sheet: _changed_text(catalogues[sheet], change)}), path)


def _edited(small_workbook: Path, change: Change, path: Path) -> Path:
    workbook = load_workbook(small_workbook)
    page = workbook[change.sheet]
    header = next(column.header for column in _sheet(change.sheet).columns if column.name == change.column)
    column = next(cell.column for cell in page[HEADER_ROW] if cell.value == header)
    row = next(row for row in range(FIRST_ROW, page.max_row + 1) if page.cell(row, 1).value == change.row)
    page.cell(row, column).value = change.value
    workbook.save(path)
    return path


@dataclass(frozen=True)
class Moved:
    """The original as reported, each edited book recalculated, and what a fresh build stores."""

    original: Book
    edited: dict[str, Book]
    fresh: dict[str, Book]

    def of_the_first_job(self, name: str, figure: str) -> Value:
        """Return a figure of the first job in an edited book, on whichever sheet has it."""
        for rows in self.edited[name].rows.values():
            header = [str(cell).split(" [")[0] for cell in rows[HEADER_ROW - 1]] if len(rows) >= FIRST_ROW else []
            if figure in header:
                return rows[FIRST_ROW - 1][header.index(figure)]
        raise KeyError(figure)


@pytest.fixture(scope="module")
def moved(small_workbook: Path, libreoffice: LibreOffice, tmp_path_factory: pytest.TempPathFactory) -> Moved:
    folder = tmp_path_factory.mktemp("changes")
    edited = [_edited(small_workbook, change, folder / f"edited {n}.xlsx") for n, change in enumerate(CHANGES.values())]
    fresh = [_fresh(change, folder / f"fresh {n}.xlsx") for n, change in enumerate(CHANGES.values())]
    return Moved(
        Book(small_workbook),
        dict(zip(CHANGES, libreoffice.recalculate(edited), strict=True)),
        dict(zip(CHANGES, map(Book, fresh), strict=True)),
    )


@pytest.mark.parametrize("name", CHANGES)
def test_changing_one_input_moves_every_figure_to_that_of_a_fresh_build(moved: Moved, name: str) -> None:
    says_edited = (VERDICT_OK, AS_REPORTED)
    wrong = [one for one in differences(moved.fresh[name], moved.edited[name]) if one[3] not in says_edited]
    changed = [
        address
        for sheet, address, value in moved.original.figures()
        if not same(value, moved.fresh[name].value(sheet, address))
    ]
    assert wrong == []
    assert len(changed) > 3


@pytest.mark.parametrize("name", BY_HAND)
def test_changing_one_input_gives_the_figure_worked_out_by_hand(moved: Moved, name: str) -> None:
    assert {figure: moved.of_the_first_job(name, figure) for figure in BY_HAND[name]} == BY_HAND[name]


@pytest.mark.parametrize("name", CHANGES)
def test_a_workbook_says_that_it_was_edited_where_a_total_moved(moved: Moved, name: str) -> None:
    totals = [moved.original.rows["Summary"], moved.fresh[name].rows["Summary"]]
    texts = [value for _, _, value in moved.edited[name].figures()]
    has_moved = totals[0] != totals[1]
    assert texts.count(VERDICT_EDITED) == (2 if has_moved else 0)
    assert (EDITED in texts) == has_moved
    assert FAILS not in texts


NEW_JOB: Final[dict[str, str | float]] = {
    "job": "one more",
    "model": "in-house 7B",
    "parameters": 7e9,
    "optimizer": "adam",
    "recipe": "mixed-16",
    "hardware": "A100-40",
    "zero_stage": 1,
    "tokens": 140e9,
}


def test_a_job_on_the_next_row_is_counted_everywhere(
    small_workbook: Path, libreoffice: LibreOffice, tmp_path: Path
) -> None:
    workbook = load_workbook(small_workbook)
    page = workbook["Plan"]
    column_of = {str(cell.value).split(" [")[0]: position for position, cell in enumerate(page[HEADER_ROW], 1)}
    row = FIRST_ROW + len(SMALL_PLAN.splitlines()) - 1
    for name, value in NEW_JOB.items():
        page.cell(row, column_of[name]).value = value
    workbook.save(tmp_path / "edited.xlsx")
    header, *_ = csv.reader(SMALL_PLAN.splitlines())
    line = ",".join(f"{NEW_JOB.get(name, '')}".removesuffix(".0") for name in header)
    fresh = Book(save_report(read_texts(f"{SMALL_PLAN}{line}\n", small_catalogues()), tmp_path / "fresh.xlsx"))
    (live,) = libreoffice.recalculate([tmp_path / "edited.xlsx"])
    says_edited = (VERDICT_OK, AS_REPORTED)
    assert [one for one in differences(fresh, live) if one[3] not in (*says_edited, "")] == []
    assert live.rows["Summary"] != Book(small_workbook).rows["Summary"]


EVERY_COLUMN: Final = """\
job,model,parameters,trainable_parameters,trainable_share,lora_rank,lora_targets,optimizer,recipe,hardware,zero_stage,\
tensor_parallel_degree,pipeline_parallel_degree,cards,micro_batch_size,sequence_length,block,sequence_parallel,\
interleaved_chunks,recompute,activation_bytes,tokens,hours,start,provider,instance_type,group,remark
all of it,Llama-3 8B,8e9,4e9,50%,,,muon,megatron-bf16,H100,1,2,2,16,1,4096,,yes,2,selective,,1T,,2026-12-01,aws,p5.48xlarge,a,one
adapters,Mixtral 8x7B,,,,16,attention,adamw,qlora-4bit,H100-NVL,0,1,1,,2,2048,mixtral-transformers-sdpa-bf16,no,1,full,,,12,,,,b,two
given,in-house,70B,,,,,adafactor,deepspeed-16,B100,3,8,1,,,,,,,,6 GiB,5T,,,,,,
"""  # noqa: E501 - a row is a line
PLANS: Final = {
    "the sample": (data_folder("inputs") / "plan.csv").read_text(encoding="utf-8"),
    "one row": "parameters,hardware\n30B,H100\n",
    "every column": EVERY_COLUMN,
}


@pytest.mark.parametrize("name", PLANS)
def test_every_formula_cell_of_every_sheet_is_its_stored_value(
    name: str, libreoffice: LibreOffice, tmp_path: Path
) -> None:
    path = save_report(read_texts(PLANS[name], shipped_catalogues()), tmp_path / "plan.xlsx")
    stored = Book(path)
    (live,) = libreoffice.recalculate([path])
    assert differences(stored, live) == []
    assert len(list(stored.figures())) > 5_000
