"""Training-memory plans as a workbook of live formulas and a self-contained page.

from reportgen import build_report, calculate, read_plan

inputs = read_plan("plan.csv")
ledger = calculate(inputs)
build_report(ledger, "out")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reportgen.api import (
        Difference,
        Inputs,
        Ledger,
        build_report,
        calculate,
        compare,
        import_inputs,
        publish,
        read_plan,
        start,
        sweep,
        verify_workbook,
    )

__version__ = "0.1.0"
__all__ = [
    "Difference",
    "Inputs",
    "Ledger",
    "__version__",
    "build_report",
    "calculate",
    "compare",
    "import_inputs",
    "publish",
    "read_plan",
    "start",
    "sweep",
    "verify_workbook",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the package offers under that name
    """Import the library part only when it is asked for, so that ``reportgen --help`` stays quick."""
    if name in __all__:
        from reportgen import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
