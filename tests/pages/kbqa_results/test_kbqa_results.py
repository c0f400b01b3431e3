"""The page of a study over a knowledge base, on a study whose numbers are counted by hand (`small_results`)."""

from __future__ import annotations

from pathlib import Path
from statistics import stdev
from typing import Any

import orjson
import pytest
from small_results import STUDY, write_study

import recombine
from recombine.errors import OptionError
from recombine.models.kbqa.kbqa_settings import KbqaSettings
from recombine.pages.kbqa_results.known_system import KnownSystem, known_system
from recombine.pages.kbqa_results.result_tables import compared_pairs
from recombine.pages.kbqa_results.study_systems import System
from recombine.studies.cells.cell import StudyModel
from recombine.workbench.kbqa_results import KbqaResults


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_study(tmp_path_factory.mktemp("films"))


@pytest.fixture(scope="module")
def made(study: Path) -> KbqaResults:
    return recombine.kbqa_results(study)


@pytest.fixture(scope="module")
def section(made: KbqaResults) -> dict[str, Any]:
    sections: list[dict[str, Any]] = made.to_dict()["sections"]
    assert len(sections) == 1
    return sections[0]


def of_model(rows: list[dict[str, Any]], model: str) -> dict[str, Any]:
    return next(row for row in rows if row["model"] == model)


def test_levels_and_scores(section: dict[str, Any]) -> None:
    assert section["questions"] == {"all": 7, "i.i.d.": 3, "compositional": 1, "zero-shot": 3}
    rows = section["table3"]["linker"]
    assert [row["model"] for row in rows] == ["writes", "writes-all", "ranks", "kbqa-overlap"]
    ranks = of_model(rows, "ranks")
    # The first run has four of seven, the second six.
    assert ranks["exact_match"]["all"] == pytest.approx({"mean": 5 / 7, "sd": stdev([4 / 7, 6 / 7]), "runs": 2})
    assert ranks["exact_match"]["i.i.d."]["mean"] == pytest.approx((2 / 3 + 1) / 2)
    assert ranks["exact_match"]["zero-shot"]["mean"] == pytest.approx((1 / 3 + 2 / 3) / 2)
    # What is wrong has no answer in common with the gold forms.
    assert ranks["answer_f1"]["all"]["mean"] == pytest.approx(5 / 7)
    # "writes" asks for another film once: Ann Other of {Ann Other, Bo Else}, F1 2/3.
    writes = of_model(rows, "writes")
    assert writes["answer_f1"]["i.i.d."]["mean"] == pytest.approx((1 + (2 / 3 + 2) / 3) / 2)
    assert [row["model"] for row in section["table3"]["gold"]] == ["ranks-gold"]


def test_uniform_draw_is_expected_exactly(section: dict[str, Any]) -> None:
    # g is one of the candidates of Ann Other: one step to films and one to a date; from the films on to directors,
    # dates, and along and against sequels, of which Red Kite alone has one: 2 + 3, each counted too.
    assert section["uniform_expected"]["linker"]["compositional"] == pytest.approx(1 / 10)
    assert section["candidates"]["gold"]["levels"] == {"all": 1, "i.i.d.": 1, "compositional": 1, "zero-shot": 1}


def test_errors_sum_and_have_their_classes(section: dict[str, Any]) -> None:
    rows = section["errors"]
    ranks = of_model(rows, "ranks")
    assert ranks["errors"] == 4
    assert {name: count for name, count in ranks["counts"].items() if count} == {
        "no output": 1,
        "unreadable": 1,
        "relation": 1,
        "function": 1,
    }
    assert ranks["unreadable"] == ranks["empty"] == pytest.approx(1 / 14)
    assert of_model(rows, "writes")["counts"]["linking"] == 1
    assert of_model(rows, "writes-all")["counts"]["no output"] == 7
    assert section["unchecked"] == []


def test_bounds_enclose_accuracy_and_are_those_counted(section: dict[str, Any]) -> None:
    assert section["figure_links"] == "gold"
    assert all(row["lower"] <= row["accuracy"] <= row["upper"] for row in section["figure5"])
    assert {row["model"] for row in section["figure5"]} == {"ranks-gold"}


def test_bounds_of_the_linker_where_gold_is_not_there(study: Path, tmp_path: Path) -> None:
    text = STUDY.replace(
        'name = "ranks-gold"\npreset = "kbqa:small"\nlinks = "gold"', 'name = "other"\npreset = "kbqa:small"\nhops = 1'
    )
    (study.parent / "linker.toml").write_text(text)
    section = recombine.kbqa_results(study.parent / "linker.toml").to_dict()["sections"][0]
    assert section["figure_links"] == "linker"
    row = next(
        row
        for row in section["figure5"]
        if (row["model"], row["grouping"], row["level"]) == ("ranks", "paraphrase", "all")
    )
    # a and b are one paraphrase: three others are right in the first run, six questions in the second.
    assert (row["lower"], row["accuracy"], row["upper"]) == pytest.approx((4.5 / 7, 5 / 7, 5.5 / 7))
    assert row["groups"] == 6


