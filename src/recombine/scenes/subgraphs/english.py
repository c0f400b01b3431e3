"""Sub-graphs in English: `a tall boy that is wearing a red cap and is holding a ball`.

Objects of one relation are joined: `a boy that is wearing a cap and a coat`. Only the root can be plural. Objects below
have an indefinite article, or none where they are a mass or a plural. An object can also be said by a relation that
leads to it: `boys with a tree behind them`. An attribute such as `looking up` or `on` comes after the noun: `a man that
is looking up and is wearing a jersey`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from recombine.scenes.subgraphs.words import Words, find_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.scenes.subgraph import Subgraph, SubRelation


_BE = ("is", "are")


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
    many = is_many(graph, plural=plural, words=words)
    clauses = [f"{verb} {rest}" for verb, rest in _clauses(graph, many, words)]
    said = noun_phrase(graph, article=article, plural=plural, words=words)
    return f"{said} that {' and '.join(clauses)}" if clauses else said


def noun_phrase(
    graph: Subgraph, *, article: Article = Article.INDEFINITE, plural: bool = False, words: Words | None = None
) -> str:
    """The root of a sub-graph with its attribute, without relations: `the red cap`, `red caps`, `water`."""
    words = words or find_words()
    noun = words.plural(graph.name) if plural else graph.name
    said = noun if graph.attribute is None or words.stands_after(graph.attribute) else f"{graph.attribute} {noun}"
    if article is Article.DEFINITE:
        return f"the {said}"
    if article is Article.NONE or plural or not words.is_countable(graph.name):
        return said
    return f"{words.article(said)} {said}"


def is_many(graph: Subgraph, *, plural: bool = False, words: Words | None = None) -> bool:
    """Whether a verb of which it is the subject is `are`: plurals, but no masses."""
    words = words or find_words()
    return words.is_plural(graph.name) or (plural and not words.is_uncountable(graph.name))


def predicate(graph: Subgraph, *, many: bool, words: Words | None = None) -> str:
    """What is said of the root, as a sentence says it: `are holding a ball and wearing a cap`; empty for a bare one.

    >>> from recombine.scenes.subgraph import Subgraph, SubRelation
    >>> worn = (SubRelation("wearing", Subgraph("cap")), SubRelation("wearing", Subgraph("coat")))
    >>> predicate(Subgraph("boy", None, (SubRelation("has", Subgraph("ball")), *worn)), many=True)
    'have a ball and are wearing a cap and a coat'
    """
    words = words or find_words()
    clauses = _clauses(graph, many, words)
    said = []
    for place, (verb, rest) in enumerate(clauses):
        # "are holding a ball and wearing a cap" shares its verb, "have a wheel and are in a room" cannot
        shared = verb in _BE and place > 0 and clauses[place - 1][0] == verb
        said.append(rest if shared else f"{verb} {rest}")
    return " and ".join(said)


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
    name = relation.name
    if name in words.finite:
        name = f"that {words.finite[name][is_many(subject, words=words)]}"
    return f"{target} with {by} {name} {pronoun}{_modifiers(relation, words)}"


def _clauses(graph: Subgraph, many: bool, words: Words) -> list[tuple[str, str]]:
    """What is said of the root, one after the other: a verb and what follows it."""
    clauses = []
    if graph.attribute is not None and words.stands_after(graph.attribute):
        clauses.append((_BE[many], graph.attribute))
    for relations in _joined(graph.relations):
        name = relations[0].name
        objects = [describe(each.child, words=words) + _modifiers(each, words) for each in relations]
        said = " and ".join(objects)
        clauses.append((words.finite[name][many], said) if name in words.finite else (_BE[many], f"{name} {said}"))
    return clauses


def _joined(relations: Sequence[SubRelation]) -> list[list[SubRelation]]:
    """Relations in groups whose objects can be said together: `wearing a cap and a coat`.

    Not those with more on them: "pulling a cart with a rope and a sled" leaves open what is pulled with the rope.
    """
    groups: list[list[SubRelation]] = []
    for each in relations:
        last = groups[-1][-1] if groups else None
        if last is not None and last.name == each.name and _ends_here(last) and _ends_here(each):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _ends_here(relation: SubRelation) -> bool:
    return not relation.mods and not relation.child.relations


def _modifiers(relation: SubRelation, words: Words) -> str:
    return "".join(f" {mod.name} {describe(mod.child, words=words)}" for mod in relation.mods)
