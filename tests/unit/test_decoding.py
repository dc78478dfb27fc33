"""From bytes to text: what says the encoding, and what is refused rather than guessed."""

from __future__ import annotations

import pytest

from reportgen.reading.decoding import UnreadableError, decoded, is_encoding

NAMES = "model,hardware\nmodèle 模型,H100\n"


def refusal(data: bytes, encoding: str = "") -> str:
    with pytest.raises(UnreadableError) as raised:
        decoded(data, encoding)
    return f"{raised.value.line}: {raised.value.found}; {raised.value.expected}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_what_a_mark_says_is_read_whatever_is_asked_for(encoding: str) -> None:
    asked = "" if encoding == "utf-8" else "cp1252"
    assert decoded(NAMES.encode(encoding), asked) == (NAMES, [])


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "cp1252", "utf-16-le", "utf-16-be"])
def test_an_encoding_that_is_asked_for_gives_the_exact_text(encoding: str) -> None:
    text = {"cp1252": "modèle", "shift_jis": "模型"}.get(encoding, NAMES)
    assert decoded(text.encode(encoding), encoding) == (text, [])


def test_an_encoding_that_is_asked_for_and_does_not_fit_is_refused() -> None:
    assert refusal(b"a\nmod\xffle", "shift_jis").startswith("2: the byte 0xff at offset 5; text in shift_jis")


def test_a_line_is_counted_in_characters_of_the_encoding() -> None:
    data = "a\r\nb\r\n".encode("utf-16") + b"\x00\xd8x\x00"
    assert refusal(data).startswith("3: the byte 0x00 at offset 14; text in UTF-16")


def test_two_bytes_a_character_without_a_mark_are_said() -> None:
    assert "UTF-16 without its mark" in refusal("model,x\n".encode("utf-16-le"))


@pytest.mark.parametrize("name", ["hex", "rot13", "idna", "unicode_escape", "nonsense", "a\0b", "zip"])
def test_what_is_no_encoding_of_a_file_is_refused(name: str) -> None:
    assert not is_encoding(name)
    assert "the encoding" in refusal(b"model\n", name)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04....xl/workbook.xml", "an xlsx workbook"),
        (b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "an ods spreadsheet"),
        (b"PK\x03\x04....", "a zip file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a workbook of an old Excel"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"\x1f\x8b\x08", "a gzip file"),
        (b"\xef\xbb\xbf\n <!DOCTYPE html>", "an HTML page"),
        ("<HTML>".encode("utf-16"), "an HTML page"),
        (b"<?xml version='1.0'?>", "an XML file"),
        (b'{"model": 1}', "a JSON file"),
        (b"\x89PNG\r\n", "a picture"),
    ],
)
def test_another_kind_of_file_is_named(data: bytes, kind: str) -> None:
    assert refusal(data).startswith(f"0: {kind}")
    assert "CSV" in refusal(data)


def test_characters_lost_before_are_said() -> None:
    _, (doubt,) = decoded("a\nmod\ufffdle".encode())
    assert (doubt.line, "U+FFFD" in doubt.found) == (2, True)


def test_text_that_is_utf_8_as_well_is_said() -> None:
    text, (doubt,) = decoded("modèle".encode(), "cp1252")
    assert text == "modÃ¨le"
    assert "UTF-8" in doubt.found
