"""`recombine.generate` is what the command does: the same values, the same files, the same options."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.datasets.generators import declared_options
from recombine.errors import InputWarning, OptionError, OutputFileError
from recombine.workbench.generate import GenerateResult

TWICE = "%start <S>\na: <S> -> x => y\nb: <S> -> x => y\nc: <S> -> z => y\n"


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["generate", *arguments])
    assert ended.value.code == 0
    printed = capsys.readouterr()
    return printed.out, printed.err


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["scan", "-n", "20", "--seed", "3"], {"n": 20, "seed": 3}),
        (["scan", "--max-depth", "4"], {"max_depth": 4}),
        (["covr", "-n", "20"], {"n": 20}),
    ],
    ids=["drawn", "all", "covr"],
)
def test_the_function_gives_what_the_command_prints(
    arguments: list[str], given: dict[str, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = command(capsys, *arguments, "--json", "-o", str(tmp_path / "command.jsonl"))
    printed = orjson.loads(out)
    made = recombine.generate(arguments[0], **given)
    assert list(made) == list(printed), "the same keys in the same order"
    differ = {"seconds", "file"}
    assert {key: made[key] for key in made if key not in differ} == {
        key: value for key, value in printed.items() if key not in differ
    }
    made.write(tmp_path / "function.jsonl")
    assert (tmp_path / "function.jsonl").read_bytes() == (tmp_path / "command.jsonl").read_bytes()


def test_the_result_prints_short() -> None:
    made = recombine.generate("scan", n=3, seed=1)
    assert isinstance(made, GenerateResult)
    assert str(made) == f"3 examples from 38 rules ({made.dataset})"
    assert "same_pair_dropped" in made._repr_html_()
    assert recombine.load(made.dataset) is made.dataset
    assert made.dataset.structures


def test_pairs_that_are_dropped_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "twice.grammar").write_text(TWICE)
    line = "1 derivations make pairs that others make too; each pair is kept once"
    with pytest.warns(InputWarning, match=line):
        made = recombine.generate(tmp_path / "twice.grammar")
    assert (made.same_pair_dropped, len(made.dataset)) == (1, 2)
    assert line in command(capsys, str(tmp_path / "twice.grammar"))[1]
    assert command(capsys, str(tmp_path / "twice.grammar"), "--quiet")[1] == ""


def test_a_bad_file_to_write_is_said_before_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong.grammar").write_text("%start")
    with pytest.raises(SystemExit):
        run(["generate", str(tmp_path / "wrong.grammar"), "-o", str(tmp_path / "absent" / "out.jsonl")])
    assert "absent" in capsys.readouterr().err
    with pytest.raises(OutputFileError):
        recombine.generate("scan", n=1).write(tmp_path / "absent" / "out.jsonl")
    with pytest.raises(OptionError, match="cannot tell the format"):
        recombine.generate("scan", n=1).write(tmp_path / "out")


def test_options_of_generators_are_those_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = command(capsys, "--help")
    options = recombine.generate.declared()  # type: ignore[attr-defined]
    assert options == declared_options()
    said = " ".join(out.split())  # a help text may go over lines
    for option in options:
        assert option.flag in out
        assert option.help in said


def test_a_seed_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="the seed is -1"):
        recombine.generate("scan", seed=-1)
