"""What the page on questions about scenes shows of each: pictures with boxes, and the steps of the program."""

from __future__ import annotations

import base64
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import OptionError, RecordError
from recombine.pages.scenes.embedding import embeddings, replaced_text
from recombine.progress import note
from recombine.scenes.balance.answer_class import answer_text
from recombine.scenes.files.find_pictures import find_pictures
from recombine.scenes.programs.execute import execute
from recombine.scenes.programs.no_answer import NoAnswer
from recombine.scenes.related.kinds import HOLDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.datasets.scenes_questions import ScenesQuestions
    from recombine.scenes.balance.asked_question import AskedQuestion
    from recombine.scenes.programs.execute import Step
    from recombine.scenes.scene import Box, Scene

EXAMPLES = 60
MATCHING, DISTRACTING, OTHER = "matching", "distracting", "other"
_TYPES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"RIFF": "webp"}
_BLANK = 128


class Marked(NamedTuple):
    """An object with its box."""

    key: str
    """The ids of its scene and of itself."""
    name: str
    box: Box
    kind: str


@dataclass(frozen=True)
class Picture:
    """A picture of an example, with boxes of its objects."""

    scene: str
    role: str
    changed: str
    """What was changed, in words; empty where the image holds the sub-graph."""
    width: int
    height: int
    image: str
    """The picture as an address that holds it; empty where there is none."""
    objects: tuple[Marked, ...]


class ShownStep(NamedTuple):
    """One step of a program."""

    text: str
    gives: str
    objects: tuple[str, ...]
    """The keys of the objects that it gives."""


@dataclass(frozen=True)
class Shown:
    """One question as it is shown."""

    question: AskedQuestion
    answer: str
    pictures: tuple[Picture, ...]
    steps: tuple[ShownStep, ...]


@dataclass(frozen=True)
class ScenesData:
    """What the page is made of: questions with their twins."""

    read: ScenesQuestions
    groups: tuple[tuple[Shown, ...], ...]
    """Twins, or one question alone."""

    @property
    def templates(self) -> list[str]:
        """The templates of the shown questions."""
        return sorted({shown.question.template for twins in self.groups for shown in twins})

    @property
    def answers(self) -> list[str]:
        """Their answers, numbers first."""
        answers = {shown.answer for twins in self.groups for shown in twins}
        return sorted(answers, key=lambda each: (not each.isdecimal(), each))


def build_scenes_data(read: ScenesQuestions, *, examples: int = EXAMPLES, seed: int = 0) -> ScenesData:
    """Questions of all templates in turn, with their twins; which are taken is drawn."""
    if examples < 1:
        raise OptionError(f"cannot show {examples} examples", "give 1 or more")
    twins = _drawn(_twins(read.questions), examples, seed)
    pictures = _pictures(read, {image for both in twins for question in both for image in question.images})
    return ScenesData(read, tuple(tuple(_shown(question, read, pictures) for question in both) for both in twins))


def _twins(questions: Iterable[AskedQuestion]) -> list[list[AskedQuestion]]:
    pairs: dict[object, list[AskedQuestion]] = {}
    for question in questions:
        pairs.setdefault(question.id if question.pair is None else question.pair, []).append(question)
    return list(pairs.values())


def _drawn(twins: Sequence[list[AskedQuestion]], number: int, seed: int) -> list[list[AskedQuestion]]:
    """So many, of the templates in turn, those with a twin first."""
    generator = np.random.default_rng(seed)
    waiting: defaultdict[str, list[list[AskedQuestion]]] = defaultdict(list)
    for at in generator.permutation(len(twins)):
        waiting[twins[at][0].template].append(twins[at])
    for each in waiting.values():
        each.sort(key=len)
    drawn: list[list[AskedQuestion]] = []
    while len(drawn) < number and any(waiting.values()):
        for name in sorted(waiting):
            if waiting[name] and len(drawn) < number:
                drawn.append(waiting[name].pop())
    return sorted(drawn, key=lambda both: both[0].template)


