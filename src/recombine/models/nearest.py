"""The target of the nearest training source: what a parser without any generalization gets right.

Sources are bags of words with punctuation apart, in lower case; words weigh by how few training sources have them, and
near is a high cosine. Of equally near ones the first of train is taken; a source that shares no word with train has no
output. Nothing is put together: an output is always a target of train.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from recombine.errors import InputFileError
from recombine.models.family import Family
from recombine.models.model_file import MODEL, read_model_file, write_model_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

NAME = "nearest"
FORM = "recombine-nearest/1"
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass
class NearestParser:
    """Training pairs, each once.

    >>> parser = NearestParser().fit([("jump twice", "J J"), ("walk twice", "W W"), ("walk", "W")])
    >>> parser.predict(["jump thrice", "please walk twice", "hop"])
    ['J J', 'W W', None]
    """

    pairs: list[tuple[str, str]] = field(default_factory=list)

    def fit(self, pairs: Iterable[tuple[str, str]]) -> Self:
        """Keep the pairs."""
        self.pairs = list(dict.fromkeys(pairs))
        self.__dict__.pop("_index", None)
        return self

    def predict(self, sources: Sequence[str]) -> list[str | None]:
        """The targets of the nearest sources."""
        return [self._nearest(source) for source in sources]

    def _nearest(self, source: str) -> str | None:
        near = np.zeros(len(self.pairs))
        # A word that no source of train has is as far from all of them.
        for word, times in sorted(Counter(_words(source)).items()):
            if word in self._index:
                weight, places, values = self._index[word]
                near[places] += times * weight * values
        # Sums differ in their last digits by the order of words: equally near are those of equal rounded sums.
        best = int(np.argmax(np.round(near, 12))) if len(near) else 0
        return self.pairs[best][1] if len(near) and near[best] > 0 else None

    @cached_property
    def _index(self) -> dict[str, tuple[float, NDArray[np.int64], NDArray[np.float64]]]:
        """The weight of each word, the places of the pairs that have it, and its part of their unit vectors."""
        bags = [Counter(_words(source)) for source, _ in self.pairs]
        seen = Counter(word for bag in bags for word in bag)
        weights = {word: math.log1p(len(bags) / number) for word, number in seen.items()}
        parts: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, bag in enumerate(bags):
            vector = {word: times * weights[word] for word, times in sorted(bag.items())}
            length = math.sqrt(sum(value * value for value in vector.values()))
            for word, value in vector.items():
                parts[word].append((place, value / length))
        return {
            word: (weights[word], np.array([place for place, _ in rows]), np.array([value for _, value in rows]))
            for word, rows in parts.items()
        }


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def make(settings: Mapping[str, Any], seed: int, device: str) -> NearestParser:
    """A parser that knows no pairs yet; nothing is random."""
    del settings, seed, device
    return NearestParser()


def save(parser: NearestParser, folder: Path, signature: str) -> None:
    """Write the pairs to a folder."""
    write_model_file(folder, FORM, signature, pairs=[list(pair) for pair in parser.pairs])


def load(folder: Path, device: str) -> NearestParser:
    """The parser in a folder."""
    del device
    pairs = read_model_file(folder).get("pairs")
    if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
        raise InputFileError(f"{folder / MODEL}: does not list pairs of source and target", "train it again")
    return NearestParser([(source, target) for source, target in pairs])


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(text, str) for text in value)


FAMILY = Family(
    name=NAME,
    title="the target of the nearest training source",
    make=make,
    save=save,
    load=load,
    form="recombine-nearest",
    facts=lambda parser: {"pairs": len(parser.pairs)},
    describe=lambda value: f"{value['pairs']:,} distinct pairs of {value['examples']:,} examples are kept",
    abstains=True,
)
