"""TMCD splits of programs that the tests make themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import RecordError

TYPES = ("city", "river", "state", "lake")
OUTER = ("largest", "longest", "count", "smallest")
PLACES = ("loc_2", "next_to_2", "traverse_2")


def programs() -> list[tuple[str, str]]:
    """Every combination of an outer function, a type and a place, and each of them alone."""
    pairs = [(f"{o} {t}", f"answer ( {o} ( {t} ) )") for o in OUTER for t in TYPES]
    pairs += [(f"{t} {p}", f"answer ( intersection ( {t} , {p} ( m0 ) ) )") for t in TYPES for p in PLACES]
    both = [(o, t, p) for o in OUTER for t in TYPES for p in PLACES]
    return pairs + [(f"{o} {t} {p}", f"answer ( {o} ( intersection ( {t} , {p} ( m0 ) ) ) )") for o, t, p in both]


@pytest.fixture(scope="module")
def data() -> recombine.Dataset:
    return recombine.load(programs(), language="funql")


def test_divergence_rises_and_every_test_atom_is_in_train(data: recombine.Dataset) -> None:
    random = recombine.split(data, by="random", train=38, test=38, seed=1)
    split = recombine.split(data, by="tmcd", train=38, test=38, seed=1)
    assert split.measured["compound_divergence"] > random.measured["compound_divergence"] + 0.2
    assert split.measured["unseen_atom_examples"] == 0
    assert recombine.check(data, split)["problems"] == []
    assert "compounds=tree:2-2,counts" in split.measured["signature"]


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_every_seed_finds_the_best_split_of_few_programs(data: recombine.Dataset, seed: int) -> None:
    """In so small a train every compound has more than a twentieth of the examples, and is evicted all the same."""
    split = recombine.split(data, by="tmcd", train=38, test=38, seed=seed)
    assert split.measured["compound_divergence"] > 0.294


def test_larger_parts_of_trees(data: recombine.Dataset) -> None:
    found = recombine.features(data, "atoms=symbols,counts;compounds=tree:2-3,weighted")
    assert "intersection(1:city, 2:loc_2)" in found.compounds.names
    assert found.atoms.row(0) == {"answer": 1.0, "city": 1.0, "largest": 1.0}


def test_labels_that_look_like_names_are_quoted() -> None:
    odd = recombine.load([("a", "f ( x:y )"), ("b", "f ( x )")], language="funql")
    assert list(recombine.features(odd, "tree:2-2,counts;symbols").compounds.names) == ['f(1:"x:y")', "f(1:x)"]


def test_a_malformed_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "my.tsv").write_text("a\tanswer ( x )\nb\tanswer ( x\n")
    with pytest.raises(RecordError, match="my, line 2: FunQL program, column 8"):
        recombine.split(
            recombine.load(tmp_path / "my.tsv", source="1", target="2", language="funql"), by="tmcd", test=1
        )


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in programs()))
    out = tmp_path / "split.json"
    arguments = [
        "split",
        str(tmp_path / "my.tsv"),
        "--language",
        "funql",
        "--by",
        "tmcd",
        "--test",
        "0.5",
        "--seed",
        "1",
    ]
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "-o", str(out), "--quiet"])
    assert ended.value.code == 0
    assert "by:tmcd" in capsys.readouterr().out
    assert out.exists()
