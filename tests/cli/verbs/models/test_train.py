"""The verbs `train` and `predict`: parsers kept in folders, alone and with a fallback."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.models.load_parser import load_parser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.model import Nqg

DATA = ("data.jsonl", "split.json")


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    out, err = call(capsys, *arguments, "--json", "--quiet")
    assert err == ""
    value = orjson.loads(out)
    assert isinstance(value, dict)
    return value


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    out, err = call(capsys, *arguments, "--quiet", code=2)
    assert out == ""
    assert err.count("\n") == 1
    return err


def outputs(path: Path) -> dict[str, str]:
    rows = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert all(list(row) == ["id", "prediction"] for row in rows)
    return {row["id"]: row["prediction"] for row in rows}


@pytest.fixture
def trained(toy: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The toy data with a parser in `parser`."""
    as_json(capsys, "train", *DATA, "-o", "parser")
    return toy


def test_a_parser_is_trained_and_kept(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "train", *DATA, "--model", "nqg", "--seed", "3", "-o", "parser")
    assert (value["model"], value["examples"], value["folder"]) == ("nqg", 26, "parser")
    assert (value["valid_targets"], value["interrupted"]) == ("any", False)
    signature = recombine.Signature.parse(value["signature"])
    assert (signature.get("part"), signature.get("scorer"), signature.get("model_seed")) == ("train", "loglinear", "3")
    grammar = Qcfg.read("parser/grammar.txt")
    assert (len(grammar), grammar.signature) == (value["rules"], value["signature"])
    assert {str(rule): grammar.uses[rule] for rule in grammar}["NT_1 and NT_2 ### NT_1 NT_2"] == 15
    parser = load_parser("parser")
    assert isinstance(parser, Nqg)
    assert parser.settings.seed == 3
    assert parser.predict(["run thrice", "hop twice"]) == ["R R R", None]


def test_what_training_tells(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "train", *DATA, "-o", "parser", "--language", "actions", "--quiet")
    first, second, signature = out.rstrip().split("\n")
    assert first.endswith("rules; 26 examples; valid targets: those that parse as actions")
    assert second.startswith("written to parser in ")
    assert recombine.Signature.parse(signature).get("valid") == "actions"


