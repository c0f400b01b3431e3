"""Descriptions of other scenes, and which regions each of their nouns means: what grounding is learned from.

Two texts of five have two descriptions, joined as questions join them; most of these second ones are of the shape of
the first and differ from it in few names. Half of all descriptions are altered so that they do not hold, and then their
nouns mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import OptionError
from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
from recombine.models.pictures.arrays.words import padded, split_words
from recombine.models.pictures.making.alterations import Alterations
from recombine.models.pictures.making.marked_english import Described, Form, marked_description, marked_words
from recombine.models.pictures.making.scene_match import SceneMatch, Widely
from recombine.progress import tracked
from recombine.scenes.related.exclusion import DoesNotExclude
from recombine.scenes.subgraphs.english import Article
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import Flat, shape_size, unflatten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.words import Words
    from recombine.scenes.related.exclusion import Exclusion
    from recombine.scenes.scene import Scene
    from recombine.scenes.subgraph import Subgraph

_TRIES = 6
_FORMS = (
    (0.34, Form(Article.INDEFINITE)),
    (0.22, Form(Article.DEFINITE)),
    (0.36, Form(Article.NONE, plural=True)),
    (0.02, Form(Article.INDEFINITE, target=True)),
    (0.03, Form(Article.DEFINITE, target=True)),
    (0.03, Form(Article.NONE, plural=True, target=True)),
)
_ONE, _THE, _MANY = (Form(Article.INDEFINITE), Form(Article.DEFINITE), Form(Article.NONE, plural=True))
_FRAMES = (
    ("", "and", _THE),
    ("do", "and", _THE),
    ("there are more", "than", _MANY),
    ("there are fewer", "than", _MANY),
    ("there are the same number of", "as", _MANY),
    ("there are more images with", "than images with", _ONE),
    ("there are fewer images with", "than images with", _ONE),
    ("there are the same number of images with", "as images with", _ONE),
    ("are there both", "and", _MANY),
    ("is there either", "or", _ONE),
)
"""What stands before the first of two descriptions, what between them, and in which form they are, as in questions."""


@dataclass(frozen=True)
class DescriptionSettings:
    """How descriptions are drawn."""

    double: float = 0.4
    """The share of texts with two."""
    altered: float = 0.5
    """The share of descriptions that do not hold."""
    alike: float = 0.6
    """The share of second descriptions that are like the first."""
    longest: int = 48
    """The most words of two descriptions; where they would be more, the first stands alone."""


class _Said(NamedTuple):
    words: tuple[int, ...]
    nouns: tuple[int, ...]
    means: tuple[int, ...]
    present: bool


class Descriptions:
    """Texts with their nouns; words are numbered here, until `arrays` is given the numbers of all."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.tokens: list[tuple[int, ...]] = []
        self.pictures: list[int] = []
        self.nouns: list[tuple[int, ...]] = []
        self.means: list[tuple[int, ...]] = []
        self.sides: list[tuple[int, ...]] = []
        self.present: list[int] = []
        self.unaltered = 0
        """How many were to be altered, and for which no other names were found: they hold."""

    def numbers(self, words: Sequence[str]) -> tuple[int, ...]:
        """The numbers of words here."""
        return tuple(self.words.setdefault(word, len(self.words)) for word in words)

    def texts(self) -> list[str]:
        """All texts."""
        listed = list(self.words)
        return [" ".join(listed[number] for number in row) for row in self.tokens]

    def arrays(self, words: Words) -> GroundingArrays:
        """The texts as arrays."""
        numbers = np.array([*(words.numbers(word)[0] for word in self.words), 0], dtype=np.int16)
        means = np.zeros((len(self.means), max(map(len, self.means))), dtype=np.uint32)
        for place, row in enumerate(self.means):
            means[place, : len(row)] = row
        return GroundingArrays(
            numbers[padded(self.tokens, fill=len(numbers) - 1)],
            np.array(self.pictures, dtype=np.int32),
            padded(self.nouns, fill=-1),
            means,
            padded(self.sides, fill=-1).astype(np.int8),
            np.array(self.present, dtype=np.int8),
        )


def make_descriptions(
    scenes: Sequence[Scene],
    region_of: Sequence[NDArray[np.int64]],
    n: int,
    *,
    exclusion: Exclusion,
    seed: int,
    settings: DescriptionSettings | None = None,
) -> Descriptions:
    """So many texts about scenes, spread evenly over them; a noun means the regions of objects."""
    if n < 1 or not scenes:
        raise OptionError(f"{n} descriptions of {len(scenes)} scenes", "give at least one of each")
    made = Descriptions()
    maker = _Maker(made, Alterations(scenes, exclusion), exclusion, settings or DescriptionSettings())
    for place, scene in enumerate(tracked(scenes, "describing scenes", total=len(scenes))):
        number = n * (place + 1) // len(scenes) - n * place // len(scenes)
        maker.describe(place, scene, region_of[place], number, np.random.default_rng([seed, place, 24]))
    return made


