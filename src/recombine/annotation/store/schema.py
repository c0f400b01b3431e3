"""The tables of a store. Rows of `responses` and `log` are only ever added.

An item's counts are kept with it, so that handing out work reads one index: `open` is how many slots are free, and
`rank` is the place in the order of handing out, a new one whenever a slot comes back. What they must be follows from
responses, batches and assignments; `Campaign.recompute` compares.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

VERSION = 1
"""The version of these tables; a store of another one is refused."""

metadata = MetaData()


def _where(condition: str) -> dict[str, Any]:
    """An index of the rows that meet a condition alone, in both kinds of stores."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


meta = Table("meta", metadata, Column("key", String, primary_key=True), Column("value", Text, nullable=False))

head = Table(
    "head",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("log", BigInteger, nullable=False),
    Column("hash", String, nullable=False),
    Column("items", BigInteger, nullable=False),
    Column("ranks", BigInteger, nullable=False),
    Column("batches", BigInteger, nullable=False),
    Column("responses", BigInteger, nullable=False),
    Column("workers", BigInteger, nullable=False),
    Column("controls", BigInteger, nullable=False),
)
"""One row: how many of each there are, and the hash of the last entry of the log. A writer holds it."""

workers = Table(
    "workers",
    metadata,
    Column("id", String, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("name", String, unique=True),
    Column("kind", String, nullable=False),
    Column("qualifications", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("consented", Boolean, nullable=False),
    Column("surveyed", Boolean, nullable=False),
    Column("set_aside", BigInteger, nullable=False),
    Column("batches", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", String, primary_key=True),
    Column("worker", String, nullable=False, index=True),
)

items = Table(
    "items",
    metadata,
    Column("id", String, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("name", String, nullable=False, index=True),
    Column("task", String, nullable=False),
    Column("parent", String, nullable=False, index=True),
    Column("author", String, nullable=False),
    Column("response", String, nullable=False),
    Column("show", Text, nullable=False),
    Column("keep", Text, nullable=False),
    Column("control", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("votes", BigInteger, nullable=False),
    Column("valid", BigInteger, nullable=False),
    Column("pending", BigInteger, nullable=False),
    Column("leased", BigInteger, nullable=False),
    Column("open", BigInteger, nullable=False),
    Column("rank", BigInteger, nullable=False),
    Index("items_to_hand_out", "task", "rank", **_where("open > 0")),
    Index("items_undecided", "task", **_where("state = 'open' or state = 'waiting'")),
)

batches = Table(
    "batches",
    metadata,
    Column("id", String, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("worker", String, nullable=False),
    Column("task", String, nullable=False),
    Column("state", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("control", String, nullable=False),
    Column("expected", Text, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("touched_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("batches_held", "worker", unique=True, **_where("state = 'open' or state = 'reconsider'")),
    Index("batches_to_expire", "expires_at", **_where("state = 'open' or state = 'reconsider'")),
)

assignments = Table(
    "assignments",
    metadata,
    Column("batch", String, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item", String, nullable=False, index=True),
    Column("worker", String, nullable=False),
    Column("state", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("again", Integer, nullable=False),
    Index("assignments_once", "worker", "item", "again", unique=True, **_where("state <> 'free'")),
)
"""`state` is `leased`, `answered`, `late` or `free`; `round` is the last one answered; `again` counts a worker's turns
at an item, which is 0 where workers are distinct."""

responses = Table(
    "responses",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("id", String, nullable=False, unique=True),
    Column("batch", String, nullable=False),
    Column("item", String, nullable=False, index=True),
    Column("worker", String, nullable=False, index=True),
    Column("revision", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("standing", String, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("batch", "item", "revision"),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("item", String, primary_key=True),
    Column("state", String, nullable=False),
    Column("votes", BigInteger, nullable=False),
    Column("shares", Text, nullable=False),
    Column("kept", Text, nullable=False),
    Column("by", String, nullable=False),
)

controls = Table(
    "controls",
    metadata,
    Column("item", String, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("task", String, nullable=False),
    Column("expected", Text, nullable=False),
    Column("good", Boolean, nullable=False),
    Column("grown", Boolean, nullable=False),
    Column("place", BigInteger, nullable=False),
    Index("controls_by_place", "task", "good", "place"),
)

cursors = Table(
    "cursors",
    metadata,
    Column("worker", String, primary_key=True),
    Column("task", String, primary_key=True),
    Column("rank", BigInteger, nullable=False),
)

drafts = Table(
    "drafts",
    metadata,
    Column("worker", String, primary_key=True),
    Column("item", String, primary_key=True),
    Column("draft", Text, nullable=False),
)

survey = Table(
    "survey",
    metadata,
    Column("question", String, primary_key=True),
    Column("option", String, primary_key=True),
    Column("times", BigInteger, nullable=False),
)

refusals = Table(
    "refusals",
    metadata,
    Column("task", String, primary_key=True),
    Column("reason", String, primary_key=True),
    Column("times", BigInteger, nullable=False),
)

log = Table(
    "log",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("what", String, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String, nullable=False),
)
