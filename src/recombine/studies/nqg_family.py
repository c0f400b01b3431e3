"""Parsers with `fit` and `predict` in a study; NQG where its parser is in the package."""

from __future__ import annotations

import importlib.util
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from recombine.errors import RecombineError
from recombine.studies.families import Family, Outcome, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PARSER = "recombine.models.nqg.parser"


class FitPredict(Protocol):
    """What a parser must do to be a family."""

    def fit(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Learn from pairs."""

    def predict(self, sources: Sequence[str]) -> Sequence[str | None]:
        """A program for each source; none is an abstention."""


def parser_family(
    name: str, make: Callable[..., FitPredict], defaults: Mapping[str, Any], check: Callable[[], None] = lambda: None
) -> Family:
    """A family of one preset, made by `make(seed=…, **settings)`; its settings are those with defaults."""

    def settings(_: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        from recombine.errors import UnknownNameError

        for key in changes:
            if key not in defaults:
                raise UnknownNameError("setting", key, defaults)
        return {**defaults, **changes}

    def train(task: Task) -> list[Outcome]:
        return [_fit(task, number, make) for number in range(len(task.cells))]

    return Family(name, lambda: [name], settings, check, train)


def _fit(task: Task, number: int, make: Callable[..., FitPredict]) -> Outcome:
    cell = task.cells[number]
    began = time.monotonic()
    try:
        parser = make(seed=cell.seed, **task.settings)
        parser.fit([task.pairs[row] for row in cell.train])
        outputs = parser.predict([task.pairs[row][0] for row in cell.test])
    except RecombineError as error:
        return Outcome(error=f"cell {cell.name}: {error}")
    return Outcome(tuple(output or "" for output in outputs), seconds=time.monotonic() - began)


def check_parser() -> None:
    """Refuse where the package has no NQG parser."""
    try:
        found = importlib.util.find_spec(PARSER)
    except ModuleNotFoundError:  # not even the package that would hold it
        found = None
    if found is None:
        raise RecombineError("this version has no parser 'nqg'", "leave it out of the study, or upgrade recombine")


def make_parser(**settings: Any) -> FitPredict:
    """NQG's parser."""
    parser: FitPredict = import_module(PARSER).Parser(**settings)
    return parser


FAMILY = parser_family("nqg", make_parser, {}, check_parser)
