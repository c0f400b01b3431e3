"""Simple sub-graphs in English, as a reader of pictures gets them.

A modifier is a relation of the subject, named `pulling:_with`; it is said of some thing that is pulled.
"""

from __future__ import annotations

from functools import lru_cache

from recombine.models.pictures.making.marked_english import Described, Form, marked_description, marked_words
from recombine.scenes.subgraph import Subgraph, SubModifier, SubRelation
from recombine.scenes.subgraphs.instances import MODIFIER_MARK

THING = "thing"
"""The noun of an object of which nothing is said."""


def spelled_out(simple: Subgraph) -> Subgraph:
    """A simple sub-graph with its modifier as scenes have it, and a thing in the middle.

    >>> spelled_out(Subgraph("boy", None, (SubRelation("pulling:_with", Subgraph("rope")),))).relations[0].child.name
    'thing'
    """
    if not simple.relations or MODIFIER_MARK not in simple.relations[0].name:
        return simple
    verb, _, modifier = simple.relations[0].name.partition(MODIFIER_MARK)
    mods = (SubModifier(modifier, simple.relations[0].child),)
    return Subgraph(simple.name, simple.attribute, (SubRelation(verb, Subgraph(THING), mods),))


@lru_cache(maxsize=1 << 16)
def simple_text(simple: Subgraph) -> Described:
    """The words of a simple sub-graph, and where its nouns are.

    >>> " ".join(simple_text(Subgraph("boy", None, (SubRelation("pulling:_with", Subgraph("rope", "red")),))).words)
    'a boy that is pulling a thing with a red rope'
    """
    return marked_description(spelled_out(simple), Form(), marked_words())
