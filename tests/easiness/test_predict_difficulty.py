"""From examples to scores, reasons and counts; nothing is skipped in silence."""

from __future__ import annotations

import pytest

from recombine.easiness.predict_difficulty import Difficulty, predict_difficulty
from recombine.errors import DefinitionError, RecordError, SplitError, UnknownNameError
from recombine.languages.covr import COVR
from recombine.records.example import Example
from recombine.records.signature import Signature

TRAIN = ["exists ( find ( dog ) )", "exists ( find ( cat ) )", "count ( find ( dog ) )", "count ( scene ( ) )"]
TEST = ["exists ( scene ( ) )", "count ( find ( cat ) )", "exists ( find ( mouse ) )"]


def examples(texts: list[str]) -> list[Example]:
    return [Example(f"{text[0]}{number}", "", text) for number, text in enumerate(texts)]


def predict(train: list[str] = TRAIN, test: list[str] = TEST, **options: str) -> Difficulty:
    return predict_difficulty(examples(train), examples(test), language=COVR, data="mine", **options)  # type: ignore[arg-type]


def test_scores_reasons_and_counts() -> None:
    found = predict()
    # exists > scene(): exists and count share the parent <s> and one child of two; scene() and find one parent of two
    # and no child of two.
    assert found.easiness.scores.tolist() == pytest.approx([0.75, 1.0, 0.0])
    assert found.mean_easiness == pytest.approx(1.75 / 3)
    assert found.counts == {
        "train": 4,
        "test": 3,
        "unobserved_examples": 2,
        "unseen_symbol_examples": 1,
        "without_structures": 0,
    }
    assert found.unseen_symbols == ((), (), ("mouse",))
    record = found.to_record()
    assert [row["id"] for row in record["examples"]] == ["e0", "c1", "e2"]
    assert record["examples"][0]["reason"] == {
        "structure": "exists > scene()",
        "score": pytest.approx(0.75),
        "similar": "count > scene()",
        "symbols": ("exists", "count"),
        "shown_in": ["c3"],
        "shown": 1,
    }
    assert record["examples"][1]["reason"] is None
    assert record["examples"][2]["unseen_symbols"] == ["mouse"]


def test_every_option_is_in_the_signature() -> None:
    base = str(predict().signature)
    assert base.startswith("data:mine|structures:local:2|similarity:contexts|tokenisation:tree|")
    for options in ({"structures": "local:3"}, {"similarity": "none"}, {"tokenisation": "published"}):
        assert str(predict(**options).signature) != base
    made = Signature.of(data="x", by="random")
    kept = predict_difficulty(examples(TRAIN), examples(TEST), language=COVR, data="mine", signature=made)
    assert str(kept.signature).startswith("data:x|by:random|structures:local:2")


def test_programs_without_structures_are_counted() -> None:
    found = predict(structures="local:2,no-parents")
    assert found.counts["without_structures"] == 3
    assert found.easiness.scores.tolist() == [1.0, 1.0, 1.0]


def test_a_program_that_cannot_be_read() -> None:
    with pytest.raises(RecordError, match=r"mine, example c1: .*closed"):
        predict(test=[TEST[0], "count ( find ( cat )"])
    with pytest.raises(RecordError, match=r"mine, example e0: .*closed"):
        predict(train=["exists ( dog"])


def test_empty_parts_and_bad_names() -> None:
    with pytest.raises(SplitError, match="the train part of mine is empty"):
        predict(train=[])
    with pytest.raises(SplitError, match="the test part of mine is empty"):
        predict(test=[])
    with pytest.raises(DefinitionError, match="cannot read the local structures 'local:7'"):
        predict(structures="local:7")
    with pytest.raises(UnknownNameError, match="unknown similarity"):
        predict(similarity="cosine")
    with pytest.raises(UnknownNameError, match="unknown tokenisation"):
        predict(tokenisation="words")