class _Maker:
    """Describes scenes."""

    def __init__(
        self, made: Descriptions, alterations: Alterations, exclusion: Exclusion, settings: DescriptionSettings
    ) -> None:
        self._made, self._alterations, self._settings = made, alterations, settings
        self._wide = Widely(DoesNotExclude(exclusion))
        self._words = marked_words()
        self._shares = np.cumsum([share for share, _ in _FORMS])
        self._frames = [
            (made.numbers(split_words(before)), made.numbers(split_words(between)), form)
            for before, between, form in _FRAMES
        ]
        self._limits = Limits()
        self._known: dict[tuple[Flat, Form], tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def describe(
        self, place: int, scene: Scene, region_of: NDArray[np.int64], number: int, draws: np.random.Generator
    ) -> None:
        """Add so many texts about a scene."""
        here = _Scene(scene, region_of, self._limits, self._wide)
        made = self._made
        for _ in range(number):
            first = here.draw(draws)
            if draws.random() >= self._settings.double:
                one = self._said(here, first, first, self._form(draws), draws)
                self._add(one.words, [one])
                continue
            before, between, form = self._frames[int(draws.integers(len(self._frames)))]
            one = self._said(here, first, first, form, draws)
            alike = draws.random() < self._settings.alike
            second = here.draw_like(first, draws) if alike else here.draw(draws)
            other = self._said(here, second, first if alike else second, form, draws)
            moved = len(before) + len(one.words) + len(between)
            if moved + len(other.words) > self._settings.longest:
                self._add(one.words, [one])
                continue
            one = one._replace(nouns=tuple(at + len(before) for at in one.nouns))
            other = other._replace(nouns=tuple(at + moved for at in other.nouns))
            self._add((*before, *one.words, *between, *other.words), [one, other])
        made.pictures.extend([place] * number)

    def _add(self, words: tuple[int, ...], said: Sequence[_Said]) -> None:
        made = self._made
        made.tokens.append(words)
        made.nouns.append(tuple(at for each in said for at in each.nouns))
        made.means.append(tuple(bits for each in said for bits in each.means))
        made.sides.append(tuple(side for side, each in enumerate(said) for _ in each.nouns))
        held = {each.present for each in said}
        made.present.append(int(held.pop()) if len(held) == 1 else -1)

    def _form(self, draws: np.random.Generator) -> Form:
        return _FORMS[min(int(np.searchsorted(self._shares, draws.random())), len(_FORMS) - 1)][1]

    def _said(self, here: _Scene, flat: Flat, near: Flat, form: Form, draws: np.random.Generator) -> _Said:
        """A description that holds, or one that does not and is near another."""
        if draws.random() < self._settings.altered:
            for _ in range(_TRIES):
                other = self._alterations.altered(near, draws)
                if other is not None and not here.widely.holds(graph := unflatten(*other)):
                    words, nouns = self._in_english(other, form, graph)
                    return _Said(words, nouns, (0,) * len(nouns), present=False)
            self._made.unaltered += 1
        graph = unflatten(*flat)
        words, nouns = self._in_english(flat, form, graph)
        return _Said(words, nouns, here.regions(graph), present=True)

    def _in_english(self, flat: Flat, form: Form, graph: Subgraph) -> tuple[tuple[int, ...], tuple[int, ...]]:
        known = self._known.get((flat, form))
        if known is None:
            said: Described = marked_description(graph, form, self._words)
            known = self._known[flat, form] = (self._made.numbers(said.words), said.nouns)
        return known


class _Scene:
    """The sub-graphs of one scene."""

    def __init__(self, scene: Scene, region_of: NDArray[np.int64], limits: Limits, wide: Widely) -> None:
        self._exactly, self.widely = SceneMatch(scene), SceneMatch(scene, wide)
        self._bits = [1 << region if region >= 0 else 0 for region in region_of.tolist()]
        self._meant: dict[Subgraph, tuple[int, ...]] = {}
        by_size: dict[int, list[Flat]] = {}
        by_shape: dict[object, list[Flat]] = {}
        for flat in enumerate_subgraphs(scene, limits).roots:
            by_size.setdefault(shape_size(flat.shape), []).append(flat)
            by_shape.setdefault(flat.shape, []).append(flat)
        self._by_size = [by_size[size] for size in sorted(by_size)]
        self._by_shape = by_shape

    def draw(self, draws: np.random.Generator) -> Flat:
        """A sub-graph: its size first, so that the many large ones are not most."""
        some = self._by_size[int(draws.integers(len(self._by_size)))]
        return some[int(draws.integers(len(some)))]

    def draw_like(self, flat: Flat, draws: np.random.Generator) -> Flat:
        """Another sub-graph of the same shape, of some that of which most names are the same."""
        some = self._by_shape[flat.shape]
        tried = [some[place] for place in draws.integers(len(some), size=16).tolist()]
        others = [each for each in tried if each != flat]
        if not others:
            return flat
        nearest: Flat = min(others, key=lambda each: sum(a != b for a, b in zip(each.names, flat.names, strict=True)))
        return nearest

    def regions(self, graph: Subgraph) -> tuple[int, ...]:
        """The regions that each node means, as bits."""
        known = self._meant.get(graph)
        if known is None:
            known = self._meant[graph] = tuple(self._as_regions(mask) for mask in self._exactly.meant(graph))
        return known

    def _as_regions(self, mask: int) -> int:
        bits, place = 0, 0
        while mask:
            if mask & 1:
                bits |= self._bits[place]
            mask >>= 1
            place += 1
        return bits
