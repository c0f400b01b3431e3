"""Whatever decides a result is in its key, and nothing else: fields of a study file, files, revisions, versions."""

from __future__ import annotations

import copy
import gzip
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from recombine.datasets import catalogue
from recombine.datasets.published import append_schema
from recombine.errors import InputFileError
from recombine.models import known
from recombine.models.task import CellOutcome
from recombine.splits.methods import SPLITTERS
from recombine.splits.simple.random import RandomSplitter
from recombine.studies.cells.cell import Cell
from recombine.studies.cells.plan import make_plan
from recombine.studies.cells.results import store_outcome
from recombine.studies.file.study_file import (
    DataTable,
    GeneralizationTable,
    HybridTable,
    ModelTable,
    PaperErrorsTable,
    PaperTable,
    SplitTable,
    StudyFile,
    Table,
    TuneTable,
)
from recombine.studies.tables.summary import read_results

Study = dict[str, Any]
PLACES = ["texas", "ohio", "utah", "iowa", "maine", "idaho", "kansas", "nevada"]
ROWS = [
    {
        "source": f"{word} of {place}",
        "target": f"answer ( {word} ( stateid ( '{place}' ) ) )",
        "question": f"the {word} of {place}",
        "program": f"{word} ( stateid ( '{place}' ) )",
        "part": "train" if number % 2 else "test",
    }
    for number, place in enumerate(PLACES)
    for word in ("capital", "size")
]
BASE: Study = {
    "name": "keys",
    "data": [{"file": "rows.jsonl", "language": "funql"}],
    "split": [{"by": "random", "train": 8, "dev": 2, "test": 3}],
    "model": [
        {"name": "tiny", "preset": "cfq:transformer", "steps": 30},
        {"name": "other", "preset": "nqg"},
    ],
}
PUBLISHED = {"splits": ["random"], "model": "tiny"}


def write(folder: Path, study: Study, name: str = "study.toml") -> Path:
    """A study as TOML, whose plain values are written as JSON's."""
    plain = {key: value for key, value in study.items() if not isinstance(value, dict)}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items() if not isinstance(value, list) or not value]
    lines += [f"{key} = {json.dumps(value)}" for key, value in study.items() if value and _plain_list(value)]
    for key, value in study.items():
        for table in value if isinstance(value, list) and value and not _plain_list(value) else ():
            lines += [f"[[{key}]]", *(f"{name} = {_toml(entry)}" for name, entry in table.items())]
        if isinstance(value, dict):
            lines += [f"[{key}]", *(f"{name} = {json.dumps(entry)}" for name, entry in value.items())]
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder / name


def _toml(value: Any) -> str:
    """A value as TOML writes it in one line; but for tables that is as JSON does."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{" + ", ".join(f"{name} = {json.dumps(entry)}" for name, entry in value.items()) + "}"


def _plain_list(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(entry, dict) for entry in value)


pytestmark = pytest.mark.filterwarnings(
    "ignore:the plug-in more.py registers nothing",
    "ignore:.*1 of 16 records left out",
    "ignore:the schemas of 1 databases",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files that the studies here are of."""
    for name, rows in (("rows.jsonl", ROWS), ("fewer.jsonl", ROWS[:-1])):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    dogs = {"db_id": "dogs", "table_names_original": ["Dogs"], "column_names_original": [[-1, "*"], [0, "Name"]]}
    (tmp_path / "spider").mkdir()
    (tmp_path / "spider" / "tables.json.gz").write_bytes(gzip.compress(json.dumps([dogs]).encode()))
    keyed = {**dogs, "foreign_keys": []}
    (tmp_path / "dogs.json").write_text(json.dumps([keyed]))
    (tmp_path / "walks.json").write_text(json.dumps([{**keyed, "table_names_original": ["Walks"]}]))
    (tmp_path / "spider.jsonl").write_text("".join(json.dumps({**row, "db_id": "dogs"}) + "\n" for row in ROWS))
    monkeypatch.setattr(append_schema, "data_file", lambda name, *_: tmp_path / name)
    (tmp_path / "torn.jsonl").write_text((tmp_path / "fewer.jsonl").read_text() + "{")
    (tmp_path / "facts.pl").write_text("river('red', 1638, ['texas']).\n")
    (tmp_path / "other.pl").write_text("river('pecos', 805, ['texas']).\n")
    (tmp_path / "one.json").write_text(json.dumps({"train": list(range(10)), "test": [12, 13]}))
    (tmp_path / "two.json").write_text(json.dumps({"train": list(range(10)), "test": [14, 15]}))
    (tmp_path / "list.grammar").write_text("%start <S>\nl: <S> -> a <S> => b <S>\ne: <S> -> a => b\n")
    (tmp_path / "again.json").write_text((tmp_path / "one.json").read_text())
    (tmp_path / "more.py").write_text("# adds nothing\n")
    return tmp_path


