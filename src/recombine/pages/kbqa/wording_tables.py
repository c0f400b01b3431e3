"""How alike wordings are: each with its canonical question, and with the others of its form (GrailQA, section 3.2).

A wording is a question with slots in place of what it names, so that questions that differ in entities alone are one.
Wordings of a form are compared with the same names in them, those of the first question of the form, as if people had
said one question in other words; without entities the names are left out. A wording that is its canonical question is
compared with neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.measures.wordings.group_pairs import MOST_PAIRS, group_pairs
from recombine.measures.wordings.likeness import likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.measures.wordings.likeness import Likeness
    from recombine.pages.kbqa.mentions import Mentioned
    from recombine.pages.kbqa.question_table import QuestionTable


@dataclass(frozen=True)
class WordingTables:
    """Means over wordings, with and without entities."""

    wordings: int
    """Distinct wordings, over all forms."""
    canonical: int | None
    """How many of them are canonical questions; none where the data does not say these."""
    several: int
    """Forms with two wordings or more, the canonical question among them."""
    with_canonical: tuple[Likeness | None, Likeness | None]
    among: tuple[Likeness | None, Likeness | None]

    def to_record(self) -> dict[str, Any]:
        """As it stands in JSON."""
        names = ("with_entities", "without_entities")
        tables = {
            name: {key: None if each is None else each.to_record() for key, each in zip(names, pair, strict=True)}
            for name, pair in (("canonical", self.with_canonical), ("paraphrases", self.among))
        }
        return {
            "wordings": self.wordings,
            "canonical_questions": self.canonical,
            "forms_with_several": self.several,
            **tables,
        }


def wording_tables(table: QuestionTable, *, most: int = MOST_PAIRS, seed: int = 0) -> WordingTables:
    """The tables of a set; beyond `most` pairs, so many are drawn evenly."""
    texts: list[tuple[str, str]] = []
    sizes: list[int] = []
    couples: list[tuple[tuple[str, str], tuple[str, str]]] = []
    wordings = canonical = several = 0
    for rows in table.rows_of.values():
        names = table.questions[rows[0]].names
        kept: dict[str, tuple[Mentioned, Mentioned | None]] = {}
        for row in rows:
            question = table.questions[row]
            if question.wording not in kept:
                kept[question.wording] = question, table.canonical_of(row)
        paraphrases = 0
        wordings += len(kept)
        several += len(kept) > 1
        for wording, (question, said) in kept.items():
            if said is not None and said.wording == wording:
                canonical += 1
                continue
            paraphrases += 1
            texts.append(_two(question, names))
            if said is not None:
                couples.append((texts[-1], _two(said, names)))
        sizes.append(paraphrases)
    pairs = group_pairs(sizes, most=most, seed=seed)
    among = [likeness([two[side] for two in texts], pairs.left, pairs.right, all_pairs=pairs.total) for side in (0, 1)]
    return WordingTables(
        wordings,
        canonical if table.canonical else None,
        several,
        (_couples(couples, 0), _couples(couples, 1)),
        (among[0], among[1]),
    )


def _two(question: Mentioned, names: dict[int, str]) -> tuple[str, str]:
    """A question with the names that its form's first question has, where it has the same slots, and without any."""
    same = {each.slot for each in question.mentions} == set(names)
    return question.renamed(names) if same else question.text, question.bare


def _couples(couples: Sequence[tuple[tuple[str, str], tuple[str, str]]], side: int) -> Likeness | None:
    texts = [two[side] for couple in couples for two in couple]
    places = np.arange(len(texts), dtype=np.int64)
    return likeness(texts, places[::2], places[1::2])
