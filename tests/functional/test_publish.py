"""A site of plans: what stands in its folder, what a second build leaves alone, what it says has changed."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import fields
from datetime import date
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urljoin
from xml.etree import ElementTree as ET

import pytest
from test_cli import ROOT, contents, edit, run

import reportgen
from reportgen import calculate, read_plan
from reportgen.comparing.diff_page import JobList, JobMoves, JobRow
from reportgen.comparing.saying import Moved
from reportgen.errors import FileError
from reportgen.files import data_folder
from reportgen.publishing.edition import slug
from reportgen.publishing.pages import Card, Item
from reportgen.publishing.publish import Outcome
from reportgen.publishing.state import Change, Move, News, Published, Site
from reportgen.seal import UNSEALED, is_untouched, sealed

FIRST: Final = date(2026, 1, 31)
LATER: Final = date(2026, 2, 28)
PLAN: Final = "job,parameters,optimizer,recipe,hardware,cards,hours,owner\n"
SMALL: Final = f"{PLAN}a,1B,adam,pure-16,X,2,100,me\nb,2B,adam,pure-16,X,4,100,me\n"
"""Adam in pure 16 bits holds 8 bytes a parameter: 8 GB and 16 GB. 6 cards for 100 hours at 2 USD are 1,200 USD."""

LARGER: Final = f"{PLAN}a,1B,adam,pure-16,X,2,100,me\nb,4B,adam,pure-16,X,8,100,me\nc,1B,adam,pure-16,X,1,100,me\n"
"""8 + 32 + 8 GB on 11 cards: 2,200 USD."""

HARDWARE: Final = "hardware,label_memory,cards_per_node,price_per_card_hour\nX,80 GB,8,2\n"
ATOM: Final = "{http://www.w3.org/2005/Atom}"

Publish = Callable[..., Outcome]


def publish_into(folder: Path, plans: dict[str, str], day: date = FIRST, **options: Any) -> Outcome:  # noqa: ANN401
    """Publish plans given as texts by their names, as the command does, and return what was done."""
    (folder / "hardware.csv").write_text(HARDWARE, encoding="utf-8")
    ledgers = []
    for name, text in plans.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        ledgers.append(calculate(read_plan(folder / f"{name}.csv", hardware=folder / "hardware.csv")))
    return reportgen.publish(folder / "site", ledgers, day=day, **options)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of the small plan, which no test may change."""
    folder = tmp_path_factory.mktemp("built")
    publish_into(folder, {"small": SMALL})
    return folder / "site"


@pytest.fixture
def publish(tmp_path: Path) -> Publish:
    """Publish plans given as texts."""
    return partial(publish_into, tmp_path)


@pytest.fixture
def small(tmp_path: Path, built: Path) -> Path:
    """A site of the small plan, the same bytes at every test."""
    return shutil.copytree(built, tmp_path / "site")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder of the site."""
    return tmp_path / "site"


def card(site: Path, name: str) -> str:
    """Return what the index says of a plan, as words."""
    index = (site / "index.html").read_text(encoding="utf-8")
    found = re.search(rf'<li class="plan" id="{name}">.*?<ul class="files">', index, re.DOTALL)
    assert found, f"no card of {name}"
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


def entries(site: Path) -> list[dict[str, str]]:
    """Return the entries of the feed, each with the texts of its elements and the address of its link."""
    feed = ET.parse(site / "feed.xml").getroot()  # noqa: S314 - our own
    return [
        {part.tag.removeprefix(ATOM): part.get("href", part.text or "") for part in entry}
        for entry in feed.iter(f"{ATOM}entry")
    ]


def reseal(site: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the state as somebody may who knows how it is sealed."""
    state = json.loads((site / "site.json").read_text(encoding="utf-8"))
    change(state)
    text = json.dumps({**state, "reportgen": UNSEALED}, indent=1, ensure_ascii=False) + "\n"
    (site / "site.json").write_text(sealed(text), encoding="utf-8")