def test_same_seed_same_bytes(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        as_json(capsys, "train", *DATA, "-o", name)
    for path in sorted((toy / "one").iterdir()):
        assert path.read_bytes() == (toy / "two" / path.name).read_bytes(), path.name


def test_the_signature_keeps_what_the_split_says(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, "split", "data.jsonl", "--by", "random", "--test", "5", "--seed", "7", "-o", "random.json")
    split = recombine.load_split("data.jsonl", "random.json").signature
    for verb in (("train", "data.jsonl", "random.json", "-o", "parser"), ("induce", "data.jsonl", "random.json")):
        made = recombine.Signature.parse(as_json(capsys, *verb, "--seed", "3")["signature"])
        assert dict(split.fields).items() <= dict(made.fields).items(), verb


def test_a_grammar_of_ones_own(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = "jump ### J\nrun ### R\nlook ### L\nNT_1 thrice ### NT_1 NT_1 NT_1\n"
    (toy / "grammar.txt").write_text(rules)
    value = as_json(capsys, "train", *DATA, "--grammar", "grammar.txt", "-o", "parser")
    assert (value["rules"], value["leftover_rules"]) == (4, None)
    assert recombine.Signature.parse(value["signature"]).get("grammar_file").startswith("grammar.txt@")
    assert load_parser("parser").predict(["run thrice", "run and look"]) == ["R R R", None]


def test_valid_targets(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toy / "targets.txt").write_text("ROOT => R R R\nROOT => J\n")
    options = ("--target-grammar", "targets.txt", "--language", "actions")
    value = as_json(capsys, "train", *DATA, *options, "-o", "parser")
    assert value["valid_targets"].startswith("grammar@")
    assert load_parser("parser").predict(["run thrice", "run"]) == ["R R R", None]
    value = as_json(capsys, "train", *DATA, "--any-target", "--language", "actions", "-o", "parser")
    assert value["valid_targets"] == "any"
    assert load_parser("parser").predict(["run"]) == ["R"]


def test_the_file_of_predictions(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "predict", "parser", *DATA, "-o", "out.jsonl")
    found = outputs(trained / "out.jsonl")
    assert sorted(found.values()) == ["", "R L", "R R R"]
    assert (value["n"], value["coverage"], value["precision"]) == (3, pytest.approx(2 / 3), 1.0)
    assert value["exact_match"] == pytest.approx(2 / 3) == value["parser"]["exact_match"]
    assert (value["fallback"], value["hybrid"], value["contrast"]) == (None, None, None)
    scored = as_json(capsys, "score", *DATA, "out.jsonl")
    for key in ("exact_match", "coverage", "precision", "abstained"):
        assert scored[key] == value[key], key
    assert as_json(capsys, "compare", *DATA, "out.jsonl", "out.jsonl")["same_outputs"] == 3


def test_what_predicting_tells(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, "predict", "parser", *DATA)
    lines = [line.rstrip() for line in out.rstrip().split("\n")]
    assert ["parser", "0.667", "1.000", "0.667"] in [line.split()[:4] for line in lines]
    assert lines[-1].startswith("data:data@")
    assert "nothing was written; give -o FILE to keep the predictions" in err
    signature = recombine.Signature.parse(lines[-1])
    assert signature.get("parser").startswith("parser@")
    assert signature.get("strict") == "no"


def test_strict_abstains_after_the_first(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toy / "two.jsonl").write_text(
        '{"id": "1", "source": "a", "target": "X"}\n{"id": "2", "source": "a", "target": "Y"}\n'
    )
    (toy / "both.json").write_text('{"train": [0, 0, 0, 1], "test": [1]}')
    (toy / "targets.txt").write_text("ROOT => Y\n")
    as_json(capsys, "train", "two.jsonl", "both.json", "--target-grammar", "targets.txt", "-o", "parser")
    assert as_json(capsys, "predict", "parser", "two.jsonl", "both.json")["exact_match"] == 1.0
    assert as_json(capsys, "predict", "parser", "two.jsonl", "both.json", "--strict")["coverage"] == 0.0
    as_json(capsys, "train", "two.jsonl", "both.json", "--target-grammar", "targets.txt", "--strict", "-o", "strict")
    assert as_json(capsys, "predict", "strict", "two.jsonl", "both.json")["coverage"] == 0.0


def test_a_file_as_fallback(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, "predict", "parser", *DATA, "-o", "own.jsonl")
    own = outputs(trained / "own.jsonl")
    # The fallback is right where the parser abstains, and wrong elsewhere.
    rows = [{"id": key, "prediction": "Q" if text else "H H"} for key, text in own.items()]
    (trained / "other.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    value = as_json(capsys, "predict", "parser", *DATA, "--fallback", "other.jsonl", "-o", "both.jsonl")
    assert value["exact_match"] == value["coverage"] == value["hybrid"]["exact_match"] == 1.0
    assert (value["parser"]["coverage"], value["parser"]["precision"]) == (pytest.approx(2 / 3), 1.0)
    assert value["fallback"]["exact_match"] == pytest.approx(1 / 3)
    # Two gained of two that differ: both fall on one side with chance 1/2.
    assert (value["contrast"]["only_second"], value["contrast"]["p_value"]) == (2, 0.5)
    assert sorted(outputs(trained / "both.jsonl").values()) == ["H H", "R L", "R R R"]
    out, _ = call(capsys, "predict", "parser", *DATA, "--fallback", "other.jsonl")
    assert "hybrid less fallback +0.667" in out
    assert "2 gained, 0 lost; McNemar's exact test p = 0.5" in out
    assert "it is right in 1.000, the fallback in 0.000" in out


def test_a_parser_as_fallback(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (trained / "grammar.txt").write_text("hop ### H\nNT_1 twice ### NT_1 NT_1\n")
    as_json(capsys, "train", *DATA, "--grammar", "grammar.txt", "-o", "other")
    value = as_json(capsys, "predict", "parser", *DATA, "--fallback", "other")
    assert (value["exact_match"], value["fallback"]["coverage"]) == (1.0, pytest.approx(1 / 3))


def test_the_time_is_that_of_all_the_work(
    trained: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that stands still but for the work: loading a parser takes 10 s, predicting with one 2 s, scoring one 1 s.
    now = [100.0]

    def takes(path: str, name: str, seconds: float) -> None:
        place = importlib.import_module(path)
        place = place.Source if name == "outputs" else place
        done = getattr(place, name)

        def slow(*arguments: Any, **options: Any) -> Any:
            now[0] += seconds
            return done(*arguments, **options)

        monkeypatch.setattr(place, name, slow)

    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    takes("recombine.models.load_parser", "load_parser", 10)
    takes("recombine.workbench.predict", "outputs", 2)
    takes("recombine.evaluation.score", "score", 1)
    shutil.copytree("parser", "other")
    value = as_json(capsys, "predict", "parser", *DATA, "--fallback", "other")
    times = [value[key] for key in ("seconds", "parser_seconds", "fallback_seconds")]
    assert times == [2 * 10 + 2 * 2 + 3 * 1, 2, 2]  # two parsers; they and the hybrid are scored
    out, _ = call(capsys, "predict", "parser", *DATA, "--fallback", "other")
    assert "3 examples in 27.0 s (parser 2.0 s, fallback 2.0 s)" in out
    alone = as_json(capsys, "predict", "parser", *DATA)
    assert [alone[key] for key in ("seconds", "parser_seconds", "fallback_seconds")] == [10 + 2 + 1, 2, None]
    out, _ = call(capsys, "predict", "parser", *DATA)
    assert "3 examples in 13.0 s\n" in out


def test_seq2seq_is_trained_and_predicts(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    value = as_json(capsys, "train", *DATA, "--model", "cfq:transformer", "--steps", "1", "-o", "parser")
    assert (value["steps"], value["symbols"]) == (1, 11)
    value = as_json(capsys, "predict", "parser", *DATA)
    assert value["abstained"] >= 1  # `hop` is not in its vocabulary
    assert "is no NQG parser, so --strict has no meaning" in refused(capsys, "predict", "parser", *DATA, "--strict")
    told = refused(capsys, "report", "split.json", "--data", "data.jsonl", "--parser", "parser", "-o", "page.html")
    assert "parser has no grammar" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("missing.jsonl",), "missing.jsonl: no such file"),
        ((*DATA, "--part", "dev"), "the dev part is empty, so there is nothing to learn from"),
        ((*DATA, "--model", "nqq"), "unknown model 'nqq'; did you mean 'nqg'?"),
        ((*DATA, "--model", "cfq:lstm", "--restarts", "2"), "the model cfq:lstm has no option --restarts"),
        ((*DATA, "--preset", "scan"), "unknown preset 'scan'"),
        ((*DATA, "--steps", "0"), "the number of steps is 0"),
        ((*DATA, "--members", "0"), "members is 0"),
        ((*DATA, "--scorer", "guess"), "unknown kind of scorer 'guess'"),
        ((*DATA, "--encoder", "x"), "--encoder is for the neural scorer"),
        ((*DATA, "--grammar", "data.jsonl", "--restarts", "2"), "--restarts is for an induction"),
        ((*DATA, "--grammar", "none.txt"), "none.txt: no such file"),
        ((*DATA, "--grammar", "split.json"), "split.json, line 1"),
        ((*DATA, "--target-grammar", "split.json"), "split.json, line 1, column 1: is not a production"),
        ((*DATA, "--target-grammar", "split.json", "--any-target"), "both --target-grammar and --any-target"),
    ],
)
def test_what_training_refuses(
    toy: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    assert told in refused(capsys, "train", *arguments, "-o", "parser")
    assert not (toy / "parser").exists()


def test_folders_that_cannot_be_written(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "data.jsonl: is a file" in refused(capsys, "train", *DATA, "-o", "data.jsonl")
    assert "has files, but no parser" in refused(capsys, "train", *DATA, "-o", str(toy))
    assert "the directory none does not exist" in refused(capsys, "train", *DATA, "-o", "none/parser")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("none", *DATA), "none: no such folder; give a folder that `recombine train` made"),
        (("split.json", *DATA), "split.json: is a file; give a folder"),
        (("empty", *DATA), "empty: holds no parser, since it has no model.json"),
        (("foreign", *DATA), "foreign: holds no parser, but 'other/1'"),
        (("parser", *DATA, "--part", "gen"), "the split has no part 'gen'"),
        (("parser", *DATA, "--part", "dev"), "the dev part is empty, so there is nothing to predict"),
        (("parser", *DATA, "--fallback", "none.jsonl"), "none.jsonl: no such file"),
        (("parser", *DATA, "--fallback", "empty"), "empty: holds no parser"),
        (("parser", *DATA, "--fallback", "short.jsonl"), "no prediction for 2 of 3 examples of test"),
        (("parser", *DATA, "-o", "none/out.jsonl"), "the directory none does not exist"),
    ],
)
def test_what_predicting_refuses(
    trained: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str
) -> None:
    (trained / "empty").mkdir()
    (trained / "foreign").mkdir()
    (trained / "foreign" / "model.json").write_text('{"form": "other/1"}')
    (trained / "short.jsonl").write_text('{"id": "28", "prediction": "H H"}\n')
    assert told in refused(capsys, "predict", *arguments)


def test_a_changed_file_is_noticed(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (trained / "parser" / "grammar.txt").write_text("run ### R\n")
    assert "is not the file that model.json was written with" in refused(capsys, "predict", "parser", *DATA)


def test_the_page(trained: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = ("report", "split.json", "--data", "data.jsonl", "--parser", "parser", "-o", "page.html")
    value = as_json(capsys, *page)
    written = (trained / "page.html").read_bytes()
    assert (value["file"], value["bytes"], value["kept"]) == ("page.html", len(written), 3)
    assert (value["coverage"], value["oracle"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert as_json(capsys, *page) == value
    assert (trained / "page.html").read_bytes() == written
    out, _ = call(capsys, *page)
    assert out.startswith("written to page.html (0.")
    both = ("report", "split.json", "data.jsonl", "--data", "data.jsonl", "--parser", "parser", "-o", "page.html")
    assert "a page on a parser is for one split, not 2" in refused(capsys, *both)
