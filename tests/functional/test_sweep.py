"""Grids of plans: what is kept by hand arithmetic, what is refused, what is written, how much memory it takes."""

from __future__ import annotations

import csv
import io
import itertools
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Unpack

import pytest
from test_cli import ROOT, contents, run

from reportgen import calculate, read_plan, sweep
from reportgen.errors import FileError, InputError
from reportgen.listing import records
from reportgen.sources import Reading
from reportgen.sweeping.sweep import Outcome

ADAM: Final = """\
where = "cards_needed <= cards"
[grid]
parameters = "8B"
hardware = ["H100", "L4"]
cards = [1, 2, 4, 8]
"""
"""AdamW in 16-bit mixed precision holds 16 bytes a parameter: 8 B are 128 GB, on two cards of 80 or six of 24 GB."""

WIDE: Final = """\
{where}
[grid]
model = ["Llama-3 8B", "Mixtral 8x7B", "llama-3 70b"]
hardware = ["H100", "A100-80", "L4"]
optimizer = ["adamw", "sgd"]
zero = [0, 2, 3]
tp = [1, 2, 8]
cards = ["", 4, 16, 24]
micro_batch_size = [1, 4]
sequence_length = 4096
tokens = "1T"
{best}
"""
COLUMNS: Final = ("job", "model", "fits", "min_cards", "rental_cost", "binding", "cards")


def swept(
    folder: Path, grid: str, block: int = 1 << 16, **reading: Unpack[Reading]
) -> tuple[list[dict[str, str]], Outcome]:
    """Return the rows of a grid's plan, and what is said of it."""
    (folder / "grid.toml").write_text(grid, encoding="utf-8")
    text = io.StringIO()
    outcome = sweep(folder / "grid.toml", text, block=block, **reading)
    return list(csv.DictReader(io.StringIO(text.getvalue()))), outcome


def problems_of(folder: Path, grid: str, **reading: Unpack[Reading]) -> list[str]:
    """Return what is wrong with a grid, each problem as its line."""
    with pytest.raises(InputError) as raised:
        swept(folder, grid, **reading)
    return [str(problem) for problem in raised.value.problems]