# --- what stands there -------------------------------------------------------------------------------------------


def test_each_plan_has_a_page_a_workbook_and_a_ledger_in_its_folder(publish: Publish, site: Path) -> None:
    publish({"Q3 budget": SMALL, "other": LARGER})
    assert sorted(contents(site)) == [
        "feed.xml",
        "index.html",
        "other/other.csv",
        "other/other.html",
        "other/other.xlsx",
        "q3-budget/q3-budget.csv",
        "q3-budget/q3-budget.html",
        "q3-budget/q3-budget.xlsx",
        "site.json",
    ]


def test_every_link_of_the_site_leads_to_a_file_of_it(publish: Publish, site: Path) -> None:
    publish({"Größe & Maß": SMALL, "مشروع": SMALL})
    files = {f"https://x/{name}" for name in contents(site)}
    linked = set()
    for page in site.rglob("*.html"):
        here = f"https://x/{page.relative_to(site).as_posix()}"
        hrefs = re.findall(r'href="([^"#]+)"', page.read_text(encoding="utf-8"))
        linked |= {unquote(urljoin(here, unescape(href))) for href in hrefs if not href.startswith(("data:", "http"))}
    assert linked == files - {"https://x/site.json"}


def test_the_index_says_what_each_plan_comes_to(publish: Publish, site: Path) -> None:
    publish({"small": SMALL, "tight": f"{PLAN}a,100B,adam,pure-16,X,1,,\n"}, title="")
    said = card(site, "small")
    assert said.startswith("2026-01-31 small ✓ 2 of 2 jobs fit planned cards 6")
    assert "training footprint GB 24" in said
    assert "rental cost USD 1,200" in said
    assert "6 × X" in said
    assert said.endswith("First published.")
    assert "✗ 1 of 1 job does not fit" in card(site, "tight")
    assert "2 plans; 1 has a job that does not fit." in (site / "index.html").read_text(encoding="utf-8")


def test_the_ledger_is_what_table_prints(tmp_path: Path, small: Path) -> None:
    (tmp_path / "hardware.csv").write_text(HARDWARE, encoding="utf-8")
    (tmp_path / "small.csv").write_text(SMALL, encoding="utf-8")
    printed = run(tmp_path, "table", "small.csv", "--hardware", "hardware.csv").stdout
    assert (small / "small" / "small.csv").read_text(encoding="utf-8") == printed


def test_no_page_of_the_site_may_load_anything(small: Path) -> None:
    for page in small.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        assert policy
        assert unescape(policy[1]).startswith("default-src 'none'; style-src 'sha256-")
        assert re.findall(r'\b(?:src|href)="(?:https?:)?//', text) == []


def test_two_sites_of_the_same_plans_and_days_are_the_same_bytes(tmp_path: Path, publish: Publish, site: Path) -> None:
    states = []
    for _ in range(2):
        publish({"small": SMALL})
        publish({"small": LARGER}, LATER)
        states.append(contents(site))
        site.rename(tmp_path / f"site-{len(states)}")
    assert states[0] == states[1]


def test_a_title_that_is_code_stays_text(publish: Publish, site: Path) -> None:
    title = '<script>alert(1)</script> & "]]>'
    publish({"small": SMALL}, title=title, site_title=title)
    assert "<script" not in (site / "index.html").read_text(encoding="utf-8")
    assert entries(site)[0]["title"] == title
    assert title in unescape(card(site, "small"))


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Q3 plan_2026", "q3-plan-2026"),
        ("index.html", "index-html"),
        ("..", "plan"),
        ("../../etc/passwd", "etc-passwd"),
        ("計画", "計画"),
        ("--", "plan"),
        ("Straße", "strasse"),
    ],
)
def test_a_plans_folder_is_called_after_it_and_stays_in_the_site(stem: str, name: str) -> None:
    assert slug(stem) == name


# --- building again ----------------------------------------------------------------------------------------------


