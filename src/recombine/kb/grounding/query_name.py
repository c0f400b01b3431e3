"""The id of an entity as a query writes it, so that the query can be asked as it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.term import NAME
from recombine.kb.written_term import written_term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

NAMES = "ns"
"""The prefix of names under a profile's base, whether the profile has it or not."""
_LOCAL = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")


def query_name(entity: str, profile: Profile) -> str:
    """An id with the prefix of the profile's base; one that no prefix can go before, as an IRI.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> query_name("m.0abc", find_profile("freebase")), query_name("Ang Lee", find_profile("plain"))
    ('ns:m.0abc', '<http://example.org/Ang%20Lee>')
    >>> query_name("Q42", find_profile("wikidata")), query_name("dbo:Film", find_profile("dbpedia"))
    ('wd:Q42', 'dbo:Film')
    """
    term = profile.term(entity)
    if term.kind != NAME:
        return entity
    if _LOCAL.fullmatch(term.text) is None:
        return written_term(term, profile.base)
    return f"{base_prefix(profile)}:{term.text}"


def base_prefix(profile: Profile) -> str:
    """The prefix for names under the base: `ns` where the profile gives it no other meaning, and has no other for them.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> base_prefix(find_profile("freebase")), base_prefix(find_profile("wikidata")), base_prefix(find_profile("plain"))
    ('ns', 'wd', 'ns')
    """
    own = sorted(prefix for prefix, stem in profile.prefixes.items() if stem == profile.base)
    return NAMES if NAMES in own or not own else own[0]
