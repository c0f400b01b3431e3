"""Questions over knowledge bases: how fast they are made, in how much memory, and whether forms and shares hold.

    RECOMBINE_DATA=… python benchmarks/kbqa_generate.py
    RECOMBINE_DATA=… python benchmarks/kbqa_generate.py --json benchmarks/results/kbqa_generate.json
    RECOMBINE_DATA=… python benchmarks/kbqa_generate.py --only forms --number 1000

The knowledge bases are the made-up world and, where the data directory has it, FB15k-237 with names from its file.

- `speed`: the command line from nothing to the file, in a process of its own: questions a CPU second (start, opening
  the knowledge base and writing the file counted in), the clock and the most memory; 10,000, and 100,000 of the world.
- `shares`: relations and functions asked for and got, templates, wordings that each can have.
- `grounding`: groundings a CPU second by the number of relations, 13 of each drawn template, kernels compiled before.
- `forms`: each distinct form by its `sparql_query`, executed by pyoxigraph, which shares no code with what found the
  answers: they are those stored, there are some, and without any one branch there are others.
- `processes`: one and two processes: seconds by the clock and of all processors, and whether the bytes are the same.

`--only` measures some, and keeps the others of the file. What was asked for and is missed is said; exit code 1 then.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")
FB15K = Path(os.environ.get("RECOMBINE_DATA", "")) / "kb" / "fb15k237" / "triples.tsv.gz"
SEED, NUMBER, MANY = 1, 10_000, 100_000
PER_TEMPLATE = 13
MOST_SECONDS = {"made-up world, 100,000": 180.0, "FB15k-237": 20.0}
MOST_MEGABYTES = 1000.0
WITHIN = 2.0
"""Points of a share of what was asked for."""
WRONG = ("empty", "of other answers", "redundant")
ASKED = {
    "relations": {"1": 69.0, "2": 26.0, "3": 5.0, "4": 0.2},
    "functions": {"none": 83.0, "count": 5.0, "superlative": 6.0, "comparative": 5.0},
}


def known_bases() -> dict[str, dict[str, Any]]:
    """The options of each knowledge base by its name."""
    options: dict[str, dict[str, Any]] = {"made-up world": {}}
    if FB15K.is_file():
        options["FB15k-237"] = {"kb": str(FB15K), "names": str(FB15K.with_name("mid2name.tsv.gz"))}
    else:
        print(f"FB15k-237 is left out: there is no {FB15K}", file=sys.stderr)
    return options


def command(number: int, options: dict[str, Any], folder: Path, processes: int = 1) -> dict[str, Any]:
    """The command line in a process of its own: seconds, memory and the digest of the file."""
    out = folder / f"made_{processes}.jsonl"
    words = [
        sys.executable,
        "-m",
        "recombine",
        "generate",
        "kbqa",
        "-n",
        str(number),
        "--seed",
        str(SEED),
        "-o",
        str(out),
    ]
    words += ["--processes", str(processes), "--quiet", *(w for k, v in options.items() for w in (f"--{k}", v))]
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(words)}")
    seconds = used.ru_utime + used.ru_stime
    return {
        "questions": number,
        "cpu_seconds": round(seconds, 1),
        "questions_a_cpu_second": round(number / seconds),
        "clock_seconds": round(time.perf_counter() - began, 1),
        "megabytes": round(used.ru_maxrss / 1e3),
        "sha256": hashlib.sha256(out.read_bytes()).hexdigest(),
    }


def speed(number: int) -> dict[str, Any]:
    """The command line on each knowledge base; ten times as many of the world."""
    with tempfile.TemporaryDirectory() as folder:
        rows = {name: command(number, options, Path(folder)) for name, options in known_bases().items()}
        rows[f"made-up world, {10 * number:,}"] = command(10 * number, {}, Path(folder))
    return rows


def processes(number: int) -> dict[str, Any]:
    """One process and two, each from nothing to the file."""
    rows = {}
    for name, options in known_bases().items():
        with tempfile.TemporaryDirectory() as folder:
            one, two = (command(number, options, Path(folder), count) for count in (1, 2))
        rows[name] = {
            "one": one,
            "two": two,
            "clock_ratio": round(one["clock_seconds"] / two["clock_seconds"], 2),
            "same_bytes": one["sha256"] == two["sha256"],
            "load_before": round(os.getloadavg()[0], 1),
        }
    return rows


def made(number: int, options: dict[str, Any]) -> tuple[list[Any], Any, Any]:
    """The questions, what was counted, and the knowledge base."""
    from recombine.datasets.kbqa_generated import KbqaGenerator

    run = KbqaGenerator(**options).generate(number, seed=SEED)
    return list(run), run.counted, run.world


def shares(number: int) -> dict[str, Any]:
    """What was asked for and what was got, in per cent."""
    from recombine.kb.forms.read_form import read_form
    from recombine.kb.ontology.store_ontology import store_ontology
    from recombine.kb.wording.wordings import Wordings

    rows = {}
    for name, options in known_bases().items():
        examples, counted, store = made(number, options)
        grammar = Wordings(store, store_ontology(store))
        kinds = {"argmax": "superlative", "argmin": "superlative", "none": "none", "count": "count"}
        functions = Counter(kinds.get(each.tags["function"], "comparative") for each in examples)
        relations = Counter(str(len(each.tags["graph_query"]["edges"])) for each in examples)
        graphs = {each.tags["qid"] // 1_000_000: each.tags["graph_query"] for each in examples}
        forms = (read_form(graph, "graph", store.profile) for graph in graphs.values())
        wordings = sorted(len(grammar.skeletons(form)) for form in forms)
        rows[name] = {
            "questions": len(examples),
            "templates": counted["templates"],
            "relations": _percent(relations, "relations"),
            "functions": _percent(functions, "functions"),
            "wordings_of_a_template": {"least": wordings[0], "median": wordings[len(wordings) // 2]},
            "refused": counted["refused"],
        }
    return rows


def _percent(counts: Counter[str], asked: str) -> dict[str, Any]:
    total, wanted = counts.total(), ASKED[asked]
    got = {key: round(100 * counts[key] / total, 2) for key in wanted}
    # What a knowledge base has nothing for is shared out among the others.
    whole = sum(share for key, share in wanted.items() if counts[key])
    return {"got": got, "asked": {key: round(100 * s / whole, 2) if counts[key] else 0 for key, s in wanted.items()}}


def grounding(number: int) -> dict[str, Any]:
    """Groundings a CPU second, by relations."""
    import numpy as np

    from recombine.datasets.kbqa_generated import KbqaGenerator
    from recombine.datasets.kbqa_made.workshop import Workshop
    from recombine.kb.ontology.store_ontology import store_ontology

    rows: dict[str, Any] = {}
    for name, options in known_bases().items():
        store: Any = KbqaGenerator(**options).generate(1, seed=SEED).world
        workshop = Workshop(store, store_ontology(store), seed=SEED)
        rows[name] = {}
        for relations in (1, 2, 3, 4):
            rng = np.random.default_rng(SEED)
            drawn = [workshop.space.draw(rng, relations, "none") for _ in range(max(20, number // 20))]
            templates = [each for each in drawn if each is not None]
            for each in templates[:10]:
                workshop.grounder.ground(each, rng, PER_TEMPLATE)
            before, began = Counter(workshop.grounder.refused), time.process_time()
            found = sum(len(workshop.grounder.ground(each, rng, PER_TEMPLATE)) for each in templates)
            seconds = time.process_time() - began
            rows[name][str(relations)] = {
                "templates": len(templates),
                "groundings": found,
                "refused": dict(workshop.grounder.refused - before),
                "groundings_a_second": round(found / seconds),
                "templates_a_second": round(len(templates) / seconds),
            }
    return rows


def shorter_forms(form: Any) -> Iterator[Any]:
    """A form without each of its branches, where what is left asks for something."""
    from recombine.kb.forms.form import GraphEdge, GraphQuery

    for gone in form.edges:
        kept, waiting = {form.asked}, [form.asked]
        while waiting:
            place = waiting.pop()
            ends = [(e.start, e.end) for e in form.edges if e is not gone and place in (e.start, e.end)]
            new = {other for pair in ends for other in pair} - kept
            kept |= new
            waiting += new
        if len(kept) == 1 and form.nodes[form.asked].value is None:
            continue
        places = {place: at for at, place in enumerate(sorted(kept))}
        edges = [e for e in form.edges if {e.start, e.end} <= kept]
        yield GraphQuery(
            tuple(form.nodes[place] for place in sorted(kept)),
            tuple(GraphEdge(places[e.start], places[e.end], e.relation) for e in edges),
            places[form.asked],
        )


def forms(number: int) -> dict[str, Any]:
    """Each distinct form by pyoxigraph."""
    return {name: _executed(*made(number, options)) for name, options in known_bases().items()}


def _executed(examples: list[Any], _: Any, store: Any) -> dict[str, Any]:
    from recombine.kb.forms.convert import convert
    from recombine.kb.forms.form import SPARQL
    from recombine.kb.forms.read_form import read_form
    from recombine.kb.forms.write_form import write_form
    from recombine.kb.oxigraph.embedded_sparql import select
    from recombine.kb.term import LITERAL

    profile = store.profile

    def asked(text: str) -> list[str]:
        terms = [term for row in select(store, text).rows for term in row if term is not None]
        return sorted(each.text if each.kind == LITERAL else profile.show(each) for each in terms)

    found: Counter[str] = Counter(dict.fromkeys(WRONG, 0))
    kept: dict[str, Any] = {each.target: each for each in examples}
    began = time.process_time()
    for each in kept.values():
        wanted = sorted(answer["answer_argument"] for answer in each.tags["answer"])
        form = read_form(each.tags["graph_query"], "graph", profile)
        without = (convert(shorter, SPARQL, profile=profile).form for shorter in shorter_forms(form))
        found["empty"] += not wanted
        found["of other answers"] += asked(each.tags["sparql_query"]) != wanted
        found["redundant"] += any(asked(write_form(shorter, profile)) == wanted for shorter in without)
    return {
        "questions": len(examples),
        "distinct_forms": len(kept),
        **dict(found),
        "cpu_seconds": round(time.process_time() - began, 1),
    }


PARTS: dict[str, Callable[[int], dict[str, Any]]] = {
    "speed": speed,
    "shares": shares,
    "grounding": grounding,
    "forms": forms,
    "processes": processes,
}


def missed(figures: dict[str, Any]) -> Iterator[str]:
    """What was asked for and is not met."""
    for name, row in figures.get("speed", {}).items():
        if row["cpu_seconds"] > MOST_SECONDS.get(name, 1e9) or row["megabytes"] > MOST_MEGABYTES:
            yield f"{name}: {row['cpu_seconds']} s, {row['megabytes']} MB"
    for name, row in figures.get("shares", {}).items():
        for kind in (row["relations"], row["functions"]):
            for key, share in kind["got"].items():
                if abs(share - kind["asked"][key]) > WITHIN:
                    yield f"{name}: {key} {share} %, asked {kind['asked'][key]}"
    for name, row in figures.get("forms", {}).items():
        yield from (f"{name}: {row[key]} forms {key}" for key in WRONG if row[key])
    for name, row in figures.get("processes", {}).items():
        if not row["same_bytes"]:
            yield f"{name}: other bytes of two processes"


def main() -> int:
    """Measure, print, and keep the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", choices=[*PARTS], action="append", help="measure this alone; may be given again")
    parser.add_argument("--number", type=int, default=NUMBER, help="how many questions")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the file of the result")
    given = parser.parse_args()
    figures = {name: measure(given.number) for name, measure in PARTS.items() if not given.only or name in given.only}
    print(json.dumps(figures, indent=1, ensure_ascii=False))
    if given.json is not None:
        kept = json.loads(given.json.read_text(encoding="utf-8")) if given.json.exists() else {}
        given.json.write_text(json.dumps({**kept, **figures}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    lacking = list(missed(figures))
    for what in lacking:
        print(f"missed: {what}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
