"""What three ways of matching say of two logical forms in any notation.

- `strict`: they say the same under the ontology (see `canonical_form`);
- `isomorphic`: their graphs are isomorphic, as the paper's text has it (see `isomorphic_forms`);
- `grailqa`: GrailQA's published scorer says yes (see `grailqa_forms`); it reads S-expressions, and needs an ontology.

A form that is not of its language is malformed, and one that a way of matching has nothing for is unsupported; a form
that the published scorer could not read, and took for wrong, is unreadable there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import FormError, ProgramError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import COMPARISONS, GRAPH, SEXPRESSION, SPARQL, SExpression
from recombine.kb.forms.read_form import read_form
from recombine.kb.matching.canonical_form import Canonical, check_length
from recombine.kb.matching.grailqa_forms import GrailqaForms
from recombine.kb.matching.isomorphic_forms import IsomorphicForms
from recombine.kb.matching.words import refuse_unknown_words
from recombine.languages.sexpression import render_sexpression
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile

STRICT, ISOMORPHIC, PUBLISHED = WAYS = ("strict", "isomorphic", "grailqa")
MALFORMED, UNSUPPORTED, UNREADABLE = STATES = ("malformed", "unsupported", "unreadable")
"""What a verdict may be besides true and false; of two, the first that one of the forms is."""
_QUERY = re.compile(r"(?:\s|#[^\n]*\n)*(?:```|(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class FormKeys:
    """What is compared of a form in each way, or why it cannot be."""

    keys: dict[str, str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    """The state in each way that has no key."""
    why: tuple[str, ...] = ()
    """What was wrong, each once."""
    unknown: frozenset[str] = frozenset()
    """The relations and classes that the ontology does not have."""


class Verdicts:
    """The three ways of matching under an ontology, or without one."""

    def __init__(self, ontology: Ontology | None, profile: Profile) -> None:
        self._profile = profile
        self._canonical = Canonical(ontology, profile)
        self._isomorphic = IsomorphicForms(profile)
        self._grailqa = None if ontology is None else GrailqaForms(ontology, profile)

    def of(self, one: FormKeys, other: FormKeys) -> dict[str, bool | str]:
        """The verdict of each way.

        >>> from recombine.kb.profiles.find_profile import find_profile
        >>> verdicts = Verdicts(None, find_profile("freebase"))
        >>> a, b = map(verdicts.keys, ("(AND film.film (JOIN r m.0b))", "(AND (JOIN r m.0b) film.film)"))
        >>> verdicts.of(a, b)
        {'strict': True, 'isomorphic': True, 'grailqa': 'unsupported'}
        """
        return {way: _verdict(way, one, other) for way in WAYS}

    def keys(self, value: Any) -> FormKeys:
        """What is compared of a form: an S-expression, SPARQL, or the object of a graph query, told by its look."""
        reading = _Reading()
        notation = look_of(value)
        form = reading.tried((STRICT, ISOMORPHIC), lambda: self._read(value, notation))
        if form is not None:
            reading.add(STRICT, lambda: self._canonical.of_form(form))
            if reading.states.get(STRICT) == MALFORMED:  # a set where a relation belongs, and the like
                reading.fail(ISOMORPHIC, MALFORMED)
            else:
                reading.add(ISOMORPHIC, lambda: self._isomorphic.text(form))
            reading.unknown = self._canonical.unknown_names(form)
        if self._grailqa is None:
            reading.fail(PUBLISHED, UNSUPPORTED, "the published scorer needs an ontology")
        elif notation == SEXPRESSION:
            reading.add(PUBLISHED, lambda: self._published(value), malformed=UNREADABLE)
        elif form is None:
            reading.fail(PUBLISHED, MALFORMED)
        else:
            reading.add(PUBLISHED, lambda: self._published(self._rendered(form)), malformed=UNREADABLE)
        return FormKeys(reading.keys, reading.states, tuple(dict.fromkeys(reading.why)), reading.unknown)

    def _read(self, value: Any, notation: str) -> Form:
        if notation == SEXPRESSION:
            check_length(value)
            refuse_unknown_words(value)
        return read_form(value, notation, self._profile)

    def _rendered(self, form: Form) -> str:
        """The S-expression of a form in another notation, comparisons in the small letters that the scorer reads."""
        converted = convert(form, SEXPRESSION, profile=self._profile).form
        if not isinstance(converted, SExpression):
            raise AssertionError("a form is converted into an S-expression")
        return render_sexpression(converted.tree.mapped(_in_small_letters))

    def _published(self, text: str) -> str:
        if self._grailqa is None:
            raise AssertionError("the published scorer is asked with an ontology alone")
        return self._grailqa.text(text)


class _Reading:
    """Keys and states as they come."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}
        self.states: dict[str, str] = {}
        self.why: list[str] = []
        self.unknown: frozenset[str] = frozenset()

    def tried(self, ways: tuple[str, ...], read: Callable[[], Form]) -> Form | None:
        """A form, or none where it is malformed or unsupported in some ways."""
        try:
            return read()
        except (ProgramError, FormError) as error:
            for way in ways:
                self.fail(way, MALFORMED if isinstance(error, ProgramError) else UNSUPPORTED, error.problem)
            return None

    def add(self, way: str, make: Callable[[], str], *, malformed: str = MALFORMED) -> None:
        """Add what is compared in a way."""
        try:
            self.keys[way] = make()
        except (ProgramError, FormError) as error:
            self.fail(way, malformed if isinstance(error, ProgramError) else UNSUPPORTED, error.problem)

    def fail(self, way: str, state: str, why: str = "") -> None:
        """Say that there is nothing to compare in a way."""
        self.states[way] = state
        self.why += [why] if why else []


def look_of(value: Any) -> str:
    """The notation that a form is in: an object is a graph query, a text SPARQL by its first word, or S-expression."""
    if not isinstance(value, str):
        return GRAPH
    return SPARQL if _QUERY.match(value) else SEXPRESSION


def _in_small_letters(node: Tree) -> Tree:
    return Tree(node.label.lower(), node.children) if node.children and node.label in COMPARISONS.values() else node


def _verdict(way: str, one: FormKeys, other: FormKeys) -> bool | str:
    states = {keys.states[way] for keys in (one, other) if way in keys.states}
    return one.keys[way] == other.keys[way] if not states else min(states, key=STATES.index)
