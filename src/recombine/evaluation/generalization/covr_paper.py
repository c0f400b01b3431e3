"""What the COVR paper prints in Tables 6 to 8 and 12 to 15, to stand beside what is measured here."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from recombine.evaluation.generalization.generalization_score import share_of_gap

if TYPE_CHECKING:
    from collections.abc import Mapping

TRAIN = 250.0
"""The examples of the paper's train set, in thousands."""


class Accuracies(NamedTuple):
    """The accuracies of one row, in percent."""

    text: float
    model: float
    iid_size: float
    iid: float

    @property
    def score(self) -> float | None:
        """The generalization score that they make, as a share."""
        return share_of_gap(self.model, self.text, self.iid_size)


@dataclass(frozen=True)
class PaperSetup:
    """One set-up of Tables 7 and 8, and of 14 and 15 where questions are paraphrased."""

    name: str
    """That of its split."""
    title: str
    """As the paper has it."""
    tables: tuple[int, int]
    filtered: float
    """In thousands."""
    generated: Accuracies
    paraphrased: Accuracies

    @property
    def share(self) -> float:
        """The share of train that was filtered."""
        return self.filtered / TRAIN


@dataclass(frozen=True)
class Paper:
    """The paper's results.

    >>> rows = covr_paper().setups
    >>> rows["covr:has-quant"].title, round(100 * rows["covr:has-quant"].generated.score)
    ('HAS-QUANT', 40)
    """

    systems: Mapping[str, tuple[float | None, float | None]]
    """Table 6: on generated and on paraphrased questions."""
    templates: Mapping[str, tuple[float, float, float, float]]
    """Tables 12 and 13: text-only and i.i.d., on generated and on paraphrased questions."""
    setups: Mapping[str, PaperSetup]


@cache
def covr_paper() -> Paper:
    """The results as the packaged file has them."""
    text = (files("recombine.evaluation.generalization") / "covr_paper.toml").read_text(encoding="utf-8")
    record = tomllib.loads(text)
    return Paper(
        {name: _known(*pair) for name, pair in record["systems"].items()},
        {name: tuple(row) for name, row in record["templates"].items()},
        {
            name: PaperSetup(
                name,
                row["title"],
                tuple(row["tables"]),
                row["filtered"],
                Accuracies(*row["generated"]),
                Accuracies(*row["paraphrased"]),
            )
            for name, row in record["setups"].items()
        },
    )


def _known(generated: float, paraphrased: float) -> tuple[float | None, float | None]:
    return None if isnan(generated) else generated, None if isnan(paraphrased) else paraphrased
