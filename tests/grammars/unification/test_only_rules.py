"""What is parsed comes from rule files alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recombine.errors import DerivationError
from recombine.grammars.unification.notation import parse_rules
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rule_set import RuleSet, read_rule_set

QUESTIONS = (
    "Did a star of M0 star M1",
    "Who directed M0",
    "Was M0 starred by M1",
    "Did M0 star a film 's star and star M1",
    "Did M0 marry M1 's star",
    "Did M0 edit M1 and star M2",
)


def without(rules: RuleSet, name: str) -> QuestionParser:
    kept = tuple(rule for rule in rules.rules if rule.name != name)
    assert len(kept) == len(rules.rules) - 1
    return QuestionParser(replace(rules, rules=kept))


def parses(parser: QuestionParser, question: str) -> bool:
    try:
        parser.parse(question)
    except DerivationError:
        return False
    return True


@pytest.mark.parametrize("name", ["ROLE_SIMPLE=STAR", "VP=STAR", "VP=DIRECTED", "VP=EDIT"])
def test_without_a_lexical_rule_the_questions_that_need_it_fail(cfq: QuestionParser, name: str) -> None:
    fewer = without(read_rule_set("cfq"), name)
    for question in QUESTIONS:
        if not parses(cfq, question):
            assert not parses(fewer, question)
            continue
        uses = [name in cfq.graph(reading).rules for reading in cfq.iter_readings(question)]
        assert parses(fewer, question) == (not all(uses)), question


def with_rules(lines: str) -> QuestionParser:
    rules = read_rule_set("cfq")
    return QuestionParser(replace(rules, rules=rules.rules + RuleSet.of("more", [parse_rules(lines)]).rules))


def test_a_new_verb_takes_three_lines() -> None:
    parser = with_rules(
        """%grammar
VP=SHOOT: VP(concept_id:DirectingAFilm, form:infinitive)/DirectingAFilm → 'shoot'
VP=SHOT: VP(concept_id:DirectingAFilm, form:past)/DirectingAFilm → 'shot'
VP=SHOT~participle: VP(concept_id:DirectingAFilm, form:past_participle)/DirectingAFilm → 'shot'
"""
    )
    assert parser.parse("Did M0 shoot a film shot by M1").query.short() == (
        "SELECT count ( * ) WHERE { ?x0 a film.film . ?x0 film.film.directed_by M1 . M0 film.director.film ?x0 }"
    )
    assert "VP=SHOT" in parser.graph(parser.parse("Who shot M0 and married M1")).rules


def test_a_verb_with_a_relation_of_its_own() -> None:
    parser = with_rules(
        """%grammar
VP_SIMPLE=VP~review:
    VP_SIMPLE(agent_type:person, undergoer_type:movie)[_head]/_head → VP(concept_id:Reviewing)/_head
VP=REVIEWED:
    VP(concept_id:Reviewing, form:past|past_participle)/Reviewing → 'reviewed'
%knowledge
→ BoundRolePairs(Reviewing, RolePair(Predicate, Agent), RolePair(Predicate, Reviewer))
→ BoundRolePairs(Reviewing, RolePair(Predicate, Undergoer), RolePair(Predicate, ReviewedFilm))
→ Role(Reviewer, Reviewing)
→ Role(ReviewedFilm, Reviewing)
→ FreebasePropertyMapping(RolePair(ReviewedFilm, Reviewer), 'ns:film.film.reviewed_by')
→ NonExclusiveRolePair(RolePair(ReviewedFilm, Reviewer))
"""
    )
    assert parser.parse("Was a film directed by and reviewed by a actor").query.short() == (
        "SELECT count ( * ) WHERE { ?x0 a film.film . ?x0 film.film.directed_by ?x1 . "
        "?x0 film.film.reviewed_by ?x1 . ?x1 a film.actor }"
    )
    with pytest.raises(DerivationError, match=r"no rule of resolution fits rel2sparql\(.*Reviewer, ReviewedFilm"):
        parser.parse("Who reviewed M0")


ANIMALS = """
%feature number: singular plural
%start S: ask
%template NOUN

