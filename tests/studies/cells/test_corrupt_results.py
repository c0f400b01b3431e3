"""Results that are not whole are errors that name the file, for everything that reads them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
import typer

from recombine.cli.verbs.studies.study import app
from recombine.errors import InputFileError
from recombine.models.seq2seq.export import packed
from recombine.models.task import CellOutcome
from recombine.studies.cells.digest import bytes_digest
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.results import store_outcome
from recombine.studies.running.export_study import collect_study, export_study
from small_study import STUDY, Study

Change = Callable[[dict[str, Any]], Any]


def without(*names: str) -> Change:
    def change(record: dict[str, Any]) -> Any:
        inner = record
        for name in names[:-1]:
            inner = inner[name]
        del inner[names[-1]]
        return record

    return change


RECORDS: dict[str, tuple[Change, str]] = {
    "a list": (lambda _: [], "not a JSON object but list"),
    "null": (lambda _: None, "not a JSON object but NoneType"),
    "a text": (lambda _: "done", "not a JSON object but str"),
    "no score": (without("score"), "the cell is done, but there is no score"),
    "score null": (lambda r: {**r, "score": None}, "the cell is done, but there is no score"),
    "no exact match": (without("score", "exact_match"), "score.exact_match is missing"),
    "exact match of 7": (lambda r: {**r, "score": {**r["score"], "exact_match": 7}}, "score.exact_match is 7"),
    "a text as exact match": (lambda r: {**r, "score": {**r["score"], "exact_match": "1"}}, "exact_match is '1'"),
    "no state": (without("state"), "state is missing"),
    "another state": (lambda r: {**r, "state": "doing"}, "the state is 'doing'"),
    "failed, why": (lambda r: {**r, "state": "failed"}, "the cell failed, but there is no error"),
    "no split": (without("split"), "split is missing"),
    "split null": (lambda r: {**r, "split": None}, "split is None"),
    "no recipe": (without("split", "recipe"), "split.recipe is missing"),
    "no key of the split": (without("split", "key"), "split.key is missing"),
    "no family": (without("model", "family"), "model.family is missing"),
    "no revision": (without("model", "revision"), "model.revision is missing"),
    "no digest": (without("predictions"), "predictions is missing"),
    "no settings": (without("model", "settings"), "model.settings is missing"),
    "no seed": (without("seed"), "seed is missing"),
    "no version": (without("version"), "version is missing"),
    "curve of numbers": (lambda r: {**r, "curve": [1, 2]}, "point 1 of the curve is 1"),
    "curve of texts": (lambda r: {**r, "curve": [[1, None, "x"]]}, "point 1 of the curve is"),
    "another key": (lambda r: {**r, "key": "0" * 32}, "not the result of the cell"),
    "another form": (lambda r: {**r, "form": "recombine-cell/99"}, "not the result of the cell"),
}
PREDICTIONS: dict[str, tuple[Callable[[bytes], bytes | None], str]] = {
    "missing": (lambda _: None, "no such file, but the cell is done"),
    "of no bytes": (lambda _: b"", "not a whole gzip file|0 predictions, but 4 are scored"),
    "empty": (lambda _: gzip.compress(b""), "0 predictions, but 4 are scored"),
    "cut": (lambda data: data[:-12], "not a whole gzip file"),
    "others": (
        lambda data: gzip.compress(gzip.decompress(data).replace(b"A A", b"B B")),
        "not the predictions that were",
    ),
    "too many": (lambda data: gzip.compress(gzip.decompress(data) * 2), "8 predictions, but 4 are scored"),
}
ROWS: dict[str, tuple[bytes, str]] = {
    "null": (b"null", "line 1: not a JSON object"),
    "broken": (b"{", "line 1: broken JSON"),
    "no id": (b"{}", "line 1, id is missing"),
    "no prediction": (b'{"id": "x"}', "line 1, prediction is missing"),
    "no verdict": (b'{"id": "x", "prediction": "A"}', "line 1, correct is missing"),
    "unknown id": (b'{"id": "x", "prediction": "A", "correct": true}', "the id 'x' is not in letters"),
}


def store(path: Path, results: Path) -> Plan:
    """Store what an untrained model would give."""
    plan = make_plan(path, results)
    for cell in plan.cells:
        store_outcome(results, cell, plan.datasets[cell.data], CellOutcome(("A A",) * 4, curve=((10, 1.0, 0.5),)))
    return plan


def verbs(path: Path, results: Path) -> dict[str, list[str]]:
    here = ["--results", str(results), "--quiet"]
    place = str(path.parent / "place")
    return {
        "run": ["run", str(path), *here],
        "status": ["status", str(path), *here],
        "report": ["report", str(path), "-o", str(path.parent / "page.html"), *here],
        "export": ["export", str(path), "-o", place, *here],
        "collect": ["collect", str(path), str(path.parent / "exported"), *here],
    }


def refused(arguments: list[str], path: Path, message: str) -> None:
    with pytest.raises(InputFileError, match=message) as caught:
        typer.main.get_command(app).main(args=arguments, standalone_mode=False)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def came_back(plan: Plan, folder: Path) -> None:
    """A folder as it comes back from another machine, with outputs of no symbols."""
    export_study(plan, folder)
    (folder / "out").mkdir()
    cells = {cell.name: {"state": "done", "curve": [[10, 1.0, 0.5]], "steps": 30} for cell in plan.cells}
    (folder / "out" / "tiny.json").write_text(json.dumps({"device": "cpu", "torch": "2", "cells": cells}))
    arrays = {f"{cell.name}/test": np.ones((4, 3), np.uint8) for cell in plan.cells}
    (folder / "out" / "tiny.npz").write_bytes(packed(arrays))


@pytest.mark.parametrize("verb", ["run", "status", "report", "export", "collect"])
@pytest.mark.parametrize(("change", "message"), RECORDS.values(), ids=RECORDS)
def test_a_broken_record_is_refused(verb: str, change: Change, message: str, study: Study, tmp_path: Path) -> None:
    path, results = study(), tmp_path / "r"
    came_back(make_plan(path, results), tmp_path / "exported")
    first = results / f"{store(path, results).cells[0].key}.json"
    first.write_bytes(orjson.dumps(change(orjson.loads(first.read_bytes()))))
    refused(verbs(path, results)[verb], first, message)


@pytest.mark.parametrize("verb", ["run", "status", "report", "export", "collect"])
@pytest.mark.parametrize(("change", "message"), PREDICTIONS.values(), ids=PREDICTIONS)
def test_predictions_that_are_not_whole_are_refused(
    verb: str, change: Callable[[bytes], bytes | None], message: str, study: Study, tmp_path: Path
) -> None:
    path, results = study(), tmp_path / "r"
    came_back(make_plan(path, results), tmp_path / "exported")
    first = results / f"{store(path, results).cells[0].key}.jsonl.gz"
    data = change(first.read_bytes())
    first.unlink() if data is None else first.write_bytes(data)
    refused(verbs(path, results)[verb], first, message)


@pytest.mark.parametrize(("line", "message"), ROWS.values(), ids=ROWS)
def test_broken_lines_of_predictions_are_refused(line: bytes, message: str, study: Study, tmp_path: Path) -> None:
    path, results = study(), tmp_path / "r"
    first = results / f"{store(path, results).cells[0].key}.jsonl.gz"
    lines = b"\n".join([line, *gzip.decompress(first.read_bytes()).splitlines()[1:]])
    first.write_bytes(gzip.compress(lines))
    record = first.with_name(first.name.replace(".jsonl.gz", ".json"))
    record.write_bytes(orjson.dumps({**orjson.loads(record.read_bytes()), "predictions": bytes_digest(lines)}))
    refused(verbs(path, results)["report"], first, message)


def test_a_cell_without_its_record_counts_as_not_done(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, results = study(), tmp_path / "r"
    (results / f"{store(path, results).cells[0].key}.json").unlink()
    typer.main.get_command(app).main(args=[*verbs(path, results)["status"], "--json"], standalone_mode=False)
    value = orjson.loads(capsys.readouterr().out)
    assert (value["done"], value["to_do"]) == (1, 1)


CAME_BACK: dict[str, tuple[str, bytes | None, str]] = {
    "broken": ("out/tiny.json", b"{", "broken JSON"),
    "a list": ("out/tiny.json", b"[]", "not results of this form"),
    "null": ("out/tiny.json", b"null", "not results of this form"),
    "no cells": ("out/tiny.json", b"{}", "not results of this form"),
    "a cell of nothing": ("out/tiny.json", b'{"cells": {"a": null}}', "not results of this form"),
    "no predictions": ("out/tiny.npz", None, "cannot be read"),
    "empty predictions": ("out/tiny.npz", b"", "cannot be read"),
    "cut predictions": ("out/tiny.npz", b"PK\x03\x04 and no more", "cannot be read"),
    "predictions of others": ("out/tiny.npz", packed({"other": np.ones(3)}), "the predictions of tiny/random/0 are"),
    "study broken": ("study.json", b"{", "broken JSON"),
    "study a list": ("study.json", b"[]", "not a folder of this form"),
    "study of nothing": ("study.json", b'{"form": "recombine-seq2seq/1"}', "not a folder of this form"),
}


@pytest.mark.parametrize(("name", "data", "message"), CAME_BACK.values(), ids=CAME_BACK)
def test_what_comes_back_broken_is_refused(
    name: str, data: bytes | None, message: str, study: Study, tmp_path: Path
) -> None:
    plan, folder = make_plan(study(STUDY), tmp_path / "r"), tmp_path / "exported"
    came_back(plan, folder)
    assert len(collect_study(plan, folder, folder / "out").records) == 2
    (folder / name).unlink() if data is None else (folder / name).write_bytes(data)
    with pytest.raises(InputFileError, match=message) as caught:
        collect_study(plan, folder, folder / "out")
    assert str(folder) in str(caught.value)
