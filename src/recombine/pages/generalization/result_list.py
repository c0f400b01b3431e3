"""The list of results that a page is made of: a TOML file that names what `score` wrote.

    data = "questions.jsonl"       # what was asked; for templates, properties and examples
    language = "scenes"            # of its programs, where no split says it
    pictures = "pictures"          # their folder, where it is not beside the data
    properties = "mine.toml"       # properties of one's own

    [[system]]                     # a system on all of a part
    name = "text-only"
    result = "text.jsonl"          # what score … -o wrote, or --json printed
    paper = "text"                 # the row of the paper's Table 6 that stands beside it

    [[setup]]                      # a model that lacks something, tested on it
    split = "quant.json"           # says what is held out, the share that was filtered and the size of train
    name = "covr:has-quant"        # where the split does not say it
    model = "quant_500.jsonl"
    text = "text.jsonl"
    iid_size = "size.jsonl"        # may be left out where that of a set-up of about the same size may stand for it
    iid = "iid.jsonl"              # may be left out
    iid_train = 210000             # how many examples `iid_size` was trained on, where that is not the size of train
    not_run = "80 s on a GPU"      # in place of the results: what is missing

    [[effect]]                     # of how many examples with what is held out are in train (Figure 5)
    name = "covr:has-quant"
    points = [[125, "quant_125.jsonl"], [500, "quant_500.jsonl"]]

`note` is a text that stands at the top of the page; `scores` names a file of lines that say how strongly each region of
an example's pictures was looked at: `{"id": …, "about": …, "images": {NAME: [[x0, y0, x1, y1, score], …]}}`.

Paths are found from the folder of the file.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recombine.errors import InputFileError, RecordError, UnknownNameError
from recombine.evaluation.generalization.covr_paper import covr_paper
from recombine.files import check_file, read_text
from recombine.records.signature import Signature
from recombine.records.split import read_split_file

_WHOLE = ("title", "note", "data", "language", "pictures", "properties", "scores", "system", "setup", "effect")
_SYSTEM = ("name", "result", "paper")
_SETUP = ("name", "split", "train", "model", "text", "iid_size", "iid_train", "iid", "not_run")
_EFFECT = ("name", "points")


@dataclass(frozen=True)
class ListedSystem:
    """A system on all of a part."""

    name: str
    result: Path
    paper: str = ""


@dataclass(frozen=True)
class ListedSetup:
    """A model that lacks something, and what it stands between."""

    name: str
    model: Path | None
    text: Path | None
    iid_size: Path | None = None
    iid: Path | None = None
    split: Path | None = None
    train: int | None = None
    """The size of its train part."""
    filtered: float | None = None
    """The share of train that was filtered."""
    few_shot: int = 0
    iid_train: int | None = None
    """The size of the train part of `iid_size`, where it is another."""
    not_run: str = ""
    """What is missing, where there are no results."""
    paper: str = ""
    """The name of the paper's set-up, where it is not the name."""


@dataclass(frozen=True)
class ListedEffect:
    """How a set-up's accuracy goes with the number of its examples in train."""

    name: str
    points: tuple[tuple[int, Path], ...]


@dataclass(frozen=True)
class ResultList:
    """All that a page is made of."""

    path: Path
    title: str
    data: Path | None
    language: str | None
    pictures: Path | None
    properties: Path | None
    systems: tuple[ListedSystem, ...]
    setups: tuple[ListedSetup, ...]
    effects: tuple[ListedEffect, ...] = ()
    note: str = ""
    scores: Path | None = None


