"""Columns give a data set back as it was: examples, order, hash, and what it has beside them."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recombine.languages.known import find_language
from recombine.records.columns import BATCH, StoredExamples
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import NOTHING, Example, frozen_context

TREE = Derivation.tree(("and", [("twice", [("jump", [])]), ("walk", [])]))
MIXED = (
    Example.of("jump twice", "I_JUMP I_JUMP", TREE),
    Example.of("walk", "I_WALK", None, {"line": 2, "part": "train", "seen": ["a", {"b": None}], "weight": 0.1}),
    Example.of("ünïcode \t", "", Derivation(("a", "b", "c"), ((0, 2, 1), (1, 2, 2))), {}),
    Example.of("how many", "count", context={"scene": 7, "boxes": [[1, 2], [3.5, None]]}, identity=["scene"]),
)


def back(dataset: Dataset) -> Dataset:
    """The data set of its columns."""
    table = dataset.columns()
    assert table is not None
    return Dataset.of_columns(dataset.name, table)


def test_all_that_an_example_has_comes_back() -> None:
    plain = Dataset.of("mine", MIXED, identity=("scene",), structures="x", language=find_language("funql"))
    read = back(plain)
    assert isinstance(read.examples, StoredExamples)
    assert list(read) == list(plain)
    assert (read.hash, read.index, read.to_dict()) == (plain.hash, plain.index, plain.to_dict())
    assert [type(each.tags) for each in read] == [type(each.tags) for each in plain]
    assert [type(each.context) for each in read] == [type(each.context) for each in plain]
    assert read[0].tags is NOTHING
    assert [each.derivation for each in read] == [each.derivation for each in plain]
    assert list(read[1].tags) == ["line", "part", "seen", "weight"]


def test_it_is_as_good_as_the_plain_one() -> None:
    plain = Dataset.of("mine", MIXED, structures="x")
    read = back(plain)
    assert read == plain
    assert plain == read
    assert hash(read.examples) == hash(plain.examples)
    assert read[-1] is read[3]
    assert read.examples[1:3] == plain.examples[1:3]
    assert read[plain[2].id] == plain[2]
    assert pickle.loads(pickle.dumps(read)) == plain  # noqa: S301  # our own
    assert replace(read, name="other").hash == plain.hash
    changed = read.with_examples([plain[0]])
    assert changed.hash == Dataset.of("mine", MIXED[:1]).hash != plain.hash
    assert read.restricted([plain[2].id, plain[0].id]) == plain.restricted([plain[2].id, plain[0].id])
    with pytest.raises(IndexError):
        read[4]


@pytest.mark.parametrize("size", [0, 1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH])
def test_every_size_of_data(size: int) -> None:
    plain = Dataset.of("mine", [Example.of(f"jump {n}", "x", Derivation(("a",) * (n % 3), ())) for n in range(size)])
    read = back(plain)
    assert len(read) == size
    assert [read[place] for place in reversed(range(size))] == [*reversed(list(plain))]
    assert list(read) == list(plain)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
MAPPINGS = st.dictionaries(st.text(max_size=5), VALUES, max_size=3)


@given(st.lists(st.tuples(TEXTS, TEXTS, MAPPINGS, MAPPINGS), max_size=4))
def test_any_texts_tags_and_contexts(rows: list[tuple[str, str, dict[str, object], dict[str, object]]]) -> None:
    examples = [
        Example(str(n), source, target, None, tags, frozen_context(context))  # type: ignore[arg-type]
        for n, (source, target, tags, context) in enumerate(rows)
    ]
    plain = Dataset.of("mine", examples)
    table = plain.columns()
    if table is not None:
        read = Dataset.of_columns("mine", table)
        assert repr(list(read)) == repr(examples)  # 0.0 and -0.0, 1 and True differ there
        assert read.hash == plain.hash


@pytest.mark.parametrize(
    "tags",
    [{"weight": float("nan")}, {"pair": (1, 2)}, {"large": 2**70}, {"text": "\ud800"}, frozen_context({"frozen": 1})],
    ids=lambda tags: next(iter(tags)),
)
def test_what_does_not_come_back_is_not_kept(tags: dict[str, object]) -> None:
    assert Dataset.of("mine", [Example("1", "a", "b", None, tags)]).columns() is None  # type: ignore[arg-type]


def test_a_further_tag_of_columns_and_of_examples() -> None:
    plain = Dataset.of("mine", [Example(str(n), "a", "b", None, {"n": n}) for n in range(600)])
    values = [None if n % 3 == 0 else "odd" if n % 2 else "even" for n in range(600)]
    stored = back(plain).with_tag("level", values)
    assert list(stored) == list(plain.with_tag("level", values))
    assert [tags.get("level") for tags in stored.iter_mappings("tags")] == values
    assert [example.tags for example in stored.iter_written()] == [example.tags for example in stored]
    assert stored.restricted(["4", "3"])[0].tags == {"n": 4, "level": "even"}
    assert (stored.hash, list(back(stored))) == (plain.hash, list(stored))
    with pytest.raises(ValueError, match="a further tag already"):
        stored.with_tag("other", values)
