"""The difficulty of one split or several, and whether it came true, as `difficulty` gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.html_table import html_table
from recombine.pages.drawing.number_texts import plural
from recombine.workbench.results.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.easiness.reason import Reason
    from recombine.evaluation.difficulty.correctness import Correctness
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


class HardExample(NamedTuple):
    """A test example with its easiness and the reason for it."""

    easiness: float
    example: Example
    reason: Reason


@dataclass(frozen=True, repr=False, eq=False)
class DifficultyResult(Result):
    """The difficulty of each split under its name, and what is measured on all of them."""

    dataset: Dataset
    """The data with the test examples."""
    difficulties: Mapping[str, Difficulty]
    correctness: Mapping[str, Correctness] | None
    """What models got right, by split."""
    n: int
    """How many of the least easy examples are shown."""
    value: Mapping[str, Any]
    """What `to_dict` gives."""

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints: of one split as it is, of several under their names."""
        return dict(self.value)

    def hardest(self, split: str | None = None) -> list[HardExample]:
        """The `n` least easy examples of a split, the first where none is named, with the structures that train lacks.

        Examples whose structures train shows, every one, are not among them.
        """
        result = self.difficulties[next(iter(self.difficulties)) if split is None else split]
        scores, reasons = result.easiness.scores, result.reasons
        with_reason = ((row, reason) for row in scores.argsort(kind="stable") if (reason := reasons[row]) is not None)
        chosen = [pair for pair, _ in zip(with_reason, range(self.n), strict=False)]
        return [HardExample(float(scores[row]), result.test[row], reason) for row, reason in chosen]

    def __str__(self) -> str:
        if len(self.difficulties) == 1:
            (result,) = self.difficulties.values()
            return (
                f"mean easiness {result.mean_easiness:.3f} of {plural(result.counts['test'], 'example')}{self._area()}"
            )
        means = ", ".join(f"{name} {result.mean_easiness:.3f}" for name, result in self.difficulties.items())
        return f"mean easiness of {len(self.difficulties)} splits: {means}{self._area()}"

    def _area(self) -> str:
        auc = self.value["auc"]
        return "" if auc is None else f"; AUC {auc:.3f} against {self.value['gold']}"

    def _repr_html_(self) -> str:
        """Of one split the least easy examples with their reasons, of several a row for each."""
        if len(self.difficulties) == 1:
            rows = [(hard.easiness, hard.example.id, hard.example.target, hard.reason) for hard in self.hardest()]
            return html_table(str(self), ["easiness", "id", "target", "why"], rows)
        counts = ("train", "test", "unobserved_examples")
        head = ["split", "mean easiness", "train", "test", "with unobserved structures", "AUC"]
        by_name = {row["split"]: row["auc"] for row in self.value["splits"]}
        rows_of_splits = [
            (name, result.mean_easiness, *(result.counts[key] for key in counts), by_name[name])
            for name, result in self.difficulties.items()
        ]
        return html_table(str(self), head, rows_of_splits)
