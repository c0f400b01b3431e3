"""What people wrote, read back: each line is taken or counted by the reason why it is not.

Lines are `{item, author, answer}`; what went out is known by its items. One line that is broken, as the half one that a
stopped program leaves, costs that line alone. Files are read in their order, the earlier ones first: an answer that is
there already stays, and a second one of the same person to the same item is a duplicate.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from recombine.errors import InputFileError, RecordError
from recombine.files import read_text, write_whole
from recombine.json_lines import iter_json_lines
from recombine.kb.tasks.task_line import (
    CANONICAL,
    FIELDS,
    FORM,
    JUDGEMENT,
    PARAPHRASE,
    SURFACE_FORMS,
    TASKS,
    TaskLine,
    bracketed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

BROKEN = "broken line"
MALFORMED = "without item, author or answer"
UNKNOWN = "unknown item"
OTHER_TASK = "another task than the item's"
ANSWER = "answer of another kind than was asked"
BRACKETS = "altered brackets"
DUPLICATE = "second answer of one author"
REPEATED = "text that is there already"
OWN_WORK = "judgement of one's own work"
ORPHAN = "judgement of what was not taken"
REASONS = (BROKEN, MALFORMED, UNKNOWN, OTHER_TASK, ANSWER, BRACKETS, DUPLICATE, REPEATED, OWN_WORK, ORPHAN)
"""Why a line is dropped."""


class Answered(NamedTuple):
    """An answer that was taken."""

    line: TaskLine
    author: str
    answer: Any

    def to_dict(self) -> dict[str, Any]:
        """The object of the line: what went out, by whom it was answered, and the answer."""
        return self.line.to_dict() | {"author": self.author, "answer": self.answer}


class TasksRead(NamedTuple):
    """What was taken, what was dropped and why, and what is still to be judged or done."""

    answers: tuple[Answered, ...]
    dropped: Mapping[str, int]
    first_dropped: Mapping[str, str]
    """The file and line of the first one dropped, by its reason."""
    not_judged: tuple[str, ...]
    """The items whose texts were taken and have no judgement."""
    open_items: tuple[str, ...]
    """The items without an answer."""

    def write(self, path: Path | str) -> None:
        """Write what was taken, whole or not at all."""
        write_whole(path, b"".join(orjson.dumps(each.to_dict()) + b"\n" for each in self.answers))


def read_sent(path: Path | str) -> dict[str, TaskLine]:
    """The lines that went out, by their items; a line that is not one is an error, as this program wrote them."""
    sent: dict[str, TaskLine] = {}
    text = read_text(path)
    for number, record in iter_json_lines(text, path) if text else ():
        for name in FIELDS:
            kind = dict if name == "show" else str
            if not isinstance(record.get(name), kind):
                raise RecordError(path, f"line {number}", f"has no {name!r}", "give the file that was written")
        if record["task"] not in TASKS:
            raise RecordError(path, f"line {number}", f"{record['task']!r} is no task", f"give {', '.join(TASKS)}")
        if record["item"] in sent:
            problem = f"the item {record['item']!r} stands there twice"
            raise RecordError(path, f"line {number}", problem, "give each its own name")
        sent[record["item"]] = TaskLine(*(record[name] for name in FIELDS))
    if not sent:
        raise InputFileError(f"{path}: holds no task", "give the file that was written")
    return sent


def read_tasks(sent: Mapping[str, TaskLine], paths: Iterable[Path | str]) -> TasksRead:
    """Read files of answers, the earlier work first."""
    reader = _Reader(sent)
    records = [(place, record) for path in paths for place, record in reader.records(path)]
    judged = [pair for pair in records if sent[pair[1]["item"]].task == JUDGEMENT]
    for place, record in (pair for pair in records if sent[pair[1]["item"]].task != JUDGEMENT):
        reader.take(place, record)
    for place, record in judged:  # after all that they may be about, wherever that stands
        reader.take(place, record)
    return reader.result()


class _Reader:
    def __init__(self, sent: Mapping[str, TaskLine]) -> None:
        self.sent = sent
        self.taken: list[Answered] = []
        self.by: set[tuple[str, str]] = set()
        self.texts: set[tuple[str, str]] = set()
        self.authors: dict[str, set[str]] = {}
        self.dropped: Counter[str] = Counter()
        self.first: dict[str, str] = {}

    def drop(self, reason: str, place: str) -> None:
        self.dropped[reason] += 1
        self.first.setdefault(reason, place)

    def records(self, path: Path | str) -> list[tuple[str, dict[str, Any]]]:
        """The records of a file that are about an item that went out."""
        found = []
        for number, line in enumerate(read_text(path).split("\n"), start=1):
            place = f"{path}, line {number}"
            if not line.strip():
                continue
            try:
                record = orjson.loads(line)
            except orjson.JSONDecodeError:
                self.drop(BROKEN, place)
                continue
            named = isinstance(record, dict) and all(
                isinstance(record.get(name), str) and record[name].strip() for name in ("item", "author")
            )
            if not named or "answer" not in record:
                self.drop(MALFORMED, place)
            elif record["item"] not in self.sent:
                self.drop(UNKNOWN, place)
            elif record.get("task", self.sent[record["item"]].task) != self.sent[record["item"]].task:
                self.drop(OTHER_TASK, place)
            else:
                found.append((place, record))
        return found

    def take(self, place: str, record: dict[str, Any]) -> None:
        """Take an answer, or count why not."""
        line, author, answer = self.sent[record["item"]], record["author"].strip(), record["answer"]
        reason = self._reason(line, author, answer)
        if reason is not None:
            self.drop(reason, place)
            return
        self.by.add((line.item, author))
        self.authors.setdefault(line.item, set()).add(author)
        if line.task in (CANONICAL, PARAPHRASE):
            answer = " ".join(answer.split())
            self.texts.add((_about(line), _plain(answer)))
        self.taken.append(Answered(line, author, answer))

    def _reason(self, line: TaskLine, author: str, answer: Any) -> str | None:
        if not _is_answer(line, answer):
            return ANSWER
        if (line.item, author) in self.by:
            return DUPLICATE
        if line.task in (CANONICAL, PARAPHRASE):
            if not _keeps_brackets(line, answer):
                return BRACKETS
            again = line.task == PARAPHRASE and _plain(answer) == _plain(str(line.show.get("question", "")))
            if again or (_about(line), _plain(answer)) in self.texts:
                return REPEATED
        if line.task == JUDGEMENT:
            if author in (line.author, *self.authors.get(line.parent, ())):
                return OWN_WORK
            if line.parent in self.sent and line.parent not in self.authors:
                return ORPHAN
        return None

    def result(self) -> TasksRead:
        judged = {each.line.parent for each in self.taken if each.line.task == JUDGEMENT}
        texts = [each.line.item for each in self.taken if each.line.task in (CANONICAL, PARAPHRASE)]
        return TasksRead(
            tuple(self.taken),
            {reason: self.dropped[reason] for reason in REASONS if self.dropped[reason]},
            dict(self.first),
            tuple(dict.fromkeys(item for item in texts if item not in judged)),
            tuple(item for item in self.sent if item not in self.authors),
        )


def _is_answer(line: TaskLine, answer: Any) -> bool:
    """Whether an answer is of the kind that its task asks for."""
    if line.task == FORM:
        return isinstance(answer, bool)
    if line.task == JUDGEMENT:
        keys = ("same_meaning", "natural")
        return isinstance(answer, dict) and all(isinstance(answer.get(key), bool) for key in keys)
    if line.task == SURFACE_FORMS:
        known = line.show.get("names", [])
        return isinstance(answer, list) and all(isinstance(name, str) and name in known for name in answer)
    return isinstance(answer, str) and bool(answer.strip())


def _keeps_brackets(line: TaskLine, answer: str) -> bool:
    """Whether a text has in brackets what the question that was shown has."""
    shown = [line.show["question"]] if line.task == PARAPHRASE else line.show.get("questions", [])
    found = bracketed(" ".join(answer.split()))
    return found is not None and all(found == bracketed(text) for text in shown[:1])


def _about(line: TaskLine) -> str:
    """What two texts must not be alike about: the parent they share."""
    return f"{line.task} {line.parent}"


def _plain(text: str) -> str:
    """A text as far as it is another one: without case, spaces and end marks."""
    return " ".join(text.casefold().split()).rstrip(" ?.!")
