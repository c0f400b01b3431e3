"""Outputs of chat models as programs: out of a code fence, and in the notation of the targets.

Nothing is guessed. A program stands in the one fenced block of an output; one without a fence is as it is, and so is
one with several blocks or an open one. A logical form in another notation is converted; one that cannot be read, or
that the notation of the targets has nothing for, is as it is, so that it counts as what it is there. All are counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.errors import FormError, OptionError, RecombineError, UnknownNameError
from recombine.kb.forms.form import SEXPRESSION, SPARQL
from recombine.kb.forms.form_of_text import NOTATION_OF

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.evaluation.predictions import Predictions
    from recombine.kb.forms.form import Form
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.records.dataset import Dataset

_FENCE = "```"
_OPENING = re.compile(r"[ \t]*[\w+-]*[ \t]*\n")
"""What stands behind the opening fence up to the end of its line: the name of a language, or nothing."""
NOTATIONS = (SEXPRESSION, SPARQL)


@dataclass(frozen=True)
class ChatOutputs:
    """Predictions, and how many of them were changed or had to stay as they are."""

    predictions: Predictions
    changed: int
    left: int


def unfenced(text: str) -> str | None:
    """What stands in the one fenced block of a text; none where there is no such block, or more than one.

    >>> unfenced("Here it is:\\n```funql\\nanswer ( city ( all ) )\\n```\\nDone.")
    'answer ( city ( all ) )'
    >>> unfenced("```a```"), unfenced("answer ( city ( all ) )"), unfenced("``` a ``` or ``` b ```")
    ('a', None, None)
    """
    pieces = text.split(_FENCE)
    if len(pieces) != 3:  # before, within and after
        return None
    opening = _OPENING.match(pieces[1])
    return pieces[1][opening.end() if opening else 0 :].strip() or None


def take_out_of_fences(predictions: Predictions) -> ChatOutputs:
    """The predictions without the fences around them; `left` are those with a fence that is no one block."""
    left = sum(_FENCE in row.output and unfenced(row.output) is None for row in predictions.rows)
    return _changed(predictions, unfenced, left)


def check_notation(dataset: Dataset, written_in: str) -> None:
    """Refuse outputs in a notation that is not known, or whose targets are no logical forms."""
    if written_in not in NOTATIONS:
        raise UnknownNameError("notation of outputs", written_in, NOTATIONS)
    if dataset.language is None or dataset.language.name not in NOTATION_OF:
        raise OptionError(f"targets of {dataset.name} are no logical forms", "leave out --written-in")


def rewrite_outputs(
    predictions: Predictions, dataset: Dataset, written_in: str, profile: Profile, ontology: Ontology | None = None
) -> ChatOutputs:
    """The predictions in the notation of the targets; `left` are those that have none there.

    A class in the middle of a query that the ontology has for implied is left out of S-expressions, as GrailQA's do;
    any other is said there.
    """
    check_notation(dataset, written_in)
    to = SEXPRESSION if dataset.language is None else NOTATION_OF[dataset.language.name]
    if to == written_in:
        return ChatOutputs(predictions, 0, 0)
    from recombine.kb.forms.form_of_text import form_of_text

    left = 0

    def rewritten(text: str) -> str | None:
        nonlocal left
        if not text.strip():
            return None
        try:
            return _rewritten(form_of_text(text, profile, written_in), to, profile, ontology)
        except RecombineError:
            left += 1
            return None

    made = _changed(predictions, rewritten, 0)
    return replace(made, left=left)


def _rewritten(form: Form, to: str, profile: Profile, ontology: Ontology | None) -> str:
    """The form in a notation, without loss."""
    from recombine.kb.forms.convert import convert
    from recombine.kb.forms.write_form import write_form

    try:
        implies = None if ontology is None else ontology.implies
        made = convert(form, to, profile=profile, implies=implies, lossless=True)
    except FormError:
        made = convert(form, to, profile=profile, keep_classes=True, lossless=True)
    return str(write_form(made.form, profile))


def _changed(predictions: Predictions, change: Callable[[str], str | None], left: int) -> ChatOutputs:
    """The predictions with other outputs; those that the change has nothing for stay as they are."""
    rows = [row if (other := change(row.output)) is None else replace(row, output=other) for row in predictions.rows]
    changed = sum(new is not old for new, old in zip(rows, predictions.rows, strict=True))
    return ChatOutputs(replace(predictions, rows=tuple(rows)), changed, left)
