"""Reading and writing the form of the CFQ release: CPU seconds and peak memory, on items made here.

    python benchmarks/cfq_release.py            # 2,000 and 20,000 items of some 16 kB, as those of the release have
    python benchmarks/cfq_release.py 50000

`objects` parses the array and holds nothing, `examples` makes examples and holds none, `load` holds the data set,
`write` writes it after it was loaded. Each is a process of its own; memory is what it takes beyond what it had before.
A row is the best of three.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson

WORK = ("objects", "examples", "load", "write")


def make_tree(random_: random.Random, size: int) -> dict[str, Any]:
    """A rule tree of so many nodes."""
    kind = random_.choice(["GRAMMAR_RULE", "GRAMMAR_RULE", "KNOWLEDGE", "SPARQL_GENERATION"])
    text = f"ACTIVE_VP=RULE_{random_.randrange(200)}(RolePair(Executive producer, Executive producee))"
    node: dict[str, Any] = {"ruleId": {"type": kind, "stringValue": text}}
    below, left = [], size - 1
    while left > 0:
        below.append(make_tree(random_, random_.randint(1, left)))
        left -= count(below[-1])
    return {**node, "subTrees": below} if below else node


def count(tree: dict[str, Any]) -> int:
    """The nodes of a tree."""
    return 1 + sum(map(count, tree.get("subTrees", ())))


def rule_ids(tree: dict[str, Any]) -> list[dict[str, str]]:
    """The rules of a tree in preorder."""
    return [tree["ruleId"], *(rule for below in tree.get("subTrees", ()) for rule in rule_ids(below))]


def make_item(random_: random.Random, number: int) -> dict[str, Any]:
    """An item of about the size of those of the release."""
    tree = make_tree(random_, random_.randint(20, 60))
    question = f"Did M{number} 's female actor edit and produce M1 , M2 , and M{random_.randrange(9)}"
    clauses = (
        f"?x{n} ns:film.producer.film|ns:film.production_company.films M{n}" for n in range(random_.randint(1, 8))
    )
    query = "SELECT count(*) WHERE {\n" + " .\n".join(clauses) + "\n}"
    named = ("question", "questionPatternModEntities", "questionWithBrackets", "questionWithMids")
    return {
        "complexityMeasures": {
            "parseTreeLeafCount": 9,
            "parseTreeRuleCount": count(tree),
            "questionTemplate": "Did [entity] 's [ADJECTIVE_SIMPLE] [ROLE_SIMPLE] [VP_SIMPLE] and [VP_SIMPLE] [entity]",
            "recursionDepth": 28,
            "sparqlNumConstraints": query.count("\n") - 1,
        },
        "expectedResponse": random_.choice(["Yes", "No", "Agustín Almodóvar"]),
        **dict.fromkeys(named, question),
        "ruleIds": rule_ids(tree),
        "ruleTree": tree,
        **dict.fromkeys(("sparql", "sparqlPattern", "sparqlPatternModEntities"), query),
    }


def make_file(path: Path, items: int) -> None:
    """A file of items, indented."""
    random_ = random.Random(1)  # noqa: S311
    with path.open("wb") as stream:
        for number in range(items):
            stream.write(b",\n" if number else b"[\n")
            stream.write(orjson.dumps(make_item(random_, number), option=orjson.OPT_INDENT_2))
        stream.write(b"\n]\n")


def work(name: str, path: Path) -> tuple[float, float]:
    """The CPU seconds and the megabytes that a kind of work takes."""
    import numpy  # noqa: F401  # so that imports are not measured

    from recombine.datasets.files.sidecar import Sidecar
    from recombine.datasets.release.json_array import iter_json_array
    from recombine.datasets.release.read_release import _Reader, read_release
    from recombine.datasets.release.write_release import write_release

    dataset = read_release(path) if name == "write" else None
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    if dataset is not None:
        write_release(dataset, path.with_name("written.json"))
    elif name == "load":
        dataset = read_release(path)
    elif name == "examples":
        sum(1 for _ in _Reader(path, "source", "target", Sidecar()))
    else:
        with path.open("rb") as stream:
            sum(1 for _ in iter_json_array(stream, path))
    return time.process_time() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000


def main() -> None:
    """Print a table."""
    if len(sys.argv) == 3:
        print(*work(sys.argv[1], Path(sys.argv[2])))
        return
    for items in map(int, sys.argv[1:] or ("2000", "20000")):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "dataset.json"
            make_file(path, items)
            size = path.stat().st_size / 1e6
            print(f"{items:,} items, {size:.0f} MB")
            for name in WORK:
                done = [
                    subprocess.run(
                        [sys.executable, __file__, name, str(path)], capture_output=True, check=True, text=True
                    )
                    for _ in range(3)
                ]
                seconds, memory = min(tuple(map(float, each.stdout.split())) for each in done)
                print(f"  {name:9} {seconds:6.2f} s  {size / seconds:5.0f} MB/s  {memory:6.0f} MB of memory")


if __name__ == "__main__":
    main()