def test_what_did_not_change_is_not_written_again(publish: Publish, site: Path) -> None:
    publish({"same": SMALL, "moved": SMALL})
    for path in site.rglob("*"):
        os.utime(path, (0, 0))
    outcome = publish({"same": SMALL, "moved": LARGER}, LATER)
    written = {str(path.relative_to(site)) for path in site.rglob("*") if path.is_file() and path.stat().st_mtime}
    assert written == {
        "feed.xml",
        "index.html",
        "moved/moved.csv",
        "moved/moved.html",
        "moved/moved.xlsx",
        "site.json",
    }
    assert written == {path.relative_to(site).as_posix() for path in outcome.written}
    assert [(plan.name, plan.date) for plan in outcome.kept] == [("same", "2026-01-31")]
    assert card(site, "same").startswith("2026-01-31")
    assert card(site, "moved").startswith("2026-02-28")


@pytest.mark.parametrize("plans", [{"small": SMALL}, {}])
def test_a_site_that_is_up_to_date_is_left_as_it_is(publish: Publish, small: Path, plans: dict[str, str]) -> None:
    before = contents(small)
    assert publish(plans, LATER).written == ()
    assert contents(small) == before


def test_another_title_changes_the_page_and_no_figure(publish: Publish, small: Path) -> None:
    ledger = (small / "small" / "small.csv").stat().st_mtime_ns
    publish({"small": SMALL}, LATER, title="Budget")
    assert (small / "small" / "small.csv").stat().st_mtime_ns == ledger
    assert card(small, "small").endswith("Since 2026-01-31 no figure moved.")
    assert len(entries(small)) == 1
    publish({"small": SMALL}, LATER)
    assert card(small, "small").startswith("2026-02-28 Budget")


def test_the_index_says_what_moved_since_the_build_before(publish: Publish, small: Path) -> None:
    """24 GB become 48 GB, 6 cards 11, 1,200 USD 2,200 USD."""
    publish({"small": LARGER}, LATER)
    said = card(small, "small")
    assert "Since 2026-01-31 : 1 job added, 1 changed" in said
    assert "planned cards 6 → 11 +83.3%" in said
    assert "training footprint 24 GB → 48 GB +100%" in said
    assert "rental cost 1,200 USD → 2,200 USD +83.3%" in said


def test_a_plan_that_is_taken_away_leaves_the_index_and_not_the_feed(publish: Publish, site: Path) -> None:
    publish({"stays": SMALL, "goes": SMALL})
    for path in (site / "goes").iterdir():
        path.unlink()
    outcome = publish({}, LATER)
    assert outcome.gone == ("goes",)
    assert 'id="goes"' not in (site / "index.html").read_text(encoding="utf-8")
    assert [(entry["title"], entry["link"]) for entry in entries(site)] == [
        ("goes", "index.html"),
        ("stays", "stays/stays.html"),
    ]


def test_half_a_plan_is_refused(publish: Publish, small: Path) -> None:
    (small / "small" / "small.csv").unlink()
    with pytest.raises(FileError, match=r"small\.csv: is not there; publish the plan again"):
        publish({})
    publish({"small": SMALL}, LATER)
    assert card(small, "small").startswith("2026-01-31")


# --- the feed ----------------------------------------------------------------------------------------------------


