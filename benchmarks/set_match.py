"""Set match on a file of 1,034 outputs, as before and now, and the metric `spider` beside it: pairs a second of CPU.

    RECOMBINE_DATA=… python benchmarks/set_match.py [--rounds 3] [--seed 0] [--outputs FILE]

The file has Spider's 1,034 dev queries with outputs that are made of them by two changes drawn from the seed: another
value, alias or case, DISTINCT dropped, another column, a clause less, or none. `before` reads every text through
sqlglot, `now` reads the common part of SQL without it. Rounds of all ways take turns, and the best of each counts, so
that a busy machine is busy for all. `each text new` reads both texts of each pair; `each distinct text once` is what
`score --pairs` does. Memory is the highest that Python's own allocations reach in one further round.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
import tracemalloc
from collections.abc import Callable, Hashable
from pathlib import Path

import orjson

from recombine.data_directory import data_file
from recombine.errors import ProgramError
from recombine.evaluation.match.set_match import read_components
from recombine.evaluation.match.set_match_clauses import components
from recombine.evaluation.match.spider.read_schemas import Schemas, published_schemas
from recombine.evaluation.match.spider.spider_match import spider_key
from recombine.evaluation.pairs.pair_file import read_pairs
from recombine.evaluation.pairs.score_pairs import score_pairs
from recombine.languages.sql.sql import SQL

Pair = tuple[str, str, str]
"""A gold query, an output, and their database."""
Read = Callable[[str, str], Hashable]


def changed(text: str, names: list[str], draw: random.Random) -> str:
    """An output for a query."""
    match draw.randrange(8):
        case 0:
            return re.sub(r"\b\d+\b", lambda _: str(draw.randrange(1000)), text)
        case 1:
            return re.sub(r"\bT(\d)\b", lambda m: f"a{m.group(1)}", text)
        case 2:
            return re.sub(r"(?i)\bdistinct\b ?", "", text)
        case 3:
            words = text.split(" ")
            places = [n for n, word in enumerate(words) if word.lower() in names]
            if places:
                words[draw.choice(places)] = draw.choice(names)
            return " ".join(words)
        case 4:
            return re.sub(r"(?i)\border by .*$", "", text) or text
        case 5:
            return text.replace("  ", " ")
        case 6:
            return text.lower() if '"' not in text and "'" not in text else text
        case _:
            return text


def made_pairs(schemas: Schemas, seed: int) -> list[Pair]:
    """The pairs of the file."""
    draw = random.Random(seed)  # noqa: S311
    with gzip.open(data_file("spider/dev.json.gz", "the benchmark"), "rt", encoding="utf-8") as file:
        rows = json.load(file)
    columns = {row["db_id"]: schemas.find(row["db_id"]).columns.values() for row in rows}
    names = {key: sorted({name for table in tables for name in table}) for key, tables in columns.items()}
    pairs = []
    for row in rows:
        key, query = row["db_id"], row["query"]
        pairs.append((query, changed(changed(query, names[key], draw), names[key], draw), key))
    return pairs


def run(pairs: list[Pair], read: Read, *, once: bool) -> tuple[float, int]:
    """CPU seconds, and how many pairs match."""
    kept: dict[tuple[str, str], Hashable] = {}

    def of(text: str, database: str) -> Hashable:
        if once and (text, database) in kept:
            return kept[text, database]
        try:
            found = read(text, database)
        except ProgramError:
            found = None
        if once:
            kept[text, database] = found
        return found

    start, right = time.process_time(), 0
    for gold, output, database in pairs:
        one, other = of(gold, database), of(output, database)
        right += other is not None and one == other
    return time.process_time() - start, right


def peak(pairs: list[Pair], read: Read) -> float:
    """The most memory that Python held while each distinct text was read once, in MB."""
    tracemalloc.start()
    try:
        run(pairs, read, once=True)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--outputs", type=Path, default=None, help="also write the file of pairs here, and score it")
    options = parser.parse_args()
    schemas = published_schemas()
    pairs = made_pairs(schemas, options.seed)
    ways: dict[str, Read] = {
        "set_match, before": lambda text, _: components(SQL.parse(text)),
        "set_match, now": lambda text, _: read_components(text),
        "set_match, now, with schemas": lambda text, key: read_components(text, schemas.find(key).columns),
        "spider": lambda text, key: spider_key(text, schemas.find(key)),
    }
    distinct = len({(text, key) for *texts, key in pairs for text in texts})
    print(f"{len(pairs):,} pairs, {distinct:,} distinct texts")
    for read in ways.values():  # what is imported and compiled at first is not counted
        run(pairs[:50], read, once=False)
    for once, title in ((False, "each text new"), (True, "each distinct text once")):
        best, right = dict.fromkeys(ways, float("inf")), dict.fromkeys(ways, 0)
        for _ in range(options.rounds):
            for name, read in ways.items():
                seconds, right[name] = run(pairs, read, once=once)
                best[name] = min(best[name], seconds)
        print(title)
        for name, seconds in best.items():
            ratio = best["set_match, before"] / seconds
            print(f"  {name:30s} {len(pairs) / seconds:9,.0f} pairs/s  × {ratio:4.1f}  {right[name]:,} match")
    for name in ways:
        print(f"  {name:30s} {peak(pairs, ways[name]):6.1f} MB at most")
    if options.outputs is not None:
        rows = ({"gold": gold, "prediction": output, "db_id": key} for gold, output, key in pairs)
        options.outputs.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        for match in ("set_match", "spider"):
            start = time.process_time()
            file = read_pairs(options.outputs)
            scored = score_pairs(file, match=match, schemas=schemas if match == "spider" else None)
            seconds = time.process_time() - start
            rate = scored.score.n / seconds
            print(
                f"score --pairs, {match}: {rate:,.0f} pairs/s with reading the file, {scored.score.tally.right:,} match"
            )


if __name__ == "__main__":
    main()
