"""Questions about scenes as items for people, and what people said of them.

An item is a line `{item, task, parent, author, show, ask}`. Of each question there are two: `ID/validate` shows its
pictures, the question and the answer and asks for a verdict; `ID/paraphrase`, whose parent is the first, asks for the
question in other words. What comes back are lines `{item, verdict}`, where a verdict is `accept` or `reject`, and
`{item, paraphrase}`. A question is rejected where at least half of its verdicts reject it: who is not sure rejects.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.errors import OptionError, RecordError
from recombine.files import read_utf8, write_whole
from recombine.json_lines import iter_json_lines
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.datasets.scenes_questions import ScenesQuestions
    from recombine.scenes.balance.asked_question import AskedQuestion

VALIDATE, PARAPHRASE = "validate", "paraphrase"
ACCEPT, REJECT = "accept", "reject"
AUTHOR = "recombine"


@dataclass(frozen=True, repr=False, eq=False)
class HandOff(Result):
    """Items for people."""

    file: str
    lines: tuple[dict[str, Any], ...]
    questions: int

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes hand-off --json` prints."""
        return {"data": self.file, "questions": self.questions, "items": len(self.lines), "file": None}

    def __str__(self) -> str:
        return f"{self.file}: {len(self.lines):,} items of {self.questions:,} questions"

    def write(self, path: Path | str) -> None:
        """Write the items as JSON lines, whole or not at all."""
        write_whole(path, b"".join(orjson.dumps(item) + b"\n" for item in self.lines))


@dataclass(frozen=True, repr=False, eq=False)
class TakenBack(Result):
    """What people said of questions."""

    read: ScenesQuestions = field(repr=False)
    asked: int
    verdicts: int
    judged: int
    rejected: tuple[str, ...]
    """The ids of rejected questions."""
    paraphrases: dict[str, str]
    """The paraphrase of each question that was kept; of several the first."""

    @property
    def rejection_rate(self) -> float | None:
        """The share of judged questions that were rejected; none where none was judged."""
        return len(self.rejected) / self.judged if self.judged else None

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes hand-off --answers FILE --json` prints."""
        return {
            "data": str(self.read.path),
            "questions": self.asked,
            "verdicts": self.verdicts,
            "judged": self.judged,
            "rejected": len(self.rejected),
            "rejection_rate": self.rejection_rate,
            "paraphrases": len(self.paraphrases),
            "file": None,
        }

    def __str__(self) -> str:
        rate = self.rejection_rate
        said = "none was judged" if rate is None else f"{len(self.rejected):,} of {self.judged:,} rejected ({rate:.1%})"
        return f"{self.read.path}: {said}, {len(self.paraphrases):,} paraphrases"

    def write(self, path: Path | str) -> None:
        """Write the data without rejected questions, each with its `paraphrase` or null, whole or not at all."""
        from recombine.datasets.files.tables import write_table
        from recombine.records.example import frozen_context

        out = set(self.rejected)
        dataset = self.read.dataset
        kept = [
            replace(
                example, context=frozen_context({**example.context, "paraphrase": self.paraphrases.get(example.id)})
            )
            for example in dataset
            if example.id not in out
        ]
        write_table(dataset.with_examples(kept), path)


@verb
def scenes_hand_off(
    file: Path | str,
    *,
    part: str = "test",
    answers: Path | str | None = None,
    world: Path | str | None = None,
) -> HandOff | TakenBack:
    """Items for people of the questions of a part (`all` for all parts); with `answers`, what people said of them."""
    from recombine.datasets.scenes_questions import read_questions

    read = read_questions(file, world=world)
    parts = sorted({question.part for question in read.questions})
    if part != "all" and part not in parts:
        raise OptionError(f"{file} has no part {part!r}", f"its parts are {', '.join(parts)}, and all")
    questions = [question for question in read.questions if part in ("all", question.part)]
    if answers is not None:
        return _taken_back(read, questions, Path(answers))
    items = tuple(item for question in questions for item in _items(question, read))
    return HandOff(str(file), items, len(questions))


def _items(question: AskedQuestion, read: ScenesQuestions) -> Iterator[dict[str, Any]]:
    show = {
        "pictures": [_picture(image, read) for image in question.images],
        "question": question.source,
        "answer": question.answer,
    }
    first = f"{question.id}/{VALIDATE}"
    yield {
        "item": first,
        "task": VALIDATE,
        "parent": None,
        "author": AUTHOR,
        "show": show,
        "ask": {"verdict": [ACCEPT, REJECT]},
    }
    yield {
        "item": f"{question.id}/{PARAPHRASE}",
        "task": PARAPHRASE,
        "parent": first,
        "author": AUTHOR,
        "show": show,
        "ask": {"paraphrase": "text"},
    }


def _picture(image: str, read: ScenesQuestions) -> str:
    """Where a picture lies, from the data file's folder; the id of its scene where there are no pictures beside it."""
    from recombine.scenes.files.find_pictures import find_pictures

    if read.pictures is None:
        return image
    found = find_pictures([read.scenes.by_id[image]], read.pictures)[image]
    return f"{read.pictures.name}/{found.name}"


def _taken_back(read: ScenesQuestions, questions: Sequence[AskedQuestion], path: Path) -> TakenBack:
    known = {question.id for question in questions}
    verdicts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    paraphrases: dict[str, str] = {}
    for number, record in iter_json_lines(read_utf8(path), path):
        where = f"line {number}"
        key, _, task = str(record.get("item", "")).rpartition("/")
        if key not in known or task not in (VALIDATE, PARAPHRASE):
            raise RecordError(path, where, f"{record.get('item')!r} is no item of these questions", "give their items")
        said = record.get("verdict" if task == VALIDATE else "paraphrase")
        if task == VALIDATE and said not in (ACCEPT, REJECT):
            raise RecordError(path, where, f"the verdict is {said!r}", f"write {ACCEPT} or {REJECT}")
        if not isinstance(said, str) or not said.strip():
            raise RecordError(path, where, "the paraphrase is no text", "write it as a string")
        if task == VALIDATE:
            verdicts[key][said] += 1
        else:
            paraphrases.setdefault(key, said.strip())
    rejected = tuple(sorted(key for key, said in verdicts.items() if 2 * said[REJECT] >= said.total()))
    kept = {key: text for key, text in paraphrases.items() if key not in rejected}
    total = sum(said.total() for said in verdicts.values())
    return TakenBack(read, len(questions), total, len(verdicts), rejected, kept)
