"""What an example names: by its program, where it has one in a known form, else by what stands beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.kb.names.named import Named, Names
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.profiles.profile import Profile

FIELDS = {
    "topic": "entities",
    "answers": "entities",
    "entities": "entities",
    "relations": "relations",
    "classes": "classes",
}
"""The fields beside an example that hold names, and what they name."""
_QUERY = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)


def names_of(target: str, language: str | None, beside: Mapping[str, Any], profile: Profile) -> Named:
    """The names of an example's target, an S-expression, CFQ's SPARQL or any SPARQL, else those of its fields.

    Fields are `topic`, `answers` and `entities`, `relations`, `classes`: a name, or a list of names.
    """
    if language == "sexpression":
        from recombine.kb.names.sexpression_names import sexpression_names

        return sexpression_names(target, profile)
    if language == "sparql":
        from recombine.kb.names.cfq_names import cfq_names

        return cfq_names(target, profile)
    if _QUERY.match(target):
        from recombine.kb.names.sparql_names import sparql_names

        return sparql_names(target, profile)
    return _names_beside(beside, profile)


def _names_beside(beside: Mapping[str, Any], profile: Profile) -> Named:
    names, known = Names(), [field for field in FIELDS if field in beside]
    if not known:
        raise OptionError(
            "what it names cannot be told: its target is no SPARQL and no S-expression",
            f"name the language of the targets, or give a field {', '.join(FIELDS)}",
        )
    for field in known:
        value = beside[field]
        texts = value if isinstance(value, list | tuple) else [value]
        getattr(names, FIELDS[field]).update(_term(text, profile) for text in texts if isinstance(text, str) and text)
    return names.named()


def _term(text: str, profile: Profile) -> Term:
    """The term of a name as it stands in data: a whole IRI, or else a name with all its quotes and colons."""
    return profile.shorten(text) if text.startswith(("http://", "https://")) else Term.name(text)
