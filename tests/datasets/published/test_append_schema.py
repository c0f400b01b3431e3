from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.datasets.published.append_schema import append_schema, read_schemas
from recombine.errors import MissingDataError, OptionError, RecordError

TABLES = [
    {
        "db_id": "Cre_Dogs",
        "table_names_original": ["Dogs", "Walks"],
        "column_names_original": [[-1, "*"], [0, "Dog_ID"], [0, "Name"], [1, "Dog_ID"]],
    },
    {"db_id": "empty", "table_names_original": ["t"], "column_names_original": [[-1, "*"]]},
]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    (tmp_path / "spider").mkdir()
    path = tmp_path / "spider" / "tables.json"
    path.write_bytes(orjson.dumps(TABLES))
    return path


def questions(*pairs: tuple[str, str]) -> recombine.Dataset:
    return recombine.load([recombine.Example.of(f"{db}: {text}", "select 1", tags={"db_id": db}) for db, text in pairs])


def test_the_schema_by_hand(tables: Path) -> None:
    data = questions(("cre_dogs", "how many?"))
    longer, report = append_schema(data)
    assert longer[0].source == "cre_dogs: how many? | dogs : dog_id , name | walks : dog_id"
    assert (longer[0].id, longer[0].target, longer[0].tags) == (data[0].id, "select 1", {"db_id": "cre_dogs"})
    assert (report.examples, report.databases, report.truncated, report.longest) == (1, 1, 0, 13)
    assert (longer.name, longer.hash == data.hash) == ("records+schema", False)


def test_a_split_of_the_data_still_names_its_examples(tables: Path) -> None:
    data = questions(("cre_dogs", "a"), ("empty", "b"))
    split = recombine.split(data, by="random", train=1, test=1, seed=1)
    longer, _ = append_schema(data)
    assert longer[split.train[0]].target == data[split.train[0]].target
    assert split.positions(longer, "test") == split.positions(data, "test")


def test_what_is_cut_is_counted(tables: Path) -> None:
    data = questions(("cre_dogs", "how many?"), ("cre_dogs", "how very many?"), ("empty", "how many?"))
    longer, report = append_schema(data, limit=13)
    assert [len(e.source.split()) for e in longer] == [13, 13, 6]
    assert longer[1].source.endswith("| walks :")
    assert (report.truncated, report.longest, report.databases) == (1, 14, 2)
    assert "1 were longer than 13 tokens" in str(report)
    whole, report = append_schema(data, limit=None)
    assert [len(e.source.split()) for e in whole] == [13, 14, 6]
    assert (report.truncated, str(report).endswith("the longest has 14 tokens")) == (0, True)


def test_faults(tables: Path) -> None:
    with pytest.raises(OptionError, match="has no database 'cats'"):
        append_schema(questions(("cats", "how many?")))
    with pytest.raises(OptionError, match="names no database"):
        append_schema(recombine.load([("a", "b")]))
    with pytest.raises(OptionError, match="cannot cut sources to 0 tokens"):
        append_schema(questions(("empty", "a")), limit=0)
    tables.write_text('[{"db_id": "x", "tables": []}]')
    with pytest.raises(RecordError, match=r"tables\.json, entry 1: does not name its database, tables, columns"):
        read_schemas()
    tables.unlink()
    with pytest.raises(MissingDataError, match=r"appending schemas needs the file spider/tables\.json\.gz"):
        append_schema(questions(("empty", "a")))


@pytest.mark.shared_data
def test_every_database_of_spider_has_its_schema(data_dir: Path) -> None:
    # Four databases of the lower-cased data are written with capitals in tables.json.
    schemas = read_schemas()
    assert len(schemas) == 166
    data = recombine.load("spider/ssp")
    assert {str(e.tags["db_id"]) for e in data} <= set(schemas)
    longer, report = append_schema(data)
    assert (report.databases, report.truncated, report.longest) == (51, 82, 792)
    assert max(len(e.source.split()) for e in longer) == 512
    assert all(
        long.source.startswith(" ".join(short.source.split()[:2])) for long, short in zip(longer, data, strict=True)
    )
