"""`literals` and `names` of the verbs, and what is said of examples that a search cannot test."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

import recombine
from recombine.cli.app import app
from recombine.errors import InfeasibleError, InputWarning, OptionError
from recombine.measures.never_tested import never_tested, never_tested_text
from recombine.structures.features import Features

# Ten programs of two shapes; every other one has a number of its own.
PAIRS = [(f"q{n}", f"count ( keep ( {n if n % 2 else 0} , {'dog' if n < 5 else 'cat'} ) )") for n in range(10)]
KEPT = "atoms=symbols,presence;compounds=tree:2-2,counts"


def test_never_tested_by_hand() -> None:
    atoms = Features.from_rows([{"a": 1, "b": 1}, {"a": 1}, {"a": 1, "c": 2}, {"d": 1}, {"d": 1}])
    assert never_tested(atoms) == 2  # b and c are of one example each, however often
    assert never_tested(atoms, least=2) == 4  # of d, no other has two
    assert never_tested_text(4, 5, least=2).endswith("an atom that the other examples have fewer than 2 times")


def test_what_can_never_be_tested_is_said_before_the_search() -> None:
    data = recombine.load(PAIRS, language="functional")
    with pytest.warns(InputWarning, match="^of 10 examples 5 can never be in test: each has an atom that no other ex"):
        split = recombine.split(data, by="tmcd", test=2, literals="keep", effort=0.01)
    assert split.never_in_test == split.to_dict()["never_in_test"] == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        typed = recombine.split(data, by="tmcd", test=2, effort=0.01)
        random = recombine.split(data, by="random", test=2)
    assert typed.to_dict()["never_in_test"] == 0
    assert "never_in_test" not in random.to_dict()


def test_a_test_that_cannot_be_filled_is_one_error_with_the_remedy() -> None:
    data = recombine.load(PAIRS, language="functional")
    with pytest.raises(InfeasibleError) as caught:
        recombine.split(data, by="tmcd", test=6, literals="keep")
    assert str(caught.value) == (
        "of 10 examples 5 can never be in test: each has an atom that no other example has; 5 can be, and 6 are to be; "
        "count literals by their kinds with --literals type, or ask for a smaller --test"
    )
    with pytest.warns(InputWarning, match="of 10 examples 5"):
        best = recombine.split(data, by="tmcd", test=6, literals="keep", best_effort=True, effort=0.01)
    assert best.missed is not None


def test_every_verb_takes_the_same_words() -> None:
    data = recombine.load(PAIRS, language="functional")
    split = recombine.split(data, by="random", test=5, seed=1, literals="drop")
    assert (
        "structures:atoms=symbols,presence,literals=drop;compounds=tree:2-2,counts,literals=drop|"
        in (split.measured["signature"])
    )
    kept = recombine.measure(data, split, literals="keep")
    assert f"structures:{KEPT}|" in kept["signature"]
    assert kept["unseen_atoms"]
    assert recombine.measure(data, split)["unseen_atoms"] == []
    page = recombine.report({"mine": split}, data=data, literals="keep")
    assert page["splits"][0]["unseen_atoms"] == kept["unseen_atoms"]
    assert recombine.check(data, split).problems == []
    assert "unseen in train" in recombine.check(data, split, literals="keep").problems[0]


def test_words_that_cannot_be_used(scan: recombine.Dataset) -> None:
    data = recombine.load(PAIRS, language="functional")
    with pytest.raises(OptionError, match="--literals is 'kinds'"):
        recombine.split(data, by="random", test=3, literals="kinds")
    with pytest.raises(OptionError, match="--names is 'drop'; give keep or type"):
        recombine.measure(data, recombine.split(data, by="random", test=3), names="drop")
    features = recombine.features(data, literals="drop")
    assert str(features.structures).endswith("compounds=tree:2-2,counts,literals=drop")
    with pytest.raises(OptionError, match="features are made already"):
        recombine.split(data, by="random", test=3, structures=features, literals="type")
    with pytest.raises(OptionError, match="are not of programs"):
        recombine.split(scan, by="random", test=3, literals="type")


def test_the_command_line_says_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps({"source": a, "target": b}) + "\n" for a, b in PAIRS))
    words = ["split", str(path), "--language", "functional", "--by", "tmcd", "--effort", "0.01"]
    done = CliRunner().invoke(app, [*words, "--test", "2", "--literals", "keep", "--json"])
    assert json.loads(done.stdout)["never_in_test"] == 5
    refused = CliRunner().invoke(app, [*words, "--test", "6", "--literals", "keep"])
    assert refused.exit_code == 1


@pytest.mark.shared_data
def test_300_queries_of_spider_as_own_data(data_dir: Path) -> None:
    with gzip.open(data_dir / "spider" / "spider_ssp.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    spread = [(row[0], row[1]) for row in rows[:: len(rows) // 300]][:300]
    data = recombine.load(spread, language="sql")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        for seed in range(3):
            made = recombine.split(data, by="tmcd", test=0.3, seed=seed, effort=0.2).measured
            assert made["compound_divergence"] >= 2 * made["random_compound_divergence"]["mean"]


@pytest.mark.shared_data
def test_300_s_expressions_as_own_data(data_dir: Path) -> None:
    with gzip.open(data_dir / "grailqa" / "items.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:300]
    data = recombine.load([(row["question"], row["s_expression"]) for row in rows], language="sexpression")
    with pytest.raises(InfeasibleError, match="of 300 examples 269 can never be in test"):
        recombine.split(data, by="tmcd", test=0.3, literals="keep")
    # Half of the questions ask of a relation or a class of their own, which is no literal: the floor shows it.
    with pytest.warns(InputWarning, match="of 300 examples 148 can never be in test"):
        kept = recombine.split(data, by="tmcd", test=0.3, effort=0.1)
    assert "is below that of random splits" in kept.measured["warnings"][0]
    assert "count names by their kinds with --names type" in kept.notes[-1]
    with pytest.warns(InputWarning, match="of 300 examples 1 can never be in test"):
        typed = recombine.split(data, by="tmcd", test=0.3, effort=0.1, names="type").measured
    assert typed["compound_divergence"] >= 2 * typed["random_compound_divergence"]["mean"]
    assert not any("random splits" in said for said in typed.get("warnings", ()))
