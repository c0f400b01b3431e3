"""Queries of rules as SPARQL that every store takes: whole IRIs, placeholders as variables or as their entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.queries.query_text import FILTER
from recombine.kb.grounding.property_path import constant_term, read_property, written_path
from recombine.kb.grounding.query_terms import is_placeholder
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.grammars.unification.queries.query_text import QueryText
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term


def asking_query(query: QueryText, entities: Mapping[str, Term], profile: Profile) -> str:
    """The query with entities in the place of placeholders: a SELECT of what is asked for, or an ASK."""
    where = group(query, entities, profile)
    if "count" in query.head:
        return f"ASK {where}"
    asked = next(word for word in query.head.split() if word.startswith("?"))
    return f"SELECT DISTINCT {asked} WHERE {where}"


def substitutions_query(query: QueryText, placeholders: tuple[str, ...], profile: Profile, *, limit: int) -> str:
    """The query for combinations of entities that satisfy it, so many at most."""
    apart = [
        f"FILTER(?{one} != ?{other})" for place, one in enumerate(placeholders) for other in placeholders[place + 1 :]
    ]
    where = group(query, {}, profile, more=apart)
    columns = " ".join(f"?{name}" for name in placeholders)
    # The limit stands inside, so that an endpoint that is asked in pages can have its own outside.
    return f"SELECT {columns} WHERE {{ SELECT DISTINCT {columns} WHERE {where} LIMIT {limit} }}"


def group(query: QueryText, entities: Mapping[str, Term], profile: Profile, *, more: list[str] | None = None) -> str:
    """The clauses of a query in braces; a placeholder without an entity is a variable of its name."""

    def written(word: str) -> str:
        if word.startswith("?"):
            return word
        if is_placeholder(word):
            return written_term(entities[word], profile.base) if word in entities else f"?{word}"
        return written_term(constant_term(word, profile), profile.base)

    lines = []
    for clause in query.clauses:
        if clause[0] == FILTER:
            one, other = (word for word in clause[1:] if word not in ("(", ")", "!="))
            lines.append(f"FILTER({written(one)} != {written(other)})")
        else:
            subject, path, target = clause
            lines.append(
                f"{written(subject)} {written_path(read_property(path, profile), profile.base)} {written(target)}"
            )
    return "{ " + " . ".join([*lines, *(more or ())]) + " }"
