"""All arrays of a data set, the scenes that a model learns to look from, and pictures of a scene."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL")

from PIL import Image

from recombine.errors import InputFileError, InputWarning, OptionError
from recombine.models.pictures.making.array_settings import ArraySettings
from recombine.models.pictures.making.other_scenes import check_apart, layout, other_scenes
from recombine.models.pictures.making.read_pixels import read_pixels
from recombine.models.pictures.making.scene_pictures import drawn, scene_boxes, scene_pictures
from recombine.models.pictures.making.study_arrays import make_arrays, question_pictures
from recombine.scenes.scene import Box, Scene, SceneObject, Scenes
from recombine.scenes.synthetic.picture import draw_scene
from recombine.scenes.synthetic.world import make_world
from recombine.workbench import load

SMALL = ArraySettings(other_scenes=5, descriptions=50)


def test_all_arrays(asked: Path) -> None:
    data = load(asked)
    examples = list(data)
    train = [row for row, each in enumerate(examples) if each.context["part"] == "train"]
    more = examples[:3]
    made = make_arrays(examples, data.opened_world, settings=SMALL, train=train, more=more)
    asked_again = made.questions
    assert len(asked_again) == len(examples) + 3
    assert asked_again.ids == [each.id for each in [*examples, *more]]
    for row, each in enumerate(examples):
        shown = [made.pictures.ids[place] for place in asked_again.pictures[row].tolist() if place >= 0]
        assert shown == list(each.context["images"])
        answer = asked_again.answer[row]
        text = str(each.context["answer"]).lower()
        assert made.answers[answer] == text if answer >= 0 else text not in made.answers
        assert asked_again.templates[asked_again.template[row]] == each.context["template"]
        words = [made.words.listed[number] for number in asked_again.tokens[row].tolist() if number]
        if each.context["part"] == "train":
            assert "".join(words) == each.source.lower().replace(" ", "")
    first = examples[0].context["pair"]
    twins = [row for row, each in enumerate(examples) if first is not None and each.context["pair"] == first]
    assert len(set(asked_again.pair[twins].tolist())) <= 1
    # a question of another file is the twin of none here
    assert not set(asked_again.pair[len(examples) :].tolist()) - {-1} & set(asked_again.pair[: len(examples)].tolist())
    assert made.answers == sorted({str(each.context["answer"]).lower() for each in (examples[row] for row in train)})
    assert made.pictures.names is None
    assert made.pictures.attributes is None
    assert made.other.names is not None
    assert not set(made.other.ids) & set(made.pictures.ids)
    assert len(made.grounding) == 50


def test_pixels_are_those_of_the_picture() -> None:
    scenes = list(make_world(3, seed=0)[0])
    made = scene_pictures(scenes, drawn(), seed=0, labelled=True)
    for place, scene in enumerate(scenes):
        image = np.asarray(draw_scene(scene).convert("RGB"))
        assert np.array_equal(made.arrays.pixels[place], image)
        for number, each in enumerate(scene.objects):
            region = made.region_of[place][number]
            assert each.box is not None
            x, y, w, h = each.box
            wanted = np.array([x, y, x + w, y + h]) / 128
            assert np.abs(made.arrays.boxes[place, region] - wanted).max() < 0.08
            assert made.arrays.names is not None
            assert made.arrays.attributes is not None
            assert made.arrays.name_list[made.arrays.names[place, region]] == each.name
            has = np.flatnonzero(made.arrays.attributes[place, region])
            assert sorted(made.arrays.attribute_list[at] for at in has) == sorted(each.attributes)


def test_a_picture_has_the_same_regions_whatever_else_is_read() -> None:
    scenes = list(make_world(6, seed=0)[0])
    whole = scene_pictures(scenes, drawn(), seed=3).arrays
    part = scene_pictures(scenes[4:], drawn(), seed=3).arrays
    number = int(part.regions[0])
    assert np.array_equal(part.boxes[0, :number], whole.boxes[4, :number])
    renamed = [
        replace(
            scene, objects=tuple(replace(each, name="thing", attributes=(), relations=()) for each in scene.objects)
        )
        for scene in scenes
    ]
    pixels = {scene.id: whole.pixels[place] for place, scene in enumerate(scenes)}
    again = scene_pictures(renamed, lambda scene: (pixels[scene.id], (128, 128)), seed=3).arrays
    assert again.digest() == whole.digest()


def test_pictures_of_any_size_and_mode(tmp_path: Path) -> None:
    for number, (size, mode) in enumerate([((300, 100), "RGB"), ((40, 90), "L"), ((128, 128), "RGBA"), ((7, 7), "P")]):
        Image.new(mode, size, 200 if mode in ("L", "P") else "red").save(tmp_path / f"{number}.png")
        pixels, own = read_pixels(tmp_path / f"{number}.png", 64)
        assert pixels.shape == (64, 64, 3)
        assert own == size
    assert read_pixels(tmp_path / "0.png", 64)[0][:, :, 0].min() == 255


def test_boxes_in_parts_of_the_picture() -> None:
    scene = Scene("a", (SceneObject("0", "cap", Box(10, 20, 30, 40)), SceneObject("1", "sky")))
    boxes, objects = scene_boxes(scene, (100, 200))
    assert boxes.tolist() == [[0.1, 0.1, 0.4, 0.3]]
    assert objects.tolist() == [0]
    boxes, _ = scene_boxes(replace(scene, width=200, height=80), (100, 200))
    assert boxes.tolist() == [[0.05, 0.25, 0.2, 0.75]]


def test_what_has_no_region_is_counted(tmp_path: Path) -> None:
    objects = tuple(SceneObject(str(place), "cap", Box(place, 0, 2, 2)) for place in range(40))
    scene = Scene("a", (*objects, SceneObject("sky", "sky")))
    Image.new("RGB", (100, 100)).save(tmp_path / "a.png")
    with pytest.warns(InputWarning) as told:
        made = question_pictures(["a"], Scenes((scene,), "0" * 64), tmp_path, SMALL)
    assert [str(each.message) for each in told] == [
        "12 objects have no region: of a picture, the largest are taken",
        "1 objects have no box, and so no region",
    ]
    assert made.regions.tolist() in ([30], [31], [32])


def test_other_scenes_are_others() -> None:
    world = make_world(20, seed=24_001)[0]
    made = other_scenes(20, seed=0, than=world)
    assert len(made) == 20
    check_apart(made, world)
    with pytest.raises(OptionError, match="all other scenes are those of questions; give another other_seed"):
        other_scenes(20, seed=1, than=world)
    few = other_scenes(20, seed=1, than=world[:7])
    assert [each.id for each in few] == [f"other-s{place:06d}" for place in range(7, 20)]
    same = [replace(world[3], id="x", objects=tuple(replace(each, name="y") for each in world[3].objects))]
    with pytest.raises(OptionError, match="scene x of the other scenes has the objects of scene s000003"):
        check_apart(same, world)
    with pytest.raises(OptionError, match="scene s000003 is both among the other scenes and among those of questions"):
        check_apart([Scene("s000003", ())], world)
    whole = [Scene(name, (SceneObject("0", "sky", Box(0, 0, 9, 9)),)) for name in "ab"]
    assert layout(whole[0]) != layout(whole[1])  # one box tells nothing


def test_no_pictures(asked: Path) -> None:
    data = load(asked)
    with pytest.raises(InputFileError, match="the questions have no pictures to look at"):
        make_arrays(list(data), replace(data.opened_world, pictures=None), settings=SMALL)
