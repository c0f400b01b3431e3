"""The tagger: its search against all taggings, its average against a plain one, and its files."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from recombine.errors import InputFileError, OptionError
from recombine.kb.linking.surface_forms import SurfaceForms
from recombine.kb.linking.tagger import FIRST, MORE, OUTSIDE, TAGS, Tagger, best_tags, spans_of_tags, tags_of_spans
from recombine.kb.linking.tagger_features import ROWS, tagger_features
from recombine.kb.linking.train_tagger import TaggedQuestion, train_tagger
from recombine.kb.term import Term
from recombine.seeds import make_generator

NAMES = (
    *("jaws", "duel", "tom cullen", "night of the hunter", "weekend", "red desert", "blue steel", "paper moon", "kes"),
    *("ordinary people", "wild bunch"),
)
PATTERNS = ("who directed {}", "what films does {} act in", "is {} a film", "who wrote {} ?", "tell me about {} please")
FORMS = SurfaceForms.of([(name, Term.name(name), 1) for name in (*NAMES, "film", "films")])


def tagged(pattern: str, name: str) -> TaggedQuestion:
    words = tuple(pattern.format(name).split())
    first = pattern.split().index("{}")
    return TaggedQuestion(words, ((first, first + len(name.split())),))


TRAIN = [tagged(pattern, name) for pattern in PATTERNS for name in NAMES[:9]]
VALUES = st.integers(-4, 4).map(float)


@settings(deadline=None)
@given(
    st.integers(1, 5).flatmap(lambda n: arrays(float, (n, TAGS), elements=VALUES)),
    arrays(float, (4, 3), elements=VALUES),
)
def test_the_best_tags_are_the_best_of_all(
    scores: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    following: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    def total(tags: tuple[int, ...] | list[int]) -> float:
        before = [TAGS, *tags[:-1]]
        if any(tag == MORE and previous in (OUTSIDE, TAGS) for previous, tag in zip(before, tags, strict=True)):
            return -np.inf
        return float(sum(scores[i, tag] + following[before[i], tag] for i, tag in enumerate(tags)))

    assert total(best_tags(scores, following)) == max(map(total, product(range(TAGS), repeat=len(scores))))


def test_tags_and_spans() -> None:
    tags = [FIRST, MORE, OUTSIDE, FIRST, FIRST]
    assert spans_of_tags(tags) == [(0, 2), (3, 4), (4, 5)]
    assert tags_of_spans(spans_of_tags(tags), 5) == tags
    assert tags_of_spans([(0, 2), (1, 3)], 3) == [FIRST, MORE, OUTSIDE], (
        "a run that overlaps an earlier one is left out"
    )


@pytest.mark.parametrize("forms", [None, FORMS])
def test_the_average_is_that_of_the_weights_after_every_step(forms: SurfaceForms | None) -> None:
    rounds, seed = 2, 3
    weights, following = np.zeros((ROWS, TAGS)), np.zeros((TAGS + 1, TAGS))
    sums = [np.zeros_like(weights), np.zeros_like(following)]
    rng, steps = make_generator(seed), 0
    for _ in range(rounds):
        for place in rng.permutation(len(TRAIN)).tolist():
            question = TRAIN[place]
            rows = tagger_features(question.words, forms)
            right = tags_of_spans(question.spans, len(question.words))
            given_tags = best_tags(weights[rows].sum(axis=1), following)
            for tags, sign in ((right, 1), (given_tags, -1)):
                for word, tag in enumerate(tags):
                    for row in rows[word].tolist():
                        weights[row, tag] += sign
                    following[tags[word - 1] if word else TAGS, tag] += sign
            sums[0] += weights
            sums[1] += following
            steps += 1
    made = train_tagger(TRAIN, forms=forms, rounds=rounds, seed=seed)
    # The weights before the first step, which are 0, are counted too.
    assert np.allclose(made.weights, sums[0] / (steps + 1), atol=1e-6)
    assert np.allclose(made.following, sums[1] / (steps + 1), atol=1e-6)
    assert made.weights.any()
    assert made.following.any()


def test_new_names_are_marked_and_words_of_the_schema_are_not() -> None:
    tagger = train_tagger(TRAIN, forms=FORMS)
    for pattern in PATTERNS:
        for name in NAMES[9:]:  # names that were not trained on
            question = tagged(pattern, name)
            assert tagger.mentions(question.words, FORMS) == list(question.spans), question.words
    assert tagger.mentions((), FORMS) == []
    unknown = tagged("what films does {} act in", "zork")
    assert train_tagger(TRAIN).mentions(unknown.words, None) == [(3, 4)]


def test_same_seed_same_bytes_and_back(tmp_path: Path) -> None:
    one, other, another = (tmp_path / f"{name}.npz" for name in "abc")
    for path, seed in ((one, 1), (other, 1), (another, 2)):
        train_tagger(TRAIN, forms=FORMS, seed=seed).save(path)
    assert one.read_bytes() == other.read_bytes() != another.read_bytes()
    made, read = train_tagger(TRAIN, forms=FORMS, seed=1), Tagger.load(one)
    assert np.array_equal(made.weights, read.weights)
    assert np.array_equal(made.following, read.following)
    assert read.with_dictionary


def test_what_is_no_tagger(tmp_path: Path) -> None:
    path = tmp_path / "tagger.npz"
    train_tagger(TRAIN, seed=1).save(path)
    whole = path.read_bytes()
    assert not Tagger.load(path).with_dictionary
    for broken in (b"", b"no zip", whole[: len(whole) // 2]):
        path.write_bytes(broken)
        with pytest.raises(InputFileError, match="is no saved tagger"):
            Tagger.load(path)
    with _arrays(whole) as arrays_of:
        content = dict(arrays_of)
    wrong = {
        "rows": content["rows"] + ROWS,
        "weights": content["weights"][:-1],
        "following": content["following"] * np.float32(np.nan),
        "head": np.frombuffer(b'{"form": "another"}', np.uint8),
    }
    for name, value in wrong.items():
        np.savez(path, **{**content, name: value})  # type: ignore[arg-type]
        with pytest.raises(InputFileError, match="is no tagger of this version"):
            Tagger.load(path)
    np.savez(path, **{**content, "rows": np.array([object()])}, allow_pickle=True)
    with pytest.raises(InputFileError, match="is no saved tagger"):
        Tagger.load(path)
    with pytest.raises(InputFileError, match="no such file"):
        Tagger.load(tmp_path / "none.npz")


def test_nothing_to_train_on() -> None:
    for questions in ([], [TaggedQuestion(("who",), ())], [TaggedQuestion((), ())]):
        with pytest.raises(OptionError, match="no question to train on has a mention"):
            train_tagger(questions)
    with pytest.raises(OptionError, match="0 rounds"):
        train_tagger(TRAIN, rounds=0)


def _arrays(content: bytes) -> np.lib.npyio.NpzFile:
    from io import BytesIO

    return np.load(BytesIO(content), allow_pickle=False)  # type: ignore[no-any-return]
