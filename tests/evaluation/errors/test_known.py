"""Error types of languages: those of the package, and one that is registered."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import OptionError
from recombine.evaluation.errors.breakdown import breakdown
from recombine.evaluation.errors.known import (
    ALWAYS,
    ERRORS,
    OWN_KEYS,
    ErrorAnalysis,
    ErrorTable,
    find_analysis,
    register_errors,
)
from recombine.evaluation.score import score
from recombine.languages.known import find_language
from recombine.records.split import parse_split

PAIRS = [("jump", "I_JUMP"), ("run", "I_RUN"), ("walk", "I_WALK")]


@dataclass(frozen=True)
class Shouts:
    """Outputs that are not in capitals."""

    outputs: int
    small: int

    def to_record(self) -> dict[str, Any]:
        return {"outputs": self.outputs, "small": self.small, "share": self.small / self.outputs}


def shouts(pairs: Any) -> Shouts:
    given = [output for _, output in pairs]
    return Shouts(len(given), sum(output != output.upper() for output in given))


SHOUTS = ErrorAnalysis("shouts", shouts, signature={"capitals": "all"})


def test_the_package_has_those_of_queries_and_logical_forms() -> None:
    assert list(ERRORS) == ["sparql", "sql", "sexpression", "sparql11"]
    assert [analysis.name for analysis in ERRORS.values()] == [*ALWAYS, "kbqa", "kbqa"]
    assert find_analysis(None) is None
    assert find_analysis(find_language("funql")) is None
    sql = find_analysis(find_language("sql"))
    assert sql is not None
    assert sql.name == "sql_parts"


def test_a_registered_type_has_its_key_for_its_language_alone() -> None:
    register_errors("actions", SHOUTS)
    records = {}
    for language in ("actions", "functional", None):
        data = recombine.load(PAIRS, language=language)
        split = parse_split({"train": [0], "test": [1, 2]}, "here", data, [example.id for example in data])
        scored = score(data, split, dict(zip(split.test, ["i_run", "I_WALK"], strict=True)))
        found = breakdown(data, split, scored)
        records[language] = found.to_record()
        assert (found.sparql, found.sql_parts) == (None, None)
        assert found.signature.get("capitals") == ("all" if language == "actions" else "")
    assert records["actions"]["shouts"] == {"outputs": 2, "small": 1, "share": 0.5}
    assert set(records["actions"]) - set(records["functional"]) == {"shouts"}
    assert set(records["functional"]) == set(records[None]) == {*ALWAYS, *OWN_KEYS}


def written(folder: Path) -> list[str]:
    rows = [{"id": str(n), "source": s, "target": t} for n, (s, t) in enumerate(PAIRS)]
    (folder / "data.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    (folder / "split.json").write_text('{"train": [0], "test": [1, 2]}')
    (folder / "p.jsonl").write_text('{"id": "1", "prediction": "i_run"}\n{"id": "2", "prediction": "I_WALK"}\n')
    return ["score", *(str(folder / name) for name in ("data.jsonl", "split.json", "p.jsonl")), "--language", "actions"]


@pytest.mark.parametrize("own_tables", [False, True])
def test_the_command_shows_it(own_tables: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def tables(found: Shouts) -> list[ErrorTable]:
        return [ErrorTable(("not in capitals", "%", "count"), [("outputs", f"{50:.1f}", f"{found.small}")])]

    register_errors("actions", ErrorAnalysis("shouts", shouts, tables=tables if own_tables else None))
    with pytest.raises(SystemExit, match="0"):
        run([*written(tmp_path), "--errors", "--quiet"])
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.split("\n")]
    if own_tables:
        assert "not in capitals % count" in lines
        assert "outputs 50.0 1" in lines
    else:
        assert lines[lines.index("shouts value") + 2 :][:3] == ["outputs 2", "small 1", "share 0.500"]


@pytest.mark.parametrize("name", [*ALWAYS, *OWN_KEYS])
def test_no_type_takes_the_place_of_another(name: str) -> None:
    with pytest.raises(OptionError, match="cannot be named"):
        register_errors("actions", ErrorAnalysis(name, shouts))


def test_a_language_has_one() -> None:
    with pytest.raises(OptionError, match="there is a language with error types 'sql' already, of the package"):
        register_errors("sql", SHOUTS)


def test_no_code_asks_for_the_name_of_a_language() -> None:
    """What depends on a language is registered for it; nothing compares its name."""
    asked = []
    for room in ("evaluation", "studies", "pages", "workbench", "cli"):
        for path in (Path(recombine.__file__).parent / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Compare):
                    texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                    asked += [f"{path.name}:{node.lineno}" for text in texts if text in ("sparql", "sql")]
    assert asked == []
