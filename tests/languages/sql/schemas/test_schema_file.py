"""The one reader of files of schemas: what each of those who ask needs of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recombine.datasets.published.append_schema import read_schemas as texts_of
from recombine.errors import RecordError
from recombine.evaluation.match.spider.read_schemas import read_schemas as compared_under
from recombine.languages.sql.fillings.schema import Column, Link, Table
from recombine.languages.sql.fillings.schema import read_schemas as tables_of
from recombine.languages.sql.schemas.schema_file import SchemaColumn, SchemaEntry, read_schema_file

# Columns of the two tables stand mixed: numbers are those of the list, not of a table.
SHOP: dict[str, Any] = {
    "db_id": "Shop",
    "table_names_original": ["Item", "Sale"],
    "column_names_original": [[-1, "*"], [1, "Item_ID"], [0, "ID"], [0, "Price"]],
    "column_types": ["text", "number", "number", "number"],
    "primary_keys": [2],
    "foreign_keys": [[1, 2]],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "tables.json").write_text(json.dumps([SHOP]))
    return tmp_path / "tables.json"


def test_one_file_is_read_alike_by_all(path: Path) -> None:
    (entry,) = read_schema_file(path).entries
    assert entry.columns[1] == SchemaColumn(1, "Item_ID")
    (shop,) = tables_of(path).values()
    assert shop.tables == (
        Table("Item", (Column("ID", "number"), Column("Price", "number")), "ID"),
        Table("Sale", (Column("Item_ID", "number"),), ""),
    )
    assert shop.links == (Link("Sale", "Item_ID", "Item", "ID"),)
    compared = compared_under(path).find("shop")
    assert compared.columns == {"item": {"id", "price"}, "sale": {"item_id"}}
    # The first of the list stands for the group, which here is the one that refers.
    assert compared.stands_for == {"item.id": "sale.item_id", "sale.item_id": "sale.item_id"}
    assert texts_of(path) == {"shop": " | item : id , price | sale : item_id"}


@pytest.mark.parametrize(
    ("key", "texts", "compared"),
    [("column_types", True, True), ("primary_keys", True, True), ("foreign_keys", True, False)],
)
def test_who_needs_a_part_that_is_missing_says_so(key: str, texts: bool, compared: bool, path: Path) -> None:
    path.write_text(json.dumps([{name: value for name, value in SHOP.items() if name != key}]))
    for read, needs_less in ((texts_of, texts), (compared_under, compared), (tables_of, False)):
        if needs_less:
            read(path)
        else:
            with pytest.raises(RecordError, match=rf"tables\.json, entry 1: says nothing of .*; add {key}"):
                read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"db_id": 3},
        {"table_names_original": None},
        {"column_names_original": [[2, "x"]]},
        {"column_types": ["text"]},
        {"primary_keys": [4]},
        {"foreign_keys": [[1, 4]]},
        {"foreign_keys": [[1]]},
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="entry 7: does not name its database, tables, columns and keys"):
        SchemaEntry.of({**SHOP, **change}, "tables.json", 7)
