"""Many examples are kept as columns, and a data set of columns is as good as one of the examples themselves."""

from __future__ import annotations

import pickle
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import RecombineError
from recombine.records import columns, growing_columns, rows_by_id
from recombine.records.chosen_examples import ChosenExamples, texts_of
from recombine.records.columns import StoredExamples
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, frozen_context, thawed
from recombine.records.growing_columns import gathered

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
RULES = st.sampled_from([f"r{number}" for number in range(300)])
TREES = st.recursive(
    st.tuples(RULES, st.just([])), lambda inner: st.tuples(RULES, st.lists(inner, max_size=3)), max_leaves=6
)
GRAPHS = [
    Derivation(("a", 'b"', "é"), ((0, 2, 1), (1, 2, 2))),
    Derivation(("a", "b", "c"), ((0, 1, 1), (0, 2, 2), (1, 2, 1))),
    Derivation(("a", "b"), ()),
    Derivation((), ()),
]
EXAMPLES = st.builds(
    Example,
    TEXTS,
    TEXTS,
    TEXTS,
    st.none() | st.builds(Derivation.tree, TREES) | st.sampled_from(GRAPHS),
    st.just(NOTHING) | st.dictionaries(TEXTS, st.integers(0, 9) | TEXTS, max_size=2),
    st.just(NOTHING) | st.builds(frozen_context, st.dictionaries(TEXTS, st.lists(st.integers(0, 9)), max_size=2)),
)


@settings(deadline=None)
@given(st.lists(EXAMPLES, min_size=1, max_size=14, unique_by=lambda example: example.id), st.data())
def test_a_data_set_of_columns_is_as_good_as_one_of_a_tuple(examples: list[Example], data: st.DataObject) -> None:
    with (
        patch.multiple(growing_columns, CHUNK=2, PIECE=data.draw(st.integers(3, 9), "PIECE")),
        patch.multiple(columns, BATCH=2, KEPT=2),
        patch.multiple(rows_by_id, _HASHED=data.draw(st.integers(1, 9), "_HASHED")),
    ):
        plain, stored = Dataset("mine", tuple(examples)), Dataset("mine", gathered(iter(examples), few=0))
        assert isinstance(stored.examples, StoredExamples)
        assert list(stored) == examples
        assert repr(list(stored)) == repr(examples)
        assert (stored.hash, stored.index, stored.ids) == (plain.hash, plain.index, plain.ids)
        assert stored == plain
        assert plain == stored
        assert len(stored) == len(plain)
        assert stored.count_without_derivation() == plain.count_without_derivation()
        for side in ("source", "target"):
            assert stored.texts(side) == plain.texts(side)
        assert list(stored.iter_written()) == list(plain.iter_written())
        for name in ("tags", "context"):
            assert list(stored.iter_mappings(name)) == list(plain.iter_mappings(name))
            assert list(stored.iter_plain(name)) == list(plain.iter_plain(name))
            assert list(plain.iter_plain(name)) == [thawed(each) for each in plain.iter_mappings(name)]
            assert stored.has(name) or not plain.has(name)
        rows = data.draw(st.lists(st.integers(0, len(examples) - 1)))
        assert [stored[row] for row in rows] == [plain[row] for row in rows]
        assert list(stored.part(rows)) == list(plain.part(rows))
        assert texts_of(stored.part(rows), "id") == [examples[row].id for row in rows]
        assert stored.examples[1:7:2] == plain.examples[1:7:2]
        keys = [examples[row].id for row in rows]
        assert stored.restricted(keys) == plain.restricted(keys)
        taken = stored.examples.taken(rows)
        assert list(taken) == [examples[row] for row in rows]
        assert stored.with_examples(iter(examples[:2])).hash == plain.with_examples(examples[:2]).hash
        assert pickle.loads(pickle.dumps(stored)) == plain  # noqa: S301  # our own
        table = stored.columns()
        assert table is not None
        assert Dataset.of_columns("mine", table) == plain


def test_chunks_are_joined_to_pieces() -> None:
    made = [Example.of(f"jump {number}", "I_JUMP") for number in range(20)]
    with patch.multiple(growing_columns, CHUNK=2, PIECE=6):
        stored = gathered(iter(made), few=0)
    assert isinstance(stored, StoredExamples)
    assert [len(piece) for piece in stored.table["target"].chunks] == [7, 6, 6, 1]  # the first chunk has one more
    assert list(stored) == made


def test_few_examples_are_a_tuple_and_many_are_columns() -> None:
    made = [Example.of(f"jump {number}", "I_JUMP") for number in range(growing_columns.FEW + 1)]
    assert type(Dataset.of("mine", made[:-1]).examples) is tuple
    assert type(Dataset.of("mine", made).examples) is StoredExamples


def test_many_examples_are_restricted_as_columns() -> None:
    made = Dataset.of("mine", (Example.of(f"jump {number}", "I_JUMP") for number in range(growing_columns.FEW + 9)))
    half = made.restricted(reversed(made.ids))
    assert isinstance(half.examples, StoredExamples)
    assert half.ids == made.ids[::-1]
    assert half.hash == made.hash


def test_only_so_many_examples_are_kept_once_they_are_made() -> None:
    made = [Example.of(f"jump {number}", "I_JUMP") for number in range(40)]
    with patch.object(columns, "BATCH", 2), patch.object(columns, "KEPT", 3):
        stored = gathered(iter(made), few=0)
        assert isinstance(stored, StoredExamples)
        for row in [*range(40), 3, 3, 17, 17, 39, 39]:
            assert stored[row] == made[row]
            assert len(stored._made) <= 3
        assert list(stored) == made
        assert len(stored._made) <= 3
        assert stored[39] is stored[39]


def test_what_columns_cannot_hold_is_kept_as_it_is() -> None:
    odd = Example("odd", "a", "b", None, {"pair": (1, 2)})  # type: ignore[dict-item]
    made = [Example.of(f"jump {number}", "I_JUMP") for number in range(9)]
    with patch.object(growing_columns, "CHUNK", 2):
        kept = gathered(iter([*made, odd, *made]), few=0)
    assert kept == (*made, odd, *made)


def test_an_id_that_comes_twice_is_refused_in_columns_too() -> None:
    one, two = Example("1", "a", "b"), Example("2", "c", "d")
    with pytest.raises(RecombineError, match="the id '1' occurs twice"):
        Dataset("mine", gathered(iter([one, two, one]), few=0))


def test_numbers_of_rules_and_nodes_take_more_room_only_where_they_must() -> None:
    small = [Example.of(str(number), "x", Derivation.tree(("r", []))) for number in range(4)]
    wide = Example.of("wide", "x", Derivation(tuple(f"r{number}" for number in range(70_000)), ((0, 69_999, 1),)))
    with patch.object(growing_columns, "CHUNK", 2):
        stored = gathered(iter([*small, wide, *small[:1]]), few=0)
    assert isinstance(stored, StoredExamples)
    assert [str(stored.table[name].type.value_type) for name in ("rules", "edges")] == ["int32", "int32"]
    assert list(stored) == [*small, wide, small[0]]
    narrow = gathered(iter(small), few=0)
    assert isinstance(narrow, StoredExamples)
    assert str(narrow.table["rules"].type.value_type) == "uint8"


def test_chosen_examples_are_compared_by_value() -> None:
    made = tuple(Example.of(word, word) for word in ("a", "b", "c"))
    chosen = ChosenExamples(made, [2, 0])
    assert chosen == (made[2], made[0])
    assert chosen[:1] == (made[2],)
    assert chosen != (made[0], made[2])
