"""The paper's tables counted in data: worked out by hand for twelve questions, and on public data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from made_questions_of_films import QUESTIONS, write_questions

import recombine
from recombine.cli.main import run
from recombine.errors import DerivationError
from recombine.pages.cfq.paper_tables import paper_tables


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_questions(tmp_path_factory.mktemp("data") / "films.jsonl")


def records(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def test_table_2_a(answered: Path) -> None:
    counted = recombine.cfq_info(answered)["statistics"]
    # Did M0 direct/edit M1 and Who directed/edited M0 share templates.
    assert counted["questions"] == counted["question_patterns"] == counted["queries"] == 12
    assert counted["question_templates"] == 10
    assert counted["query_patterns"] == 12
    # Who directed/edited M0; Did M0 direct/edit M1; M0's spouse and the film editor that M1 married: 12 - 3.
    assert counted["query_shapes"] == 9
    assert (counted["open"], counted["closed_yes"], counted["closed_no"]) == (6, 3, 3)


def test_yes_and_no_are_counted_in_closed_questions_alone(tmp_path: Path) -> None:
    """Two closed questions with yes, one with no, and two open ones about what is called Yes and No."""
    made: dict[str, Any] = {"Did M0 direct M1": "Yes", "Did M0 edit M1": "Yes", "Was M0 a actor": "No"}
    made |= {"Who directed M0": ["Yes"], "Who edited M0": ["No"]}
    rows = [row for row in records(write_questions(tmp_path / "all.jsonl")) if row["source"] in made]
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"".join(orjson.dumps({**row, "expectedResponse": made[row["source"]]}) + b"\n" for row in rows))
    counted = recombine.cfq_info(path)["statistics"]
    assert (counted["open"], counted["closed_yes"], counted["closed_no"]) == (2, 2, 1)


def test_table_5_counts_each_answer_of_a_list(answered: Path) -> None:
    answers = recombine.cfq_info(answered)["answers"]
    assert list(answers.items()) == [
        ("Ann", 3),
        ("No", 3),
        ("Yes", 3),
        ("Bob", 2),
        ("<b>Eve</b>", 1),
        ("Jaws", 1),
    ]


def test_tables_8_and_9(answered: Path) -> None:
    eight, nine = recombine.cfq_info(answered)["subqueries"]
    assert eight["rows"]["What…?"] == 2
    assert eight["rows"]["What sibling"] == 1
    assert eight["rows"]["What [NP] was [DetNP]’s [NP]"] == 1
    assert nine["rows"]["Did…?"] == 5
    assert nine["rows"]["…edit and direct…"] == 1
    assert nine["rows"]["Did [DetNP] [VP] and [VP] [DetNP]?"] == 1
    assert nine["rows"]["Did [DetNP] [VP] [DetNP] and [DetNP]?"] == 2


def recipes(path: Path) -> Path:
    """Questions of another domain, with derivations by rules of its own."""
    rules = Path(__file__).parents[3] / "docs" / "examples" / "recipes"
    recombine.generate("cfq", n=20, seed=1, rules=str(rules), grounding=False).write(path)
    return path


def test_the_papers_subqueries_are_not_counted_in_another_domain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = recipes(tmp_path / "recipes.jsonl")
    info = recombine.cfq_info(data)
    assert info["subqueries"] == []
    why = (
        "no example has one of the 2 rules that the paper's tables count, such as WHQ=NPQ_INDIRECT_WAS_DP; "
        "--subqueries names tables for these data, or cfq for the paper's all the same"
    )
    assert info["missing"]["subqueries"] == why
    with pytest.raises(SystemExit):
        run(["cfq", "info", str(data)])
    said = capsys.readouterr().out
    assert f"no subqueries: {why}" in said
    assert "Table 8" not in said
    asked = recombine.cfq_info(data, subqueries="cfq")
    began = sum(example.source.startswith("Did") for example in recombine.load(data))
    assert asked["subqueries"][1]["rows"]["Did…?"] == began > 0
    assert "subqueries" not in asked["missing"]


def test_subqueries_of_a_file_stand_without_the_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = recipes(tmp_path / "recipes.jsonl")
    (tmp_path / "mine.toml").write_text(
        '[[table]]\ntitle = "Of soups"\n[[table.row]]\nlabel = "Did…?"\nsource = "^Did"\n'
        '[[table.row]]\nlabel = "Did…, by rule"\nrules = { rule = "YNQ=DID_DP_VP" }\n'
    )
    info = recombine.cfq_info(data, subqueries=tmp_path / "mine.toml")
    began = sum(example.source.startswith("Did") for example in recombine.load(data))
    assert info["subqueries"] == [{"title": "Of soups", "rows": {"Did…?": began, "Did…, by rule": began}}]
    assert [row.paper for row in info.tables.subqueries[0].rows] == [None, None]
    with pytest.raises(SystemExit):
        run(["cfq", "info", str(data), "--subqueries", str(tmp_path / "mine.toml")])
    assert "Of soups, in all examples" in capsys.readouterr().out
    page = recombine.cfq_page(data, subqueries=tmp_path / "mine.toml").page.decode()
    section = page[page.index('id="subqueries"') :]
    assert "Of soups" in section
    assert "the paper" not in section[: section.index("</section>")]
    with pytest.raises(SystemExit) as ended:
        run(["cfq", "page", str(data), "--subqueries", str(tmp_path / "none.toml"), "-o", str(tmp_path / "p.html")])
    assert ended.value.code == 2
    assert "none.toml: no such file" in capsys.readouterr().err
    assert not (tmp_path / "p.html").exists()


def test_subqueries_that_are_asked_for_need_derivations() -> None:
    with pytest.raises(DerivationError, match="counts rules"):
        recombine.cfq_info([("a", "b")], subqueries="cfq")


def test_subqueries_are_counted_in_the_train_part_of_a_split(answered: Path, tmp_path: Path) -> None:
    data = recombine.load(answered)
    split = recombine.split(data, by="random", train=9, test=3, seed=1)
    split.write(tmp_path / "split.json")
    info = recombine.cfq_info(answered, split=tmp_path / "split.json")
    train = [data[key].source for key in split.train]
    assert info["subqueries"][1]["rows"]["Did…?"] == sum(text.startswith("Did") for text in train)
    assert info["counted_in"] == "the train part, 9 examples"


def test_table_1_has_a_question_of_each_level_with_its_answer(answered: Path) -> None:
    info = recombine.cfq_info(answered, seed=2)
    levels = info["levels"]
    assert sum(levels.values()) == 12
    assert [str(sample["level"]) for sample in info["samples"]] == list(levels)
    for sample in info["samples"]:
        asked = {text.replace("M0", "Jaws"): answer for text, answer in QUESTIONS.items()}[sample["question"]]
        assert sample["answer"] == (asked if isinstance(asked, str) else "; ".join(asked))


def test_what_cannot_be_counted_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = write_questions(tmp_path / "plain.jsonl", answers=False)
    missing = recombine.cfq_info(plain)["missing"]
    assert missing["answers"] == "no field expectedResponse"
    assert missing["closed_yes"] == "6 closed questions, no field expectedResponse"
    rows = plain.read_bytes().splitlines()
    rows[3] = orjson.dumps({**orjson.loads(rows[3]), "expectedResponse": "No"})
    plain.write_bytes(b"\n".join(rows) + b"\n")
    assert recombine.cfq_info(plain)["missing"]["answers"] == "11 examples have no expectedResponse"
    bare = recombine.cfq_info([("a", "b")])
    assert bare["levels"] is None
    assert bare["statistics"]["open"] is None
    assert bare["missing"]["open"] == "targets are no SPARQL"
    assert "has no derivation" in bare["missing"]["levels"]
    assert bare["subqueries"] == []
    with pytest.raises(SystemExit) as ended:
        run(["cfq", "info", str(plain)])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "unique questions                                               –     239,357" in said
    assert "no answers: 11 examples have no expectedResponse" in said


def test_data_that_is_not_at_hand_is_named(answered: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    info = recombine.cfq_info(answered)
    assert info["datasets"]["ATIS"]["counted"] is None
    assert info["datasets"]["films"]["counted"] == [12, 12, 9]
    notes = {each.name: each.note for each in info.tables.datasets}
    assert notes["ATIS"].startswith("not counted: ")


@pytest.mark.shared_data
def test_atis_and_geoquery_are_counted(answered: Path, data_dir: Path) -> None:
    """5,418 ATIS questions have 387 repeats, GeoQuery's 880 lines are 575 distinct pairs (data README)."""
    counted = recombine.cfq_info(answered)["datasets"]
    assert counted["GeoQuery"]["counted"][0] == 575
    assert counted["ATIS"]["counted"][0] == 5031
    assert counted["ATIS"]["paper"] == [5280, 947, 751]


def test_the_printed_numbers_are_those_of_the_paper() -> None:
    printed = paper_tables()
    closed = printed.statistics["closed_yes"] + printed.statistics["closed_no"]
    assert printed.statistics["open"] + closed == printed.statistics["questions"] == printed.datasets["CFQ"][0]
    assert printed.answers["Yes"] == printed.statistics["closed_yes"]
    assert len(printed.answers) == 30
    assert list(printed.answers.values()) == sorted(printed.answers.values(), reverse=True)
