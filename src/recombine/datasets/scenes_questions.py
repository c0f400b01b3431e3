"""Questions about scenes read from a data file, with the scenes, truth, pictures and counts beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.datasets.files.tables import read_table
from recombine.datasets.scenes_files import FIELDS, PICTURES, SPLIT, TRUTH, beside
from recombine.datasets.scenes_files import SCENES as SCENES_FILE
from recombine.errors import InputFileError, RecordError
from recombine.languages.scenes import SCENES
from recombine.records.example import thawed
from recombine.records.split import read_split_file
from recombine.records.world import WorldReference
from recombine.scenes.balance.answer_class import read_answer
from recombine.scenes.balance.asked_question import AskedQuestion
from recombine.scenes.files.read_scenes import read_scenes
from recombine.scenes.scene import Scenes
from recombine.scenes.subgraphs.from_json import subgraph_from_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


@dataclass(frozen=True)
class ScenesQuestions:
    """The questions of a file and what they are about."""

    path: Path
    dataset: Dataset
    questions: list[AskedQuestion]
    scenes: Scenes
    truth: Scenes | None = None
    counted: Mapping[str, Any] = field(default_factory=dict)
    """What was counted while they were made; empty where it is not kept beside the file."""
    pictures: Path | None = None

    def of_parts(self, *parts: str) -> list[AskedQuestion]:
        """The questions of some parts."""
        return [question for question in self.questions if question.part in parts]


def read_questions(path: Path | str, *, world: Path | str | None = None) -> ScenesQuestions:
    """The questions of a file; `world` names the file of scenes in place of the one that the sidecar says."""
    path = Path(path)
    dataset = read_table(path, language=SCENES, world=world)
    scenes = dataset.opened_world
    if not isinstance(scenes, Scenes):
        raise InputFileError(f"{path}: says nothing of the scenes that its questions are about", "name their file")
    questions = [_question(example, path) for example in dataset]
    for question in questions:
        missing = next((image for image in question.images if image not in scenes.by_id), None)
        if missing is not None:
            raise RecordError(path, question.id, f"its scene {missing!r} is not among the scenes", "give its scenes")
    truth, pictures = (_near(path, dataset, suffix) for suffix in (TRUTH, PICTURES))
    split = beside(path, SPLIT)
    return ScenesQuestions(
        path,
        dataset,
        questions,
        scenes,
        read_scenes(truth) if truth.exists() else None,
        read_split_file(split).get("measured", {}) if split.exists() else {},
        pictures if pictures.is_dir() else None,
    )


def _near(path: Path, dataset: Dataset, suffix: str) -> Path:
    """What stands beside the data, or else beside its scenes, as for questions that people kept."""
    if beside(path, suffix).exists() or not isinstance(dataset.world, WorldReference):
        return beside(path, suffix)
    scenes = Path(dataset.world.path)
    return scenes.with_name(scenes.name.removesuffix(SCENES_FILE) + suffix)


def _question(example: Example, path: Path) -> AskedQuestion:
    """A question of a record, which must have the fields of one."""
    context = example.context
    for name in FIELDS:
        if name not in context:
            raise RecordError(path, example.id, f"has no field {name!r}", "give data that generate scenes made")
    images, roles = context["images"], context["roles"]
    if not isinstance(images, tuple) or not isinstance(roles, tuple) or len(images) != len(roles) or not images:
        raise RecordError(path, example.id, "its images and roles are not lists of one length", "mend them")
    where = f"{path}: {example.id}: the sub-graph"
    return AskedQuestion(
        example.id,
        example.source,
        SCENES.parse(example.target),
        read_answer(context["answer"]),
        images,
        roles,
        context["template"],
        subgraph_from_json(thawed(context["subgraph"]), source=where),
        context["part"],
        context["pair"],
    )
