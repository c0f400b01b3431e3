"""Lines of work for people made of a logical form that a record has: `form`, `canonical` or `paraphrase`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from recombine.kb.tasks.task_line import TaskLine

TASKS = ("form", "canonical", "paraphrase")


def form_lines(
    file: Path | str,
    task: str,
    number: int,
    profile: Path | str,
    ontology: Path | str | None,
    grammar: Path | str | None,
) -> Callable[[str, dict[str, Any]], list[TaskLine]]:
    """What makes the lines of a record, given the words that errors name it by; `file` is for errors too."""
    from recombine.kb.forms.read_graph import read_graph
    from recombine.kb.ontology.default_ontology import ontology_for
    from recombine.kb.profiles.find_profile import find_profile
    from recombine.kb.tasks.make_tasks import canonical_task, form_task, paraphrase_task
    from recombine.kb.wording.wordings import Wordings

    names = find_profile(profile)
    wordings = Wordings(None, ontology_for(names, ontology)[0], grammar)

    def made(place: str, record: dict[str, Any]) -> list[TaskLine]:
        if isinstance(tags := record.get("tags"), dict):  # as `generate kbqa` writes them
            record = {**tags, **record}
        key = record.get("qid", record.get("id"))
        if not isinstance(key, str | int) or "graph_query" not in record:
            raise RecordError(file, place, "has no qid or id, or no graph_query", "give both")
        query = read_graph(record["graph_query"], names)
        if task != "paraphrase":
            return [(form_task if task == "form" else canonical_task)(str(key), query, wordings, names)]
        question = record.get("question")
        text = question if isinstance(question, str) and "[" in question else wordings.questions(query)[0].text
        answers = [
            str(each.get("entity_name") or each.get("answer_argument")) if isinstance(each, dict) else str(each)
            for each in record.get("answer", [])
        ]
        kind = wordings.vocabulary.noun(query.nodes[query.asked].value, query.nodes[query.asked].name)
        return [
            paraphrase_task(
                str(key), text, number=place_, answers=answers, answer_type=kind, graph=record["graph_query"]
            )
            for place_ in range(1, number + 1)
        ]

    return made
