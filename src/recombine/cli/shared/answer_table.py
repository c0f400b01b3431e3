"""A score of answers in words as a table, that on paraphrases beside it, for `recombine score --on answer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from recombine.evaluation.answer_score import AnswerScore

NONE = "–"


def answer_table(words: AnswerScore, title: str) -> Table:
    """Accuracy, pair accuracy, what was expected of guesses, and what could not be read."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    both = [words] if words.paraphrased is None else [words, words.paraphrased]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(title)
    for value in ("value", "paraphrased")[: len(both)]:
        for name in (value, "95 % interval", "count"):
            table.add_column(name, justify="right")
    for label, cells in _rows(both).items():
        if any(any(row) for row in cells):
            table.add_row(label, *(cell for row in cells for cell in row))
    return table


def _rows(both: list[AnswerScore]) -> dict[str, list[tuple[str, str, str]]]:
    """The cells of each row, for the questions and for their paraphrases."""
    return {
        "accuracy": [_share(each.score.tally.accuracy, each.score.interval, _right(each)) for each in both],
        "expected accuracy of guesses": [_expected(each) for each in both],
        "pair accuracy: both twins right": [_pairs(each) for each in both],
        "unreadable answers": [("", "", f"{each.score.malformed:,}") for each in both],
        "abstentions / of them missing": [
            ("", "", f"{each.score.tally.abstained:,} / {each.score.assigned.missing:,}") for each in both
        ],
        "without a twin / pairs torn apart": [_twins(each) for each in both],
        "correct, says the file": [_stated(each) for each in both],
    }


def _share(value: float, interval: tuple[float, float], count: str) -> tuple[str, str, str]:
    return f"{value:.3f}", f"{interval[0]:.3f} to {interval[1]:.3f}", count


def _right(words: AnswerScore) -> str:
    return f"{words.score.tally.right:,} of {words.score.n:,}"


def _expected(words: AnswerScore) -> tuple[str, str, str]:
    found = words.expected
    return ("", "", "") if found is None else _share(found.accuracy, found.interval, f"{found.guessed:,} guessed")


def _pairs(words: AnswerScore) -> tuple[str, str, str]:
    pairs = words.pairs
    if pairs is None:
        return "", "", ""
    if pairs.accuracy is None or pairs.interval is None:
        return NONE, "", "0 of 0"
    return _share(pairs.accuracy, pairs.interval, f"{pairs.right:,} of {pairs.pairs:,}")


def _twins(words: AnswerScore) -> tuple[str, str, str]:
    pairs = words.pairs
    return ("", "", "") if pairs is None else ("", "", f"{pairs.without_twin:,} / {pairs.torn:,}")


def _stated(words: AnswerScore) -> tuple[str, str, str]:
    said = words.score.stated_correct
    return ("", "", "") if said is None else (f"{said:.3f}", "", f"{words.score.disputed:,} disputed")
