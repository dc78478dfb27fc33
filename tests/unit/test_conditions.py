"""The language of conditions: what it means, and what it refuses at which character."""

from __future__ import annotations

import pytest
from plans import ledger_of

from reportgen.errors import InputError
from reportgen.readings import evaluate
from reportgen.sweeping.conditions import DEEPEST, LONGEST, condition_of, ranked_by

PLAN = """\
job,parameters,hardware,cards,zero,hours,sp,group,start
small,1B,H100,8,3,10,no,one,2026-01-31
large,70B,H100,8,0,,yes,,
"""
"""Neither hours nor tokens of the large one are given, so that it has no figure for them; 70 B do not fit one card."""

LEDGER = ledger_of(PLAN)


def held(condition: str) -> list[str]:
    """Return the jobs that hold a condition."""
    values = evaluate(condition_of(condition, "grid.toml"), LEDGER.values)
    return [job for job, one in zip(("small", "large"), values.tolist(), strict=True) if one == 1]


@pytest.mark.parametrize(
    ("condition", "jobs"),
    [
        ("fits", ["small"]),
        ("not fits", ["large"]),
        ("not not fits", ["small"]),
        ("fits or not fits", ["small", "large"]),
        ("hours > 5", ["small"]),
        ("not hours > 5", []),
        ("not hours <= 5", ["small"]),
        ("hours > 5 or zero == 0", ["small", "large"]),
        ("zero == 0 or hours > 5", ["small", "large"]),
        ("not (hours > 5 and zero == 0)", ["small"]),
        ("not (hours > 50 or zero == 3)", []),
        ("zero != 0", ["small"]),
        ("zero in (1, 3)", ["small"]),
        ("zero not in [1, 3]", ["large"]),
        ("1 <= zero <= 3", ["small"]),
        ("not 1 <= zero <= 3", ["large"]),
        ("3 > zero", ["large"]),
        ("-zero < -1", ["small"]),
        ("cards / (zero - 3) < 1 or fits", ["small", "large"]),
        ("parameters == '70B'", ["large"]),
        ("parameters >= 70e9", ["large"]),
        ("card_gb == 80 and parameters * 16 / 1e9 > 100", ["large"]),
        ("training_footprint_bytes > '1 TB'", ["large"]),
        ("parameters - '1B' > 0", ["large"]),
        ("optimizer_share > '50%'", ["small", "large"]),
        ("start == '2026-01-31'", ["small"]),
        ("start < '2026-02-01'", ["small"]),
        ("group == 'ONE'", ["small"]),
        ("group == ''", ["large"]),
        ("group not in ('one', 'two')", ["large"]),
        ("hardware == 'H100' and sequence_parallel", ["large"]),
        ("not sp", ["small"]),
        ("sp == 'yes'", ["large"]),
        ("\n  fits\n  and cards == 8\n", ["small"]),
        (" and ".join(["fits"] * 400), ["small"]),
        ("zero in (" + "1, " * 600 + "3)", ["small"]),
    ],
)
def test_a_condition_holds_where_it_should(condition: str, jobs: list[str]) -> None:
    assert held(condition) == jobs


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ("fitz", "found 'fitz', which no column is named; expected a column of the ledger; nearest: fits"),
        ("fits and xyzzyq", "found 'xyzzyq', which no column is named at character 10; expected one that reportgen"),
        ("fits and", "found 'fits and', which ends or goes wrong at character 9; expected a condition such as fits"),
        ("fits & fits", "found 'fits & fits', which is no condition; expected a comparison, or a column of yes and no"),
        ("group == 'größe' and x_y", "found 'x_y', which no column is named at character 22; expected"),
        ("min_cards", "found min_cards, which is no condition; expected it compared, as in min_cards > 0"),
        ("True", "found 'True', which is no condition"),
        ("cards < 'many'", "found the text 'many' compared with a number at character 9; expected a number such as 2"),
        ("parameters < '7 GB'", "found the text '7 GB' compared with a number at character 14; expected a count such"),
        ("hardware < 'H100'", "found texts compared in order: 'hardware'; expected ==, != or in between texts"),
        ("hardware == 100", "found '100' beside texts at character 13; expected a text in quotes"),
        ("fits == 1", "found '1' beside yes and no at character 9; expected a column of yes and no without a compari"),
        ("hardware + 'x' == 'x'", "found texts calculated with: \"hardware + 'x'\"; expected numbers"),
        ("training_footprint_gb > training_footprint_gib", "found unlike units: GB, GiB; expected figures of one unit"),
        ("cards + tokens > 1", "found unlike units: 1, token; expected figures of one unit"),
        ("cards < 2 * '1'", "found texts calculated with: \"2 * '1'\" at character 9; expected numbers"),
        ("1 / 0 < cards", "found a division by zero; expected another number"),
        ("cards < 1e400", "found '1e400' at character 9; expected columns, numbers, texts in quotes"),
        ("max(cards, 1) < 2", "found 'max(cards, 1)'; expected columns, numbers, texts in quotes"),
        ("cards ** 2 < 2", "found 'cards ** 2'; expected columns, numbers, texts in quotes"),
        ("__import__('os')", "found \"__import__('os')\", which is no condition"),
        ("(lambda: fits)()", "found '(lambda: fits)()', which is no condition"),
        ("cards if fits else 1", "found 'cards if fits else 1', which is no condition"),
        ("cards is 1", "found 'cards' is ...; expected columns, numbers"),
        ("cards in 8", 'found \'8\' after in at character 10; expected a list, as in ("a", "b")'),
        ("cards in ()", "found '()' after in at character 10; expected a list"),
        ("job == 'x'", "found job; expected another column: the names are made from what varies"),
        ("card_first > 0", "found card_first, which tells of the other jobs of a plan; expected a column of one job"),
        ("x" * (LONGEST + 1), f"found {LONGEST + 1:,} characters; expected at most {LONGEST:,}"),
        ("(" * 1_000, ""),
        ("not " * 900 + "fits", "found parts in parts without end at character"),
        ("-" * 3_000 + "1 < cards", ""),
        ("+".join(["cards"] * 300) + " > 1", "found parts in parts without end"),
        ("fits\0", "found"),
    ],
)
def test_what_is_no_condition_is_refused(condition: str, problem: str) -> None:
    with pytest.raises(InputError) as raised:
        condition_of(condition, "grid.toml")
    (line,) = map(str, raised.value.problems)
    assert line.startswith(f"grid.toml: where: {problem}")
    assert len(line) < LONGEST


def test_as_deep_as_is_allowed_is_not_too_deep() -> None:
    assert held("not " * DEEPEST + "fits") == ["small"]


def test_a_ranking_names_a_column_and_which_end_comes_first() -> None:
    assert [(column.name, largest) for column, largest in (ranked_by("min_cards", ""), ranked_by("-hours", ""))] == [
        ("min_cards", False),
        ("hours", True),
    ]


@pytest.mark.parametrize("name", ["fits", "hardware", "sequence_parallel", "job", "nothing", "card_first", ""])
def test_a_ranking_by_what_is_no_number_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"grid.toml: best.by: found"):
        ranked_by(name, "grid.toml")
