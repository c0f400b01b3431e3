"""How far a study of generated data is, is said from the facts that are kept of the data, and without making it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.errors import InputWarning
from recombine.models.task import CellOutcome
from recombine.studies.cells import generated_key, load_data
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import store_outcome
from recombine.studies.cells.results_folder import DATA, MARKER, sweep
from recombine.studies.tables.summary import read_results

STUDY = """
name = "questions"

[[data]]
generate = "covr"
n = 60

[[split]]
by = "random"
seeds = [0, 1]
train = 40
test = 20

[[split]]
by = "template"
test = 20

[[model]]
preset = "nearest"
"""


def write(folder: Path, text: str = STUDY) -> Path:
    (folder / "study.toml").write_text(text)
    return folder / "study.toml"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A study whose first of three splits has a result, and whose second is not made any more."""
    path = write(tmp_path)
    plan = make_plan(path)
    first, second, _ = plan.cells
    store_outcome(plan.results, first, plan.datasets["covr"], CellOutcome(("a ( b )",) * 20))
    (plan.results / "splits" / f"{second.recipe_key}.json.gz").unlink()
    return path


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is made or read, from here on."""
    labels: list[str] = []
    load = load_data.load_data
    monkeypatch.setattr(load_data, "load_data", lambda table, folder: labels.append(table.label) or load(table, folder))
    return labels


def facts_file(path: Path) -> Path:
    return path.parent / "results" / "questions" / DATA


def kept(path: Path) -> dict[str, Any]:
    return orjson.loads(facts_file(path).read_bytes())["data"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def status(path: Path) -> dict[str, Any]:
    return recombine.study(path).status().to_dict()


def test_a_status_by_facts_is_that_by_data(path: Path, loaded: list[str]) -> None:
    before = contents(path.parent)
    by_facts = status(path)
    assert loaded == []
    assert contents(path.parent) == before, "and nothing is written"
    facts_file(path).unlink()
    assert status(path) == by_facts
    assert loaded == ["covr"]
    assert not facts_file(path).exists()
    assert (by_facts["done"], by_facts["to_do"], by_facts["splits_not_made"]) == (1, 2, ["random,seed=1"])
    random, template = by_facts["table"]
    assert template["compound_divergence"] > random["compound_divergence"] > 0, "measured, and no cell is done on it"


def test_facts_are_what_keys_hold_of_the_data(path: Path) -> None:
    data = recombine.generate("covr", n=60, seed=0).dataset
    [facts] = kept(path).values()
    assert facts["content"]["hash"] == facts["splits"]["hash"] == data.hash
    assert (facts["content"]["name"], facts["content"]["language"]) == ("covr", "covr")
    assert (facts["splits"]["structures"], facts["published"]) == (data.structures, {})


def test_the_keys_are_those_of_the_data(path: Path, loaded: list[str]) -> None:
    quick, slow = make_plan(path, make=False, by_facts=True), make_plan(path, make=False)
    assert loaded == ["covr"]
    assert [cell.recipe_key for cell in quick.cells] == [cell.recipe_key for cell in slow.cells]
    assert quick.cells[0].key == slow.cells[0].key
    assert [cell.kept is not None for cell in quick.cells] == [cell.split is not None for cell in slow.cells]
    last, same = quick.cells[2], slow.cells[2]
    assert last.kept is not None
    assert same.split is not None
    assert (last.kept.sizes, last.kept.measured) == (same.split.sizes(), same.split.measured)
    assert len(quick.datasets) == 1
    assert loaded == ["covr"]
    assert quick.datasets["covr"].hash == slow.datasets["covr"].hash, "made when it is asked for"
    assert loaded == ["covr", "covr"]


@pytest.mark.parametrize(
    ("old", "new"), [("n = 60", "n = 61"), ("n = 60", "n = 60\nseed = 1"), ("n = 60", 'n = 60\nstructures = "local:2"')]
)
def test_other_data_is_made(old: str, new: str, path: Path, loaded: list[str]) -> None:
    write(path.parent, STUDY.replace(old, new))
    assert status(path)["done"] == 0
    assert loaded == ["covr"]


def test_what_edited_code_makes_is_made(path: Path, loaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_key, "code_digest", lambda *_, **__: b"edited")
    assert status(path)["done"] == 1
    assert loaded == ["covr"]
    before = list(kept(path))
    make_plan(path)
    assert before != list(kept(path)), "a run keeps what it made, and not what is of no use any more"
    assert len(kept(path)) == 1
    loaded.clear()
    assert status(path)["done"] == 1
    assert loaded == []


def test_code_edited_while_data_is_made_does_not_decide_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, load = write(tmp_path), load_data.load_data

    def edited(*given: Any) -> Any:
        monkeypatch.setattr(generated_key, "code_digest", lambda *_, **__: b"edited")
        return load(*given)

    [key] = [generated_key.generated_key(table, tmp_path) for table in make_plan(path, make=False).study.data]
    monkeypatch.setattr(load_data, "load_data", edited)
    make_plan(path)
    assert list(kept(path)) == [key]


def test_a_run_makes_the_data_and_corrects_what_is_not_so(path: Path, loaded: list[str]) -> None:
    true = facts_file(path).read_bytes()
    make_plan(path)
    assert loaded == ["covr"]
    assert facts_file(path).read_bytes() == true
    record = orjson.loads(true)
    [facts] = record["data"].values()
    told = facts["content"]["hash"]
    facts["content"]["hash"] = facts["splits"]["hash"] = "0" * 16
    facts_file(path).write_bytes(orjson.dumps(record))
    assert status(path)["done"] == 0
    with pytest.warns(InputWarning, match=rf"said of covr what it is not \(content 0{{16}}, made now: {told}\)"):
        make_plan(path)
    assert facts_file(path).read_bytes() == true


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b'{"form": "recombine-data/0", "data": {}}',
        b'{"form": "recombine-data/1", "data": {"a": {"content": {}, "splits": {}}}}',
        b'{"form": "recombine-data/1", "data": {"a": {"content": {}, "splits": {}, "published": {}}}}',
        b'{"form": "recombine-data/1", "data": {"a": {"content": {"hash": "a", "language": "no-such-language"}, '
        b'"splits": {"hash": "a", "language": "b", "order": "", "structures": ""}, "published": {}}}}',
        b'{"form": "recombine-data/1", "data": {"a": {"content": {"hash": "a", "language": null}, "splits": '
        b'{"hash": "a", "language": null, "order": "", "structures": ""}, "published": {"published": 1}}}}',
    ],
)
def test_a_damaged_file_is_said_and_written_anew(content: bytes, path: Path, loaded: list[str]) -> None:
    true = facts_file(path).read_bytes()
    facts_file(path).write_bytes(content)
    with pytest.warns(InputWarning, match=rf"{DATA}: is not used \(.*the next `study run` writes it anew"):
        assert status(path)["done"] == 1
    assert loaded == ["covr"]
    with pytest.warns(InputWarning, match="is not used"):
        make_plan(path)
    assert facts_file(path).read_bytes() == true


def test_a_record_of_an_older_recipe_is_found_by_the_data(path: Path, loaded: list[str]) -> None:
    """Its key holds the ids of the split, and these are known where the data is."""
    folder = facts_file(path).parent
    [record] = [each for each in folder.glob("*.json") if len(each.stem) == 32]
    record.write_bytes(
        orjson.dumps(
            {
                **orjson.loads(record.read_bytes()),
                "split": {**orjson.loads(record.read_bytes())["split"], "key": "0" * 32},
            }
        )
    )
    assert status(path)["done"] == 1
    assert loaded == ["covr"]


def test_without_any_split_nothing_more_is_found_by_the_data(path: Path, loaded: list[str]) -> None:
    shutil.rmtree(facts_file(path).parent / "splits")
    found = status(path)
    assert loaded == []
    facts_file(path).unlink()
    assert status(path) == found
    assert (found["done"], len(found["splits_not_made"])) == (1, 3)


def test_studies_that_look_at_examples_read_the_data(path: Path, loaded: list[str]) -> None:
    hybrid = '[[model]]\npreset = "maj"\n[[hybrid]]\nname = "both"\nfirst = "nearest"\nfallback = "maj"\n'
    write(path.parent, STUDY + hybrid)
    status(path)
    assert loaded == ["covr"]
    recombine.study(write(path.parent)).report()
    assert loaded == ["covr", "covr"]


def test_no_folder_of_results_is_made_for_facts(tmp_path: Path) -> None:
    path = write(tmp_path)
    make_plan(path, make=False)
    assert [each.name for each in tmp_path.iterdir()] == ["study.toml"]
    make_plan(path)
    facts_file(path).unlink()
    (facts_file(path).parent / MARKER).unlink()
    make_plan(path)
    assert not facts_file(path).exists(), "nothing was to be made in it"


def test_a_folder_with_facts_and_no_marker_is_ours(path: Path) -> None:
    (facts_file(path).parent / MARKER).unlink()
    (facts_file(path).parent / f".{DATA}.abcdefgh").write_text("what a kill left")
    plan = make_plan(path)
    (plan.results / "work").mkdir()
    assert sweep(plan.results) == [f".{DATA}.abcdefgh"]
    assert facts_file(path).exists()


def test_data_that_is_read_has_no_facts(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("source\ttarget\n" + "".join(f"q {n}\tanswer ( m{n} )\n" for n in range(60)))
    make_plan(write(tmp_path, STUDY.replace('generate = "covr"\nn = 60', 'file = "mine.tsv"\nlanguage = "funql"')))
    assert not facts_file(tmp_path / "study.toml").exists()


SCENES = """
name = "questions"
match = "answer"

[[data]]
generate = "scenes"
n = 30
seed = 1
number_of_scenes = 60
templates = "COUNT"
pool = 60
measure = false

[[split]]
published = "published"

[[model]]
preset = "maj"
"""


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write(tmp_path_factory.mktemp("scenes"), SCENES)
    make_plan(path)
    return path


def run(plan: Plan) -> list[str]:
    return [result.state for result in read_results(plan)]


def test_parts_that_the_data_itself_says_are_in_the_facts(
    scenes: Path, loaded: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = make_plan(scenes, make=False, by_facts=True)
    assert (loaded, quick.unmade(), run(quick)) == ([], [], ["to do"])
    slow = make_plan(scenes, make=False)
    assert quick.cells[0].recipe_key == slow.cells[0].recipe_key
    [facts] = kept(scenes).values()
    assert list(facts["published"]) == ["published"]
    assert facts["content"]["world"]["kind"] == "scenes"
    # A file of that name is what would be read.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "published").write_text("")
    loaded.clear()
    make_plan(write(tmp_path, SCENES), scenes.parent / "results" / "questions", make=False, by_facts=True)
    assert loaded == ["scenes"]
