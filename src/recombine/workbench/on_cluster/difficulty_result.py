"""The difficulty of a split of a folder of parts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from recombine.measures.expected.expected_accuracy import NOT_ON_A_CLUSTER
from recombine.workbench.load import load
from recombine.workbench.results.difficulty_result import DifficultyResult, HardExample
from recombine.workbench.results.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.cluster.difficulty_parts import PartsDifficulty
    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.records.dataset import Dataset


class ClusterDifficultyResult(DifficultyResult):
    """The difficulty of one split; test examples are read from their parts when they are asked for."""

    def __init__(self, name: str, result: PartsDifficulty, n: int) -> None:
        self.__dict__.update(difficulties={name: cast("Difficulty", result)}, correctness=None, n=n, result=result)

    result: PartsDifficulty

    @cached_property
    def dataset(self) -> Dataset:
        """The data, read whole."""
        reading = self.result.data.reading
        path = self.result.data.path
        return load(path, source=reading.source, target=reading.target, language=reading.language)

    @cached_property
    def value(self) -> Mapping[str, Any]:
        """What `to_dict` gives."""
        judged = {"not_measured": [NOT_ON_A_CLUSTER], "auc": None, "negatives": None, "threshold": None}
        value: dict[str, Any] = plain({**self.result.to_record(), **judged})
        return value

    def hardest(self, split: str | None = None) -> list[HardExample]:
        """The `n` least easy examples, with the structures that train lacks."""
        del split  # there is one
        entries = (int(entry) for entry in self.result.scores.argsort(kind="stable"))
        with_reason = ((entry, reason) for entry in entries if (reason := self.result.reason(entry)) is not None)
        chosen = [pair for pair, _ in zip(with_reason, range(self.n), strict=False)]
        return [HardExample(float(self.result.scores[e]), self.result.example(e), reason) for e, reason in chosen]

    def _area(self) -> str:
        return ""
