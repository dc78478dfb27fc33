"""The page: everything escaped, nothing undefined, nothing from the network, the same bytes each time."""

from __future__ import annotations

import re
from datetime import date
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import TemplateNotFound
from plans import THIRTY, ledger_of, shipped

from reportgen.errors import FileError
from reportgen.files import data_folder
from reportgen.page.render import make_environment, render_page
from reportgen.report import Report

HOSTILE = "<script>alert(1)</script> & \"double\" 'single' {{ 7+7 }} {% raw %}"
DAY = date(2026, 1, 31)


def page_of(plan: str, title: str = "A plan", templates: Path | None = None, **catalogues: str) -> str:
    folders = [templates] if templates else []
    report = Report(ledger_of(plan, **catalogues), title, DAY, "1.2.3")
    return render_page(report, "plan.xlsx", [*folders, data_folder("templates")])


def marked(place: str) -> str:
    """Return the hostile text, marked with the place where it stands."""
    return f"{place} {HOSTILE}"


def cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@pytest.fixture(scope="module")
def hostile_page() -> str:
    """A page in which every text that a user can write is hostile."""
    plan = "job,model,parameters,optimizer,recipe,hardware,owner\n" + ",".join(
        "7B" if place == "parameters" else cell(marked(place))
        for place in ("job", "model", "parameters", "optimizer", "recipe", "hardware", "owner")
    )
    return page_of(
        plan + "\n",
        marked("title"),
        optimizers=f"optimizer,moments_per_parameter,source\n{cell(marked('optimizer'))},2,{cell(marked('source'))}\n",
        recipes=f"recipe,parameter_width,gradient_width,moment_width\n{cell(marked('recipe'))},2,2,2\n",
        hardware=f"hardware,label_memory\n{cell(marked('hardware'))},80 GB\n",
        assumptions=re.sub(
            r"^(inference_width,2,byte/parameter,).*$",
            lambda found: f"{found[1]}0.5,4,{cell(marked('assumption'))}",
            shipped("assumptions"),
            flags=re.MULTILINE,
        ),
    )


@pytest.mark.parametrize("place", ["title", "job", "model", "optimizer", "recipe", "hardware", "assumption"])
def test_a_text_of_the_user_appears_escaped(hostile_page: str, place: str) -> None:
    shown = escape(marked(place)).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")
    assert shown in hostile_page


def test_no_text_of_the_user_appears_raw(hostile_page: str) -> None:
    assert "<script>alert" not in hostile_page
    assert "\"double\" 'single'" not in hostile_page


def test_a_text_that_looks_like_a_template_is_a_text(hostile_page: str) -> None:
    assert "{{ 7+7 }}" in hostile_page
    assert "{% raw %}" in hostile_page


@pytest.mark.parametrize("ending", ["html", "html.j2", "jinja2", "txt", "css"])
def test_every_template_escapes_whatever_its_ending(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"one.{ending}").write_text("{{ text }}")
    assert make_environment([tmp_path]).get_template(f"one.{ending}").render(text="<b>") == "&lt;b&gt;"


def test_a_template_that_asks_for_what_is_not_there_fails(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("{{ absent }}")
    with pytest.raises(FileError, match=r"page\.html:1: 'absent' is undefined"):
        page_of(THIRTY, templates=tmp_path)


def test_templates_of_the_users_own_come_first(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '{% extends "base.html" %}{% block main %}<p>{{ title }}, ours</p>{% endblock %}'
    )
    assert "<p>A plan, ours</p>" in page_of(THIRTY, templates=tmp_path)


def test_a_template_that_is_not_there_fails() -> None:
    with pytest.raises(TemplateNotFound):
        make_environment([]).get_template("page.html")


class Resources(HTMLParser):
    """What a page would fetch by itself, and its styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.styles = ""
        self._in_style = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        for name, value in attrs:
            if name == "style":
                self.styles += value or ""
            elif name == "href" and tag == "a":
                self.links.append(value or "")
            elif name in {"src", "srcset", "href", "data", "poster", "action", "background"}:
                self.fetched.append(value or "")

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.styles += data

    def handle_endtag(self, tag: str) -> None:
        self._in_style = self._in_style and tag != "style"


@pytest.mark.parametrize("plan", [THIRTY, THIRTY + "x,http://example.invalid/a.png,7B,H100\n"])
def test_the_page_fetches_nothing(plan: str) -> None:
    resources = Resources(page_of(plan))
    assert [address for address in resources.fetched if not address.startswith(("data:", "#"))] == []
    assert "@import" not in resources.styles
    assert [address for address in re.findall(r"url\(([^)]*)\)", resources.styles) if "data:" not in address] == []
    assert resources.styles


def test_only_web_addresses_become_links() -> None:
    page = page_of(
        THIRTY,
        hardware="hardware,label_memory,source\nH100,80 GB,javascript:alert(1)\nX,1 GB,file:///c:/x\n",
    )
    assert all(link.startswith(("#", "https://", "http://", "mailto:", "plan.xlsx")) for link in Resources(page).links)


def test_the_same_plan_gives_the_same_page() -> None:
    assert page_of(THIRTY) == page_of(THIRTY)


def test_the_page_says_the_figures_of_the_article() -> None:
    page = page_of(THIRTY)
    for figure in ("480 GB", "447 GiB", "74.5 GiB", "6 cards", "60 GB"):
        assert figure in page
