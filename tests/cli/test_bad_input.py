"""Bad input: one line that says what to do, exit code 2, nothing written."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from recombine.cli.main import run

SPLIT = ["--by", "random", "--test", "0.5", "-o", "out.json"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "binary.jsonl").write_bytes(b"\x89PNG\x00\x00")
    (tmp_path / "broken.jsonl").write_text('{"source": "a", "target": "b"}\n{"source": "a", "target"\n')
    (tmp_path / "twice.jsonl").write_text('{"id": "1", "source": "a", "target": "b"}\n' * 2)
    (tmp_path / "good.jsonl").write_text("".join(f'{{"source": "a {n}", "target": "b"}}\n' for n in range(10)))
    (tmp_path / "header.tsv").write_text("question\tquery\nhow many\tcount\nwho is it\tname\n")
    (tmp_path / "empty.tsv").touch()
    (tmp_path / "undefined.grammar").write_text("%start <S>\na: <S> -> <T> => x\n")
    (tmp_path / "other.json").write_text(
        '{"form": "recombine-split/1", "data": "x", "data_hash": "0", "signature": "by:hand|version:0.1.0", '
        '"parts": {"train": [], "test": []}}'
    )
    (tmp_path / "range.json").write_text('{"train": [0], "test": [10]}')
    return tmp_path


CASES = {
    "missing file": (["split", "nowhere.jsonl", *SPLIT], "nowhere.jsonl: no such file"),
    "directory": (["split", "folder.jsonl", *SPLIT], "folder.jsonl: is a directory"),
    "binary file": (["split", "binary.jsonl", *SPLIT], "binary.jsonl: is a binary file"),
    "broken line": (["split", "broken.jsonl", *SPLIT], "broken.jsonl, line 2: broken JSON"),
    "duplicate ids": (["split", "twice.jsonl", *SPLIT], "twice.jsonl, line 2: the id '1' stands already in line 1"),
    "too large": (["split", "good.jsonl", "--by", "random", "--test", "11", "-o", "out.json"], "but there are 10"),
    "negative seed": (["split", "good.jsonl", *SPLIT, "--seed", "-1"], "the seed is -1"),
    "negative seed of generate": (["generate", "scan", "--seed", "-1", "-o", "out.json"], "the seed is -1"),
    "unknown method": (["split", "good.jsonl", "--by", "randm", "-o", "out.json"], "did you mean 'random'"),
    "unknown data": (["split", "scam", *SPLIT], "did you mean 'scan'"),
    "unknown generator": (["generate", "scann"], "did you mean 'scan'"),
    "unknown format": (["split", "good.jsonl", *SPLIT, "--format", "cfg"], "did you mean 'cfq'"),
    "unknown definition": (["split", "scan", *SPLIT, "--structures", "dag"], "write for example dag:2-9,counts"),
    "unknown verb": (["splitt"], "splitt"),
    "unknown option": (["split", "good.jsonl", "--buy", "random"], "--buy"),
    "missing option": (["split", "good.jsonl"], "--by"),
    "wrong type": (["split", "good.jsonl", *SPLIT, "--seed", "one"], "--seed"),
    "undefined symbol": (
        ["generate", "undefined.grammar", "-o", "out.json"],
        "line 2, column 11: undefined symbol <T>",
    ),
    "split for other data": (["measure", "good.jsonl", "other.json"], "was made for x with content 0"),
    "line out of range": (["measure", "good.jsonl", "range.json"], "names line 10, but good has lines 0 to 9"),
    "unwritable": (["split", "good.jsonl", "--by", "random", "-o", "no/such/out.json"], "no/such does not exist"),
    "a directory to write to": (["generate", "scan", "-o", "folder.jsonl"], "folder.jsonl: is a directory"),
    "no format to write": (["generate", "scan", "-o", "out"], "cannot tell the format"),
    "no structures": (["split", "good.jsonl", *SPLIT, "--structures", "dag:2-4,counts"], "has no derivation"),
    "share of 1": (
        ["split", "good.jsonl", "--by", "random", "--test", "1.0", "-o", "out.json"],
        "share of test is 1.0",
    ),
    "template without a language": (
        ["split", "good.jsonl", "--by", "template", "--test", "2", "-o", "out.json"],
        "the language of good's targets is not known, so they have no templates; name it with --language",
    ),
    "selection by template without a language": (
        ["select", "good.jsonl", "--by", "template", "-k", "2", "-o", "out.jsonl"],
        "the language of good's targets is not known, so they have no templates; name it with --language",
    ),
    "a header that was not named": (
        ["split", "header.tsv", *SPLIT],
        "header.tsv, line 1: looks like a header (question, query)",
    ),
    "an empty file": (["split", "empty.tsv", *SPLIT], "empty.tsv: has no records"),
    "empty side": (
        ["split", "good.jsonl", "--by", "length:source", "--max-length", "2", "-o", "out.json"],
        "test would be empty",
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("as_json", [False, True], ids=["", "json"])
def test_bad_input(case: str, as_json: bool, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = CASES[case]
    before = sorted(path.name for path in here.rglob("*"))
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "--json"] if as_json else arguments)
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert sorted(path.name for path in here.rglob("*")) == before


def test_a_directory_without_permission(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A super-user may write anywhere, so the refusal is made rather than met.
    def refuse(*args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("recombine.files.tempfile.mkstemp", refuse)
    with pytest.raises(SystemExit) as ended:
        run(["split", "good.jsonl", *SPLIT])
    assert ended.value.code == 2
    assert "out.json: cannot be written (Permission denied)" in capsys.readouterr().err


def test_what_was_taken_for_granted_is_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "plain.tsv").write_text("jump\tI_JUMP\njump twice\tI_JUMP I_JUMP\n")

    def messages(*arguments: str) -> str:
        with pytest.raises(SystemExit) as ended:
            run(["split", "plain.tsv", *SPLIT, *arguments])
        assert ended.value.code == 0
        return capsys.readouterr().err

    said = messages("--json")
    assert said.count("\n") == 1
    assert said.startswith(
        "plain.tsv: no header with the columns 'source' and 'target', so line 1 is taken as an example"
    )
    assert messages() == said  # in each run anew
    assert messages("--quiet") == messages("-q") == messages("--source", "1", "--target", "2") == ""


def test_whole_texts_as_templates_are_said(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = "whole targets are the templates"
    with pytest.raises(SystemExit):
        run(["split", "scan", "--by", "template", "--test", "100", "-o", "out.json", "--json"])
    printed = capsys.readouterr()
    value = orjson.loads(printed.out)
    assert "|templates:texts|" in value["signature"]
    assert note in value["notes"][0]
    assert note in printed.err
    with pytest.raises(SystemExit):
        run(["select", "scan", "--by", "template", "-k", "2", "--json"])
    value = orjson.loads(capsys.readouterr().out)
    assert "|templates:texts|" in value["signature"]
    assert note in value["note"]
