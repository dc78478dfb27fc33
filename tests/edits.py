"""Edits a workbook's file as its readers do: a cell typed over, a sheet renamed, a part put in."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias
from xml.sax.saxutils import escape

Typed: TypeAlias = str | float | None
"""What somebody types into a cell; nothing clears it."""


def parts_of(book: Path) -> dict[str, bytes]:
    """Return every part of a workbook."""
    with zipfile.ZipFile(book) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Mapping[str, bytes], target: Path) -> Path:
    """Write parts as a workbook and return its path."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target


def part_of(parts: Mapping[str, bytes], sheet: str) -> str:
    """Return the name of a sheet's part."""
    tag = re.search(rf'<sheet [^>]*name="{re.escape(sheet)}"[^>]*>', parts["xl/workbook.xml"].decode())
    assert tag is not None, sheet
    key = re.findall(r'r:id="([^"]+)"', tag[0])[0]
    relations = parts["xl/_rels/workbook.xml.rels"].decode()
    target = next(one for one in re.findall("<Relationship [^>]*>", relations) if f'Id="{key}"' in one)
    found = re.search(r'Target="(?:/xl/)?([^"]+)"', target)
    assert found is not None
    return f"xl/{found[1]}"


def typed(book: Path, target: Path, cells: Mapping[tuple[str, str], Typed]) -> Path:
    """Write a workbook with cells typed over, their styles kept, and nothing calculated; return its path."""
    parts = parts_of(book)
    for (sheet, address), value in cells.items():
        name = part_of(parts, sheet)
        text = parts[name].decode()
        found = re.search(rf'<c r="{address}"( s="\d+")?[^>]*?(?:/>|>.*?</c>)', text)
        assert found is not None, (sheet, address)
        cell = _cell(address, found[1] or "", value)
        parts[name] = (text[: found.start()] + cell + text[found.end() :]).encode()
    return packed(parts, target)


def _cell(address: str, style: str, value: Typed) -> str:
    match value:
        case None:
            return f'<c r="{address}"{style}/>'
        case str() if value.startswith("="):
            return f'<c r="{address}"{style}><f>{escape(value[1:])}</f><v>7</v></c>'
        case str():
            return f'<c r="{address}"{style} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{address}"{style}><v>{value!r}</v></c>'


def stored(book: Path, target: Path, sheet: str, address: str, value: str) -> Path:
    """Write a workbook with another stored value in a formula cell and return its path."""
    parts = parts_of(book)
    name = part_of(parts, sheet)
    cell = rf'(<c r="{address}"[^>]*><f>[^<]*</f><v>)[^<]*(</v>)'
    text, count = re.subn(cell, rf"\g<1>{value}\g<2>", parts[name].decode())
    assert count == 1
    return packed(parts | {name: text.encode()}, target)


def replaced(book: Path, target: Path, part: str, old: str, new: str) -> Path:
    """Write a workbook with a text of a part replaced and return its path."""
    parts = parts_of(book)
    text = parts[part].decode()
    assert old in text, old
    return packed(parts | {part: text.replace(old, new).encode()}, target)