def test_the_feed_is_what_rfc_4287_asks_for(publish: Publish, site: Path) -> None:
    publish({"small": SMALL, "other": SMALL})
    publish({"small": LARGER}, LATER)
    feed = ET.parse(site / "feed.xml").getroot()  # noqa: S314 - our own
    for holder in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            (only,) = holder.findall(f"{ATOM}{name}")
            assert only.text
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", holder.findtext(f"{ATOM}id", ""))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", holder.findtext(f"{ATOM}updated", ""))
        assert len([link for link in holder.findall(f"{ATOM}link") if link.get("rel") == "alternate"]) == 1
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    assert [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"] == ["feed.xml"]
    ids = [part.text for part in feed.iter(f"{ATOM}id")]
    assert len(set(ids)) == len(ids) == 4


def test_the_feed_tells_the_newest_change_first_and_keeps_its_ids(publish: Publish, small: Path) -> None:
    (old,) = entries(small)
    publish({"small": LARGER}, LATER, site_title="Elsewhere", url="https://example.org/capacity")
    new, kept = entries(small)
    assert (kept["id"], kept["updated"], kept["content"]) == (old["id"], "2026-01-31T00:00:00Z", "First published.")
    assert new["updated"] == "2026-02-28T00:00:00Z"
    assert new["content"].startswith("1 job added, 1 changed. Planned cards: 6 → 11 (+5, +83.3%).")
    assert (old["link"], kept["link"]) == ("small/small.html", "https://example.org/capacity/small/small.html")


def test_there_and_back_in_a_day_are_three_entries(publish: Publish, site: Path) -> None:
    for text in (SMALL, LARGER, SMALL):
        publish({"small": text})
    assert len({entry["id"] for entry in entries(site)}) == 3


# --- what is not believed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["small/small.html", "small/small.xlsx", "small/small.csv", "index.html", "feed.xml"])
def test_an_edited_file_is_replaced_only_with_force(publish: Publish, small: Path, name: str) -> None:
    good = contents(small)
    edit(small / name) if name.endswith("xlsx") else (small / name).write_bytes(good[name] + b"mine")
    edited = contents(small)
    with pytest.raises(FileError, match=rf"{re.escape(name)}: has been edited since reportgen wrote it; --force"):
        publish({"small": SMALL}, LATER)
    assert contents(small) == edited
    publish({"small": SMALL}, LATER, force=True)
    assert contents(small) == good


def test_a_state_that_somebody_edited_is_not_believed(publish: Publish, small: Path) -> None:
    text = (small / "site.json").read_text(encoding="utf-8")
    (small / "site.json").write_text(text.replace("2026-01-31", "2025-01-31"), encoding="utf-8")
    with pytest.raises(FileError, match=r"site\.json: found another text than reportgen wrote, expected what"):
        publish({"small": LARGER})
    publish({"small": LARGER}, LATER, force=True)
    assert is_untouched(small / "site.json")
    assert card(small, "small").endswith("First published.")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda state: state.update(form=2), "the form 2, where this reportgen knows 1"),
        (lambda state: state.pop("news"), "no Site"),
        (lambda state: state.update(more=1), "no Site"),
        (lambda state: state.update(title=1), "title of another kind"),
        (lambda state: state.update(url="javascript:alert(1)"), "an address that is none"),
        (lambda state: state["plans"][0].update(name="../out"), "a name that is no folder's"),
        (lambda state: state["plans"][0].update(date="2026-1-31"), "a day that is none"),
        (lambda state: state["plans"][0].update(fingerprint="0"), "a digest that is none"),
        (lambda state: state["plans"][0]["totals"].update(jobs="2"), "totals of another kind"),
        (lambda state: state["plans"].append(state["plans"][0]), "a plan twice"),
        (lambda state: state["news"][0].update(id="urn:x"), "an id that is none"),
    ],
)
def test_a_state_that_is_sealed_and_unsound_is_not_believed(
    publish: Publish, small: Path, change: Callable[[dict[str, Any]], object], what: str
) -> None:
    reseal(small, change)
    with pytest.raises(FileError, match=rf"site\.json: found {re.escape(what)}, expected what reportgen publish wrote"):
        publish({})


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000])
def test_a_state_that_is_no_state_is_not_believed(publish: Publish, site: Path, text: str) -> None:
    site.mkdir()
    (site / "site.json").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=r"^[^\n]*site\.json: found no (JSON|object), expected[^\n]*$"):
        publish({})


@pytest.mark.parametrize(
    "url",
    ["example.org", "javascript:alert(1)", "https://", "https://a b", "https://x/?a=1", 'https://x/"', "http://[x"],
)
def test_an_address_that_is_none_is_refused(publish: Publish, site: Path, url: str) -> None:
    with pytest.raises(FileError, match=r"^--url: found .*, expected an address such as https://example\.org"):
        publish({"small": SMALL}, url=url)
    assert not site.exists()


