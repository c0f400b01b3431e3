"""Schemas: tables, columns and what foreign keys link, by hand; files that are none."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest
from spider_dogs import DOGS, ENTRY

from recombine.errors import RecombineError, UnknownNameError
from recombine.evaluation.match.spider.read_schemas import published_schemas, read_schemas
from recombine.evaluation.match.spider.schema import Schema
from recombine.languages.sql.schemas.schema_file import SchemaEntry


def test_names_are_in_lower_case() -> None:
    assert DOGS.name == "dogs"
    assert set(DOGS.columns) == {"owners", "dogs", "walks"}
    assert DOGS.columns["owners"] == {"id", "city", "name"}


def test_a_linked_column_stands_for_the_first_of_its_group() -> None:
    # dogs.owner_id (7) → owners.id (1); walks.dog_id (10) → dogs.dog_id (4); walks.owner_id (11) → owners.id (1)
    assert DOGS.stands_for == {
        "owners.id": "owners.id",
        "dogs.owner_id": "owners.id",
        "walks.owner_id": "owners.id",
        "dogs.dog_id": "dogs.dog_id",
        "walks.dog_id": "dogs.dog_id",
    }


def test_groups_that_a_later_link_joins_stay_two() -> None:
    # 1–2 and 3–4 are groups; 2–3 goes to the first that has one end, so 3 is in both and the later counts.
    names = [[-1, "*"], *([0, name] for name in "abcd")]
    entry = {"db_id": "x", "table_names_original": ["t"], "column_names_original": names}
    linked = Schema.of(SchemaEntry.of({**entry, "foreign_keys": [[1, 2], [3, 4], [2, 3]]})).stands_for
    assert linked == {"t.a": "t.a", "t.b": "t.a", "t.c": "t.c", "t.d": "t.c"}


def write(path: Path, value: Any) -> Path:
    content = orjson.dumps(value)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize("name", ["tables.json", "tables.json.gz"])
def test_a_file_is_read_and_named(tmp_path: Path, name: str) -> None:
    schemas = read_schemas(write(tmp_path / name, [ENTRY]))
    assert schemas.find("dogs") == DOGS
    assert schemas.find("DOGS") == DOGS
    assert schemas.fields == (("schemas", f"{name}@{schemas.digest}"),)
    with pytest.raises(UnknownNameError, match=r"unknown database in tables.json.* 'dgs'; did you mean 'dogs'"):
        schemas.find("dgs")


def test_another_file_has_another_digest(tmp_path: Path) -> None:
    other = {**ENTRY, "foreign_keys": []}
    one, two = (read_schemas(write(tmp_path / f"{n}.json", [e])) for n, e in enumerate((ENTRY, other)))
    assert one.digest != two.digest


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"dogs": ENTRY}, "is no list of schemas"),
        ([], "is no list of schemas"),
        ([ENTRY, {"db_id": "x", "question": "?"}], "entry 2: does not name its database, tables"),
        ([3], "entry 1: does not name its database, tables"),
        ([{**ENTRY, "foreign_keys": [[99, 1]]}], "entry 1: does not name its database, tables"),
        ([{**ENTRY, "foreign_keys": [[-1, 1]]}], "entry 1: does not name its database, tables"),
        ([{**ENTRY, "column_names_original": [[3, "x"]]}], "entry 1: does not name its database, tables"),
        ([{**ENTRY, "table_names_original": [1, 2, 3]}], "entry 1: does not name its database, tables"),
        ([{**ENTRY, "foreign_keys": None}], "entry 1: says nothing of its foreign keys; add foreign_keys"),
    ],
)
def test_what_is_no_file_of_schemas(tmp_path: Path, value: Any, problem: str) -> None:
    with pytest.raises(RecombineError, match=problem) as error:
        read_schemas(write(tmp_path / "tables.json", value))
    assert "\n" not in str(error.value)


def test_broken_json(tmp_path: Path) -> None:
    path = tmp_path / "tables.json"
    path.write_text('[{"db_id": "dogs",')
    with pytest.raises(RecombineError, match="broken JSON at line 1, column"):
        read_schemas(path)


@pytest.mark.shared_data
def test_spider_has_166_databases(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(data_dir))
    schemas = published_schemas()
    assert len({schema.name for schema in schemas.by_name.values()}) == 166
    assert schemas.find("flight_2").stands_for == {
        "airports.airportcode": "airports.airportcode",
        "flights.sourceairport": "airports.airportcode",
        "flights.destairport": "airports.airportcode",
    }
