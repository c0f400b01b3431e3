"""Every kind of grammar is asked and answers in the same way, also one that the package does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import recombine
from recombine.errors import DerivationError, OptionError, SizeError
from recombine.grammars.find_grammar import NOTATIONS, find_grammar, register_notation
from recombine.grammars.formalism import Derived, Formalism, Term
from recombine.grammars.rule_table import RuleTable
from recombine.grammars.synchronous.notation import parse_synchronous
from recombine.grammars.terms.read_grammar import parse_grammar
from recombine.records.derivation import Derivation, rule_kind
from recombine.splits.hold_out.grammar import rule_sets

PACKAGE = Path(recombine.__file__).parent
RULES = """%start <S>
both:  <S> -> <V:1> and <V:2> => <V:1> ; <V:2>
one:   <S> -> <V> => <V>
twice: <V> -> <U> twice => 2 <U>
once:  <V> -> <U> => <U>
jump:  <U> -> jump => JUMP
leap:  <U> -> leap => JUMP
walk:  <U> -> walk => WALK
"""
"""Rules that both notations read alike; `JUMP` has two derivations."""
BY_KIND = {"terms": parse_grammar(RULES), "synchronous": parse_synchronous(RULES)}


class Numbers:
    """A third formalism: a rule for each line `name word`, one rule to a derivation."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.words = dict(line.split() for line in path.read_text().splitlines())

    def rule_names(self) -> list[str]:
        return list(self.words)

    def rule_table(self) -> RuleTable:
        return RuleTable(self.name, dict.fromkeys(self.words, "S"), dict.fromkeys(self.words, frozenset()))

    def derivation(self, term: Term) -> Derivation:
        return Derivation.tree((term[0], []))

    def parse_source(self, text: str) -> Iterator[Derived]:
        return (each for each in self.enumerate() if each.source == text)

    def parse_target(self, text: str) -> Iterator[Derived]:
        return (each for each in self.enumerate() if each.target == text)

    def sample(self, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Derived]:
        del seed
        return islice(self.enumerate(max_depth=max_depth), number)

    def enumerate(self, *, max_depth: int | None = None) -> Iterator[Derived]:
        del max_depth
        return (Derived(word, f"{name} !", (name, ())) for name, word in self.words.items())

    def count(self, *, max_depth: int | None = None) -> None:
        del max_depth


