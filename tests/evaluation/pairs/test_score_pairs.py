"""Files of pairs: what is read, what becomes of each pair, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from recombine.errors import RecombineError
from recombine.evaluation.match.matchers import Matcher
from recombine.evaluation.match.spider.read_schemas import Schemas
from recombine.evaluation.match.spider.schema import Schema
from recombine.evaluation.pairs.judge_pairs import judge_pairs
from recombine.evaluation.pairs.pair_file import read_pairs
from recombine.evaluation.pairs.score_pairs import score_pairs
from recombine.languages.known import find_language

DOGS = Schema("dogs", {"dogs": frozenset({"name", "age"}), "owners": frozenset({"id"})}, {})
SCHEMAS = Schemas("tables.json", "0", {"dogs": DOGS})
GOLD = "select distinct name from dogs where age > 3"
OUTPUTS = [
    "SELECT DISTINCT name FROM dogs WHERE age > 9",
    "select name from dogs where age > 3",
    "select age from dogs where age > 3",
    "select name from dogs where age is null",
    "select name from",
    "",
    None,
]


def write(path: Path, *records: Any) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [{"gold": GOLD, "prediction": output, "db_id": "dogs"} for output in OUTPUTS]
    return write(tmp_path / "pairs.jsonl", *rows, {**rows[0], "gold": OUTPUTS[3], "n": "last"})


def test_outcomes_under_spider(file: Path) -> None:
    scored = score_pairs(read_pairs(file), match="spider", schemas=SCHEMAS)
    assert [str(verdict) for verdict in scored.score.verdicts["spider"]] == [
        *("right", "right", "wrong", "malformed", "malformed", "abstained", "abstained", "unsupported")
    ]
    assert scored.further() == {
        "accuracy": 0.25,
        "unreadable": 2,
        "outcomes": {"right": 2, "wrong": 1, "unreadable": 2, "abstained": 2, "gold_unreadable": 1},
    }
    lines = [orjson.loads(line) for line in scored.to_lines().splitlines()]
    assert lines[0] == {"n": 0, "match": True}
    assert lines[-1] == {"n": "last", "match": False}
    assert scored.score.signature.get("schemas") == "tables.json@0"


def test_set_match_counts_distinct_and_reads_more(file: Path) -> None:
    scored = score_pairs(read_pairs(file), match="set_match", metrics=["spider"], schemas=SCHEMAS)
    assert scored.score.is_right == [True, *[False] * 7]
    assert scored.further()["outcomes"]["unreadable"] == 1
    assert list(scored.score.tallies) == ["set_match", "spider"]


def test_exact_match(file: Path) -> None:
    sql = find_language("sql")
    forms = {form: score_pairs(read_pairs(file), match=form, language=sql) for form in (None, "exact_match", "text")}
    assert forms[None].score.signature.get("match") == "normalised"
    assert forms["exact_match"].score.signature == forms[None].score.signature
    assert forms["text"].score.signature.get("match") == "text"
    same = write(file.with_name("same.jsonl"), {"gold": GOLD, "prediction": GOLD.upper().replace("DOGS", "dogs as t")})
    assert score_pairs(read_pairs(same), language=sql).score.is_right == [True]
    assert score_pairs(read_pairs(same)).score.is_right == [False]


def test_each_distinct_text_is_read_once(file: Path) -> None:
    read: list[str] = []
    judge_pairs(read_pairs(file), Matcher.of("counting", lambda text: read.append(text) or len(text)))
    assert sorted(read) == sorted({GOLD, *(text for text in OUTPUTS if text)})


def test_a_text_is_read_anew_for_another_database(tmp_path: Path) -> None:
    cats = Schema("cats", {"dogs": frozenset({"name"})}, {})
    schemas = Schemas("tables.json", "0", {"dogs": DOGS, "cats": cats})
    rows = [{"gold": "select name from dogs", "prediction": GOLD, "db_id": name} for name in ("dogs", "cats")]
    scored = score_pairs(read_pairs(write(tmp_path / "pairs.jsonl", *rows)), match="spider", schemas=schemas)
    assert [str(verdict) for verdict in scored.score.verdicts["spider"]] == ["wrong", "malformed"]


def test_a_matcher_without_keys(file: Path) -> None:
    matcher = Matcher("longer", lambda gold, output, *_: len(output) >= len(gold))
    assert [str(verdict) for verdict in judge_pairs(read_pairs(file), matcher)][:3] == ["right", "wrong", "wrong"]


def test_deep_nesting_cannot_be_read(tmp_path: Path) -> None:
    deep = "select name from dogs where age in " + "(select age from dogs where age in " * 5000
    path = write(tmp_path / "deep.jsonl", {"gold": GOLD, "prediction": deep, "db_id": "dogs"})
    for match in ("spider", "set_match"):
        assert score_pairs(read_pairs(path), match=match, schemas=SCHEMAS).further()["unreadable"] == 1


REFUSED = [
    ({"prediction": "x"}, "line 1: no field 'gold'; it has: prediction"),
    ({"gold": GOLD, "output": "x"}, "line 1: no field 'prediction'; it has: gold, output; name the field with --pred"),
    ({"gold": 3, "prediction": "x"}, "line 1: the field 'gold' is not text"),
    ({"gold": GOLD, "prediction": ["x"]}, "line 1: the field 'prediction' is not text"),
    ({"gold": GOLD, "prediction": "x", "n": 1.5}, "line 1: the field 'n' is neither a whole number nor text"),
    ({"gold": GOLD, "prediction": "x", "n": True}, "line 1: the field 'n' is neither a whole number nor text"),
    ({"gold": GOLD, "prediction": "x"}, "line 1: no field 'db_id'; name the database of each pair"),
    (
        {"gold": GOLD, "prediction": "x", "db_id": "dgs"},
        "line 1: unknown database in tables.json 'dgs'; did you mean 'd",
    ),
    ({"gold": GOLD, "prediction": "x", "db_id": 3}, "line 1: the field 'db_id' is not text"),
    ({"gold": "no sql (", "prediction": "x", "db_id": "dogs"}, "line 1: the gold program cannot be read: sql program"),
    ([], "line 1: is not a JSON object"),
]


@pytest.mark.parametrize(("record", "problem"), REFUSED)
def test_what_is_refused(tmp_path: Path, record: Any, problem: str) -> None:
    path = write(tmp_path / "pairs.jsonl", record)
    with pytest.raises(RecombineError) as error:
        score_pairs(read_pairs(path), match="spider", schemas=SCHEMAS)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_an_empty_file_and_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n")
    with pytest.raises(RecombineError, match="has no pairs"):
        read_pairs(path)
    path.write_text('{"gold": "a", "prediction": "b"}\n{"gold": "a", "pre')
    with pytest.raises(RecombineError, match="line 2: broken JSON at column"):
        read_pairs(path)


def test_an_unknown_way_to_match(file: Path) -> None:
    with pytest.raises(RecombineError, match="unknown way to match 'spidr'; did you mean 'spider'"):
        score_pairs(read_pairs(file), match="spidr")
    with pytest.raises(RecombineError, match="schemas are for set_match and spider"):
        score_pairs(read_pairs(file), match="text", schemas=SCHEMAS)
