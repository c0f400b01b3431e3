"""`recombine show` draws programs, and writes data to files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(list(arguments))
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


def write(path: Path, *targets: str, **fields: Any) -> str:
    path.write_bytes(b"".join(orjson.dumps({"source": "q", "target": t, **fields}) + b"\n" for t in targets))
    return str(path)


def test_a_program_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "a.jsonl", "answer ( intersection ( state , next_to_2 ( m0 ) ) )", kind="x", n=[1])
    out, _ = call(capsys, "show", path, "--language", "funql")
    assert lines(out)[1:] == [
        "  source  q",
        "  target  answer ( intersection ( state , next_to_2 ( m0 ) ) )",
        "  kind    x",
        "  n       [1]",
        "  program",
        "    answer",
        "    └── intersection",
        "        ├── state",
        "        └── next_to_2(m0)",
        "",
        f"{recombine.load(path)}: 1 examples",
    ]
    out, _ = call(capsys, "show", path, "--language", "funql", "--json")
    found = orjson.loads(out)["examples"][0]
    assert found["program"] == ["answer", ["intersection", "state", ["next_to_2", "m0"]]]
    assert found["program_error"] is None


def test_the_context_of_an_example_is_shown_where_it_has_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.jsonl", "t", scene="s7", seen=[1, {"b": None}], kind="x")
    out, _ = call(capsys, "show", path, "--json")
    assert "context" not in orjson.loads(out)["examples"][0]
    (tmp_path / "a.jsonl.meta.json").write_bytes(orjson.dumps({"context": ["scene", "seen"]}))
    out, _ = call(capsys, "show", path)
    assert lines(out)[1:6] == [
        "  source         q",
        "  target         t",
        "  context.scene  s7",
        '  context.seen   [1,{"b":null}]',
        "  kind           x",
    ]
    out, _ = call(capsys, "show", path, "--json")
    assert orjson.loads(out)["examples"][0]["context"] == {"scene": "s7", "seen": [1, {"b": None}]}
    assert "<th style='text-align:left'>context.scene</th>" in recombine.show(path)._repr_html_()


def test_a_file_of_another_program_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "b.jsonl.meta.json"
    theirs.write_text('{"made_by": "another program"}')
    path = write(tmp_path / "a.jsonl", "t")
    for verb in (["show", path], ["select", path, "-k", "1", "--by", "random"], ["generate", "covr", "-n", "1"]):
        _, error = call(capsys, *verb, "-o", str(tmp_path / "b.jsonl"), code=2)
        assert "the name of its sidecar is taken" in error
        assert theirs.read_text() == '{"made_by": "another program"}'


def test_without_a_language_there_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "show", write(tmp_path / "a.jsonl", "answer ( m0 )"))
    assert "program" not in out


def test_a_program_that_cannot_be_read_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "a.jsonl", "answer ( m0")
    out, _ = call(capsys, "show", path, "--language", "funql")
    assert "  no program: FunQL program, column" in out
    out, _ = call(capsys, "show", path, "--language", "funql", "--json")
    found = orjson.loads(out)["examples"][0]
    assert found["program"] is None
    assert "column" in found["program_error"]


def test_long_words_are_not_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "show", write(tmp_path / "a.jsonl", "§" * 250))
    assert out.count("§") == 250
    assert max(map(len, lines(out))) <= 100


def test_all_of_the_data_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "a.jsonl", "x", "y", "x")
    out, _ = call(capsys, "show", path, "-n", "1", "-o", str(tmp_path / "b.tsv.gz"))
    assert lines(out)[-1].endswith(f"3 examples → {tmp_path / 'b.tsv.gz'}")
    assert recombine.load(tmp_path / "b.tsv.gz").hash == recombine.load(path).hash
    out, _ = call(capsys, "show", path, "--json", "-o", str(tmp_path / "c.jsonl"))
    assert orjson.loads(out)["file"] == str(tmp_path / "c.jsonl")


@pytest.fixture
def spider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "spider").mkdir()
    columns = [[-1, "*"], [0, "ID"], [0, "Name"]]
    tables = [{"db_id": "dogs", "table_names_original": ["Dogs"], "column_names_original": columns}]
    (tmp_path / "spider" / "tables.json").write_bytes(orjson.dumps(tables))
    return write(tmp_path / "a.jsonl", "select 1", db_id="dogs")


def test_schemas_are_appended(spider: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = str(tmp_path / "b.jsonl")
    out, err = call(capsys, "show", spider, "--append-schema", "-o", written)
    assert "  source  q | dogs : id , name" in out
    assert "the schemas of 1 databases appended to 1 sources; 0 were longer than 512 tokens" in err
    back = recombine.load(written)
    assert (back[0].source, back[0].id) == ("q | dogs : id , name", recombine.load(spider)[0].id)


def test_cut_schemas_are_counted(spider: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, "show", spider, "--append-schema", "--schema-limit", "4", "--json")
    value = orjson.loads(out)
    assert value["schemas"] == {"examples": 1, "databases": 1, "limit": 4, "truncated": 1, "longest": 7}
    assert value["examples"][0]["source"] == "q | dogs :"
    assert "1 were longer than 4 tokens" in err
    _, err = call(capsys, "show", spider, "--append-schema", "--quiet")
    assert err == ""


def test_bad_options(spider: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["--schema-limit", "4"], "add --append-schema"),
        (["--append-schema", "--schema-limit", "0"], "cannot cut sources to 0 tokens"),
        (["-o", str(tmp_path / "b.xlsx")], "cannot tell the format"),
        (["-n", "0"], "cannot show 0 examples"),
    ):
        out, err = call(capsys, "show", spider, *arguments, code=2)
        assert out == ""
        assert message in err
        assert err.count("\n") == 1
    assert not (tmp_path / "b.xlsx").exists()


@pytest.mark.shared_data
@pytest.mark.parametrize("data", ["spider/ssp", "cfq/mcd1", "cogs", "atis", "overnight", "covr/text", "schema2qa"])
def test_every_data_set_is_shown(data: str, data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "show", data, "-n", "2", "--seed", "3")
    assert out.count("  program\n") == 2
    assert "no program" not in out
    assert max(map(len, lines(out))) <= 100
