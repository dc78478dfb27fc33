"""Workbooks that are a little wrong: any bytes end in inputs, in a verification, or in one error that says why.

As a program it runs many: python xlsx_target.py COUNT [SEED] prints count, speed, memory and how the runs ended.
"""

from __future__ import annotations

import io
import random
import re
import resource
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from books import DAY, SMALL_PLAN, read_texts, small_catalogues

from reportgen.calculation.ledger import INPUT_SHEETS, calculate
from reportgen.errors import ReportgenError
from reportgen.report import Report
from reportgen.returned.cells import Book
from reportgen.returned.inputs import inputs_of, read_returned
from reportgen.returned.verifying import verify
from reportgen.workbook.book import build_workbook
from reportgen.workbook.cells import save

SECONDS, MEGABYTES = 5.0, 500
BELIEVED, VERIFIED = 10, 200
"""Of so many mutants the inputs of one are read as CSV, and one is verified: that takes long."""
_VALUES: Final = (
    *(b"", b"0", b"1", b"-1", b"99999", b"1048577", b"1e999", b"nan", b"4294967296", b"A1", b"XFD1048576", b"ZZZZ1"),
    *(b"Plan", b"Models", b"Notes", b"..", b"/", b"\xf0\x9f\x8e\xac", b"=1+1", b"#REF!", b"Constants", b"job", b"H100"),
    *(b"s", b"b", b"e", b"str", b"inlineStr", b"d", b"shared", b"_x0000_", b"_xD800_", b"A6", b"6", b"&amp;", b"7B"),
    *(b"5%", b"2026-01-31", b"80 GB", b"\xef\xbf\xbe", b"\xc2\xa0", b"x" * 300, b"x" * 40_000, b"99999999", b"0.1"),
)
_TOKENS: Final = (
    *(b"&amp;", b"&#0;", b"&lt;", b"]]>", b"<![CDATA[", b"<!--", b"<?x?>", b"<!DOCTYPE x>", b"\x00", b"\xff\xfe"),
    *(b't="s"', b't="b"', b't="e"', b't="str"', b't="inlineStr"', b't="d"', b"<f>", b"</f>", b"<v>", b"</v>", b"<c>"),
    *(b"<row>", b"</row>", b"<is>", b"<t>", b"<rPh>", b'r="A6"', b'r="6"', b't="shared" si="0"', b"<c/>", b"<row/>"),
)

WORDS: Final = tuple(token for token in (*_VALUES, *_TOKENS) if 0 < len(token) < 30)


def small_book() -> bytes:
    """Return the workbook that is changed: a job, an entry or two of each catalogue, all sheets."""
    catalogues = {sheet: _short(text) for sheet, text in small_catalogues().items()}
    plan = SMALL_PLAN.splitlines(keepends=True)[0] + "one,mine,7B,,,,,H100,3,1,,,1B,,me\n"
    report = Report(calculate(read_texts(plan, catalogues)), "Fuzz", DAY, "0", ("H100",))
    written = io.BytesIO()
    save(build_workbook(report), written, DAY)
    return written.getvalue()


