"""All arrays of a data set: its questions and their pictures, other scenes and their descriptions, one vocabulary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.making.array_settings import ArraySettings
from recombine.models.pictures.making.other_world import OtherWorld
from recombine.models.pictures.making.question_rows import answers_of, question_rows, shown_scenes
from recombine.models.pictures.making.scene_pictures import looking_in, scene_pictures
from recombine.progress import note
from recombine.scenes.files.find_pictures import find_pictures

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.arrays.question_arrays import QuestionArrays
    from recombine.records.example import Example
    from recombine.scenes.scene import Scenes


@dataclass
class StudyArrays:
    """What is exported to a machine that trains."""

    words: Words
    answers: list[str]
    pictures: PictureArrays
    other: PictureArrays
    grounding: GroundingArrays
    questions: QuestionArrays


def question_pictures(
    ids: Sequence[str], scenes: Scenes, folder: Path | None, settings: ArraySettings
) -> PictureArrays:
    """The pictures of some scenes, as questions show them: boxes and pixels alone."""
    missing = next((each for each in ids if each not in scenes.by_id), None)
    if missing is not None:
        raise InputFileError(f"the scene {missing!r} of a question is not among the scenes", "give its scenes")
    if folder is None:
        remedy = "put them into NAME.pictures beside NAME.scenes.json, or train with --set pictures=DIR"
        raise InputFileError("the questions have no pictures to look at", remedy)
    shown = [scenes.by_id[each] for each in ids]
    look = looking_in(find_pictures(shown, folder), settings.side)
    made = scene_pictures(
        shown, look, seed=settings.region_seed, settings=settings.regions, side=settings.side, where=folder
    )
    if made.left_out:
        note(f"{made.left_out:,} objects have no region: of a picture, the largest are taken")
    if made.without_box:
        note(f"{made.without_box:,} objects have no box, and so no region")
    return made.arrays


def make_arrays(
    examples: Sequence[Example],
    scenes: Scenes,
    *,
    pictures: Path | None = None,
    settings: ArraySettings | None = None,
    train: Sequence[int] | None = None,
    other: Scenes | None = None,
    more: Sequence[Example] = (),
) -> StudyArrays:
    """All arrays, a row of `questions` for each example in its order, and after them for those of `more`.

    These are of another file about the same scenes, such as one with random distractors; none is a twin of the first.

    Words and answers are those of the examples in the rows `train`, or of all, with the words of the descriptions.
    """
    settings = settings or ArraySettings()
    learned = list(examples) if train is None else [examples[row] for row in train]
    shown = question_pictures(shown_scenes([*examples, *more]), scenes, pictures or scenes.pictures, settings)
    others = OtherWorld(settings, than=scenes, own=other)
    words = Words.of(others.descriptions.words).with_more(each.source for each in learned)
    answers = answers_of(learned)
    questions = question_rows([*examples, *more], words=words, answers=answers, places=shown.places)
    pair = questions.pair
    pair[len(examples) :][pair[len(examples) :] >= 0] += pair[: len(examples)].max(initial=-1) + 1
    return StudyArrays(words, answers, shown, others.pictures.arrays, others.descriptions.arrays(words), questions)