def cells(folder: Path, study: Study, *, results: str = "results", make: bool = True) -> tuple[Cell, ...]:
    return make_plan(write(folder, study), folder / results, make=make).cells


# -- every field ----------------------------------------------------------------------------------------------------

Change = Callable[[Study], None]
CELL, RECIPE, NOTHING = "in the key", "in the key of the split's recipe", "cannot change the result"


def as_it_is(study: Study) -> None:
    del study


@dataclass(frozen=True)
class Claim:
    """What is said of a field, and a change of it to try."""

    kind: str
    change: Change
    before: Change = as_it_is
    because: str = ""


def in_key(change: Change, before: Change = as_it_is) -> Claim:
    return Claim(CELL, change, before)


def nothing(because: str, change: Change, before: Change = as_it_is) -> Claim:
    return Claim(NOTHING, change, before, because)


def put(table: str, **values: Any) -> Change:
    """Set keys of all tables of a kind; a value of none takes the key away."""

    def change(study: Study) -> None:
        for entry in [study] if table == "" else study[table]:
            for key, value in values.items():
                entry.pop(key, None) if value is None else entry.update({key: value})

    return change


def add(table: str, **values: Any) -> Change:
    return lambda study: study.setdefault(table, []).append(values)


LIST = put("data", file=None, language=None, generate="list.grammar", n=20, max_depth=20, measure=False)
SCHEMAS = put("data", file="spider.jsonl")


def METRIC(study: Study) -> None:  # noqa: N802  # named as the changes beside it
    """Data that is judged over schemas of its own."""
    SCHEMAS(study)
    put("", metric="spider")(study)
    put("data", schemas="dogs.json")(study)


COVR = put("data", file=None, language=None, generate="covr", n=20, measure=False)
ONE_FILE = put("split", by=None, train=None, dev=None, test=None, file="one.json")
NUMBER = "a published number, which stands beside ours"
HELD = {StudyFile: {"data", "split", "model", "generalization", "tune", "hybrid"}}
"""Fields that are tables, whose own fields are listed below."""


def second_split(study: Study) -> None:
    study["split"].append({"name": "other", "by": "random", "test": 3})


def second_data(study: Study) -> None:
    study["data"].append({"file": "fewer.jsonl", "language": "funql"})


def paper(**values: Any) -> Claim:
    """A change of a field of `[[paper]]`."""

    def before(study: Study) -> None:
        second_split(study)
        study["paper"] = [{**PUBLISHED, "mean": 1.0}]

    return nothing(NUMBER, put("paper", **values), before)


def hybrid(**values: Any) -> Claim:
    """A change of a field of `[[hybrid]]`."""

    def before(study: Study) -> None:
        study["hybrid"] = [{"name": "mixed", "first": "tiny", "fallback": "other"}]

    return nothing("it is made of predictions that are there", put("hybrid", **values), before)


def errors(**values: Any) -> Claim:
    """A change of a field of `[[paper_errors]]`."""

    def before(study: Study) -> None:
        second_split(study)
        study["paper_errors"] = [{**PUBLISHED}]

    return nothing(NUMBER, put("paper_errors", **values), before)


def tuned(study: Study) -> None:
    """Both models tuned; `put` of `[tune]` then has a table to change."""
    study["model"][0]["tune"] = {"dropout": [0.0, 0.1]}
    study["model"][1]["tune"] = {"restarts": [1, 2]}
    study["tune"] = {"share": 0.25}


