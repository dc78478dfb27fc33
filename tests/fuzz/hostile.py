"""Files that are made to take long or much, each read once; prints the seconds of each and the peak of memory."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Final

from csv_target import one

HOSTILE: Final = {
    "one long cell": b"\x00model,parameters,hardware\n" + b"x" * 1_000_000 + b",7B,H100\n",
    "one long quoted cell": b'\x00model,parameters,hardware\n"' + b"a,\n" * 300_000 + b'",7B,H100\n',
    "ragged rows": b"\x00model,parameters,hardware\n" + b"x\n" * 300_000,
    "wrong cells": b"\x00model,parameters,hardware,cards,hours,tp\n" + b"x,7Q,H1,-1,z,0\n" * 30_000,
    "unknown names": b"\x00model,hardware\n" + b"".join(b"m%d,c%d\n" % (row, row) for row in range(30_000)),
    "repeated rows": b"\x00model,parameters,hardware\n" + b"x,7B,H100\n" * 50_000,
    "many columns": b"\x00" + b",".join(b"c%d" % column for column in range(16_000)) + b"\n",
    "many quotes": b"\x00model,parameters,hardware\n" + b'"" ' * 200_000,
    "a long number": b"\x00model,parameters,hardware\nx," + b"9" * 30_000 + b",H100\n",
    "digits and groups": b'\x00model,parameters,hardware\nx,"' + b"1,111" * 6_000 + b'",H100\n',
    "a header like all known ones": b"\x00" + b",".join(b"trainable_parameter%d" % n for n in range(2_000)) + b"\nx\n",
}


def main() -> None:
    """Read all and print what it took."""
    seconds = {}
    for case, data in HOSTILE.items():
        began = time.process_time()
        one(data)
        seconds[case] = round(time.process_time() - began, 2)
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    report = {"seconds": seconds, "peak_mb": int(peak[1]) >> 10 if peak else None}
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
