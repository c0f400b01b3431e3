"""The metrics of logical forms: `strict`, `isomorphic` and `grailqa`.

- `strict`: the same under the ontology, by canonical forms.
- `isomorphic`: labelled graphs that are isomorphic, with what is asked for and the function (GrailQA, section 5.1).
- `grailqa`: what the program that was published with GrailQA decides; a relation of two forms, which need not equal
  itself.

A form that cannot be read is a `ProgramError`, one that a metric has nothing for a `FormError`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from recombine.errors import FormError, OptionError, ProgramError, UnknownNameError
from recombine.evaluation.match.form_setting import SPARQL
from recombine.evaluation.match.matchers import Matcher
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import SEXPRESSION, SExpression, SparqlQuery
from recombine.kb.matching.canonical_form import Canonical, check_length
from recombine.kb.matching.words import refuse_unknown_words
from recombine.languages.sexpression import parse_sexpression, render_sexpression

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.kb.forms.form import Form

_KEPT = 1 << 16
"""The most programs whose keys are kept."""


def form_matcher(name: str, setting: FormSetting) -> Matcher:
    """A metric under a setting.

    >>> from recombine.evaluation.match.form_setting import usual_setting
    >>> strict = form_matcher("strict", usual_setting("sexpression"))
    >>> strict.same("(AND a.b (JOIN (R a.b.c) m.0))", "(AND (JOIN (R a.b.c) m.0) a.b)", None, None)
    True
    """
    makers = {"strict": _strict_key, "isomorphic": _isomorphic_key, "grailqa": _published_key}
    if name not in makers:
        raise UnknownNameError("metric of logical forms", name, makers)
    # Gold programs are read to judge outputs, and again to say which of them cannot be compared.
    key = lru_cache(maxsize=_KEPT)(makers[name](setting))
    return replace(
        Matcher.of(name, key),
        fields=setting.fields,
        tells_unsupported=True,
        let_pass=partial(_let_pass, setting=setting) if setting.language == SPARQL else None,
    )


def canonical_keys(setting: FormSetting) -> tuple[Callable[[str], Hashable], Canonical]:
    """What gives the canonical form of a program in the language of a setting, and the canonical forms themselves."""
    canonical = Canonical(setting.ontology, setting.profile)
    if setting.language != SPARQL:
        return canonical.of_text, canonical
    return lambda program: canonical.of_form(read_form(program, setting)), canonical


def read_form(program: str, setting: FormSetting) -> Form:
    """The form of a program in the language of a setting."""
    if setting.language == SPARQL:
        from recombine.languages.sparql.read_query import read_query

        query = read_query(program, prefixes=setting.profile.prefixes)
        return SparqlQuery(query.tree, query.leniencies)
    check_length(program)
    refuse_unknown_words(program)
    return SExpression(parse_sexpression(program))


def _strict_key(setting: FormSetting) -> Callable[[str], Hashable]:
    return canonical_keys(setting)[0]


def _isomorphic_key(setting: FormSetting) -> Callable[[str], Hashable]:
    from recombine.kb.matching.isomorphic_forms import IsomorphicForms

    forms = IsomorphicForms(setting.profile)
    return lambda program: forms.text(read_form(program, setting))


def _published_key(setting: FormSetting) -> Callable[[str], Hashable]:
    """What the published scorer compares.

    What it cannot read and the package can is unsupported by it. What it reads and the package cannot, as some
    unfinished texts, has its decision.
    """
    from recombine.kb.matching.grailqa_forms import GrailqaForms

    if setting.ontology is None:
        raise OptionError("the metric grailqa needs an ontology, as the published scorer does", "give --ontology DIR")
    forms = GrailqaForms(setting.ontology, setting.profile)

    def key(program: str) -> Hashable:
        text = _rendered(read_form(program, setting), setting) if setting.language == SPARQL else program
        try:
            return forms.text(text)
        except ProgramError as error:
            read_form(program, setting)
            raise FormError(f"the published scorer cannot read it: {error.problem}", error.remedy) from None

    return key


def _rendered(form: Form, setting: FormSetting) -> str:
    """The S-expression of a query, which the published scorer reads."""
    converted = convert(form, SEXPRESSION, profile=setting.profile).form
    if not isinstance(converted, SExpression):
        raise AssertionError("a form is converted into an S-expression")
    return render_sexpression(converted.tree)


def _let_pass(program: str, setting: FormSetting) -> tuple[str, ...]:
    form = read_form(program, setting)
    return form.leniencies if isinstance(form, SparqlQuery) else ()
