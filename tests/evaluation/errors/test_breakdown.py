"""A score's errors, taken apart together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import recombine
from recombine.evaluation.errors.breakdown import atom_definition, breakdown
from recombine.evaluation.score import score
from recombine.records.split import Split, parse_split

PAIRS = [
    ("walk", "I_WALK"),
    ("walk twice", "I_WALK I_WALK"),
    ("run", "I_RUN"),
    ("run twice", "I_RUN I_RUN"),
    ("jump", "I_JUMP"),
    ("walk thrice", "I_WALK I_WALK I_WALK"),
]
OUTPUTS = {"run twice": "I_RUN", "jump": "", "walk thrice": "I_WALK I_WALK I_WALK"}


def made(language: str | None = None, pairs: list[tuple[str, str]] = PAIRS) -> tuple[recombine.Dataset, Split]:
    data = recombine.load(pairs, language=language)
    order = [example.id for example in data]
    return data, parse_split({"train": [0, 1, 2], "test": [3, 4, 5]}, "here", data, order)


def outputs(data: recombine.Dataset) -> dict[str, str]:
    return {e.id: OUTPUTS[e.source] for e in data if e.source in OUTPUTS}


def test_by_hand() -> None:
    data, split = made()
    found = breakdown(data, split, score(data, split, outputs(data)))
    assert (found.lengths.whole.wrong, found.lengths.abstained, found.lengths.whole.too_short) == (1, 1, 0.5)
    assert found.zero_probability is not None
    # "I_RUN I_RUN": the second I_RUN never follows the first; the third I_WALK and the end after it are unseen too.
    assert (found.zero_probability.at_first_error, found.zero_probability.right_with) == (1, 1)
    assert found.rare_atoms is not None
    assert found.rare_atoms.unseen_atoms == ("I_JUMP",)
    assert (found.rare_atoms.unseen.accuracy, found.rare_atoms.no_unseen.accuracy) == (0, 0.5)
    assert found.rare_atoms.errors_with_once == 0.5  # I_RUN
    assert found.sparql is None
    assert found.signature.get("atoms") == "tokens,presence"
    assert set(found.to_record()) == {"lengths", "zero_probability", "rare_atoms", "sparql", "signature"}


def test_atoms_are_those_of_the_data_by_presence() -> None:
    data, _ = made("actions")
    assert str(atom_definition(data)) == "symbols,presence"
    counted = replace(data, structures="atoms=symbols:arity,counts;compounds=tree:2-2,counts")
    assert str(atom_definition(counted)) == "symbols:arity,presence"


def test_without_train() -> None:
    data, split = made()
    alone = replace(split, parts={"test": split.test})
    found = breakdown(data, alone, score(data, alone, outputs(data)))
    assert (found.zero_probability, found.rare_atoms, found.lengths.longest_train) == (None, None, None)
    assert found.signature.get("trigrams") == ""


def test_sparql() -> None:
    query = "SELECT count ( * ) WHERE {{ M0 film.editor.film M{} . M0 a film.editor }}"
    pairs = [(f"question {n}", query.format(n)) for n in range(1, 7)]
    data, split = made("sparql", pairs)
    turned = "SELECT count ( * ) WHERE {{ M0 a film.editor . M0 film.editor.film M{} }}"
    given = {data[3].id: turned.format(4), data[4].id: query.format(4), data[5].id: query.format(6)}
    scored = score(data, split, given)
    found = breakdown(data, split, scored)
    assert scored.exact_match == pytest.approx(2 / 3)  # another order is right when normalised
    assert found.sparql is not None
    assert (found.sparql.errors, found.sparql.examples["node"]) == (2, 1)


@pytest.mark.shared_data
def test_gold_against_gold_on_a_published_split(data_dir: Path) -> None:
    assert data_dir
    data = recombine.load("geoquery/funql")
    split = recombine.load_split(data, "tmcd_1")
    found = breakdown(data, split, score(data, split, {key: data[key].target for key in split.test}))
    assert found.zero_probability is not None
    assert found.rare_atoms is not None
    assert (found.lengths.whole.wrong, found.zero_probability.wrong) == (0, 0)
    # Table 6 of the NQG paper: no example of the TMCD split has an unseen atom.
    assert (found.rare_atoms.unseen.n, found.rare_atoms.no_unseen.accuracy) == (0, 1.0)
