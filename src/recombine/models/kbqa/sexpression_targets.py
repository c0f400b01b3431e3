"""Targets as S-expressions, whatever notation the data has them in, and predictions back in that notation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.errors import OptionError, RecombineError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import SEXPRESSION, SPARQL
from recombine.kb.forms.form_of_text import NOTATION_OF, form_of_text
from recombine.kb.forms.loss import CLASS, DIFFERENT, LANGUAGE, ONE_ANSWER, PERHAPS_CLASS, REPEATS
from recombine.kb.forms.write_form import write_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.profiles.profile import Profile
    from recombine.records.example import Example

UNSAID = frozenset({CLASS, DIFFERENT, LANGUAGE, ONE_ANSWER, PERHAPS_CLASS, REPEATS})
"""What S-expressions never say, by the kinds of losses: WebQSP's queries all have a filter of the language of answers,
and say that the answer is not the topic, and the paper converts them all the same (section 5.5)."""


@dataclass(frozen=True)
class SExpressionTargets:
    """Examples with targets as S-expressions."""

    questions: tuple[Example, ...]
    """Those whose target has no S-expression keep theirs, which is then no target that can be learned."""
    refused: int
    """How many that are."""


def check_language(language: str) -> None:
    """Refuse a language of targets that no S-expression can be made of."""
    if language and language not in NOTATION_OF:
        problem = f"the targets are in {language}, and a parser over a knowledge base learns S-expressions"
        raise OptionError(problem, "give S-expressions or SPARQL, or name the language with --language")


def sexpression_targets(examples: Sequence[Example], language: str, profile: Profile) -> SExpressionTargets:
    """Examples with targets as S-expressions; those of SPARQL are converted, less what is `UNSAID`."""
    check_language(language)
    if NOTATION_OF.get(language, SEXPRESSION) == SEXPRESSION:
        return SExpressionTargets(tuple(examples), 0)
    made = [_converted(example.target, SPARQL, SEXPRESSION, profile) for example in examples]
    if examples and not any(made):
        problem = f"none of the {len(made):,} targets has an S-expression"
        raise OptionError(problem, "see why with `recombine kb convert --to sexpression`")
    return SExpressionTargets(
        tuple(each if text is None else replace(each, target=text) for each, text in zip(examples, made, strict=True)),
        sum(text is None for text in made),
    )


def in_language(text: str, language: str, profile: Profile) -> str:
    """A form in the notation of the data; as it is where it cannot be written there."""
    if NOTATION_OF.get(language, SEXPRESSION) == SEXPRESSION:
        return text
    return _converted(text, SEXPRESSION, SPARQL, profile) or text


def _converted(text: str, notation: str, to: str, profile: Profile) -> str | None:
    try:
        made = convert(form_of_text(text, profile, notation), to, profile=profile)
        lost = {loss.kind for loss in made.losses} - UNSAID
        return None if lost else str(write_form(made.form, profile))
    except RecombineError:
        return None
