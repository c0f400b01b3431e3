"""Two trained parsers as one model: the first's output where it has one, else the fallback's (NQG-T5 paper, §4).

`first` is a folder that `train` made; `fallback` is one too, or a file of predictions by id, as `score` reads them. The
folder of a hybrid holds neither of them: it names both with digests, and they are refused where they are missing or
have changed. A path that was given as relative is kept relative to the hybrid's folder, so that all can be moved
together; an absolute one stays as it is. Nothing is learned: both have learned already.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from recombine.errors import InputFileError, OptionError, OutputFileError, RecombineError
from recombine.evaluation.predictions import read_predictions
from recombine.models.check_settings import check_settings
from recombine.models.family import Family
from recombine.models.load_parser import check_world, digest, find_saved_family, load_parser, saved_world
from recombine.models.model_file import MODEL, file_digest, read_model_file, write_model_file
from recombine.options import Option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.predictions import Predictions
    from recombine.models.parser import Parser
    from recombine.records.example import Example, Query
    from recombine.records.world import World

NAME = "hybrid"
FORM = "recombine-hybrid/1"
PLACES = ("first", "fallback")
OPTIONS = (
    Option("first", str, "", "The folder of the parser that is asked first."),
    Option("fallback", str, "", "A parser's folder, or a file of predictions by id, for where the first abstains."),
    Option("prediction", str, "prediction", "The field of the outputs in a file of predictions."),
    Option("model", str, "", "Whose predictions to take from a file of several models."),
    Option("allow_missing", bool, False, "Whether a file of predictions may lack some: there is no output then."),
)


def combine(first: Sequence[str | None], second: Sequence[str | None]) -> list[str | None]:
    """The first outputs where there are some, else the second.

    >>> combine(["A", None, None], ["B", "C", None])
    ['A', 'C', None]
    """
    return [one if one is not None else two for one, two in zip(first, second, strict=True)]


@dataclass
class HybridParser:
    """Two parsers, the first of which may abstain."""

    settings: Mapping[str, Any]
    """With the paths of both as they are to be opened, and their digests."""
    first: Parser
    fallback: Parser | OutputsById

    def fit(self, examples: Sequence[Example], world: World | None) -> Self:
        """Nothing is learned; parsers that were fitted over another world are refused."""
        del examples
        for place in PLACES:
            path = Path(self.settings[place])
            if path.is_dir():
                check_world(str(path), saved_world(path), world)
        return self

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The first parser's outputs, and the other's where it abstains."""
        outputs = self.first.predict(queries, world)
        asked = [query for query, output in zip(queries, outputs, strict=True) if output is None]
        answers = iter(self.fallback.predict(asked, world) if asked else [])
        return [output if output is not None else next(answers) for output in outputs]


@dataclass
class OutputsById:
    """Outputs of a file, by the ids of examples."""

    path: str
    by_id: Mapping[str, str]
    allow_missing: bool = False

    @classmethod
    def of(cls, predictions: Predictions, path: str, *, allow_missing: bool) -> OutputsById:
        """The outputs of predictions; two for one example are refused."""
        by_id: dict[str, str] = {}
        for row in predictions.rows:
            if row.key in by_id:
                raise InputFileError(f"{path}, {row.where}: a second prediction for {row.key!r}", "keep one of them")
            by_id[row.key] = row.output
        return cls(path, by_id, allow_missing)

    def predict(self, queries: Sequence[Query], world: World | None) -> list[str | None]:
        """The output for each query; an empty one is none."""
        del world
        missing = [query.id for query in queries if query.id not in self.by_id]
        if missing and not self.allow_missing:
            raise RecombineError(
                f"{self.path}: no prediction for {len(missing)} of {len(queries)} queries, such as {missing[0]!r}",
                "give one for each, or allow_missing",
            )
        return [self.by_id.get(query.id) or None for query in queries]


# -- settings -----------------------------------------------------------------------------------------------------


