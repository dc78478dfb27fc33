"""Cases F of inputs.md on the reading side; how outputs are written is shown in tests/unit/test_files.py."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from case_files import BASE, refused
from typer.testing import CliRunner, Result

from reportgen.cli import app


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run reportgen in this process; what goes wrong comes back as an exception."""
    return CliRunner().invoke(app, list(arguments), input=stdin)


def zipped(**parts: str) -> bytes:
    """Return a zip file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return data.getvalue()


NO_CSV = {
    "F05 an xlsx": (zipped(**{"xl/workbook.xml": "<workbook/>"}), "an xlsx workbook"),
    "F05 an ods": (zipped(mimetype="application/vnd.oasis.opendocument.spreadsheet"), "an ods spreadsheet"),
    "F05 a zip": (zipped(a="b"), "a zip file"),
    "F05 an empty zip": (zipped(), "an empty zip file"),
    "F05 an old xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a workbook of an old Excel"),
    "F05 a PDF": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "a PDF"),
    "F05 a page": (b"<!DOCTYPE html>\n<html></html>", "an HTML page"),
    "F05 a page after a mark": (b"\xef\xbb\xbf\r\n<HTML>", "an HTML page"),
    "F05 entities": (b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>', "an XML file"),
}


@pytest.mark.parametrize("case", NO_CSV)
def test_f05_another_kind_of_file_is_refused_by_its_name(case: str) -> None:
    data, kind = NO_CSV[case]
    (line,) = refused(data).lines
    assert line.startswith(f"plan.csv: found {kind}")
    assert "CSV" in line


@pytest.mark.parametrize("name", ["a b'c.csv", "日本.csv", "..\\x.csv", "-x.csv", "<b>.csv", "no ending", "=1+1.csv"])
def test_f07_a_plan_may_have_any_name(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(BASE)
    done = run("check", str(tmp_path / name))
    assert (done.exit_code, f"{name}: 1 job, no problem" in done.stderr) == (0, True)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in the file system")
def test_f07_a_plan_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(BASE,))
    writer.start()
    done = run("check", str(pipe))
    writer.join()
    assert done.exit_code == 0


@pytest.mark.parametrize("content", ["", "\n"])
def test_f07_a_file_of_nothing_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text(content)
    done = run("build", str(tmp_path / "plan.csv"), "-o", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "found an empty file" in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_encoding_and_decimal_are_options_of_every_command_that_reads(tmp_path: Path) -> None:
    plan = tmp_path / "plan.csv"
    plan.write_bytes("job;params;gpu\nmodèle;1,234B;H100\n".encode("cp1252"))
    options = ("--encoding", "cp1252", "--decimal", "comma")
    printed = run("table", str(plan), "--columns", "job,parameters", *options)
    assert printed.stdout == "job,parameters\nmodèle,1234000000\n"
    assert run("check", str(plan), *options).exit_code == 0
    assert run("explain", str(plan), "modèle", *options).exit_code == 0
    assert run("check", str(plan), "--encoding", "rot13").exit_code == 2


def test_problems_and_warnings_are_printed_for_programs(tmp_path: Path) -> None:
    plan = tmp_path / "plan.csv"
    plan.write_text('model,note,params,gpu\nllama,"a\nb",7Q,H100\nx,,7B,H100\nx,,7B,H100\n')
    done = run("check", str(plan), "--format", "json")
    assert done.exit_code == 1
    wrong, doubted = json.loads(done.stdout)
    assert wrong | {"expected": ""} == {
        "file": "plan.csv",
        "line": 2,
        "column": "parameters",
        "found": "'7Q'",
        "expected": "",
        "severity": "error",
        "record": 2,
        "more": 0,
    }
    assert (doubted["line"], doubted["record"], doubted["severity"]) == (5, 4, "warning")


def test_a_plan_without_problems_prints_an_empty_list(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text(BASE)
    done = run("check", str(tmp_path / "plan.csv"), "--format", "json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])


def test_warnings_stand_on_standard_error_and_not_with_quiet(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text(BASE + BASE.splitlines()[1] + "\n")
    done = run("build", str(tmp_path / "plan.csv"), "-o", str(tmp_path))
    assert (done.exit_code, done.stderr.splitlines()[0].startswith("plan.csv:3: warning: found the row")) == (0, True)
    assert run("build", str(tmp_path / "plan.csv"), "-o", str(tmp_path), "--quiet").stderr == ""


def test_a_thousand_problems_are_a_hundred_lines_and_a_count() -> None:
    lines = refused("model,params,gpu\n" + "x,7Q,H100\n" * 1_000).lines
    assert (len(lines), lines[100]) == (102, "... and 900 more")
    assert lines[101].startswith("plan.csv:3: warning: found the row of line 2 again")
