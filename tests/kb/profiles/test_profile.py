"""Names, IRIs, and what people type: each the exact inverse of the other."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recombine.errors import RecombineError
from recombine.kb.profiles.find_profile import PROFILES, find_profile
from recombine.kb.term import Term

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20) | st.text(
    '<>"_:%#?[]{}|\\^` 2aF/\n\t=@', min_size=1, max_size=12
)
KNOWN = st.sampled_from(PROFILES).map(find_profile)
STEMS = st.sampled_from(
    sorted({stem for name in PROFILES for stem in (*find_profile(name).prefixes.values(), find_profile(name).base)})
)
IRIS = st.builds(lambda stem, rest: stem + rest, STEMS, st.text("aZ09_.-:/%2é(),'", max_size=10))


@given(KNOWN, NAMES)
@example(find_profile("plain"), "100%")
@example(find_profile("plain"), "%20")
def test_a_name_and_its_iri_are_one(profile, name) -> None:  # type: ignore[no-untyped-def]
    term = Term.name(name)
    assert profile.shorten(profile.expand(term)) == term
    assert profile.term(f"<{profile.expand(term)}>") == term


@given(KNOWN, IRIS)
def test_an_iri_and_its_term_are_one(profile, iri) -> None:  # type: ignore[no-untyped-def]
    term = profile.shorten(iri)
    assert profile.expand(term) == iri
    assert profile.term(profile.show(term)) == term


@given(KNOWN, NAMES)
@example(find_profile("plain"), "rdf:type")
@example(find_profile("plain"), '"Heroes"')
@example(find_profile("plain"), "_:b")
@example(find_profile("plain"), "<unknown>")
def test_what_is_shown_of_a_name_is_taken_back(profile, name) -> None:  # type: ignore[no-untyped-def]
    shown = profile.show(Term.name(name))
    assert profile.term(shown) == Term.name(name)
    assert len(shown.splitlines()) == 1


@given(
    KNOWN,
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["", "http://www.w3.org/2001/XMLSchema#integer", "http://www.wikidata.org/entity/Q1", "a:b"]),
    st.sampled_from(["", "en", "pt-br"]),
)
def test_what_is_shown_of_a_literal_is_taken_back(profile, text, datatype, language) -> None:  # type: ignore[no-untyped-def]
    term = Term.literal(text, datatype=datatype, language=language)
    assert profile.term(profile.show(term)) == term


@pytest.mark.parametrize(
    ("profile", "typed", "key", "shown"),
    [
        ("freebase", "m.0abc", "=m.0abc", "m.0abc"),
        ("freebase", "ns:film.film", "=film.film", "film.film"),
        ("freebase", "<http://rdf.freebase.com/ns/m.0abc>", "=m.0abc", "m.0abc"),
        ("wikidata", "wd:Q42", "=Q42", "Q42"),
        ("wikidata", "wdt:P31", "<http://www.wikidata.org/prop/direct/P31", "wdt:P31"),
        ("dbpedia", "dbo:birthPlace", "<http://dbpedia.org/ontology/birthPlace", "dbo:birthPlace"),
        ("dbpedia", "<http://dbpedia.org/resource/%22Heroes%22_(album)>", '="Heroes"_(album)', '"Heroes"_(album)'),
        ("plain", "Star Wars: Episode IV", "=Star Wars: Episode IV", "Star Wars: Episode IV"),
        ("plain", '"5"^^xsd:int', '"5\0http://www.w3.org/2001/XMLSchema#int', '"5"^^xsd:int'),
        ("plain", '"a\\"b\\n"@EN', '"a"b\n\0@en', '"a\\"b\\n"@en'),
        ("plain", '"Pimpernel" Smith', '="Pimpernel" Smith', '"Pimpernel" Smith'),
        ("plain", "_:b1", "_b1", "_:b1"),
        ("plain", "1969", "=1969", "1969"),
        ("plain", "<http://example.org/a%2Fb>", "<http://example.org/a%2Fb", "<http://example.org/a%2Fb>"),
    ],
)
def test_what_a_person_types_is_a_term(profile: str, typed: str, key: str, shown: str) -> None:
    term = find_profile(profile).term(typed)
    assert term.key == key
    assert find_profile(profile).show(term) == shown


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "an empty text names nothing"),
        ("<a b>", "'<a b>' is no whole IRI"),
        ("<unknown>", "'<unknown>' is no whole IRI"),
        ("rdf:a b", "is no whole IRI"),
        ('"5"^^int', "int names no type"),
        ('"a\\x"', "\\x is no escape"),
        ('"\\uD800"', "\\uD800 is no character"),
    ],
)
def test_what_names_nothing_is_refused(typed: str, message: str) -> None:
    with pytest.raises(RecombineError) as raised:
        find_profile("plain").term(typed)
    assert message in str(raised.value)


def test_a_literal_has_no_iri() -> None:
    with pytest.raises(RecombineError, match='"5" is no resource'):
        find_profile("plain").expand(Term.literal("5"))


@pytest.mark.parametrize(
    ("profile", "name", "entity", "domain"),
    [
        ("freebase", "m.0abc_9", True, "m"),
        ("freebase", "film.director.film", False, "film"),
        ("freebase", "film", False, ""),
        ("wikidata", "Q42", True, ""),
        ("wikidata", "P31", False, ""),
        ("plain", "/film/film/genre", True, "film"),
        ("plain", "a\nb", True, ""),
    ],
)
def test_a_name_says_what_it_is_of(profile: str, name: str, entity: bool, domain: str) -> None:
    term = Term.name(name)
    assert find_profile(profile).is_entity(term) is entity
    assert find_profile(profile).domain_of(term) == domain


def test_types_of_literals_are_known_by_xsd_or_by_the_profile() -> None:
    freebase = find_profile("freebase")
    assert freebase.is_literal_class(Term.name("type.float"))
    assert not freebase.is_literal_class(Term.name("type.type"))
    assert find_profile("plain").is_literal_class(Term.iri("http://www.w3.org/2001/XMLSchema#date"))
    assert not find_profile("plain").is_literal_class(Term.name("type.float"))
