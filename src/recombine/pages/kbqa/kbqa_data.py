"""What the page of a set of questions over a knowledge base shows: its numbers, and templates with their questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.evaluation.groups.form_shape import FUNCTIONS
from recombine.pages.kbqa.question_table import answers_of
from recombine.pages.kbqa.template_graph import draw_graph, example_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recombine.pages.kbqa.kbqa_tables import KbqaTables
    from recombine.pages.kbqa.question_table import QuestionTable
    from recombine.pages.kbqa.template_graph import DrawnGraph
    from recombine.records.example import Example

TEMPLATES, QUESTIONS, ANSWERS = 600, 6, 4
"""The most templates on a page, questions of a template, and answers of a question."""


@dataclass(frozen=True)
class ShownQuestion:
    """A question in pieces, with its answers."""

    id: str
    pieces: tuple[tuple[str, bool], ...]
    """The text, each piece with whether it is a name."""
    answers: tuple[str, ...]
    more: int
    """Answers that are not listed."""
    level: str
    wording: str


@dataclass(frozen=True)
class ShownTemplate:
    """A template with its graph and some of its questions."""

    text: str
    form: str
    """The form of its first question."""
    relations: int
    function: str
    domains: tuple[str, ...]
    levels: Mapping[str, int]
    questions: int
    wordings: int
    graph: DrawnGraph | None
    not_drawn: str
    """Why there is no graph."""
    shown: tuple[ShownQuestion, ...]

    def to_record(self) -> dict[str, Any]:
        """As the page's script reads it."""
        return {
            "text": self.text,
            "form": self.form,
            "relations": self.relations,
            "function": self.function,
            "domains": list(self.domains),
            "levels": dict(self.levels),
            "questions": self.questions,
            "wordings": self.wordings,
            "graph": None if self.graph is None else self.graph.to_record(),
            "not_drawn": self.not_drawn,
            "shown": [
                [each.id, list(map(list, each.pieces)), list(each.answers), each.more, each.level, each.wording]
                for each in self.shown
            ],
        }


@dataclass(frozen=True)
class KbqaData:
    """What the page is made of."""

    tables: KbqaTables
    templates: int
    """How many there are."""
    shown: tuple[ShownTemplate, ...]

    def choices(self) -> dict[str, list[str]]:
        """What templates can be filtered by: functions, numbers of relations, levels and domains of those shown."""
        functions = Counter(each.function for each in self.shown)
        levels = {level for each in self.shown for level in each.levels}
        return {
            "function": [
                name for name in ("none", "count", "superlative", "comparative", "several") if functions[name]
            ],
            "relations": [str(number) for number in sorted({each.relations for each in self.shown})],
            "level": [name for name in self.tables.levels.names if name in levels],
            "domain": sorted({domain for each in self.shown for domain in each.domains}),
        }


def build_kbqa_data(tables: KbqaTables, *, most: int = TEMPLATES) -> KbqaData:
    """The templates of a set in the order of their kinds; of too many, so many of all kinds in turn."""
    if most < 1:
        raise OptionError(f"cannot show {most} templates", "give 1 or more")
    table = tables.table
    kinds: dict[tuple[int, str], list[int]] = {}
    for number, rows in table.rows_of.items():
        shape = table.shapes[rows[0]]
        if shape is not None:
            kinds.setdefault((shape.relations, shape.function), []).append(number)
    order = sorted(kinds, key=lambda kind: (kind[0], FUNCTIONS.index(kind[1])))
    in_turn = [number for each in zip_longest(*(kinds[kind] for kind in order)) for number in each]
    kept = set([number for number in in_turn if number is not None][:most])
    chosen = [number for kind in order for number in kinds[kind] if number in kept]
    return KbqaData(tables, len(table.rows_of), tuple(_template(tables, number) for number in chosen))


def _template(tables: KbqaTables, number: int) -> ShownTemplate:
    table = tables.table
    rows = table.rows_of[number]
    first, shape = table.items[rows[0]], table.shapes[rows[0]]
    if shape is None:
        raise AssertionError("a template is of forms that were read")
    graph, why = _graph(table, first)
    levels = Counter(filter(None, (tables.levels.of_rows[row] for row in rows)))
    return ShownTemplate(
        table.features.template_texts[number],
        first.target,
        shape.relations,
        shape.function,
        tuple(table.domains_of(rows[0])),
        {name: levels[name] for name in tables.levels.names if levels[name]},
        len(rows),
        len({table.questions[row].wording for row in rows}),
        graph,
        why,
        tuple(_question(tables, row) for row in _chosen(table, rows)),
    )


def _graph(table: QuestionTable, example: Example) -> tuple[DrawnGraph | None, str]:
    try:
        return draw_graph(example_graph(example, table.setting), table.setting.profile), ""
    except RecombineError as error:
        return None, error.problem


def _chosen(table: QuestionTable, rows: Sequence[int]) -> list[int]:
    """Some questions of a template, its different wordings first."""
    seen = set[str]()
    new, old = list[int](), list[int]()
    for row in rows:
        wording = table.questions[row].wording
        (old if wording in seen else new).append(row)
        seen.add(wording)
    return [*new, *old][:QUESTIONS]


def _question(tables: KbqaTables, row: int) -> ShownQuestion:
    table = tables.table
    example = table.items[row]
    answers = [_answer(each) for each in answers_of(example) or ()]
    wording = example.tags.get("wording")
    return ShownQuestion(
        example.id,
        tuple(table.questions[row].pieces),
        tuple(answers[:ANSWERS]),
        max(0, len(answers) - ANSWERS),
        tables.levels.of_rows[row],
        wording if isinstance(wording, str) else "",
    )


def _answer(answer: Any) -> str:
    """An answer in words: its name, where it has one."""
    if hasattr(answer, "get"):
        return _first(answer.get(name) for name in ("entity_name", "answer_argument", "answer", "name"))
    return str(answer)


def _first(values: Iterable[Any]) -> str:
    return next((str(value) for value in values if value not in (None, "")), "?")
