"""Wrong answers to look at: of each system and class of errors some, drawn by a seed from all levels in turn."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from recombine.pages.kbqa_results.shown_forms import ShownForms
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.pages.kbqa_results.study_systems import Section, System

EACH = 4
"""The most wrong answers of a system and class that a page holds."""


class WrongAnswer(NamedTuple):
    """A wrong answer: which system gave it to which question, and the numbers of both forms."""

    system: int
    id: str
    question: str
    level: str
    class_: str
    gold: int
    output: int


class WrongAnswers(NamedTuple):
    """Those that are shown, out of all of the first runs, and their forms."""

    shown: tuple[WrongAnswer, ...]
    all: int
    forms: ShownForms


def wrong_answers(section: Section, *, each: int = EACH, seed: int = 0) -> WrongAnswers:
    """Some wrong answers of the first run of each system."""
    forms, shown, number = ShownForms(section.facts), list[WrongAnswer](), 0
    for place, system in enumerate(section.done):
        number += sum(bool(name) for name in system.runs[0].classes)
        for row in _drawn(section, system, each, seed):
            key, run = section.facts.ids[row], system.runs[0]
            shown.append(
                WrongAnswer(
                    place,
                    key,
                    section.facts.dataset[key].source,
                    section.facts.levels[row],
                    run.classes[row],
                    forms.number(section.facts.golds[key]),
                    forms.number(run.outputs[key]),
                )
            )
    return WrongAnswers(tuple(shown), number, forms)


def _drawn(section: Section, system: System, each: int, seed: int) -> list[int]:
    """The places of some wrong answers: of each class so many, its levels in turn."""
    by_class: dict[str, dict[str, list[int]]] = {}
    for row, name in enumerate(system.runs[0].classes):
        if name:
            by_class.setdefault(name, {}).setdefault(section.facts.levels[row], []).append(row)
    generator = make_generator(seed)
    chosen = []
    for _, levels in sorted(by_class.items()):
        mixed = [
            _shuffled(levels[level], generator.permutation(len(levels[level])).tolist()) for level in sorted(levels)
        ]
        in_turn = [row for rows in zip_longest(*mixed) for row in rows if row is not None]
        chosen += in_turn[:each]
    return sorted(chosen)


def _shuffled(rows: Sequence[int], order: Sequence[int]) -> list[int]:
    return [rows[place] for place in order]