def test_pruning_is_compared_question_by_question(section: dict[str, Any]) -> None:
    rows = [row for row in section["contrasts"] if row["level"] == "all"]
    assert [(row["change"], row["without"], row["with"]) for row in rows] == [("pruning", "writes-all", "writes")]
    assert rows[0]["difference"] == pytest.approx((1 + 6 / 7) / 2)
    # McNemar for the seed that both have: seven gained, none lost, p = 2 / 2 ** 7.
    assert rows[0]["mcnemar"] == [{"seed": 0, "p_value": pytest.approx(2 / 2**7)}]


def test_what_differs_in_more_is_not_compared() -> None:
    def system(encoder: str, **changes: Any) -> System:
        settings = KbqaSettings(**{"encoder": encoder, **changes}).to_dict()
        return System(known_system(StudyModel(encoder, "kbqa", settings, (0,))))

    wide, fixed = system("pretrained:bert"), system("vectors:glove.npy")
    others = [system("vectors:glove.npy", **changes) for changes in ({"width": 128}, {"links": "gold"}, {"hops": 1})]
    pairs = compared_pairs([wide, fixed, *others, system("scratch", shared_words=True)])
    assert [(change, one is fixed, other is wide) for change, one, other in pairs] == [
        ("pretraining, beside fixed vectors", True, True)
    ]
    assert system("scratch", shared_words=True, overlap=2.5).known.extra == "shared words, overlap 2.5"
    assert system("scratch", overlap=2.5, inference="transduction").known.extra == ""


def test_linking_and_claims(section: dict[str, Any]) -> None:
    assert section["linking"]["linker"]["f1"] == 1
    claims = {each["claim"]: each["holds"] for each in section["claims"]}
    assert claims["RANKING, from scratch, linker links: at least twice a uniform draw at every level"]
    level = next(text for text in claims if text.startswith("i.i.d., linker"))
    # Of three i.i.d. questions "writes" has 2.5, and the baseline two.
    assert "with 83.3, is above the best baseline, word overlap with 66.7" in level


def test_what_is_missing_is_said(made: KbqaResults, section: dict[str, Any]) -> None:
    assert sorted(section["missing"]) == ["ranks-gold/three levels/1, to do", "writes-all/three levels/1, to do"]
    assert "2 cells have no result yet" in str(made)
    assert b"2 cells of the study have no result yet" in made.page


def test_the_page_escapes_and_shows_both_graphs(made: KbqaResults) -> None:
    page = made.page.decode()
    assert "Films &amp; &lt;forms&gt;" in page
    assert "<b>Long Day</b>" not in page
    wrong = made.built.sections[0].wrong
    # First runs have 3, 7 and 2 wrong answers; of the seven without an output, four are shown.
    assert (len(wrong.shown), wrong.all) == (9, 12)
    forms = wrong.forms.to_record()
    shown = next(each for each in wrong.shown if each.id == "b" and each.class_ == "relation")
    text, graph, why, answers, more, _ = forms[shown.output]
    assert (text, why, answers, more) == ("(JOIN (R sequel_of) Long_Day)", "", ["Red_Kite"], 0)
    assert graph is not None
    assert "http://" not in page.partition("</head>")[0].replace("http-equiv", "")


def test_same_bytes_and_another_seed_draws_others(study: Path, made: KbqaResults) -> None:
    assert recombine.kbqa_results(study).page == made.page
    few = recombine.kbqa_results(study, examples=1, seed=3)
    assert len(few.built.sections[0].wrong.shown) < len(made.built.sections[0].wrong.shown)


def test_a_study_without_results_says_so(study: Path, tmp_path: Path) -> None:
    made = recombine.kbqa_results(study, results=tmp_path / "none")
    assert made.to_dict()["sections"] == []
    assert b"nothing to show" in made.page
    with pytest.raises(OptionError, match="cannot show -1 wrong answers"):
        recombine.kbqa_results(study, examples=-1)


@pytest.mark.parametrize(
    ("settings", "title", "extra"),
    [
        ({"encoder": "pretrained:x"}, "RANKING", ""),
        ({"encoder": "vectors:x"}, "RANKING – BERT", ""),
        ({"encoder": "scratch", "beyond": "classes"}, "RANKING, from scratch", "with classes"),
        ({"encoder": "pretrained:x", "inference": "transduction"}, "TRANSDUCTION", ""),
        (
            {"encoder": "vectors:x", "inference": "transduction", "vocabulary": "whole", "forms": "any"},
            "TRANSDUCTION – VP – BERT",
            "any words",
        ),
        (
            {"encoder": "pretrained:x", "inference": "transduction", "chosen": "answered"},
            "TRANSDUCTION",
            "answered",
        ),
        ({"encoder": "pretrained:x", "chosen": "answered"}, "RANKING", ""),
    ],
)
def test_rows_are_told_by_settings(settings: dict[str, Any], title: str, extra: str) -> None:
    usual = {"inference": "ranking", "vocabulary": "pruned", "forms": "well-formed", "links": "linker", "hops": 2}
    known = known_system(StudyModel("any name", "kbqa", {**usual, "beyond": "", **settings}, (0,)))
    assert isinstance(known, KnownSystem)
    assert (known.title, known.extra) == (title, extra)
    assert known.in_table3 == (not extra)


def test_json_is_one_object(made: KbqaResults) -> None:
    assert orjson.loads(orjson.dumps(made.to_dict()))["study"] == "films"
