"""Logical forms for questions that come with a topic and answers alone: the paths that lead to just those answers.

MetaQA's questions have no programs. A path of as many relations as a question is said to have, from its topic to
exactly its answers, is taken for its form; the topic is left out at the end, as MetaQA leaves it out of the answers.
Several paths may do so for one question by chance. Questions that differ in their topic alone ask for the same, so of
several paths the one that answers most questions of the same wording is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.kb.candidates.candidate import Candidate
from recombine.kb.embedded.answer_paths import iter_answer_paths
from recombine.kb.term import Term
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.store import Step

ONE, SEVERAL, NONE = "one path", "several paths", "no path"
_TOPIC = re.compile(r"\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class PathForms:
    """Questions with forms, and how many had one path, several or none."""

    questions: tuple[Example, ...]
    """Those with a form, in their order; topic and answers are tags still."""
    counts: dict[str, int] = field(default_factory=dict)


def wording(question: str) -> str:
    """A question without its topic.

    >>> wording("what does [Tom Cullen] act in")
    'what does [] act in'
    """
    return _TOPIC.sub("[]", question)


def path_forms(store: EmbeddedStore, questions: Iterable[Example], hops: int) -> PathForms:
    """The questions that a path of so many relations answers, with the path as an S-expression."""
    asked = list(questions)
    paths = [_paths(store, question, hops) for question in asked]
    votes: dict[str, Counter[tuple[Step, ...]]] = {}
    for question, own in zip(asked, paths, strict=True):
        votes.setdefault(wording(question.source), Counter()).update(own)
    made = []
    for question, own in zip(asked, paths, strict=True):
        if own:
            best = _most_often(own, votes[wording(question.source)])
            form = Candidate(best, _topic(question)).text(store.profile)
            made.append(Example.of(question.source, form, tags={**question.tags, "hops": hops}))
    kinds = Counter(ONE if len(own) == 1 else SEVERAL if own else NONE for own in paths)
    return PathForms(tuple(made), {name: kinds[name] for name in (ONE, SEVERAL, NONE)})


def _paths(store: EmbeddedStore, question: Example, hops: int) -> list[tuple[Step, ...]]:
    answers = [Term.name(str(name)) for name in question.tags["answers"]]  # type: ignore[union-attr]
    return [tuple(path) for path in iter_answer_paths(store, _topic(question), answers, hops)]


def _topic(question: Example) -> Term:
    return Term.name(str(question.tags["topic"]))


def _most_often(paths: Sequence[tuple[Step, ...]], votes: Counter[tuple[Step, ...]]) -> tuple[Step, ...]:
    """The path with the most votes, of equals the first by its relations."""
    return min(paths, key=lambda path: (-votes[path], [(step.relation.key, step.inverse) for step in path]))
