"""Parsers with `fit` and `predict` in a study, NQG among them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.models.check_settings import check_settings
from recombine.studies.families.families import CellOutcome, Family, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from recombine.models.parser import TextParser

NAME = "nqg"


def parser_family(
    name: str,
    make: Callable[..., TextParser],
    defaults: Mapping[str, Any],
    check: Callable[[], None] = lambda: None,
    *,
    revision: int = 1,
) -> Family:
    """A family of one preset, made by `make(seed=…, **settings)`; its settings are those with defaults."""

    def settings(_: str, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        check_settings(changes, defaults)
        return {**defaults, **changes}

    def train(task: Task) -> list[CellOutcome]:
        return [_fit(task, number, make) for number in range(len(task.cells))]

    return Family(name, lambda: [name], settings, check, train, revision=revision)


def _fit(task: Task, number: int, make: Callable[..., TextParser]) -> CellOutcome:
    cell = task.cells[number]
    began = time.monotonic()
    try:
        parser = make(seed=cell.seed, **task.settings)
        parser.fit([task.pairs[row] for row in cell.train])
        outputs = parser.predict([task.pairs[row][0] for row in cell.test])
    except RecombineError as error:
        return CellOutcome(error=f"cell {cell.name}: {error}")
    return CellOutcome(tuple(output or "" for output in outputs), seconds=time.monotonic() - began)


# -- NQG ----------------------------------------------------------------------------------------------------------

_OPTIONS = ("members", "reluctance", "prior", "steps", "shortest", "strict", "limit")
"""The options of the parser besides those of the induction."""


def presets() -> list[str]:
    """`nqg` with its own settings, and the paper's."""
    from recombine.models.nqg.induction.induction_settings import PRESETS

    return [NAME, *(name for name in PRESETS if name != "default")]


def settings_of(preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of a preset with changes: of induction, scorer and parser, and the language of valid targets.

    >>> settings_of("nqg:scan", {"restarts": 3})["terminal_bits"]
    32.0
    """
    from dataclasses import asdict

    from recombine.models.nqg.induction.induction_settings import InductionSettings
    from recombine.models.nqg.model import Nqg

    usual = asdict(InductionSettings.of("default" if preset == NAME else preset))
    usual.pop("seed")  # each cell has its own
    usual |= {name: getattr(Nqg(), name) for name in _OPTIONS} | {"scorer": Nqg().scorer, "language": ""}
    check_settings(changes, usual)
    made = {**usual, **changes}
    make_parser(seed=0, **made)  # a wrong value is reported before anything is run
    return made


def make_parser(*, seed: int, scorer: str, language: str, **settings: Any) -> TextParser:
    """NQG's parser; targets are valid that the language can parse, or all."""
    from recombine.languages.known import find_language
    from recombine.models.nqg.induction.induction_settings import InductionSettings
    from recombine.models.nqg.model import Nqg
    from recombine.models.nqg.target_grammar import parses

    options = {name: settings.pop(name) for name in _OPTIONS}
    valid = parses(find_language(language)) if language else None
    return Nqg(InductionSettings(**settings, seed=seed), scorer=scorer, **options, valid=valid)


def _train(task: Task) -> list[CellOutcome]:
    return [_fit(task, number, make_parser) for number in range(len(task.cells))]


FAMILY = Family(NAME, presets, settings_of, lambda: None, _train, revision=1)
