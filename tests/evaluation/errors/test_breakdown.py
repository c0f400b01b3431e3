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
    # What needs a language is none without one.
    assert (found.first_errors, found.sql_parts) == (None, None)
    names = {"lengths", "zero_probability", "rare_atoms", "first_errors", "sparql", "sql_parts", "signature"}
    assert set(found.to_record()) == names


def test_atoms_are_those_of_the_data_by_presence() -> None:
    data, _ = made("actions")
    assert str(atom_definition(data)) == "symbols,presence,literals=type"
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


def test_parts_of_sql() -> None:
    query = "select name from dogs where age > {} limit 1"
    pairs = [(f"question {n}", query.format(n)) for n in range(6)]
    data, split = made("sql", pairs)
    given = {
        data[3].id: "select name from dogs where age > 9 limit 1",  # values do not count
        data[4].id: "select age from dogs where age > 4",
        data[5].id: "select name from",
    }
    errors = breakdown(data, split, score(data, split, given))
    assert errors.sql_parts is not None
    assert (errors.sql_parts.outputs, errors.sql_parts.different, errors.sql_parts.malformed) == (3, 1, 1)
    assert {name for name, count in errors.sql_parts.parts.items() if count} == {"select", "limit"}
    assert errors.sparql is None
    assert errors.first_errors is None  # the symbols of SQL are not the tokens of its text


def test_first_wrong_tokens_complete_structures_that_train_lacks() -> None:
    programs = [
        "exists ( find ( dog ) )",
        "exists ( find ( cat ) )",
        "count ( find ( cat ) )",
        "count ( find ( dog ) )",  # all pairs are in train
        "count ( scene ( ) )",  # count > scene is not
        "count ( scene ( ) )",
    ]
    pairs = [(f"question {n}", program) for n, program in enumerate(programs)]
    data, split = made("functional", pairs)
    given = {
        data[3].id: "exists ( find ( dog ) )",  # wrong, and nothing of its gold program is new
        data[4].id: "count ( find ( dog ) )",  # goes wrong at scene, which completes count > scene
        data[5].id: "exists ( scene ( ) )",  # goes wrong at count, which train shows at the top
    }
    errors = breakdown(data, split, score(data, split, given))
    assert errors.first_errors is not None
    assert (errors.first_errors.wrong, errors.first_errors.asked, errors.first_errors.completed) == (3, 2, 1)


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