@pytest.fixture
def numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a notation that is registered for the test alone."""
    monkeypatch.setattr(NOTATIONS, "_things", dict(NOTATIONS._things))
    monkeypatch.setattr(NOTATIONS, "_origins", dict(NOTATIONS._origins))
    register_notation(".numbers", Numbers)
    (tmp_path / "few.numbers").write_text("one eins\ntwo zwei\nthree drei\n")
    return tmp_path / "few.numbers"


@pytest.fixture(params=BY_KIND)
def grammar(request: pytest.FixtureRequest) -> Formalism:
    grammar: Formalism = BY_KIND[request.param]
    return grammar


def test_every_derivation_is_found_from_both_its_texts(grammar: Formalism) -> None:
    made = list(grammar.enumerate())
    assert len(made) == grammar.count() == len(set(made)) == 6 * 6 + 6
    assert Derived("jump and leap twice", "JUMP ; 2 JUMP", _term("jump", "leap twice")) in made
    for each in made:
        assert each in list(grammar.parse_source(each.source))
        parses = list(grammar.parse_target(each.target))
        assert each in parses
        assert len(parses) == len(set(parses)) == 2 ** each.target.count("JUMP")
        assert {parse.target for parse in parses} == {each.target}


def _term(*verbs: str) -> Term:
    terms: list[Term] = [("twice" if verb.endswith("twice") else "once", ((verb.split()[0], ()),)) for verb in verbs]
    return ("both" if len(verbs) == 2 else "one", tuple(terms))


def test_the_canonical_derivation_comes_first(grammar: Formalism) -> None:
    assert next(grammar.parse_target("2 JUMP")) == ("jump twice", "2 JUMP", _term("jump twice"))
    assert [each.source for each in grammar.parse_target("JUMP")] == ["jump", "leap"]


def test_a_text_without_a_derivation_is_refused_when_it_is_asked_for(grammar: Formalism) -> None:
    with pytest.raises(DerivationError, match="does not make the source 'swim'"):
        grammar.parse_source("swim")
    with pytest.raises(DerivationError, match="does not make the target '2 2 JUMP'"):
        grammar.parse_target("2 2 JUMP")


def test_samples_are_different_and_follow_the_seed(grammar: Formalism) -> None:
    made = list(grammar.sample(20, seed=3))
    assert len(made) == len(set(made)) == 20
    assert set(made) <= set(grammar.enumerate())
    assert made == list(grammar.sample(20, seed=3)) != list(grammar.sample(20, seed=4))
    with pytest.raises(OptionError, match="cannot make 0 examples"):
        grammar.sample(0, seed=3)
    with pytest.raises(SizeError):
        list(grammar.sample(43, seed=3))


def test_a_recursive_grammar_is_sampled_one_by_one() -> None:
    grammar = parse_grammar("%start <S>\nmore @9: <S> -> x <S> => y <S>\nend: <S> -> x => y")
    first = list(grammar.sample(5, seed=1))
    assert first == list(islice(grammar.sample(33, seed=1), 5)), "that there are only 32 is found out later"
    with pytest.raises(SizeError, match="1650 draws gave 32 distinct examples, not 33"):
        list(grammar.sample(33, seed=1))
    with pytest.raises(OptionError, match="<S> contains itself"):
        grammar.count()
    assert grammar.count(max_depth=7) == len(list(grammar.enumerate(max_depth=7))) == 7


def test_a_synchronous_grammar_has_no_depth() -> None:
    grammar = BY_KIND["synchronous"]
    for ask in (grammar.enumerate, grammar.count, lambda **given: grammar.sample(1, seed=0, **given)):
        with pytest.raises(OptionError, match="has no option --max-depth; limit symbols with %nest"):
            ask(max_depth=3)


def test_derivations_of_long_targets_are_left_out() -> None:
    grammar = parse_synchronous(
        "%start <S>\n%longest 2\n%lexical <W>\nwhole: <S> -> <W> => <W>\nparts: <S> -> a b c => a b c\n"
        "w: <W> -> a b c => a b c"
    )
    assert [each.term[0] for each in grammar.parse_target("a b c")] == ["whole"]


def test_rules_stand_in_the_table_under_the_names_of_derivations(grammar: Formalism) -> None:
    table = grammar.rule_table()
    assert list(table.symbol) == grammar.rule_names()
    assert (table.symbol["twice"], table.asks["both"], table.asks["jump"]) == ("V", {"V"}, frozenset())
    assert table.meaningful_symbols() == ["S", "V", "U"]


def test_rules_of_a_program_are_its_first_derivation(grammar: Formalism) -> None:
    data = recombine.load([("a", "JUMP ; 2 WALK"), ("b", "WALK")])
    assert rule_sets(data, grammar) == [{"both", "once", "jump", "twice", "walk"}, {"one", "once", "walk"}]
    with pytest.raises(DerivationError, match=r"the example .*: the grammar .* does not make the target 'SWIM'"):
        rule_sets(recombine.load([("a", "SWIM")]), grammar)


def test_interpretations_are_no_rules_of_the_table() -> None:
    scan = find_grammar("scan")
    assert [name for name in scan.rule_names() if rule_kind(name) == "grammar"] == list(scan.rule_table().symbol)
    assert len(scan.rule_names()) == 38


def test_a_third_formalism_is_found_by_its_ending(numbers: Path) -> None:
    grammar = find_grammar(numbers)
    assert [each.source for each in grammar.enumerate()] == ["eins", "zwei", "drei"]
    made = recombine.generate(numbers)
    assert (len(made.dataset), made.rules, made.dataset.name) == (3, 3, "few")
    data = recombine.load([(each.source, each.target) for each in made.dataset])
    assert rule_sets(data, grammar) == [{"one"}, {"two"}, {"three"}]


@pytest.mark.parametrize("suffix", ["numbers", ".", "", ".a.b", ".a/b"])
def test_what_is_no_ending_is_refused(suffix: str) -> None:
    with pytest.raises(OptionError, match="the ending of a notation is"):
        register_notation(suffix, Numbers)


def test_an_ending_of_the_package_is_not_replaced() -> None:
    with pytest.raises(OptionError, match=r"there is a notation '.scfg' already"):
        register_notation(".scfg", Numbers)


def test_a_file_of_no_known_ending_is_read_as_a_grammar(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("%start <S>\na: <S> -> x => y\n")
    assert find_grammar(tmp_path / "mine.txt").rule_names() == ["a"]


def test_nobody_asks_which_kind_of_grammar_it_is() -> None:
    asking = [path for path in PACKAGE.rglob("*.py") if re.search(r"isinstance\([^)]*Grammar\b", path.read_text())]
    assert asking == []
