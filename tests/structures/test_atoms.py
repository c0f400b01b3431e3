from __future__ import annotations

from recombine.grammars.terms.read_grammar import packaged_grammar
from recombine.records.dataset import Dataset
from recombine.structures.atoms import atoms
from recombine.structures.definition import AtomDefinition


def test_walk_and_walk_twice() -> None:
    grammar = packaged_grammar("scan")
    (term,) = grammar.parse_forest("walk and walk twice").first(2)
    derivation = grammar.derivation(term)
    grammar_only = {"and": 1, "once": 1, "twice": 1, "plain": 2, "walk": 2}
    assert atoms([derivation], AtomDefinition("grammar", "counts")).row(0) == grammar_only
    assert atoms([derivation], AtomDefinition("grammar", "presence")).row(0) == dict.fromkeys(grammar_only, 1)
    meanings = {"[[S and S]]": 1, "[[V twice]]": 1, "[[walk]]": 2}
    assert atoms([derivation], AtomDefinition("interpretation", "counts")).row(0) == meanings
    assert atoms([derivation], AtomDefinition("all", "counts")).row(0) == grammar_only | meanings


def test_scan_uses_every_rule(scan: Dataset) -> None:
    derivations = [example.derivation for example in scan if example.derivation is not None]
    found = atoms(derivations, AtomDefinition())
    assert set(found.names) == set(packaged_grammar("scan").rule_names())
    assert found.shape == (20910, 38)
