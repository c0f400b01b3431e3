"""Files of scenes: the four forms, what they hold, and every mistake in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from recombine.errors import InputFileError, InputWarning, OptionError, RecombineError, RecordError
from recombine.records.world import make_reference
from recombine.scenes.files.find_pictures import find_pictures
from recombine.scenes.files.read_scenes import read_attribute_types, read_scenes
from recombine.scenes.files.write_scenes import collection, write_scenes
from recombine.scenes.scene import Box, Modifier, Relation, Scene, SceneObject, Scenes

BOY = SceneObject(
    "1",
    "boy",
    Box(5, 6, 20, 40),
    ("tall",),
    (Relation("pulling", "2", (Modifier("with", "3"),)), Relation("near", "2")),
)
CART = SceneObject("2", "cart", Box(40, 20, 30, 20), ("red", "metal"))
ROPE = SceneObject("3", "rope", Box(20, 20, 25, 5))
PULLING = Scene("a", (BOY, CART, ROPE), 100, 80)
BARE = Scene("b", (SceneObject("x", "tree"),))
TYPES = {"red": "color", "metal": "material"}


def told(**changed: Any) -> dict[str, Any]:
    """One scene as GQA writes it: a man on a horse, whose fields some values replace."""
    man = {"name": "man", "x": 10, "y": 0, "w": 20, "h": 30, "attributes": ["old"]}
    man["relations"] = [{"name": "riding", "object": "8", "mods": [{"name": "with", "object": "9"}]}]
    objects = {
        "7": {**man, **changed},
        "8": {"name": "horse", "x": 0, "y": 20, "w": 50, "h": 40},
        "9": {"name": "saddle"},
    }
    return {"park": {"width": 60, "height": 70, "objects": objects}}


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def test_a_file_of_ours_is_read_as_it_was_written(tmp_path: Path) -> None:
    scenes = collection([PULLING, BARE], TYPES)
    for name in ("q.scenes.json", "q.scenes.json.gz"):
        write_scenes(tmp_path / name, scenes)
        again = read_scenes(tmp_path / name)
        assert again == scenes
        assert again.digest == scenes.digest
    assert gzip.decompress((tmp_path / "q.scenes.json.gz").read_bytes()) == (tmp_path / "q.scenes.json").read_bytes()


def test_what_a_file_of_ours_holds(tmp_path: Path) -> None:
    write_scenes(tmp_path / "one.json", collection([PULLING], TYPES))
    boy = {"name": "boy", "x": 5, "y": 6, "w": 20, "h": 40, "attributes": ["tall"]}
    pulling = {"name": "pulling", "object": "2", "mods": [{"name": "with", "object": "3"}]}
    held = json.loads((tmp_path / "one.json").read_text())
    assert held["attribute_types"] == TYPES
    assert held["a"]["objects"]["1"] == {**boy, "relations": [pulling, {"name": "near", "object": "2"}]}
    assert (held["a"]["width"], held["a"]["height"]) == (100, 80)


def test_a_collection_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    write_scenes(tmp_path / "q.json", collection([BARE], {}))
    before = (tmp_path / "q.json").read_bytes()
    named = Scenes((PULLING, Scene("attribute_types", BARE.objects)), "")
    with pytest.raises(OptionError, match="a scene is called 'attribute_types'"):
        write_scenes(tmp_path / "q.json", named)
    assert (tmp_path / "q.json").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["q.json"]


def test_scenes_as_gqa_writes_them(tmp_path: Path) -> None:
    scenes = read_scenes(write(tmp_path / "graphs.json", told()))
    (park,) = scenes
    assert (park.id, park.width, park.height) == ("park", 60, 70)
    riding = Relation("riding", "8", (Modifier("with", "9"),))
    assert park.by_id["7"] == SceneObject("7", "man", Box(10, 0, 20, 30), ("old",), (riding,))
    assert park.by_id["9"] == SceneObject("9", "saddle")
    assert scenes.attribute_types == {}


@pytest.mark.shared_data
def test_the_four_scenes_of_gqa(data_dir: Path) -> None:
    # The counts are those of the published file, as the issue that asked for this room has them.
    world = make_reference(data_dir / "scenes" / "gqa_debug_sceneGraphs.json").open()
    assert isinstance(world, Scenes)
    objects = [each for scene in world for each in scene.objects]
    relations = [relation.name for each in objects for relation in each.relations]
    assert len(world) == 4
    assert len(objects) == 59
    assert sum(len(each.attributes) for each in objects) == 54
    assert len(relations) == 178
    assert sum(name not in ("to the left of", "to the right of") for name in relations) == 32


@pytest.mark.shared_data
def test_types_of_attributes_from_gqas_hierarchy(data_dir: Path) -> None:
    folder = data_dir / "scenes"
    types = read_attribute_types(folder / "gqa_attribute_hierarchy.json")
    assert (types["red"], types["striped"], types["glass"]) == ("color", "pattern", "material")
    assert types["little"] == "size"  # listed under age too, which comes later
    scenes = read_scenes(folder / "gqa_debug_sceneGraphs.json", attribute_types=types)
    assert scenes.attribute_types["white"] == "color"


MISTAKES = {
    "a relation to nothing": (
        told(relations=[{"name": "riding", "object": "80"}]),
        "scene park: the relation 'riding' of object 7 (man) leads to object 80, which is not there",
    ),
    "a modifier to nothing": (
        told(relations=[{"name": "riding", "object": "8", "mods": [{"name": "with", "object": "90"}]}]),
        "scene park: the modifier 'with' of 'riding' of object 7 (man) leads to object 90, which is not there",
    ),
    "no name": (told(name=None), "scene park: object 7 has no name"),
    "an empty name": (told(name=" "), "scene park: object 7 has no name"),
    "a relation with no name": (
        told(relations=[{"object": "8"}]),
        "scene park: a relation of object 7 (man) has no name",
    ),
    "a box outside": (
        told(x=45),
        "scene park: the box of object 7 (man) (x 45, y 0, w 20, h 30) is outside the picture of 60 × 70",
    ),
    "a box above": (told(y=-1), "scene park: the box of object 7 (man) (x 10, y -1, w 20, h 30) is outside"),
    "an empty box": (told(w=0), "scene park: the box of object 7 (man) (x 10, y 0, w 0, h 30) is empty"),
    "half a box": (told(w=None), "scene park: the box of object 7 (man) is not four whole numbers"),
    "a box of parts": (told(w=1.5), "scene park: the box of object 7 (man) is not four whole numbers"),
    "attributes as a text": (told(attributes="old"), "scene park: the attributes of object 7 (man) are no list"),
    "a relation as a text": (
        told(relations=["riding"]),
        "a relation of object 7 (man) is not of the form {name, object}",
    ),
    "a scene with no objects": ({"park": {"objects": {}}}, "scene park: has no object"),
    "objects as a list": ({"park": {"objects": []}}, "scene park: is not of the form"),
    "a width in words": (
        {"park": {"width": "wide", "objects": {}}},
        "scene park: width and height are not whole numbers",
    ),
    "an object as a text": ({"park": {"objects": {"7": "man"}}}, "scene park: object 7 is not of the form"),
    "types as a list": ({"attribute_types": []}, "attribute_types is not of the form {attribute: type}"),
    "types of types": ({"attribute_types": {"red": ["color"]}}, "attribute_types is not of the form {attribute: type}"),
    "an empty collection": ({}, "holds no scene"),
    "an empty collection with types": ({"attribute_types": {}}, "holds no scene"),
    "an empty list": ([], "holds no scene"),
    "another shape": ({"questions": {"1": "what?"}}, "is JSON, but holds no scenes"),
    "a list of texts": (["man"], "is JSON, but holds no scenes"),
    "a number": (5, "is JSON, but holds no scenes"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_scenes(mistake: str, tmp_path: Path) -> None:
    value, message = MISTAKES[mistake]
    path = write(tmp_path / "graphs.json", value)
    with pytest.raises(RecombineError) as caught:
        read_scenes(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_boxes_that_are_partly_outside_can_be_cut(tmp_path: Path) -> None:
    """As real scene graphs of GQA have them; what is wholly outside, or empty, stays a mistake."""
    path = write(tmp_path / "graphs.json", told(x=45))
    with pytest.raises(RecombineError, match="have such boxes cut with --cut-boxes"):
        read_scenes(path)
    with pytest.warns(InputWarning, match=r"graphs\.json: 1 box was partly outside its picture and is cut to it"):
        scenes = read_scenes(path, cut_boxes=True)
    assert scenes[0].by_id["7"].box == Box(45, 0, 15, 30)
    value = {"one": told(x=45)["park"], "two": told(y=-1)["park"], "three": told()["park"]}
    with pytest.warns(InputWarning, match="2 boxes were partly outside their pictures and are cut to them"):
        scenes = read_scenes(write(tmp_path / "graphs.json", value), cut_boxes=True)
    assert [scene.by_id["7"].box for scene in scenes] == [Box(45, 0, 15, 30), Box(10, 0, 20, 29), Box(10, 0, 20, 30)]
    for wrong in (told(x=60), told(w=0)):
        with pytest.raises(RecombineError, match=r"scene park: the box of object 7 .* mend the box$"):
            read_scenes(write(tmp_path / "graphs.json", wrong), cut_boxes=True)


def test_a_file_that_is_not_json(tmp_path: Path) -> None:
    (tmp_path / "graphs.json").write_text('{"park": ')
    with pytest.raises(InputFileError, match=r"graphs\.json: is not JSON"):
        read_scenes(tmp_path / "graphs.json")
    with pytest.raises(InputFileError, match="no such file"):
        read_scenes(tmp_path / "none.json")
    with pytest.raises(InputFileError, match=r"holds no objects\.json and relationships\.json"):
        read_scenes(tmp_path)


def thing(number: int, *names: str, **more: Any) -> dict[str, Any]:
    return {"object_id": number, "names": list(names), "x": 1, "y": 2, "w": 3, "h": 4, "synsets": [], **more}


def test_visual_genome_in_one_file(tmp_path: Path) -> None:
    relationships = [{"relationship_id": 5, "predicate": "ON ", "subject_id": 11, "object_id": 13, "synsets": []}]
    objects = [thing(11, "Cup", attributes=["Red", "red"]), thing(12, "table", merged_object_ids=[13])]
    value = [{"image_id": 61, "objects": objects, "relationships": relationships}]
    (scene,) = read_scenes(write(tmp_path / "scene_graphs.json", value))
    on = Relation("on", "12")
    assert scene == Scene(
        "61", (SceneObject("11", "cup", Box(1, 2, 3, 4), ("red",), (on,)), SceneObject("12", "table", Box(1, 2, 3, 4)))
    )


def test_visual_genome_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path / "objects.json", [{"image_id": 61, "objects": [thing(11, "cup"), thing(12, "table", x=-2)]}])
    write(tmp_path / "attributes.json", [{"image_id": 61, "attributes": [thing(11, "cup", attributes=["red"])]}])
    ends = {"subject": thing(11, "cup"), "object": {**thing(14), "name": "floor"}}
    write(tmp_path / "relationships.json", [{"image_id": 61, "relationships": [{"predicate": "above", **ends}]}])
    write(tmp_path / "image_data.json", [{"image_id": 61, "width": 640, "height": 480}, {"image_id": 62, "width": 1}])
    with pytest.warns(InputWarning, match="1 box was partly outside its picture and is cut to it"):
        (scene,) = read_scenes(tmp_path)
    assert (scene.width, scene.height) == (640, 480)
    assert scene.by_id["11"].attributes == ("red",)
    assert scene.by_id["11"].relations == (Relation("above", "14"),)
    assert scene.by_id["14"].name == "floor"
    assert scene.by_id["12"].box == Box(0, 2, 1, 4)
    assert make_reference(tmp_path).kind == "scenes"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"objects": [thing(11)]}, "scene 61: object 11 has no name"),
        ({"objects": [{"names": ["cup"]}]}, "scene 61: an object has no object_id"),
        (
            {"objects": [thing(11, "cup", x=-9)]},
            "scene 61: the box of object 11 (cup) (x -9, y 2, w 3, h 4) is outside",
        ),
        (
            {"relationships": [{"predicate": "on", "subject_id": 11, "object_id": 99}]},
            "scene 61: the relation 'on' leads to object 99, which is not there",
        ),
        (
            {"relationships": [{"predicate": "on", "subject_id": 99, "object_id": 11}]},
            "scene 61: the relation 'on' leads from object 99, which is not there",
        ),
        ({"relationships": [{"subject_id": 11, "object_id": 11}]}, "scene 61: a relationship has no name"),
        ({"relationships": ["on"]}, "scene 61: a relationship has no predicate"),
        ({"objects": []}, "scene 61: has no object"),
    ],
)
def test_mistakes_in_visual_genome(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    value = [{"image_id": 61, "objects": [thing(11, "cup")], **changed}]
    with pytest.raises(RecombineError) as caught:
        read_scenes(write(tmp_path / "scene_graphs.json", value))
    assert message in str(caught.value)


TEMPLATES = (
    "stapling\tAGENT staples ITEM onto SURFACE using a TOOL at PLACE\n"
    "jumping\tAGENT jumps from SOURCE over OBSTACLE into DESTINATION at PLACE\n"
    "fixing\tAGENT fixes OBJECT OBJECTPART with TOOL at PLACE\nsnowing\tsnows at PLACE\n"
)
FRAME = {"agent": "n1", "item": "n2", "surface": "n3", "tool": "n4", "place": "n5"}
NOUNS = {f"n{at}": {"gloss": [name, "thing"]} for at, name in enumerate(("man", "paper", "wall", "stapler", "room"), 1)}


def frames_file(folder: Path, value: Any, *, named: bool = True) -> Path:
    (folder / "imsitu_generation_templates.tab").write_text(TEMPLATES)
    if named:
        write(folder / "imsitu_space.json", {"nouns": NOUNS, "verbs": {}})
    return write(folder / "train.json", value)


def test_a_frame_becomes_a_relation_with_modifiers(tmp_path: Path) -> None:
    frames = [{**FRAME, "item": ""}, FRAME, {**FRAME, "agent": "n3"}]
    value = {"stapling_1.jpg": {"verb": "stapling", "frames": frames}}
    (scene,) = read_scenes(frames_file(tmp_path, value))
    stapling = Relation("stapling", "item", (Modifier("onto", "surface"), Modifier("using", "tool")))
    man = SceneObject("agent", "man", None, (), (stapling,))
    others = [SceneObject(role, name) for role, name in (("item", "paper"), ("surface", "wall"), ("tool", "stapler"))]
    assert scene == Scene("stapling_1.jpg", (man, *others))


def test_roles_that_are_empty_or_that_no_word_leads_to_are_left_out(tmp_path: Path) -> None:
    fixing = {"agent": "n1", "object": "n2", "objectpart": "n3", "tool": "n4", "place": "n5"}
    value = {
        "a": {"verb": "stapling", "frames": [{**FRAME, "surface": ""}]},
        "b": {"verb": "fixing", "frames": [fixing]},
        "c": {"verb": "snowing", "frames": [{"place": "n5"}]},
    }
    with pytest.warns(InputWarning, match="1 pictures have no frame with an agent and an item, or no template"):
        scenes = read_scenes(frames_file(tmp_path, value))
    assert [scene.objects[0].relations for scene in scenes] == [
        (Relation("stapling", "item", (Modifier("using", "tool"),)),),
        (Relation("fixing", "object", (Modifier("with", "tool"),)),),
    ]


def test_frames_with_no_names_have_wordnet_ids(tmp_path: Path) -> None:
    path = frames_file(tmp_path, [{"verb": "stapling", "frames": [FRAME], "score": 0.5}], named=False)
    with pytest.warns(
        InputWarning, match=r"no imsitu_space\.json beside it, so objects are called by their WordNet ids"
    ):
        scenes = read_scenes(path)
    assert [(scene.id, scene.objects[0].name) for scene in scenes] == [("train", "n1")]
    before = make_reference(path).sha256
    assert scenes.digest == before
    (tmp_path / "imsitu_generation_templates.tab").write_text(TEMPLATES.replace("onto", "on"))
    assert make_reference(path).sha256 != before


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            {"a": {"verb": "stapling", "frames": [{**FRAME, "item": "n9"}]}},
            "scene a: the noun n9 is not in imsitu_space",
        ),
        ({"a": {"verb": "stapling", "frames": [{"agent": ""}]}}, "holds no scene"),
        ({"a": {"verb": "stapling", "frames": ["n1"]}}, "scene a: has a frame that is no object of roles"),
        ({"a": {"verb": "stapling", "frames": FRAME}}, "scene a: the frames are no list"),
        ({"a": {"verb": "stapling", "frames": []}, "b": 5}, "scene b: has frames with no verb"),
    ],
)
@pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
def test_mistakes_in_frames(value: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(RecombineError) as caught:
        read_scenes(frames_file(tmp_path, value))
    assert message in str(caught.value)


def test_frames_need_the_templates_of_verbs(tmp_path: Path) -> None:
    path = write(tmp_path / "train.json", {"a": {"verb": "stapling", "frames": [FRAME]}})
    with pytest.raises(InputFileError, match=r"put imsitu_generation_templates\.tab beside it"):
        read_scenes(path)
    (tmp_path / "imsitu_generation_templates.tab").write_text("stapling AGENT staples ITEM")
    with pytest.raises(InputFileError, match="line 1: has no tab between verb and template"):
        read_scenes(path)


@pytest.mark.shared_data
def test_the_frame_of_imsitu_becomes_a_ternary_relation(data_dir: Path) -> None:
    path = data_dir / "scenes" / "imsitu_jumping_10.predictions"
    with pytest.warns(InputWarning, match="WordNet ids"):
        opened = make_reference(path).open()
    assert isinstance(opened, Scenes)
    (scene,) = opened
    # AGENT jumps from SOURCE over OBSTACLE into DESTINATION at PLACE, with no obstacle
    assert scene.objects[0].relations == (Relation("jumping from", "source", (Modifier("into", "destination"),)),)
    assert [each.name for each in scene.objects] == ["n10084295", "n02818832", "n02818832"]


def test_scenes_are_recognised_by_their_shape(tmp_path: Path) -> None:
    write_scenes(tmp_path / "ours.json", collection([PULLING], TYPES))
    write_scenes(tmp_path / "packed.json.gz", collection([PULLING], TYPES))
    write(tmp_path / "gqa.txt", told())
    write(tmp_path / "genome.json", [{"image_id": 61, "objects": [thing(11, "cup")]}])
    frames_file(tmp_path, {"a": {"verb": "stapling", "frames": [FRAME]}})
    for name in ("ours.json", "packed.json.gz", "gqa.txt", "genome.json", "train.json"):
        reference = make_reference(tmp_path / name)
        assert reference.kind == "scenes"
        world = reference.open()
        assert world.digest == reference.sha256
        assert isinstance(world, Scenes)
    for at, value in enumerate(({"rows": {"a": 1}}, [{"source": "jump"}], "scenes", {"objects": ["cup"]})):
        path = write(tmp_path / f"other{at}.json", value)
        with pytest.raises(InputFileError, match="recognised by none"):
            make_reference(path)


def test_another_world_than_that_of_the_digest_is_refused(tmp_path: Path) -> None:
    write_scenes(tmp_path / "ours.json", collection([PULLING], TYPES))
    reference = make_reference(tmp_path / "ours.json")
    write_scenes(tmp_path / "ours.json", collection([BARE], TYPES))
    with pytest.raises(InputFileError, match="the scenes there has the digest"):
        reference.open()


def test_pictures_of_ones_own(tmp_path: Path) -> None:
    for name in ("a.png", "b.jpg", "c.jpg"):
        (tmp_path / name).write_bytes(b"picture")
    scenes = [PULLING, BARE, Scene("c.jpg", BARE.objects)]
    assert find_pictures(scenes, tmp_path) == {
        name: tmp_path / file for name, file in (("a", "a.png"), ("b", "b.jpg"), ("c.jpg", "c.jpg"))
    }
    with pytest.raises(InputFileError, match=r"scene d has no picture d\.png"):
        find_pictures([PULLING, Scene("d", BARE.objects)], tmp_path)
    with pytest.raises(InputFileError, match="no such folder of pictures"):
        find_pictures(scenes, tmp_path / "none")


def test_mistakes_in_types_of_attributes(tmp_path: Path) -> None:
    assert read_attribute_types(write(tmp_path / "types.json", {"red": "color", "size": ["small"]})) == {
        "red": "color",
        "small": "size",
    }
    mistakes: list[Any] = [[], {"color": 3}, {"color": [3]}]
    for value in mistakes:
        with pytest.raises(InputFileError, match="types"):
            read_attribute_types(write(tmp_path / "types.json", value))


def test_a_scene_that_stands_there_twice_is_named(tmp_path: Path) -> None:
    picture = {"image_id": 7, "objects": [{"object_id": 1, "names": ["dog"], "x": 0, "y": 0, "w": 9, "h": 9}]}
    path = tmp_path / "scene_graphs.json"
    path.write_text(json.dumps([picture, picture]), encoding="utf-8")
    with pytest.raises(RecordError, match="scene 7: stands there twice"):
        read_scenes(path)
    (tmp_path / "objects.json").write_text(json.dumps([picture, picture]), encoding="utf-8")
    (tmp_path / "relationships.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputFileError, match="the picture 7 stands there twice"):
        read_scenes(tmp_path)
