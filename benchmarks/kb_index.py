"""The embedded index beside pyoxigraph and a Python dict, on uniform facts over 200,000 entities, one core.

    RECOMBINE_DATA=… python benchmarks/kb_index.py
    RECOMBINE_DATA=… python benchmarks/kb_index.py --write benchmarks/results/kb_index.json
    python benchmarks/kb_index.py --only hops --only dict

There are five relations, so that a two-hop has about one answer: an entity has five facts. All seconds are CPU time, of
the system too, and the best of a few turns; building is that of a whole process, with its start, its imports and
reading the file. Memory is the most that a process had, or for asking what it has in the end. All three answer the same
two-hops, and the first of them are compared. Figures that miss what was asked for are marked, and make the exit code 1;
FB15k-237 is left out where RECOMBINE_DATA does not have it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ENTITIES, RELATIONS, QUERIES = 200_000, 5, 1_000_000
COMPARED = 2_000
BASE = "http://example.org/"
FB15K = Path(os.environ.get("RECOMBINE_DATA", ""), "kb", "fb15k237", "triples.tsv.gz")
LEAST, MOST = "≥", "≤"
TARGETS: dict[tuple[str, str], tuple[str, float]] = {
    ("build of 1 M facts", "seconds"): (MOST, 5),
    ("build of 1 M facts", "megabytes"): (MOST, 600),
    ("build of 10 M facts", "seconds"): (MOST, 60),
    ("build of 10 M facts", "megabytes"): (MOST, 3_000),
    ("hops", "seconds to open"): (MOST, 0.1),
    ("hops", "a second in a batch"): (LEAST, 1_000_000),
    ("hops", "a second singly by id"): (LEAST, 100_000),
    ("hops", "a second by name"): (LEAST, 30_000),
    ("hops", "megabytes resident"): (MOST, 200),
    ("FB15k-237", "answers a second"): (LEAST, 5_000_000),
    ("shared pages", "share of the mapped pages"): (LEAST, 0.95),
}


def cpu() -> float:
    """The CPU time of this process so far."""
    return time.process_time()


def best(action: Callable[[], object], repeats: int) -> float:
    """The least CPU time of a few turns."""
    taken = []
    for _ in range(repeats):
        began = cpu()
        action()
        taken.append(cpu() - began)
    return min(taken)


def most_memory() -> float:
    """The most memory that this process had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def memory() -> float:
    """What this process has in memory now, in megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def iter_rows(facts: int) -> Iterator[Any]:
    """Subjects, relations and targets as numbers, a million at a time."""
    rng = np.random.default_rng(1)
    for first in range(0, facts, 1_000_000):
        size = min(1_000_000, facts - first)
        yield rng.integers(ENTITIES, size=size), rng.integers(RELATIONS, size=size), rng.integers(ENTITIES, size=size)


def write_table(path: Path, facts: int) -> None:
    """The facts as a file of three columns."""
    entities = [f"e{number}" for number in range(ENTITIES)]
    with path.open("w") as stream:
        for rows in iter_rows(facts):
            subjects, relations, targets = (each.tolist() for each in rows)
            stream.writelines(
                f"{entities[s]}\tr{r}\t{entities[t]}\n" for s, r, t in zip(subjects, relations, targets, strict=True)
            )


def queries() -> tuple[Any, Any]:
    """Where two-hops begin, and their relations."""
    rng = np.random.default_rng(2)
    return rng.integers(ENTITIES, size=QUERIES), rng.integers(RELATIONS, size=(QUERIES, 2))


# -- parts, each in a process of its own -----------------------------------------------------------------------------


def build(folder: Path, facts: int) -> dict[str, float]:
    """Read a table and build its index; the whole process counts."""
    from recombine.workbench import kb_build

    kb_build(folder / f"{facts}.tsv", folder / f"index{facts}")
    return {"seconds": cpu(), "megabytes": most_memory(), "of the index, on disk": size_of(folder / f"index{facts}")}


def size_of(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.iterdir()) / 1e6


def hops(folder: Path, repeats: int) -> dict[str, float]:
    """Two-hops in a batch, singly by id, and by name."""
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.kb.store import Step
    from recombine.kb.term import Term

    place = folder / "index1000000"
    opened = best(lambda: EmbeddedStore.open(place), repeats)
    store = EmbeddedStore.open(place)
    starts, relations = queries()
    entities = store.ids(Term.name(f"e{number}") for number in range(ENTITIES))
    known = store.ids(Term.name(f"r{number}") for number in range(RELATIONS))
    ids, paths = entities[starts], known[relations].astype(np.int64)
    answers: list[Any] = []
    batch = best(lambda: answers.append(store.follow_many(ids, paths)), repeats)
    begins, ends = answers[0]
    few = 200_000

    def singly() -> None:
        for start, path in zip(ids[:few], paths[:few], strict=True):
            store.follow_id(start, path)

    names = [Term.name(f"e{number}") for number in starts[:few]]
    steps = [[Step(Term.name(f"r{number}")) for number in row] for row in relations[:few].tolist()]

    def by_name() -> None:
        for name, path in zip(names, steps, strict=True):
            store.follow([name], path)

    compared = [[store.term(each).text for each in ends[begins[q] : begins[q + 1]]] for q in range(COMPARED)]
    (folder / "answers.json").write_text(json.dumps(compared))
    figures = {"a second singly by id": few / best(singly, repeats), "a second by name": few / best(by_name, repeats)}
    return {
        "seconds to open": opened,
        "a second in a batch": QUERIES / batch,
        **figures,
        "answers each": len(ends) / QUERIES,
        "megabytes resident": resident(place),
    }


def resident(place: Path) -> float:
    """What a process has in memory that opened an index, asked it a batch and a name, and touched all of its pages."""
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "import numpy as np\nfrom kb_index import memory\n"
        "from recombine.kb.embedded.embedded_store import EmbeddedStore\n"
        "from recombine.kb.store import Step\nfrom recombine.kb.term import Term\n"
        "store = EmbeddedStore.open(sys.argv[1])\n"
        "starts = np.arange(len(store.table), dtype=np.int32)\n"
        "relation = store.id(Term.name('r0'))\n"
        "store.follow_many(starts, np.array([relation, ~relation]))\n"
        "store.follow([Term.name('e1')], [Step(Term.name('r0'))])\n"
        "print(memory())\n"
    )
    words = [sys.executable, "-c", code, str(place), str(Path(__file__).parent)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def fb15k(folder: Path, repeats: int) -> dict[str, float]:
    """Two-hops along relations that are there, in a batch."""
    from recombine.kb.embedded.embedded_store import EmbeddedStore
    from recombine.workbench import kb_build

    kb_build(FB15K, folder / "fb15k237")
    store = EmbeddedStore.open(folder / "fb15k237")
    rng = np.random.default_rng(3)
    starts, edges = store.edges.forward_starts, store.edges.forward

    def drawn(nodes: Any) -> Any:
        return edges[starts[nodes] + (rng.random(len(nodes)) * (starts[nodes + 1] - starts[nodes])).astype(np.int64)]

    nodes = rng.choice(np.flatnonzero(np.diff(starts)), 200_000)
    first = drawn(nodes)
    there = first & 0xFFFFFFFF
    onward = starts[there + 1] > starts[there]
    nodes, first = nodes[onward], first[onward]
    paths = np.stack([first >> 32, drawn(first & 0xFFFFFFFF) >> 32], axis=1)
    found: list[int] = []
    taken = best(lambda: found.append(len(store.follow_many(nodes, paths)[1])), repeats)
    return {
        "answers a second": found[0] / taken,
        "two-hops a second": len(nodes) / taken,
        "answers each": found[0] / len(nodes),
    }


def shared(folder: Path, repeats: int) -> dict[str, float]:
    """Two processes that have read all edges of ten million facts."""
    del repeats
    code = (
        "import sys; sys.path[:0] = sys.argv[2:]\n"
        "from recombine.kb.embedded.embedded_store import EmbeddedStore\n"
        "store = EmbeddedStore.open(sys.argv[1])\n"
        "sum(int(array.sum()) for array in store.edges)\n"
        "print('open', flush=True)\n"
        "sys.stdin.readline()\n"
    )
    words = [sys.executable, "-c", code, str(folder / "index10000000")]
    processes = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
    counts = [mapped(process.pid) for process in processes]
    for process in processes:
        process.communicate(b"\n")
    together = sum(each["Rss"] for each in counts)
    return {
        "share of the mapped pages": sum(each["Shared_Clean"] + each["Shared_Dirty"] for each in counts) / together,
        "megabytes mapped by each": together / 2 / 1024,
        "megabytes of both together": sum(each["Pss"] for each in counts) / 1024,
    }


def mapped(process: int) -> dict[str, float]:
    """Kilobytes of an index's files in a process, as the system counts them."""
    counts = dict.fromkeys(("Rss", "Pss", "Shared_Clean", "Shared_Dirty"), 0.0)
    of_index = False
    for line in Path(f"/proc/{process}/smaps").read_text().splitlines():
        word = line.split()[0]
        if not word.endswith(":"):
            of_index = line.endswith(".bin")
        elif of_index and word[:-1] in counts:
            counts[word[:-1]] += float(line.split()[1])
    return counts


