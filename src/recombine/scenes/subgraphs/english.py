"""Sub-graphs in English: `a tall boy that is wearing a red cap and is holding a ball`.

Only the root can be plural. Objects below have an indefinite article, or none where they are a mass or a plural. An
object can also be said by a relation that leads to it: `boys with a tree behind them`. An attribute of several words
that begins as `looking up` does comes after the noun: `a man that is looking up and is wearing a jersey`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from recombine.scenes.subgraphs.words import Words, find_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.subgraph import Subgraph, SubRelation


class Article(StrEnum):
    """What stands before a noun."""

    INDEFINITE = "a"
    DEFINITE = "the"
    NONE = ""


def describe(
    graph: Subgraph, *, article: Article = Article.INDEFINITE, plural: bool = False, words: Words | None = None
) -> str:
    """A sub-graph in English.

    >>> from recombine.scenes.subgraph import Subgraph, SubRelation
    >>> held = SubRelation("pulling", Subgraph("cart", "old"))
    >>> describe(Subgraph("boy", "tall", (held,)), plural=True)
    'tall boys that are pulling an old cart'
    """
    words = words or find_words()
    clauses = _clauses(graph, words, plural=plural)
    said = noun_phrase(graph, article=article, plural=plural, words=words)
    return f"{said} that {' and '.join(clauses)}" if clauses else said


def noun_phrase(
    graph: Subgraph, *, article: Article = Article.INDEFINITE, plural: bool = False, words: Words | None = None
) -> str:
    """The root of a sub-graph with its attribute, without relations: `the red cap`, `red caps`, `water`."""
    words = words or find_words()
    noun = words.plural(graph.name) if plural else graph.name
    said = noun if graph.attribute is None or _stands_after(graph.attribute) else f"{graph.attribute} {noun}"
    if article is Article.DEFINITE:
        return f"the {said}"
    if article is Article.NONE or plural or not words.is_countable(graph.name):
        return said
    return f"{words.article(said)} {said}"


def is_many(graph: Subgraph, *, plural: bool = False, words: Words | None = None) -> bool:
    """Whether a verb of which it is the subject is `are`: plurals, but no masses."""
    words = words or find_words()
    return words.is_plural(graph.name) or (plural and not words.is_uncountable(graph.name))


def relation_phrase(relation: SubRelation, *, words: Words | None = None) -> str:
    """A relation with what it leads to, without a verb before it: `pulling a cart with a rope`."""
    words = words or find_words()
    said = [f"{relation.name} {describe(relation.child, words=words)}"]
    said += [f"{mod.name} {describe(mod.child, words=words)}" for mod in relation.mods]
    return " ".join(said)


def relation_clause(relation: SubRelation, *, plural: bool = False, words: Words | None = None) -> str:
    """A relation as what is said of something: `is pulling a cart`, `are pulling a cart`, `has a wheel`."""
    words = words or find_words()
    said = relation_phrase(relation, words=words)
    if relation.name in words.finite:
        return words.finite[relation.name] + said.removeprefix(relation.name) if plural else said
    return f"{'are' if plural else 'is'} {said}"


def describe_target(
    subject: Subgraph,
    relation: SubRelation,
    *,
    article: Article = Article.INDEFINITE,
    plural: bool = False,
    subject_article: Article = Article.INDEFINITE,
    words: Words | None = None,
) -> str:
    """The object that a relation leads to, said by who stands in it: `boys with a tree behind them`.

    >>> from recombine.scenes.subgraph import Subgraph, SubRelation
    >>> tree = Subgraph("tree", "large")
    >>> describe_target(tree, SubRelation("behind", Subgraph("boy")), plural=True)
    'boys with a large tree behind them'
    >>> describe_target(Subgraph("man"), SubRelation("riding", Subgraph("horse")), article=Article.DEFINITE)
    'the horse with a man riding it'
    """
    words = words or find_words()
    target = describe(relation.child, article=article, plural=plural, words=words)
    by = describe(subject, article=subject_article, words=words)
    pronoun = words.pronoun(relation.child.name, plural=plural and not words.is_uncountable(relation.child.name))
    name = f"that {relation.name}" if relation.name in words.finite else relation.name
    mods = "".join(f" {mod.name} {describe(mod.child, words=words)}" for mod in relation.mods)
    return f"{target} with {by} {name} {pronoun}{mods}"


def _clauses(graph: Subgraph, words: Words, *, plural: bool) -> Sequence[str]:
    """What is said of the root after `that`."""
    many = is_many(graph, plural=plural, words=words)
    after = graph.attribute is not None and _stands_after(graph.attribute)
    clauses = [f"{'are' if many else 'is'} {graph.attribute}"] if after else []
    return [*clauses, *(relation_clause(each, plural=many, words=words) for each in graph.relations)]


def _stands_after(attribute: str) -> bool:
    first, _, rest = attribute.partition(" ")
    return bool(rest) and first.endswith("ing")
