"""The error types of logical forms: the classes of GrailQA, section 5.4, as `score --errors` has them.

Coverage is told where the data is about an index of facts: by the candidates within two hops of what gold forms name.
What was linked in questions is not in a file of outputs, so that linking is told by what outputs name alone.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from recombine.evaluation.errors.kbqa_errors import KbqaErrors, kbqa_errors
from recombine.evaluation.errors.known import ErrorAnalysis, ErrorTable
from recombine.evaluation.match.form_setting import form_setting, usual_setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.evaluation.match.form_setting import FormSetting
    from recombine.records.dataset import Dataset

NAME = "kbqa"


def analyse_pairs(pairs: Sequence[tuple[str, str]], language: str) -> KbqaErrors:
    """The classes of wrong outputs by their texts alone."""
    return kbqa_errors({str(place): pair for place, pair in enumerate(pairs)}, usual_setting(language))


def analyse_data(dataset: Dataset, outputs: Mapping[str, str]) -> KbqaErrors:
    """The classes of wrong outputs for examples of a data set; with its store, also which were not covered."""
    setting = form_setting(dataset)
    if setting is None:
        raise AssertionError("the language of the data has logical forms")
    pairs = {key: (dataset[key].target, output) for key, output in outputs.items()}
    return kbqa_errors(pairs, setting, covered=_covered(dataset, pairs, setting))


def _covered(dataset: Dataset, pairs: Mapping[str, tuple[str, str]], setting: FormSetting) -> set[str] | None:
    """The ids of questions whose gold form is among the candidates of what it names; none without an index."""
    from recombine.evaluation.match.form_matchers import read_form
    from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
    from recombine.kb.candidates.form_lookup import COVERED
    from recombine.kb.candidates.search_space import SearchSpace
    from recombine.kb.embedded.embedded_store import EmbeddedStore

    store: Any = dataset.opened_world if dataset.world is not None else None
    if not isinstance(store, EmbeddedStore):
        return None
    asked = [Asked(key, read_form(gold, setting)) for key, (gold, _) in pairs.items()]
    outcomes = candidate_recall(SearchSpace(store), asked, ontology=setting.ontology).outcomes
    return {key for key, outcome in outcomes.items() if outcome == COVERED}


def kbqa_tables(errors: KbqaErrors) -> list[ErrorTable]:
    """The classes with their counts and shares of the errors; what was not checked stands below."""
    rows = [
        (name, f"{count:,}", f"{100 * count / errors.errors:.1f}" if errors.errors else "–")
        for name, count in errors.counts.items()
    ]
    rows += [(f"not checked: {text}", "", "") for text in errors.unchecked]
    return [ErrorTable((f"first class that applies, of {errors.errors:,} errors", "count", "%"), rows)]


def _analysis(language: str) -> ErrorAnalysis:
    return ErrorAnalysis(
        NAME,
        partial(analyse_pairs, language=language),
        signature={"error_classes": "grailqa"},
        tables=kbqa_tables,
        of_data=analyse_data,
    )


SEXPRESSION_ANALYSIS, SPARQL_ANALYSIS = map(_analysis, ("sexpression", "sparql11"))
