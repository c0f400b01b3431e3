"""Descriptions of scenes: what is said is so, or is not, and nouns mean the regions of their objects."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from recombine.errors import OptionError
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.making.alterations import Alterations
from recombine.models.pictures.making.array_settings import ArraySettings
from recombine.models.pictures.making.make_descriptions import _FORMS, make_descriptions
from recombine.models.pictures.making.marked_english import marked_description, marked_words
from recombine.models.pictures.making.other_world import OtherWorld
from recombine.scenes.related.exclusion import DoesNotExclude, OntologyExclusion
from recombine.scenes.subgraphs.enumerate_subgraphs import enumerate_subgraphs
from recombine.scenes.subgraphs.instances import holds
from recombine.scenes.subgraphs.limits import Limits
from recombine.scenes.subgraphs.shape import nodes_of, unflatten
from recombine.scenes.synthetic.ontology import find_ontology

SETTINGS = ArraySettings(other_scenes=30, descriptions=3000, other_seed=4)


@pytest.fixture(scope="module")
def world() -> OtherWorld:
    return OtherWorld(SETTINGS, than=[])


def test_nouns_mean_regions_of_their_name(world: OtherWorld) -> None:
    words = Words.of(world.descriptions.words)
    arrays, pictures = world.descriptions.arrays(words), world.pictures.arrays
    assert pictures.names is not None
    plurals = {each.plural: each.name for each in find_ontology().nouns.values()}
    seen = 0
    for tokens, picture, nouns, means in zip(arrays.tokens, arrays.picture, arrays.nouns, arrays.means, strict=True):
        for place, bits in zip(nouns.tolist(), means.tolist(), strict=True):
            if place < 0:
                assert not bits
                continue
            noun = words.listed[tokens[place]]
            for region in range(32):
                if bits >> region & 1:
                    seen += 1
                    assert region < pictures.regions[picture]
                    assert pictures.name_list[pictures.names[picture, region]] == plurals.get(noun, noun)
    assert seen > 3000


def test_shares(world: OtherWorld) -> None:
    made = world.descriptions
    assert len(made.tokens) == 3000
    assert Counter(made.pictures) == dict.fromkeys(range(30), 100)
    double = sum(max(each) for each in made.sides)
    assert 0.36 < double / 3000 < 0.44
    by_description = Counter(
        any(bits for bits, at in zip(means, sides, strict=True) if at == side)
        for means, sides in zip(made.means, made.sides, strict=True)
        for side in range(max(sides) + 1)
    )
    assert 0.45 < by_description[False] / (3000 + double) < 0.55
    assert made.unaltered < 30
    held = Counter(made.present)
    assert set(held) == {-1, 0, 1}


def test_two_descriptions_that_are_alike(world: OtherWorld) -> None:
    """Of two descriptions half are of one shape, so that what tells them apart is a word or two."""
    made = world.descriptions
    double = [sides for sides in made.sides if max(sides)]
    equal = sum(sides.count(0) == sides.count(1) for sides in double)
    assert equal / len(double) > 0.55


def test_altered_ones_do_not_hold(world: OtherWorld) -> None:
    exclusion = OntologyExclusion(find_ontology())
    alterations, draws = Alterations(world.scenes, exclusion), np.random.default_rng(0)
    changed: Counter[int] = Counter()
    for scene in world.scenes[:5]:
        for flat in list(enumerate_subgraphs(scene, Limits()).roots)[::4]:
            other = alterations.altered(flat, draws)
            if other is None:
                continue
            assert other.shape == flat.shape
            kinds = [
                node.type
                for node, old, new in zip(nodes_of(flat.shape), flat.names, other.names, strict=True)
                if old != new
            ]
            changed[len(kinds)] += 1
            assert all(str(kind) != "modifier" for kind in kinds)
    assert set(changed) == {1, 2}
    assert min(changed.values()) > 20


def test_what_is_said_not_to_be_there_is_not(world: OtherWorld) -> None:
    """Read back as sub-graphs: no text without meaning is of a sub-graph that the scene holds in the wide sense."""
    fits, words = DoesNotExclude(OntologyExclusion(find_ontology())), marked_words()
    listed = list(world.descriptions.words)
    for place, scene in enumerate(world.scenes[:4]):
        said = {
            marked_description(graph, form, words).words
            for flat in enumerate_subgraphs(scene, Limits()).roots
            for graph in (unflatten(*flat),)
            for _, form in _FORMS
            if holds(scene, graph, fits=fits)
        }
        rows = [row for row, at in enumerate(world.descriptions.pictures) if at == place]
        for row in rows:
            if max(world.descriptions.sides[row]) == 0:
                text = tuple(listed[number] for number in world.descriptions.tokens[row])
                assert (text in said) == (world.descriptions.present[row] == 1), text


def test_same_seed_same_texts(world: OtherWorld) -> None:
    again = OtherWorld(SETTINGS, than=[])
    assert again.descriptions.texts() == world.descriptions.texts()
    assert again.descriptions.means == world.descriptions.means
    other = OtherWorld(ArraySettings(other_scenes=30, descriptions=3000, other_seed=5), than=[])
    assert other.descriptions.texts() != world.descriptions.texts()


def test_nothing_to_describe() -> None:
    with pytest.raises(OptionError, match="5 descriptions of 0 scenes"):
        make_descriptions([], [], 5, exclusion=OntologyExclusion(find_ontology()), seed=0)
