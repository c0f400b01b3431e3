"""Ontologies: from GrailQA's files, from facts, and from the data."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_store import as_oxigraph, turtle_store

from recombine.data_directory import data_directory
from recombine.errors import RecombineError
from recombine.kb.ontology.derive_ontology import derive_ontology
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.ontology.read_commons import read_commons
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term

name = Term.name


def texts(terms: tuple[Term, ...]) -> list[str]:
    """The texts of some terms."""
    return [term.text for term in terms]


def names(text: str) -> tuple[Term, ...]:
    """Names written with blanks between them."""
    return tuple(map(name, text.split()))


def pairs(text: str) -> list[tuple[Term, Term]]:
    """Pairs written `a<b`."""
    return [(name(pair.split("<")[0]), name(pair.split("<")[1])) for pair in text.split()]


def test_what_is_above_a_class_is_found_near_and_far() -> None:
    ontology = ontology_of(pairs("film<work work<thing film<product loop<loop"), {}, {})
    assert texts(ontology.ancestors(name("film"))) == ["product", "thing", "work"]
    assert texts(ontology.ancestors(name("thing"))) == []
    assert texts(ontology.classes) == ["film", "product", "thing", "work"]
    assert ontology.is_subclass(name("film"), name("thing"))
    assert ontology.is_subclass(name("film"), name("film"))
    assert not ontology.is_subclass(name("thing"), name("film"))
    assert ontology.notes == ()


def test_a_cycle_of_sub_classes_is_one_class_and_is_said() -> None:
    # b, c and d are below each other; a is below them, e above them.
    ontology = ontology_of(pairs("a<d d<c c<b b<d b<e"), {name("r"): Role(names("c d"), names("b"))}, {})
    assert [texts(group) for group in ontology.merged] == [["b", "c", "d"]]
    assert ontology.notes == ("3 classes are sub-classes of each other and one class: b, c, d",)
    assert [texts(ontology.ancestors(each)) for each in names("a b c d e")] == [["b", "e"], ["e"], ["e"], ["e"], []]
    assert ontology.is_subclass(name("b"), name("c"))
    assert ontology.is_subclass(name("c"), name("b"))
    assert not ontology.is_subclass(name("e"), name("b"))
    assert texts(ontology.domain(name("r"))) == ["b"]
    assert texts(ontology.implied(name("r"), inverse=True)) == ["b", "e"]
    assert texts(ontology.classes) == ["a", "b", "c", "d", "e"]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=14))
def test_what_is_above_a_class_is_what_can_be_reached(edges: list[tuple[str, str]]) -> None:
    reached = {one: {one} for one in "abcdef"}
    for _ in "abcdef":
        for one in "abcdef":
            for low, high in edges:
                if low in reached[one]:
                    reached[one].add(high)
    ontology = ontology_of([(name(low), name(high)) for low, high in edges], {}, {})
    for one in "abcdef":
        for other in "abcdef":
            assert ontology.is_subclass(name(one), name(other)) == (other in reached[one])
        same = {other for other in reached[one] if one in reached[other]}
        assert ontology.one(name(one)).text == min(same)


def test_a_relation_leads_from_its_domain_to_its_range_and_back() -> None:
    roles = {name("directed"): Role(names("director"), names("film")), name("year"): Role(names("film"), names("int"))}
    reverses = {name("directed"): name("directed_by"), name("stars"): name("starred_in")}
    ontology = ontology_of(pairs("director<person film<work"), roles, reverses)
    assert texts(ontology.domain(name("directed"))) == ["director"]
    assert texts(ontology.range(name("directed"))) == ["film"]
    assert texts(ontology.domain(name("directed"), inverse=True)) == ["film"]
    # The reverse has no role of its own: that of the relation is turned round.
    assert texts(ontology.domain(name("directed_by"))) == ["film"]
    assert texts(ontology.range(name("directed_by"))) == ["director"]
    assert texts(ontology.implied(name("directed_by"), inverse=True)) == ["director", "person"]
    assert ontology.implies(name("directed"), name("person"))
    assert not ontology.implies(name("directed"), name("work"))
    assert ontology.implies(name("directed"), name("work"), inverse=True)
    assert (ontology.reverse(name("directed")), ontology.reverse(name("directed_by"))) == names("directed_by directed")
    assert ontology.reverse(name("year")) is None
    assert ontology.one_way == ((name("directed"), name("directed_by")), (name("stars"), name("starred_in")))
    assert ontology.notes == (
        "2 of 2 reverses are given one way: directed to directed_by, stars to starred_in",
        "3 relations have a reverse, and no domain or range: directed_by, starred_in, stars",
    )
    with pytest.raises(RecombineError, match="unknown relation of the ontology 'direced'; did you mean 'directed'"):
        ontology.domain(name("direced"))


def test_alternatives_imply_what_they_have_in_common() -> None:
    below, roles = pairs("man<person woman<person person<being"), {name("knows"): Role(names("man woman"))}
    assert texts(ontology_of(below, roles, {}).implied(name("knows"))) == ["being", "man", "person", "woman"]
    either = ontology_of(below, roles, {}, alternatives=True)
    assert texts(either.implied(name("knows"))) == ["being", "person"]


FILES = {
    "fb_roles": "film.film film.film.director film.director\nfilm.film film.film.runtime type.float\n"
    "x.cvt x.cvt.y film.film\n",
    "fb_types": "film.film meta.subclassOf common.topic .\nfilm.director meta.subclassOf people.person .",
    "reverse_properties": "film.film.director\tfilm.director.film\nfilm.director.film\tfilm.film.director\n",
}


def commons(folder: Path, **changes: str) -> Path:
    """A folder with small files of GrailQA's form; the first is packed."""
    for file, text in {**FILES, **changes}.items():
        if file == "fb_roles":
            (folder / f"{file}.gz").write_bytes(gzip.compress(text.encode()))
        elif text:
            (folder / file).write_text(text)
    return folder


