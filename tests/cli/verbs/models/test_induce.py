"""The verb `induce`: what it prints, writes and refuses, and what an interrupt leaves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.codelength import codelength
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.workbench.given.short_forms import induction_table


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


def train_pairs(folder: Path) -> list[tuple[str, str]]:
    rows = [orjson.loads(line) for line in (folder / "data.jsonl").read_bytes().splitlines()]
    return [(rows[n]["source"], rows[n]["target"]) for n in orjson.loads((folder / "split.json").read_bytes())["train"]]


def test_what_is_written_and_told(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "induce", "data.jsonl", "split.json", "-o", "grammar.txt")
    grammar = Qcfg.read("grammar.txt")
    assert (value["rules"], value["file"], value["leftover_rules"]) == (len(grammar), "grammar.txt", 0)
    assert (value["examples"], value["distinct"], value["searched"]) == (26, 26, 26)
    found = codelength(grammar, train_pairs(toy))
    assert (
        value["codelength"] == pytest.approx(found.total) == pytest.approx(value["grammar_bits"] + value["data_bits"])
    )
    assert (value["slots"], value["terminals"]) == (found.slots, found.terminals)
    assert value["signature"] == grammar.signature
    signature = recombine.Signature.parse(value["signature"])
    assert (signature.get("part"), signature.get("settings"), signature.get("model")) == ("train", "default", "nqg")
    lines = (toy / "grammar.txt").read_text().splitlines()
    # run: alone, twice, and in six pairs, of which "run and run" counts once; "run and look" is tested.
    assert {line for line in lines if line.startswith("run #")} == {"run ### R ### 8"}
    assert "NT_1 and NT_2 ### NT_1 NT_2 ### 15" in lines


def test_what_a_person_reads(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, "induce", "data.jsonl", "split.json", "--quiet")
    lines = [line.rstrip() for line in out.rstrip().split("\n")]
    assert lines[1].strip() == "induced from train of split.json"
    assert any(line.split()[:1] == ["15"] and line.endswith("NT_1 and NT_2 ### NT_1 NT_2") for line in lines)
    assert lines[-1].startswith("data:data@")
    assert all(len(line) <= 100 for line in lines[:-1])
    assert err == ""
    _, err = call(capsys, "induce", "data.jsonl", "split.json")
    assert "nothing was written; give -o FILE to keep the grammar" in err


def test_all_the_data_without_a_split(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "induce", "data.jsonl")
    assert (value["examples"], recombine.Signature.parse(value["signature"]).get("part")) == (29, "all")


def test_options_stand_in_the_signature(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = as_json(capsys, "induce", "data.jsonl", "split.json")["signature"]
    for options in (
        ("--preset", "nqg:scan"),
        ("--restarts", "3"),
        ("--sample", "9"),
        ("--terminal-bits", "4"),
        ("--search-terminal-bits", "4"),
        ("--no-repeated-targets",),
        ("--no-balance-parentheses",),
        ("--effort", "2"),
        ("--seed", "5"),
    ):
        assert as_json(capsys, "induce", "data.jsonl", "split.json", *options)["signature"] != base, options


def test_a_smaller_sample_leaves_examples_as_rules(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = as_json(capsys, "induce", "data.jsonl", "split.json", "--sample", "4", "-o", "grammar.txt")
    assert (value["searched"], value["leftover_rules"], value["rules"]) == (4, 22, 26)
    parser = ChartParser(Qcfg.read("grammar.txt"))
    assert all(parser.derives(source.split(), target.split()) for source, target in train_pairs(toy))


def test_an_interrupt_gives_the_grammar_so_far(
    toy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def interrupted(*_: Any, **__: Any) -> None:
        calls.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr("recombine.models.nqg.induction.induce.refine", interrupted)
    out, err = call(capsys, "induce", "data.jsonl", "split.json", "-o", "grammar.txt", "--json", code=130)
    assert calls == [1]
    assert orjson.loads(out)["interrupted"]
    assert "interrupted: this is the best grammar until then" in err
    grammar = Qcfg.read("grammar.txt")
    assert recombine.Signature.parse(grammar.signature).get("interrupted") == "yes"
    parser = ChartParser(grammar)
    assert all(parser.derives(source.split(), target.split()) for source, target in train_pairs(toy))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("missing.jsonl",), "missing.jsonl: no such file"),
        (("data.jsonl", "missing.json"), "missing.json"),
        (("data.jsonl", "split.json", "--part", "gen"), "the split has no part 'gen'; its parts are train, dev, test"),
        (("data.jsonl", "split.json", "--part", "dev"), "the dev part is empty, so there is nothing to learn from"),
        (("data.jsonl", "--preset", "nqg:sca"), "unknown preset 'nqg:sca'; did you mean 'nqg:scan'?"),
        (("data.jsonl", "--restarts", "0"), "restarts is 0; give 1 or more"),
        (("data.jsonl", "--terminal-bits", "0"), "terminal_bits is 0.0; give a number above 0"),
        (("data.jsonl", "--seed", "-1"), "seed"),
        (("data.jsonl", "-o", "none/grammar.txt"), "the directory none does not exist"),
        (("broken.jsonl",), "broken, example e4595dc9ec09c8a3: the target has a line break"),
        (("empty.jsonl",), "empty, example 1: the target is empty"),
    ],
)
def test_what_is_refused(toy: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str) -> None:
    (toy / "broken.jsonl").write_text('{"source": "a", "target": "b\\nc"}\n')
    (toy / "empty.jsonl").write_text('{"id": "1", "source": "a", "target": " "}\n')
    out, err = call(capsys, "induce", *arguments, "--quiet", code=2)
    assert out == ""
    assert told in err
    assert err.count("\n") == 1


def test_tokens_that_look_like_marks(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toy / "marks.jsonl").write_text('{"source": "a ### NT_1", "target": "NT_2\\tx # ###"}\n')
    as_json(capsys, "induce", "marks.jsonl", "-o", "grammar.txt")
    (rule,) = Qcfg.read("grammar.txt")
    assert (rule.source, rule.target) == (("a", "###", "NT_1"), ("NT_2\tx", "#", "###"))


def test_the_defaults_in_the_documentation_are_true() -> None:
    page = (Path(__file__).parents[4] / "docs" / "nqg.md").read_text()
    settings = InductionSettings()
    told = dict(re.findall(r"^\| `--([a-z-]+)` \| ([0-9]+) \|", page, flags=re.MULTILINE))
    assert set(told) == {"restarts", "sample", "terminal-bits", "search-terminal-bits", "effort", "seed"}
    for name, value in told.items():
        assert float(value) == getattr(settings, name.replace("-", "_")), name
    assert f"\n\n{induction_table()}\n| `--seed` |" in page, "take it from `induction_table`"
