"""A sequence-to-sequence model as a parser: learning, unknown words, and the folder it is kept in."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from recombine.errors import RecombineError
from recombine.models.load_parser import load_parser
from recombine.models.seq2seq.parser import Seq2Seq, load, save
from recombine.models.seq2seq.presets import find_preset

PAIRS = [("a", "A"), ("b", "B"), ("a a", "A A"), ("b b", "B B"), ("a b", "A B"), ("b a", "B A")]
SMALL = find_preset(
    "cfq:transformer", width=16, heads=2, filter_width=32, layers=1, steps=400, warmup=50, batch_tokens=64, dropout=0.0
)


@pytest.fixture(scope="module")
def fitted() -> Seq2Seq:
    return Seq2Seq(SMALL, seed=1, device="cpu").fit(PAIRS)


def test_it_learns_its_pairs_and_abstains_on_unknown_words(fitted: Seq2Seq) -> None:
    found = fitted.predict([source for source, _ in PAIRS])
    assert found == [target for _, target in PAIRS]
    assert fitted.predict(["a c", "", "b"]) == [None, None, "B"]


def test_the_folder_gives_the_same_parser(fitted: Seq2Seq, tmp_path: Path) -> None:
    save(fitted, tmp_path / "parser", signature="model:small")
    sources = [source for source, _ in PAIRS]
    for again in (load(tmp_path / "parser", device="cpu"), load_parser(tmp_path / "parser", device="cpu")):
        assert again.predict(sources) == fitted.predict(sources)
    weights = tmp_path / "parser" / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(RecombineError, match=r"is not the file that model\.json was written with"):
        load(tmp_path / "parser")


def test_progress_is_told_and_seeds_decide() -> None:
    seen: list[tuple[int, int]] = []
    settings = find_preset("cfq:transformer", **{**SMALL.to_dict(), "steps": 120})
    one = Seq2Seq(settings, seed=1, device="cpu").fit(PAIRS, lambda step, steps, _: seen.append((step, steps)))
    assert seen == [(50, 120), (100, 120), (120, 120)]
    again, other = (Seq2Seq(settings, seed=seed, device="cpu").fit(PAIRS) for seed in (1, 2))
    assert one.weights is not None
    assert again.weights is not None
    assert other.weights is not None
    assert one.weights.equal(again.weights)
    assert not one.weights.equal(other.weights)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecombineError, match="has not been fitted"):
        Seq2Seq(SMALL).predict(["a"])
    with pytest.raises(RecombineError, match="has not been fitted"):
        save(Seq2Seq(SMALL), tmp_path / "parser")
    with pytest.raises(RecombineError, match="the device 'abacus' cannot be used"):
        Seq2Seq(SMALL, device="abacus").fit(PAIRS)
