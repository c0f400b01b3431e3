"""A query in the spelling of the two-column files, whichever spelling it comes in."""

from __future__ import annotations

import re

from recombine.grammars.unification.queries.query_text import short_name

_COUNT = re.compile(r"count\s*\(\s*\*\s*\)", re.IGNORECASE)


def short_spelling(query: str) -> str:
    """The same query with `count ( * )`, no leading `ns:`, `m_` for `m.`, and single blanks.

    >>> short_spelling("SELECT count(*) WHERE {\\nM0 ns:people.person.gender ns:m.05zppz\\n}")
    'SELECT count ( * ) WHERE { M0 people.person.gender m_05zppz }'
    """
    return " ".join(map(short_name, _COUNT.sub("count ( * )", query).split()))
