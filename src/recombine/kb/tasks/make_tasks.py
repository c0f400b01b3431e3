"""The lines of work for people, of forms, of questions and of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from recombine.files import write_whole
from recombine.kb.forms.write_graph import write_graph
from recombine.kb.tasks.task_line import CANONICAL, FORM, JUDGEMENT, PARAPHRASE, SURFACE_FORMS, TASKS, TaskLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from recombine.kb.forms.form import GraphQuery
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.wording.wordings import Wordings


def form_task(name: str, query: GraphQuery, wordings: Wordings, profile: Profile) -> TaskLine:
    """Is this a form that somebody would ask for? The questions of the grammar are shown to read it by."""
    return TaskLine(f"{FORM}/{name}", FORM, "", "", _shown(query, wordings, profile), TASKS[FORM])


def canonical_task(name: str, query: GraphQuery, wordings: Wordings, profile: Profile) -> TaskLine:
    """Write the question of a form; those of the grammar are shown as drafts."""
    shown = _shown(query, wordings, profile)
    return TaskLine(f"{CANONICAL}/{name}", CANONICAL, f"{FORM}/{name}", "", shown, TASKS[CANONICAL])


def paraphrase_task(
    name: str,
    question: str,
    *,
    number: int = 1,
    author: str = "",
    answers: Sequence[str] = (),
    answer_type: str = "",
    graph: dict[str, Any] | None = None,
) -> TaskLine:
    """Say a canonical question in other words; `number` tells several lines for one question apart.

    `graph` is the graph query that it asks, by which the words are known to be those of a template.

    >>> paraphrase_task("q1", "who wrote [Jaws]?", number=2).item
    'paraphrase/q1/2'
    """
    show: dict[str, Any] = {"question": question, "answers": list(answers), "answer_type": answer_type}
    if graph is not None:
        show["graph_query"] = graph
    return TaskLine(f"{PARAPHRASE}/{name}/{number}", PARAPHRASE, f"{CANONICAL}/{name}", author, show, TASKS[PARAPHRASE])


def judgement_task(item: str, canonical: str, question: str, *, number: int = 1, author: str = "") -> TaskLine:
    """Judge a question that an item brought, by its canonical one; `author` wrote it, and may not judge it."""
    show = {"canonical": canonical, "question": question}
    return TaskLine(f"{JUDGEMENT}/{item}/{number}", JUDGEMENT, item, author, show, TASKS[JUDGEMENT])


def surface_forms_task(entity: str, name: str, counted: Iterable[tuple[str, int]]) -> TaskLine:
    """Choose the names of an entity from some that were found, the most frequent first.

    >>> surface_forms_task("m.1", "Ang Lee", [("Lee", 2), ("Ang Lee", 9)]).show["names"]
    ['Ang Lee', 'Lee']
    """
    names = [text for text, _ in sorted(counted, key=lambda pair: (-pair[1], pair[0]))]
    show = {"entity": entity, "name": name, "names": names}
    return TaskLine(f"{SURFACE_FORMS}/{entity}", SURFACE_FORMS, "", "", show, TASKS[SURFACE_FORMS])


def write_tasks(lines: Iterable[TaskLine], path: Path | str) -> int:
    """Write lines, whole or not at all; how many there are."""
    rows = [orjson.dumps(line.to_dict()) + b"\n" for line in lines]
    write_whole(path, b"".join(rows))
    return len(rows)


def _shown(query: GraphQuery, wordings: Wordings, profile: Profile) -> dict[str, Any]:
    drafts = [wording.text for wording in wordings.questions(query)]
    return {"graph_query": write_graph(query, profile), "questions": drafts}