@pytest.fixture(scope="module")
def expanded(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The ledger of the wide grid's plan, every combination that a plan may have written out one by one."""
    lines = ["job,model,hardware,optimizer,zero,tp,cards,micro_batch_size,sequence_length,tokens"]
    combinations = itertools.product(
        ("Llama-3 8B", "Mixtral 8x7B", "llama-3 70b"),
        ("H100", "A100-80", "L4"),
        ("adamw", "sgd"),
        (0, 2, 3),
        (1, 2, 8),
        ("", 4, 16, 24),
        (1, 4),
    )
    for model, card, optimizer, zero, tp, cards, batch in combinations:
        if not cards or int(str(cards)) % tp == 0:
            name = model.replace("llama-3 70b", "Llama-3 70B")
            job = f"{name} / {card} / {optimizer} / zero {zero} / tp {tp} / cards {cards or 'unset'} / mbs {batch}"
            lines.append(f"{job},{model},{card},{optimizer},{zero},{tp},{cards},{batch},4096,1T")
    plan = tmp_path_factory.mktemp("expanded") / "plan.csv"
    plan.write_text("\n".join(lines), encoding="utf-8")
    return list(records(calculate(read_plan(plan)), COLUMNS))


# --- what is kept ------------------------------------------------------------------------------------------------


def test_sixteen_bytes_a_parameter_say_which_cards_hold_the_state(tmp_path: Path) -> None:
    rows, outcome = swept(tmp_path, ADAM)
    assert [(row["hardware"], row["cards"]) for row in rows] == [
        ("H100", "2"),
        ("H100", "4"),
        ("H100", "8"),
        ("L4", "8"),
    ]
    assert [row["parameters"] for row in rows] == ["8B"] * 4
    assert (outcome.combinations, outcome.kept, outcome.left_out.total()) == (8, 4, 0)


def test_names_are_made_from_what_varies(tmp_path: Path) -> None:
    rows, _ = swept(tmp_path, ADAM)
    assert [row["job"] for row in rows][-2:] == ["H100 / cards 8", "L4 / cards 8"]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("fits", lambda job: job["fits"]),
        ("not fits", lambda job: not job["fits"]),
        ("fits and min_cards <= 8", lambda job: job["fits"] and job["min_cards"] <= 8),
        ("min_cards > 8", lambda job: job["min_cards"] is not None and job["min_cards"] > 8),
        ("not min_cards > 8", lambda job: job["min_cards"] is not None and job["min_cards"] <= 8),
        ("min_cards > 8 or not fits", lambda job: (job["min_cards"] or 0) > 8 or not job["fits"]),
        ("not (min_cards > 8 or fits)", lambda job: 0 < (job["min_cards"] or 0) <= 8 and not job["fits"]),
        ("model == 'mixtral 8X7B'", lambda job: job["model"] == "Mixtral 8x7B"),
        ("model not in ('Mixtral 8x7B', 'x')", lambda job: job["model"] != "Mixtral 8x7B"),
        (
            "cards in (4, 16) and model != 'Mixtral 8x7B'",
            lambda job: job["cards"] in (4, 16) and job["model"][0] == "L",
        ),
        ("2 * cards - 8 < 1 * (cards + 8)", lambda job: job["cards"] is not None and job["cards"] < 16),
        ("4 <= gpus < 24", lambda job: job["cards"] is not None and job["cards"] < 24),
        ('rental_cost < "1,000,000"', lambda job: job["rental_cost"] is not None and job["rental_cost"] < 1e6),
    ],
)
def test_a_condition_keeps_what_the_table_of_the_expanded_plan_says(
    tmp_path: Path, expanded: list[dict[str, Any]], condition: str, holds: Callable[[dict[str, Any]], bool]
) -> None:
    rows, outcome = swept(tmp_path, WIDE.format(where=f'where = """{condition}"""', best=""))
    wanted = [job["job"] for job in expanded if holds(job)]
    assert [row["job"] for row in rows] == wanted
    assert 0 < len(wanted) == outcome.kept < 1296


def test_what_rules_forbid_is_left_out_and_counted(tmp_path: Path) -> None:
    rows, outcome = swept(tmp_path, WIDE.format(where="", best=""))
    assert (outcome.combinations, outcome.kept, len(rows)) == (1296, 1188, 1188)
    (reason,) = outcome.lines()[1:]
    assert reason.startswith("left out 108: cards: found cards that do not fill whole replicas; expected a multiple of")


def test_each_combination_is_counted_for_one_rule(tmp_path: Path) -> None:
    grid = (
        '[grid]\nmodel = "Llama-3 8B"\nhardware = "H100"\nlora_rank = ["", 8]\ntrainable = ["", "1B", "100B", "5%"]\n'
    )
    rows, outcome = swept(tmp_path, grid + "cards = [1, 3]\ntp = 2")
    assert (rows, outcome.kept) == ([], 0)
    assert sorted(outcome.left_out.values()) == [2, 4, 10]


def test_the_state_that_a_spreadsheet_would_round_is_left_out(tmp_path: Path) -> None:
    _, outcome = swept(
        tmp_path, '[grid]\nparameters = "24T"\nhardware = "H100"\nrecipe = ["mixed-16", "megatron-bf16"]'
    )
    assert (outcome.kept, outcome.lines()[1:]) == (
        1,
        ["left out 1: parameters: found a state too large for exact figures; expected at most 400 TB of it"],
    )


