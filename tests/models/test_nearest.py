"""The nearest training source: by hand, against a plain recomputation, kept and read again."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import pytest

import recombine
from recombine.errors import InputFileError
from recombine.models.known import find_model
from recombine.models.nearest import NearestParser, load, save

PAIRS = [
    ("how many dogs are there?", "count dogs"),
    ("how many cats are there?", "count cats"),
    ("list the names of dogs", "names dogs"),
    ("list the names of cats", "names cats"),
    ("list the names of cats", "other cats"),
]


def test_by_hand() -> None:
    parser = NearestParser().fit(PAIRS)
    # `dogs` is the rarest shared word; of two pairs with one source the first is taken; no word of train, no output.
    assert parser.predict(["count dogs", "HOW many CATS", "names of cats", "zebra", ""]) == [
        "names dogs",
        "count cats",
        "names cats",
        None,
        None,
    ]


def test_as_a_plain_cosine() -> None:
    """A matrix of all words, without an index."""

    def words(text: str) -> list[str]:
        return re.findall(r"\w+|[^\w\s]", text.lower())

    weights = {
        word: math.log(1 + len(PAIRS) / sum(word in words(source) for source, _ in PAIRS))
        for source, _ in PAIRS
        for word in words(source)
    }

    def cosine(one: str, two: str) -> float:
        vectors = [{w: n * weights.get(w, 0.0) for w, n in Counter(words(text)).items()} for text in (one, two)]
        lengths = math.sqrt(sum(value**2 for value in vectors[1].values()))
        return sum(value * vectors[1].get(word, 0.0) for word, value in vectors[0].items()) / lengths

    parser = NearestParser().fit(PAIRS)
    for asked in ("are there many names of dogs?", "list cats", "the dogs the dogs list", "there? there?"):
        near = [round(cosine(asked, source), 9) for source, _ in PAIRS]
        assert parser.predict([asked]) == [PAIRS[near.index(max(near))][1]]


def test_it_is_trained_kept_and_asked_like_others(tmp_path: Path) -> None:
    data = recombine.load(PAIRS[:4])
    trained = recombine.train(data, model="nearest")
    assert trained["pairs"] == 4
    assert "|model:nearest|" in trained.signature
    trained.write(tmp_path / "near")
    assert recombine.predict(tmp_path / "near", data, "all")["exact_match"] == 1.0
    assert find_model("nearest")[0].names() == ["nearest"]


def test_a_broken_folder_is_refused(tmp_path: Path) -> None:
    save(NearestParser().fit(PAIRS), tmp_path / "near", "model:nearest")
    assert load(tmp_path / "near", "").pairs == PAIRS
    path = tmp_path / "near" / "model.json"
    path.write_text(path.read_text().replace('"count dogs"', "3"))
    with pytest.raises(InputFileError, match="does not list pairs of source and target"):
        load(tmp_path / "near", "")
