"""Picture models from data to answers: variants, keeping, what does not enter them, and every error."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("PIL")

import torch
from PIL import Image

from recombine.errors import InputFileError, InputWarning, OptionError, RecombineError
from recombine.models.known import find_model
from recombine.models.pictures.kept_stages import STAGE
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.store import DETECTOR, WEIGHTS
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint
from recombine.records.example import Example
from recombine.records.world import make_reference
from recombine.scenes.files import scenes_world
from recombine.scenes.scene import Box, Scene, SceneObject, Scenes
from recombine.workbench import generate, load, predict, train

pytestmark = pytest.mark.filterwarnings("error::recombine.errors.InputWarning")


@pytest.fixture(scope="session")
def kept(asked: Path, tiny: Mapping[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that was trained on the questions."""
    folder = tmp_path_factory.mktemp("kept") / "model"
    train(asked, asked.with_name("q.split.json"), model="pictures", set=tiny).write(folder)
    return folder


def copied(asked: Path, folder: Path) -> Path:
    """The questions and all that stands beside them, in another folder."""
    shutil.copytree(asked.parent, folder, dirs_exist_ok=True)
    return folder / asked.name


# -- from data to answers -----------------------------------------------------------------------------------------


def test_trained_kept_and_asked(asked: Path, kept: Path, tiny: Mapping[str, Any]) -> None:
    split = asked.with_name("q.split.json")
    fresh = train(asked, split, model="pictures", set=tiny)
    once, again = predict(fresh, asked, split), predict(kept, asked, split)
    assert dict(once.outputs) == dict(again.outputs)
    answers = {example.context["answer"] for example in load(asked)}
    texts = {str(each).lower() for each in answers}
    assert set(once.outputs.values()) <= texts
    assert fresh.facts["used_again"] == ["detector", "grounding"]
    assert fresh.facts["learned"] == 48
    assert "detector and grounding from the cache" in fresh.description
    assert "variant:regions|on:answer|steps:4" in fresh.signature
    assert list(once.words) == ["pictures"]  # scored as answers in words


