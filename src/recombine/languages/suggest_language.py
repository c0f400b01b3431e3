"""Which languages read the targets of data whose language nobody has named.

Languages are tried from the most specific to those that read nearly everything; those of plug-ins come first. A few
texts tell most of them apart, and only what reads all of these is tried on more. The work has a bound, whatever the
data: what was not looked at is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import ProgramError
from recombine.languages.known import LANGUAGES, find_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.languages.language import Language

ORDER = (
    *("json", "top", "covr", "scenes", "sexpression", "lambda_dcs", "thingtalk", "sparql", "sparql11", "sql"),
    *("python", "lambda_calculus", "funql", "cogs", "functional", "brackets", "text"),
)
"""From the most specific on; `actions`, which is `text` without brackets and commas, is left out."""
FEW, MANY = 16, 1_000
"""The distinct texts that every language is tried on, and those that the rest are."""
MOST_CHARACTERS = 200_000
_NEARLY = 0.9
_OTHERS = 2


@dataclass(frozen=True)
class Reads:
    """How many texts a language reads of those it was tried on."""

    language: str
    read: int
    tried: int


def suggest_language(texts: Iterable[str]) -> str:
    """What to name with `--language`, in words; for the remedy of an error.

    >>> suggest_language(["select name from city", "select size from city where name = 'Rome'"])
    'name it with --language: all 2 targets read as sql (text reads them too)'
    >>> suggest_language(["f(x y", "f(x)"])
    'name it with --language: all 2 targets read as text'
    """
    all_texts = list(texts)
    distinct = list(dict.fromkeys(all_texts))
    if not distinct:
        return "name it with --language"
    tried = _bounded(_spread(distinct, MANY))
    whole, partly = _readers(tried)
    if not whole:
        return "name it with --language; no language of the list reads all targets"
    all_of = f"all {len(all_texts):,} targets"
    if len(all_texts) == 1:
        all_of = "the one target can be"
    elif len(tried) < len(distinct):
        all_of = f"all of the {len(tried):,} targets that were tried, of {len(distinct):,},"
    first, *others = whole
    more = others[:_OTHERS]
    too = f" ({' and '.join(more)} {'read' if len(more) > 1 else 'reads'} them too)" if more else ""
    near = f"; {partly.read:,} of {partly.tried:,} read as {partly.language}" if partly is not None else ""
    return f"name it with --language: {all_of} read as {first}{too}{near}"


def _readers(texts: Sequence[str]) -> tuple[list[str], Reads | None]:
    """The languages that read all texts, and a more specific one that reads nearly all."""
    few = _spread(texts, FEW)
    whole: list[str] = []
    partly: Reads | None = None
    for name in _order():
        language = find_language(name)
        read = sum(_reads(language, text) for text in few)
        if read < _NEARLY * len(few) or not any(_has_parts(language, text) for text in few):
            continue
        if len(few) < len(texts):
            read = sum(_reads(language, text) for text in texts)
        if read == len(texts):
            whole.append(name)
        elif not whole and partly is None and read >= _NEARLY * len(texts):
            partly = Reads(name, read, len(texts))
        if len(whole) > _OTHERS:
            break
    return whole, partly


def _order() -> list[str]:
    plugged = [name for name in LANGUAGES if LANGUAGES.origin(name)]
    return [*sorted(plugged), *ORDER]


def _reads(language: Language, text: str) -> bool:
    try:
        language.parse(text)
    except ProgramError:
        return False
    return True


def _has_parts(language: Language, text: str) -> bool:
    """Whether a text is more to a language than one word, which nearly every language reads."""
    return _reads(language, text) and bool(language.parse(text).children)


def _spread(texts: Sequence[str], number: int) -> list[str]:
    """At most so many of the texts, evenly taken."""
    if len(texts) <= number:
        return list(texts)
    return [texts[place * len(texts) // number] for place in range(number)]


def _bounded(texts: list[str]) -> list[str]:
    """The first of the texts that are not too many characters together; at least one."""
    length = 0
    for place, text in enumerate(texts):
        length += len(text)
        if length > MOST_CHARACTERS and place:
            return texts[:place]
    return texts
