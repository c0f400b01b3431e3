"""What is parsed comes from rule files alone."""

from __future__ import annotations

import ast
import gc
import weakref
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import recombine
from recombine.errors import DerivationError, GrammarError
from recombine.grammars.unification.check_rules import check_rules
from recombine.grammars.unification.forms.logical_form import TEXT, iter_terms
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.notation import parse_rules
from recombine.grammars.unification.rules.rule import GrammarRule, Literal
from recombine.grammars.unification.rules.rule_set import RuleSet, read_rule_set

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


LEXICAL = ("VP", "NP_SIMPLE", "ROLE_SIMPLE", "ADJECTIVE_SIMPLE")


def lexical_rules(rules: RuleSet) -> list[str]:
    return [rule.name for rule in rules.grammar if rule.left.category in LEXICAL]


@pytest.mark.slow
@pytest.mark.shared_data
def test_without_any_one_lexical_rule_exactly_the_real_questions_that_need_it_fail(cfq: QuestionParser) -> None:
    data = recombine.load("cfq/mcd1")
    questions = [data[row].source for row in range(0, len(data), 1200)]
    uses = {q: [set(cfq.graph(reading).rules) for reading in cfq.iter_readings(q)] for q in questions}
    rules = read_rule_set("cfq")
    names = lexical_rules(rules)
    assert len(names) == 88
    failing = 0
    for name in names:
        fewer = without(rules, name)
        failed = {q for q in questions if not fewer.chart.parse(read_question(q).words)}
        assert failed == {q for q in questions if all(name in used for used in uses[q])}, name
        failing += len(failed)
    assert failing > len(questions)


def test_no_name_of_the_rules_stands_in_python() -> None:
    rules = read_rule_set("cfq")
    names = {word for rule in rules.grammar if rule.left.category in LEXICAL for word in words(rule)}
    for fact in rules.knowledge:
        names |= {part.name if part.op == TEXT else part.op for part in iter_terms(fact.fact)}
    assert {"directed", "star", "Spouse", "DirectingAFilm", "ns:film.film.sequel", "Person", "film"} <= names
    source = Path(recombine.__file__).parent
    files = [*(source / "grammars/unification").rglob("*.py"), source / "workbench/parse.py"]
    files.append(source / "cli/verbs/data/parse.py")
    assert len(files) > 20
    assert {(file.name, text) for file in files for text in texts(file) if text in names} == set()
    long = {name for name in names if len(name) > 8}
    assert {(file.name, name) for file in files for text in texts(file) for name in long if name in text} == set()


def words(rule: GrammarRule) -> list[str]:
    return [part.text for part in rule.right if isinstance(part, Literal)]


def texts(file: Path) -> list[str]:
    """The texts of a program but for its documentation."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]


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


REVIEW = """%grammar
VP=REVIEW: VP(agent_type:person, undergoer_type:movie, form:infinitive)/Reviewing → 'review'
VP=REVIEWED: VP(agent_type:person, undergoer_type:movie, form:past|past_participle)/Reviewing → 'reviewed'
%knowledge
→ Verb(Reviewing, Reviewer, ReviewedFilm)
→ Properties(Reviewer, ReviewedFilm, 'ns:film.critic.reviews', 'ns:film.film.reviewed_by')
"""


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Who reviewed M0", "DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 film.critic.reviews M0 }"),
        ("Did M1 review M0", "count ( * ) WHERE { M1 film.critic.reviews M0 }"),
        (
            "Was a film directed by and reviewed by a actor",
            "count ( * ) WHERE { ?x0 a film.film . ?x0 film.film.directed_by ?x1 . ?x0 film.film.reviewed_by ?x1 . "
            "?x1 a film.actor }",
        ),
        (
            "What did M0 direct and M1 review",
            "DISTINCT ?x0 WHERE { ?x0 film.film.directed_by M0 . ?x0 film.film.reviewed_by M1 }",
        ),
    ],
)
def test_a_verb_with_a_relation_of_its_own_takes_four_lines(question: str, query: str) -> None:
    assert sum(line[:1] not in "%" for line in REVIEW.splitlines()) == 4
    assert with_rules(REVIEW).parse(question).query.short() == f"SELECT {query}"


def test_the_new_verb_is_a_verb_as_others_are() -> None:
    parser = with_rules(REVIEW)
    for question in (
        "Was M0 reviewed M1",
        "Who review M0",
        "Did M0 reviewed M1",
        "Was a person that reviewed by M0 M1",
    ):
        assert not parses(parser, question), question
        assert not parses(parser, question.replace("review", "edit")), question
    graph = parser.graph(parser.parse("Who reviewed M0"))
    assert "knowledge:Role(Reviewer, Reviewing)" in graph.rules  # a fact that follows is a fact
    assert [problem.problem for problem in check_rules(parser.rules)] == []


def test_facts_that_follow_without_end_are_refused() -> None:
    endless = RuleSet.of("x", [parse_rules("%knowledge\n→ Number(Zero)\nNumber($N): → Number(Next($N))", "x.rules")])
    with pytest.raises(GrammarError, match=r"x\.rules, line 3, column 1: facts follow from facts without end"):
        QuestionParser(endless)


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


def test_what_inference_does_is_kept_while_terms_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.grammars.unification import question_parser

    parser, fresh = (QuestionParser(read_rule_set("cfq")) for _ in range(2))
    engine, forgotten = parser._engine, 0
    monkeypatch.setattr(question_parser, "MOST_TERMS", 3 * len(engine.terms))
    verbs, nouns = ("directed", "edited", "wrote", "produced"), ("film editor", "actor", "person", "screenwriter")
    for one, two, three, four in product(verbs, nouns, verbs, nouns):
        question = f"Which {two} {one} a film {three.replace('wrote', 'written')} by a {four} and {three} M1 and M2"
        before = len(engine.terms)
        reading = parser.parse(question)
        forgotten += len(engine.terms) < before
        if forgotten % 3 == 1:
            wanted = fresh.parse(question)
            assert (reading.query, reading.logical_form) == (wanted.query, wanted.logical_form)
            assert parser.graph(reading) == fresh.graph(wanted)
    assert parser._engine is engine
    assert forgotten >= 2


def test_what_is_forgotten_is_gone_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from recombine.grammars.unification import question_parser

    parser = QuestionParser(read_rule_set("cfq"))
    parser.parse("Did a film editor that M1 employed marry a actor")
    counted = weakref.ref(next(each for each in parser._engine.deriver._known.values() if each in each.own))
    monkeypatch.setattr(question_parser, "MOST_TERMS", 10)
    gc.disable()
    try:
        parser.parse("Who directed M0")
        assert counted() is None
    finally:
        gc.enable()
