"""Templates of the user's own: what they get is documented, what they miss is said with file and line."""

from __future__ import annotations

import re
from dataclasses import fields
from html import unescape
from pathlib import Path

import pytest
from pages import page_of

from reportgen.calculation.ledger import Ledger
from reportgen.errors import FileError
from reportgen.files import data_folder
from reportgen.page import charts, data, lines, saying, scales

DOCUMENT = Path(__file__).parents[2] / "docs" / "templates.md"
TEMPLATES = data_folder("templates")


@pytest.mark.parametrize(
    ("template", "line", "what"),
    [
        ("<p>\n{{ absent }}", 2, "'absent' is undefined"),
        ("{% extends 'base.html' %}\n\n{% block main %}\n{{ table.absent }}{% endblock %}", 4, "no attribute 'absent'"),
        ("\n{% if %}", 2, "Expected an expression"),
        ("{{ title|absent }}", 1, "No filter named 'absent'"),
        ("\n\n{% include 'absent.html' %}", 3, "no template absent.html"),
        ("\n{{ 1 // 0 }}", 2, "zero"),
        ("\n{{ jobs + 1 }}", 2, "can only concatenate tuple"),
    ],
)
def test_a_fault_names_template_and_line(ledger: Ledger, tmp_path: Path, template: str, line: int, what: str) -> None:
    (tmp_path / "page.html").write_text(template, encoding="utf-8")
    with pytest.raises(FileError, match=rf"page\.html:{line}: .*{re.escape(what)}"):
        page_of(ledger, templates=tmp_path)


def test_a_fault_in_a_macro_names_the_macros_file(ledger: Ledger, tmp_path: Path) -> None:
    text = (TEMPLATES / "macros.html").read_text(encoding="utf-8")
    (tmp_path / "macros.html").write_text(text.replace("step.result", "step.absent"), encoding="utf-8")
    with pytest.raises(FileError, match=r"macros\.html:\d+: .*absent"):
        page_of(ledger, templates=tmp_path)


def test_a_style_that_would_end_its_element_is_refused(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "palette.css").write_text(":root {}\n</style><script>", encoding="utf-8")
    with pytest.raises(FileError, match=r"palette\.css:2: "):
        page_of(ledger, templates=tmp_path)


def test_a_palette_of_ones_own_takes_the_place_of_ours_and_the_policy_follows(ledger: Ledger, tmp_path: Path) -> None:
    (tmp_path / "palette.css").write_text(":root { --ink: #123456 }\r\n", encoding="utf-8", newline="")
    ours, theirs = page_of(ledger), page_of(ledger, templates=tmp_path)
    assert "--ink: #123456 }\n" in theirs
    assert "--ink: #17202b" not in theirs
    policies = [re.findall(r"style-src '([^']*)'", unescape(page)) for page in (ours, theirs)]
    assert policies[0] != policies[1]


def test_a_page_of_ones_own_may_use_the_frame(ledger: Ledger, tmp_path: Path) -> None:
    example = re.findall(r"```jinja\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)[0]
    (tmp_path / "page.html").write_text(example, encoding="utf-8")
    page = page_of(ledger, templates=tmp_path)
    assert '<h1 dir="auto">Capacity of the plan</h1>' in page
    assert "5 jobs are planned on" in page


def test_every_block_is_documented() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    blocks = re.findall(r"{% block (\w+) %}", (TEMPLATES / "page.html").read_text(encoding="utf-8"))
    listed = re.findall(r"`(\w+)`", document.split("## Blocks of page.html")[1].split("##")[0])
    assert sorted(blocks) == sorted(listed)


def test_every_field_and_every_file_is_documented() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", document))
    records = [
        *(one for one in vars(data).values() if getattr(one, "__module__", "") == data.__name__),
        *(charts.BarsPicture, charts.DrawnBar, charts.Piece, lines.CurvePicture, lines.Line, lines.Mark, lines.YTick),
        *(scales.Tick, saying.Part),
    ]
    assert {field.name for record in records for field in fields(record)} - named == set()
    assert {path.name for path in TEMPLATES.iterdir()} <= set(re.findall(r"^\| `([\w.]+)` \|", document, re.MULTILINE))


def test_templates_do_not_calculate() -> None:
    """No arithmetic in an expression; ``~`` joins texts, ``loop.index0`` counts."""
    for path in TEMPLATES.glob("*.html"):
        for expression in re.findall(r"{{(.*?)}}|{%(.*?)%}", path.read_text(encoding="utf-8")):
            code = re.sub(r"\"[^\"]*\"|'[^']*'", "", "".join(expression)).strip("-")
            assert not re.search(r"[+*/]|\w\s*-\s*\w|\|\s*(round|sum)", code), f"{path.name}: {expression}"


def test_the_script_is_short() -> None:
    assert len((TEMPLATES / "script.js").read_text(encoding="utf-8").splitlines()) <= 250
