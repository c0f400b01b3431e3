"""A study of someone's own SQL over databases of their own: another metric, hybrids, models that are not there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import InputFileError, RecombineError
from recombine.studies.cells.plan import make_plan
from recombine.studies.cells.results import read_outputs
from recombine.studies.file.read_study_file import read_study_file
from recombine.studies.tables.hybrids import hybrid_rows
from recombine.studies.tables.summary import read_results, summarise
from recombine.workbench.results.study_results import StudyRun

SHOPS = [
    {
        "db_id": "shop",
        "table_names_original": ["Item", "Sale"],
        "column_names_original": [[-1, "*"], [0, "id"], [0, "name"], [0, "price"], [1, "item_id"], [1, "day"]],
        "foreign_keys": [[4, 1]],
    }
]
THINGS = ("tea", "rice", "salt", "soap", "bread", "milk", "jam", "oil", "pepper")
ASKED = {"what does _ cost?": "price", "how dear is _?": "price", "whose id has _?": "id"}


def rows() -> list[dict[str, str]]:
    """Questions about things. Of jam and oil train asks the first one alone, and pepper is asked for in test only."""
    made = []
    for number, thing in enumerate(THINGS):
        for place, (question, column) in enumerate(ASKED.items()):
            if thing == "pepper" and place != 1:
                continue
            source, value = f"shop: {question}".replace("_", f'"{thing}"'), f'"{thing}"'
            target = f"select {column} from item where name = {value}"  # noqa: S608  # a query that nobody runs
            part = "test" if number > 5 and place else "train"
            made.append({"source": source, "target": target, "db_id": "shop", "part": part})
    told = {"source": "shop: days on which something was sold", "target": "select day from sale", "db_id": "shop"}
    return [*made, {**told, "part": "test"}]


STUDY = """
name = "mine"
metric = "spider"
seeds = [0]

[[data]]
name = "plain"
file = "rows.jsonl"
language = "sql"
schemas = "shops.json"

[[data]]
name = "with-schema"
file = "rows.jsonl"
language = "sql"
schemas = "shops.json"
append_schema = true

[[split]]
published = "published"

[[model]]
name = "nqg"
preset = "nqg:spider"
members = 1
strict = true
data = ["plain"]

[[model]]
preset = "nearest"
data = ["with-schema"]

[[model]]
name = "t5"
preset = "nqg:t5-base-spider"
checkpoint = "no/such/t5"
optional = true
data = ["with-schema"]

[[hybrid]]
name = "both"
first = "nqg"
fallback = "nearest"
fallback_data = {plain = "with-schema"}
paper = {published = 50.0}

[[hybrid]]
name = "nqg-t5"
first = "nqg"
fallback = "t5"
fallback_data = {plain = "with-schema"}

[[paper]]
model = "nqg"
splits = ["published"]
mean = 1.3
coverage = 1.5
precision = 87.5
source = "Table 3"

[[paper]]
model = "t5"
splits = ["published"]
mean = 82.0
"""


def write(folder: Path, study: str = STUDY) -> Path:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    (folder / "shops.json").write_text(json.dumps(SHOPS))
    (folder / "study.toml").write_text(study)
    return folder / "study.toml"


pytestmark = pytest.mark.filterwarnings("ignore:the schemas of 1 databases")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shops")


@pytest.fixture(scope="module")
def ran(folder: Path) -> StudyRun:
    """The study, run once; what it notes of schemas is heard here."""
    with pytest.warns(match="the schemas of 1 databases appended to 26 sources"):
        return recombine.study(write(folder)).run()


def outputs(ran: StudyRun, model: str) -> dict[str, dict[str, Any]]:
    record = next(record for record in ran.ran.records if record["model"]["name"] == model)
    return {row["id"]: row for row in read_outputs(ran.plan.results, record)}


def test_what_is_right_is_what_score_says_with_the_same_schemas(ran: StudyRun, folder: Path, tmp_path: Path) -> None:
    """The cell's own score against a score of its file of predictions."""
    data = recombine.load(folder / "rows.jsonl", language="sql")
    for record in ran.ran.records:
        lines = gzip.decompress((ran.plan.results / f"{record['key']}.jsonl.gz").read_bytes())
        (tmp_path / "outputs.jsonl").write_bytes(lines)
        told = recombine.score(
            data, "published", tmp_path / "outputs.jsonl", metric="spider", schemas=folder / "shops.json"
        )
        for metric in ("exact_match", "set_match", "spider"):
            assert record["score"][metric] == told[metric]
        right = [json.loads(line)["correct"] for line in lines.splitlines()]
        assert sum(right) == round(told["spider"] * told["n"])
        assert record["metric"]["name"] == "spider"
        assert record["metric"]["schemas"].startswith("shops.json@")
        assert record["metric"]["schemas"] in record["score"]["signature"]


