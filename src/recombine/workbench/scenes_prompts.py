"""Questions about scenes as prompts for a model that looks at pictures, whose answers `score --on answer` reads.

A prompt is a line `{id, images, messages}`. The images are paths from the folder of the file that is written, and the
one message, of a user, has a part `{"type": "image"}` for each of them in turn, then a part with the text: the
question, the options of a choice by letters, and how to answer. A paraphrase is asked under the id of its question
with `/paraphrase` after it.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from recombine.errors import InputFileError, OptionError, UnknownNameError
from recombine.files import write_whole
from recombine.progress import note
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.datasets.scenes_questions import ScenesQuestions
    from recombine.records.split import Split
    from recombine.scenes.balance.asked_question import AskedQuestion

GENERATED, PARAPHRASE, BOTH = WORDINGS = ("generated", "paraphrase", "both")
LETTERS = "AB"


class Prompt(NamedTuple):
    """One prompt."""

    id: str
    images: tuple[Path, ...]
    text: str
    kind: str

    def line(self, folder: Path) -> dict[str, Any]:
        """The prompt as JSON has it, its pictures as they are found from a folder."""
        pictures = [Path(os.path.relpath(image, folder)).as_posix() for image in self.images]
        content = [*({"type": "image"} for _ in pictures), {"type": "text", "text": self.text}]
        return {"id": self.id, "images": pictures, "messages": [{"role": "user", "content": content}]}


@dataclass(frozen=True, repr=False, eq=False)
class ScenesPrompts(Result):
    """Prompts for a model that looks at pictures."""

    file: str
    part: str
    wording: str
    prompts: tuple[Prompt, ...] = field(repr=False)
    questions: int
    without_paraphrase: int
    """Questions that nobody has said in other words; none are asked of them where paraphrases are wanted."""

    def lines(self, folder: Path | str | None = None) -> Iterator[dict[str, Any]]:
        """The prompts as JSON has them, their pictures as they are found from a folder; by default the data's."""
        place = Path(self.file).resolve().parent if folder is None else Path(folder).resolve()
        return (prompt.line(place) for prompt in self.prompts)

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes prompts --json` prints."""
        return {
            "data": self.file,
            "part": self.part,
            "wording": self.wording,
            "prompts": len(self.prompts),
            "questions": self.questions,
            "without_paraphrase": self.without_paraphrase,
            "images": len({image for prompt in self.prompts for image in prompt.images}),
            "kinds": dict(sorted(Counter(prompt.kind for prompt in self.prompts).items())),
            "file": None,
        }

    def __str__(self) -> str:
        value = self.to_dict()
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in value["kinds"].items())
        return f"{self.file}: {len(self.prompts):,} prompts about {value['images']:,} pictures ({kinds})"

    def write(self, path: Path | str) -> None:
        """Write the prompts as JSON lines, whole or not at all."""
        write_whole(path, b"".join(orjson.dumps(line) + b"\n" for line in self.lines(Path(path).parent)))


@verb
def scenes_prompts(
    file: Path | str,
    *,
    split: str | Path | Split | None = None,
    part: str = "test",
    wording: str = GENERATED,
    pictures: Path | str | None = None,
    world: Path | str | None = None,
) -> ScenesPrompts:
    """Prompts of the questions of a part: as the field `part` says it (`all` for all parts), or a split does.

    `wording` is `generated`, `paraphrase` or `both`. `pictures` is their folder, where it is not beside the data.
    """
    from recombine.datasets.scenes_questions import read_questions
    from recombine.evaluation.answers.paraphrased import SUFFIX, paraphrase_of

    if wording not in WORDINGS:
        raise UnknownNameError("wording", wording, WORDINGS)
    read = read_questions(file, world=world)
    questions = _questions(read, split, part)
    found = _pictures(read, questions, pictures)
    prompts, without = [], 0
    for question in questions:
        images = tuple(found[image] for image in question.images)
        reworded = paraphrase_of(read.dataset[question.id])
        without += reworded is None
        if wording != PARAPHRASE:
            prompts.append(Prompt(question.id, images, _text(question, question.source), question.kind))
        if wording != GENERATED and reworded is not None:
            prompts.append(Prompt(question.id + SUFFIX, images, _text(question, reworded), question.kind))
    if wording != GENERATED and without == len(questions):
        raise InputFileError(
            f"{file}: no question of {part} has a paraphrase", "let people write some: recombine scenes hand-off"
        )
    if wording != GENERATED and without:
        note(f"{file}: {without:,} of {len(questions):,} questions have no paraphrase")
    return ScenesPrompts(str(file), part, wording, tuple(prompts), len(questions), without)


def _questions(read: ScenesQuestions, split: str | Path | Split | None, part: str) -> list[AskedQuestion]:
    """The questions of a part, in the order of the data."""
    if split is not None:
        from recombine.workbench.given.data_and_split import find_split

        loaded = find_split(read.dataset, split)
        if part != "all":
            loaded.positions(read.dataset, part)  # refuses ids that are not in the data
        chosen = {key for name, ids in loaded.parts.items() if part in ("all", name) for key in ids}
        questions = [question for question in read.questions if question.id in chosen]
    else:
        parts = sorted({question.part for question in read.questions})
        if part != "all" and part not in parts:
            raise OptionError(f"{read.path} has no part {part!r}", f"its parts are {', '.join(parts)}, and all")
        questions = [question for question in read.questions if part in ("all", question.part)]
    if not questions:
        raise OptionError(f"there is no question in {part}", "choose another part")
    return questions


def _pictures(read: ScenesQuestions, questions: list[AskedQuestion], folder: Path | str | None) -> dict[str, Path]:
    """The picture of each scene that is asked about."""
    from recombine.scenes.files.find_pictures import find_pictures

    place = read.pictures if folder is None else Path(folder)
    if place is None:
        raise InputFileError(f"{read.path}: there are no pictures beside it", "name their folder with --pictures DIR")
    wanted = dict.fromkeys(image for question in questions for image in question.images)
    found = find_pictures([read.scenes.by_id[image] for image in wanted], place)
    return {image: path.resolve() for image, path in found.items()}


def _text(question: AskedQuestion, wording: str) -> str:
    """What is asked, and how to answer it."""
    number = len(question.images)
    look = "Look at the picture." if number == 1 else f"Look at the {number} pictures."
    return f"{look}\n{wording}\n{_how(question, wording)}"


def _how(question: AskedQuestion, wording: str) -> str:
    from recombine.languages.scenes import name_of
    from recombine.scenes.balance.asked_question import CHOICE, NUMBER, TRUTH

    if question.kind == CHOICE:
        names = [name_of(child.label) for child in question.program.children[: len(LETTERS)]]
        options = "\n".join(f"{letter}: {name}" for letter, name in zip(LETTERS, names, strict=True))
        return f"{options}\nAnswer with the letter A or B only."
    if question.kind == NUMBER:
        return "Answer with a number only."
    if question.kind == TRUTH:
        return f"Answer with {'yes or no' if wording.rstrip().endswith('?') else 'true or false'} only."
    return "Answer with one word, or two, only."