def tuning(**values: Any) -> Claim:
    """A change of a field of `[tune]`."""
    return in_key(lambda study: study["tune"].update(values), tuned)


def only_tuned(study: Study) -> None:
    tuned(study)
    del study["model"][1]


def page(**values: Any) -> Claim:
    """A change of a field of `[generalization]`."""

    def before(study: Study) -> None:
        study["generalization"] = {"model": "tiny", "text": "other"}

    return nothing("it says what a page is of", lambda study: study["generalization"].update(values), before)


CLAIMS: dict[type[Table], dict[str, Claim]] = {
    StudyFile: {
        "name": nothing("a result is found whatever the study is called", put("", name="others")),
        "description": nothing("a text for people", put("", description="words")),
        "plugins": in_key(put("", plugins=["more.py"])),
        "seeds": in_key(put("", seeds=[7]), put("", seeds=[0])),
        "curve": nothing("it says how often the curve is looked at, not what is trained", put("", curve=7)),
        "sample": nothing("it says what points of the curve are measured on", put("", sample=3)),
        "stack": nothing("it says how many train together, as the memory of the machine allows", put("", stack=1)),
        "unseen": in_key(put("", unseen="keep")),
        "labels": nothing("it says what a page shows", put("", labels=True)),
        "match": in_key(put("", match="answer")),
        "metric": in_key(put("", metric="set_match")),
        "paper": nothing(NUMBER, add("paper", **PUBLISHED, mean=1.0)),
        "paper_errors": nothing(NUMBER, add("paper_errors", **PUBLISHED, clause=1.0)),
    },
    DataTable: {
        "name": nothing("a result is found whatever the data is called", put("data", name="mine")),
        "id": in_key(put("data", file=None, language=None, id="scan"), put("data", measure=False)),
        "file": in_key(put("data", file="fewer.jsonl")),
        "generate": in_key(COVR),
        "n": in_key(put("data", n=21), COVR),
        "seed": in_key(put("data", seed=1), COVR),
        "language": in_key(put("data", language=None)),
        "source": in_key(put("data", source="question")),
        "target": in_key(put("data", target="program")),
        "skip_unreadable": in_key(put("data", file="torn.jsonl", skip_unreadable=True)),
        "structures": in_key(put("data", structures="atoms=symbols,presence;compounds=tree:2-3,counts")),
        "measure": in_key(put("data", measure=False)),
        "append_schema": in_key(put("data", append_schema=True), SCHEMAS),
        "schema_limit": in_key(put("data", schema_limit=5), put("data", file="spider.jsonl", append_schema=True)),
        "schemas": in_key(put("data", schemas="walks.json"), METRIC),
        "…": in_key(put("data", max_depth=30), LIST),
        "world": in_key(put("data", world="other.pl"), put("data", world="facts.pl")),
    },
    SplitTable: {
        "name": nothing("a result is found whatever the split is called", put("split", name="mine")),
        "data": nothing(
            "it says which data is split, and the data is in the key", put("split", data="rows"), second_data
        ),
        "published": in_key(put("split", by=None, train=None, dev=None, test=None, published="published")),
        "file": in_key(put("split", file="two.json"), ONE_FILE),
        "by": in_key(put("split", by="template", train=None, dev=None)),
        "seeds": in_key(put("split", seeds=[5])),
        "part": in_key(put("split", part="dev")),
        "train_sizes": in_key(put("split", train_sizes=[5])),
        "train_by": in_key(put("split", train_by="local-structure"), put("split", train_sizes=[5])),
        "train_seeds": in_key(put("split", train_seeds=[7]), put("split", train_sizes=[5])),
        "over": nothing(
            "it says which splits share a row of the table", put("split", over=["test"]), put("split", test=[2, 3])
        ),
        # Where a constraint is met, the split is the same, and so is the cell.
        "best_effort": Claim(RECIPE, put("split", best_effort=True)),
        "revision": nothing(
            "that of the method is in the key anyway; another is tested below", put("split", revision=1)
        ),
        "models": nothing("it says which models are trained on it", put("split", models=["tiny"])),
        "…": in_key(put("split", train=7)),
    },
    ModelTable: {
        "preset": in_key(lambda study: study.update(model=[{"preset": "cfq:lstm"}, {"preset": "nqg:scan"}])),
        "name": nothing(
            "a result is found whatever the model is called",
            lambda study: study.update(model=[{**model, "name": f"{model['name']}2"} for model in study["model"]]),
        ),
        "seeds": in_key(put("model", seeds=[9])),
        "data": nothing(
            "it says which data it is trained on, and the data is in the key", put("model", data=["rows"]), second_data
        ),
        "optional": nothing("it says what becomes of it where its files are not there", put("model", optional=True)),
        "tune": in_key(lambda study: study["model"][0]["tune"]["dropout"].reverse(), only_tuned),
        "…": in_key(lambda study: (study["model"][0].update(steps=31), study["model"][1].update(restarts=3))[0]),
    },
    TuneTable: {"share": tuning(share=0.3), "seed": tuning(seed=1), "seeds": tuning(seeds=[3])},
    PaperTable: {
        "model": paper(model="other"),
        "splits": paper(splits=["other"]),
        "mean": paper(mean=2.0),
        "interval": paper(interval=0.5),
        "interval_kind": paper(interval_kind="pooled"),
        "label": paper(label="all"),
        "source": paper(source="a paper"),
        "coverage": paper(coverage=2.0),
        "precision": paper(precision=2.0),
    },
    HybridTable: {
        "name": hybrid(name="both"),
        "first": hybrid(first="other", fallback="tiny"),
        "fallback": hybrid(first="other", fallback="tiny"),
        "fallback_data": hybrid(fallback_data={"rows": "rows"}),
        "paper": hybrid(paper={"random": 1.0}),
    },
    GeneralizationTable: {"model": page(model="other"), "text": page(text="tiny"), "note": page(note="words")},
    PaperErrorsTable: {
        "model": errors(model="other"),
        "splits": errors(splits=["other"]),
        "source": errors(source="a paper"),
        **{
            kind: errors(**{kind: 1.5})
            for kind in [
                "clause",
                "insertion",
                "deletion",
                "property",
                "node",
                "both",
                "filter",
                "filter_insertion",
                "filter_deletion",
                "filter_substitution",
                "malformed",
                "same_clauses",
            ]
        },
    },
}