def python_dict(folder: Path, repeats: int) -> dict[str, float]:
    """A dict from entity and relation to targets, by names, as one would write it."""
    began, before = cpu(), memory()
    table: dict[tuple[str, str], list[str]] = {}
    with (folder / "1000000.tsv").open() as stream:
        for line in stream:
            subject, relation, target = line.rstrip("\n").split("\t")
            table.setdefault((subject, relation), []).append(target)
    built = cpu() - began
    starts, relations = queries()
    few = 200_000
    asked = [
        (f"e{start}", f"r{one}", f"r{other}")
        for start, (one, other) in zip(starts[:few].tolist(), relations[:few].tolist(), strict=True)
    ]

    def follow(start: str, one: str, other: str) -> set[str]:
        return {end for middle in table.get((start, one), ()) for end in table.get((middle, other), ())}

    def everything() -> None:
        for start, one, other in asked:
            follow(start, one, other)

    compare(folder, [sorted(follow(*each)) for each in asked[:COMPARED]])
    return {
        "seconds to build": built,
        "a second by name": few / best(everything, repeats),
        "megabytes": memory() - before,
    }


def oxigraph(folder: Path, repeats: int) -> dict[str, float]:
    """pyoxigraph in memory, by SPARQL and by its patterns."""
    from pyoxigraph import NamedNode, Quad, Store

    began, before = cpu(), memory()
    store = Store()

    def iter_quads() -> Iterator[Any]:
        with (folder / "1000000.tsv").open() as stream:
            for line in stream:
                yield Quad(*(NamedNode(BASE + each) for each in line.rstrip("\n").split("\t")))

    store.bulk_extend(iter_quads())
    built = cpu() - began
    starts, relations = queries()
    few = 10_000
    asked = [
        (int(start), int(one), int(other)) for start, (one, other) in zip(starts[:few], relations[:few], strict=True)
    ]

    def by_sparql(start: int, one: int, other: int) -> list[str]:
        query = f"SELECT DISTINCT ?x {{ <{BASE}e{start}> <{BASE}r{one}>/<{BASE}r{other}> ?x }}"
        return sorted(row[0].value.removeprefix(BASE) for row in store.query(query))  # type: ignore[index, union-attr]

    def by_patterns(start: int, one: int, other: int) -> set[str]:
        first, second = NamedNode(f"{BASE}r{one}"), NamedNode(f"{BASE}r{other}")
        return {
            end.object.value  # type: ignore[union-attr]
            for middle in store.quads_for_pattern(NamedNode(f"{BASE}e{start}"), first, None)
            for end in store.quads_for_pattern(middle.object, second, None)  # type: ignore[arg-type]
        }

    compare(folder, [by_sparql(*each) for each in asked[:COMPARED]])
    return {
        "seconds to build": built,
        "a second by SPARQL": few / best(lambda: [by_sparql(*each) for each in asked], repeats),
        "a second by patterns": few / best(lambda: [by_patterns(*each) for each in asked], repeats),
        "megabytes": memory() - before,
    }


