"""What programs answer, over facts made here and over GeoQuery's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.datasets.published.geoquery_corpus import CorpusExample, load_geoquery_corpus
from recombine.errors import InputFileError, ProgramError
from recombine.kb.geoquery.denotation import denotation
from recombine.kb.geoquery.geobase import load_geobase, parse_geobase
from recombine.kb.geoquery.geography import Entity, Geography
from recombine.languages.funql_rewrite import rewrite_funql
from recombine.tree import MAX_DEPTH

# Three states in a row, of which two have the same area; the capital of the third has no city fact. The low point of
# two states is one river, at two heights.
FACTS = """
state(west, we, port, 1000000, 500, 1, port, bay, c, d).
state(mid, mi, hub, 400000, 100, 2, hub, b, c, d).
state(east, ea, cape, 400000, 500, 3, a, b, c, d).
city(west, we, port, 600000).  city(west, we, bay, 150000).
city(mid, mi, hub, 150001).    city(mid, mi, bay, 20000).
river(long, 900, [west, mid, east]).  river(short, 100, [west]).  river(twin, 100, [mid, west, mid]).
border(west, we, [mid]).  border(mid, mi, [west, east]).  border(east, ea, [mid]).
highlow(west, we, peak, 3000, 'long river', 10).
highlow(mid, mi, knoll, 700, 'long river', 90).
highlow(east, ea, ridge, 3000, sea, 0).
mountain(west, we, horn, 2900).
lake(blue, 40, [mid, east]).
country(land, 1800000, 1100).
"""
WORLD = Geography.of(parse_geobase(FACTS))


def answers(program: str, world: Geography = WORLD, **entities: str) -> list[str]:
    """The names in an answer, sorted; a city with its state."""
    found = denotation(program, world, entities)
    return sorted(f"{v.name} {v.state}".strip() if isinstance(v, Entity) else str(v) for v in found)


# Worked out by hand from the facts above.
BY_HAND = {
    "state(all)": ["east", "mid", "west"],
    "city(loc_2(stateid('west')))": ["bay we", "port we"],
    "city(all)": ["bay mi", "bay we", "cape ea", "hub mi", "port we"],
    "capital(all)": ["cape ea", "hub mi", "port we"],
    "major(city(all))": ["hub mi", "port we"],
    "major(river(all))": ["long"],
    "cityid('bay', _)": ["bay mi", "bay we"],
    "cityid('bay', 'mi')": ["bay mi"],
    "cityid('bay', 'ea')": [],
    "stateid('nowhere')": [],
    "loc_1(cityid('bay', 'mi'))": ["land", "mid"],
    "loc_1(lake(all))": ["east", "land", "mid"],
    "loc_1(stateid('mid'))": ["land"],
    "mountain(loc_2(countryid('land')))": ["horn"],
    "next_to_1(stateid('east'))": ["mid"],
    "next_to_2(stateid('mid'))": ["east", "west"],
    "traverse_1(riverid('twin'))": ["land", "mid", "west"],
    "traverse_2(stateid('west'))": ["long", "short", "twin"],
    "exclude(river(all), traverse_2(stateid('mid')))": ["short"],
    "intersection(next_to_2(stateid('mid')), loc_1(river(all)))": ["east", "west"],
    "capital_1(stateid('east'))": ["cape ea"],
    "capital_2(cityid('hub', _))": ["mid"],
    "high_point_1(countryid('land'))": ["peak", "ridge"],
    "low_point_1(countryid('land'))": ["sea"],
    "high_point_2(placeid('knoll'))": ["mid"],
    "low_point_2(placeid('long river'))": ["mid", "west"],
    "elevation_1(placeid('long river'))": ["10", "90"],
    "elevation_2(3000)": ["peak", "ridge"],
    "higher_2(placeid('knoll'))": ["horn", "peak", "ridge"],
    "lower_2(placeid('knoll'))": ["long river", "sea"],
    "higher_1(placeid('knoll'))": ["long river", "sea"],
    "lower_1(placeid('knoll'))": ["horn", "peak", "ridge"],
    "longer(riverid('short'))": ["long"],
    "len(river(all))": ["100", "900"],
    "sum(len(river(all)))": ["1100"],
    "sum(population_1(state(all)))": ["1800000"],
    "population_1(state(all))": ["1000000", "400000"],
    "population_1(stateid('mid'))": ["400000"],
    "population_1(capital(loc_2(stateid('east'))))": [],
    "area_1(lake(all))": ["40"],
    "density_1(stateid('mid'))": ["4000.0"],
    "size(cityid('hub', _))": ["150001"],
    "size(stateid('mid'))": ["100"],
    "count(city(loc_2(stateid('mid'))))": ["2"],
    "count(stateid('nowhere'))": ["0"],
    "largest(state(all))": ["east", "west"],
    "smallest(city(all))": ["bay mi"],
    "smallest(population_1(state(all)))": ["400000"],
    "longest(river(all))": ["long"],
    "shortest(river(all))": ["short", "twin"],
    "highest(place(all))": ["peak", "ridge"],
    "lowest(place(loc_2(stateid('west'))))": ["long river"],
    "largest_one(density_1(state(all)))": ["mid"],
    "smallest_one(population_1(state(all)))": ["east", "mid"],
    "largest_one(density_1(city(all)))": [],
    "most(state(next_to_2(state(all))))": ["mid"],
    "fewest(state(next_to_2(state(all))))": ["east", "west"],
    "most(river(traverse_2(state(all))))": ["long"],
    "fewest(river(traverse_2(state(all))))": ["short"],
    "most(state(loc_1(city(all))))": ["mid", "west"],
    "fewest(state(loc_1(major(city(all)))))": ["mid", "west"],  # east has none, and is not counted
}


@pytest.mark.parametrize("part", BY_HAND)
def test_answers_by_hand_in_both_forms(part: str) -> None:
    program = f"answer({part})"
    assert answers(program) == BY_HAND[part]
    rewritten = rewrite_funql(program)
    assert answers(str(rewritten), **rewritten.entities) == BY_HAND[part]


def test_a_tie_is_kept_whole() -> None:
    assert answers("answer(smallest(largest(state(all))))") == ["east", "west"]


def test_intersections_of_any_number() -> None:
    assert answers("answer ( intersection ( major , city , loc_2 ( m0 ) ) )", m0="stateid('mid')") == ["hub mi"]


RELATIONS = st.sampled_from(["loc_1", "loc_2", "next_to_1", "next_to_2", "traverse_1", "traverse_2", "higher_2"])
KINDS = st.sampled_from(["state", "city", "river", "place", "capital", "major", "lake", "mountain"])
ENTITIES = st.sampled_from(["stateid('west')", "stateid('mid')", "riverid('long')", "cityid('bay', _)"])
PARTS = st.recursive(
    st.one_of(ENTITIES, KINDS.map("{}(all)".format)),
    lambda part: st.one_of(
        st.builds("{}({})".format, KINDS, part),
        st.builds("{}({})".format, RELATIONS, part),
        st.builds("{}({})".format, st.sampled_from(["largest", "smallest", "highest", "shortest"]), part),
        st.builds("largest_one({}({}))".format, st.sampled_from(["area_1", "population_1", "len"]), part),
        st.builds("{}({}({}({})))".format, st.sampled_from(["most", "fewest"]), KINDS, RELATIONS, part),
        st.builds("{}({}, {})".format, st.sampled_from(["intersection", "exclude"]), part, part),
    ),
    max_leaves=4,
)


@given(PARTS)
def test_both_forms_answer_the_same(part: str) -> None:
    rewritten = rewrite_funql(f"answer({part})")
    assert denotation(str(rewritten), WORLD, rewritten.entities) == denotation(f"answer({part})", WORLD)


@given(PARTS, PARTS)
def test_laws_of_sets(one: str, other: str) -> None:
    def of(part: str) -> frozenset[object]:
        return frozenset(denotation(f"answer({part})", WORLD))

    assert of(f"intersection({one}, {other})") == of(f"intersection({other}, {one})") == of(one) & of(other)
    assert of(f"exclude({one}, {other})") == of(one) - of(other)
    assert of(f"largest({one})") <= of(one)
    assert of(f"count({one})") == {len(of(one))}


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 0, "an empty program"),
        ("answer(state(all)", 6, "not closed"),
        ("state(all)", 0, "'state' where 'answer' belongs"),
        ("answer(state, city)", 0, "'answer' has 2 arguments where 1 belong"),
        ("answer(count(answer(state)))", 13, "'answer' is no function"),
        ("answer(borders(state))", 7, "'borders' is no function of GeoQuery"),
        ("answer(intersection(state, m0))", 27, "the placeholder 'm0' has no entity"),
        ("answer(largest(all))", 15, "'all' does not stand for a set"),
        ("answer(loc_2)", 7, "'loc_2' does not stand for a set"),
        ("answer(loc_2(state, city))", 7, "'loc_2' has 2 arguments where 1 belong"),
        ("answer(exclude(state))", 7, "'exclude' has 1 arguments where 2 belong"),
        ("answer(stateid(mid))", 7, "a name without quotes"),
        ("answer(cityid('bay'))", 7, "'cityid' has 1 arguments where 2 belong"),
        ("answer(largest_one(loc_2, state))", 19, "'loc_2' where a measure belongs"),
        ("answer(largest_one(area_1(state), state))", 19, "'area_1' where a measure belongs"),
        ("answer(most(state, area_1, state))", 19, "'area_1' where a relation belongs"),
        ("answer(most(state(area_1(city))))", 18, "'area_1' where a relation belongs"),
        ("answer(most(largest(loc_2(state))))", 12, "'largest' where a kind belongs"),
        ("answer(most(state, state))", 7, "'most' has 2 arguments where 1 or 3 belong"),
        ("answer(sum(state))", 7, "a sum of what is not a number"),
        ("answer(" * 500 + "state" + ")" * 500, 7 * MAX_DEPTH - 1, f"more than {MAX_DEPTH} levels"),
    ],
)
def test_what_does_not_run_is_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem) as caught:
        denotation(text, WORLD)
    assert caught.value.position == position


@pytest.mark.parametrize("entity", ["state", "loc_2(stateid('mid'))", "mid", "stateid(mid)", ""])
def test_a_placeholder_stands_for_an_entity(entity: str) -> None:
    with pytest.raises(ProgramError):
        denotation("answer(state)", WORLD, {"m0": entity})


def test_facts_of_two_countries_are_refused() -> None:
    with pytest.raises(InputFileError, match=r"several countries \(one, two\)"):
        Geography.of(parse_geobase("country(one, 1, 1). country(two, 1, 1)."))


# -- GeoQuery --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world(data_dir: Path) -> Geography:
    return Geography.of(load_geobase())


@pytest.fixture(scope="module")
def corpus(data_dir: Path) -> tuple[CorpusExample, ...]:
    return load_geoquery_corpus()


# Looked up by hand in geobase.pl.
KNOWN = {
    "capital(loc_2(stateid('texas')))": ["austin tx"],
    "state(next_to_2(stateid('texas')))": ["arkansas", "louisiana", "new mexico", "oklahoma"],
    "largest(state(all))": ["alaska"],
    "smallest(state(all))": ["district of columbia"],
    "count(state(all))": ["51"],
    "river(loc_2(stateid('utah')))": ["colorado", "green", "san juan"],
    "longest(river(all))": ["missouri"],
    "population_1(stateid('california'))": ["23670000"],
    "population_1(cityid('austin', _))": ["345496"],
    "highest(place(all))": ["mount mckinley"],
    "low_point_1(countryid('usa'))": ["death valley"],
    "most(state(next_to_2(state(all))))": ["missouri", "tennessee"],
    "smallest(most(state(next_to_2(state(all)))))": ["tennessee"],
    "fewest(state(next_to_2(state(all))))": ["maine"],
    "most(river(traverse_2(state(all))))": ["mississippi"],
    "exclude(state(all), next_to_2(state(all)))": ["alaska", "hawaii"],
    "state(loc_1(city(cityid('springfield', _))))": ["illinois", "massachusetts", "missouri", "ohio"],
    "major(city(loc_2(stateid('wisconsin'))))": ["madison wi", "milwaukee wi"],
    "capital(city(loc_2(largest(state(all)))))": ["juneau ak"],
    "sum(population_1(state(next_to_2(stateid('texas')))))": ["10820000"],  # 3,025,000 + 2,286,000 + 4,206,000 + …
    "highest(mountain(loc_2(stateid('texas'))))": [],  # no mountain fact is of Texas
}


@pytest.mark.shared_data
@pytest.mark.parametrize("part", KNOWN)
def test_known_answers(part: str, world: Geography) -> None:
    assert answers(f"answer({part})", world) == KNOWN[part]


@pytest.mark.shared_data
def test_every_program_runs_and_both_forms_answer_the_same(world: Geography, corpus: tuple[CorpusExample, ...]) -> None:
    empty = 0
    for example in corpus:
        rewritten = rewrite_funql(example.program)
        answer = denotation(example.program, world)
        assert denotation(str(rewritten), world, rewritten.entities) == answer, example
        empty += not answer
    assert (len(corpus), empty) == (880, 40)
