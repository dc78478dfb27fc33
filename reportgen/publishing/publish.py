"""Brings a site up to date: what is new is written, what is as it was stays as it stands, all or nothing."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from reportgen.calculation.ledger import Ledger
from reportgen.errors import FileError
from reportgen.files import digest_of, read_source, text_writer, write_together
from reportgen.publishing.change import in_words
from reportgen.publishing.edition import INDEX, Edition, Settings, Writer, digest, slug
from reportgen.publishing.pages import feed, index_page
from reportgen.publishing.state import ENDINGS, News, Published, Site, UnsoundError, as_json, from_json
from reportgen.seal import is_untouched

STATE: Final = "site.json"
FEED: Final = "feed.xml"
MOST_NEWS: Final = 50
"""Changes that the feed keeps."""


@dataclass(frozen=True)
class Outcome:
    """What publishing did: files written, names of plans that are as they were, names of plans that are gone."""

    written: tuple[Path, ...]
    kept: tuple[Published, ...]
    gone: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return what was done, a line for each file and for each plan that has no new one."""
        return [
            *(f"wrote {path}" for path in self.written),
            *(f"kept {plan.name}, as it is since {plan.date}" for plan in self.kept),
            *(f"left out {name}, whose files are not there any more" for name in self.gone),
            *([] if self.written else ["nothing changed"]),
        ]


def publish(folder: Path, ledgers: Sequence[Ledger], settings: Settings) -> Outcome:
    """Write the files of each plan that changed, the index and the feed; without a plan only those two.

    Raises:
        FileError: If the site or a file in it is not what reportgen wrote, or cannot be written; then all is as it was.
    """
    names = _names(ledgers)
    former = _read_site(folder, settings, begun=bool(ledgers))
    there, gone = _standing(folder, former, names)
    site = replace(former, title=settings.site_title or former.title, url=_address(settings.url) or former.url)
    writers: dict[Path, Writer] = {}
    plans, kept, news = {plan.name: plan for plan in there}, [], list(site.news)
    written: dict[str, dict[str, str]] = {}
    for name, ledger in zip(names, ledgers, strict=True):
        edition = Edition(folder, name, ledger, plans.get(name), settings)
        plans[name] = edition.published()
        if edition.is_standing:
            kept.append(plans[name])
            continue
        written[name] = {}
        writers |= edition.writers(written[name])
        if edition.is_news:
            site = site if site.id else replace(site, id=_uuid(uuid.NAMESPACE_OID, edition.fingerprint))
            news.insert(0, _news(site, plans[name], news))
    site = replace(site, plans=tuple(plans[name] for name in sorted(plans)), news=tuple(news[:MOST_NEWS]))
    texts = {
        INDEX: index_page(site, settings.version, settings.templates),
        FEED: feed(site, settings.version, settings.templates),
    }
    _refuse_edited(folder, [*writers, *(folder / name for name in (*texts, STATE))], former, settings)
    site = replace(site, files={name: digest(text) for name, text in texts.items()})
    writers |= {folder / name: text_writer(text) for name, text in texts.items()}
    writers[folder / STATE] = _state_writer(site, written)
    changed = write_together(writers, force=True, keep_same=True)
    return Outcome(tuple(changed), tuple(kept), tuple(gone))


def _state_writer(site: Site, written: Mapping[str, Mapping[str, str]]) -> Writer:
    """Return what writes the state; it comes last, when the digests of the other files are known."""

    def write(path: Path) -> None:
        text_writer(as_json(_with_digests(site, written)))(path)

    return write


def _with_digests(site: Site, written: Mapping[str, Mapping[str, str]]) -> Site:
    plans = (replace(plan, files=written.get(plan.name, plan.files)) for plan in site.plans)
    return replace(site, plans=tuple(plans))


def _names(ledgers: Sequence[Ledger]) -> list[str]:
    files: dict[str, str] = {}
    for ledger in ledgers:
        file = ledger.inputs.plan.file
        name = slug(Path(file).stem)
        if name in files:
            raise FileError(f"{file}: would be published as {name}, as {files[name]} is; give it another name")
        files[name] = file
    return list(files)


def _read_site(folder: Path, settings: Settings, *, begun: bool) -> Site:
    path = folder / STATE
    if not path.exists():
        if begun:
            return Site()
        raise FileError(f"{path}: is not there; publish a plan into {folder} first")
    try:
        return from_json(read_source(path)[1], is_sealed=is_untouched(path))
    except UnsoundError as error:
        if settings.force and begun:
            return Site()
        advice = "--force with all plans begins a new site"
        raise FileError(f"{path}: found {error}, expected what reportgen publish wrote; {advice}") from None


def _standing(folder: Path, site: Site, coming: Sequence[str]) -> tuple[list[Published], list[str]]:
    """Return the plans that the site keeps, and the names of those whose files somebody took away.

    Raises:
        FileError: If some files of a plan are there and some are not.
    """
    there, gone = [], []
    for plan in site.plans:
        paths = [folder / plan.name / f"{plan.name}.{ending}" for ending in ENDINGS]
        missing = [path for path in paths if not path.is_file()]
        if not missing or plan.name in coming:
            there.append(plan)
        elif len(missing) == len(paths):
            gone.append(plan.name)
        else:
            raise FileError(f"{missing[0]}: is not there; publish the plan again, or take its other files away too")
    return there, gone


def _refuse_edited(folder: Path, targets: Sequence[Path], site: Site, settings: Settings) -> None:
    """Refuse to replace a file that is not what reportgen wrote.

    Raises:
        FileError: Naming it.
    """
    ours = {folder / name: digest for name, digest in site.files.items()}
    for plan in site.plans:
        ours |= {folder / plan.name / f"{plan.name}.{ending}": plan.files[ending] for ending in ENDINGS}
    for target in targets:
        known = settings.force or not target.is_file() or digest_of(target) == ours.get(target) or is_untouched(target)
        if not known:
            raise FileError(f"{target}: has been edited since reportgen wrote it; --force replaces it")


def _news(site: Site, plan: Published, before: Sequence[News]) -> News:
    """Return the feed's entry of a change; its id follows from what it says and from the entry before it."""
    seed = f"{plan.name} {plan.fingerprint} {before[0].id if before else ''}"
    first = not plan.change.since
    text = "First published." if first else in_words(plan.change)
    return News(_uuid(uuid.UUID(site.id), seed), plan.name, plan.title, plan.date, text)


def _uuid(space: uuid.UUID, seed: str) -> str:
    return uuid.uuid5(space, seed).urn


def _address(url: str) -> str:
    """Return the site's address with a slash at its end.

    Raises:
        FileError: If it is no address of a folder on the web.
    """
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
    except ValueError:
        sound = False
    if not sound or not re.fullmatch(r"[!-~]+", url) or re.search(r"[<>\"{}|\\^`]", url):
        raise FileError(f"--url: found {url!r}, expected an address such as https://example.org/capacity/")
    return url.rstrip("/") + "/"
