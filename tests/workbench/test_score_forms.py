"""Scores of logical forms as the verb gives them: a language model's SPARQL, end to end, and S-expressions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from valley import KINDS, WAYS, Valley, valley

import recombine
from recombine.cli.main import run
from recombine.errors import InputFileError, OptionError, RecordError, UnknownNameError

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
pytestmark = pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")


@pytest.fixture(scope="module")
def made() -> Valley:
    return valley()


@pytest.fixture(scope="module")
def folder(made: Valley, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("valley")
    made.write_files(place)
    recombine.kb_build(place / "valley.ttl", place / "valley.kb", profile=place / "valley.toml")
    return place


def scored(folder: Path, **options: Any) -> Any:
    files = (folder / "valley.jsonl", folder / "valley_split.json", folder / "valley_outputs.jsonl")
    return recombine.score(*files, language="sparql11", world=folder / "valley.kb", **options)


@pytest.fixture(scope="module")
def whole(folder: Path) -> Any:
    return scored(
        folder,
        metric=["isomorphic"],
        answers=True,
        by="level,relations,function,answers",
        shown=folder / "valley_shown.jsonl",
        robustness=True,
    )


def counts(labels: dict[str, str]) -> dict[str, int]:
    return dict(Counter(labels.values()))


def test_every_verdict_is_the_one_that_its_way_of_writing_asks_for(made: Valley, whole: Any) -> None:
    verdicts = dict(zip(whole.score.ids, map(str, whole.score.verdicts["strict"]), strict=True))
    assert verdicts == made.verdicts()
    assert {name for name, count in whole["verdicts"]["strict"].items() if count} == {
        *("right", "wrong", "malformed", "unsupported", "abstained"),
    }


def test_malformed_unsupported_and_wrong_are_told_apart_by_exact_match_too(made: Valley, whole: Any) -> None:
    verdicts = dict(zip(whole.score.ids, map(str, whole.score.verdicts["exact_match"]), strict=True))
    wanted = {key: "wrong" if made.ways[key] == "backwards" else word for key, word in made.verdicts().items()}
    assert verdicts == wanted
    assert whole["malformed"] == counts(made.verdicts())["malformed"]


def test_what_was_let_pass_is_counted(made: Valley, whole: Any) -> None:
    wanted = Counter(name for way in made.ways.values() for name in WAYS[way].leniencies)
    assert whole["leniencies"] == dict(wanted)
    assert set(wanted) == {"fence", "prose", "undeclared_prefix"}


def test_levels_are_against_what_each_prompt_showed(made: Valley, whole: Any) -> None:
    groups = {group["group"]: group["n"] for group in whole["by"]["level"]}
    assert groups == counts(made.levels)
    assert list(groups) == ["i.i.d.", "compositional", "zero-shot"]
    for group in whole["by"]["level"]:
        right = sum(made.levels[key] == group["group"] and word == "right" for key, word in made.verdicts().items())
        assert group["strict"]["right"] == right
        assert group["strict"]["accuracy"] == right / group["n"]
        low, high = group["strict"]["interval"]
        assert low <= group["strict"]["accuracy"] <= high


def test_against_train_the_levels_are_others(folder: Path, whole: Any) -> None:
    """All kinds are in train, so that nothing is new there."""
    done = scored(folder, by="level")
    assert [(group["group"], group["n"]) for group in done["by"]["level"]] == [("i.i.d.", 60)]
    assert "levels:train" in done.signature
    assert "levels:shown@" in whole.signature


@pytest.mark.parametrize(("axis", "place"), [("relations", "relations"), ("function", "function")])
def test_groups_by_the_shape_of_the_gold_query(made: Valley, whole: Any, axis: str, place: str) -> None:
    wanted = counts({key: getattr(KINDS[kind], place) for key, kind in made.kinds.items()})
    assert {group["group"]: group["n"] for group in whole["by"][axis]} == wanted


def test_groups_by_the_number_of_executed_answers(whole: Any) -> None:
    groups = {group["group"]: group["n"] for group in whole["by"]["answers"]}
    answers = [score.gold for score in (whole.answers.of[key] for key in whole.score.ids)]
    assert groups == {"0": answers.count(0), "1": answers.count(1), ">1": sum(number > 1 for number in answers)}
    assert sum(groups.values()) == 60


def test_f1_is_of_executed_answers(made: Valley, whole: Any) -> None:
    """A right query has F1 1, and so may a wrong one have some; what gives no answers has none."""
    f1 = {key: whole.answers.of[key].f1 for key in whole.score.ids}
    for key, word in made.verdicts().items():
        assert f1[key] == 1 if word == "right" else f1[key] == 0 if word != "wrong" else 0 <= f1[key] <= 1, key
    assert any(0 < f1[key] < 1 for key, way in made.ways.items() if way == "too much")
    assert whole["answers"]["f1"] == pytest.approx(sum(f1.values()) / 60)
    for group in whole["by"]["level"]:
        own = [f1[key] for key, level in made.levels.items() if level == group["group"]]
        assert group["answer_f1"]["mean"] == pytest.approx(sum(own) / len(own))
        low, high = group["answer_f1"]["interval"]
        assert low <= group["answer_f1"]["mean"] <= high
    assert {name: whole["answers"][name] for name in ("malformed", "unsupported", "abstained")} == {
        name: counts(made.verdicts())[name] for name in ("malformed", "unsupported", "abstained")
    }


@pytest.mark.parametrize("grouping", ["paraphrase", "template"])
def test_bounds_within_groups(made: Valley, whole: Any, grouping: str) -> None:
    labels = (
        made.kinds if grouping == "template" else {key: (made.kinds[key], made.wordings[key]) for key in made.kinds}
    )
    verdicts = made.verdicts()
    lower = upper = 0
    for label in set(labels.values()):
        members = [verdicts[key] == "right" for key, own in labels.items() if own == label]
        lower += len(members) * all(members)
        upper += len(members) * any(members)
    found = whole["robustness"][grouping]["strict"]
    assert (found["lower"], found["upper"]) == (lower / 60, upper / 60)
    assert (found["n"], found["groups"]) == (60, len(set(labels.values())))
    assert found["lower"] <= found["accuracy"] == whole["strict"] <= found["upper"]
    assert whole["robustness"]["unslotted"] == 0


def test_the_file_of_judged_outputs_has_every_verdict(made: Valley, whole: Any, tmp_path: Path) -> None:
    whole.write(tmp_path / "judged.jsonl")
    rows = [orjson.loads(line) for line in (tmp_path / "judged.jsonl").read_bytes().splitlines()]
    assert {row["id"]: row["verdicts"]["strict"] for row in rows} == made.verdicts()


def test_the_files_of_the_documentation_are_these(made: Valley, tmp_path: Path) -> None:
    made.write_files(tmp_path)
    for path in tmp_path.iterdir():
        assert (EXAMPLES / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_command_prints_what_the_function_gives(
    folder: Path, whole: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ["score", "valley.jsonl", "valley_split.json", "valley_outputs.jsonl", "--language", "sparql11"]
    words += ["--kb", "valley.kb", "--metric", "isomorphic", "--answers", "--by", "level,relations,function,answers"]
    words += ["--shown", "valley_shown.jsonl", "--robustness"]
    with pytest.raises(SystemExit) as ended:
        run([*words, "--json"])
    assert ended.value.code == 0
    out = capsys.readouterr()
    assert orjson.loads(out.out) == {**whole.to_dict(), "file": None}
    assert "compared without an ontology" in out.err
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        run(words)
    printed = capsys.readouterr().out
    for text in ("by level", "by answers", "bounds by", "unsupported", "let pass in reading outputs: fence"):
        assert text in printed
    assert max(len(line) for line in printed.split("\n") if line.startswith(" ")) <= 100


# -- S-expressions, and what does not fit together ----------------------------------------------------------------


FORMS = [
    ("films of Ann", "(AND film.film (JOIN film.film.director m.0a))", {"topic_entity": {"m.0a": "Ann"}}),
    ("films of Bo", "(AND film.film (JOIN film.film.director m.0b))", {"topic_entity": {"m.0b": "Bo"}}),
    ("what did Ann make", "(JOIN film.film.director m.0a)", {"topic_entity": {"m.0a": "Ann"}}),
    ("how many films did Bo make", "(COUNT (JOIN film.film.director m.0b))", {"topic_entity": {"m.0b": "Bo"}}),
]


@pytest.fixture
def forms(tmp_path: Path) -> Path:
    rows = [
        {"id": str(number), "source": source, "target": target, "answers": ["x"] * number, "level": "i.i.d.", **tags}
        for number, (source, target, tags) in enumerate(FORMS)
    ]
    (tmp_path / "forms.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    (tmp_path / "split.json").write_text('{"train": [0], "test": [1, 2, 3]}')
    ontology = tmp_path / "ontology"
    ontology.mkdir()
    (ontology / "fb_roles").write_text("film.film film.film.director people.person\n")
    (ontology / "fb_types").write_text("film.film meta.subclassOf common.work .\n")
    (ontology / "reverse_properties").write_text("film.film.director\tfilm.director.films\n")
    return tmp_path


def score_forms(forms: Path, outputs: dict[str, str] | None = None, **options: Any) -> Any:
    given = outputs or {"1": FORMS[1][1], "2": FORMS[0][1], "3": "(COUNT m.0b"}
    options = {"language": "sexpression", "ontology": forms / "ontology", **options}
    return recombine.score(forms / "forms.jsonl", forms / "split.json", given, **options)


def test_templates_are_told_under_the_ontology(forms: Path) -> None:
    """With it, the class that the relation implies is gone, and the second question has a template that train has."""
    done = score_forms(forms, by=["level", "answers"], robustness=True)
    assert [(group["group"], group["n"]) for group in done["by"]["level"]] == [("i.i.d.", 2), ("zero-shot", 1)]
    assert [(group["group"], group["n"]) for group in done["by"]["answers"]] == [("1", 1), (">1", 2)]
    assert (done["strict"], done["exact_match"]) == (2 / 3, 1 / 3)
    assert done["robustness"]["template"]["strict"]["groups"] == 2
    assert done["robustness"]["paraphrase"]["strict"]["groups"] == 3


def test_levels_as_a_field_says_them(forms: Path) -> None:
    done = score_forms(forms, by="level", levels="level")
    assert [(group["group"], group["n"]) for group in done["by"]["level"]] == [("i.i.d.", 3)]
    assert "levels:field=level" in done.signature
    with pytest.raises(UnknownNameError, match="unknown field of example 1"):
        score_forms(forms, by="level", levels="difficulty")
    with pytest.raises(RecordError, match="the field 'answers' is"):
        score_forms(forms, by="level", levels="answers")


def test_questions_without_names_cannot_be_slotted(forms: Path) -> None:
    rows = [orjson.loads(line) for line in (forms / "forms.jsonl").read_bytes().splitlines()]
    for row in rows:
        del row["topic_entity"]
    (forms / "forms.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    with pytest.warns(UserWarning, match="3 of 3 questions cannot be slotted: the data has no names"):
        done = score_forms(forms, robustness=True)
    assert done["robustness"]["paraphrase"] is None
    assert done["robustness"]["unslotted"] == 3
    assert done["robustness"]["template"]["strict"]["groups"] == 2


def test_a_question_that_does_not_show_its_name_is_counted(forms: Path) -> None:
    rows = [orjson.loads(line) for line in (forms / "forms.jsonl").read_bytes().splitlines()]
    rows[2]["source"] = "what did she make"
    (forms / "forms.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    with pytest.warns(UserWarning, match="1 of 3 questions cannot be slotted: they do not show all"):
        done = score_forms(forms, robustness=True)
    assert done["robustness"]["paraphrase"]["strict"]["groups"] == 3


MISTAKES = [
    ({"by": "levels"}, UnknownNameError, "did you mean 'level'"),
    ({"by": "function", "shown": "x.jsonl"}, OptionError, "--shown says what levels are told by, and none are asked"),
    ({"levels": "level"}, OptionError, "--levels says what levels are told by"),
    ({"by": "level", "shown": "x", "levels": "level"}, OptionError, "not by both"),
    ({"metric": "strikt"}, UnknownNameError, "did you mean 'strict'"),
    ({"answers": True}, OptionError, "answers are executed over a knowledge base, and forms has none"),
]


@pytest.mark.parametrize(("options", "error", "message"), MISTAKES)
def test_options_that_do_not_fit(forms: Path, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        score_forms(forms, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "relations"}, "--by relations is for logical forms"),
        ({"robustness": True}, "--robustness is for logical forms"),
        ({"ontology": "somewhere"}, "--ontology is for logical forms"),
        ({"profile": "freebase"}, "--profile is for logical forms"),
        ({"metric": "strict"}, "the metric strict compares logical forms"),
    ],
)
def test_what_is_for_forms_is_refused_elsewhere(options: dict[str, Any], message: str) -> None:
    data = recombine.load([("jump", "I_JUMP"), ("run", "I_RUN")], language="actions")
    made = recombine.split(data, by="random", train=1, test=1)
    with pytest.raises(OptionError, match=message):
        recombine.score(data, made, {made.test[0]: "I_RUN"}, **options)


def test_levels_are_told_for_other_languages_too() -> None:
    data = recombine.load([("jump", "count ( dog )"), ("run", "exists ( dog )")], language="functional")
    made = recombine.split(data, by="random", train=1, test=1)
    done = recombine.score(data, made, {made.test[0]: "count ( dog )"}, by="level")
    assert [group["group"] for group in done["by"]["level"]] == ["zero-shot"]


def test_a_prompt_that_is_not_said(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "valley_shown.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "shown.jsonl").write_bytes(b"".join(lines[1:]))
    with pytest.raises(InputFileError, match=r"has no line for 1 of 60 examples of test, the first is asked-00"):
        scored(folder, by="level", shown=tmp_path / "shown.jsonl")


def test_no_train_to_tell_levels_against(forms: Path) -> None:
    (forms / "split.json").write_text('{"train": [], "test": [1, 2, 3]}')
    with pytest.raises(OptionError, match="levels are told against train, and the split has no train part"):
        score_forms(forms, by="level")


def test_an_ontology_of_another_shape(forms: Path) -> None:
    (forms / "ontology" / "fb_roles").write_text("only two\n")
    with pytest.raises(RecordError, match="is not of the form `domain relation range`"):
        score_forms(forms)


def test_two_systems_under_an_ontology(forms: Path) -> None:
    first = {"1": FORMS[1][1], "2": FORMS[0][1], "3": FORMS[3][1]}
    second = {"1": FORMS[1][1], "2": FORMS[2][1], "3": "(COUNT m.0b)"}
    compared = recombine.compare(
        *(forms / "forms.jsonl", forms / "split.json", first, second),
        language="sexpression",
        ontology=forms / "ontology",
    )
    assert compared["strict"]["both"] == 2
    assert (compared["strict"]["first"], compared["exact_match"]["first"]) == (1, 2 / 3)
    assert compared["first"]["verdicts"]["strict"]["right"] == 3


@pytest.mark.shared_data
def test_grailqa_by_level(data_dir: Path, tmp_path: Path) -> None:
    """Items 1, 6, 11 … as test, the rest train: 66, 5 and 49 (issue 18)."""
    del data_dir
    data = recombine.load("grailqa")
    test = list(range(0, 600, 5))
    (tmp_path / "split.json").write_bytes(orjson.dumps({"train": [row for row in range(600) if row % 5], "test": test}))
    outputs = {data[row].id: data[row].target for row in test}
    done = recombine.score("grailqa", tmp_path / "split.json", outputs, by="level", robustness=True)
    assert [(group["group"], group["n"]) for group in done["by"]["level"]] == [
        *(("i.i.d.", 66), ("compositional", 5), ("zero-shot", 49)),
    ]
    assert done["strict"] == done["exact_match"] == 1
    assert done["robustness"]["unslotted"] == 0
