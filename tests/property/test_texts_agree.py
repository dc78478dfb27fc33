"""What a spreadsheet and we make of texts and of missing figures, whatever they look like."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from bench import Question, answers, write_bench, wrong_answers
from engines import Book, LibreOffice

from reportgen.arrays import Array
from reportgen.expression import Apply, Column, Missing, Number, Operand, Sheet
from reportgen.functions import find, given, is_text, joined, literal, match, name_across, pick, place_across, where
from reportgen.readings import evaluate


class Names(Sheet):
    """A catalogue, its names without wildcards as the reader sees to."""

    title = "Names"
    name = Column("text", "A name.")
    width = Column("1", "A number or blank.")
    choice = Column("text", "A text or blank.")


class Keys(Sheet):
    """What is looked for, as a user may write it."""

    title = "Keys"
    key = Column("text", "A text.")
    answer = Column("text", "A text to be compared.")
    two = Column("1", "An offer.", band="H100 = best?")
    four = Column("1", "Another.", band="L4")
    number = Column("1", "A number.")


WIDTHS: Final = {
    "adamw": 2,
    "SGD": 0,
    "a.w": 0.5,
    "10": 1,
    "adamw 8-bit": 3,
    "C++": 4,
    "[x]": 5,
    "Größe": 6,
    "=1+1": 7,
    "a/b 'c'": 8,
    "É": 9,
    "#N/A": 10,
    "blank": np.nan,
}
ROW_OF: Final = {
    "adamw": 1,
    "ADAMW": 1,
    "SGD": 2,
    "sgd": 2,
    "Sgd": 2,
    "a.w": 3,
    "A.W": 3,
    "10": 4,
    "C++": 6,
    "c++": 6,
    "[x]": 7,
    "größe": 8,
    "=1+1": 9,
    "a/b 'c'": 10,
    "é": 11,
    "É": 11,
    "#N/A": 12,
    "adamw 8-bit": 5,
    "blank": 13,
}
"""The row of each key that is there, worked out by hand: case does not count, everything else does."""
ABSENT: Final = (
    *("adam", "adamw 8", "a*w", "a?amw", "adam~w", "~", "~~", "*", "??", "**w", "a.*", "adam.", "^adamw$", "010"),
    *("1e1", "e", "grosse", "", '"quoted"', "x" * 300),
)
KEYS: Final = (*ROW_OF, *ABSENT)
ANSWER_TEXTS: Final = ("yes", "no", "yess", "ye*", "y?s", "", "10", "=1+1")

VALUES: Final[dict[Column, Array]] = {
    Names.name: np.array(list(WIDTHS), dtype=object),
    Names.width: np.array(list(WIDTHS.values()), dtype=np.float64),
    Names.choice: np.array(["yes", "no"] * 6 + [""], dtype=object),
    Keys.key: np.array(KEYS, dtype=object),
    Keys.answer: np.array([ANSWER_TEXTS[number % len(ANSWER_TEXTS)] for number in range(len(KEYS))], dtype=object),
    Keys.two: np.full(len(KEYS), 2.0),
    Keys.four: np.full(len(KEYS), 4.0),
    Keys.number: np.array([(0, 1, 1024, 0.125, 4e14)[number % 5] for number in range(len(KEYS))]),
}
ALL: Final = range(len(KEYS))
THERE: Final = range(len(ROW_OF) - 1)
BLANK: Final = len(ROW_OF) - 1
NOT_THERE: Final = range(len(ROW_OF), len(KEYS))

ROW: Final = match(literal(Keys.key), Names.name)
WIDTH: Final = pick(ROW, Names.width, Keys.key)
FOUND: Final = pick(find(literal(Keys.key), Names.name), Names.width, Keys.key)
CHOICE: Final = pick(ROW, Names.choice, Keys.key)
OFFERS: Final = (Keys.two, Keys.four)
NEVER: Final = Missing("never", "1")

GROUPS: Final[dict[str, list[Question]]] = {
    "a row that is not found is not given": [(where(given(FOUND), FOUND, NEVER), row) for row in NOT_THERE],
    "a key is matched to the letter": [(ROW, row) for row in ALL],
    "a key without wildcards is matched as it is": [(match(Keys.key, Names.name), row) for row in (*THERE, BLANK)],
    "a number is picked": [(WIDTH, row) for row in THERE],
    "a blank is not given": [(where(given(WIDTH), WIDTH, NEVER), BLANK)],
    "a text is picked": [(CHOICE, row) for row in ALL],
    "a picked text is compared": [(is_text(CHOICE, "yes"), row) for row in (*THERE, BLANK)],
    "a text is compared": [(is_text(Keys.answer, text), row) for text in ANSWER_TEXTS if text for row in ALL[:8]],
    "a text is compared without regard to case": [
        (is_text(Keys.answer, text), row) for text in ("YES", "Yes") for row in ALL[:8]
    ],
    "a text is chosen": [(where(is_text(Keys.answer, "no"), 'a "quote"', "OK"), row) for row in ALL],
    "a text is not chosen by an error": [(where(Number(1) / Number(0) > Number(0), "OK", "CHECK"), 0)],
    "a heading is picked": [
        (name_across(place_across(Number(offer), OFFERS), OFFERS), row) for offer in (2, 4) for row in ALL[:8]
    ],
    "texts and numbers are joined": [
        (joined(joined("stage ", Keys.number), joined(": ", Keys.answer)), row) for row in ALL
    ],
}
ASKED_IN: Final = [name for name, group in GROUPS.items() for _ in group]
QUESTIONS: Final = [question for group in GROUPS.values() for question in group]


@pytest.fixture(scope="module")
def text_book(libreoffice: LibreOffice, tmp_path_factory: pytest.TempPathFactory) -> Book:
    path = write_bench(tmp_path_factory.mktemp("texts") / "texts.xlsx", VALUES, QUESTIONS)
    return libreoffice.recalculate([path])[0]


@pytest.mark.parametrize("group", GROUPS)
def test_texts_mean_the_same_in_a_spreadsheet(text_book: Book, group: str) -> None:
    wrong = wrong_answers(text_book, VALUES, QUESTIONS)
    assert [one for one in wrong if ASKED_IN[one.number - 1] == group] == []


def test_a_key_is_found_in_the_row_worked_out_by_hand(text_book: Book) -> None:
    by_hand = [ROW_OF.get(key, 0) for key in KEYS]
    assert evaluate(ROW, VALUES).tolist() == by_hand
    assert answers(text_book, len(NOT_THERE) + len(KEYS))[len(NOT_THERE) :] == by_hand


class Figures(Sheet):
    """Figures of which one is a word, as a calculated cell without a figure shows it."""

    title = "Figures"
    never = Column("1", "No figure.")
    three = Column("1", "A figure.")
    fits = Column("yes or no", "Yes.")


_TWO: Final = ((Figures.never, Figures.three), (Figures.three, Figures.never))
# Comparisons, MIN, MAX and AND take a word for text and go on: a definition asks ``given`` before them.
MISSING_IN: Final[dict[str, tuple[tuple[Operand, ...], ...]]] = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "ceil_div", "common_multiple"), _TWO),
    **dict.fromkeys(("absolute", "whole", "given", "total", "count"), ((Figures.never,),)),
    "where": ((Figures.never, Figures.three, Figures.three), (Figures.fits, Figures.never, Figures.three)),
    "choose": ((Figures.never, *[Figures.three] * 4), (Number(1), Figures.never, *[Figures.three] * 3)),
    "count_yes": ((Figures.never,),),
}
ASKED: Final = [name for name, calls in MISSING_IN.items() for _ in calls]
MISSING_QUESTIONS: Final = [(Apply(name, *operands), 0) for name, calls in MISSING_IN.items() for operands in calls]
FIGURES: Final[dict[Column, Array]] = {
    Figures.never: np.array(["never"], dtype=object),
    Figures.three: np.array([3.0]),
    Figures.fits: np.array([1.0]),
}


@pytest.fixture(scope="module")
def missing_book(libreoffice: LibreOffice, tmp_path_factory: pytest.TempPathFactory) -> Book:
    path = write_bench(tmp_path_factory.mktemp("missing") / "missing.xlsx", FIGURES, MISSING_QUESTIONS)
    return libreoffice.recalculate([path])[0]


@pytest.mark.parametrize("name", MISSING_IN)
def test_a_word_in_place_of_a_figure_is_no_figure_to_arithmetic(missing_book: Book, name: str) -> None:
    values = {**FIGURES, Figures.never: np.array([np.nan])}
    assert [
        one for one in wrong_answers(missing_book, values, MISSING_QUESTIONS) if ASKED[one.number - 1] == name
    ] == []
