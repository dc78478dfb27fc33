"""The house rules: who imports whom, who touches files, how long a module and a function may be."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import reportgen

LAYERS: Final = (
    {"errors", "units", "digits", "seal", "ending", "progress"},
    {"replacing"},
    {"arrays"},
    {"primitives"},
    {"expression"},
    {"functions", "readings"},
    {"calculation"},
    {"reading", "wording"},
    {"report", "listing"},
    {"files", "page", "workbook"},
    {"parquet"},
    {"sources"},
    {"returned", "sweeping"},
    {"comparing"},
    {"publishing"},
    {"plans"},
    {"building"},
    {"api"},
    {"options"},
    {"sharing", "returning"},
    {"cli"},
    {"__init__", "__main__"},
)
"""Bottom first. A part imports from layers below its own and from itself, never from beside or above."""

LIBRARIES: Final = {
    "numpy": {"arrays", "primitives", "readings", "calculation", "reading", "workbook", "returned", "sweeping"},
    "pyarrow": {"parquet"},
    "openpyxl": {"workbook", "returned"},
    "jinja2": {"page"},
    "typer": {"cli", "options", "sharing", "returning"},
}
"""Which parts may import a library; no part imports any other."""

FILE_CALLS: Final = {"open", "read_bytes", "read_text", "write_bytes", "write_text"}
MAY_TOUCH_FILES: Final = {
    "api.py",
    "ending.py",
    "files.py",
    "replacing.py",
    "returned/archive.py",
    "seal.py",
    "workbook/cells.py",
}

LONGEST_MODULE, LONGEST_SHEET, LONGEST_FUNCTION = 300, 420, 40
"""Lines. A sheet's module is the list of its columns and nothing else: it grows with what is calculated."""

PACKAGE: Final = Path(reportgen.__file__).parent
TREES: Final = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")
}
LEVEL: Final = {part: level for level, parts in enumerate(LAYERS) for part in parts}


def part_of(module: str) -> str:
    """Return the part that a file belongs to: its folder, or its own name."""
    return module.split("/", maxsplit=1)[0].removesuffix(".py")


def imports(tree: ast.Module) -> Iterator[str]:
    """Yield every module that is imported, wherever it stands; of our own package only the part."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "reportgen":
                yield from (f"reportgen.{_offered(alias.name)}" for alias in node.names if alias.name != "__version__")
            else:
                yield str(node.module)


def _offered(name: str) -> str:
    """Return the part behind a name that is imported from the package itself."""
    return name if name in LEVEL else "api"


def libraries(module: str) -> set[str]:
    """Return the libraries that a file imports, without the standard library."""
    names = {name.split(".")[0] for name in imports(TREES[module])}
    return names - set(sys.stdlib_module_names) - {"reportgen"}


def test_every_part_has_its_layer() -> None:
    assert {part_of(module) for module in TREES} == set(LEVEL)


@pytest.mark.parametrize("module", TREES)
def test_a_part_imports_only_what_lies_below_it(module: str) -> None:
    part = part_of(module)
    parts = {name.split(".")[1] for name in imports(TREES[module]) if name.startswith("reportgen.")}
    assert {other for other in parts if other != part and LEVEL[other] >= LEVEL[part]} == set()


@pytest.mark.parametrize("module", TREES)
def test_a_library_is_imported_only_where_it_belongs(module: str) -> None:
    assert {name for name in libraries(module) if part_of(module) not in LIBRARIES.get(name, set())} == set()


def test_only_a_few_modules_touch_files() -> None:
    touching = {
        f"{module}:{node.lineno} {_called(node)}"
        for module, tree in TREES.items()
        if module not in MAY_TOUCH_FILES
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _called(node) in FILE_CALLS
    }
    assert touching == set()


def _called(call: ast.Call) -> str:
    """Return the name of a called method, or of ``open``."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return "open" if isinstance(call.func, ast.Name) and call.func.id == "open" else ""


def test_no_module_is_too_long() -> None:
    lengths = {path: len((PACKAGE / path).read_text(encoding="utf-8").splitlines()) for path in TREES}
    limits = {path: LONGEST_SHEET if part_of(path) == "calculation" else LONGEST_MODULE for path in TREES}
    assert {path: length for path, length in lengths.items() if length > limits[path]} == {}


def test_no_function_is_too_long() -> None:
    """A docstring does not count: it may be as long as its arguments need."""
    lengths = {
        f"{module}:{node.lineno} {node.name}": _length(node)
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring
