"""Whether the log holds: every entry hashes the one before, the head is the last, and responses are as it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import select

from recombine.annotation.campaign.records import LogReport
from recombine.annotation.store import schema
from recombine.annotation.store.log_entry import FIRST, entry_hash, response_hash

if TYPE_CHECKING:
    from sqlalchemy import Connection


def verify_log(connection: Connection) -> LogReport:
    """Read the log from its first entry, and all responses."""
    before, entries, hashes = FIRST, 0, dict[str, str]()
    for row in connection.execute(select(schema.log).order_by(schema.log.c.number)):
        entries += 1
        if row.number != entries or row.hash != entry_hash(before, row.number, row.at, row.what, row.data):
            problem = f"entry {entries} is not what was written after entry {entries - 1}"
            return LogReport(False, entries, 0, before, problem)
        before = row.hash
        if row.what == "response":
            data: dict[str, Any] = orjson.loads(row.data)
            hashes[data["response"]] = data["hash"]
    head = connection.execute(select(schema.head)).one()
    if (head.log, head.hash) != (entries, before):
        problem = f"the log ends at entry {entries}, and {head.log} were written"
        return LogReport(False, entries, 0, before, problem)
    return _verify_responses(connection, entries, before, hashes)


def _verify_responses(connection: Connection, entries: int, head: str, hashes: dict[str, str]) -> LogReport:
    seen = 0
    for row in connection.execute(select(schema.responses).order_by(schema.responses.c.number)).mappings():
        seen += 1
        if hashes.get(row["id"]) != response_hash(row):
            return LogReport(False, entries, seen, head, f"the response {row['id']} is not as the log has it")
    if seen != len(hashes):
        problem = f"the log has {len(hashes):,} responses, and the store {seen:,}"
        return LogReport(False, entries, seen, head, problem)
    return LogReport(True, entries, seen, head)