@pytest.mark.parametrize("variant", ["pixels", "text", "no-grounding"])
def test_variants(variant: str, asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    made = train(asked, asked.with_name("q.split.json"), model="pictures", set={**tiny, "variant": variant})
    looks = variant != "text"
    assert (made.parser.detector is not None) == looks
    assert made.facts["used_again"] == (["detector"] if looks else [])
    outputs = predict(made, asked, asked.with_name("q.split.json")).outputs
    made.write(tmp_path / "m")
    assert (tmp_path / "m" / DETECTOR).exists() == looks
    assert predict(tmp_path / "m", asked, asked.with_name("q.split.json")).outputs == outputs


def test_text_sees_nothing_but_the_number_of_pictures(asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    path = copied(asked, tmp_path / "d")
    shutil.rmtree(path.with_name("q.pictures"))
    made = train(path, path.with_name("q.split.json"), model="pictures", set={**tiny, "variant": "text"})
    data = load(path)
    query = data[0].query
    other = next(scene.id for scene in data.opened_world if scene.id not in query.context["images"])
    images = query.context["images"]
    asked_again = Example.of(query.source, "", context={"images": [other] * len(images)}).query
    fewer = Example.of(query.source, "", context={"images": list(images)[: len(images) - 1] or [other] * 2}).query
    _, scores = made.parser.answer([query, asked_again, fewer], data.opened_world)
    assert scores[0] == scores[1]
    assert scores[0] != scores[2]


def test_randneg(asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "random.jsonl"
    options = {"number_of_scenes": 90, "templates": "COUNT,VERIFYATTR,QUERYATTR", "pool": 120, "seed": 3}
    generate("scenes", n=60, random_distractors=True, **options).write(path)
    split = asked.with_name("q.split.json")
    settings = {**tiny, "variant": "randneg"}
    with pytest.warns(InputWarning, match=r"random\.jsonl: \d+ of 60 questions are about other scenes"):
        made = train(asked, split, model="pictures", set={**settings, "randneg": str(path)})
    assert 0 < made.facts["learned"] < 60
    assert "randneg:" in made.signature
    assert len(predict(made, asked, split).outputs) == 6
    with pytest.raises(
        OptionError, match="variant=randneg learns from questions of random distractors, and names none"
    ):
        train(asked, split, model="pictures", set=settings)
    with pytest.raises(OptionError, match="randneg is a file, and the variant is regions"):
        train(asked, split, model="pictures", set={**tiny, "randneg": str(path)})


# -- what does not enter ------------------------------------------------------------------------------------------


def test_names_do_not_enter(asked: Path, kept: Path, tmp_path: Path) -> None:
    """Names, attributes and relations of the scenes file permuted, the pictures as they are: the same answers."""
    path = copied(asked, tmp_path / "d")
    scenes_file = path.with_name("q.scenes.json")
    scenes = json.loads(scenes_file.read_text())
    objects = [
        each for name, scene in scenes.items() if name != "attribute_types" for each in scene["objects"].values()
    ]
    draws = random.Random(0)  # noqa: S311
    for key in ("name", "attributes"):
        values = [each[key] for each in objects]
        draws.shuffle(values)
        for each, value in zip(objects, values, strict=True):
            each[key] = value
    for each in objects:
        each["relations"] = []
    before = _world(scenes_file)["sha256"]
    scenes_file.write_text(json.dumps(scenes))
    now = _world(scenes_file)["sha256"]
    assert now != before
    own = path.with_name("q.split.json")
    own.write_text(own.read_text().replace(before, now))
    path.with_name("q.jsonl.meta.json").write_text(
        json.dumps({**json.loads(path.with_name("q.jsonl.meta.json").read_text()), "world": _world(scenes_file)})
    )
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    predict(kept, asked, asked.with_name("q.split.json")).write(first)
    predict(kept, path, own).write(second)
    assert first.read_bytes() == second.read_bytes()
    parser = find_model("pictures")[0].load(kept, "")
    both = [parser.answer([each.query for each in load(one)], load(one).opened_world)[1] for one in (asked, path)]
    assert both[0].tobytes() == both[1].tobytes()


def _world(path: Path) -> dict[str, str]:
    made = make_reference(path, "scenes")
    return {"kind": made.kind, "path": path.name, "sha256": made.sha256}


def test_pictures_do_enter(asked: Path, kept: Path, tmp_path: Path) -> None:
    """The same with pictures that are black: other probabilities, so that the test above says something."""
    path = copied(asked, tmp_path / "d")
    for each in path.with_name("q.pictures").iterdir():
        Image.new("RGB", (128, 128)).save(each)
    parser = find_model("pictures")[0].load(kept, "")
    both = [parser.answer([each.query for each in load(one)], load(one).opened_world)[1] for one in (asked, path)]
    assert (both[0] != both[1]).mean() > 0.9


# -- a collection of one's own ------------------------------------------------------------------------------------


def own_scenes(folder: Path, number: int, start: int = 0) -> Scenes:
    """Pictures of one's own, all of other sizes, and where things are in them, as GQA says it."""
    folder.mkdir(parents=True, exist_ok=True)
    draws = np.random.default_rng(start)
    scenes = {}
    for place in range(start, start + number):
        width, height = (int(each) for each in draws.integers(60, 400, 2))
        image = Image.fromarray(draws.integers(0, 255, (height, width, 3), dtype=np.uint8))
        suffix, mode = ((".jpg", "RGB"), (".png", "RGBA"), (".webp", "RGB"))[place % 3]
        objects = {}
        for key in range(3):
            x, y = int(draws.integers(0, width // 2)), int(draws.integers(0, height // 2))
            box = {"x": x, "y": y, "w": int(draws.integers(5, width - x)), "h": int(draws.integers(5, height - y))}
            relations = [{"name": "near", "object": str((key + 1) % 3)}]
            name = ("street lamp", "tram", "tree")[key]
            objects[str(key)] = {"name": name, **box, "attributes": ["old"] * (key == 1), "relations": relations}
        scenes[f"p{place}"] = {"width": width, "height": height, "objects": objects}
        image.convert(mode).save(folder / f"p{place}{suffix}")
    file = folder.with_name(folder.name.removesuffix(".pictures") + ".scenes.json")
    file.write_text(json.dumps(scenes))
    world = make_reference(file, "scenes").open()
    assert isinstance(world, Scenes)
    return world


def own_questions(scenes: Scenes) -> list[Example]:
    ids = [scene.id for scene in scenes]
    return [
        Example.of(f"Is the {name} old?", "", context={"images": ids[place : place + 3], "answer": place % 2 == 0})
        for place in range(len(ids) - 2)
        for name in ("tram", "street lamp")
    ]


def test_pictures_of_ones_own(tmp_path: Path, tiny: Mapping[str, Any]) -> None:
    scenes = own_scenes(tmp_path / "own.pictures", 8)
    own_scenes(tmp_path / "other.pictures", 6, start=100)
    settings = {**tiny, "other": str(tmp_path / "other.scenes.json")}
    family, name = find_model("pictures")
    parser = family.make(family.settings(name, settings), 0, "cpu")
    questions = own_questions(scenes)
    parser.fit(questions, scenes)
    assert parser.detector.names == ("street lamp", "tram", "tree")
    assert parser.detector.attributes == ("old",)
    given = parser.predict([each.query for each in questions], scenes)
    assert set(given) <= {"true", "false"}
    family.save(parser, tmp_path / "m", "")
    assert family.load(tmp_path / "m", "").predict([each.query for each in questions], scenes) == given


def test_a_folder_that_is_named_is_of_the_scenes_that_it_learned_from(
    asked: Path, tiny: Mapping[str, Any], tmp_path: Path
) -> None:
    path = copied(asked, tmp_path / "d")
    moved = path.with_name("q.pictures").rename(tmp_path / "elsewhere")
    data = load(path)
    with pytest.raises(InputFileError, match="the questions have no pictures to look at; put them into"):
        parser_of(tiny).fit(list(data), data.opened_world)
    parser = parser_of(tiny, pictures=str(moved)).fit(list(data), data.opened_world)
    given = parser.predict([each.query for each in data], data.opened_world)
    beside = parser_of(tiny).fit(list(data), load(asked).opened_world)
    assert given == beside.predict([each.query for each in data], load(asked).opened_world)
    others = own_scenes(tmp_path / "own.pictures", 3)
    assert len(parser.predict([each.query for each in own_questions(others)], others)) == 2


def test_other_scenes_that_are_not_others(tmp_path: Path, tiny: Mapping[str, Any]) -> None:
    scenes = own_scenes(tmp_path / "own.pictures", 8)
    family, name = find_model("pictures")
    parser = family.make(family.settings(name, {**tiny, "other": str(tmp_path / "own.scenes.json")}), 0, "cpu")
    with pytest.raises(OptionError, match="scene p0 is both among the other scenes and among those of questions"):
        parser.fit(own_questions(scenes), scenes)


# -- errors -------------------------------------------------------------------------------------------------------


def parser_of(tiny: Mapping[str, Any], **changes: Any) -> PictureParser:
    family, name = find_model("pictures")
    made = family.make(family.settings(name, {**tiny, **changes}), 0, "cpu")
    assert isinstance(made, PictureParser)
    return made


def test_a_picture_that_is_missing_or_broken(asked: Path, kept: Path, tmp_path: Path) -> None:
    path = copied(asked, tmp_path / "d")
    split, image = asked.with_name("q.split.json"), load(asked)[0].context["images"][0]
    picture = path.with_name("q.pictures") / f"{image}.png"
    data = picture.read_bytes()
    part = next(part for part in ("train", "dev", "test") if load(asked).ids[0] in _ids(split, part))
    for broken in (b"", b"no picture", data[: len(data) // 2]):
        picture.write_bytes(broken)
        with pytest.raises(InputFileError, match=rf"{image}\.png: is no picture that can be read .*; put a whole one"):
            predict(kept, path, split, part=part)
    picture.unlink()
    with pytest.raises(InputFileError, match=rf"q\.pictures: scene {image} has no picture {image}\.png"):
        predict(kept, path, split, part=part)
    shutil.rmtree(path.with_name("q.pictures"))
    scenes_world._open.cache_clear()
    with pytest.raises(InputFileError, match="the questions have no pictures to look at; put them into"):
        predict(kept, path, split, part=part)


def _ids(split: Path, part: str) -> list[str]:
    return list(json.loads(split.read_text())["parts"][part]) if "parts" in json.loads(split.read_text()) else []


def test_data_without_scenes(tiny: Mapping[str, Any]) -> None:
    with pytest.raises(
        InputFileError, match="a picture model answers questions about scenes, and the data's world is none"
    ):
        train([("jump", "J"), ("walk", "W")], model="pictures", set=tiny)


def scene(name: str, box: Box, width: int = 0) -> Scene:
    return Scene(name, (SceneObject("0", "tree", box),), width, width)


@pytest.fixture
def one_picture(tmp_path: Path) -> Path:
    Image.new("RGB", (50, 40), "red").save(tmp_path / "a.png")
    return tmp_path


def test_a_box_outside(one_picture: Path, tiny: Mapping[str, Any]) -> None:
    question = Example.of("Is it red?", "", context={"images": ["a"], "answer": True})
    for box in (Box(30, 0, 30, 10), Box(-1, 0, 5, 5), Box(0, 0, 0, 5)):
        scenes = Scenes((scene("a", box),), "0" * 64, pictures=one_picture)
        said = r"scene a: the box of object 0 \(x .*\) is outside its picture of 50 × 40; mend the box"
        with pytest.raises(RecombineError, match=said):
            parser_of(tiny).fit([question], scenes)
    # a size that the scene says is that of its boxes, whatever the file's is
    scenes = Scenes((scene("a", Box(30, 0, 30, 10), 100),), "0" * 64, pictures=one_picture)
    assert parser_of(tiny).fit([question], scenes).predict([question.query], scenes) == ["true"]


def test_more_than_five_images(one_picture: Path, tiny: Mapping[str, Any]) -> None:
    scenes = Scenes((scene("a", Box(0, 0, 5, 5)),), "0" * 64, pictures=one_picture)
    question = Example.of("Is it red?", "", context={"images": ["a"] * 6, "answer": True})
    with pytest.raises(RecombineError, match=f"example {question.id}: is about 6 images, and a picture model takes 5"):
        parser_of(tiny).fit([question], scenes)
    for images in ([], "a", None):
        question = Example.of("Is it red?", "", context={"images": images, "answer": True})
        with pytest.raises(RecombineError, match="has no list 'images' of scenes"):
            parser_of(tiny).fit([question], scenes)
    question = Example.of("Is it red?", "", context={"images": ["b"], "answer": True})
    with pytest.raises(InputFileError, match="the scene 'b' of a question is not among the scenes"):
        parser_of(tiny).fit([question], scenes)


def test_an_answer_that_the_classifier_does_not_have(one_picture: Path, tiny: Mapping[str, Any]) -> None:
    from recombine.models.pictures.arrays.words import Words
    from recombine.models.pictures.making.question_rows import question_rows

    yes = Example.of("Is it red?", "", context={"images": ["a"], "answer": "yes"})
    rare = Example.of("What is it?", "", context={"images": ["a"], "answer": "mauve"})
    rows = question_rows([yes, rare], words=Words.of([]), answers=["yes"], places={"a": 0})
    assert rows.outside == 1
    assert rows.answer.tolist() == [0, -1]
    assert rows.tokens[0].tolist() == [1, 1, 1, 1]
    scenes = Scenes((scene("a", Box(0, 0, 5, 5)),), "0" * 64, pictures=one_picture)
    parser = parser_of(tiny).fit([yes], scenes)
    assert parser.predict([rare.query], scenes) == ["yes"]  # never right
    with pytest.raises(RecombineError, match="has no field 'answer'"):
        parser_of(tiny).fit([Example.of("Is it red?", "", context={"images": ["a"]})], scenes)


def test_files_of_a_model_that_are_not_its_own(kept: Path, tmp_path: Path) -> None:
    family, _ = find_model("pictures")
    folder = tmp_path / "m"
    shutil.copytree(kept, folder)
    record = json.loads((folder / "model.json").read_text())
    # another vocabulary, with weights that are as they were written
    (folder / "model.json").write_text(json.dumps({**record, "words": [*record["words"], "mauve"]}))
    with pytest.raises(
        InputFileError, match=r"the weights are for \d+ words, and model.json has \d+: of another vocab"
    ):
        family.load(folder, "")
    (folder / "model.json").write_text(json.dumps({**record, "answers": record["answers"][1:]}))
    with pytest.raises(InputFileError, match=r"the weights are for \d+ answers"):
        family.load(folder, "")
    (folder / "model.json").write_text(json.dumps({**record, "answers": None}))
    with pytest.raises(InputFileError, match="does not say what a picture model needs"):
        family.load(folder, "")
    (folder / "model.json").write_text(json.dumps(record))
    tensors, said = load_checkpoint(folder / WEIGHTS)
    save_checkpoint(folder / WEIGHTS, {**tensors, "words": torch.zeros_like(tensors["words"])}, said)
    with pytest.raises(
        InputFileError, match=r"weights\.safetensors: is not the file that model\.json was written with"
    ):
        family.load(folder, "")
    (folder / WEIGHTS).unlink()
    with pytest.raises(InputFileError, match=r"weights\.safetensors: is missing; train the model again"):
        family.load(folder, "")


def test_a_stage_that_is_damaged_is_trained_again(
    asked: Path, kept: Path, tiny: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    split = asked.with_name("q.split.json")
    monkeypatch.setenv("RECOMBINE_DATA_CACHE", str(tmp_path))
    first = train(asked, split, model="pictures", set=tiny)
    assert first.facts["used_again"] == []
    stages = sorted(tmp_path.glob(f"*.folder/{STAGE}"))
    assert len(stages) == 2
    for each in stages:
        content = bytearray(each.read_bytes())
        content[-3] ^= 0xFF  # of the same size
        each.write_bytes(content)
    with pytest.warns(InputWarning, match=r"stage\.safetensors: is damaged; the (detector|grounding) is trained again"):
        again = train(asked, split, model="pictures", set=tiny)
    assert again.facts["used_again"] == []
    for name, value in first.parser.weights.items():
        assert torch.equal(value, again.parser.weights[name])
    assert train(asked, split, model="pictures", set=tiny).facts["used_again"] == ["detector", "grounding"]
    del kept


def test_a_stage_of_other_settings_is_not_used(asked: Path, kept: Path, tiny: Mapping[str, Any]) -> None:
    split = asked.with_name("q.split.json")
    for changes, again in (
        ({"steps": 2}, ["detector", "grounding"]),
        ({"grounding_rate": 1e-3}, ["detector"]),
        ({"descriptions": 61}, ["detector"]),
        ({"other_seed": 2}, []),
        ({"detector_rate": 1e-3}, []),
        ({"side": 64}, []),
    ):
        made = train(asked, split, model="pictures", set={**tiny, **changes})
        assert made.facts["used_again"] == again, changes
    del kept


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"variant": "sound"}, "unknown variant 'sound'"),
        ({"stepz": 3}, "unknown setting 'stepz'; did you mean 'steps'"),
        ({"steps": "many"}, "the setting steps is 'many'"),
        ({"batch": 3}, "the batch is 3; give an even number"),
        ({"other_scenes": 0}, "other_scenes is 0"),
        ({"other_seed": -1}, "other_seed is -1"),
        ({"dev_share": 1.0}, "dev_share is 1.0"),
        ({"side": 4}, "the side is 4"),
    ],
)
def test_settings_that_cannot_be(changes: Mapping[str, Any], problem: str) -> None:
    family, name = find_model("pictures")
    with pytest.raises(RecombineError, match=problem):
        family.settings(name, changes)


def test_what_was_not_fitted(tmp_path: Path) -> None:
    parser = PictureParser(PictureSettings(), PictureData())
    with pytest.raises(RecombineError, match="the model has learned nothing"):
        parser.predict([], None)
    family, _ = find_model("pictures")
    with pytest.raises(RecombineError, match="the model has learned nothing"):
        family.save(parser, tmp_path / "m", "")
