"""The answers of examples in another notation of logical forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError, RecombineError, UnknownNameError
from recombine.kb.forms.form import SEXPRESSION, SPARQL
from recombine.kb.forms.form_of_text import NOTATION_OF
from recombine.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.records.dataset import Dataset

NOTATIONS = (SEXPRESSION, SPARQL)


class FormAnswers(NamedTuple):
    """The answers by the ids of their examples, and why others have none."""

    texts: Mapping[str, str]
    unconverted: Mapping[str, str]


def check_notation(dataset: Dataset, to: str) -> None:
    """Refuse a notation that is not known, or that targets of this data have nothing for."""
    if to not in NOTATIONS:
        raise UnknownNameError("notation of answers", to, NOTATIONS)
    if dataset.language is None or dataset.language.name not in NOTATION_OF:
        has = "of no known language" if dataset.language is None else dataset.language.name
        raise OptionError(
            f"targets of {dataset.name} are {has}, and no logical forms to write as {to}", "leave out --to"
        )


def form_answers(pool: Dataset, to: str, profile: Profile, ontology: Ontology | None = None) -> FormAnswers:
    """The target of each example of a pool in a notation; one that would lose something has none."""
    from recombine.kb.forms.convert import convert
    from recombine.kb.forms.form_of_text import form_of_text
    from recombine.kb.forms.write_form import write_form

    check_notation(pool, to)
    notation = None if pool.language is None else NOTATION_OF[pool.language.name]
    if notation == to:
        return FormAnswers({example.id: example.target for example in pool}, {})
    implies = None if ontology is None else ontology.implies
    texts: dict[str, str] = {}
    unconverted: dict[str, str] = {}
    for example in tracked(pool, f"writing answers as {to}", total=len(pool)):
        try:
            form = form_of_text(example.target, profile, notation)
            made = convert(form, to, profile=profile, implies=implies, lossless=True)
            texts[example.id] = str(write_form(made.form, profile))
        except RecombineError as error:
            unconverted[example.id] = error.problem
    return FormAnswers(texts, unconverted)
