"""The normal form of a query, its two spellings, and its pattern (CFQ paper, Appendices A and K).

Variables are numbered as they are met, clauses sorted, variables numbered again by first appearance, and clauses sorted
again without numbering again. Sorting is by the text of the clause as the two-column files of CFQ write it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STOP = "."
FILTER = "FILTER"
_CONSTANT = re.compile(r"m_\w+")
_ENTITY = re.compile(r"M\d+|m_\w+")
_PLACEHOLDER = re.compile(r"M\d+")
_NAME = re.compile(r"\w(?![\w-]*:)")
"""The beginning of a name without a prefix."""
_NOT_NAMED = re.compile(rf"M\d+|a|{FILTER}")


def short_name(token: str) -> str:
    """A name in the spelling of the two-column files: no leading `ns:`, and `m_` for `m.`.

    >>> short_name("ns:film.film.sequel|ns:film.film.prequel"), short_name("ns:m.05zppz"), short_name("?x0")
    ('film.film.sequel|ns:film.film.prequel', 'm_05zppz', '?x0')
    """
    if token.startswith("ns:"):
        token = token[3:]
    return f"m_{token[2:]}" if token.startswith("m.") else token


def long_name(token: str) -> str:
    """A name in the spelling of the release; one that has a prefix of its own keeps it.

    >>> long_name("film.film.sequel"), long_name("m_05zppz"), long_name("M0"), long_name("a"), long_name("^ns:a.b")
    ('ns:film.film.sequel', 'ns:m.05zppz', 'M0', 'a', '^ns:a.b')
    >>> long_name("serves|ns:owns/ns:serves"), long_name("food:serves.at"), long_name("<http://a.b/>")
    ('ns:serves|ns:owns/ns:serves', 'food:serves.at', '<http://a.b/>')
    """
    if _CONSTANT.fullmatch(token):
        return f"ns:m.{token[2:]}"
    return f"ns:{token}" if _NAME.match(token) and not _NOT_NAMED.fullmatch(token) else token


class QueryText(NamedTuple):
    """A query in its normal form: what stands before the bracket, and the words of each clause, in short spelling."""

    head: str
    clauses: list[list[str]]

    def short(self) -> str:
        """The query as the two-column files have it."""
        if not self.clauses:
            return self.head
        clauses = " . ".join(map(" ".join, self.clauses))
        return f"{self.head.replace('count(*)', 'count ( * )')} {{ {clauses} }}"

    def long(self, names: Mapping[str, str] | None = None) -> str:
        """The query as the release has it; `names` are other names for its entities.

        >>> QueryText("SELECT count(*) WHERE", [["M0", "film.film.sequel", "M1"]]).long({"M1": "m.0gx0plf"})
        'SELECT count(*) WHERE {\\nM0 ns:film.film.sequel ns:m.0gx0plf\\n}'
        """
        named = names or {}
        lines = [
            " ".join(long_name(short_name(named.get(token, token))) for token in clause) for clause in self.clauses
        ]
        joined = " .\n".join(lines)
        return f"{self.head} {{\n{joined}\n}}"

    def pattern(self) -> str:
        """The query with properties, types, entities and other constants numbered by first appearance, each by itself.

        It is in the release's spelling.

        >>> QueryText("SELECT count(*) WHERE", [["M2", "film.film.sequel", "M1"], ["M2", "a", "film.film"]]).pattern()
        'SELECT count(*) WHERE {\\nM0 P0 M1 .\\nM0 a T0\\n}'
        """
        numbers: dict[str, dict[str, str]] = {"M": {}, "P": {}, "T": {}, "C": {}}
        lines = []
        for clause in self.clauses:
            if clause[0] == FILTER:
                lines.append([_numbered("M", t, numbers) if _ENTITY.fullmatch(t) else t for t in clause])
                continue
            subject, path, target = clause
            kind = "T" if path == "a" else "M" if _PLACEHOLDER.fullmatch(target) else "C"
            lines.append(
                [
                    _numbered("M", subject, numbers),
                    path if path == "a" else _numbered("P", path, numbers),
                    _numbered(kind, target, numbers),
                ]
            )
        joined = " .\n".join(map(" ".join, lines))
        return f"{self.head} {{\n{joined}\n}}"


def _numbered(letter: str, token: str, numbers: dict[str, dict[str, str]]) -> str:
    if token[0] == "?":
        return token
    known = numbers[letter]
    return known.setdefault(token, f"{letter}{len(known)}")


def normal_query(tokens: Sequence[str], names: Mapping[str, str]) -> tuple[QueryText, dict[str, str]]:
    """A query from the words that resolution wrote, and the names of its variables.

    `names` are the entities that stand for variables of the logical form; all other variables are numbered.
    """
    opening = tokens.index("{") if "{" in tokens else len(tokens)
    clauses = _clauses(tokens[opening + 1 : -1])
    first: dict[str, str] = {}
    count = 0
    for part in (tokens[:opening], *clauses):
        for token in part:
            if token[0] == "?" and token not in first:
                if token in names:
                    first[token] = names[token]
                else:
                    first[token] = f"?x{count}"
                    count += 1
    clauses = sorted([first[token] if token[0] == "?" else token for token in part] for part in clauses)
    again: dict[str, str] = {}
    for part in clauses:
        for token in part:
            if token[0] == "?" and token not in again:
                again[token] = f"?x{len(again)}"
    clauses = sorted([again[token] if token[0] == "?" else token for token in part] for part in clauses)
    final = {old: again.get(new, new) for old, new in first.items()}
    return QueryText(" ".join([final.get(token, token) for token in tokens[:opening]]), clauses), final


def _clauses(tokens: Sequence[str]) -> list[list[str]]:
    clauses: list[list[str]] = []
    clause: list[str] = []
    for token in tokens:
        if token != STOP:
            clause.append(short_name(token))
        elif clause:
            clauses.append(clause)
            clause = []
    if clause:
        clauses.append(clause)
    return clauses
