"""Which names exclude each other: by an ontology, by GQA's hierarchies, and by a table of lines."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from recombine.errors import InputFileError, OptionError, RecordError
from recombine.scenes.related.exclusion import DifferentNames, DoesNotExclude, OntologyExclusion
from recombine.scenes.related.find_exclusion import find_exclusion
from recombine.scenes.related.hierarchy_exclusion import HierarchyExclusion, read_hierarchy_exclusion
from recombine.scenes.related.table_exclusion import read_table_exclusion
from recombine.scenes.scene import Scene, SceneObject, Scenes
from recombine.scenes.synthetic.ontology import find_ontology

DATA = Path(os.environ.get("RECOMBINE_DATA", ""), "scenes")


def test_an_ontology_excludes_relations_one_way() -> None:
    known = OntologyExclusion(find_ontology())
    assert known.noun("dog", "cat")
    assert not known.noun("dog", "puppy")
    assert known.attribute("red", "blue")
    assert not known.attribute("red", "striped")
    assert known.relation("holding", "next to")
    assert not known.relation("next to", "holding")
    fits = DoesNotExclude(known)
    assert fits.relation("next to", "holding")
    assert fits.noun("dog", "dog")
    assert not fits.attribute("red", "blue")
    assert DifferentNames().noun("dog", "puppy")


def hierarchy() -> HierarchyExclusion:
    """A few words as GQA has them."""
    return HierarchyExclusion(
        {
            "animal": ["dog", "cat", "bird", "thing"],
            "bird": ["duck"],
            "person": ["man", "woman", "player"],
            "furniture": ["couch", "sofa", "table", "coffee table"],
            "object": ["dog", "door"],
        },
        {"color": ["red", "blue", "dark blue"], "size": ["small", "tiny", "large"], "pose": ["standing", "sitting"]},
    )


def test_hierarchies_exclude_neither_classes_nor_words_for_the_same() -> None:
    known = hierarchy()
    for first, second in (("dog", "cat"), ("dog", "duck"), ("man", "woman"), ("dogs", "sofa"), ("door", "dog")):
        assert known.noun(first, second)
        assert known.noun(second, first)
    for first, second in (
        ("duck", "animal"),
        ("couch", "sofa"),
        ("table", "coffee table"),
        ("man", "player"),
        ("door", "doors"),
        ("dog", "dragon"),
    ):
        assert not known.noun(first, second)
        assert not known.noun(second, first)


def test_hierarchies_of_attributes_and_relations() -> None:
    known = hierarchy()
    assert known.attribute("red", "blue")
    assert known.attribute("small", "large")
    assert not known.attribute("small", "tiny")
    assert not known.attribute("blue", "dark blue")
    assert not known.attribute("standing", "sitting")
    assert not known.attribute("red", "small")
    assert known.relation("riding", "near")
    assert not known.relation("near", "riding")


@pytest.mark.shared_data
def test_gqas_files() -> None:
    known = read_hierarchy_exclusion(DATA / "gqa_class_hierarchy.json", DATA / "gqa_attribute_hierarchy.json")
    assert known.noun("cup", "bowl")
    assert not known.noun("apple", "fruit")
    assert not known.noun("apple", "food")
    assert known.attribute("metal", "wood")
    with pytest.raises(InputFileError, match="does not lead to names"):
        read_hierarchy_exclusion(DATA / "gqa_debug_sceneGraphs.json", DATA / "gqa_attribute_hierarchy.json")


def test_a_table_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "# pairs\nnoun\tdog\tcat\n\nattribute\twet\tdry\t1\n"
        "relation\triding on\tnear\t0.9\nrelation\tnear\triding on\t0.1\n"
    )
    known = read_table_exclusion(path)
    assert known.noun("dog", "cat")
    assert known.noun("cat", "dog")
    assert known.relation("riding on", "near")
    assert not known.relation("near", "riding on")
    assert known.attribute("dry", "wet")
    assert not known.noun("dog", "table")
    assert read_table_exclusion(path, otherwise=DifferentNames()).noun("dog", "table")
    assert not read_table_exclusion(path, otherwise=DifferentNames()).relation("near", "riding on")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("noun\tdog\n", "line 1: is no pair of names"),
        ("verb\tdog\tcat\n", "line 1: is no pair of names"),
        ("noun\tdog\tcat\tsure\n", "line 1: 'sure' is no number"),
        ("noun\tdog\tcat\t2\n", "line 1: '2' is no number"),
        ("noun\tdog\tcat\t1\nnoun\tcat\tdog\t0\n", "line 2: 'cat' and 'dog' stand there with two numbers"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(text)
    with pytest.raises(RecordError, match=f"pairs.tsv, {error}"):
        read_table_exclusion(path)


def test_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("# nothing\n")
    with pytest.raises(InputFileError, match="holds no pair"):
        read_table_exclusion(path)


def test_attributes_of_two_types_do_not_exclude_each_other() -> None:
    typed = DifferentNames({"orange": "color", "grey": "color", "open": "state"})
    assert typed.attribute("orange", "grey")
    assert not typed.attribute("orange", "open")
    assert not typed.attribute("orange", "orange")
    # of what has no type nothing is known but its name
    assert typed.attribute("orange", "rusty")
    assert DifferentNames().attribute("orange", "open")
    assert typed.noun("orange", "open")
    assert typed.relation("orange", "open")


DOGS = Scenes((Scene("a", (SceneObject("1", "dog"), SceneObject("2", "cat"))),), "")
FISH = Scenes((*DOGS, Scene("b", (SceneObject("1", "herring"),))), "")


def hierarchies(folder: Path) -> Path:
    (folder / "gqa_class_hierarchy.json").write_text('{"animal": ["dog", "cat"], "food": ["apple"]}')
    (folder / "gqa_attribute_hierarchy.json").write_text('{"color": ["red", "blue"]}')
    return folder


def test_an_exclusion_is_named(tmp_path: Path) -> None:
    assert isinstance(find_exclusion("ontology", DOGS).exclusion, OntologyExclusion)
    assert find_exclusion("none", FISH) == ("none", DifferentNames())
    named = find_exclusion(str(hierarchies(tmp_path)), FISH)
    assert isinstance(named.exclusion, HierarchyExclusion)
    assert named.exclusion.noun("dog", "apple")
    assert not named.exclusion.noun("dog", "herring")
    table = tmp_path / "table.tsv"
    table.write_text("noun\tdog\tpuppy\t0\n")
    known = find_exclusion(str(table), FISH)
    assert not known.exclusion.noun("dog", "puppy")
    assert known.exclusion.noun("dog", "cat")  # what is not in the table differs
    # what is there tells exclusions apart, and not where it is
    table.write_text("noun\tdog\tpuppy\t1\n")
    assert find_exclusion(str(table), FISH).name != known.name
    assert named.name == find_exclusion(str(tmp_path), FISH).name != known.name


def test_what_names_no_exclusion_is_said(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="does not have 'herring' of scene b; give ontology, none, a file of lines, "):
        find_exclusion("ontology", FISH)
    with pytest.raises(InputFileError, match="there is no such file or folder"):
        find_exclusion(str(tmp_path / "nothing"), DOGS)
    with pytest.raises(InputFileError, match=r"has no file whose name ends in class_hierarchy\.json"):
        find_exclusion(str(tmp_path), DOGS)
    hierarchies(tmp_path)
    with pytest.raises(InputFileError, match="one hierarchy does not do"):
        find_exclusion(str(tmp_path / "gqa_class_hierarchy.json"), DOGS)
    (tmp_path / "my_class_hierarchy.json").write_text("{}")
    with pytest.raises(InputFileError, match=r"has 2 files whose name ends in class_hierarchy\.json"):
        find_exclusion(str(tmp_path), DOGS)


@pytest.mark.shared_data
def test_the_folder_of_gqas_hierarchies() -> None:
    known = find_exclusion(str(DATA), DOGS).exclusion
    assert known.noun("dog", "cat")
    assert not known.noun("puppy", "animal")
    assert known.attribute("red", "blue")
