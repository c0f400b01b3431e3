"""The numbers of the page: accuracies, scores, templates, properties, and which examples each of them opens."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import RecombineError, RecordError
from recombine.evaluation.answers.asked_answers import ANSWER, field_of
from recombine.evaluation.generalization.covr_paper import covr_paper
from recombine.evaluation.generalization.generalization_score import generalization_score
from recombine.evaluation.generalization.result_file import read_result
from recombine.evaluation.generalization.size_match import may_share, nearest_size, size_difference
from recombine.evaluation.groups.entry_properties import EntryProperties
from recombine.evaluation.groups.property_differences import property_differences
from recombine.evaluation.statistics.intervals import LEVEL, newcombe, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from recombine.evaluation.generalization.covr_paper import PaperSetup
    from recombine.evaluation.generalization.generalization_score import GeneralizationScore
    from recombine.evaluation.generalization.result_file import ResultFile
    from recombine.evaluation.groups.property_differences import PropertyDifference, PropertyDifferences
    from recombine.pages.generalization.result_list import ListedEffect, ListedSetup, ListedSystem, ResultList
    from recombine.records.dataset import Dataset

EXAMPLES = 6
TEMPLATE = "template"


@dataclass(frozen=True)
class Cell:
    """An accuracy of the page, and the examples that it opens."""

    right: int
    n: int
    key: str = ""
    """By which the page finds its examples; empty where there are none."""

    @property
    def accuracy(self) -> float:
        """The share that is right."""
        return self.right / self.n

    @property
    def interval(self) -> tuple[float, float]:
        """Its interval."""
        return wilson(self.right, self.n)


@dataclass(frozen=True)
class Shown:
    """One example of a cell."""

    id: str
    output: str
    correct: bool


@dataclass(frozen=True)
class SystemRow:
    """A system on all of a part, taken apart."""

    name: str
    paper: str
    cell: Cell
    templates: Mapping[str, Cell]
    differences: PropertyDifferences | None
    """None where there is nothing to ask for properties."""
    opened: Mapping[str, str]
    """The keys of examples by property."""
    outside: PropertyDifferences | None
    """The same on the entries without the property of the greatest loss; none where none is sure to lose."""

    @property
    def worst(self) -> PropertyDifference | None:
        """The property of the greatest loss, where it is a sure one."""
        return None if self.differences is None else next(iter(sure_losses(self.differences)), None)

    @property
    def also(self) -> tuple[PropertyDifference, ...]:
        """Properties that are sure to lose outside of the worst too."""
        return () if self.outside is None else tuple(sure_losses(self.outside))


def sure_losses(differences: PropertyDifferences) -> list[PropertyDifference]:
    """The losses beyond an interval that is as wide as so many properties ask for (Bonferroni), the greatest first."""
    level = 1 - (1 - LEVEL) / max(1, len(differences.rows))
    return [
        row
        for row in differences.rows
        if newcombe((row.having.right, row.lacking.right), (row.having.n, row.lacking.n), level=level)[1] < 0
    ]


@dataclass(frozen=True)
class SetupRow:
    """A set-up: what was held out, and how far a model gets."""

    listed: ListedSetup
    paper: PaperSetup | None
    cells: Mapping[str, Cell | None]
    """By role: text, model, iid_size, iid."""
    score: GeneralizationScore | None
    """None where it was not run."""
    borrowed: str = ""
    """The set-up whose size-matched model stands here, or its size, with how far that differs."""


@dataclass(frozen=True)
class Effect:
    """How accuracy goes with the number of examples of what is held out."""

    name: str
    points: tuple[tuple[int, Cell], ...]


@dataclass(frozen=True)
class GeneralizationData:
    """All numbers of the page."""

    listed: ResultList
    systems: tuple[SystemRow, ...]
    setups: tuple[SetupRow, ...]
    opened: Mapping[str, tuple[Shown, ...]]
    """By the key of their cell."""
    dataset: Dataset | None
    missing: Mapping[str, str] = field(default_factory=dict)
    """What the page cannot show, with the reason."""
    effects: tuple[Effect, ...] = ()

    @property
    def templates(self) -> list[str]:
        """The templates of the systems' entries."""
        return sorted({name for system in self.systems for name in system.templates})

    def asked(self, template: str) -> int:
        """How many questions of a template the first system that has some was asked."""
        return next(system.templates[template].n for system in self.systems if template in system.templates)

    def to_record(self) -> dict[str, Any]:
        """The numbers as one JSON object."""
        return {
            "systems": [
                {
                    "name": row.name,
                    "accuracy": row.cell.accuracy,
                    "interval": list(row.cell.interval),
                    "n": row.cell.n,
                    "paper": row.paper or None,
                    "templates": {name: cell.accuracy for name, cell in row.templates.items()},
                    "properties": None if row.differences is None else row.differences.to_record(),
                    "worst": None if row.worst is None else row.worst.name,
                    "also": [each.name for each in row.also],
                }
                for row in self.systems
            ],
            "setups": [
                {
                    "name": row.listed.name,
                    "filtered": row.listed.filtered,
                    "few_shot": row.listed.few_shot,
                    "train": row.listed.train,
                    "iid_all": None if row.cells["iid"] is None else row.cells["iid"].accuracy,
                    "size_matched_from": row.borrowed or None,
                    **({"not_run": row.listed.not_run} if row.score is None else row.score.to_record()),
                    "paper": None if row.paper is None else row.paper.generated._asdict(),
                    "paper_score": None if row.paper is None else row.paper.generated.score,
                }
                for row in self.setups
            ],
            "effects": [
                {"name": each.name, "points": [[m, cell.accuracy, cell.n] for m, cell in each.points]}
                for each in self.effects
            ],
            "missing": dict(self.missing),
        }