@pytest.mark.parametrize("block", [7, 100, 1 << 20])
def test_order_and_counts_do_not_depend_on_the_blocks(tmp_path: Path, block: int) -> None:
    ranked = '[best]\nby = "rental_cost"\nper = ["hardware", "zero"]\ntop = 5'
    for where, best in (('where = "fits"', ""), ("", ranked)):
        grid = WIDE.format(where=where, best=best)
        whole, parts = swept(tmp_path, grid), swept(tmp_path, grid, block=block)
        assert whole[0] == parts[0]
        assert (whole[1].kept, whole[1].left_out, whole[1].unranked) == (
            parts[1].kept,
            parts[1].left_out,
            parts[1].unranked,
        )


@pytest.mark.parametrize(("by", "sign"), [("rental_cost", 1), ("-min_cards", -1)])
@pytest.mark.parametrize(("per", "top"), [("model", 3), ("", 4), ("", 5000)])
def test_a_ranking_is_what_sorting_gives(
    tmp_path: Path, expanded: list[dict[str, Any]], by: str, sign: int, per: str, top: int
) -> None:
    best = f'[best]\nby = "{by}"\ntop = {top}\n' + (f'per = "{per}"' if per else "")
    rows, outcome = swept(tmp_path, WIDE.format(where='where = "fits"', best=best))
    figure = by.removeprefix("-")
    jobs = [job for job in expanded if job["fits"]]
    ranked = sorted((job for job in jobs if job[figure] is not None), key=lambda job: sign * job[figure])
    groups = list(dict.fromkeys(job[per] for job in jobs)) if per else [None]
    wanted = [[job["job"] for job in ranked if not per or job[per] == group][:top] for group in groups]
    assert [row["job"] for row in rows] == [name for names in wanted for name in names]
    assert outcome.unranked == len(jobs) - len(ranked)


def test_patterns_stand_for_the_names_of_a_catalogue_and_for_choices(tmp_path: Path) -> None:
    grid = '[grid]\nmodel = ["llama-3 *", "Llama-3 8B"]\nhardware = "*"\nrecompute = "*"'
    rows, _ = swept(tmp_path, grid)
    cards = [
        line.split(",")[0] for line in (ROOT / "inputs" / "hardware.csv").read_text(encoding="utf-8").splitlines()[1:]
    ]
    assert list(dict.fromkeys(row["hardware"] for row in rows)) == cards
    assert {row["recompute"] for row in rows} == {"none", "selective", "full"}
    assert all(row["model"].startswith("Llama-3 ") for row in rows)
    assert len({row["model"] for row in rows}) > 1


