"""Metrics of logical forms: what is right, wrong, malformed, unsupported and abstained under each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest

import recombine
from recombine.errors import FormError, NotReadError, OptionError, ProgramError, RecordError
from recombine.evaluation.match.form_matchers import form_matcher
from recombine.evaluation.match.form_setting import FormSetting, form_setting, usual_setting
from recombine.evaluation.match.judge import Verdict, judge, unsupported_golds
from recombine.evaluation.match.matchers import Matcher, further_matchers
from recombine.evaluation.score import score
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.languages.known import find_language
from recombine.records.dataset import Dataset
from recombine.records.signature import Signature
from recombine.records.split import Split

RIGHT, WRONG, MALFORMED, ABSTAINED, UNSUPPORTED = Verdict
GOLD = "(AND film.film (JOIN film.film.director m.0))"


def ontology() -> Ontology:
    film, person, work, being = map(Term.name, ("film.film", "people.person", "common.work", "common.being"))
    director, films = Term.name("film.film.director"), Term.name("film.director.films")
    return ontology_of([(film, work), (person, being)], {director: Role((film,), (person,))}, {director: films})


def data_of(*targets: str, language: str = "sexpression") -> Dataset:
    return recombine.load([(f"question {number}", target) for number, target in enumerate(targets)], language=language)


def split_of(dataset: Dataset) -> Split:
    return Split({"test": tuple(dataset.index)}, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))


def verdict(output: str, matcher: Matcher, gold: str = GOLD) -> Verdict:
    data = data_of(gold)
    return judge(data, data.ids, {data.ids[0]: output}, matcher)[0]


SETTING = replace(usual_setting("sexpression"), ontology=ontology())
OUTPUTS = [
    ("(AND (JOIN film.film.director m.0) film.film)", RIGHT, RIGHT),
    ("(AND film.film (AND film.film (JOIN (R (R film.film.director)) m.0)))", RIGHT, RIGHT),
    ("(JOIN film.film.director m.0)", RIGHT, WRONG),  # the class is the relation's domain
    ("(AND common.work (JOIN film.film.director m.0))", RIGHT, WRONG),  # and a wider one
    ("(JOIN (R film.director.films) m.0)", RIGHT, WRONG),  # the reverse relation
    ("(AND film.film (JOIN film.film.director m.1))", WRONG, WRONG),
    ("(COUNT (AND film.film (JOIN film.film.director m.0)))", WRONG, WRONG),
    ("(AND film.film (JOIN film.film.director m.0)", MALFORMED, MALFORMED),
    ("films by m.0", MALFORMED, MALFORMED),
    (" ", ABSTAINED, ABSTAINED),
]


@pytest.mark.parametrize(("output", "under", "without"), OUTPUTS)
def test_strict_is_sameness_under_the_ontology(output: str, under: Verdict, without: Verdict) -> None:
    assert verdict(output, form_matcher("strict", SETTING)) is under
    assert verdict(output, form_matcher("strict", replace(SETTING, ontology=None))) is without


def test_the_signature_names_profile_and_ontology() -> None:
    data = data_of(GOLD)
    matchers = {"strict": form_matcher("strict", SETTING)}
    said = score(data, split_of(data), {data.ids[0]: GOLD}, matchers=matchers).signature
    without = {"strict": form_matcher("strict", replace(SETTING, ontology=None))}
    unsaid = score(data, split_of(data), {data.ids[0]: GOLD}, matchers=without).signature
    assert said.get("profile") == unsaid.get("profile") == "freebase"
    assert unsaid.get("ontology") == "none"
    assert len(said.get("ontology")) == 8
    other = replace(SETTING, ontology=ontology_of([], {}, {}))
    assert dict(other.fields)["ontology"] != said.get("ontology")


def test_which_languages_have_which_metrics() -> None:
    assert list(further_matchers(find_language("sexpression"))) == ["strict"]
    assert list(further_matchers(find_language("sparql11"))) == ["strict"]
    for name in ("sparql", "funql", "lambda_dcs"):
        assert list(further_matchers(find_language(name))) == []
    asked = further_matchers(find_language("sexpression"), ["isomorphic", "grailqa"], setting=SETTING)
    assert list(asked) == ["strict", "isomorphic", "grailqa"]


@pytest.mark.parametrize("language", [None, "funql"])
def test_metrics_of_forms_are_for_forms(language: str | None) -> None:
    with pytest.raises(
        OptionError, match="the metric strict compares logical forms, and the targets are of no language"
    ):
        further_matchers(None if language is None else find_language(language), ["strict"])


def test_a_setting_is_for_forms() -> None:
    assert form_setting(recombine.load([("jump", "I_JUMP")], language="actions")) is None
    assert form_setting(recombine.load([("jump", "I_JUMP")])) is None
    setting = form_setting(data_of("SELECT ?x { ?x wdt:P31 wd:Q5 }", language="sparql11"))
    assert setting is not None
    assert (setting.profile.name, setting.ontology) == ("wikidata", None)


# -- what can be read, and not compared ------------------------------------------------------------------------------


def odd(program: str) -> str:
    """A reader that has nothing for odd programs, cannot read bad ones, and does not read others."""
    kind = program.split()[0]
    if kind == "odd":
        raise FormError("there is nothing to compare an odd one with", "leave it out")
    if kind == "bad":
        raise ProgramError("toy", 0, "is bad", "mend it")
    if kind == "other":
        raise NotReadError("toy", 0, "others are not read", "")
    return program


ODD = replace(Matcher.of("odd", odd), tells_unsupported=True)


def judged(gold: str, output: str) -> Verdict:
    data = recombine.load([("a question", gold)])
    return judge(data, data.ids, {data.ids[0]: output}, ODD)[0]


@pytest.mark.parametrize(
    ("gold", "output", "wanted"),
    [
        ("one", "one", RIGHT),
        ("one", "two", WRONG),
        ("one", "bad", MALFORMED),
        ("one", "odd", UNSUPPORTED),
        ("one", "other", UNSUPPORTED),
        ("one", "", ABSTAINED),
        ("odd", "one", UNSUPPORTED),
        ("odd", "odd", UNSUPPORTED),
        ("odd", "bad", MALFORMED),
        ("odd", "", ABSTAINED),
    ],
)
def test_verdicts_tell_them_apart(gold: str, output: str, wanted: Verdict) -> None:
    assert judged(gold, output) is wanted


@pytest.mark.parametrize("output", ["one", "odd", "bad", "other", ""])
@pytest.mark.parametrize("gold", ["bad", "other"])
def test_a_gold_program_that_cannot_be_read_is_an_error(gold: str, output: str) -> None:
    with pytest.raises(RecordError, match="the gold program cannot be read"):
        judged(gold, output)


def test_matchers_without_keys_tell_them_apart_too() -> None:
    whole = Matcher("odd", lambda gold, predicted, *_: odd(gold) == odd(predicted), tells_unsupported=True)
    data = recombine.load([("a question", "one")])
    for output, wanted in (("two", WRONG), ("bad", MALFORMED), ("odd", UNSUPPORTED)):
        assert judge(data, data.ids, {data.ids[0]: output}, whole) == (wanted,)


def test_gold_programs_without_a_comparison_are_counted() -> None:
    data = recombine.load([("a", "one"), ("b", "odd b"), ("c", "odd c"), ("d", "two")])
    first = unsupported_golds(data, [*data.ids, data.ids[1]], ODD)
    assert [each.id for each in first] == [data.ids[1], data.ids[2]]
    assert first[0].reason == "there is nothing to compare an odd one with"
    scored = score(data, split_of(data), {key: data[key].target for key in data.ids}, matchers={"odd": ODD})
    record = scored.to_record()
    assert record["gold_unsupported"] == {"odd": 2}
    assert record["verdicts"]["odd"] == {"right": 2, "wrong": 0, "malformed": 0, "abstained": 0, "unsupported": 2}
    assert record["odd"] == 0.5
    assert record["leniencies"] is None
    lines = [orjson.loads(line) for line in scored.to_lines().splitlines()]
    assert lines[1]["verdicts"] == {"exact_match": "right", "odd": "unsupported"}


def test_scores_of_other_languages_have_no_new_keys() -> None:
    data = recombine.load([("jump", "I_JUMP")], language="actions")
    scored = score(data, split_of(data), {data.ids[0]: "I_JUMP"})
    assert not {"verdicts", "gold_unsupported", "leniencies"} & set(scored.to_record())
    assert set(orjson.loads(scored.to_lines())) == {"id", "prediction", "correct"}


# -- published verdicts ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def published(data_dir: Path) -> tuple[list[dict[str, object]], FormSetting]:
    lines = (data_dir / "grailqa" / "scorer_verdicts.jsonl").read_bytes().splitlines()
    data = data_of(GOLD)
    setting = form_setting(data, ontology=data_dir / "grailqa" / "ontology")
    assert setting is not None
    return [orjson.loads(line) for line in lines], setting


@pytest.mark.shared_data
def test_strict_verdicts_are_those_of_the_file(published: tuple[list[dict[str, object]], FormSetting]) -> None:
    rows, setting = published
    matcher = form_matcher("strict", setting)
    assert len(rows) == 66
    for row in rows:
        gold, output = str(row["a"]), str(row["b"])
        if row["strict"] == "malformed":  # of one pair, both are; without an output, a system abstains
            assert verdict(output, matcher) is (MALFORMED if output else ABSTAINED), row["n"]
        else:
            assert verdict(output, matcher, gold) is (RIGHT if row["strict"] else WRONG), row["n"]


@pytest.mark.shared_data
def test_grailqa_verdicts_are_those_of_the_published_scorer(
    published: tuple[list[dict[str, object]], FormSetting],
) -> None:
    """Of the 61 that do not depend on the order of its search; what it could not read is right in no way."""
    rows, setting = published
    matcher, independent = form_matcher("grailqa", setting), [row for row in rows if not row["order_dependent"]]
    assert len(independent) == 61
    for row in independent:
        given = verdict(str(row["b"]), matcher, str(row["a"]))
        assert (given is RIGHT) == (row["published"] is True), row["n"]
        assert (given in (MALFORMED, UNSUPPORTED, ABSTAINED)) == (row["published"] == "unreadable"), row["n"]


def test_the_published_scorer_needs_an_ontology() -> None:
    with pytest.raises(OptionError, match="the metric grailqa needs an ontology"):
        form_matcher("grailqa", usual_setting("sexpression"))


ISOMORPHIC = [
    ("(AND (JOIN film.film.director m.0) film.film)", RIGHT),
    ("(AND film.film (JOIN (R (R film.film.director)) m.0))", RIGHT),
    ("(JOIN film.film.director m.0)", WRONG),  # no ontology: every class that is written counts
    ("(JOIN (R film.director.films) m.0)", WRONG),
    ("(COUNT (AND film.film (JOIN film.film.director m.0)))", WRONG),
    ("(AND film.film (JOIN film.film.director m.0)", MALFORMED),
]


@pytest.mark.parametrize(("output", "wanted"), ISOMORPHIC)
def test_isomorphic_looks_at_no_ontology(output: str, wanted: Verdict) -> None:
    assert verdict(output, form_matcher("isomorphic", SETTING)) is wanted


def test_grailqa_ignores_what_is_asked_for_and_strict_does_not() -> None:
    """The published scorer compares graphs without their asked-for node (issue 18)."""
    asked = "(AND people.person (JOIN (R film.film.director) film.film))"
    other = "(AND film.film (JOIN film.film.director people.person))"
    assert verdict(asked, form_matcher("strict", SETTING), other) is WRONG
    assert verdict(asked, form_matcher("grailqa", SETTING), other) is RIGHT


def test_what_the_published_scorer_cannot_read_is_unsupported_by_it() -> None:
    """It reads comparisons in small letters alone; the package reads both."""
    setting = replace(SETTING, ontology=ontology())
    small, large = (f"({f} film.film.director 5^^http://www.w3.org/2001/XMLSchema#integer)" for f in ("lt", "LT"))
    assert verdict(large, form_matcher("strict", setting), small) is RIGHT
    assert verdict(large, form_matcher("grailqa", setting), small) is UNSUPPORTED


@pytest.mark.shared_data
def test_profile_of_grailqa(data_dir: Path) -> None:
    del data_dir
    setting = form_setting(recombine.load("grailqa"))
    assert setting is not None
    assert setting.profile == find_profile("freebase")
    assert setting.ontology is not None