def build_generalization_data(
    listed: ResultList, dataset: Dataset | None, *, examples: int = EXAMPLES, seed: int = 0
) -> GeneralizationData:
    """Read the results of a list, and compute what the page shows of them."""
    build = _Build(listed, dataset, examples, seed)
    setups = build.setups(listed.setups)
    systems = tuple(build.system(place, each) for place, each in enumerate(listed.systems))
    effects = tuple(build.effect(place, each) for place, each in enumerate(listed.effects))
    return GeneralizationData(listed, systems, setups, build.opened, dataset, build.missing, effects)


class _Build:
    """The results that were read, and the examples that were drawn so far."""

    def __init__(self, listed: ResultList, dataset: Dataset | None, examples: int, seed: int) -> None:
        self._listed, self._dataset, self._number, self._seed = listed, dataset, examples, seed
        self._read: dict[Path, ResultFile] = {}
        self.opened: dict[str, tuple[Shown, ...]] = {}
        self.missing: dict[str, str] = {}
        if dataset is None:
            self.missing["data"] = "the list names no data, so there are no templates, properties and examples"

    def result(self, path: Path) -> ResultFile:
        """A result, read once; its entries must be of the data."""
        if path not in self._read:
            found = read_result(path)
            if self._dataset is not None:
                unknown = next((key for key in found.ids if key not in self._dataset.index), None)
                if unknown is not None:
                    problem = f"the id {unknown!r} is not in {self._dataset.name}"
                    raise RecordError(path, f"id {unknown}", problem, "name the data that was asked")
            self._read[path] = found
        return self._read[path]

    # -- set-ups --------------------------------------------------------------------------------------------------

    def setups(self, listed: Sequence[ListedSetup]) -> tuple[SetupRow, ...]:
        trained = {each.name: each.train for each in listed if each.iid_size is not None and each.train is not None}
        files = {each.name: each.iid_size for each in listed}
        return tuple(self._setup(place, each, trained, files) for place, each in enumerate(listed))

    def _setup(
        self, place: int, listed: ListedSetup, trained: Mapping[str, int], files: Mapping[str, Path | None]
    ) -> SetupRow:
        paper = covr_paper().setups.get((listed.paper or listed.name).lower())
        if listed.not_run or listed.model is None or listed.text is None:
            return SetupRow(listed, paper, dict.fromkeys(("text", "model", "iid_size", "iid")), None)
        iid_size, borrowed = self._size_matched(listed, trained, files)
        model = self.result(listed.model)
        paths = {"text": listed.text, "model": listed.model, "iid_size": iid_size, "iid": listed.iid}
        results = {role: None if path is None else self._on(model, path) for role, path in paths.items()}
        score = generalization_score(model, self.result(listed.text), self.result(iid_size), seed=self._seed)
        cells = {
            role: None if each is None else self._cell(f"setup-{place}-{role}", each) for role, each in results.items()
        }
        return SetupRow(listed, paper, cells, score, borrowed)

    def _size_matched(
        self, listed: ListedSetup, trained: Mapping[str, int], files: Mapping[str, Path | None]
    ) -> tuple[Path, str]:
        """The result of the size-matched model, and whose it is where it is that of another set-up."""
        if listed.iid_size is not None:
            return listed.iid_size, self._own_size(listed)
        near = None if listed.train is None else nearest_size(listed.train, trained)
        path = None if near is None else files[near]
        if near is None or path is None or listed.train is None:
            raise RecordError(
                self._listed.path,
                f"setup {listed.name}",
                "has no iid_size, and no set-up with one has a train part that differs by under 2 %",
                "name the result of an i.i.d. model of the same size, and the splits of both",
            )
        return path, f"{near}, whose train part differs by {size_difference(listed.train, trained[near]):.1%}"

    def _own_size(self, listed: ListedSetup) -> str:
        """How large the train part of its own size-matched model is, where it is another; too far off is refused."""
        if listed.iid_train is None or listed.train in (None, listed.iid_train):
            return ""
        size, own = listed.iid_train, listed.train or 0
        if not may_share(own, size):
            raise RecordError(
                self._listed.path,
                f"setup {listed.name}",
                f"its iid_size was trained on {size:,} examples and it on {own:,}, which differ by 2 % or more",
                "name the result of an i.i.d. model of the same size",
            )
        return f"a model of {size:,} examples, which differs by {size_difference(own, size):.1%}"

    def _on(self, model: ResultFile, path: Path) -> ResultFile:
        """A result on the examples of the model, where it has all of them."""
        found = self.result(path)
        return found.restricted(model.ids) if model.ids and found.has(model.ids) else found

    def effect(self, place: int, listed: ListedEffect) -> Effect:
        """The accuracies of a list of results, on the examples of the first."""
        first = self.result(listed.points[0][1])
        cells = [(m, self._cell(f"effect-{place}-{m}", self._on(first, path))) for m, path in listed.points]
        return Effect(listed.name, tuple(cells))

    # -- systems --------------------------------------------------------------------------------------------------

    def system(self, place: int, listed: ListedSystem) -> SystemRow:
        found = self.result(listed.result)
        cell = self._cell(f"system-{place}", found)
        empty = SystemRow(listed.name, listed.paper, cell, {}, None, {}, None)
        if self._dataset is None:
            return empty
        if not found.ids:
            self.missing[listed.name] = "its result has counts alone: give what score … -o wrote"
            return empty
        templates = self._templates(f"system-{place}", found, self._dataset)
        differences, opened, outside = self._properties(f"system-{place}", found, self._dataset)
        return replace(empty, templates=templates, differences=differences, opened=opened, outside=outside)

    def _templates(self, key: str, found: ResultFile, dataset: Dataset) -> dict[str, Cell]:
        by_name: dict[str, list[str]] = {}
        for each in found.ids:
            name = field_of(dataset[each], TEMPLATE)
            if name is not None:
                by_name.setdefault(str(name), []).append(each)
        if not by_name:
            self.missing["templates"] = f"the examples of {dataset.name} have no field {TEMPLATE!r}"
        return {
            name: self._cell(f"{key}-template-{name}", found.restricted(ids)) for name, ids in sorted(by_name.items())
        }

    def _properties(
        self, key: str, found: ResultFile, dataset: Dataset
    ) -> tuple[PropertyDifferences | None, dict[str, str], PropertyDifferences | None]:
        try:
            held, refused = EntryProperties(dataset, found.ids, self._listed.properties).named()
        except RecombineError as error:
            self.missing["properties"] = error.problem
            return None, {}, None
        right = found.right_of(found.ids)
        differences = property_differences(held, right, refused)
        opened = {}
        for place, row in enumerate(differences.rows):
            having = [each for each, holds in zip(found.ids, held[row.name], strict=True) if holds]
            opened[row.name] = self._cell(f"{key}-property-{place}", found.restricted(having)).key
        lost = sure_losses(differences)
        if not lost:
            return differences, opened, None
        without = [place for place, holds in enumerate(held[lost[0].name]) if not holds]
        rest = {name: [mask[place] for place in without] for name, mask in held.items()}
        return differences, opened, property_differences(rest, [right[place] for place in without])

    # -- examples -------------------------------------------------------------------------------------------------

    def _cell(self, key: str, found: ResultFile) -> Cell:
        if self._dataset is None or not found.ids or self._number < 1:
            return Cell(found.right, found.n)
        right = found.correct or {}
        wrong = self._drawn(key, [each for each in found.ids if not right[each]])
        good = self._drawn(key, [each for each in found.ids if right[each]])
        of_wrong = max(self._number - len(good), (2 * self._number + 2) // 3)
        chosen = [*wrong[:of_wrong], *good][: self._number]
        self.opened[key] = tuple(Shown(each, found.outputs.get(each, ""), right[each]) for each in chosen)
        return Cell(found.right, found.n, key)

    def _drawn(self, key: str, ids: Iterable[str]) -> list[str]:
        """The ids in an order that the seed and the cell decide."""
        given = sorted(ids)
        words = list(key.encode())
        order = np.random.default_rng([self._seed, *words]).permutation(len(given))
        return [given[place] for place in order[: self._number]]


def gold_text(dataset: Dataset, key: str) -> str:
    """What is right for an example: its answer, else its target."""
    example = dataset[key]
    answer = field_of(example, ANSWER)
    if answer is None:
        return example.target
    every = answer if isinstance(answer, tuple | list) else (answer,)
    return " or ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in every)
