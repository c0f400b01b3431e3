"""The codes of the items of a schema, by their terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.sexpression_words import write_word
from recombine.models.kbqa.arrays.codes import SYMBOLS, first_link
from recombine.models.kbqa.arrays.schema_arrays import CLASS, RELATION

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term
    from recombine.models.kbqa.arrays.schema_arrays import SchemaArrays

UNKNOWN = -1


class SchemaCodes:
    """Codes by terms; `UNKNOWN` for what is no item."""

    def __init__(self, schema: SchemaArrays, profile: Profile) -> None:
        self.schema, self.profile = schema, profile
        self.first_link = first_link(len(schema))
        self._codes = {
            (int(kind), word): len(SYMBOLS) + place
            for place, (kind, word) in enumerate(zip(schema.kinds.tolist(), schema.words, strict=True))
        }
        self._of_terms: dict[tuple[int, Term], int] = {}

    def relation(self, term: Term) -> int:
        """The code of a relation."""
        return self._code(RELATION, term)

    def class_(self, term: Term) -> int:
        """The code of a class."""
        return self._code(CLASS, term)

    def _code(self, kind: int, term: Term) -> int:
        key = kind, term
        if key not in self._of_terms:
            self._of_terms[key] = self._codes.get((kind, write_word(term, self.profile)), UNKNOWN)
        return self._of_terms[key]
