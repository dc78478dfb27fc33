"""Coverage-guided fuzzing of the reading side with atheris, which is no dependency: install it where you run this.

    python -m venv /tmp/fuzz && /tmp/fuzz/bin/pip install atheris pytest .
    /tmp/fuzz/bin/python tests/fuzz/atheris_csv.py CORPUS -runs=25000 -timeout=5 -rss_limit_mb=500

CORPUS is a folder, made and seeded where it is not there; libFuzzer prints counts, speed and memory, and writes an
input that ends otherwise than it should to a file ``crash-...``. ``csv_target.one`` replays it. The memory that
libFuzzer shows grows with the runs even where the program's does not: run 25,000 at a time over one CORPUS.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]  # not installed with the tests

with atheris.instrument_imports(include=["reportgen.reading", "reportgen.errors", "csv"]):
    import csv_target

from dictionary import SEEDS, TOKENS


def target(data: bytes) -> None:
    """Run one input; whether it is believed is not the fuzzer's matter."""
    csv_target.one(data)


def main() -> None:
    """Seed the corpus, write the dictionary and run."""
    warnings.simplefilter("error")
    corpus = Path(sys.argv[1])
    corpus.mkdir(parents=True, exist_ok=True)
    for place, seed in enumerate(SEEDS):
        (corpus / f"seed-{place}").write_bytes(seed)
    words = corpus.with_suffix(".dict")
    words.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in token) + '"\n' for token in TOKENS if token))
    atheris.Setup([*sys.argv, f"-dict={words}"], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