def test_every_field_of_a_study_file_is_listed() -> None:
    """A field or table that is added must be listed here, as in the key or with why it cannot change the result."""
    assert set(Table.__subclasses__()) == set(CLAIMS)
    for table, claims in CLAIMS.items():
        more = {"…"} if table.model_config.get("extra") == "allow" else set()
        assert set(claims) | HELD.get(table, set()) == set(table.model_fields) | more, table.__name__
        assert all(claim.because for claim in claims.values() if claim.kind == NOTHING)


@pytest.mark.parametrize(
    ("table", "field"),
    [(table, field) for table, claims in CLAIMS.items() for field in claims],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_what_is_said_of_a_field_is_so(table: type[Table], field: str, folder: Path) -> None:
    claim = CLAIMS[table][field]
    first = copy.deepcopy(BASE)
    claim.before(first)
    second = copy.deepcopy(first)
    claim.change(second)
    made, unmade, recipes = [], [], []
    for number, study in enumerate((first, second)):
        found = cells(folder, study, results=f"r{number}")
        assert found
        assert not any(cell.problem for cell in found)
        made.append({cell.key for cell in found})
        recipes.append({cell.recipe_key for cell in found})
        unmade.append({cell.key for cell in cells(folder, study, results="none", make=False)})
    if claim.kind == NOTHING:
        assert made[1] <= made[0]
        assert unmade[1] <= unmade[0]
        assert recipes[1] <= recipes[0]
        return
    assert not unmade[0] & unmade[1]
    if claim.kind == CELL:
        assert not made[0] & made[1]
    else:
        assert made[0] == made[1]
        assert not recipes[0] & recipes[1]


# -- stale results --------------------------------------------------------------------------------------------------


def states(folder: Path, study: Study, *, make: bool = True) -> list[str]:
    return [result.state for result in read_results(make_plan(write(folder, study), folder / "results", make=make))]


@pytest.mark.parametrize(
    "change",
    [
        put("data", language=None),
        put("data", structures="atoms=symbols,presence;compounds=tree:2-3,counts"),
        put("data", measure=False),
        put("data", language="sexpression"),
    ],
    ids=["no language", "structures", "measure", "language"],
)
def test_a_changed_study_does_not_take_the_results_of_the_old_one(change: Change, folder: Path) -> None:
    plan = make_plan(write(folder, BASE), folder / "results")
    for cell in plan.cells:
        store_outcome(plan.results, cell, plan.datasets[cell.data], CellOutcome(("answer ( all )",) * 3))
    assert states(folder, BASE) == ["done", "done"]
    changed = copy.deepcopy(BASE)
    change(changed)
    for make in (False, True):
        assert states(folder, changed, make=make) == ["to do", "to do"]
        assert states(folder, BASE, make=make) == ["done", "done"]


def test_an_edited_split_file_is_read_again(folder: Path) -> None:
    study = copy.deepcopy(BASE)
    ONE_FILE(study)
    first = cells(folder, study)
    (folder / "one.json").write_text((folder / "two.json").read_text())
    second = cells(folder, study)
    assert first[0].split is not None
    assert second[0].split is not None
    assert first[0].split.test != second[0].split.test
    assert not {cell.key for cell in first} & {cell.key for cell in second}
    study["split"][0]["file"] = "again.json"  # what the first one was
    assert [cell.key for cell in cells(folder, study)] == [cell.key for cell in first]


def test_an_edited_plugin_is_another(folder: Path) -> None:
    study = copy.deepcopy(BASE)
    study["plugins"] = ["more.py"]
    first = cells(folder, study)
    (folder / "more.py").write_text("# adds nothing either\n")
    second = cells(folder, study)
    assert not {cell.key for cell in first} & {cell.key for cell in second}
    assert not {cell.recipe_key for cell in first} & {cell.recipe_key for cell in second}
    (folder / "more.py").write_text("# adds nothing\n")
    assert [cell.key for cell in cells(folder, study)] == [cell.key for cell in first]
    assert dict(first[0].plugins)["more.py"].startswith("digest ")


def test_edited_parts_of_the_data_are_read_again(folder: Path) -> None:
    study = copy.deepcopy(BASE)
    study["split"] = [{"published": "published"}]
    first = cells(folder, study)
    rows = [{**row, "part": "train"} if number == 0 else row for number, row in enumerate(ROWS)]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    second = cells(folder, study)
    assert second[0].split is not None
    assert second[0].split.sizes() == {"train": 9, "test": 7}
    assert not {cell.key for cell in first} & {cell.key for cell in second}


def test_data_in_another_order_is_split_again(folder: Path) -> None:
    first = cells(folder, BASE)
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in reversed(ROWS)))
    kept, fresh = cells(folder, BASE)[0].split, cells(folder, BASE, results="fresh")[0].split
    assert kept is not None
    assert fresh is not None
    assert kept.parts == fresh.parts
    assert first[0].recipe_key != cells(folder, BASE)[0].recipe_key