def test_values_are_no_part_of_a_match(ran: StudyRun) -> None:
    """By hand: the nearest to each question about jam or oil asks for its price, that to pepper's for another's.

    The last is right by the metric alone. Days are of no question of train.
    """
    record = next(record for record in ran.ran.records if record["model"]["name"] == "nearest")
    assert (record["score"]["exact_match"], record["score"]["spider"], record["score"]["n"]) == (2 / 6, 3 / 6, 6)


def test_the_grammar_answers_what_it_derives(ran: StudyRun) -> None:
    record = next(record for record in ran.ran.records if record["model"]["name"] == "nqg")
    data = ran.plan.datasets["plain"]
    made = {data[key].source: row["prediction"] for key, row in outputs(ran, "nqg").items()}
    assert made['shop: whose id has "jam"?'] == 'select id from item where name = "jam"'
    assert made['shop: how dear is "pepper"?'] == made["shop: days on which something was sold"] == ""
    assert (record["score"]["coverage"], record["score"]["precision"]) == (4 / 6, 1.0)
    # Eight things, three ways to ask, and `id`, which stands in questions and queries alike.
    assert record["notes"]["rules"] == 8 + 3 + 1


def test_hybrids_are_made_of_the_two_cells(ran: StudyRun) -> None:
    """By hand: four of the grammar, and pepper of the nearest; the ids of jam and oil are what is gained."""
    row, missing = ran.hybrids
    assert (row.name, row.split, row.runs, row.paper) == ("both", "plain: published", 1, 50.0)
    assert (row.hybrid, row.fallback_alone) == (pytest.approx(100 * 5 / 6), pytest.approx(100 * 3 / 6))
    assert (row.gained, row.lost, row.p) == (2, 0, pytest.approx(0.5))  # two of two, on either side
    assert (missing.name, missing.hybrid, missing.missing) == ("nqg-t5", None, "t5 is not run here")


def test_nothing_is_left_out_in_silence(
    ran: StudyRun, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    value = ran.to_dict()
    assert list(value["models_left_out"]) == ["t5"]
    assert "no/such/t5: no such directory" in value["models_left_out"]["t5"]
    assert (value["cells"], value["done"], value["failed"]) == (2, 2, 0)
    abstention = value["abstentions"][0]
    assert (abstention["paper_coverage"], abstention["paper_precision"]) == (1.5, 87.5)
    assert (abstention["coverage"], abstention["precision"]) == (pytest.approx(100 * 4 / 6), 100.0)
    # The paper's number of T5 stands in the row of its data, and not in that of the other.
    plain, with_schema = ran.rows
    assert (plain.means["nqg"].mean, with_schema.means["nearest"].mean) == (pytest.approx(100 * 4 / 6), 50.0)
    assert (plain.label, with_schema.label) == ("plain: published", "with-schema: published")
    assert plain.means["t5"].paper is None
    assert with_schema.means["t5"].paper is not None
    assert with_schema.means["nqg"].paper is None
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit) as ended:
        run(["study", "status", str(folder / "study.toml")])
    shown = capsys.readouterr().out
    assert not ended.value.code
    for text in ("mine: spider, %", "not run here: t5: no/such/t5", "t5 is not run here", "paper 87.5", "largest p"):
        assert text in shown
    page = recombine.study(folder / "study.toml").report().page.decode()
    for text in ("Not run here", "no/such/t5: no such directory", "Right by the metric spider", "Models that abstain"):
        assert text in page