def read_result_list(path: Path | str) -> ResultList:
    """The list in a file; files that it names must be there."""
    path = Path(path)
    try:
        record = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputFileError(f"{path}: is no TOML ({error})", "mend it") from None
    _check(path, "the list", record, _WHOLE, lists=("system", "setup", "effect"))
    systems = [_system(path, place, each) for place, each in enumerate(record.get("system", []), start=1)]
    setups = [_setup(path, place, each) for place, each in enumerate(record.get("setup", []), start=1)]
    effects = [_effect(path, place, each) for place, each in enumerate(record.get("effect", []), start=1)]
    if not systems and not setups:
        raise InputFileError(f"{path}: lists no result", "write [[system]] or [[setup]]")
    for what, names in (("system", [s.name for s in systems]), ("setup", [s.name for s in setups])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise RecordError(path, f"{what} {twice}", "stands there twice", "give it another name")
    folder = record.get("pictures")
    return ResultList(
        path,
        record.get("title") or path.stem,
        _file(path, record.get("data")),
        record.get("language"),
        None if folder is None else path.parent / folder,
        _file(path, record.get("properties")),
        tuple(systems),
        tuple(setups),
        tuple(effects),
        record.get("note", ""),
        _file(path, record.get("scores")),
    )


def _system(path: Path, place: int, record: Any) -> ListedSystem:
    where = f"system {place}"
    _check(path, where, record, _SYSTEM, needed=("name", "result"))
    paper = record.get("paper", "")
    if paper and paper not in covr_paper().systems:
        error = UnknownNameError("row of the paper's Table 6", paper, covr_paper().systems)
        raise RecordError(path, where, error.problem, error.remedy)
    return ListedSystem(record["name"], _named(path, record["result"]), paper)


def _setup(path: Path, place: int, record: Any) -> ListedSetup:
    where = f"setup {place}"
    not_run = isinstance(record, dict) and bool(record.get("not_run"))
    needed = () if not_run else ("model", "text")
    _check(path, where, record, _SETUP, needed=needed, numbers=("train", "iid_train"))
    stated, train = Signature(()), record.get("train")
    if "split" in record:
        split = read_split_file(_named(path, record["split"]))
        stated = Signature.parse(str(split["signature"])) if "signature" in split else stated
        parts = split.get("parts", split)
        train = len(parts["train"]) if "train" in parts else train
    name = record.get("name") or stated.get("held_out")
    if not name:
        raise RecordError(path, where, "does not say what is held out", "give a name, or a split by property")
    filtered = stated.get("filtered").partition("/")
    return ListedSetup(
        name,
        _file(path, record.get("model")),
        _file(path, record.get("text")),
        _file(path, record.get("iid_size")),
        _file(path, record.get("iid")),
        _file(path, record.get("split")),
        train,
        int(filtered[0]) / int(filtered[2]) if filtered[1] else None,
        int(stated.get("few_shot") or 0),
        record.get("iid_train"),
        record.get("not_run", ""),
    )


def _effect(path: Path, place: int, record: Any) -> ListedEffect:
    where = f"effect {place}"
    _check(path, where, record, _EFFECT, needed=("name", "points"), lists=("points",))
    points = []
    for point in record["points"]:
        if not (isinstance(point, list) and len(point) == 2 and type(point[0]) is int and isinstance(point[1], str)):
            raise RecordError(path, where, f"a point is {point!r}", "give a number of examples and a result")
        points.append((point[0], _named(path, point[1])))
    return ListedEffect(record["name"], tuple(sorted(points)))


def _check(
    path: Path,
    where: str,
    record: Any,
    known: tuple[str, ...],
    *,
    needed: tuple[str, ...] = (),
    numbers: tuple[str, ...] = (),
    lists: tuple[str, ...] = (),
) -> None:
    if not isinstance(record, dict):
        raise RecordError(path, where, "is no table", "write [[system]] or [[setup]]")
    for key, value in record.items():
        if key not in known:
            error = UnknownNameError("key", key, known)
            raise RecordError(path, where, error.problem, error.remedy)
        kind: type = int if key in numbers else list if key in lists else str
        if type(value) is not kind or (isinstance(value, int) and value < 1):
            raise RecordError(path, where, f"{key} is {value!r}", f"give a {kind.__name__}")
    missing = next((key for key in needed if not record.get(key)), None)
    if missing is not None:
        raise RecordError(path, where, f"has no {missing}", "name the file that score wrote")


def _named(path: Path, name: str) -> Path:
    return check_file(path.parent / name)


def _file(path: Path, name: str | None) -> Path | None:
    return None if name is None else _named(path, name)