# --- the command -------------------------------------------------------------------------------------------------


def test_the_command_says_what_it_wrote_and_what_it_kept(tmp_path: Path) -> None:
    (tmp_path / "plan.csv").write_text("job,parameters,hardware\na,7B,H100\n", encoding="utf-8")
    done = run(tmp_path, "publish", "site", "plan.csv", "--date", "2026-01-31")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "wrote site/plan/plan.html",
        "wrote site/plan/plan.xlsx",
        "wrote site/plan/plan.csv",
        "wrote site/index.html",
        "wrote site/feed.xml",
        "wrote site/site.json",
    ]
    again = run(tmp_path, "publish", "site", "plan.csv")
    assert again.stderr.splitlines() == ["kept plan, as it is since 2026-01-31", "nothing changed"]
    assert run(tmp_path, "publish", "site", "--quiet").stderr == ""


def test_a_folder_without_a_site_has_no_index_to_renew(tmp_path: Path) -> None:
    done = run(tmp_path, "publish", "site")
    assert (done.returncode, done.stderr) == (1, "site/site.json: is not there; publish a plan into site first\n")
    assert contents(tmp_path) == {}


def test_the_problems_of_all_plans_are_said_and_nothing_is_written(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("job,parameters,hardware\na,much,H100\n", encoding="utf-8")
    done = run(tmp_path, "publish", "site", "one.csv", "two.csv")
    assert (done.returncode, done.stdout) == (1, "")
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == ["one.csv:2", "two.csv:2"]
    assert sorted(contents(tmp_path)) == ["one.csv", "two.csv"]


def test_two_plans_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("a b.csv", "A_B.csv"):
        (tmp_path / name).write_text("job,parameters,hardware\na,7B,H100\n", encoding="utf-8")
    done = run(tmp_path, "publish", "site", "a b.csv", "A_B.csv")
    assert done.returncode == 1
    assert done.stderr == "A_B.csv: would be published as a-b, as a b.csv is; give it another name\n"


def test_a_title_is_for_one_plan(tmp_path: Path) -> None:
    done = run(tmp_path, "publish", "site", "--title", "Budget")
    assert done.returncode == 2
    assert "--title" in done.stderr


@pytest.mark.parametrize(
    "record",
    [Site, Published, Change, Move, News, Card, Item, JobList, JobRow, JobMoves, Moved],
    ids=lambda one: one.__name__,
)
def test_every_field_is_documented(record: type[Any]) -> None:
    named = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "publishing.md").read_text(encoding="utf-8")))
    assert {field.name for field in fields(record)} - named == set()


# --- templates ---------------------------------------------------------------------------------------------------


def test_templates_are_copied_out_and_serve_as_ones_own(tmp_path: Path) -> None:
    done = run(tmp_path, "templates", "mine")
    shipped = {path.name: path.read_bytes() for path in data_folder("templates").iterdir() if path.is_file()}
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [f"wrote mine/{name}" for name in sorted(shipped)]
    assert contents(tmp_path / "mine") == shipped
    index = (tmp_path / "mine" / "index.html").read_text(encoding="utf-8")
    (tmp_path / "mine" / "index.html").write_text(index.replace("Made by", "Changed, and made by"), encoding="utf-8")
    (tmp_path / "plan.csv").write_text("job,parameters,hardware\na,7B,H100\n", encoding="utf-8")
    assert run(tmp_path, "publish", "site", "plan.csv", "--templates", "mine").returncode == 0
    assert "Changed, and made by" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def test_templates_replace_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "page.html").write_text("mine", encoding="utf-8")
    done = run(tmp_path, "templates", "mine")
    assert done.returncode == 1
    assert done.stderr == "mine/page.html: is there already; reportgen templates writes into a folder without it\n"
    assert contents(tmp_path) == {"mine/page.html": b"mine"}
