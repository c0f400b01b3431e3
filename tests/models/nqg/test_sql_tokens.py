"""Questions and SQL as tokens: by hand, back again, and rules over them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recombine
from recombine.errors import OptionError, UnknownNameError
from recombine.languages.known import find_language
from recombine.models.known import find_family
from recombine.models.nqg.induction.induce import induce
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.sql_tokens import cut_pairs, cut_question, cut_sql, join_sql
from recombine.models.nqg.store import load, save

PAIRS = [
    ('dogs: who owns "rex"?', 'select owner from dogs where name = "rex"'),
    ('dogs: who owns "bella"?', 'select owner from dogs where name = "bella"'),
    ('dogs: how old is "rex"?', 'select age from dogs where name = "rex"'),
    ('dogs: how old is "otto"?', 'select age from dogs where name = "otto"'),
]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("who owns rex?", "who owns rex ?"),
        ('is "rex", the dog, here?!', 'is " rex " , the dog , here ? !'),
        ("the owner's 1,000 st. bernards", "the owner's 1,000 st . bernards"),
        ("a@b.org  (mail)", "a@b.org ( mail )"),
        ("... ?", ". . . ?"),
    ],
)
def test_questions_by_hand(text: str, cut: str) -> None:
    assert cut_question(text) == cut


@pytest.mark.parametrize(
    ("text", "cut", "joined"),
    [
        ("select count(*) from t", "select count ( * ) from t", "select count ( * ) from t"),
        ("select t1.a from t as t1", "select t1 . a from t as t1", "select t1.a from t as t1"),
        ("where a>=1.5 and b!='x y'", "where a >= 1.5 and b != ' x y '", "where a >= 1.5 and b != 'x y'"),
        ('where a like "%ab%"', 'where a like " % ab % "', 'where a like "%ab%"'),
        ('where a = "o\'brien (jr.)"', 'where a = " o\'brien ( jr . ) "', 'where a = "o\'brien (jr.)"'),
        ('where a = "8/" or b = ""', 'where a = " 8 / " or b = " "', 'where a = "8/" or b = ""'),
        ("where a < > 3 and b <> 4", "where a < > 3 and b <> 4", "where a < > 3 and b <> 4"),
    ],
)
def test_sql_by_hand(text: str, cut: str, joined: str) -> None:
    assert (cut_sql(text), join_sql(cut)) == (cut, joined)


@given(st.text(alphabet="ab1 .,\"'%()=<>!_?", max_size=20))
def test_what_is_cut_stays_so(text: str) -> None:
    assert cut_question(cut_question(text)) == cut_question(text)
    if text.count('"') % 2 == 0 and "'" not in text:
        assert cut_sql(cut_sql(text)) == cut_sql(text)


@pytest.mark.shared_data
def test_spiders_queries_come_back(data_dir: Path) -> None:
    """All but two of 2,159 are the same query again: a comma and a % between blanks within quotes lose their blanks."""
    language = find_language("sql")
    targets = sorted({example.target for example in recombine.load("spider/ssp")})[::7]
    changed = [text for text in targets if language.parse(join_sql(cut_sql(text))) != language.parse(text)]
    assert len(targets) == 309
    assert [text for text in changed if " , painless" not in text and "% the %" not in text] == []


def test_rules_are_over_these_tokens() -> None:
    """As Table 1 of the paper has one: a value between quotes is a phrase on both sides."""
    plain = {str(rule) for rule in induce(PAIRS, InductionSettings.of("nqg:spider", tokens="blanks")).grammar}
    assert not any("NT_1" in rule for rule in plain)
    cut = {str(rule) for rule in induce(PAIRS, InductionSettings.of("nqg:spider")).grammar}
    assert cut == {
        "dogs ### dogs",
        *(f'" {name} " ### " {name} "' for name in ("bella", "otto", "rex")),
        "NT_1 : who owns NT_2 ? ### select owner from NT_1 where name = NT_2",
        "NT_1 : how old is NT_2 ? ### select age from NT_1 where name = NT_2",
    }


def test_a_parser_cuts_and_joins(tmp_path: Path) -> None:
    parser = Nqg(InductionSettings.of("nqg:spider"), members=1, strict=True).fit(PAIRS)
    asked = ['dogs: who owns "otto"?', 'dogs : how old is " bella " ?', "dogs: who owns otto?"]
    right = ['select owner from dogs where name = "otto"', 'select age from dogs where name = "bella"', None]
    assert parser.predict(asked) == right
    assert parser.decoder().derives('dogs: who owns "otto"?', 'select owner from dogs where name="otto"')
    assert parser.decoder().best(asked[0], 1)[0][0] == right[0]
    save(parser, tmp_path / "parser")
    assert load(tmp_path / "parser").predict(asked) == right


def test_what_is_not_sql_is_judged_as_it_is_written() -> None:
    """The test of targets sees the joined query, not its tokens."""
    seen: list[str] = []
    parser = Nqg(InductionSettings.of("nqg:spider"), strict=True, valid=lambda text: bool(seen.append(text)))
    assert parser.fit(PAIRS).predict(['dogs: who owns "otto"?']) == [None]
    assert seen == ['select owner from dogs where name = "otto"']


def test_identities_of_examples_that_the_search_does_not_see() -> None:
    settings = {"sample": 2, "tokens": "sql"}
    long = [*PAIRS[:2], ('dogs: and who of all owners owns "ada"?', 'select owner from dogs where name = "ada"')]
    seen, every = (
        {str(rule) for rule in induce(long, InductionSettings.of(**settings, all_identities=each)).grammar}
        for each in (False, True)
    )
    # That of `dogs` stands in all examples, and no rule of the search needs it.
    assert every - seen == {'" ada " ### " ada "', "dogs ### dogs"}


def test_settings_of_before_have_the_keys_of_before() -> None:
    """Keys of stored cells hold all settings: those that came later are left out where they say nothing new."""
    family = find_family("nqg")
    assert not {"tokens", "all_identities"} & set(family.settings("nqg", {}))
    assert not {"tokens", "all_identities"} & set(family.settings("nqg:geoquery", {"tokens": "blanks"}))
    made = family.settings("nqg:spider", {})
    assert (made["tokens"], made["all_identities"]) == ("sql", True)
    assert family.make(made, 0, "").settings == InductionSettings.of("nqg:spider")
    assert family.make(family.settings("nqg", {}), 0, "").settings == InductionSettings()


def test_faults(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="way to cut texts into tokens 'words'"):
        InductionSettings(tokens="words")
    (tmp_path / "g.txt").write_text("a ### b\n")
    family = find_family("nqg")
    with pytest.raises(OptionError, match="all_identities is for an induction"):
        family.settings("nqg", {"grammar": str(tmp_path / "g.txt"), "all_identities": True})
    assert family.settings("nqg", {"grammar": str(tmp_path / "g.txt"), "tokens": "sql"})["tokens"] == "sql"


def test_blanks_are_left_alone() -> None:
    assert cut_pairs([("a, b?", "f(x)")], "blanks") == [("a, b?", "f(x)")]
