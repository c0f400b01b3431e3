"""What verbs give that ran on a cluster: as without one, with ids and examples read when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recombine.errors import OptionError
from recombine.workbench.generate import GenerateResult
from recombine.workbench.load import load
from recombine.workbench.results.difficulty_result import DifficultyResult, HardExample
from recombine.workbench.results.plain import plain
from recombine.workbench.split import SplitResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.cluster.difficulty_parts import PartsDifficulty
    from recombine.cluster.split_parts import ChosenRows
    from recombine.easiness.predict_difficulty import Difficulty
    from recombine.records.dataset import Dataset


# -- split ------------------------------------------------------------------------------------------------------------


class _ReadParts(Mapping[str, tuple[str, ...]]):
    """The ids of each part, read from the data when one is asked for."""

    def __init__(self, chosen: ChosenRows) -> None:
        self._chosen = chosen

    @cached_property
    def _parts(self) -> Mapping[str, tuple[str, ...]]:
        return self._chosen.ids()

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen.parts)

    def __len__(self) -> int:
        return len(self._chosen.parts)


class ClusterSplitResult(SplitResult):
    """A split that a cluster made: sizes and values are known, ids are read from the data when they are asked for."""

    chosen: ChosenRows

    @classmethod
    def of(cls, chosen: ChosenRows, measured: Mapping[str, Any]) -> ClusterSplitResult:
        """The result of rows that were chosen, with their measured values."""
        data = chosen.data
        made = cls(_ReadParts(chosen), data.name, chosen.data_hash, chosen.signature, measured, data.reading)
        object.__setattr__(made, "chosen", chosen)
        return made

    def sizes(self) -> dict[str, int]:
        """Entries per part."""
        return self.chosen.sizes

    def write(self, path: Path | str, *, form: str | None = None, order: Sequence[str] = ()) -> None:
        """Write a split folder where the name has no suffix, else a file as other splits are."""
        if is_folder(path):
            self.chosen.write_folder(path, self.measured)
        else:
            super().write(path, form=form, order=order)


def is_folder(path: Path | str) -> bool:
    """Whether a cluster writes a split as a folder: the name has no suffix. Others than .json are refused."""
    suffix = Path(path).suffix
    if suffix not in ("", ".json"):
        raise OptionError(f"{path}: a cluster writes a split as a folder or as .json", "give a name with no suffix")
    return not suffix


# -- generate ---------------------------------------------------------------------------------------------------------


class ClusterGenerateResult(GenerateResult):
    """Data to be made; `write` makes it as a folder of parts, and what was counted on the way is known after that."""

    def __init__(self, what: str, n: int, seed: int, cluster: str, options: Mapping[str, Any]) -> None:
        self.__dict__.update(what=what, n=n, seed=seed, cluster=cluster, options=options, counted={}, folder=None)
        self.__dict__.update(same_pair_dropped=0, rules=None, seconds=0.0)

    what: str
    n: int
    seed: int
    cluster: str
    options: Mapping[str, Any]
    counted: dict[str, Any]
    folder: Path | None

    @cached_property
    def dataset(self) -> Dataset:
        """The data that was written, read whole."""
        if self.folder is None:
            raise OptionError("a cluster makes data when it is written", "call write(FOLDER) first")
        return load(self.folder)

    def to_dict(self) -> dict[str, Any]:
        """What `generate --json` prints; before it is written, the number of examples alone is known."""
        unknown = dict.fromkeys(("same_pair_dropped", "seconds", "rules", "hash", "parts"))
        return {"examples": self.n, **unknown, **self.counted, "file": None}

    def __str__(self) -> str:
        return f"{self.n:,} examples of {self.what}" + ("" if self.counted else ", not made yet")

    def write(self, path: Path | str) -> None:
        """Make the data as a folder of Parquet parts, whole or not at all."""
        from recombine.cluster.content_hash import content_hash
        from recombine.cluster.folder_data import survey_folder
        from recombine.cluster.generate_parts import check_folder_writable, generate_parts
        from recombine.cluster.session import open_session

        start = time.perf_counter()
        check_folder_writable(path)
        what = str(Path(self.what).resolve()) if Path(self.what).is_file() else self.what
        with open_session(self.cluster) as session:
            made = generate_parts(session, what, path, n=self.n, seed=self.seed, options=self.options)
            folder = survey_folder(session, path, source=None, target=None, language=None)
            counted = {
                "same_pair_dropped": made.same_pair_dropped,
                "seconds": round(time.perf_counter() - start, 3),
                "rules": made.rules,
                "hash": content_hash(session, folder),
                "parts": made.parts,
            }
        named = {key: counted[key] for key in ("same_pair_dropped", "seconds", "rules")}
        self.__dict__.update(counted=counted, folder=Path(path), **named)


# -- difficulty -------------------------------------------------------------------------------------------------------


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
        value: dict[str, Any] = plain({**self.result.to_record(), "auc": None, "negatives": None})
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
