"""Answer F1 on executed forms: worked out by hand over a few facts, and what is told apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from facts_of import store_of

import recombine
from recombine.errors import AnswerError, LateAnswerError, OptionError, RecordError, RefusedQueryError
from recombine.evaluation.answers.answer_f1 import AnswerOutcome, AnswerScores, answer_scores, set_f1
from recombine.evaluation.statistics.mean_interval import mean_interval
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form import Form
from recombine.kb.oxigraph.oxigraph_store import OxigraphStore
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.records.dataset import Dataset

XSD = "http://www.w3.org/2001/XMLSchema#"
FREEBASE = find_profile("freebase")
FACTS = [
    *(("=m.1", "=film.by", "=m.9"), ("=m.2", "=film.by", "=m.9"), ("=m.3", "=film.by", "=m.9")),
    *(("=m.3", "=film.by", "=m.8"), ("=m.4", "=film.by", "=m.8")),
    *(("=m.1", "=film.minutes", f'"90\0{XSD}integer'), ("=m.2", "=film.minutes", f'"90.0\0{XSD}float')),
]
BY_9, BY_8, BY_NOBODY = "(JOIN film.by m.9)", "(JOIN film.by m.8)", "(JOIN film.by m.7)"


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    """Four films."""
    return store_of([tuple(map(Term.of_key, fact)) for fact in FACTS], tmp_path / "index", profile=FREEBASE)


def data_of(*targets: str, answers: Any = None, language: str = "sexpression") -> Dataset:
    """Examples of these targets, all with the same published answers."""
    records = [{"source": f"question {number}", "target": target} for number, target in enumerate(targets)]
    given = [record if answers is None else {**record, "answers": answers} for record in records]
    return recombine.load(given, language=language)


def scored(store: Any, data: Dataset, *outputs: str, **options: Any) -> AnswerScores:
    """The scores of outputs in the order of the examples."""
    return answer_scores(data, data.ids, dict(zip(data.ids, outputs, strict=True)), store, **options)


# Gold has m.1, m.2, m.3 unless it is named. The output, and by hand its precision, recall and F1.
BY_HAND = [
    (BY_9, BY_9, AnswerOutcome.EXACT, (1, 1, 1)),
    (BY_9, BY_8, AnswerOutcome.DIFFERENT, (1 / 2, 1 / 3, 2 / 5)),
    (BY_9, "(AND (JOIN film.by m.9) (JOIN film.by m.8))", AnswerOutcome.DIFFERENT, (1, 1 / 3, 1 / 2)),
    (BY_9, "m.4", AnswerOutcome.DIFFERENT, (0, 0, 0)),
    (BY_9, BY_NOBODY, AnswerOutcome.DIFFERENT, (0, 0, 0)),
    # Two empty sets are the same answer; an empty gold set is missed by any answer.
    (BY_NOBODY, "(JOIN film.by m.1)", AnswerOutcome.EXACT, (1, 1, 1)),
    (BY_NOBODY, BY_9, AnswerOutcome.DIFFERENT, (0, 0, 0)),
    # Other programs with the same answers, and counts.
    (BY_9, "(JOIN film.by (AND m.9 m.9))", AnswerOutcome.EXACT, (1, 1, 1)),
    ("(COUNT (JOIN film.by m.8))", "(COUNT (JOIN (R film.by) m.3))", AnswerOutcome.EXACT, (1, 1, 1)),
    # Literals of one value are one answer, whatever their types.
    ("(JOIN (R film.minutes) m.1)", "(JOIN (R film.minutes) m.2)", AnswerOutcome.EXACT, (1, 1, 1)),
    # What has no answers counts 0, and is told apart.
    (BY_9, "(JOIN film.by", AnswerOutcome.MALFORMED, (0, 0, 0)),
    (BY_9, "(AND film (R film.by))", AnswerOutcome.MALFORMED, (0, 0, 0)),
    (BY_9, '(lt film.minutes "many"@en)', AnswerOutcome.UNSUPPORTED, (0, 0, 0)),
    (BY_9, "(TC (JOIN film.by m.9) film.minutes NOW)", AnswerOutcome.UNSUPPORTED, (0, 0, 0)),
    (BY_9, " ", AnswerOutcome.ABSTAINED, (0, 0, 0)),
    (BY_NOBODY, "", AnswerOutcome.ABSTAINED, (0, 0, 0)),
]


@pytest.mark.parametrize(("gold", "output", "outcome", "values"), BY_HAND)
def test_by_hand(store: EmbeddedStore, gold: str, output: str, outcome: AnswerOutcome, values: tuple) -> None:
    data = data_of(gold)
    score = scored(store, data, output).of[data.ids[0]]
    assert score.outcome is outcome
    assert (score.precision, score.recall, score.f1) == pytest.approx(values)
    assert bool(score.reason) == (outcome in (AnswerOutcome.MALFORMED, AnswerOutcome.UNSUPPORTED))


def test_means_counts_and_intervals(store: EmbeddedStore) -> None:
    data = data_of(*[BY_9] * 5)
    scores = scored(store, data, BY_9, BY_8, "(JOIN film.by", '(lt film.minutes "many"@en)', "")
    assert (scores.n, scores.f1) == (5, pytest.approx((1 + 2 / 5) / 5))
    assert (scores.precision, scores.recall) == (pytest.approx(1.5 / 5), pytest.approx((1 + 1 / 3) / 5))
    assert scores.exact == 1 / 5
    low, high = scores.interval
    assert 0 < low < scores.f1 < high < 1
    record = scores.to_record()
    counts = {name: record[name] for name in ("malformed", "unsupported", "refused", "late", "abstained", "empty_gold")}
    assert counts == {"malformed": 1, "unsupported": 1, "refused": 0, "late": 0, "abstained": 1, "empty_gold": 0}
    assert str(scores) == ("answer F1 0.280 [0.065, 0.687] of 5, 20.0 % exact, 1 malformed, 1 unsupported, 1 abstained")


def test_a_match_is_not_assumed() -> None:
    """The same text twice is executed, and a store that fails is an error and not a match."""

    class Broken(OxigraphStore):
        def execute(self, form: Form) -> list[Term]:
            del form
            raise AnswerError("cut at 10 rows", "ask for less")

    data = data_of(BY_9)
    with pytest.raises(RecordError, match=r"example .*: the gold form gives no answers: cut at 10 rows"):
        scored(Broken.of_keys(FACTS, FREEBASE), data, BY_9)


class Failing(OxigraphStore):
    """Fails on what is asked of m.8."""

    error: AnswerError

    def execute(self, form: Form) -> list[Term]:
        if "m.8" in repr(form):
            raise self.error
        return super().execute(form)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(LateAnswerError("late"), AnswerOutcome.LATE), (RefusedQueryError("no"), AnswerOutcome.REFUSED)],
)
def test_late_and_refused_are_counted_apart(error: AnswerError, outcome: AnswerOutcome) -> None:
    store = Failing.of_keys(FACTS, FREEBASE)
    store.error = error  # type: ignore[attr-defined]
    data = data_of(BY_9, BY_9)
    scores = scored(store, data, BY_8, BY_9)
    assert [scores.of[key].outcome for key in data.ids] == [outcome, AnswerOutcome.EXACT]
    assert (scores.f1, scores.to_record()[outcome.value]) == (0.5, 1)


def test_an_answer_that_is_not_whole_is_raised() -> None:
    store = Failing.of_keys(FACTS, FREEBASE)
    store.error = AnswerError("cut at 10 rows", "ask for less")  # type: ignore[attr-defined]
    with pytest.raises(AnswerError, match="cut at 10 rows"):
        scored(store, data_of(BY_9), BY_8)


def test_a_query_out_of_time_is_late() -> None:
    """pyoxigraph is given no time for a join of many."""
    facts = [(f"=m.{one}", "=r", f"=m.{other}") for one in range(60) for other in range(60)]
    store = OxigraphStore.of_keys(facts, FREEBASE, time_out=0.05)
    slow = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?p ?d . ?e ?p ?f FILTER(STR(?a) > STR(?f)) }"
    data = data_of("ASK { ns:m.1 ns:r ns:m.2 }", language="sparql11")
    assert scored(store, data, slow).of[data.ids[0]].outcome is AnswerOutcome.LATE


def test_sparql(store: EmbeddedStore) -> None:
    data = data_of("SELECT ?x WHERE { ?x ns:film.by ns:m.9 }", language="sparql11")
    for output, outcome in {
        "SELECT DISTINCT ?y { ?y ns:film.by ns:m.9 }": AnswerOutcome.EXACT,
        "SELECT ?x ?y { ?x ns:film.by ?y }": AnswerOutcome.UNSUPPORTED,
        "SELECT ?x { SERVICE <http://a.org/> { ?x ns:film.by ?y } }": AnswerOutcome.REFUSED,
        "SELECT ?x WHERE { ?x ns:film.by": AnswerOutcome.MALFORMED,
        "ASK { ?x ns:film.by ns:m.9 }": AnswerOutcome.DIFFERENT,
    }.items():
        assert scored(store, data, output).of[data.ids[0]].outcome is outcome, output


@pytest.mark.parametrize(
    ("answers", "outcome", "f1"),
    [
        (["m.1", "m.2", "m.3"], AnswerOutcome.EXACT, 1),
        (["m.1", "m.2"], AnswerOutcome.DIFFERENT, 0.8),
        (["http://rdf.freebase.com/ns/m.1", "m.2", "m.3"], AnswerOutcome.EXACT, 1),
        ([], AnswerOutcome.DIFFERENT, 0),
    ],
)
def test_published_answers(store: EmbeddedStore, answers: list[str], outcome: AnswerOutcome, f1: float) -> None:
    """The gold form need not be read for them."""
    data = data_of("not a form (", answers=answers)
    score = scored(store, data, BY_9, gold="published").of[data.ids[0]]
    assert (score.outcome, score.f1, score.gold) == (outcome, pytest.approx(f1), len(answers))


def test_published_numbers(store: EmbeddedStore) -> None:
    data = data_of(BY_9, answers=["3.0"])
    assert scored(store, data, "(COUNT (JOIN film.by m.9))", gold="published").f1 == 1


def test_mistakes(store: EmbeddedStore) -> None:
    data = data_of(BY_9)
    with pytest.raises(OptionError, match="gold answers that are 'assumed'"):
        scored(store, data, BY_9, gold="assumed")
    with pytest.raises(RecordError, match="has no tag 'answers'"):
        scored(store, data, BY_9, gold="published")
    with pytest.raises(OptionError, match="nothing to score"):
        answer_scores(data, [], {}, store)
    with pytest.raises(RecordError, match="the gold form gives no answers"):
        scored(store, data_of("(JOIN film.by"), BY_9)


def test_laws_of_f1() -> None:
    one, other = frozenset("abc"), frozenset("bcd")
    assert set_f1(one, other)[2] == set_f1(other, one)[2] == pytest.approx(2 / 3)
    assert set_f1(one, other)[:2] == set_f1(other, one)[1::-1]


def test_the_interval_of_a_mean() -> None:
    assert mean_interval(0, 10)[0] == 0
    assert mean_interval(10, 10)[1] == 1
    low, high = mean_interval(2.5, 10)
    assert low < 0.25 < high
    with pytest.raises(OptionError):
        mean_interval(11, 10)