def trimmed(book: bytes) -> bytes:
    """Return what reading the inputs needs of a workbook, and little of that, so that a run takes milliseconds."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if name.startswith("xl/w") or "rels" in name}
    titles = re.findall(rb'<sheet [^>]*name="([^"]+)"', parts["xl/workbook.xml"])
    small = io.BytesIO()
    with zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, title in enumerate(titles, 1):
            name = f"xl/worksheets/sheet{place}.xml"
            if title.decode() in {"Notes", *(sheet.title for sheet in INPUT_SHEETS)}:
                low = 30 if title in (b"Notes", b"Assumptions") else 8
                archive.writestr(name, re.sub(rb'<row r="(\d+)".*?</row>', partial(_row, low), parts[name]))
        for name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
            archive.writestr(name, parts[name])
    return small.getvalue()


def _row(lowest: int, row: re.Match[bytes]) -> bytes:
    return row[0] if int(row[1]) <= lowest else b""


def _short(text: str) -> str:
    """Return the first row of a catalogue and those that the plan needs; all of the assumptions."""
    header, *rows = text.splitlines(keepends=True)
    if header.startswith("name,"):
        return text
    needed = [row for row in rows[1:] if row.startswith(("adamw,", "mixed-16,", "H100,"))]
    return "".join([header, *rows[:1], *needed])


class Parts:
    """The parts of a workbook, each of which the bytes of an input may stand in for."""

    def __init__(self, book: bytes) -> None:
        self.whole = book
        with zipfile.ZipFile(io.BytesIO(book)) as archive:
            self.parts = {name: archive.read(name) for name in archive.namelist()}

    def seeds(self) -> list[bytes]:
        """Return an input for each part, and one for the whole."""
        return [bytes([place]) + text for place, text in enumerate((*self.parts.values(), self.whole))]

    def book(self, data: bytes) -> bytes:
        """Return the workbook with an input in the place that its first byte chooses."""
        place = (data[0] if data else 0) % (len(self.parts) + 1)
        if place == len(self.parts):
            return data[1:]
        return packed(self.parts | {list(self.parts)[place]: data[1:]})


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return parts as a workbook."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


class Mutator:
    """Changes the bytes of a workbook: of the zip, of its directory, or of the XML inside."""

    def __init__(self, book: bytes, chance: random.Random) -> None:
        self.book, self.chance = book, chance
        with zipfile.ZipFile(io.BytesIO(book)) as archive:
            self.parts = {name: archive.read(name) for name in archive.namelist()}
        self.read = [name for name in self.parts if name.startswith("xl/w") or "rels" in name]
        self.sheets = [name for name in self.read if name.startswith("xl/worksheets/sheet")]
        self.ways: tuple[Callable[[], bytes], ...] = (self._zip, *(self._xml,) * 4, self._entries)

    def mutant(self) -> bytes:
        """Return one changed workbook."""
        return self.chance.choice(self.ways)()

    def _zip(self) -> bytes:
        return self._changed(self.book, self.chance.choice((1, 1, 2, 8, 64)))

    def _xml(self) -> bytes:
        name = self.chance.choice(self.read if self.chance.randrange(8) == 0 else self.sheets)
        return packed(self.parts | {name: self._changed(self.parts[name], self.chance.choice((1, 1, 1, 3, 20)))})

    def _entries(self) -> bytes:
        """Leave out, exchange or double parts, or declare other sizes."""
        chance, parts = self.chance, dict(self.parts)
        match chance.randrange(4):
            case 0:
                del parts[chance.choice(list(parts))]
            case 1:
                one, other = chance.sample(self.read, 2)
                parts[one], parts[other] = parts[other], parts[one]
            case 2:
                name = chance.choice(self.read)
                parts[name] = parts[name][: chance.randrange(len(parts[name]))]
            case _:
                book = bytearray(self.book)
                at = book.rfind(b"PK\x01\x02", 0, chance.randrange(len(book) // 2, len(book)))
                place = max(at, 0) + chance.choice((8, 10, 16, 20, 24, 28, 42))
                book[place : place + 4] = chance.randbytes(4)
                return bytes(book)
        return packed(parts)

    def _changed(self, content: bytes, times: int) -> bytes:
        changed = bytearray(content)
        for _ in range(times):
            at = self.chance.randrange(len(changed) + 1)
            match self.chance.randrange(12):
                case 0:
                    changed[at : at + 1] = self.chance.randbytes(1)
                case 1:
                    del changed[at : at + self.chance.choice((1, 4, 100, 5000))]
                case 2:
                    changed[at:at] = self.chance.choice(_TOKENS)
                case 3:
                    start = self.chance.randrange(len(changed) + 1)
                    changed[at:at] = changed[start : start + self.chance.choice((1, 30, 400))]
                case _:
                    self._exchange_value(changed, at)
        return bytes(changed)

    def _exchange_value(self, changed: bytearray, at: int) -> None:
        """Put a token in the place of the next value, of an attribute or between tags, so that the XML stays whole."""
        opening, closing = self.chance.choice(((b'="', b'"'), (b">", b"<")))
        found = changed.find(opening, at)
        start = found + len(opening)
        end = changed.find(closing, start)
        if found >= 0 and end >= 0:
            changed[start:end] = self.chance.choice(_VALUES)


def one(data: bytes, *, believed: bool = True, verified: bool = False) -> str:
    """Read one workbook back, its inputs too, verify it if asked; return how that ended.

    Raises:
        AssertionError: If it takes too long.
    """
    began = time.monotonic()
    try:
        returned = read_returned(Book(data, "mutant.xlsx"))
        if believed:
            inputs_of(returned, "mutant.xlsx")
        ended = "read"
        if verified:
            ended = "differs" if verify(data, "mutant.xlsx").differences else "holds"
    except ReportgenError as error:
        ended = type(error).__name__ if str(error).strip() else "a silent error"
    seconds = time.monotonic() - began
    assert seconds < SECONDS * (2 if verified else 1), f"took {seconds:.1f} s"
    return ended


def run(count: int, seed: int) -> Counter[str]:
    """Run so many mutants and return how often they ended how; a seed gives the same ones."""
    book, chance, ended = small_book(), random.Random(seed), Counter[str]()  # noqa: S311 - no secrets
    whole, little = Mutator(book, chance), Mutator(trimmed(book), chance)
    for number in range(count):
        data = (little if number % VERIFIED else whole).mutant()
        try:
            ended[one(data, believed=number % BELIEVED == 0, verified=number % VERIFIED == 0)] += 1
        except BaseException:
            with open(f"crash-{seed}-{number}.xlsx", "wb") as file:  # noqa: PTH123 - beside whoever runs this
                file.write(data)
            raise
    return ended


def main() -> None:
    """Run as a program."""
    count, seed = (int(text) for text in (*sys.argv[1:], "0")[:2])
    began = time.monotonic()
    ended = run(count, seed)
    seconds = time.monotonic() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    ends = ", ".join(f"{name} {times:,}" for name, times in ended.most_common())
    sys.stdout.write(f"{count:,} workbooks, {count / seconds:,.0f} a second, at most {memory} MB: {ends}\n")


if __name__ == "__main__":
    main()
