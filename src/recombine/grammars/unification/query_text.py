"""The normal form of a query: clauses sorted, variables numbered (CFQ paper, Appendix K).

Variables are numbered as they are met, clauses sorted, variables numbered again by first appearance, and clauses sorted
again without numbering again. Sorting is by the text of the clause as the two-column files of CFQ write it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STOP = "."


def short_name(token: str) -> str:
    """A name in the spelling of the two-column files: no leading `ns:`, and `m_` for `m.`.

    >>> short_name("ns:film.film.sequel|ns:film.film.prequel"), short_name("ns:m.05zppz"), short_name("?x0")
    ('film.film.sequel|ns:film.film.prequel', 'm_05zppz', '?x0')
    """
    if token.startswith("ns:"):
        token = token[3:]
        if token.startswith("m."):
            return "m_" + token[2:]
    return token


def normal_query(tokens: Sequence[str], names: Mapping[str, str]) -> tuple[str, list[list[str]], dict[str, str]]:
    """The head of a query, its clauses in order, and the names of its variables.

    `names` are the entities that stand for variables of the logical form; all other variables are numbered.
    """
    opening = tokens.index("{")
    clauses: list[list[str]] = []
    clause: list[str] = []
    for token in tokens[opening + 1 : -1]:
        if token != STOP:
            clause.append(short_name(token))
        elif clause:
            clauses.append(clause)
            clause = []
    if clause:
        clauses.append(clause)
    first: dict[str, str] = {}
    for token in (token for part in (tokens[:opening], *clauses) for token in part):
        if token[0] == "?" and token not in first:
            first[token] = names.get(token) or f"?x{sum(1 for value in first.values() if value[0] == '?')}"
    clauses = sorted([first[t] if t[0] == "?" else t for t in part] for part in clauses)
    again: dict[str, str] = {}
    for part in clauses:
        for token in part:
            if token[0] == "?" and token not in again:
                again[token] = f"?x{len(again)}"
    clauses = sorted([again[t] if t[0] == "?" else t for t in part] for part in clauses)
    final = {old: again.get(new, new) for old, new in first.items()}
    head = " ".join(final.get(token, token) for token in tokens[:opening])
    return head, clauses, final