%grammar
S=WHICH_NOUN_EATS:
    S/_noun ⊓ ∃RolePair(Eater, Predicate).(Eating ⊓ ∃RolePair(Predicate, Food)._food)
    → 'which' NOUN(number:$n)/_noun EAT(number:$n) THING/_food
NOUN=CAT:
    NOUN(number:singular)/Cat → 'cat'
NOUN=CATS:
    NOUN(number:plural)/Cat → 'cats'
EAT=EATS:
    EAT(number:singular) → 'eats'
EAT=EAT:
    EAT(number:plural) → 'eat'
THING=ENTITY:
    THING/Entity(new_var($V)) → '[entity]'
THING=NOUN:
    THING/TypeInstance(_noun, new_var($V)) → 'some' NOUN(number:plural)/_noun

%inference
UNREIFICATION:
    Role($Q, $P), Role($R, $P):
    ∃RolePair($Q, Predicate).($P ⊓ ∃RolePair(Predicate, $R).$A) → ∃RolePair($Q, $R).$A

%resolution
ASK:
    ask($X) → 'SELECT DISTINCT ' new_var($V) ' WHERE { ' say($X, $V) '}'
SAY_BOTH:
    say($X ⊓ $Y, $V) → say($X, $V) ' . ' say($Y, $V)
SAY_INSTANCE:
    Property($R, $P): say(∃$R.TypeInstance($X, $W), $V) → $V $P $W ' . ' say($X, $W)
SAY_ENTITY:
    Property($R, $P): say(∃$R.Entity($W), $V) → $V $P $W
SAY_TYPE:
    Type($X, $T): say($X, $V) → $V ' a ' $T

%knowledge
→ Role(Eater, Eating)
→ Role(Food, Eating)
→ Property(RolePair(Eater, Food), 'zoo.eats')
→ Type(Cat, 'zoo.cat')
"""


def test_the_rules_of_another_domain_work() -> None:
    parser = QuestionParser(RuleSet.of("animals", [parse_rules(ANIMALS)]))
    assert parser.parse("Which cats eat some cats").query.short() == (
        "SELECT DISTINCT ?x0 WHERE { ?x0 a zoo.cat . ?x0 zoo.eats ?x1 . ?x1 a zoo.cat }"
    )
    assert parser.parse("Which cat eats [Tom]").logical_form == "Cat ⊓ ∃RolePair(Eater, Food).Entity(M0)"
    with pytest.raises(DerivationError, match="do not make"):
        parser.parse("Which cat eat some cats")


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("", "an empty question"),
        ("   ?", "an empty question"),
        ("Who directed a flim", "'flim', word 4 of 'Who directed a flim', is in no rule; did you mean 'film'?"),
        ("Who directed", "the rules cfq do not make 'Who directed'"),
        (" ".join(["M0"] * 300), "a question of 300 words"),
        ("Did M0 's " + "spouse 's " * 40 + "zzzz", "'zzzz', word 84 of"),
    ],
)
def test_a_question_that_cannot_be_read(cfq: QuestionParser, question: str, problem: str) -> None:
    with pytest.raises(DerivationError) as caught:
        cfq.parse(question)
    assert problem in str(caught.value)


def test_a_long_question_takes_no_long_time(cfq: QuestionParser) -> None:
    names = " , ".join(f"M{n}" for n in range(60))
    reading = cfq.parse(f"Did {names} , and M60 marry a person 's" + " spouse 's" * 20 + " child")
    assert len(reading.query.clauses) == 2 * 61 + 2 * 20 + 2


def test_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.grammars.unification import question_parser

    monkeypatch.setattr(question_parser, "MOST_TERMS", 500)
    parser = QuestionParser(read_rule_set("cfq"))
    first = parser.parse("Did M0 marry a film editor that M1 employed").query
    for verb in ("direct", "edit", "write"):
        parser.parse(f"Did M0 {verb} M1")
    again = parser.parse("Did M0 marry a film editor that M1 employed")
    assert again.query == first
    assert len(parser._engine.terms) < 1500
