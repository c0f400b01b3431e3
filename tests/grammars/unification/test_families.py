"""What holds for one constant holds for those that rules treat alike, and for no other."""

from __future__ import annotations

import pytest

from recombine.grammars.unification.inference.families import FamilyPatterns
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.notation import parse_rules
from recombine.grammars.unification.rules.rule_set import RuleSet, read_rule_set

RULES = """
%start S: say
%grammar
S=VERB_NAME: S/∃Doer.(_verb ⊓ ∃Done._name) → VERB/_verb NAME/_name
VERB=SEES: VERB/Seeing → 'sees'
VERB=HEARS: VERB/Hearing → 'hears'
VERB=KNOWS: VERB/Knowing → 'knows'
NAME=ANN: NAME/Ann → 'ann'
NAME=BOB: NAME/Bob → 'bob'
%inference
SENSE: Sense($P, $R): ∃Doer.($P ⊓ ∃Done.$X) → ∃$R.$X
%resolution
SAY: say(∃$R.$X) → 'SELECT count(*) WHERE { ' text($R) text($X) '}'
TEXT: Text($X, $T): text($X) → $T
%knowledge
→ Sense(Seeing, Sight)
→ Sense(Hearing, Sound)
→ Text(Sight, 'saw')
→ Text(Sound, 'heard')
→ Text(Ann, 'ann')
→ Text(Bob, 'bob')
"""


def parser(text: str = RULES) -> QuestionParser:
    return QuestionParser(RuleSet.of("senses", [parse_rules(text)]))


def steps(some: QuestionParser) -> int:
    """How many times inference was done for rules with parts."""
    deriver = some._engine.deriver
    return sum(len(each) for key, each in deriver._steps.items() if isinstance(key, tuple) and len(key) > 2)


def test_inference_is_done_once_for_verbs_that_are_alike() -> None:
    one = parser()
    assert one.parse("Sees ann").query.short() == "SELECT count ( * ) WHERE { saw ann }"
    before = steps(one)
    assert one.parse("Hears bob").query.short() == "SELECT count ( * ) WHERE { heard bob }"
    assert steps(one) == before
    graph = one.graph(one.parse("Hears bob"))
    assert "knowledge:Sense(Hearing, Sound)" in graph.rules
    assert "knowledge:Sense(Seeing, Sight)" not in graph.rules


def test_a_verb_of_which_less_is_known_is_not_alike() -> None:
    one = parser()
    one.parse("Sees ann")
    place = one._engine.deriver.families.place
    terms = one._engine.terms
    seeing, hearing, knowing = (place(terms.make(name)) for name in ("Seeing", "Hearing", "Knowing"))
    assert seeing is not None
    assert hearing is not None
    assert knowing is not None
    assert seeing[0].alike == hearing[0].alike != knowing[0].alike
    assert place(terms.make("Sight")) == (seeing[0], 1)


def test_a_constant_that_a_rule_names_has_no_family() -> None:
    one = parser(RULES.replace("%resolution", "LOUD: Sound → Noise\n%resolution") + "→ Text(Noise, 'noise')\n")
    assert one._engine.deriver.families.place(one._engine.terms.make("Sound")) is None


def test_no_verbs_are_alike_where_a_rule_uses_texts() -> None:
    rules = RULES.replace("Sense(Seeing, Sight)", "Sense(Seeing, 'saw')")
    rules = rules.replace("Sense(Hearing, Sound)", "Sense(Hearing, 'x')")
    one = parser(rules.replace("TEXT: Text", "SAME: text('x') → 'x'\nSAW: text('saw') → 'saw'\nTEXT: Text"))
    for _ in range(2):
        assert one.parse("Sees ann").query.short() == "SELECT count ( * ) WHERE { saw ann }"
        assert one.parse("Hears ann").query.short() == "SELECT count ( * ) WHERE { x ann }"


def test_families_are_as_others_where_they_are_alike_and_the_same_in_the_same_places() -> None:
    one = parser()
    terms, families = one._engine.terms, one._engine.deriver.families
    see, hear, ann = (families.place(terms.make(name)) for name in ("Seeing", "Hearing", "Ann"))
    assert see is not None
    assert hear is not None
    assert ann is not None
    of = FamilyPatterns().of
    assert of((see[0], hear[0]))[0] == of((hear[0], see[0]))[0]
    assert of((see[0], see[0]))[0] != of((see[0], hear[0]))[0]
    assert of((see[0], ann[0]))[0] != of((see[0], hear[0]))[0]
    assert of((see[0], hear[0], see[0]))[1] == (see[0], hear[0])
    assert of((see[0], hear[0], see[0]))[0] == of((hear[0], see[0], hear[0]))[0] != of((see[0], hear[0], hear[0]))[0]


def test_nothing_is_said_of_what_has_no_type() -> None:
    one = QuestionParser(read_rule_set("cfq"))
    assert one.parse("What did M0 direct and M1 edit").logical_form.count("⊓") == 1
    assert one.parse("Which film did M0 direct and M1 edit").logical_form.startswith("Film ⊓ ")


@pytest.mark.parametrize(
    ("first", "second", "query"),
    [
        # In the order of the property mappings, which is another one for these verbs.
        (
            "Was M0 edited by a actor and directed by a person",
            "Was M0 directed by a actor and written by a person",
            "?x0 a people.person . ?x1 a film.actor . M0 film.film.directed_by ?x1 . M0 film.film.written_by ?x0",
        ),
        (
            "Was M0 written by a actor and edited by a person",
            "Was M0 edited by a actor and written by a person",
            "?x0 a people.person . ?x1 a film.actor . M0 film.film.edited_by ?x1 . M0 film.film.written_by ?x0",
        ),
    ],
)
def test_relations_are_put_in_their_own_order(first: str, second: str, query: str) -> None:
    one, other = (QuestionParser(read_rule_set("cfq")) for _ in range(2))
    one.parse(first)
    alone = other.parse(second)
    assert one.parse(second).query.short() == alone.query.short() == f"SELECT count ( * ) WHERE {{ {query} }}"
    assert one.parse(second).logical_form == alone.logical_form
