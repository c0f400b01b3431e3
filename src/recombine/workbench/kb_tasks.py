"""Work for people: lines to hand out, of forms, of answers that came back, or of names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecordError, UnknownNameError
from recombine.workbench.given.form_lines import form_lines
from recombine.workbench.given.form_records import iter_form_records
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from recombine.kb.tasks.task_line import TaskLine


@dataclass(frozen=True, repr=False, eq=False)
class KbTasks(Result):
    """The lines of one task."""

    task: str
    lines: tuple[TaskLine, ...]

    def to_dict(self) -> dict[str, Any]:
        """What `recombine kb tasks --json` prints."""
        return {"task": self.task, "lines": len(self.lines)}

    def __str__(self) -> str:
        return f"{len(self.lines):,} line{'s' * (len(self.lines) != 1)} of the task {self.task}"

    def write(self, path: Path | str) -> None:
        """Write the lines; the file is there whole or not at all."""
        from recombine.kb.tasks.make_tasks import write_tasks

        write_tasks(self.lines, path)


@verb
def kb_tasks(
    file: Path | str,
    *,
    task: str,
    number: int = 1,
    profile: Path | str = "freebase",
    ontology: Path | str | None = None,
    grammar: Path | str | None = None,
) -> KbTasks:
    """Make lines `{item, task, parent, author, show, ask}` of work for people.

    For `form`, `canonical` and `paraphrase` the file has JSON lines with `qid` or `id`, `graph_query`, and a bracketed
    `question` if there is one; for `judgement` the paraphrases that `kb_answers` wrote; for `surface_forms` lines with
    `entity`, `name` and `names`, a table of counts. `number` is how many people are asked for each paraphrase or
    judgement.
    """
    from recombine.kb.tasks.task_line import TASKS

    if task not in TASKS:
        raise UnknownNameError("task", task, TASKS)
    if number < 1:
        raise OptionError(f"number is {number}", "ask one person at least")
    made: Callable[[str, dict[str, Any]], list[TaskLine]]
    if task == "judgement":
        made = _judgements(file, number)
    elif task == "surface_forms":
        made = _surface_forms(file)
    else:
        made = form_lines(file, task, number, profile, ontology, grammar)
    lines = tuple(_iter_own(file, made))
    return KbTasks(task, lines)


def _iter_own(file: Path | str, made: Callable[[str, dict[str, Any]], list[TaskLine]]) -> Iterator[TaskLine]:
    """The lines, each with an item of its own."""
    seen: set[str] = set()
    for place, record in iter_form_records(file, "making tasks"):
        for line in made(place, record):
            if line.item in seen:
                raise RecordError(file, place, f"makes the item {line.item!r} again", "give each record its own id")
            seen.add(line.item)
            yield line


def _judgements(file: Path | str, number: int) -> Callable[[str, dict[str, Any]], list[TaskLine]]:
    from recombine.kb.tasks.make_tasks import judgement_task

    def made(place: str, record: dict[str, Any]) -> list[TaskLine]:
        if record.get("task") != "paraphrase":
            return []
        item, author, text, show = (record.get(name) for name in ("item", "author", "answer", "show"))
        known = isinstance(show, dict) and isinstance(show.get("question"), str)
        if not known or not all(isinstance(each, str) for each in (item, author, text)):
            raise RecordError(file, place, "is no answered paraphrase", "give the file that kb answers wrote")
        question = show["question"]  # type: ignore[index]
        whose = f"{item}/{author}"
        lines = [
            judgement_task(str(item), question, str(text), author=str(author), number=n + 1) for n in range(number)
        ]
        return [line._replace(item=f"judgement/{whose}/{n + 1}") for n, line in enumerate(lines)]

    return made


def _surface_forms(file: Path | str) -> Callable[[str, dict[str, Any]], list[TaskLine]]:
    from recombine.kb.tasks.make_tasks import surface_forms_task

    def made(place: str, record: dict[str, Any]) -> list[TaskLine]:
        entity, name, names = (record.get(field) for field in ("entity", "name", "names"))
        counted = isinstance(names, dict) and all(isinstance(count, int) for count in names.values())
        if not isinstance(entity, str) or not isinstance(name, str) or not counted:
            problem = "has no entity, no name, or no names with counts"
            raise RecordError(file, place, problem, 'give {"entity": …, "name": …, "names": {"Lee": 3}}')
        return [surface_forms_task(entity, name, names.items())]  # type: ignore[union-attr]

    return made
