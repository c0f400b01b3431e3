"""The texts of examples by the names that fields of a CFQ item have (CFQ paper, App. A), wherever they are kept.

A field is a tag or a part of the context. Sources and targets stand for the patterns of questions and queries where
there are no fields of that name: they have M0, M1 … for entities. What some example lacks, the data lacks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.structures.programs.program_graphs import program_graphs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation

FIELDS = {
    "questions": "question",
    "question_patterns": "questionPatternModEntities",
    "question_templates": "questionTemplate",
    "queries": "sparql",
    "query_patterns": "sparqlPatternModEntities",
    "query_shapes": "sparqlPattern",
    "answers": "expectedResponse",
}
"""The fields of a CFQ item by what is counted."""
MOST_SHOWN = 5
"""So many answers of a question are shown at most."""
_COUNT, _SELECT = ("SELECT count", "SELECT (count", "ASK"), ("SELECT",)


@dataclass(frozen=True)
class ItemTexts:
    """The values of fields, a list with one for each example, by what is counted."""

    values: Mapping[str, Sequence[Any]]
    lacking: Mapping[str, str] = field(default_factory=dict)
    """Why what is not there is not."""


def item_texts(dataset: Dataset) -> ItemTexts:
    """The fields that every example of a data set has."""
    read: dict[str, list[Any]] = {name: [] for name in FIELDS}
    for tags, context in zip(dataset.iter_mappings("tags"), dataset.iter_mappings("context"), strict=True):
        for name, key in FIELDS.items():
            value = tags.get(key, context.get(key))
            if value is not None:
                read[name].append(value)
    whole = {name: values for name, values in read.items() if len(values) == len(dataset)}
    whole.setdefault("question_patterns", dataset.texts("source"))
    whole.setdefault("query_patterns", dataset.texts("target"))
    lacking = {
        name: f"no field {key}" if not read[name] else f"{len(dataset) - len(read[name]):,} examples have no {key}"
        for name, key in FIELDS.items()
        if name not in whole
    }
    if "query_shapes" not in whole and dataset.language is not None:
        whole["query_shapes"] = [program_shape(graph) for graph in program_graphs(dataset)]
        del lacking["query_shapes"]
    return ItemTexts(whole, lacking)


def is_closed(query: str) -> bool | None:
    """Whether a query asks whether something is so; none where it is no SPARQL.

    >>> is_closed("SELECT count ( * ) WHERE { M0 a M1 }"), is_closed("SELECT DISTINCT ?x0"), is_closed("walk ( )")
    (True, False, None)
    """
    head = " ".join(query.split()[:2])
    if head.startswith(_COUNT):
        return True
    return False if head.startswith(_SELECT) else None


def listed_answers(value: Any) -> list[str]:
    """The answers that a field holds: one text, or several in a list."""
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def shown_answers(value: Any) -> str:
    """The answers that a field holds in a line: the first few, and how many more there are.

    >>> shown_answers(["Jaws", "Alien"]), shown_answers("Yes"), shown_answers(list("abcdefgh"))
    ('Jaws; Alien', 'Yes', 'a; b; c; d; e; and 3 more')
    """
    listed = listed_answers(value)
    more = len(listed) - MOST_SHOWN
    return "; ".join([*listed[:MOST_SHOWN], f"and {more:,} more"] if more > 0 else listed)


def answer_counts(texts: ItemTexts, number: int) -> list[tuple[str, int]]:
    """The most frequent answers, each with the number of examples that have it; equal ones in the order of texts."""
    counts = Counter(name for value in texts.values["answers"] for name in dict.fromkeys(listed_answers(value)))
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number]


def program_shape(graph: Derivation) -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]:
    """A program with its symbols as numbers by first appearance.

    >>> from recombine.structures.programs.program_graphs import program_graph
    >>> from recombine.tree import Tree
    >>> both = [program_graph(Tree(name, (Tree("dog"),))) for name in ("count", "exists")]
    >>> program_shape(both[0]) == program_shape(both[1])
    True
    """
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(rule, len(numbers)) for rule in graph.rules), graph.edges
