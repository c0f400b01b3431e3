"""The canonical form of a logical form: two that say the same under an ontology have the same text.

A form asks for a set. A set is made of conditions that all hold of its members: to be a constant, of a class, at the
start of a step whose end is in another set, in a comparison, or among those of a set that have the most of something.
So `AND` is taken apart, and order and repeats do not count; a relation that is reversed twice is itself, and relations
joined first are steps one after the other; a relation and its reverse are one (see `schema_tables`), and so are the
spellings of a literal (see `literal_value`). A class is left out where a step from a set, or the step that leads to it,
implies it, or where a narrower one is said of the same set. What is asked for is the outermost set.

The text is an S-expression in which `AND` has any number of members, sorted; `*` is anything; an entity has `@` before
it; a comparison is a condition of the end of a path, `(JOIN film.film.year (LT "1950"^^<…>))`; and the steps that lead
to the value of a superlative stand one after the other, `(ARGMAX * film.film.director people.person.height)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import FormError, ProgramError
from recombine.kb.forms.form import GraphQuery, SExpression
from recombine.kb.forms.patterns.pattern_of_graph import pattern_of_graph
from recombine.kb.forms.patterns.pattern_of_sparql import pattern_of_sparql
from recombine.kb.matching.named_schema import named_schema
from recombine.kb.matching.pattern_form import PatternForms
from recombine.kb.matching.plain_form import PlainForms
from recombine.kb.matching.query_form import QueryForms
from recombine.kb.matching.quick_form import QuickForms
from recombine.kb.matching.schema_tables import SchemaTables
from recombine.kb.matching.template import Templates
from recombine.kb.matching.words import Words, name_text, refuse_unknown_words
from recombine.languages.sexpression import NAME, parse_sexpression

if TYPE_CHECKING:
    from collections.abc import Hashable

    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile

MAX_LENGTH = 50_000
"""The most characters of a form; a longer one is malformed. The longest of GrailQA's has 700."""


class Canonical:
    """Canonical forms under an ontology, or by their syntax alone.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> canonical = Canonical(None, find_profile("freebase"))
    >>> key = canonical.of_text("(AND (JOIN r (JOIN q m.0b)) (AND film.film (JOIN (JOIN r q) m.0b)))")
    >>> key, canonical.template(key)
    ('(AND (JOIN r (JOIN q @m.0b)) film.film)', '(AND (JOIN r (JOIN q @ENTITY)) film.film)')
    """

    def __init__(self, ontology: Ontology | None, profile: Profile) -> None:
        self.ontology, self.profile = ontology, profile
        self.tables, self.words = SchemaTables(ontology, profile), Words(profile)
        self._plain = PlainForms(self.tables, self.words)
        self._patterns = PatternForms(self.tables)
        self._queries = QueryForms(self.tables, profile)
        self._quick = QuickForms(self.tables, self.words)
        self._templates = Templates()

    def of_text(self, text: str) -> str:
        """The canonical form of an S-expression; one that is malformed is a `ProgramError`."""
        check_length(text)
        refuse_unknown_words(text)
        return self._quick.text(text) or self._plain.text(parse_sexpression(text))

    def of_form(self, form: Form) -> str:
        """The canonical form of a form in any notation."""
        if isinstance(form, SExpression):
            return self._plain.text(form.tree)
        if isinstance(form, GraphQuery):
            return self._patterns.text(pattern_of_graph(form, self.profile))
        try:
            pattern, losses = pattern_of_sparql(form.tree, self.profile)
        except FormError:
            return self._queries.text(form.tree)
        return self._queries.text(form.tree) if losses else self._patterns.text(pattern)

    def template(self, key: Hashable) -> str:
        """The text of a canonical form in which entities and literals are masked."""
        return self._templates.of(str(key))

    def unknown_names(self, form: Form) -> frozenset[str]:
        """The relations and classes of a form that the ontology does not have; without an ontology, none."""
        if self.ontology is None:
            return frozenset()
        relations, classes = named_schema(form, self.profile)
        unknown = set(map(name_text, relations)) - self.tables.relations
        return frozenset(unknown | (set(map(name_text, classes)) - self.tables.classes))


def check_length(text: str) -> None:
    """Raise for an S-expression that is longer than any is."""
    if len(text) > MAX_LENGTH:
        raise ProgramError(NAME, MAX_LENGTH, f"more than {MAX_LENGTH:,} characters", "leave the example out")