def test_the_files_of_the_commons_are_read(tmp_path: Path) -> None:
    ontology = read_commons(commons(tmp_path))
    assert texts(ontology.implied(name("film.film.director"), inverse=True)) == ["film.director", "people.person"]
    assert texts(ontology.literal_classes) == ["type.float"]
    assert ontology.reverse(name("film.film.director")) == name("film.director.film")
    assert ontology.notes == (
        "2 classes of fb_roles are in no line of fb_types: type.float, x.cvt",
        "1 relations have a reverse, and no domain or range: film.director.film",
    )


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("fb_roles", "a b c\na b\n", "fb_roles.gz, line 2: 'a b' is not of the form `domain relation range`"),
        ("fb_roles", FILES["fb_types"].replace(" .", ""), "line 1: 'film.film meta.subclassOf common.topic' is not"),
        ("fb_types", "a b c .\n", "line 1: 'a b c .' is not of the form `class meta.subclassOf class .`"),
        ("fb_types", '{"a": 1}', "fb_types, line 1"),
        ("fb_types", "", "has no file 'fb_types'; give a folder with fb_roles, fb_types and reverse_properties"),
        ("reverse_properties", "a\tb\tc\n", "reverse_properties, line 1: 'a\\tb\\tc' is not of the form"),
        ("reverse_properties", "a\tb\na\tc\n", "reverse_properties, line 2: a has another reverse before"),
    ],
)
def test_a_file_of_another_shape_is_one_error(tmp_path: Path, file: str, text: str, message: str) -> None:
    with pytest.raises(RecombineError) as raised:
        read_commons(commons(tmp_path, **{file: text}))
    assert message in str(raised.value)


SCHEMA = """
:Film rdfs:subClassOf :Work . :Director rdfs:subClassOf :Person, [ a owl:Restriction ] . :Lonely a owl:Class .
:Person rdfs:subClassOf :Human . :Human rdfs:subClassOf :Person .
:directed rdfs:domain :Director ; rdfs:range :Film ; owl:inverseOf :directedBy .
:year rdfs:range xsd:gYear . :odd a rdf:Property .
"""


@pytest.mark.parametrize("kind", ["embedded", "oxigraph"])
def test_an_ontology_is_what_facts_of_rdfs_and_owl_say(tmp_path: Path, kind: str) -> None:
    embedded = turtle_store(tmp_path, "plain", SCHEMA)
    ontology = ontology_of_facts(embedded if kind == "embedded" else as_oxigraph(embedded))
    assert texts(ontology.implied(name("directed"))) == ["Director", "Human"]
    assert texts(ontology.domain(name("directedBy"))) == ["Film"]
    assert ontology.reverse(name("directedBy")) == name("directed")
    assert texts(ontology.classes)[0] == "http://www.w3.org/2001/XMLSchema#gYear"
    assert texts(ontology.classes)[1:] == ["Director", "Film", "Human", "Lonely", "Person", "Work"]
    assert texts(ontology.literal_classes) == ["http://www.w3.org/2001/XMLSchema#gYear"]
    assert ontology.relations[name("odd")] == Role()
    assert ontology.notes[0] == "1 facts of the schema name a literal or a node without a name: left out"
    assert ontology.notes[1] == "2 classes are sub-classes of each other and one class: Human, Person"


def test_a_store_without_a_schema_says_so(tmp_path: Path) -> None:
    ontology = ontology_of_facts(turtle_store(tmp_path, "plain", ":a :b :c ."))
    assert ontology.notes == ("no fact says what is below a class or where a relation leads: derive it from the data",)