def settings_of(preset: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """All settings with changes; both places are looked at, and their digests are among the settings."""
    usual = {option.name: option.default for option in OPTIONS}
    given = {name: value for name, value in changes.items() if name not in map(_digest_name, PLACES)}
    check_settings(given, usual)
    made = {**usual, **given}
    for place in PLACES:
        if not made[place]:
            what = "FOLDER" if place == "first" else "FOLDER|FILE"
            raise OptionError(f"the model {preset} needs {place}", f"give it: --set {place}={what}")
        made[_digest_name(place)] = changes.get(_digest_name(place)) or _digest(Path(made[place]), place)
    return made


def _digest_name(place: str) -> str:
    return f"{place}_digest"


def _digest(path: Path, place: str) -> str:
    """The digest of a parser's folder, which is that of its `model.json`, or of a file of predictions."""
    if path.is_dir() or place == "first":
        find_saved_family(path)  # says what is wrong with it
        return file_digest(path / MODEL)
    return file_digest(path)


# -- making, keeping and finding ----------------------------------------------------------------------------------


def make(settings: Mapping[str, Any], seed: int, device: str) -> HybridParser:
    """Both parsers, when they are those of the digests; the seed decides nothing."""
    del seed
    for place in PLACES:
        path = Path(settings[place])
        if not path.exists():
            raise InputFileError(
                f"{path}: the {place} of a hybrid is missing", "put it back, or train the hybrid again"
            )
        if _digest(path, place) != settings[_digest_name(place)]:
            raise InputFileError(
                f"{path}: the {place} of a hybrid has changed since it was trained", "train the hybrid again"
            )
    return HybridParser(settings, _parser(Path(settings["first"]), device), _fallback(settings, device))


def _parser(folder: Path, device: str) -> Parser:
    return find_saved_family(folder).adapted(load_parser(folder, device=device))


def _fallback(settings: Mapping[str, Any], device: str) -> Parser | OutputsById:
    path = Path(settings["fallback"])
    if path.is_dir():
        return _parser(path, device)
    predictions = read_predictions(path, prediction=settings["prediction"], model=settings["model"] or None)
    return OutputsById.of(predictions, str(path), allow_missing=settings["allow_missing"])


def save(parser: HybridParser, folder: Path, signature: str) -> None:
    """Write which parsers a hybrid is of to a folder."""
    same = next((place for place in PLACES if Path(parser.settings[place]).resolve() == folder.resolve()), None)
    if same is not None:
        raise OutputFileError(f"{folder}: is the {same} of the hybrid, and would be overwritten", "give another folder")
    paths = {place: _kept_path(parser.settings[place], folder) for place in PLACES}
    write_model_file(folder, FORM, signature, settings={**parser.settings, **paths})


def _kept_path(path: str, folder: Path) -> str:
    return path if Path(path).is_absolute() else Path(os.path.relpath(path, folder)).as_posix()


def load(folder: Path, device: str) -> HybridParser:
    """The hybrid in a folder."""
    settings = read_model_file(folder).get("settings")
    needed = {*(option.name for option in OPTIONS), *map(_digest_name, PLACES)}
    if not isinstance(settings, dict) or not needed.issubset(settings):
        raise InputFileError(f"{folder / MODEL}: does not say what a hybrid is of", "train the hybrid again")
    paths = {place: str(folder / settings[place]) for place in PLACES}  # an absolute path stays as it is
    return make({**settings, **paths}, 0, device)


# -- what is told of it -------------------------------------------------------------------------------------------


def _signature(parser: HybridParser, preset: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    del preset, seed
    names = {place: f"{Path(settings[place]).name}@{_short(parser, place)}" for place in PLACES}
    changed = FAMILY.changed(NAME, settings, leave_out=PLACES)
    return {"model": NAME, **names, **changed}


def _short(parser: HybridParser, place: str) -> str:
    """What tells a place from others of its name: how a parser was made, or what a file holds."""
    path = Path(parser.settings[place])
    return digest(path) if path.is_dir() else str(parser.settings[_digest_name(place)])[:8]


def _facts(parser: HybridParser) -> dict[str, Any]:
    return {place: parser.settings[place] for place in PLACES}


def _describe(value: Mapping[str, Any]) -> str:
    return f"{value['first']}, and where it abstains {value['fallback']}; nothing was learned"


FAMILY = Family(
    name=NAME,
    title="a trained parser, and another one or predictions where it abstains",
    options=OPTIONS,
    complete=settings_of,
    make=make,
    save=save,
    load=load,
    form="recombine-hybrid",
    signature=_signature,
    facts=_facts,
    describe=_describe,
    texts_alone=False,
    abstains=True,
)
