"""Sub-sampling by entropy, level by level (CFQ paper, K.3)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_subsample import entropy, greedy_steps

import recombine
from recombine.cli.main import run
from recombine.errors import DerivationError, OptionError, RecordError, SizeError
from recombine.records.example import Example
from recombine.selection.entropy_kernels import SCALE, spread_table, take_examples
from recombine.selection.level_sizes import level_sizes
from recombine.selection.subsample import grammar_levels, subsample, tag_levels
from recombine.selection.subsample_rows import entropy_of, subsample_rows, whole_weights
from recombine.structures.definition import PROGRAM_STRUCTURES
from recombine.structures.features import Features

NAMES = [*"abcdefg"]
ROWS = st.lists(st.dictionaries(st.sampled_from(NAMES), st.integers(1, 4).map(float), max_size=5), min_size=1)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.data())
def test_each_step_has_the_highest_entropy_of_all_candidates(rows: list[dict[str, float]], data: st.DataObject) -> None:
    """Bounds leave candidates unseen, and none of those would have been better."""
    number = data.draw(st.integers(1, len(rows)))
    chosen = subsample_rows(Features.from_rows(rows), [1] * len(rows), number, seed=data.draw(st.integers(0, 3)))
    assert len(set(chosen.rows)) == number
    for reached, highest in greedy_steps(rows, chosen.rows, range(len(rows))):
        assert reached == pytest.approx(highest, abs=1e-6)


def test_levels_are_taken_from_the_lowest_up_each_beside_those_before() -> None:
    """By hand: level 1 gives an a; of level 2, one that is no a is taken."""
    rows = [{"a": 1.0}, {"a": 1.0}, {"a": 1.0}, {"b": 1.0}, {"a": 1.0}, {"a": 1.0}]
    levels = [2, 1, 2, 2, 1, 2]
    for seed in range(5):
        chosen = subsample_rows(Features.from_rows(rows), levels, 2, seed=seed)
        assert [levels[row] for row in chosen.rows] == [1, 2]
        assert chosen.rows[1] == 3
        assert (chosen.supply, chosen.sizes) == ({1: 2, 2: 4}, {1: 1, 2: 1})


def drawn_pool(size: int, seed: int) -> tuple[Features, np.ndarray]:
    """A pool in which few structures are frequent and most are rare, in eight levels."""
    generator = np.random.default_rng(seed)
    levels = generator.integers(3, 11, size)
    rows = [dict.fromkeys((f"s{c}" for c in np.minimum(generator.zipf(1.4, n), 300)), 1.0) for n in levels]
    return Features.from_rows(rows), levels


def test_the_entropy_is_above_that_of_random_draws_of_the_same_levels() -> None:
    pool, levels = drawn_pool(3000, 1)
    chosen = subsample_rows(pool, levels, 400, seed=1)
    assert Counter(levels[list(chosen.rows)].tolist()) == dict.fromkeys(range(3, 11), 50)
    generator = np.random.default_rng(2)
    for _ in range(5):
        drawn = [generator.choice(np.flatnonzero(levels == level), 50, replace=False) for level in range(3, 11)]
        assert entropy_of(pool, np.concatenate(drawn)) < entropy_of(pool, chosen.rows) - 0.5
    rare = np.argsort(pool.held(range(3000)), kind="stable")[:30]
    before, after = pool.held(range(3000))[rare].sum() / 3000, pool.held(chosen.rows)[rare].sum() / 400
    assert after > 2 * before


def test_bounds_save_most_of_the_work() -> None:
    pool, levels = drawn_pool(3000, 1)
    chosen = subsample_rows(pool, levels, 400, seed=1)
    of_all = sum(
        (supply + supply - size + 1) * size // 2
        for supply, size in zip(chosen.supply.values(), chosen.sizes.values(), strict=True)
    )
    assert chosen.looked_at < of_all / 4


def test_sums_kept_up_to_date_equal_sums_made_anew() -> None:
    pool, _ = drawn_pool(500, 3)
    data = whole_weights(pool)
    table = spread_table(int(pool.held(range(500)).max()))
    counts, sums = np.zeros(len(pool.names), np.int64), np.zeros(2, np.int64)
    order = np.arange(500)
    for _ in range(2):
        places, _ = take_examples(pool.indptr, pool.indices, data, table, counts, sums, order, np.int64(50))
        order = np.delete(order, places)
    taken = np.setdiff1d(np.arange(500), order)
    assert counts.tolist() == pool.held(taken).tolist()
    assert sums.tolist() == [counts.sum(), table[counts].sum()]
    assert np.log(sums[0]) - sums[1] / sums[0] / SCALE == pytest.approx(entropy_of(pool, taken), abs=1e-6)


def test_the_steps_of_the_table_never_fall() -> None:
    """What an example adds may only grow as others are taken: the bounds rest on it."""
    table = spread_table(1_000_000)
    steps = np.diff(table)
    assert (np.diff(steps) >= 0).all()
    assert table[-1] / SCALE == pytest.approx(1e6 * np.log(1e6), abs=0.1)


def test_weights_that_are_not_whole_count_as_they_are() -> None:
    """Twice a half weighs as much as once a whole."""
    pool = Features.from_rows([{"a": 0.5, "b": 0.25}, {"a": 0.5}])
    assert whole_weights(pool)[0] == 2 * whole_weights(pool)[1]
    assert entropy_of(pool, [0]) == pytest.approx(entropy([{"a": 2, "b": 1}]))


def test_the_same_seed_takes_the_same_and_another_seed_others() -> None:
    pool, levels = drawn_pool(600, 4)
    first = subsample_rows(pool, levels, 100, seed=5)
    assert subsample_rows(pool, levels, 100, seed=5) == first
    assert subsample_rows(pool, levels, 100, seed=6).rows != first.rows


@given(st.dictionaries(st.integers(1, 60), st.integers(1, 50), min_size=1), st.data())
def test_levels_are_of_one_size_up_to_their_supply(supply: dict[int, int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, sum(supply.values())))
    sizes = level_sizes(supply, number)
    assert sum(sizes.values()) == number
    assert all(size <= supply[level] for level, size in sizes.items())
    short = [size for level, size in sizes.items() if size < supply[level]]
    assert list(sizes) == sorted(supply)
    assert short == sorted(short, reverse=True)  # what is left over goes to the lowest
    if short:
        assert max(sizes.values()) - min(short) <= 1


def test_a_level_is_the_number_of_grammar_rules() -> None:
    scan = recombine.load("scan")
    levels = grammar_levels(scan)
    first = scan[0].derivation
    assert first is not None
    assert levels[0] == sum(not rule.startswith("[[") for rule in first.rules)


def test_more_than_there_are_is_refused_and_so_is_what_has_no_derivation() -> None:
    pool = Features.from_rows([{"a": 1.0}, {"a": 1.0}])
    with pytest.raises(SizeError, match="3 examples are asked for, but there are 2"):
        subsample_rows(pool, [1, 2], 3)
    with pytest.raises(SizeError, match="2 examples are asked for, but there are 1"):
        subsample_rows(pool, [1, 2], 2, max_level=1)
    with pytest.raises(OptionError, match="1 levels and 2 examples"):
        subsample_rows(pool, [1], 1)
    with pytest.raises(DerivationError, match="has no derivation"):
        grammar_levels(recombine.load([("a", "b")]))


def test_levels_may_be_those_of_a_tag(tmp_path: Path) -> None:
    """Programs without derivations: their structures are those of their language, levels are named."""
    rows = [{"source": f"s{n}", "target": f"count ( {name} )", "size": n % 2} for n, name in enumerate("aabbccdd")]
    pool = recombine.load([(str(row["source"]), str(row["target"])) for row in rows], language="functional")
    with pytest.raises(RecordError, match="has no tag size, so it has no level"):
        subsample(pool, 2, structures=PROGRAM_STRUCTURES, level="size")
    (tmp_path / "d.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    data = recombine.load(tmp_path / "d.jsonl", language="functional")
    assert tag_levels(data, "size").tolist() == [0, 1] * 4
    made = subsample(data, 4, structures=PROGRAM_STRUCTURES, level="size")
    assert [row % 2 for row in made.rows] == [0, 0, 1, 1]
    assert len({data[row].target for row in made.rows}) == 4
    with pytest.raises(RecordError, match="its tag source_of is 'x', so it has no level"):
        subsample(recombine.load([Example.of("a", "b", tags={"source_of": "x"})]), 1, level="source_of")


def test_what_is_asked_for_is_in_the_signature() -> None:
    pool = recombine.generate("scan", n=200, seed=1).dataset
    made = subsample(pool, 20, structures="dag:2-2,presence", max_level=12, seed=3)
    for part in ("n:20", "compounds=dag:2-2,presence", "level:grammar", "max_level:12", "seed:3"):
        assert part in str(made.signature)
    assert max(made.taken.sizes) <= 12
    with pytest.raises(OptionError, match="the highest level is 0"):
        subsample(pool, 20, max_level=0)


def ended(*arguments: str) -> object:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as raised:
        run(list(arguments))
    return raised.value.code


def test_the_verb_writes_what_it_took_in_the_order_of_the_pool(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "part.jsonl"
    assert ended("sample", "scan", "-n", "90", "--structures", "dag:2-3,presence", "-o", str(out), "--json") == 0
    said = orjson.loads(capsys.readouterr().out)
    data, pool = recombine.load(out), recombine.load("scan")
    places = [pool.position(example.id) for example in data]
    assert places == sorted(places)
    assert said["examples"] == len(data) == 90
    assert said["entropy"] > said["pool_entropy"]
    assert sum(level["taken"] for level in said["levels"].values()) == 90
    assert Counter(grammar_levels(data).tolist()) == {
        int(key): level["taken"] for key, level in said["levels"].items() if level["taken"]
    }
    assert ended("sample", "scan", "-n", "0", "--quiet") == 2
    assert "cannot select 0 examples" in capsys.readouterr().err
    assert ended("sample", "scan", "-n", "9", "--structures", "dag:2-2,presence") == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "9 examples of 20,910 of scan"
    assert shown[1].startswith("levels ")
    assert shown[2].startswith("entropy of dag:2-2,presence: ")
