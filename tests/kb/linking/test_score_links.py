"""Scores of 20 questions, counted by hand."""

from __future__ import annotations

import pytest

from recombine.errors import OptionError
from recombine.kb.linking.find_literals import XSD
from recombine.kb.linking.gold_links import GoldLinks
from recombine.kb.linking.link import Link, ScoredTerm
from recombine.kb.linking.linker import Linker
from recombine.kb.linking.score_links import LinkCounts, score_links
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.matching.literal_value import literal_value
from recombine.kb.term import Term

FORMS = SurfaceForms.of(
    [
        (form, Term.name(entity), times)
        for form, entity, times in [
            ("Jaws", "jaws", 9),
            ("Duel", "duel", 4),
            ("Mo", "missouri", 9),
            ("Mo", "mo_religion", 1),
            ("Steven Spielberg", "spielberg", 8),
            ("Spielberg", "spielberg", 8),
            ("New York", "york_state", 7),  # as popular as
            ("New York", "york_city", 7),
            ("New York Times", "times", 3),
            ("Times", "times", 3),
            ("The Who", "who_band", 5),
            ("Rock Band", "rock_band", 2),
            ("1984", "novel", 6),
            ("Film", "magazine", 1),
            ("Heat", "heat", 3),
        ]
    ]
)
# A question, its gold entities, its gold literals; what the dictionary links it to; and by hand the numbers of gold
# entities, linked entities, and those that are both.
ITEMS: list[tuple[str, str, str, str, tuple[int, int, int]]] = [
    ("who directed jaws?", "jaws", "", "jaws", (1, 1, 1)),
    ("who directed duel and jaws?", "duel jaws", "", "duel jaws", (2, 2, 2)),
    # The more popular of two is taken; the right one is among the candidates.
    ("what is the belief of mo?", "mo_religion", "", "missouri", (1, 1, 0)),
    ("what is the capital of mo?", "missouri", "", "missouri", (1, 1, 1)),
    # "films" is not the surface form "Film".
    ("which films did Steven Spielberg make?", "spielberg", "", "spielberg", (1, 1, 1)),
    ("which film did spielberg make?", "spielberg", "", "magazine spielberg", (1, 2, 1)),
    # Two that are equally popular are both linked to.
    ("who lives in new york?", "york_city", "", "york_city york_state", (1, 2, 1)),
    # The longest form is taken, and neither "New York" nor "Times" within it.
    ("who owns the new york times?", "times", "", "times", (1, 1, 1)),
    ("is new york larger than mo?", "york_state missouri", "", "york_state york_city missouri", (2, 3, 2)),
    # Function words alone are no mention.
    ("who sings in the who?", "who_band", "", "", (1, 0, 0)),
    ("what was added to rb?", "rock_band", "", "", (1, 0, 0)),
    ("what was added to rock band after 04/02/2009?", "rock_band", "2009-04-02^date", "rock_band", (1, 1, 1)),
    # What is an entity is no number.
    ("who wrote 1984?", "novel", "", "novel", (1, 1, 1)),
    ("which films are of 1975?", "", "1975^int", "", (0, 0, 0)),
    ("what is the longest film?", "", "", "magazine", (0, 1, 0)),
    ("how many films are there?", "", "", "", (0, 0, 0)),
    # What is mentioned twice is counted once.
    ("what links jaws to jaws?", "jaws", "", "jaws", (1, 1, 1)),
    ("is heat by spielberg?", "spielberg", "", "heat spielberg", (1, 2, 1)),
    # 1978 is linked as a number and is no gold literal.
    ("who made the sequel of Jaws in 1978?", "jaws", "", "jaws", (1, 1, 1)),
    # Not in the dictionary.
    ("who acted in tootsie?", "tootsie", "", "", (1, 0, 0)),
]


def terms(words: str) -> frozenset[Term]:
    return frozenset(map(Term.name, words.split()))


def literals(words: str) -> frozenset[Term]:
    pairs = (word.split("^") for word in words.split())
    return frozenset(literal_value(Term.literal(text, datatype=XSD + name)) for text, name in pairs)


GOLD = [GoldLinks(text, terms(entities), literals(numbers), (), 0) for text, entities, numbers, _, _ in ITEMS]


def test_twenty_questions_by_hand() -> None:
    linker = Linker(FORMS)
    links = [linker.link(text) for text, *_ in ITEMS]
    for (text, _, _, wanted, counts), gold, own in zip(ITEMS, GOLD, links, strict=True):
        linked = {term for link in own if link.kind == "entity" for term in link.linked}
        assert linked == terms(wanted), text
        assert score_links([gold], [own]).entities == LinkCounts(*counts), text
    scores = score_links(GOLD, links)
    # gold: 1 2 1 1 1 | 1 1 1 2 1 | 1 1 1 0 0 | 0 1 1 1 1 = 6 + 6 + 3 + 4 = 19
    # linked: 1 2 1 1 1 | 2 2 1 3 0 | 0 1 1 0 1 | 0 1 2 1 0 = 6 + 8 + 3 + 4 = 21
    # right: 1 2 0 1 1 | 1 1 1 2 0 | 0 1 1 0 0 | 0 1 1 1 0 = 5 + 5 + 2 + 3 = 15
    assert scores.entities == LinkCounts(gold=19, linked=21, right=15)
    assert scores.entities.recall == 15 / 19
    assert scores.entities.precision == 15 / 21
    assert scores.entities.f1 == 0.75  # 2 · 15 / (19 + 21)
    # Gold: the date and 1975; linked: these and 1978.
    assert scores.literals == LinkCounts(gold=2, linked=3, right=2)
    assert scores.among_candidates == 16  # the 15, and Mo's religion
    # Questions 1 2 4 5 8 12 13 14 16 17 19.
    assert (scores.questions, scores.exact, scores.without_gold) == (20, 11, 3)


def test_shares_of_nothing() -> None:
    nothing = LinkCounts()
    assert (nothing.recall, nothing.precision, nothing.f1) == (None, None, None)
    assert LinkCounts(gold=1).f1 == 0.0
    assert LinkCounts(linked=1).precision == 0.0


def test_gold_against_gold_is_1() -> None:
    links = [
        [
            *(Link(0, 1, "x", (ScoredTerm(term, 1.0),), 1) for term in sorted(gold.entities)),
            *(Link(0, 1, "x", (ScoredTerm(term, 1.0),), 1, "literal") for term in sorted(gold.literals)),
        ]
        for gold in GOLD
    ]
    scores = score_links(GOLD, links)
    assert (scores.entities.f1, scores.literals.f1, scores.exact) == (1.0, 1.0, len(GOLD))


def test_candidates_that_are_not_chosen_do_not_count() -> None:
    gold = GoldLinks("", terms("a"), frozenset(), (), 0)
    link = Link(0, 1, "x", (ScoredTerm(Term.name("b"), 1.0), ScoredTerm(Term.name("a"), 0.5)), 1)
    scores = score_links([gold], [[link]])
    assert (scores.entities, scores.among_candidates) == (LinkCounts(1, 1, 0), 1)
    with pytest.raises(OptionError, match="1 questions with gold and 0 with links"):
        score_links([gold], [])
