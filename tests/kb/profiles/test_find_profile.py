"""Profiles as files: those of the package, and one's own with every mistake said."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import KnowledgeBaseError, RecombineError
from recombine.kb.profiles.find_profile import PROFILES, find_profile
from recombine.kb.profiles.profile import ROLES


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_of_the_package_is_read_and_whole(name: str) -> None:
    profile = find_profile(name)
    assert profile.name == name
    for role in ROLES:
        # Freebase alone says which of its classes are in the middle of facts.
        assert bool(profile.predicates(role)) == (role != "mediator" or name == "freebase"), role
    assert set(PROFILES) == {path.stem for path in Path(find_profile.__code__.co_filename).parent.glob("*.toml")}


def test_the_predicates_are_those_of_the_knowledge_bases() -> None:
    # As used by the queries of GrailQA and QALD in the data directory.
    assert find_profile("freebase").predicates("type")[0].key == "=type.object.type"
    assert find_profile("wikidata").predicates("type")[0].key == "<http://www.wikidata.org/prop/direct/P31"
    assert find_profile("wikidata").predicates("subclass")[0].key == "<http://www.wikidata.org/prop/direct/P279"
    rdf_type = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    assert find_profile("dbpedia").predicates("type")[0].key == rdf_type


OWN = """
name = "films"
base = "http://films.example/"
type = ["kind"]
label = "title"
[prefixes]
f = "http://films.example/ns#"
"""


def test_a_profile_of_ones_own_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "films.toml"
    path.write_text(OWN)
    profile = find_profile(path)
    assert find_profile(str(path)) == profile
    assert (profile.name, profile.type, profile.label, profile.subclass) == ("films", ("kind",), ("title",), ())
    assert profile.term("f:x").key == "<http://films.example/ns#x"


def test_a_profile_like_another_says_only_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('like = "wikidata"\nname = "mine"\n[prefixes]\nmy = "http://my.example/"\n')
    profile, wikidata = find_profile(path), find_profile("wikidata")
    assert (profile.name, profile.base, profile.statements) == ("mine", wikidata.base, wikidata.statements)
    assert profile.term("my:a").text == "http://my.example/a"
    assert profile.term("wdt:P31") == wikidata.term("wdt:P31")


MISTAKES = {
    "not TOML": ("name = films", "is no TOML"),
    "unknown key": (OWN.replace("label", "lable"), "unknown key 'lable'; did you mean 'label'?"),
    "bad pattern": (f'entity = "["\n{OWN}', "'entity' is no regular expression (unterminated character set"),
    "no group": (f'schema_domain = "a.*"\n{OWN}', "'schema_domain' has no group for the domain"),
    "no base": ('name = "films"', "has no 'base'"),
    "no name": ('base = "http://films.example/"', "has no 'name'"),
    "not a text": (OWN.replace('"films"', "7"), "'name' is 7, which is no text"),
    "not a list": (OWN.replace('["kind"]', "[7]"), "'type' is [7], which is no list of predicates"),
    "no IRI": (OWN.replace("http://films.example/ns#", "films"), "'prefixes.f' is 'films', which begins no IRI"),
    "base is no IRI": (OWN.replace('"http://films.example/"', '"films"'), "'base' is 'films', which begins no IRI"),
    "no table": ('prefixes = "f"\n' + OWN.split("[prefixes]")[0], "'prefixes' is no table of texts"),
    "no prefix": (OWN + '"a b" = "http://a/"', "'a b' is no prefix"),
    "unknown prefix": (OWN.replace('"kind"', '"rdf:type"'), "uses the prefix 'rdf', which is not among the prefixes"),
    "unknown part": (OWN + '[statements]\nclaims = "f"', "unknown key of statements 'claims'; did you mean 'claim'?"),
    "statements without prefix": (OWN + '[statements]\nclaim = "p"', "uses the prefix 'p'"),
    "like nothing": ('like = "freebas"', "unknown profile (a name, or the path of a .toml file) 'freebas'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_profile_is_said(tmp_path: Path, mistake: str) -> None:
    text, message = MISTAKES[mistake]
    path = tmp_path / "films.toml"
    path.write_text(text)
    with pytest.raises(RecombineError) as raised:
        find_profile(path)
    assert message in str(raised.value)
    if mistake != "like nothing":
        assert isinstance(raised.value, KnowledgeBaseError)
        assert str(raised.value).startswith(str(path))


def test_a_profile_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecombineError, match="did you mean 'wikidata'"):
        find_profile("wikidat")
    with pytest.raises(RecombineError, match="no such file"):
        find_profile(tmp_path / "mine.toml")
