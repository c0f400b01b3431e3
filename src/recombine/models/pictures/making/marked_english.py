"""Descriptions in English with a mark behind each noun, so that it is known which word is which object.

The wording is that of questions (`scenes.subgraphs.english`). A mark is a character that no text has; words are asked
about without it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, NamedTuple

from recombine.models.pictures.arrays.words import split_words
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.english import Article, describe, describe_target
from recombine.scenes.subgraphs.words import Words, find_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIRST = 0xE000
_LAST = 0xE0FF


class Form(NamedTuple):
    """How a sub-graph is said: with which article, in the plural, and whether by what its relation leads to."""

    article: Article = Article.INDEFINITE
    plural: bool = False
    target: bool = False


class Described(NamedTuple):
    """A description: its words, and for each object the place of the noun's last word."""

    words: tuple[str, ...]
    nouns: tuple[int, ...]


def marked_description(graph: Subgraph, form: Form, words: MarkedWords) -> Described:
    """A sub-graph in English, with the places of its nouns in the order of its objects.

    >>> boy = Subgraph("boy", "tall", (SubRelation("pulling", Subgraph("cart")),))
    >>> marked_description(boy, Form(Article.NONE, plural=True), marked_words())
    Described(words=('tall', 'boys', 'that', 'are', 'pulling', 'a', 'cart'), nouns=(1, 6))
    """
    marked = _marked(graph, iter(range(_FIRST, _LAST)))
    if form.target and len(marked.relations) == 1:
        subject = Subgraph(marked.name, marked.attribute)
        text = describe_target(subject, marked.relations[0], article=form.article, plural=form.plural, words=words)
    else:
        text = describe(marked, article=form.article, plural=form.plural, words=words)
    said: list[str] = []
    nouns: dict[int, int] = {}
    for piece in text.split(" "):
        mark = ord(piece[-1]) if piece else 0
        if _FIRST <= mark <= _LAST:
            said += _split(piece[:-1])
            nouns[mark - _FIRST] = len(said) - 1
        else:
            said += _split(piece)
    return Described(tuple(said), tuple(nouns[number] for number in range(len(nouns))))


_PIECES: dict[str, list[str]] = {}


def _split(piece: str) -> list[str]:
    if piece not in _PIECES:
        _PIECES[piece] = split_words(piece)
    return _PIECES[piece]


def _marked(graph: Subgraph, marks: Iterator[int]) -> Subgraph:
    name = graph.name + chr(next(marks))
    relations = []
    for each in graph.relations:
        child = _marked(each.child, marks)
        mods = tuple(SubModifier(mod.name, _marked(mod.child, marks)) for mod in each.mods)
        relations.append(SubRelation(each.name, child, mods))
    return Subgraph(name, graph.attribute, tuple(relations))


class MarkedWords(Words):
    """Words of nouns with marks behind them."""

    def is_uncountable(self, noun: str) -> bool:
        """Whether a noun is a mass."""
        return super().is_uncountable(_bare(noun))

    def is_plural(self, noun: str) -> bool:
        """Whether a name is a plural already."""
        return super().is_plural(_bare(noun))

    def plural(self, noun: str) -> str:
        """The plural, with the mark of the noun."""
        bare = _bare(noun)
        return super().plural(bare) + noun[len(bare) :]

    def pronoun(self, noun: str, *, plural: bool = False) -> str:
        """What stands for an object that was named."""
        return super().pronoun(_bare(noun), plural=plural)


def marked_words(words: Words | None = None) -> MarkedWords:
    """The words that questions are made with."""
    words = words or find_words()
    return MarkedWords(**{each.name: getattr(words, each.name) for each in fields(Words)})


def _bare(noun: str) -> str:
    return noun[:-1] if noun and _FIRST <= ord(noun[-1]) <= _LAST else noun
