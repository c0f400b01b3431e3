"""GeoQuery's questions and programs with placeholders for entities, from the original corpus (NQG paper, App. B.2).

Programs are rewritten by `languages/funql_rewrite.py`. A question is lower-cased and loses its last punctuation; the
first mention of each entity, in any of the ways that the facts give for it, becomes the entity's placeholder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.datasets.published.geoquery_corpus import read_geoquery_corpus
from recombine.errors import RecordError
from recombine.kb.geoquery.geobase import read_geobase
from recombine.languages.funql_rewrite import rewrite_funql

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.datasets.downloads.originals import Originals

_COUNTRY = ("america", "continental us", "united states", "us", "usa", "country")
_NAMES = re.compile(r"'([^']+)'")


def geoquery_pairs(originals: Originals) -> bytes:
    """A line `question`, tab, `program` for each example of the corpus, in order."""
    states = {state.abbreviation: state.name for state in read_geobase(originals.paths["geobase"]).state}
    lines = []
    for example in read_geoquery_corpus(originals.paths["corpus"]):
        rewritten = rewrite_funql(example.program)
        words = plain_question(example.question).split(" ")
        for placeholder, entity in rewritten.entities.items():
            found = with_placeholder(words, mentions(entity, states), placeholder)
            if found is None:
                where, problem = f"example {example.id!r}", f"the question mentions {entity} in no way that is known"
                raise RecordError(originals.name("corpus"), where, problem, "use the published file")
            words = found
        lines.append(f"{' '.join(words)}\t{rewritten}\n")
    return "".join(lines).encode()


def plain_question(question: str) -> str:
    """A question in lower case without its last punctuation and without marks before an s.

    >>> plain_question("What is the nation 's capital ?")
    'what is the nations capital'
    """
    return question.lower().rstrip("?").rstrip(".").rstrip().replace(" '", "")


def mentions(entity: str, states: Mapping[str, str]) -> list[str]:
    """The ways to mention an entity, the longest first; `states` are names by abbreviation.

    >>> mentions("cityid('austin', 'tx')", {"tx": "texas"})
    ['austin texas', 'austin tx']
    """
    kind, names = entity.partition("(")[0], _NAMES.findall(entity)
    if kind == "countryid":
        ways = [*_COUNTRY]
    elif kind == "cityid" and len(names) == 2:
        ways = [f"{names[0]} {states.get(names[1], names[1])}", f"{names[0]} {names[1]}"]
    else:
        ways = names[:1]
    return sorted(ways, key=lambda way: -len(way))


def with_placeholder(words: list[str], ways: list[str], placeholder: str) -> list[str] | None:
    """The words with the first mention replaced; none where there is no mention.

    >>> with_placeholder("what is new york city".split(), ["new york"], "m0")
    ['what', 'is', 'm0', 'city']
    """
    for way in (way.split(" ") for way in ways):
        for start in range(len(words) - len(way) + 1):
            if words[start : start + len(way)] == way:
                return [*words[:start], placeholder, *words[start + len(way) :]]
    return None
