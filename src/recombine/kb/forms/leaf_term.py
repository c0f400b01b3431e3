"""What a word of an S-expression names: a literal with its type, or a resource by its name or IRI.

A literal is written `5^^http://www.w3.org/2001/XMLSchema#integer`, with or without quotes and angle brackets, or with a
prefix of the profile; `"Rom"@de` has a language. Numbers and dates that stand without a type are read as SPARQL and XML
Schema read them: `5` is an integer, `5.0` a decimal, `5e0` a double, `2009-03-29` a date.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import FormError, OptionError
from recombine.kb.profiles.typed_term import read_term
from recombine.kb.term import Term

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile

XSD = "http://www.w3.org/2001/XMLSchema#"
_TYPED = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*"|[^"]*)\^\^(?P<type>.+)', re.DOTALL)
_BARE = (
    (re.compile(r"[+-]?[0-9]+"), "integer"),
    (re.compile(r"[+-]?[0-9]*\.[0-9]+"), "decimal"),
    (re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"), "double"),
    (re.compile(r"-?[0-9]{4,}-[0-9]{2}-[0-9]{2}"), "date"),
    (re.compile(r"-?[0-9]{4,}-[0-9]{2}"), "gYearMonth"),
)


def leaf_term(word: str, profile: Profile) -> Term:
    """The term that a word of an S-expression names.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> leaf_term("1000.0^^http://www.w3.org/2001/XMLSchema#float", find_profile("freebase")).text
    '1000.0'
    >>> leaf_term("m.0abc", find_profile("freebase"))
    Term(kind='=', text='m.0abc', datatype='', language='')
    """
    typed = _TYPED.fullmatch(word)
    try:
        if typed is not None:
            text, datatype = typed["text"], _datatype(typed["type"])
            text = text if text.startswith('"') else '"' + text.replace("\\", "\\\\") + '"'
            return read_term(f"{text}^^{datatype}", profile)
        for pattern, name in _BARE:
            if pattern.fullmatch(word):
                return Term.literal(word, datatype=XSD + name)
        return read_term(word, profile)
    except OptionError as error:
        raise FormError(str(error)) from error


def _datatype(text: str) -> str:
    return f"<{text}>" if "://" in text and not text.startswith("<") else text
