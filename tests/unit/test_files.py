"""Outputs appear whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reportgen.errors import FileError
from reportgen.files import copy_inputs, data_folder, read_source, write_together
from reportgen.seal import UNSEALED, sealed

OLD, NEW = sealed(f"old {UNSEALED}"), sealed(f"new {UNSEALED}")


def writer(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(text)

    return write


def failing(error: BaseException) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text("half of i")
        raise error

    return write


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two outputs of an earlier run."""
    for name in ("plan.xlsx", "plan.html"):
        (tmp_path / name).write_text(OLD)
    return tmp_path / "plan.xlsx", tmp_path / "plan.html"


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


BOTH_OLD = {"plan.xlsx": OLD, "plan.html": OLD}


def test_both_files_are_replaced(pair: tuple[Path, Path]) -> None:
    write_together({path: writer(NEW) for path in pair}, force=False)
    assert contents(pair[0].parent) == {"plan.xlsx": NEW, "plan.html": NEW}


def test_a_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    write_together({tmp_path / "a" / "b" / "plan.html": writer(NEW)}, force=False)
    assert contents(tmp_path / "a" / "b") == {"plan.html": NEW}


@pytest.mark.parametrize("error", [ValueError("a fault of ours"), KeyboardInterrupt(), MemoryError()])
def test_a_writer_that_fails_leaves_both_old_and_nothing_else(pair: tuple[Path, Path], error: BaseException) -> None:
    with pytest.raises(type(error)):
        write_together({pair[0]: writer(NEW), pair[1]: failing(error)}, force=False)
    assert contents(pair[0].parent) == BOTH_OLD


def test_a_full_disk_is_said_and_leaves_both_old(pair: tuple[Path, Path]) -> None:
    with pytest.raises(FileError, match="cannot be written: No space left on device"):
        write_together({pair[0]: writer(NEW), pair[1]: failing(OSError(28, "No space left on device"))}, force=False)
    assert contents(pair[0].parent) == BOTH_OLD


@pytest.mark.parametrize("locked", ["plan.xlsx", "plan.html"])
def test_a_target_open_elsewhere_is_named_and_leaves_both_old(
    pair: tuple[Path, Path], locked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def replace_unless_locked(self: Path, target: Path) -> Path:
        if Path(target).name == locked:
            raise PermissionError(13, "Permission denied", str(self), None, str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_unless_locked)
    with pytest.raises(FileError) as raised:
        write_together({path: writer(NEW) for path in pair}, force=False)
    said = "cannot be written: Permission denied; is it open in another program, such as Excel?"
    assert str(raised.value) == f"{pair[0].parent / locked}: {said}"
    assert contents(pair[0].parent) == BOTH_OLD


def test_a_folder_that_takes_no_files_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / ".plan.html.x1y2"))

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(FileError, match=r"plan\.html: cannot be written: Permission denied; may you make files in "):
        write_together({tmp_path / "plan.html": writer(NEW)}, force=False)
    assert contents(tmp_path) == {}


def test_a_target_that_is_a_folder_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "plan.html").mkdir()
    with pytest.raises(FileError, match=r"plan\.html: is a folder"):
        write_together({tmp_path / "plan.xlsx": writer(NEW), tmp_path / "plan.html": writer(NEW)}, force=True)
    assert contents(tmp_path) == {}


def test_an_edited_output_is_replaced_only_by_force(pair: tuple[Path, Path]) -> None:
    pair[1].write_text(OLD + "a remark")
    with pytest.raises(FileError, match=r"plan\.html: has been edited since reportgen wrote it; --force replaces it"):
        write_together({path: writer(NEW) for path in pair}, force=False)
    assert contents(pair[0].parent) == BOTH_OLD | {"plan.html": OLD + "a remark"}
    write_together({path: writer(NEW) for path in pair}, force=True)
    assert contents(pair[0].parent) == {"plan.xlsx": NEW, "plan.html": NEW}


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"absent\.csv: cannot be read: No such file or directory"):
        read_source(tmp_path / "absent.csv")


def test_inputs_are_copied_once(tmp_path: Path) -> None:
    names = {path.name for path in copy_inputs(tmp_path / "new", {})}
    assert names == {path.name for path in data_folder("inputs").iterdir()}
    (tmp_path / "new" / "plan.csv").write_text("mine")
    (tmp_path / "new" / "models.csv").unlink()
    with pytest.raises(FileError, match="is there already"):
        copy_inputs(tmp_path / "new", {})
    assert contents(tmp_path / "new")["plan.csv"] == "mine"
    assert not (tmp_path / "new" / "models.csv").exists()


def test_an_input_larger_than_any_is_refused_before_memory_is_full() -> None:
    with pytest.raises(FileError, match=r"/dev/zero: is larger than 512 MiB; no input is"):
        read_source("/dev/zero")


@pytest.mark.skipif(sys.platform == "win32", reason="names are text there")
def test_a_name_that_is_no_text_is_shown_as_text(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/a\xff\n\x01.csv"
    with open(path, "wb") as file:  # noqa: PTH123 - a name in bytes
        file.write(b"x")
    name, data = read_source(os.fsdecode(path))
    assert (name, data) == ("a\N{REPLACEMENT CHARACTER}\\n\\x01.csv", b"x")
