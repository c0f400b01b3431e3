"""Scores: hand-counted verdicts, the gold against itself, signatures, what is refused."""

from __future__ import annotations

import gzip
import json
from itertools import product
from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.errors import OptionError, RecombineError, RecordError, SplitError
from recombine.evaluation.match.judge import Tally, Verdict
from recombine.evaluation.match.matchers import Matcher
from recombine.evaluation.predictions import read_predictions
from recombine.evaluation.score import score
from recombine.records.dataset import Dataset
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.workbench import load

PAIRS = [(f"q{n}", f"intersection ( city , {word} )") for n, word in enumerate(("major", "capital", "all", "m0"))]
DATA = load([*PAIRS, ("unused", "city")], language="funql")
IDS = [example.id for example in DATA]


def split_of(dataset: Dataset, **parts: list[str]) -> Split:
    found = {name: tuple(ids) for name, ids in parts.items()}
    return Split(found, dataset.name, dataset.hash, Signature.of(data=dataset, by="hand"))


SPLIT = split_of(DATA, train=IDS[4:], test=IDS[:4], twice=[IDS[0], IDS[0], IDS[1]], empty=[])
OUTPUTS = {
    IDS[0]: "intersection ( major , city )",  # right as a tree, wrong as a text
    IDS[1]: "intersection ( city , major )",
    IDS[2]: "intersection ( city",
    IDS[3]: "  ",
}


def test_verdicts_by_hand() -> None:
    found = score(DATA, SPLIT, OUTPUTS)
    assert found.verdicts == {"exact_match": (Verdict.RIGHT, Verdict.WRONG, Verdict.MALFORMED, Verdict.ABSTAINED)}
    assert (found.n, found.exact_match, found.coverage, found.malformed) == (4, 0.25, 0.75, 1)
    assert found.precision == pytest.approx(1 / 3)
    assert found.interval == pytest.approx((0.0456, 0.6994), abs=1e-4)  # Wilson's for 1 of 4
    text = score(DATA, SPLIT, OUTPUTS, match="text")
    assert (text.exact_match, text.malformed) == (0, 1)


def test_repeats_are_counted() -> None:
    found = score(DATA, SPLIT, {IDS[0]: PAIRS[0][1]}, part="twice", allow_missing=True)
    assert (found.n, found.exact_match, found.assigned.missing) == (3, 2 / 3, 1)


def test_without_outputs_there_is_no_precision() -> None:
    found = score(DATA, SPLIT, {}, allow_missing=True)
    assert (found.coverage, found.precision, found.exact_match) == (0, None, 0)
    assert found.to_record()["precision"] is None


def test_an_unknown_language() -> None:
    bare = load(PAIRS)
    found = score(bare, split_of(bare, test=IDS[:4]), OUTPUTS)
    assert (found.exact_match, found.malformed, found.coverage) == (0, None, 0.75)
    assert found.signature.get("language") == "unknown"
    with pytest.raises(OptionError, match="name it with --language"):
        score(bare, split_of(bare, test=IDS[:4]), OUTPUTS, match="normalised")


def test_a_malformed_gold_names_its_record() -> None:
    broken = load([("q", "answer ( city")], language="funql")
    key = broken[0].id
    with pytest.raises(RecordError, match=rf"records, example {key}: the gold program cannot be read: .*column"):
        score(broken, split_of(broken, test=[key]), {key: ""})


def test_a_program_too_deep_to_read_is_malformed() -> None:
    deep = "f ( " * 3000 + "x" + " )" * 3000

    def recursive(program: str) -> int:
        return 1 + recursive(program[4:]) if program.startswith("f ( ") else 0

    found = score(DATA, SPLIT, {**OUTPUTS, IDS[0]: deep}, matchers={"depth": Matcher.of("depth", recursive)})
    assert found.verdicts["exact_match"][0] is Verdict.MALFORMED
    assert found.verdicts["depth"][0] is Verdict.MALFORMED


def test_further_matchers_are_metrics_of_their_own() -> None:
    found = score(DATA, SPLIT, OUTPUTS, matchers={"length": Matcher.of("length", len)})
    assert [verdict is Verdict.RIGHT for verdict in found.verdicts["length"]] == [True, False, False, False]
    assert found.to_record()["length"] == 0.25
    assert found.signature.get("metric") == "exact_match,length"


def test_a_matcher_can_read_a_program_in_its_example() -> None:
    """As a denotation does, for which a placeholder stands for the entity of the question."""
    matcher = Matcher.by_key("grounded", lambda program, example, _: program.replace("m0", example.source))
    found = score(DATA, SPLIT, {**OUTPUTS, IDS[3]: "intersection ( city , q3 )"}, matchers={"grounded": matcher})
    assert found.verdicts["exact_match"][3] is Verdict.WRONG
    assert found.verdicts["grounded"][3] is Verdict.RIGHT


