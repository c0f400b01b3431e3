"""A question that rules have made, as plain values that go from one process to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from recombine.grammars.unification.queries.query_text import QueryText


class MadeQuestion(NamedTuple):
    """A question with placeholders for its entities, its query and the applications of rules behind them."""

    pattern: str
    """The question in the spelling of the two-column files; its entities are `M0`, `M1` … by first appearance, each
    placeholder once."""
    query: QueryText
    """The query with the same placeholders, in its normal form."""
    frame: str
    """The kind of sentence: the rule of the question with the rules of its parts that are told apart."""
    derivation: str
    """The rows of the rule application graph as JSON."""
    tags: dict[str, str | int]
    """The fields of a CFQ item that splits and measures go by; the level is `parseTreeRuleCount`."""

    @property
    def level(self) -> int:
        """How many rules were applied: those of grammar, and the join."""
        return int(self.tags["parseTreeRuleCount"])

    @property
    def closed(self) -> bool:
        """Whether the answer is yes or no."""
        return "count" in self.query.head
