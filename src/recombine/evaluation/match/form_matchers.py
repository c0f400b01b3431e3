"""The metrics of logical forms: `strict`, `isomorphic` and `grailqa`.

- `strict`: the same under the ontology, by canonical forms.
- `isomorphic`: labelled graphs that are isomorphic, with what is asked for and the function (GrailQA, section 5.1).
- `grailqa`: what the program that was published with GrailQA decides; a relation of two forms, which need not equal
  itself.

A form that cannot be read is a `ProgramError`, one that a metric has nothing for a `FormError`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from recombine.errors import UnknownNameError
from recombine.evaluation.match.form_setting import SPARQL
from recombine.evaluation.match.matchers import Matcher
from recombine.kb.forms.form import SExpression, SparqlQuery
from recombine.kb.matching.canonical_form import Canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.kb.forms.form import Form

METRICS = ("strict", "isomorphic", "grailqa")


def form_matcher(name: str, setting: FormSetting) -> Matcher:
    """A metric under a setting.

    >>> from recombine.evaluation.match.form_setting import usual_setting
    >>> strict = form_matcher("strict", usual_setting("sexpression"))
    >>> strict.same("(AND a.b (JOIN (R a.b.c) m.0))", "(AND (JOIN (R a.b.c) m.0) a.b)", None, None)
    True
    """
    if name == "strict":
        return _strict(setting)
    raise UnknownNameError("metric of logical forms", name, METRICS)


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
    from recombine.languages.sexpression import parse_sexpression

    return SExpression(parse_sexpression(program))


def _strict(setting: FormSetting) -> Matcher:
    key, _ = canonical_keys(setting)
    return _with_setting(Matcher.of("strict", key), setting)


def _with_setting(matcher: Matcher, setting: FormSetting) -> Matcher:
    return replace(
        matcher,
        fields=setting.fields,
        tells_unsupported=True,
        let_pass=partial(_let_pass, setting=setting) if setting.language == SPARQL else None,
    )


def _let_pass(program: str, setting: FormSetting) -> tuple[str, ...]:
    form = read_form(program, setting)
    return form.leniencies if isinstance(form, SparqlQuery) else ()
