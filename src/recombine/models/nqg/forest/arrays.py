"""The arrays that the kernels work on: rules in a trie, charts, and examples."""

from __future__ import annotations

from typing import Any, NamedTuple


class Rules(NamedTuple):
    """A trie of rule sources with the rules that end at each node."""

    keys: Any  # hash table: node * 2^32 + symbol + 1, 0 where empty
    nodes: Any  # the node that a key leads to
    place: Any  # where in the table the edge into a node is
    parent: Any  # the node before a node
    alive: Any  # how many rules in use end at a node or beyond
    head: Any  # the last rule in use that ends at a node, or -1
    after: Any  # the next rule that ends at the same node, or -1
    end: Any  # the node at which a rule ends
    active: Any  # whether a rule is in use
    source_at: Any  # (rules + 1): where the source of a rule starts in the pool
    source: Any
    target_at: Any
    target: Any
    size: Any  # number of nodes, number of rules


class Chart(NamedTuple):
    """What is derived over each span."""

    first: Any  # (n + 1)²: the last entry of a span, or -1
    entries: Any  # start, end, where the target string first occurs, its length, the next entry of the span
    counts: Any  # derivations of an entry
    edges: Any  # entry, rule, entry of the first slot, entry of the second
    canon: Any  # where the string at a place of a length occurs first in the target


class Texts(NamedTuple):
    """The sources and targets of examples, each in one pool."""

    source_at: Any
    source: Any
    target_at: Any
    target: Any