def test_a_catalogue_of_ones_own_counts(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("hardware,label_memory\nX,128 GB\nY,127 GB\n", encoding="utf-8")
    grid = ADAM.replace('["H100", "L4"]', '"*"')
    rows, _ = swept(tmp_path, grid, hardware=tmp_path / "cards.csv")
    assert [(row["hardware"], row["cards"]) for row in rows][:2] == [("X", "1"), ("X", "2")]
    assert ("Y", "1") not in [(row["hardware"], row["cards"]) for row in rows]


def test_names_stay_different_whatever_is_in_them(tmp_path: Path) -> None:
    grid = '[grid]\nparameters = "1B"\nhardware = "H100"\nmodel = ["a", "a / b", "a //"]\n'
    grid += 'group = ["b / c", "c", "/ c", \'"x", y\']\n'
    rows, _ = swept(tmp_path, grid)
    assert len({row["job"] for row in rows}) == 12
    assert {row["group"] for row in rows} == {"b / c", "c", "/ c", '"x", y'}


# --- what is wrong -----------------------------------------------------------------------------------------------


def test_everything_wrong_is_said_at_once(tmp_path: Path) -> None:
    grid = """
wher = 1
where = "fitz and 1"
[grid]
model = ["Llama-3 8B", "Lama-3 8B", "Llama-3 8B"]
hardwar = "H100"
hardware = ["H1000", "Z*"]
zero_stage = [1, 7]
stage = 1
cards = []
tokens = [["1T"], "many", 1979-05-27T07:32:00]
job = "a"
[best]
by = "rentals"
per = "start"
top = 0
best = 1
"""
    lines = problems_of(tmp_path, grid)
    assert all(line.startswith("grid.toml: ") for line in lines)
    for part in (
        "the key 'wher'; expected nearest: where",
        "grid: found the key 'hardwar'; expected nearest: hardware",
        "hardware: found 'H1000', which hardware.csv does not have; expected one of its names; nearest: H100",
        "hardware: found 'Z*', which no name is like",
        "zero_stage: found '7'; expected a whole number at least 0 and at most 3",
        "zero_stage: found it twice, once as 'stage'",
        "cards: found an empty list; expected at least one value",
        "tokens: found a list; expected a text, a number, a date, or a list of them",
        "tokens: found a time",
        "job: found names of jobs",
        "best.per: found 'start'; expected columns of the grid: model, hardware, zero_stage",
        "best.top: found '0'; expected a whole number at least 1",
        "best: found the key 'best'; expected one of: by, per, top",
        "where: found 'fitz', which no column is named; expected a column of the ledger; nearest: fits",
    ):
        assert any(part in line for line in lines), (part, lines)


@pytest.mark.parametrize(
    ("grid", "problem"),
    [
        ("", "grid.toml: grid: found no such table; expected a table [grid] with the columns of the plan"),
        ("grid = 1", "grid.toml: grid: found '1'; expected a table [grid]"),
        ("[grid]", "grid.toml: grid: found nothing in it; expected a table [grid]"),
        ("[grid", "grid.toml:1: found Expected ']' at the end of a table declaration"),
        ("x = " + "[" * 100_000, "grid.toml: found values in values without end; expected a grid in TOML"),
        ("x = " + "9" * 5_000, "grid.toml: found Exceeds the limit"),
        ("[grid]\nx" + ".a" * 1_000 + " = 1", "grid.toml: grid: found the key 'x'; expected one of: job, model"),
        ("#" * (1 << 22) + "#", "grid.toml: found 4,194,305 bytes; expected a grid of at most 4,194,304"),
        ("best = 1\n[grid]\ncards = 1", "grid.toml: best: found '1'; expected a table [best] with by"),
        ("where = true\n[grid]\ncards = 1", "grid.toml: where: found true; expected a condition in quotes"),
        ("[grid]\ncards = 1", "grid.toml: hardware: found no such column; expected it"),
        ("[grid]\nhardware = 'H100'", "grid.toml: model: found neither model nor parameters; expected a model"),
        ("[grid]\ncards = true", "grid.toml: cards: found 'yes'; expected a number"),
        ("[grid]\ncards = [inf, nan]", "grid.toml: cards: found 'inf'; expected a number"),
        ("[grid]\ncards = [4, 4.0]", "grid.toml: cards: found '4' after '4', which means the same; expected each"),
        ("[grid]\ntokens = ['1B', 1e9]", "grid.toml: tokens: found '1000000000' after '1B', which means the same"),
        ('[grid]\ngroup = "a\\u0000b"', "grid.toml: group: found the character U+0000; expected text that a workbook"),
        ("[grid]\nhardware = ['H100', '']\nmodel = 'x'", "grid.toml: hardware: found an empty cell; expected a name"),
        ("[grid]\nhardware = 'H100'\nmodel = 'Lama-3 8B'", "grid.toml: model: found 'Lama-3 8B', which models.csv"),
        ("[grid]\nhardware = {from = 1}", "grid.toml: hardware: found a table; expected a text, a number, a date"),
        ('[grid]\ncards = 1\n[best]\nby = "binding"', "grid.toml: best.by: found binding, which holds no numbers"),
        ("[grid]\ncards = 1\n[best]\ntop = 2", "grid.toml: best.by: found no such key; expected the name of a column"),
    ],
)
def test_a_grid_that_is_wrong(tmp_path: Path, grid: str, problem: str) -> None:
    assert any(line.startswith(problem) for line in problems_of(tmp_path, grid)), problems_of(tmp_path, grid)


def test_a_grid_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_bytes(b"[grid]\ncards = '\xff'")
    with pytest.raises(InputError, match=r"grid.toml:2: found the byte 0xFF; expected UTF-8"):
        sweep(tmp_path / "grid.toml", io.StringIO())


def test_more_combinations_than_anybody_waits_for_are_refused(tmp_path: Path) -> None:
    counts = ", ".join(map(str, range(1, 1_001)))
    axes = "".join(f"{name} = [{counts}]\n" for name in ("cards", "tp", "pp", "mbs", "seq"))
    lines = problems_of(tmp_path, f'[grid]\nparameters = "1B"\nhardware = "H100"\n{axes}')
    assert lines == ["grid.toml: grid: found 1,000,000,000,000,000 combinations; expected at most 1,000,000,000,000"]


def test_a_ranking_that_no_workbook_holds_is_refused(tmp_path: Path) -> None:
    counts = ", ".join(map(str, range(1, 2_001)))
    axes = "".join(f"{name} = [{counts}]\n" for name in ("cards", "seq"))
    best = '[best]\nby = "min_cards"\nper = ["cards", "seq"]'
    lines = problems_of(tmp_path, f'[grid]\nparameters = "1B"\nhardware = "H100"\nmbs = 1\n{axes}{best}')
    assert len(lines) == 1
    assert lines[0].startswith("grid.toml: best: found a ranking of 4,000,000 combinations; expected at most 1,000,000")


def test_a_catalogue_that_is_wrong_is_said_with_the_grid(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("hardware,label_memory\nX,much\n", encoding="utf-8")
    lines = problems_of(tmp_path, '[grid]\nhardware = "Y"\nparameters = 0', hardware=tmp_path / "cards.csv")
    assert [line.split(":")[0] for line in lines] == ["cards.csv", "grid.toml", "grid.toml"]


# --- what is written ---------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a grid."""
    (tmp_path / "grid.toml").write_text(ADAM, encoding="utf-8")
    return tmp_path


def test_the_plan_goes_to_the_output_and_the_counts_to_the_messages(folder: Path) -> None:
    done = run(folder, "sweep", "grid.toml")
    assert done.stdout.splitlines() == [
        "job,parameters,hardware,cards",
        "H100 / cards 2,8B,H100,2",
        "H100 / cards 4,8B,H100,4",
        "H100 / cards 8,8B,H100,8",
        "L4 / cards 8,8B,L4,8",
    ]
    assert done.stderr.startswith("8 combinations, 4 kept, 0 left out by rules, 0.")
    assert len(done.stderr.splitlines()) == 1


def test_build_takes_the_plan_as_it_is(folder: Path) -> None:
    plan = run(folder, "sweep", "-", "--quiet", stdin=ADAM)
    built = run(folder, "build", "-", stdin=plan.stdout)
    assert (plan.stderr, built.stderr.splitlines()[0], built.returncode) == ("", "wrote stdin.xlsx (4 jobs)", 0)


def test_a_file_that_is_there_is_replaced_only_by_force(folder: Path) -> None:
    assert run(folder, "sweep", "grid.toml", "-o", "out/plan.csv").returncode == 0
    (folder / "out/plan.csv").write_text("mine", encoding="utf-8")
    refused = run(folder, "sweep", "grid.toml", "-o", "out/plan.csv")
    assert (refused.returncode, refused.stderr) == (1, "out/plan.csv: is there already; --force replaces it\n")
    assert run(folder, "sweep", "grid.toml", "-o", "out/plan.csv", "--force").returncode == 0
    assert contents(folder)["out/plan.csv"].startswith(b"job,parameters,hardware,cards\nH100 / cards 2,8B,H100,2\n")
    assert sorted(contents(folder)) == ["grid.toml", "out/plan.csv"]


def test_a_problem_leaves_no_file(folder: Path) -> None:
    (folder / "grid.toml").write_text(ADAM.replace("cards_needed", "cards_neded"), encoding="utf-8")
    done = run(folder, "sweep", "grid.toml", "-o", "plan.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("grid.toml: where: found 'cards_neded', which no column is named; expected")
    assert list(contents(folder)) == ["grid.toml"]


def test_a_parquet_plan_is_the_same_plan(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    (folder / "grid.toml").write_text(WIDE.format(where='where = "fits"', best=""), encoding="utf-8")
    sweep(folder / "grid.toml", folder / "plan.csv")
    sweep(folder / "grid.toml", folder / "plan.parquet")
    texts = [
        run(folder, "table", f"plan.{ending}", "--columns", ",".join(COLUMNS)).stdout for ending in ("csv", "parquet")
    ]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) > 100
    piped = run(folder, "check", "plan.parquet")
    assert (piped.returncode, piped.stderr.split(",")[0]) == (0, f"plan.parquet: {len(texts[0].splitlines()) - 1} jobs")


def test_without_pyarrow_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (folder / "plan.parquet").write_bytes(b"PAR1")
    message = r"needs pyarrow, which is not installed; pip install 'reportgen\[parquet\]' brings it"
    with pytest.raises(FileError, match=message):
        read_plan(folder / "plan.parquet")
    with pytest.raises(FileError, match=message):
        sweep(folder / "grid.toml", folder / "other.parquet")
    assert sorted(contents(folder)) == ["grid.toml", "plan.parquet"]


def test_more_rows_than_a_workbook_holds_are_said() -> None:
    assert Outcome(10**7, kept=10**6).lines()[1:] == []
    assert Outcome(10**7, kept=10**6 + 1).lines()[1:] == [
        "one workbook holds at most 1,000,000 jobs; a narrower condition or [best] keeps fewer"
    ]


def test_a_reader_that_stops_early_ends_it_quietly(tmp_path: Path) -> None:
    counts = ", ".join(map(str, range(1, 2_001)))
    grid = f'[grid]\nparameters = "1B"\nhardware = "H100"\nstart = "2026-01-01"\nhours = [{counts}]\ncards = [{counts}]'
    (tmp_path / "grid.toml").write_text(grid, encoding="utf-8")
    command = f'"{sys.executable}" -m reportgen sweep grid.toml | head -1'
    done = subprocess.run(  # noqa: S602 - our own program
        command, shell=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, check=True
    )
    assert (done.stdout, done.stderr) == (b"job,parameters,hardware,start,hours,cards\n", b"")


@pytest.mark.parametrize("best", ["", '[best]\nby = "min_cards"\nper = "sequence_length"\ntop = 2'])
def test_a_million_combinations_take_no_more_memory_than_a_part_of_them(tmp_path: Path, best: str) -> None:
    def peak(sequences: int) -> int:
        lengths = ", ".join(str(16 * place) for place in range(1, sequences + 1))
        grid = f'where = "fits"\n[grid]\nmodel = "Llama-3 *"\nhardware = "H100"\ncards = [{cards}]\nmbs = [1, 2]\n'
        (tmp_path / "grid.toml").write_text(f"{grid}seq = [{lengths}]\ntp = [1, 2, 4, 8]\n{best}", encoding="utf-8")
        tracemalloc.start()
        try:
            with (tmp_path / "plan.csv").open("w", encoding="utf-8") as file:
                outcome = sweep(tmp_path / "grid.toml", file, block=1 << 14)
            assert outcome.combinations == models * 32 * 2 * sequences * 4
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    cards = ", ".join(str(8 * place) for place in range(1, 33))
    models = sum(line.startswith("Llama-3 ") for line in (ROOT / "inputs" / "models.csv").read_text().splitlines())
    small, large = peak(250), peak(1_000)
    assert models * 32 * 2 * 1_000 * 4 > 500_000
    assert large < 1.3 * small + 10_000_000
