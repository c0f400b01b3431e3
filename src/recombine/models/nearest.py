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

from recombine.errors import InputFileError
from recombine.models.family import Family
from recombine.models.model_file import MODEL, read_model_file, write_model_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

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
        weights, places = self._index
        # A word that no source of train has is as far from all of them.
        products: defaultdict[int, float] = defaultdict(float)
        for word, times in sorted(Counter(_words(source)).items()):
            for place, value in places.get(word, ()):
                products[place] += times * weights[word] * value
        # Sums of other orders differ in their last digits, so that equally near ones are those of equal rounded sums.
        best = min(products, key=lambda place: (-round(products[place], 12), place), default=None)
        return None if best is None else self.pairs[best][1]

    @cached_property
    def _index(self) -> tuple[dict[str, float], dict[str, list[tuple[int, float]]]]:
        """The weight of each word, and where it stands: places of pairs with its part of their unit vectors."""
        bags = [Counter(_words(source)) for source, _ in self.pairs]
        seen = Counter(word for bag in bags for word in bag)
        weights = {word: math.log1p(len(bags) / number) for word, number in seen.items()}
        places: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, bag in enumerate(bags):
            vector = {word: times * weights[word] for word, times in sorted(bag.items())}
            length = math.sqrt(sum(value * value for value in vector.values()))
            for word, value in vector.items():
                places[word].append((place, value / length))
        return weights, dict(places)


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
)
