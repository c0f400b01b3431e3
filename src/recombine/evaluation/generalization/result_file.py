"""What `score` said of a system: the file that it wrote with `-o`, line by line, or what `--json` printed, as a whole.

The lines have ids, so that results of the same examples can be told; the object has counts alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_utf8
from recombine.json_lines import iter_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

METRICS = ("accuracy", "exact_match")
"""What an object of `score --json` says how many are right by: of answers, else of programs."""


@dataclass(frozen=True)
class ResultFile:
    """How many entries of a system are right, and which where it is known.

    >>> ResultFile.of({"a": True, "b": False}).accuracy
    0.5
    """

    name: str
    right: int
    n: int
    correct: Mapping[str, bool] | None = None
    """By id; none where the file has counts alone."""
    outputs: Mapping[str, str] = field(default_factory=dict)
    """By id, where the file has them."""

    @classmethod
    def of(cls, correct: Mapping[str, bool], outputs: Mapping[str, str] | None = None, *, name: str = "") -> ResultFile:
        """The result of entries by id."""
        return cls(name, sum(correct.values()), len(correct), dict(correct), dict(outputs or {}))

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.n

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its entries; empty where they are not known."""
        return tuple(self.correct or ())

    def has(self, ids: Iterable[str]) -> bool:
        """Whether it says what is right of all these entries."""
        return self.correct is not None and all(key in self.correct for key in ids)

    def restricted(self, ids: Iterable[str]) -> ResultFile:
        """The result of these entries alone, all of which it has."""
        wanted = list(ids)
        return ResultFile.of(dict(zip(wanted, self.right_of(wanted), strict=True)), self.outputs, name=self.name)

    def right_of(self, ids: Sequence[str]) -> list[bool]:
        """Whether each of these entries is right."""
        known = self.correct or {}
        return [known[key] for key in ids]


def read_result(path: Path | str) -> ResultFile:
    """The result in a file that `score` wrote or printed."""
    path = Path(path)
    text = read_utf8(path)
    whole = _object(text)
    return _of_lines(text, path) if whole is None else _of_object(whole, path)


def _object(text: bytes) -> dict[str, Any] | None:
    """The one object of a text; none where it is lines of entries."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) and "id" not in value else None


def _of_object(value: Mapping[str, Any], path: Path) -> ResultFile:
    n, metric = value.get("n"), next((name for name in METRICS if name in value), None)
    share = None if metric is None else value[metric]
    if type(n) is not int or n < 1 or not isinstance(share, float | int) or not 0 <= share <= 1:
        raise InputFileError(
            f"{path}: is no result: {' and '.join(METRICS)} are missing, or n", "give what score --json printed"
        )
    return ResultFile(path.name, round(share * n), n)


def _of_lines(text: bytes, path: Path) -> ResultFile:
    correct: dict[str, bool] = {}
    outputs: dict[str, str] = {}
    for number, record in iter_json_lines(text, path):
        key, right, output = record.get("id"), record.get("correct"), record.get("prediction", "")
        where = f"line {number}"
        if not isinstance(key, str | int) or not isinstance(right, bool):
            raise RecordError(path, where, "does not say what is correct", "give what score … -o FILE wrote")
        if str(key) in correct:
            raise RecordError(path, where, f"the id {key!r} stands there already", "give one line for each")
        correct[str(key)] = right
        outputs[str(key)] = str(output)
    if not correct:
        raise InputFileError(f"{path}: is empty", "give what score … -o FILE wrote")
    return ResultFile.of(correct, outputs, name=path.name)