def test_freebase_says_its_schema_by_its_own_predicates(tmp_path: Path) -> None:
    facts = """
    ns:film.film.director ns:type.property.schema ns:film.film ; ns:type.property.expected_type ns:film.director ;
      ns:type.property.reverse_property ns:film.director.film .
    ns:film.director ns:freebase.type_hints.included_types ns:people.person .
    """
    ontology = ontology_of_facts(turtle_store(tmp_path, "freebase", facts))
    assert texts(ontology.implied(name("film.film.director"), inverse=True)) == ["film.director", "people.person"]
    assert texts(ontology.domain(name("film.director.film"))) == ["film.director"]


WIKIDATA = """
wd:Q5 wdt:P279 wd:Q215627 . wd:Q215627 wdt:P279 wd:Q35120 . wd:Q43229 wdt:P279 wd:Q35120 .
wd:P40 wdt:P1696 wd:P22 ; p:P2302 wds:one , wds:two , wds:three .
wds:one ps:P2302 wd:Q21503250 ; pq:P2308 wd:Q5 , wd:Q43229 .
wds:two ps:P2302 wd:Q21510865 ; pq:P2308 wd:Q5 .
wds:three ps:P2302 wd:Q19474404 .
"""


def test_wikidata_says_domains_by_constraints(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "wikidata", WIKIDATA)
    ontology, child, father = ontology_of_facts(store), store.profile.term("wdt:P40"), store.profile.term("wdt:P22")
    assert texts(ontology.domain(child)) == ["Q43229", "Q5"]
    assert texts(ontology.implied(child)) == ["Q35120"]  # what people and organisations have in common
    assert texts(ontology.implied(child, inverse=True)) == ["Q215627", "Q35120", "Q5"]
    assert ontology.reverse(child) == father
    assert texts(ontology.range(father)) == ["Q43229", "Q5"]


DATA = """
:kes a :Film, :Work ; :directed_by :ken ; :year 1969 ; :title "Kes"@en, "Kes" .
:if a :Film, :Work ; :directed_by :lindsay ; :year 1968 .
:poem a :Work . :city a :Place .
:ken a :Person ; :directed :kes ; :born_in :city .
:lindsay a :Person ; :directed :if ; :likes :poem, 7 ; :born_in :nowhere .
:somebody :directed :other .
:other :directed_by :somebody .
"""


def test_an_ontology_is_derived_from_the_data(tmp_path: Path) -> None:
    ontology = derive_ontology(turtle_store(tmp_path, "plain", DATA))
    xsd = "http://www.w3.org/2001/XMLSchema#"
    # Two films and three works: the smaller class. Things without a type say nothing.
    assert (texts(ontology.domain(name("directed_by"))), texts(ontology.range(name("directed_by")))) == (
        ["Film"],
        ["Person"],
    )
    assert texts(ontology.range(name("year"))) == [f"{xsd}integer"]
    assert texts(ontology.range(name("born_in"))) == ["Place"]
    assert ontology.range(name("title")) == ()  # a text with a language and one without
    assert ontology.range(name("likes")) == ()  # a work and a number
    assert ontology.reverse(name("directed")) == name("directed_by")
    assert ontology.reverse(name("directed_by")) == name("directed")
    assert ontology.reverse(name("likes")) is None
    assert texts(ontology.classes) == [f"{xsd}integer", "Film", "Person", "Place", "Work"]
    assert ontology.notes == ("2 of 6 relations have an end without a class that all of it shares",)


def test_a_share_of_the_ends_may_be_enough(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", DATA)
    half = derive_ontology(store, share=0.5)
    assert texts(half.range(name("likes"))) == ["http://www.w3.org/2001/XMLSchema#integer"]
    with pytest.raises(RecombineError, match="a share of 0"):
        derive_ontology(store, share=0)


@pytest.mark.shared_data
def test_the_ontology_of_the_commons_has_the_counts_of_the_paper() -> None:
    # GrailQA, section 2.1: 2,038 classes, 6,265 relations; the other counts by cut, sort and comm on the files, whose
    # relations begin with 90 domains where the paper counts 86.
    ontology = read_commons(data_directory() / "grailqa/ontology")
    domain_of = find_profile("freebase").domain_of
    assert (len(ontology.classes), len(ontology.relations), len(ontology.reverses)) == (2038, 6265, 3654)
    assert len({domain_of(relation) for relation in ontology.relations}) == 90
    assert ontology.notes[0].startswith("392 classes of fb_roles are in no line of fb_types: ")
    assert ontology.notes[1].startswith("2 of 3,654 reverses are given one way: ")
    assert ontology.notes[2].startswith("16 relations have a reverse, and no domain or range: ")
    assert ontology.merged == ()
    director = name("film.director.film")
    assert texts(ontology.implied(director)) == ["common.topic", "film.director", "people.person"]
    assert texts(ontology.literal_classes) == ["type.boolean", "type.datetime", "type.float", "type.int"]
    players = name("american_football.football_position.players")
    assert ontology.reverse(players) == name("american_football.football_player.position_s")
    assert isinstance(ontology, Ontology)
