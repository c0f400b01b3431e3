"""Deep programs through the verbs: as deep as permitted works end to end, deeper is one line, and in time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from deep_programs import DEEP, FLAT

from recombine.cli.main import run
from recombine.tree import MAX_DEPTH

OUT = ("-o", "out.json")
VERBS: dict[str, tuple[str, ...]] = {
    "split by template": ("split", "data.jsonl", "--by", "template", "--test", "0.3", *OUT),
    "split by tmcd": ("split", "data.jsonl", "--by", "tmcd", "--test", "0.3", *OUT),
    "select by template": ("select", "data.jsonl", "-k", "3", "--by", "template"),
    "select by structures": ("select", "data.jsonl", "-k", "3", "--by", "local-structure"),
    "measure": ("measure", "data.jsonl", "split.json"),
    "check": ("check", "data.jsonl", "split.json"),
    "difficulty": ("difficulty", "data.jsonl", "split.json"),
    "score": ("score", "data.jsonl", "split.json", "predictions.jsonl"),
    "report": ("report", "split.json", "--data", "data.jsonl", "-o", "out.html"),
}
SECONDS = 10
"""Of the processor: far above what a refusal takes, far below what a quadratic walk over 50,000 levels takes."""


def _write(name: str, records: list[dict[str, str]]) -> None:
    Path(name).write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


def make_data(make: Callable[[int], str], levels: int) -> None:
    """Ten examples, the last two deep and in test; predictions are the gold programs."""
    targets = [make(size) for size in (*range(5, 13), levels, levels - 1)]
    rows = [{"id": str(row), "source": f"q {row}", "target": target} for row, target in enumerate(targets)]
    _write("data.jsonl", rows)
    _write("predictions.jsonl", [{"id": row["id"], "prediction": row["target"]} for row in rows[5:]])
    Path("split.json").write_bytes(orjson.dumps({"train": [0, 1, 2, 3, 4], "test": [5, 6, 7, 8, 9]}))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ended(*arguments: str) -> object:
    with pytest.raises(SystemExit) as caught:
        run(list(arguments))
    return caught.value.code


@pytest.mark.parametrize("language", DEEP)
def test_the_largest_depth_works_end_to_end(language: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_data(DEEP[language], MAX_DEPTH)
    for name, verb in VERBS.items():
        assert ended(*verb, "--language", language) == 0, (name, capsys.readouterr().err)
    assert ended("show", "data.jsonl", "--json", "--language", language) == 0
    capsys.readouterr()
    assert ended("score", "data.jsonl", "split.json", "predictions.jsonl", "--json", "--language", language) == 0
    assert orjson.loads(capsys.readouterr().out)["exact_match"] == 1.0


@pytest.mark.parametrize("language", DEEP)
def test_deeper_programs_are_one_line(language: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_data(DEEP[language], 1_500)
    for name, verb in VERBS.items():
        assert ended(*verb, "--language", language, "--quiet") == 2, name
        error = capsys.readouterr().err
        assert error.count("\n") == 1, (name, error)
        both = re.match(r"error: data: 2 of [0-9]+ records cannot be read \(2 malformed\): line 9: ", error)
        assert both or error.startswith("error: data, example 8: the gold program cannot be read: ")
        remedy = "mend them" if both else "shorten the program, or leave the example out\n"
        assert f"more than {MAX_DEPTH} levels inside each other; {remedy}" in error
    assert not (here / "out.json").exists()
    assert not (here / "out.html").exists()


@pytest.mark.parametrize("language", DEEP)
def test_very_deep_programs_are_refused_in_time(language: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_data(DEEP[language], 50_000)
    begin = time.process_time()
    assert ended(*VERBS["split by template"], "--language", language) == 2
    assert f"more than {MAX_DEPTH} levels" in capsys.readouterr().err
    assert time.process_time() - begin < SECONDS


@pytest.mark.parametrize("language", FLAT)
def test_flat_languages_take_long_programs(language: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_data(FLAT[language], 1_500)
    for name, verb in VERBS.items():
        one_template = (language, name) == ("sparql", "split by template")  # a whole path is one placeholder
        wanted = 2 if one_template else 0
        assert ended(*verb, "--language", language) == wanted, (name, capsys.readouterr().err)
        if one_template:
            assert "error: all programs share one template; split by another method\n" in capsys.readouterr().err


@pytest.mark.parametrize("language", DEEP)
def test_predictions_that_are_too_deep_are_malformed(
    language: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_data(DEEP[language], 20)
    right, deep, very_deep = map(DEEP[language], (10, 1_500, 20_000))
    outputs = [right, deep, very_deep, DEEP[language](20), DEEP[language](19)]
    _write("predictions.jsonl", [{"id": str(row), "prediction": text} for row, text in enumerate(outputs, start=5)])
    assert ended("score", "data.jsonl", "split.json", "predictions.jsonl", "--json", "--language", language) == 0
    scored = orjson.loads(capsys.readouterr().out)
    assert (scored["exact_match"], scored["malformed"]) == (0.6, 2)
    outputs[2] = deep
    _write("others.jsonl", [{"id": str(row), "prediction": text} for row, text in enumerate(outputs, start=5)])
    assert ended("compare", "data.jsonl", "split.json", "others.jsonl", "others.jsonl", "--language", language) == 0


def test_a_deep_program_of_known_parts_is_refused_on_the_quick_way(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its every node stands in an earlier program, so that no language reads it a second time."""
    shallow, deep = DEEP["covr"](9), DEEP["covr"](MAX_DEPTH + 1)
    _write("data.jsonl", [{"source": "a", "target": shallow}, {"source": "b", "target": deep}])
    assert ended("select", "data.jsonl", "-k", "1", "--by", "local-structure", "--language", "covr") == 2
    assert "data, line 2: functional program" in capsys.readouterr().err


def test_grammars_of_deep_derivations_are_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain = "".join(f"r{n}: <S{n}> -> <S{n + 1}> => <S{n + 1}>\n" for n in range(1_500))
    Path("chain.grammar").write_text(f"%start <S0>\n{chain}e: <S1500> -> a => b\n")
    Path("list.grammar").write_text("%start <S>\nl: <S> -> a <S> => b <S>\ne: <S> -> a => b\n")
    for verb in (("chain.grammar",), ("list.grammar", "--max-depth", "5000")):
        assert ended("generate", *verb, "-o", "out.jsonl", "--quiet") == 2
        assert capsys.readouterr().err.startswith("error: derivations are too deep: their rules stand in too many ")
    assert ended("generate", "list.grammar", "--max-depth", "200", "-o", "out.jsonl", "--quiet") == 0