def _pictures(read: ScenesQuestions, used: set[str]) -> Mapping[str, bytes]:
    """The pictures of scenes: those beside the data, else drawn where they can be."""
    scenes = [read.scenes.by_id[each] for each in sorted(used)]
    if read.pictures is not None:
        return {each: path.read_bytes() for each, path in find_pictures(scenes, read.pictures).items()}
    from recombine.scenes.synthetic.ontology import find_ontology
    from recombine.scenes.synthetic.picture import picture_bytes

    nouns = find_ontology().nouns
    drawn = [(read.truth or read.scenes).by_id[scene.id] for scene in scenes]
    names = {each.name for scene in drawn for each in scene.objects}
    if any(name not in nouns or nouns[name].size is None for name in names):
        note("the scenes have no pictures beside the data, so that boxes are shown alone")
        return {}
    return {scene.id: picture_bytes(scene) for scene in drawn}


def _address(data: bytes) -> str:
    kind = next((kind for start, kind in _TYPES.items() if data.startswith(start)), "png")
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def _size(scene: Scene, data: bytes) -> tuple[int, int]:
    """The width and height that boxes are in: as the scene says, else as its picture has, else what boxes need."""
    if scene.width and scene.height:
        return scene.width, scene.height
    if data:
        try:
            from PIL import Image, UnidentifiedImageError
        except ImportError:
            pass
        else:
            with suppress(UnidentifiedImageError), Image.open(BytesIO(data)) as picture:
                return picture.size
    boxes = [each.box for each in scene.objects if each.box is not None]
    right, bottom = (max((box[at] + box[at + 2] for box in boxes), default=_BLANK) for at in (0, 1))
    return scene.width or right, scene.height or bottom


def _shown(question: AskedQuestion, read: ScenesQuestions, pictures: Mapping[str, bytes]) -> Shown:
    scenes = [read.scenes.by_id[image] for image in question.images]
    try:
        answer = execute(question.program, scenes, read.scenes.attribute_types)
    except NoAnswer as error:
        raise RecordError(read.path, question.id, error.problem, "give the scenes it was made from") from None
    if answer.value != question.answer:
        said, made = answer_text(question.answer), answer_text(answer.value)
        raise RecordError(read.path, question.id, f"its answer is {said}, but its program gives {made}", "make it anew")
    return Shown(
        question,
        answer_text(question.answer),
        tuple(
            _picture(scene, role, question, pictures.get(scene.id, b""), read.scenes.attribute_types)
            for scene, role in zip(scenes, question.roles, strict=True)
        ),
        tuple(map(_step, answer.trace)),
    )


def _picture(scene: Scene, role: str, question: AskedQuestion, data: bytes, types: Mapping[str, str]) -> Picture:
    held = embeddings(scene, question.subgraph, role, types)
    marked = {each for one in held for each in one.objects}
    kind = MATCHING if role == HOLDS else DISTRACTING
    objects = tuple(
        Marked(f"{scene.id}/{each.id}", each.name, each.box, kind if each.id in marked else OTHER)
        for each in scene.objects
        if each.box is not None
    )
    return Picture(scene.id, role, replaced_text(held), *_size(scene, data), _address(data) if data else "", objects)


def _step(step: Step) -> ShownStep:
    arguments = [f"step {each + 1}" if isinstance(each, int) else each for each in step.arguments]
    text = f"{step.operator} ( {' , '.join(arguments)} )" if arguments else step.operator
    gives = step.gives
    if not isinstance(gives, tuple):
        return ShownStep(text, answer_text(gives), ())
    keys: list[str] = []
    for each in gives:
        if isinstance(each, tuple):
            scene, objects = each
            keys += [f"{scene}/{one}" for one in ((objects,) if isinstance(objects, str) else objects)]
    if gives and isinstance(gives[0], str):
        return ShownStep(text, f"{len(gives)} image{'s' * (len(gives) != 1)}", ())
    groups = bool(gives) and isinstance(gives[0], tuple) and not isinstance(gives[0][1], str)
    word, number = ("image", len(gives)) if groups else ("object", len(keys))
    return ShownStep(text, f"{number} {word}{'s' * (number != 1)}", tuple(keys))
