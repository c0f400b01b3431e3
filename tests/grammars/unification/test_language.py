"""The language of CFQ: queries worked out by hand, one question for each construction."""

from __future__ import annotations

import pytest

from recombine.grammars.unification.question_parser import QuestionParser

SPOUSE = (
    "people.person.spouse_s/ns:people.marriage.spouse|ns:fictional_universe.fictional_character.married_to/"
    "ns:fictional_universe.marriage_of_fictional_characters.spouses"
)
STARRING = "film.film.starring/ns:film.performance.actor"
EMPLOYS = "business.employer.employees/ns:business.employment_tenure.person"
EMPLOYED_BY = "people.person.employment_history/ns:business.employment_tenure.company"
PLAYS = "film.actor.film/ns:film.performance.character"


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        ("Did M0 marry M1", f"FILTER ( M0 != M1 ) . M0 {SPOUSE} M1"),
        ("Was M0 Spanish", "M0 people.person.nationality m_06mkj"),
        ("Were M0 and M2 female", "M0 people.person.gender m_02zsn . M2 people.person.gender m_02zsn"),
        # One description, shared by two subjects and two verbs, is described once.
        (
            "Did M0 and M1 direct and edit a film",
            "?x0 a film.film . M0 film.director.film ?x0 . M0 film.editor.film ?x0 . M1 film.director.film ?x0 . "
            "M1 film.editor.film ?x0",
        ),
        # Two descriptions of the same words are two things.
        (
            "Was a film written by a actor and directed by a actor",
            "?x0 a film.film . ?x0 film.film.directed_by ?x1 . ?x0 film.film.written_by ?x2 . ?x1 a film.actor . "
            "?x2 a film.actor",
        ),
        # The type is dropped where the noun or the verb of its own role says it, and kept with other verbs.
        ("Did a film director direct M0", "?x0 film.director.film M0"),
        ("Did a film editor edit M0", "?x0 a film.editor . ?x0 film.editor.film M0"),
        ("Was a film editor M0 's editor", "?x0 film.editor.film M0"),
        ("Was M1 a film 's writer", "?x0 a film.film . M1 film.writer.film ?x0"),
        (
            "Was a actor that M2 was played by M0",
            f"M0 {PLAYS} M2",
        ),
        (
            "Was M0 a film whose French director founded M1",
            "?x0 organization.organization_founder.organizations_founded M1 . ?x0 people.person.nationality m_0f8l9c . "
            "M0 a film.film . M0 film.film.directed_by ?x0",
        ),
        (
            "Did a company that employed M0 , was founded by M1 , and acquired M2 employ M3",
            f"?x0 a business.employer . ?x0 {EMPLOYS} M0 . ?x0 {EMPLOYS} M3 . ?x0 organization.organization.companies_"
            "acquired/ns:business.acquisition.company_acquired M2 . ?x0 organization.organization.founders M1",
        ),
        ("Did M1 star M0 ' s star", f"?x0 film.actor.film/ns:film.performance.film M0 . M1 {STARRING} ?x0"),
    ],
)
def test_a_closed_question(cfq: QuestionParser, question: str, clauses: str) -> None:
    assert cfq.parse(question).query.short() == f"SELECT count ( * ) WHERE {{ {clauses} }}"


@pytest.mark.parametrize(
    ("question", "clauses"),
    [
        ("What was edited and produced by M0", "?x0 film.film.edited_by M0 . ?x0 {produced} M0"),
        ("Who did M0 and M1 employ", f"?x0 a people.person . ?x0 {EMPLOYED_BY} M0 . ?x0 {EMPLOYED_BY} M1"),
        (
            "What did M0 direct and M1 edit",
            "?x0 film.film.directed_by M0 . ?x0 film.film.edited_by M1",
        ),
        (
            "Who was influenced by M0 , influenced by M1 , and influenced M2",
            "?x0 a people.person . ?x0 influence.influence_node.influenced M2 . "
            "?x0 influence.influence_node.influenced_by M0 . ?x0 influence.influence_node.influenced_by M1",
        ),
        (
            "Which art director of M0 was M1 's child",
            "?x0 film.film_art_director.films_art_directed M0 . ?x0 {child} M1",
        ),
    ],
)
def test_an_open_question(cfq: QuestionParser, question: str, clauses: str) -> None:
    parents = (
        "people.person.parents|ns:fictional_universe.fictional_character.parents|ns:organization.organization.parent/"
        "ns:organization.organization_relationship.parent"
    )
    wanted = clauses.format(produced="film.film.produced_by|ns:film.film.production_companies", child=parents)
    assert cfq.parse(question).query.short() == f"SELECT DISTINCT ?x0 WHERE {{ {wanted} }}"


def test_each_exclusive_relation_has_its_filter(cfq: QuestionParser) -> None:
    query = cfq.parse("Was M0 a spouse and sibling of M1").query
    assert [clause for clause in query.clauses if clause[0] == "FILTER"] == [["FILTER", "(", "M0", "!=", "M1", ")"]] * 2


def test_a_conjunction_that_fits_inside_and_outside_belongs_outside(cfq: QuestionParser) -> None:
    question = "Who influenced a film producer that edited M3 and influenced M1"
    first, second = list(cfq.iter_readings(question))
    assert first.query == cfq.parse(question).query
    assert first.readings == second.readings == 2
    assert ["?x0", "influence.influence_node.influenced", "M1"] in first.query.clauses
    assert ["?x1", "influence.influence_node.influenced", "M1"] in second.query.clauses


def test_types_tell_readings_apart(cfq: QuestionParser) -> None:
    # A person is not founded, a film is not employed: one reading is left.
    assert cfq.parse("Were M3 and M6 founded by a actor that was employed by M1 and founded by M4").readings == 1


@pytest.mark.parametrize(
    "question",
    [
        "Who direct M0",
        "Did M0 directed M1",
        "What directed M0",
        "Were M0 directed by M1",
        "Was M0 and M1 directed by M2",
        "Did M0 direct",
        "Was M0 's film editor M1",
        "Who was M0 's founder and director",
        "Was a French film directed by M0",
        "Did M0 edit , direct M1",
    ],
)
def test_what_is_not_of_the_language_is_refused(cfq: QuestionParser, question: str) -> None:
    with pytest.raises(Exception, match="do not make"):
        cfq.parse(question)


def test_both_spellings_are_read_and_written(cfq: QuestionParser) -> None:
    ours, theirs = cfq.parse("Did M0 ' s male child marry M1"), cfq.parse("Did M0 's male child marry M1?")
    assert ours.query == theirs.query
    assert "?x0 people.person.gender m_05zppz" in ours.query.short()
    assert "\n?x0 ns:people.person.gender ns:m.05zppz .\n" in ours.query.long()
    assert ours.query.long().startswith("SELECT count(*) WHERE {\n?x0 ns:people.person.gender")