def test_a_search_over_other_structures_is_made_and_measured_again(folder: Path) -> None:
    study = copy.deepcopy(BASE)
    study["split"] = [{"by": "tmcd", "train": 10, "test": 4, "best_effort": True}]
    cells(folder, study)
    study["data"][0]["structures"] = "atoms=symbols,presence;compounds=tree:2-3,counts"
    kept, fresh = cells(folder, study)[0].split, cells(folder, study, results="fresh")[0].split
    assert kept is not None
    assert fresh is not None
    assert kept.measured == fresh.measured
    assert "tree:2-3" in kept.measured["signature"]


def test_a_split_can_have_structures_of_its_own(folder: Path) -> None:
    """The search looks at them; what is measured, and all other splits with their keys, stay as they were."""
    search = {"by": "tmcd", "train": 10, "test": 4, "best_effort": True}
    study = {**copy.deepcopy(BASE), "split": [{"by": "random", "test": 4}, search]}
    before = {cell.recipe.group: cell for cell in cells(folder, study)}
    own = "atoms=symbols,presence;compounds=tree:3-3,counts"
    study["split"][1] = {**search, "structures": own}
    after = {cell.recipe.group: cell for cell in cells(folder, study)}
    assert before["random"].key == after["random"].key
    assert before["tmcd"].recipe_key != after["tmcd"].recipe_key
    assert before["tmcd"].key != after["tmcd"].key
    (data,) = make_plan(write(folder, study), folder / "results").datasets.values()
    for made, optimised in ((before, data.structures), (after, own)):
        split = made["tmcd"].split
        assert split is not None
        assert split.signature.get("optimised") == optimised
        assert f"structures:{data.structures}|" in split.measured["signature"]