def test_sql_has_set_match() -> None:
    data = load([("q", "select a , b from t where c = 1")], language="sql")
    found = score(data, split_of(data, test=[data[0].id]), {data[0].id: "select b , a from t where c = 2"})
    assert (found.exact_match, found.tallies["set_match"].accuracy) == (0, 1)
    assert found.to_record()["set_match"] == 1


def test_what_the_file_says_beside_what_is_found(tmp_path: Path) -> None:
    rows = [{"id": key, "prediction": OUTPUTS[key], "correct": key in IDS[:2]} for key in IDS[:4]]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = score(DATA, SPLIT, read_predictions(tmp_path / "p.jsonl"))
    assert (found.stated_correct, found.disputed) == (0.5, 1)


def test_a_written_score_scores_the_same(tmp_path: Path) -> None:
    first = score(DATA, SPLIT, {**OUTPUTS, IDS[4]: "city"})
    (tmp_path / "p.jsonl").write_bytes(first.to_lines())
    again = score(DATA, SPLIT, read_predictions(tmp_path / "p.jsonl"))
    assert again.verdicts == first.verdicts
    assert (again.disputed, again.stated_correct, again.assigned.digest) == (0, 0.25, first.assigned.digest)


@pytest.mark.parametrize(
    "change",
    [
        {"part": "train", "predictions": {IDS[4]: "city"}},
        {"match": "text"},
        {"allow_missing": True},
        {"predictions": {**OUTPUTS, IDS[0]: "city"}},
        {"matchers": {"length": Matcher.of("length", len)}},
    ],
)
def test_every_option_changes_the_signature(change: dict[str, Any]) -> None:
    plain = score(DATA, SPLIT, OUTPUTS).signature
    options = {"predictions": OUTPUTS, **change}
    found = score(DATA, SPLIT, **options).signature
    assert found != plain
    assert Signature.parse(str(found)) == found


def test_bad_requests() -> None:
    with pytest.raises(SplitError, match="the empty part is empty"):
        score(DATA, SPLIT, OUTPUTS, part="empty")
    with pytest.raises(SplitError, match="no part 'dev'"):
        score(DATA, SPLIT, OUTPUTS, part="dev")
    with pytest.raises(SplitError, match="which is not in records"):
        score(DATA, split_of(DATA, test=["x"]), OUTPUTS)
    with pytest.raises(RecombineError, match="no prediction for 1 of 4 examples of test"):
        score(DATA, SPLIT, dict(list(OUTPUTS.items())[:3]))


def test_the_record_is_one_json_object() -> None:
    record = orjson.loads(orjson.dumps(score(DATA, SPLIT, OUTPUTS).to_record()))
    assert {"exact_match", "n", "coverage", "precision", "interval", "malformed", "abstained", "signature"} <= set(
        record
    )


def test_tally_counts_each_verdict() -> None:
    assert Tally.of(list(Verdict)) == Tally(1, 1, 1, 1, 1)


@pytest.mark.shared_data
def test_gold_against_gold_on_geoquery(data_dir: Path) -> None:
    data = load("geoquery/funql")
    split = split_of(data, test=[example.id for example in data])
    for match in ("normalised", "text"):
        assert score(data, split, {example.id: example.target for example in data}, match=match).exact_match == 1


@pytest.mark.shared_data
def test_gold_against_gold_on_spider(data_dir: Path) -> None:
    with gzip.open(data_dir / "spider" / "dev.json.gz", "rt", encoding="utf-8") as file:
        items = json.load(file)
    data = load([(f"{item['db_id']}: {item['question']}", item["query"]) for item in items], language="sql")
    found = score(data, split_of(data, test=list(data.index)), {example.id: example.target for example in data})
    assert (found.n, found.exact_match, found.tallies["set_match"].accuracy, found.malformed) == (1034, 1, 1, 0)


@pytest.mark.shared_data
def test_published_predictions_of_covr(data_dir: Path, tmp_path: Path) -> None:
    """Outputs of four published models, without ids; `correct` is their authors' own verdict."""
    data = load(data_dir / "covr_text" / "examples.jsonl.gz", language="covr")
    with gzip.open(data_dir / "covr_text" / "predictions.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = list({row["target"]: row for row in map(json.loads, lines)}.values())
    models = ("BART", "BART-L", "T5", "T5-L")
    with (tmp_path / "p.jsonl").open("w") as file:
        for row, model in product(rows, models):
            output, correct = row["pred"][model]["output"], row["pred"][model]["correct"]
            record = {"target": row["target"], "prediction": output, "correct": correct, "model": model}
            file.write(json.dumps(record) + "\n")
    targets = {row["target"] for row in rows}
    split = split_of(data, test=[example.id for example in data if example.target in targets])
    for model, match in (("BART", "text"), ("T5-L", "normalised")):
        found = score(data, split, read_predictions(tmp_path / "p.jsonl", match_on="target", model=model), match=match)
        assert (found.n, found.disputed) == (1976, 0)
        assert found.exact_match == sum(row["pred"][model]["correct"] for row in rows) / 1976
