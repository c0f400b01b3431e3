"""Which kinds of rules a definition takes: `all`, one of them, or several with + between them."""

from __future__ import annotations

from recombine.records.derivation import RULE_KINDS

ALL = "all"


def parse_rule_choice(text: str) -> str | None:
    """The choice with its kinds in their order; none where the text is none.

    >>> parse_rule_choice("inference+grammar"), parse_rule_choice("all"), parse_rule_choice("verbs")
    ('grammar+inference', 'all', None)
    """
    named = text.split("+")
    if text == ALL:
        return ALL
    if len(set(named)) < len(named) or not set(named) <= set(RULE_KINDS):
        return None
    return "+".join(kind for kind in RULE_KINDS if kind in named)


def chosen_kinds(choice: str) -> tuple[str, ...]:
    """The kinds of a choice."""
    return RULE_KINDS if choice == ALL else tuple(choice.split("+"))