def test_structures_of_a_split_that_cannot_be_read_are_named_with_their_place(folder: Path) -> None:
    for given, problem in (("dag:9-2", "sizes 9-2"), (["dag:2-3", 4], "'structures' is 4"), ("trees", "'trees'")):
        study = {**copy.deepcopy(BASE), "split": [{"by": "tmcd", "test": 4, "structures": given}]}
        with pytest.raises(InputFileError, match=rf"\[\[split\]\] number 1: .*{re.escape(problem)}"):
            cells(folder, study)


@pytest.mark.parametrize(("by", "option"), [("grammar", "grammar"), ("property", "properties")])
def test_an_edited_file_of_a_method_is_read_again(
    by: str, option: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recombine.studies.cells.split_keys import recipe_key, split_data
    from recombine.studies.file.recipe import Recipe

    plan = make_plan(write(folder, BASE), folder / "results")
    data = split_data(next(iter(plan.datasets.values())), measure=True)
    monkeypatch.chdir(folder)
    recipe = Recipe("g", "g", by=by, options={option: "mine.file"})
    keys = set()
    for text in ("one", "two", "one"):
        (folder / "mine.file").write_text(text)
        keys.add(recipe_key(recipe, data, folder=folder, digest_of=str))
    assert len(keys) == 2


# -- versions and revisions -----------------------------------------------------------------------------------------

MANY: Study = {
    **BASE,
    "split": [
        {"by": "random", "test": 4},
        {"by": "template", "test": 4},
        {"name": "file", "file": "one.json"},
    ],
}


def test_the_cells_can_be_run(folder: Path) -> None:
    assert not any(cell.problem for cell in cells(folder, MANY))


def test_another_version_of_the_package_changes_no_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cells(folder, MANY)
    unmade = cells(folder, MANY, results="none", make=False)
    for name, module in list(sys.modules.items()):
        if name.startswith("recombine") and hasattr(module, "__version__"):
            monkeypatch.setattr(module, "__version__", "99.0")
    after = cells(folder, MANY, results="fresh")
    assert after[0].split is not None
    assert "version:99.0" in str(after[0].split.signature)
    assert [(cell.key, cell.recipe_key) for cell in after] == [(cell.key, cell.recipe_key) for cell in before]
    assert [cell.key for cell in cells(folder, MANY, results="none", make=False)] == [cell.key for cell in unmade]


def test_a_revision_of_a_method_changes_the_keys_of_its_splits_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for method, name in (("random", "random"), ("template", "template"), ("predefined", "file")):
        for make in (True, False):
            before = cells(folder, MANY, results="made" if make else "none", make=make)
            with monkeypatch.context() as patch:
                patch.setattr(SPLITTERS[method], "revision", SPLITTERS[method].revision + 1)
                after = cells(folder, MANY, results="made" if make else "none", make=make)
            changed = {one.recipe.name for one, two in zip(before, after, strict=True) if one.key != two.key}
            assert changed == {name}
            again = {
                one.recipe.name for one, two in zip(before, after, strict=True) if one.recipe_key != two.recipe_key
            }
            assert again == {name}
            assert sum(one.key != two.key for one, two in zip(before, after, strict=True)) == 2


def test_splits_of_an_earlier_revision_are_kept_by_naming_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cells(folder, BASE)
    monkeypatch.setattr(SPLITTERS["random"], "revision", SPLITTERS["random"].revision + 1)
    pinned = copy.deepcopy(BASE)
    put("split", revision=1)(pinned)
    after = cells(folder, pinned)
    assert [(cell.key, cell.recipe_key) for cell in after] == [(cell.key, cell.recipe_key) for cell in before]
    assert all(cell.split is not None and not cell.problem for cell in after)
    assert not {cell.key for cell in cells(folder, BASE)} & {cell.key for cell in before}
    for cell in cells(folder, pinned, results="elsewhere"):
        assert "is of revision 1 of random, which is at 2 now" in cell.problem
        assert cell.split is None


@pytest.mark.parametrize(("preset", "model"), [("cfq:transformer", "tiny"), ("nqg", "other")])
def test_a_revision_of_a_family_changes_the_keys_of_its_cells_alone(
    preset: str, model: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    family = known.find_family(preset)
    for make in (True, False):
        before = cells(folder, MANY, results="made" if make else "none", make=make)
        with monkeypatch.context() as patch:
            patch.setitem(known.MODELS._things, family.name, replace(family, revision=family.revision + 1))
            after = cells(folder, MANY, results="made" if make else "none", make=make)
        changed = [one.model.name for one, two in zip(before, after, strict=True) if one.key != two.key]
        assert changed == [model] * 3
        assert [one.recipe_key for one in before] == [two.recipe_key for two in after]


def test_a_judged_threshold_is_read_beside_the_study_and_again_when_edited(folder: Path) -> None:
    """The file is relative to the study, not to where it is run."""
    study = copy.deepcopy(BASE)
    texts = ["count ( dog )", "count ( cat )", "exists ( dog )", "exists ( cat )", "not ( exists ( dog ) )"]
    (folder / "rows.jsonl").write_text("".join(json.dumps({"source": text, "target": text}) + "\n" for text in texts))
    study["data"][0]["language"] = "functional"
    local = {"by": "local-structure", "local": "local:2,no-siblings", "max_templates": 0.5}
    study["split"] = [{**local, "max_easiness": "auto", "judged": "judged.json"}]
    keys = []
    for easiness in (1.0, 0.9, 1.0):
        signature = "data:x@1|structures:local:2,no-siblings|similarity:contexts|tokenisation:tree"
        (folder / "judged.json").write_text(json.dumps({"signature": signature, "threshold": {"easiness": easiness}}))
        found = cells(folder, study)
        assert found[0].split is not None, found[0].problem
        assert found[0].split.signature.get("max_easiness") == str(easiness)
        keys.append(found[0].recipe_key)
    assert keys[0] == keys[2] != keys[1]


def test_schemas_are_appended_and_the_splits_are_those_of_the_plain_data(folder: Path) -> None:
    """Cells with and without schemas stand beside each other on the same ids, published, from a file, and drawn."""
    study = copy.deepcopy(BASE)
    plain = {"file": "spider.jsonl", "language": "funql"}
    study["data"] = [plain, {**plain, "name": "with", "append_schema": True, "schema_limit": 7}]
    study["split"] = [{"published": "published"}, {"name": "file", "file": "ours.json"}, {"by": "random", "test": 4}]
    made = RandomSplitter(test=5, seed=3).split(catalogue.load(folder / "spider.jsonl", language="funql"))
    (folder / "ours.json").write_bytes(made.to_bytes())  # it has the hash of the plain data
    plan = make_plan(write(folder, study), folder / "results")
    assert [example.source for example in plan.datasets["with"]][:2] == [
        "capital of texas | dogs : name",
        "size of texas | dogs : name",
    ]
    found = {cell.name: cell for cell in plan.cells if cell.model.name == "tiny"}
    assert not [cell.problem for cell in found.values() if cell.problem]
    for name in ("published", "file", "random"):
        one, two = found[f"spider/tiny/{name}/0"], found[f"with/tiny/{name}/0"]
        assert one.split is not None
        assert two.split is not None
        assert one.split.parts == two.split.parts
        assert one.key != two.key
        assert "+schema@" in two.split.signature.get("data")
        assert two.split.fits(plan.datasets["with"])
    with pytest.raises(
        InputFileError, match=r"\[\[data\]\] number 1: schema_limit is given, but no schemas are wanted"
    ):
        cells(folder, {**BASE, "data": [{**plain, "schema_limit": 7}]})