def test_results_are_found_without_their_splits(ran: StudyRun, folder: Path, tmp_path: Path) -> None:
    for path in ran.plan.results.glob("*.json*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    plan = make_plan(folder / "study.toml", tmp_path, make=False)
    results = read_results(plan)
    assert [result.state for result in results] == ["done", "done"]
    assert next(row.hybrid for row in hybrid_rows(plan, results)) == ran.hybrids[0].hybrid
    assert summarise(plan, results)[0].means["nqg"].mean == ran.rows[0].means["nqg"].mean


def test_other_schemas_are_other_cells(ran: StudyRun, folder: Path, tmp_path: Path) -> None:
    path = write(tmp_path)
    (tmp_path / "shops.json").write_text(json.dumps([{**SHOPS[0], "foreign_keys": []}]))
    keys = {cell.key for cell in make_plan(path, tmp_path / "results").cells}
    assert not keys & {record["key"] for record in ran.ran.records}


def test_predictions_of_other_examples_are_refused(ran: StudyRun) -> None:
    first, other = ran.cells
    assert first.record is not None
    assert other.record is not None
    lines = (ran.plan.results / f"{other.record['key']}.jsonl.gz").read_bytes()
    kept = gzip.decompress(lines).splitlines(keepends=True)
    try:
        (ran.plan.results / f"{other.record['key']}.jsonl.gz").write_bytes(gzip.compress(b"".join(kept[1:])))
        with pytest.raises(InputFileError, match="do not have the same examples"):
            hybrid_rows(ran.plan, ran.cells)
    finally:
        (ran.plan.results / f"{other.record['key']}.jsonl.gz").write_bytes(lines)


@pytest.mark.parametrize(
    ("text", "change", "problem"),
    [
        ('metric = "spider"', 'metric = "spidr"', "metric 'spidr'; did you mean 'spider'"),
        ('metric = "spider"', 'metric = "spider"\nmatch = "answer"', "compares programs, and match is answer"),
        ('first = "nqg"', 'first = "ngq"', r"model in \[\[hybrid\]\] number 1 'ngq'; did you mean 'nqg'"),
        ('fallback = "nearest"', 'fallback = "nqg"', "nqg is its own fallback"),
        ('{plain = "with-schema"}\npaper', '{plain = "with"}\npaper', r"data in \[\[hybrid\]\] number 1 'with'"),
        ("{published = 50.0}", "{random = 50.0}", r"split in \[\[hybrid\]\] number 1 'random'"),
        ('data = ["plain"]', 'data = ["plan"]', r"data of \[\[model\]\] number 1 'plan'; did you mean 'plain'"),
        ('name = "nqg-t5"', 'name = "both"', r"two \[\[hybrid\]\] tables are called 'both'"),
    ],
)
def test_mistakes_in_the_file(text: str, change: str, problem: str, tmp_path: Path) -> None:
    assert text in STUDY
    with pytest.raises(RecombineError, match=problem) as error:
        read_study_file(write(tmp_path, STUDY.replace(text, change, 1)))
    assert "\n" not in str(error.value)


def test_schemas_that_nothing_asks_for(tmp_path: Path) -> None:
    study = STUDY.replace('metric = "spider"', "").replace("append_schema = true", "")
    with pytest.raises(RecombineError, match="schemas are given, and nothing asks for them"):
        read_study_file(write(tmp_path, study))


def test_only_what_is_optional_may_be_missing(tmp_path: Path) -> None:
    with pytest.raises(RecombineError, match=r"\[\[model\]\] number 3: no/such/t5: no such directory"):
        make_plan(write(tmp_path, STUDY.replace("optional = true\n", "")))
    with pytest.raises(RecombineError, match=r"\[\[model\]\] number 3: unknown setting 'stepz'"):
        make_plan(write(tmp_path, STUDY.replace("optional = true\n", "optional = true\nstepz = 3\n")))
