"""The page on questions about scenes in a browser, with no network: boxes, steps, twins, filters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import InputWarning, RecordError
from recombine.pages.scenes.embedding import Embedding, Replaced, embeddings, replaced_text
from recombine.scenes.scene import Relation, Scene, SceneObject
from recombine.scenes.subgraph import Subgraph, SubRelation

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")

PROGRAM = "count ( with_relation ( find ( puppy ) , on , find ( bench ) ) )"
GRAPH = ["puppy", None, [["on", ["bench", None, []], []]]]


def _object(name: str, x: int, attributes: list[str], *relations: tuple[str, str]) -> dict[str, Any]:
    related = [{"name": relation, "object": target} for relation, target in relations]
    return {"name": name, "x": x, "y": 60, "w": 30, "h": 30, "attributes": attributes, "relations": related}


def write_data(path: Path, **changed: Any) -> Path:
    """Three scenes, a question with a twin about them, and one with markup."""
    bench = _object("bench", 50, [])
    scenes = {
        "my a": {"1": _object("puppy", 10, ["black"], ("on", "2")), "2": bench},
        "b": {"1": _object("kitten", 10, ["white"], ("on", "2")), "2": bench},
        "c": {"1": _object("puppy", 10, ["black"], ("under", "2")), "2": bench},
    }
    world = {key: {"width": 128, "height": 128, "objects": objects} for key, objects in scenes.items()}
    path.with_name("s.json").write_bytes(
        orjson.dumps({"attribute_types": {"black": "color", "white": "color"}, **world})
    )
    fields = ("source", "target", "answer", "images", "roles", "template", "subgraph", "part", "pair")
    how_many = "How many puppies that are on a bench are there?"
    rows = [
        (how_many, PROGRAM, 1, ["my a", "b"], ["holds", "root_name"], "COUNT", GRAPH, "train", 0),
        (how_many, PROGRAM, 0, ["c", "b"], ["1_rel", "root_name"], "COUNT", GRAPH, "train", 0),
        (
            "Is <b>it</b> black?",
            "verify_attr ( black , unique ( find ( puppy ) ) )",
            True,
            ["my a"],
            ["holds"],
            "VERIFYATTR",
            ["puppy", "black", []],
            "test",
            None,
        ),
    ]
    lines = [dict(zip(fields, row, strict=True)) for row in rows]
    lines[0] |= changed
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    said = {"context": fields[2:], "identity": ["images"], "world": {"kind": "scenes", "path": "s.json"}}
    path.with_name(f"{path.name}.meta.json").write_bytes(orjson.dumps(said))
    return path


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    page = recombine.scenes_page(write_data(folder / "q.jsonl"))
    assert page["shown"] == 3
    page.write(folder / "page.html")
    return (folder / "page.html").as_uri()


def test_pictures_have_boxes_of_what_matches_and_of_what_distracts(page: Any) -> None:
    expect = sync_api.expect
    expect(page.get_by_role("heading", level=1)).to_have_text("q.jsonl: questions about pictures")
    article = page.locator("article:visible")
    expect(article).to_have_count(1)
    expect(article.locator("svg.scene image")).to_have_count(4)
    first = article.locator(".twin").nth(0)
    assert [str(each.get_attribute("data-key")) for each in first.locator(".object.matching").all()] == [
        "my a/1",
        "my a/2",
    ]
    assert [str(each.get_attribute("data-key")) for each in first.locator(".object.distracting").all()] == [
        "b/1",
        "b/2",
    ]
    dashes = "one => getComputedStyle(one).strokeDasharray"
    assert first.locator("rect.distracting").first.evaluate(dashes) != "none"
    assert first.locator("rect.matching").first.evaluate(dashes) == "none"
    captions = [text.split() for text in article.locator("figcaption").all_text_contents()]
    assert [" ".join(words) for words in captions] == [
        "holds it my a",
        "kitten in place of puppy b",
        "under in place of on c",
        "kitten in place of puppy b",
    ]


def test_twins_stand_side_by_side_with_their_answers(page: Any) -> None:
    twins = page.locator("article:visible .twin")
    assert twins.locator(".said").all_text_contents() == ["1", "0"]
    left, right = (twins.nth(at).bounding_box() for at in (0, 1))
    assert left["x"] + left["width"] <= right["x"]
    assert abs(left["y"] - right["y"]) < 2


def test_a_step_marks_its_objects(page: Any) -> None:
    twin = page.locator("article:visible .twin").nth(0)
    lit = twin.locator(".object.lit")
    assert lit.count() == 0
    twin.locator(".step", has_text="find ( bench )").hover()
    assert [each.get_attribute("data-key") for each in lit.all()] == ["my a/2", "b/2"]
    twin.locator(".step", has_text="with_relation").focus()
    assert "my a/1" in [each.get_attribute("data-key") for each in lit.all()]
    assert twin.locator(".step .gives").all_text_contents() == ["1 object", "2 objects", "1 object", "1"]
    page.mouse.move(0, 0)
    page.locator("#query").focus()
    assert lit.count() == 0


def test_filters_by_template_and_answer(page: Any) -> None:
    expect = sync_api.expect
    shown = page.locator("#list li:not([hidden])")
    assert shown.count() == 2
    page.get_by_label("Template").select_option("VERIFYATTR")
    expect(page.locator("#found")).to_have_text("1 example of 2 found.")
    expect(page.locator("article:visible h3")).to_have_text("Is <b>it</b> black?")
    page.get_by_label("Answer").select_option("0")
    expect(page.locator("#found")).to_have_text("0 examples of 2 found.")
    page.get_by_label("Template").select_option("")
    expect(page.locator("article:visible .said").first).to_have_text("1")
    page.get_by_label("Answer").select_option("true")
    expect(page.locator("article:visible h3")).to_have_text("Is <b>it</b> black?")


def test_data_is_text(page: Any) -> None:
    assert page.locator("b").count() == 0


def test_an_answer_that_the_program_does_not_give_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="its answer is 2, but its program gives 1"):
        recombine.scenes_page(write_data(tmp_path / "q.jsonl", answer=2))


def test_scenes_that_cannot_be_drawn_have_boxes_alone_and_it_is_said(tmp_path: Path) -> None:
    path = write_data(tmp_path / "q.jsonl")
    for name in ("s.json", "q.jsonl"):
        file = tmp_path / name
        file.write_bytes(file.read_bytes().replace(b"puppy", b"okapi").replace(b"kitten", b"ermine"))
    with pytest.warns(InputWarning, match="boxes are shown alone"):
        page = recombine.scenes_page(path).page
    assert b"<image" not in page
    assert page.count(b'class="box matching"') > 1


def test_ways_to_lay_a_sub_graph_are_said_together() -> None:
    held = [
        Embedding(("1", "2"), (Replaced("ball", "box"), Replaced("yellow", "green"))),
        Embedding(("3", "2"), (Replaced("ball", "cup"), Replaced("yellow", "green"))),
        Embedding(("4", "2"), (Replaced("ball", "box"), Replaced("yellow", "red"))),
    ]
    assert replaced_text(held) == "box or cup in place of ball; green or red in place of yellow"
    assert replaced_text([Embedding(("1",))]) == ""


def test_an_attribute_stands_in_place_of_one_of_its_type() -> None:
    scene = Scene("s", (SceneObject("1", "ball", None, ("dotted", "red")), SceneObject("2", "ball", None, ("dotted",))))
    types = {"red": "color", "yellow": "color", "dotted": "pattern"}
    asked = Subgraph("ball", "yellow")
    assert embeddings(scene, asked, "root_attr", types) == [Embedding(("1",), (Replaced("yellow", "red"),))]
    # where none is of its type, or types are not known, any other does
    assert len(embeddings(scene, asked, "root_attr")) == 2
    assert len(embeddings(Scene("s", scene.objects[1:]), asked, "root_attr", types)) == 1


def test_boxes_fit_the_picture_of_a_scene_that_does_not_say_its_size(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    path = write_data(tmp_path / "q.jsonl")
    world = orjson.loads(path.with_name("s.json").read_bytes())
    for name in ("my a", "b", "c"):
        del world[name]["width"], world[name]["height"]
    path.with_name("s.json").write_bytes(orjson.dumps(world))
    alone = recombine.scenes_page(path)
    assert b'viewBox="0 0 128 128"' in alone.page  # drawn
    (tmp_path / "q.pictures").mkdir()
    for name in ("my a", "b", "c"):
        image.new("RGB", (300, 200)).save(tmp_path / "q.pictures" / f"{name}.jpg")
    assert b'viewBox="0 0 300 200"' in recombine.scenes_page(path).page


def test_one_object_does_not_stand_for_two() -> None:
    worn = (Relation("wearing", "2"), Relation("wearing", "3"))
    man = SceneObject("1", "man", None, (), worn)
    scene = Scene("s", (man, SceneObject("2", "coat"), SceneObject("3", "scarf")))
    asked = Subgraph("man", None, (SubRelation("wearing", Subgraph("coat")), SubRelation("wearing", Subgraph("hat"))))
    assert embeddings(scene, asked, "2_name") == [Embedding(("1", "2", "3"), (Replaced("hat", "scarf"),))]
