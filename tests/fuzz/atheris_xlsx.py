"""Coverage-guided fuzzing of workbooks that come back, with atheris, which is no dependency: install it for this.

    python -m venv /tmp/fuzz && /tmp/fuzz/bin/pip install atheris pytest .
    PYTHONPATH=tests:tests/fuzz /tmp/fuzz/bin/python tests/fuzz/atheris_xlsx.py CORPUS -runs=100000 -timeout=5 \
        -rss_limit_mb=500

The first byte of an input chooses what the others stand in for: a part of a small workbook, or all of its file. CORPUS
is a folder, made and seeded where it is not there. An input that ends otherwise than it should is written to a file
``crash-...``.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]  # not installed with the tests

with atheris.instrument_imports(include=["reportgen.returned"]):
    import xlsx_target

PARTS = xlsx_target.Parts(xlsx_target.trimmed(xlsx_target.small_book()))


def target(data: bytes) -> None:
    """Run one input; whether it is read is not the fuzzer's matter."""
    xlsx_target.one(PARTS.book(data), believed=False)


def main() -> None:
    """Seed the corpus and run."""
    warnings.simplefilter("error")
    corpus = Path(sys.argv[1])
    corpus.mkdir(parents=True, exist_ok=True)
    for place, seed in enumerate(PARTS.seeds()):
        (corpus / f"seed-{place}").write_bytes(seed)
    words = corpus.with_suffix(".dict")
    words.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in token) + '"\n' for token in xlsx_target.WORDS))
    atheris.Setup([*sys.argv, f"-dict={words}", "-max_len=40000"], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