def compare(folder: Path, answers: list[list[str]]) -> None:
    """Hold answers against those of the embedded index."""
    assert answers == json.loads((folder / "answers.json").read_text()), "answers differ"


PARTS: dict[str, Callable[[Path, int], dict[str, float]]] = {
    "build of 1 M facts": lambda folder, _: build(folder, 1_000_000),
    "hops": hops,
    "dict": python_dict,
    "pyoxigraph": oxigraph,
    "FB15k-237": fb15k,
    "build of 10 M facts": lambda folder, _: build(folder, 10_000_000),
    "shared pages": shared,
}


def run_part(name: str, folder: Path, repeats: int) -> dict[str, float]:
    """A part in a process of its own; of building, the best of a few processes."""
    words = [
        sys.executable,
        "-W",
        "ignore",
        __file__,
        "--part",
        name,
        "--folder",
        str(folder),
        "--repeats",
        str(repeats),
    ]
    turns = []
    for _ in range(repeats if name.startswith("build") else 1):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{name} failed:\n{done.stderr}")
        turns.append(json.loads(done.stdout))
    return min(turns, key=lambda figures: next(iter(figures.values())))


def misses(part: str, what: str, value: float) -> bool:
    """Whether a figure is not what was asked for."""
    sign, bound = TARGETS.get((part, what), (LEAST, -1.0))
    return value < bound if sign == LEAST else value > bound


def show(part: str, figures: dict[str, float]) -> None:
    """A line for each figure, with what was asked for."""
    for what, value in figures.items():
        target = TARGETS.get((part, what))
        asked = f"{target[0]} {target[1]:,}" if target else ""
        missed = "MISSED" if misses(part, what, value) else ""
        sys.stdout.write(f"{part:<22}{what:<30}{value:>16,.3f}  {asked:<14}{missed}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the parts, or one of them for another process of this program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", help="a part; can be repeated")
    parser.add_argument("--write", type=Path, help="a JSON file for the figures")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help="where tables and indexes are, and stay; default: a temporary one")
    options = parser.parse_args()
    if options.part:
        sys.stdout.write(json.dumps(PARTS[options.part](options.folder, options.repeats)))
        return 0
    results: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        for part in PARTS:
            if options.only and part not in options.only:
                continue
            if part == "FB15k-237" and not FB15K.is_file():
                sys.stdout.write(f"{part:<22}left out: RECOMBINE_DATA does not have it\n")
                continue
            for facts, of in ((1_000_000, "1 M"), (10_000_000, "10 M")):
                if part == f"build of {of} facts" and not (folder / f"{facts}.tsv").exists():
                    write_table(folder / f"{facts}.tsv", facts)
            results[part] = run_part(part, folder, options.repeats)
            show(part, results[part])
    if options.write:
        options.write.write_text(json.dumps(results, indent=1) + "\n")
    return int(any(misses(part, what, value) for part, figures in results.items() for what, value in figures.items()))


if __name__ == "__main__":
    sys.exit(main())
