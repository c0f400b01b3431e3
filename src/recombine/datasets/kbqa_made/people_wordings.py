"""Wordings that people gave, beside those of the grammar: what `recombine kb answers` took, by template.

A canonical question or a paraphrase is about the graph query that its line shows, or that its parent in the file shows.
What stands in brackets is what the leaves of that query are called, so that a slot can stand there for any grounding of
the template. The names that people chose for an entity are taken too. What cannot be used is counted by its reason:
texts whose form or meaning people refused, whose brackets are not the names of the leaves, or that say what is there
already. The thresholds of judgements are those of GrailQA's appendix A.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from recombine.errors import RecombineError, RecordError
from recombine.files import read_text
from recombine.json_lines import iter_json_lines
from recombine.kb.forms.read_graph import read_graph
from recombine.kb.tasks.task_line import CANONICAL, FORM, JUDGEMENT, PARAPHRASE, SURFACE_FORMS, TASKS
from recombine.kb.templates.template import Template
from recombine.kb.wording.wording import Skeleton
from recombine.kb.wording.wordings import Wordings, is_named, opened

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.kb.forms.form import GraphQuery
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

PEOPLE = "people"
"""The first part of the tags of people's wordings; the second is the task that brought them."""
LEAST_SAME, LEAST_NATURAL = 0.75, 0.6
"""The shares of judgements that a text needs."""
FORM_REFUSED, JUDGED, BRACKETS, REPEATED = "form refused", "judged wrong", "brackets that name no leaf", "there already"
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")


class _Text(NamedTuple):
    """A wording before its names, whose leaves are numbered in the order of the template's key."""

    pieces: tuple[str, ...]
    leaves: tuple[int, ...]
    task: str


@dataclass
class PeopleWordings:
    """What people said of templates, and what they call entities."""

    texts: dict[str, list[_Text]] = field(default_factory=dict)
    """By the key of the template."""
    names: dict[Term, tuple[str, ...]] = field(default_factory=dict)
    """What people call entities."""
    dropped: Counter[str] = field(default_factory=Counter)

    def of(self, template: Template) -> tuple[Skeleton, ...]:
        """The wordings of a template, as its groundings have it; none where nobody gave one."""
        places = template.ordered_leaves
        return tuple(
            Skeleton(text.pieces, tuple(places[leaf] for leaf in text.leaves), f"{PEOPLE}:{text.task}", PEOPLE)
            for text in self.texts.get(template.key, ())
        )

    def beside(self, template: Template, own: tuple[Skeleton, ...], *, alone: bool) -> tuple[Skeleton, ...]:
        """The wordings of a template by people and by the grammar, each once; or people's alone, if there are any."""
        said = self.of(template)
        if said and alone:
            return said
        texts = {(each.pieces, each.leaves) for each in said}
        return (*said, *(each for each in own if (each.pieces, each.leaves) not in texts))


def read_people_wordings(path: Path | str, profile: Profile) -> PeopleWordings:
    """What a file of `recombine kb answers` brings; a line that is not one of its lines is an error.

    Broken lines and answers that were not what was asked are dropped, and counted, by `kb answers`.
    """
    lines = _lines(path)
    refused = {line["item"].partition("/")[2] for line in lines if line["task"] == FORM and not line["answer"]}
    judged = _judged(lines)
    graphs = {line["item"]: line["show"]["graph_query"] for line in lines if "graph_query" in line["show"]}
    found, wordings = PeopleWordings(), Wordings()
    for number, line in enumerate(lines, 1):
        if line["task"] == SURFACE_FORMS:
            entity = profile.term(str(line["show"].get("entity", "")))
            found.names[entity] = tuple(dict.fromkeys((*found.names.get(entity, ()), *map(str, line["answer"]))))
        if line["task"] not in (CANONICAL, PARAPHRASE):
            continue
        graph = graphs.get(line["item"], graphs.get(line["parent"]))
        if graph is None:
            problem = f"neither {line['item']!r} nor its parent {line['parent']!r} shows a graph query"
            raise RecordError(path, f"line {number}", problem, "add the canonical questions that it is about")
        try:
            query = read_graph(graph, profile)
        except RecombineError as error:
            raise RecordError(path, f"line {number}", error.problem, error.remedy) from error
        name = (line["parent"] or line["item"]).partition("/")[2]
        if name in refused:
            found.dropped[FORM_REFUSED] += 1
        elif not judged.get((line["item"], line["answer"]), True):
            found.dropped[JUDGED] += 1
        else:
            _add(found, query, line, wordings)
    return found


def _lines(path: Path | str) -> list[dict[str, Any]]:
    """The lines of a file, each an answered task."""
    kinds: Mapping[str, type | tuple[type, ...]] = {
        CANONICAL: str,
        PARAPHRASE: str,
        FORM: bool,
        JUDGEMENT: dict,
        SURFACE_FORMS: list,
    }
    lines = []
    text = read_text(path)
    for number, line in iter_json_lines(text, path) if text.strip() else ():
        named = all(isinstance(line.get(name), str) for name in ("item", "task", "parent", "author"))
        whole = named and line["task"] in TASKS and isinstance(line.get("show"), dict)
        if not whole or not isinstance(line.get("answer"), kinds[line["task"]]):
            remedy = "give the file that `recombine kb answers` wrote with -o"
            raise RecordError(path, f"line {number}", "is no answered task", remedy)
        lines.append(line)
    return lines


def _judged(lines: list[dict[str, Any]]) -> dict[tuple[str, str], bool]:
    """Whether each text that was judged, by the item that brought it, is one to keep."""
    votes: dict[tuple[str, str], list[tuple[bool, bool]]] = {}
    for line in lines:
        if line["task"] == JUDGEMENT:
            said = line["answer"].get("same_meaning") is True, line["answer"].get("natural") is True
            votes.setdefault((line["parent"], str(line["show"].get("question", ""))), []).append(said)
    return {
        text: sum(same for same, _ in said) >= LEAST_SAME * len(said)
        and sum(natural for _, natural in said) >= LEAST_NATURAL * len(said)
        for text, said in votes.items()
    }


def _add(found: PeopleWordings, query: GraphQuery, line: Mapping[str, Any], wordings: Wordings) -> None:
    """Add a text to its template, or count why not."""
    template = Template(opened(query))
    by_name = {wordings.name_of(query.nodes[place]): leaf for leaf, place in enumerate(template.ordered_leaves)}
    parts = _BRACKETED.split(line["answer"])
    named = sum(map(is_named, query.nodes))
    if len(by_name) != named or sorted(parts[1::2]) != sorted(by_name):
        found.dropped[BRACKETS] += 1
        return
    own = found.texts.setdefault(template.key, [])
    said = _Text(tuple(parts[::2]), tuple(by_name[name] for name in parts[1::2]), line["task"])
    if any((each.pieces, each.leaves) == said[:2] for each in own):
        found.dropped[REPEATED] += 1
    else:
        own.append(said)
