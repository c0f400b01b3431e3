"""Pictures show what their scenes hold, where the boxes are."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from recombine.errors import OptionError, OutputFileError, RecombineError
from recombine.scenes.scene import Box, Relation, Scene, SceneObject
from recombine.scenes.synthetic.body import head_of
from recombine.scenes.synthetic.figures import Look, draw_figure
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.pen import PALETTE, Pen
from recombine.scenes.synthetic.picture import draw_scene, looks, picture_bytes
from recombine.scenes.synthetic.world import make_world
from recombine.scenes.synthetic.write_pictures import write_pictures

Image = pytest.importorskip("PIL.Image")
WORLD = make_world(120, seed=8)[1]
EMPTY = 200


def drawn(look: Look, scale: int = 1) -> np.ndarray:
    """The pixels of one object alone."""
    image = Image.new("P", (128 * scale, 128 * scale), EMPTY)
    draw_figure(Pen(image, scale), look)
    return np.asarray(image)


def scene_of(*objects: SceneObject) -> Scene:
    return Scene("s", objects, 128, 128)


def pixels(scene: Scene, box: Box) -> set[tuple[int, ...]]:
    """The colors in a box of the picture of a scene."""
    image = np.asarray(draw_scene(scene).convert("RGB"))
    part = image[box.y : box.y + box.height, box.x : box.x + box.width]
    return {tuple(int(value) for value in each) for each in part.reshape(-1, 3)}


def test_boxes_fit_what_is_drawn() -> None:
    seen = set()
    for scene in WORLD:
        for look in looks(scene):
            seen.add(look.noun)
            rows, columns = np.nonzero(drawn(look) != EMPTY)
            x, y, width, height = look.box
            ends = (x - columns.min(), y - rows.min(), columns.max() + 1 - x - width, rows.max() + 1 - y - height)
            assert max(ends) <= 1, (scene.id, look)
            assert min(ends) >= -max(2, 0.15 * max(width, height)), (scene.id, look)
    assert len(seen) >= 33


def test_objects_are_not_hidden() -> None:
    """Hardly any object shows less than two fifths of itself."""
    shown = []
    for scene in WORLD:
        covered = np.zeros((128, 128), dtype=bool)
        for look in reversed(looks(scene)):
            here = drawn(look) != EMPTY
            shown.append((here & ~covered).sum() / here.sum())
            covered |= here
    assert np.mean(np.array(shown) < 0.4) <= 0.004
    assert min(shown) >= 0.05


@pytest.mark.parametrize("color", ["red", "blue", "green", "yellow", "white", "black", "brown"])
def test_a_color_can_be_seen(color: str) -> None:
    ball = SceneObject("0", "ball", Box(50, 50, 9, 9), (color,))
    colors = pixels(scene_of(ball), Box(52, 52, 5, 5))
    assert PALETTE[color] in colors
    others = {"red", "blue", "green", "yellow", "white", "black", "brown"} - {color}
    assert not colors & {PALETTE[other] for other in others}


def test_every_attribute_changes_the_picture() -> None:
    plain = {"hat": ("red",), "table": ("red",), "tree": ("leafy",), "man": ("standing",), "house": ("red",)}
    tried = {
        "hat": ("blue", "striped", "dotted", "checkered"),
        "table": ("wooden", "metal"),
        "house": ("stone",),
        "tree": ("bare",),
        "man": ("sitting", "running", "jumping"),
    }
    for noun, attributes in tried.items():
        shown = {plain[noun], *((each,) for each in attributes)}
        pictures = {draw_scene(scene_of(SceneObject("0", noun, Box(40, 40, 30, 40), each))).tobytes() for each in shown}
        assert len(pictures) == len(shown)


def test_attributes_of_scenes_can_be_seen() -> None:
    """Another color, pattern, material or foliage of an object, or running for standing, is seen where it is."""
    ontology, tried, hardly = find_ontology(), Counter[str](), Counter[str]()
    for scene in WORLD:
        shown = np.asarray(draw_scene(scene))
        for place, each in enumerate(scene.objects):
            for at, attribute in enumerate(each.attributes):
                kind = ontology.attributes[attribute]
                values = ("standing", "running") if kind == "pose" else ontology.values[kind][:3]
                for other in values if attribute in values or kind != "pose" else ():
                    if other != attribute:
                        told = replace(each, attributes=(*each.attributes[:at], other, *each.attributes[at + 1 :]))
                        objects = (*scene.objects[:place], told, *scene.objects[place + 1 :])
                        tried[kind] += 1
                        differ = np.asarray(draw_scene(replace(scene, objects=objects))) != shown
                        hardly[kind] += int(differ.sum() < 8)
    assert min(tried[kind] for kind in ("color", "pattern", "material", "foliage", "pose")) >= 5
    assert all(count <= 0.02 * tried[kind] for kind, count in hardly.items()), (hardly, tried)


def test_a_woman_has_no_beard() -> None:
    box, hair = Box(50, 50, 16, 36), list(PALETTE).index("dark hair")
    head = head_of("woman", box, 1)
    below = np.s_[head.y + head.height // 2 + 2 : head.y + head.height + 4, head.x + 3 : head.x + head.width - 3]
    assert hair in drawn(Look("man", box, ("standing",)))[below]
    assert hair not in drawn(Look("woman", box, ("standing",)))[below]
    assert hair in drawn(Look("woman", box, ("standing",)))[head.y + head.height :]


def test_who_is_in_front_of_a_table_is_not_under_it() -> None:
    before, under = 0, 0
    for scene in make_world(500, seed=3)[1]:
        for each in scene.objects:
            for relation in each.relations:
                table, box = scene.by_id[relation.object], each.box
                if table.name != "table" or each.name not in ("kitten", "puppy") or not box or not table.box:
                    continue
                inside = table.box.x + 3 <= box.x and box.x + box.width <= table.box.x + table.box.width - 3
                if relation.name == "in front of":
                    before += 1
                    assert not inside, (scene.id, each)
                elif relation.name == "under":
                    under += 1
                    assert inside, (scene.id, each)
    assert min(before, under) >= 5


def test_every_noun_has_a_figure_of_its_own() -> None:
    seen = {look.noun for scene in make_world(400, seed=2)[1] for look in looks(scene)}
    pictures = {drawn(Look(noun, Box(40, 40, 30, 40))).tobytes() for noun in seen}
    assert len(pictures) == len(seen) >= 35


def test_what_is_later_covers_what_is_before() -> None:
    one, two = (
        SceneObject("0", "ball", Box(50, 50, 9, 9), ("red",)),
        SceneObject("1", "ball", Box(50, 50, 9, 9), ("blue",)),
    )
    assert PALETTE["red"] not in pixels(scene_of(one, two), Box(50, 50, 9, 9))
    assert PALETTE["blue"] not in pixels(scene_of(two, one), Box(50, 50, 9, 9))


def test_someone_looks_to_what_is_done_and_away_from_what_is_pulled() -> None:
    man = Box(60, 60, 16, 36)
    for side, x in ((1, 76), (-1, 40)):
        for relation, facing in (("pushing", side), ("pulling", -side), ("kicking", side)):
            link = Relation(relation, "1")
            scene = scene_of(
                SceneObject("0", "man", man, ("standing",), (link,)),
                SceneObject("1", "cart", Box(x, 83, 20, 13), ("red",)),
            )
            assert looks(scene)[0].facing == facing
    assert not np.array_equal(
        drawn(Look("man", man, ("standing",), {"kicking": 1})), drawn(Look("man", man, ("standing",)))
    )


def test_a_picture_is_a_small_png_of_its_size() -> None:
    sizes = []
    for scene in WORLD[:30]:
        data = picture_bytes(scene)
        assert data.startswith(b"\x89PNG")
        assert data == picture_bytes(scene)
        assert Image.open(BytesIO(data)).size == (128, 128)
        sizes.append(len(data))
    assert max(sizes) < 4000
    assert Image.open(BytesIO(picture_bytes(WORLD[0], size=384))).size == (384, 384)


def test_a_larger_picture_shows_the_same() -> None:
    small = [np.asarray(draw_scene(scene).convert("L"), dtype=float) for scene in WORLD[:8]]
    for at, scene in enumerate(WORLD[:8]):
        large = draw_scene(scene, size=512).convert("L").resize((128, 128), Image.Resampling.BOX)
        away = [np.abs(each - np.asarray(large, dtype=float)).mean() for each in small]
        others = [each for place, each in enumerate(away) if place != at]
        assert away[at] < min(others) / 2


@pytest.mark.parametrize("size", [0, 100, 129, 8192, True, 128.0])
def test_sizes_that_are_no_multiple(size: int) -> None:
    with pytest.raises(OptionError, match="give a multiple of 128"):
        picture_bytes(WORLD[0], size=size)


def test_what_cannot_be_drawn_is_named() -> None:
    with pytest.raises(RecombineError, match=r"scene s: object 0 \(dog\) is none that is drawn"):
        draw_scene(scene_of(SceneObject("0", "dog", Box(1, 2, 3, 4))))
    with pytest.raises(RecombineError, match=r"scene s: object 0 \(ball\) has no box"):
        draw_scene(scene_of(SceneObject("0", "ball")))


def test_pictures_need_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(OptionError, match=r"install recombine\[pictures\]"):
        draw_scene(WORLD[0])


def test_a_folder_of_pictures_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    write_pictures(WORLD[:3], tmp_path / "q.pictures")
    names = [scene.id for scene in WORLD[:3]]
    assert sorted(each.name for each in (tmp_path / "q.pictures").iterdir()) == [f"{name}.png" for name in names]
    assert (tmp_path / "q.pictures" / f"{names[1]}.png").read_bytes() == picture_bytes(WORLD[1])
    with pytest.raises(RecombineError, match="none that is drawn"):
        write_pictures([WORLD[4], scene_of(SceneObject("0", "dog", Box(1, 2, 3, 4)))], tmp_path / "q.pictures")
    assert sorted(each.name for each in (tmp_path / "q.pictures").iterdir()) == [f"{name}.png" for name in names]
    assert [each.name for each in tmp_path.iterdir()] == ["q.pictures"]


def test_other_folders_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputFileError, match="is no folder of pictures"):
        write_pictures(WORLD[:1], tmp_path)
    with pytest.raises(OutputFileError, match="is no folder of pictures"):
        write_pictures(WORLD[:1], tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"
