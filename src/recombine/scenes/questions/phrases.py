"""What slots hold: words, numbers, sub-graphs and conditions, each as English and as a part of a program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.languages.functional import render_functional
from recombine.languages.scenes import EVERYTHING, written_name
from recombine.scenes.programs.subgraph_program import (
    filtered,
    reached,
    subgraph_program,
    with_relations,
)
from recombine.scenes.subgraph import Subgraph, SubRelation
from recombine.scenes.subgraphs.english import (
    Article,
    describe,
    describe_target,
    is_many,
    noun_phrase,
    predicate,
)
from recombine.tree import Tree

if TYPE_CHECKING:
    from recombine.scenes.subgraphs.words import Words


class Phrase(ABC):
    """What a slot holds."""

    @cached_property
    def program(self) -> Tree:
        """The part of a program that it is."""
        return self._program()

    @cached_property
    def program_text(self) -> str:
        """The text of the program."""
        return render_functional(self.program)

    @abstractmethod
    def _program(self) -> Tree: ...

    @abstractmethod
    def say(self, form: str, number: int | None) -> str:
        """The English of it in a form; with a number, so many of it."""

    @abstractmethod
    def is_many(self, form: str) -> bool:
        """Whether a verb of it is `are`."""


@dataclass
class Word(Phrase):
    """A name: of an attribute, a type, a relation or an object."""

    name: str
    words: Words
    said: str = ""
    """What is said for it, where that is another text."""

    def _program(self) -> Tree:
        return Tree(written_name(self.name))

    def say(self, form: str, number: int | None) -> str:  # noqa: ARG002
        """The name, with an article where it is asked for."""
        return noun_phrase(Subgraph(self.name), words=self.words) if form == "a" else self.said or self.name

    def is_many(self, form: str) -> bool:  # noqa: ARG002
        """Whether the name is a plural."""
        return is_many(Subgraph(self.name), words=self.words)


@dataclass
class Number(Phrase):
    """A number."""

    value: int

    def _program(self) -> Tree:
        return Tree(str(self.value))

    def say(self, form: str, number: int | None) -> str:  # noqa: ARG002
        """The number in digits."""
        return str(self.value)

    def is_many(self, form: str) -> bool:  # noqa: ARG002
        """Whether there is not one."""
        return self.value != 1


@dataclass
class Objects(Phrase):
    """The objects that a sub-graph refers to."""

    graph: Subgraph
    words: Words

    def _program(self) -> Tree:
        return subgraph_program(self.graph)

    def say(self, form: str, number: int | None) -> str:
        """The sub-graph in English."""
        if form == "it":
            return self.words.pronoun(self.graph.name)
        if form == "nouns":
            return noun_phrase(self.graph, plural=True, words=self.words)
        if form == "do":
            return predicate(self.graph, many=is_many(self.graph, plural=True, words=self.words), words=self.words)
        if number is not None:
            said = describe(self.graph, article=Article.NONE, plural=number != 1, words=self.words)
            return f"{number} {said}"
        article = Article.DEFINITE if form == "the" else Article.INDEFINITE
        return describe(self.graph, article=article, plural=form == "many", words=self.words)

    def is_many(self, form: str) -> bool:
        """Whether a verb of it is `are`."""
        return is_many(self.graph, plural=form == "many", words=self.words)


@dataclass
class Reached(Phrase):
    """The objects that a relation leads to from others: `boys with a tree behind them`."""

    subject: Subgraph
    relation: SubRelation
    words: Words

    def _program(self) -> Tree:
        child = subgraph_program(self.relation.child)
        return reached(subgraph_program(self.subject), self.relation.name, child)

    def say(self, form: str, number: int | None) -> str:
        """Who is reached, and by whom."""
        article = Article.DEFINITE if form == "the" else Article.INDEFINITE
        plural = form == "many" or (number is not None and number != 1)
        said = describe_target(self.subject, self.relation, article=article, plural=plural, words=self.words)
        return said if number is None else f"{number} {said}"

    def is_many(self, form: str) -> bool:
        """Whether a verb of it is `are`."""
        return is_many(self.relation.child, plural=form == "many", words=self.words)


@dataclass
class Condition(Phrase):
    """What holds of some objects: relations, or an attribute."""

    relations: tuple[SubRelation, ...]
    attribute: str | None
    many: bool
    words: Words

    def _program(self) -> Tree:
        everything = Tree(EVERYTHING)
        program = everything if self.attribute is None else filtered(self.attribute, everything)
        return with_relations(program, self.relations)

    def say(self, form: str, number: int | None) -> str:  # noqa: ARG002
        """What is said of them: `are wearing a cap and holding a ball`."""
        if self.attribute is not None:
            return f"{'are' if self.many else 'is'} {self.attribute}"
        return predicate(Subgraph("", None, self.relations), many=self.many, words=self.words)

    def is_many(self, form: str) -> bool:  # noqa: ARG002
        """Whether a verb of it is `are`."""
        return self.many
