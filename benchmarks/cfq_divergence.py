"""Divergences of CFQ's real pairs: which compounds give Table 3, and what the search reaches.

    recombine parse cfq --data cfq/mcd1 -o cfq.jsonl
    python benchmarks/cfq_divergence.py cfq.jsonl definitions     trial definitions on Table 3's six rows
    python benchmarks/cfq_divergence.py cfq.jsonl table3          ratios and coverages of MCD1; Tables 8 and 9
    python benchmarks/cfq_divergence.py cfq.jsonl mcd [NAME…]     published MCD1 and the search, under some definitions

Rows are kept in benchmarks/results/cfq_*.json. Table 3's splits other than MCD1 are made from the same pool of 107,711
pairs, as the paper describes them; the paper made its own from 239,357. `mcd` counts D_A and D_C of the splits again
by tests/splits/recount_graphs.py, which shares no code with the kernels. Seconds are user CPU of one process.
"""

from __future__ import annotations

import importlib.util
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

import recombine
from recombine.files import write_whole
from recombine.measures.divergence import divergence
from recombine.measures.subqueries import count_by_part, read_subqueries
from recombine.structures.definition import RULE_STRUCTURES

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
SIZES: dict[str, Any] = {"train": 95743, "test": 11968}
PAPER = {"random": 0.0, "output length": 0.176, "input length": 0.062}
PAPER |= {"output pattern": 0.008, "input pattern": 0.005, "mcd1": 0.694}
LOGICAL = "rules=resolution+knowledge"
TRIALS = (
    *("dag:2-3,counts", "dag:2-5,counts", "dag:2-5,weighted", "line:6-6,presence", "line:8-8,presence"),
    *("dag:2-3,counts,rules=all", "dag:2-4,counts,rules=all", "line:8-8,presence,rules=all"),
    *("line:12-12,presence,rules=all", "line:16-16,presence,rules=all"),
    "line:12-12,presence,rules=grammar+inference",
    *(f"line:{size}-{size},presence,{LOGICAL}" for size in (5, 6, 7, 8)),
    *(f"line:{sizes},{LOGICAL}" for sizes in ("2-8,presence", "2-8,weighted", "7-8,presence", "7-8,weighted")),
)
CUTS = (300, 1000, 3000)
DEFINITIONS = {"counts": "dag:2-5,counts", "weighted": "dag:2-5,weighted", "default": RULE_STRUCTURES}
EFFORT = {"counts": 0.3, "weighted": 0.2, "default": 0.3}

_spec = importlib.util.spec_from_file_location("recount_graphs", ROOT / "tests" / "splits" / "recount_graphs.py")
assert _spec is not None
assert _spec.loader is not None
recount: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(recount)


def used() -> dict[str, float]:
    """User CPU seconds and the greatest memory so far, in GB."""
    now = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu": round(now.ru_utime, 1), "gb": round(now.ru_maxrss / 1e6, 2)}


def published_split(data: recombine.Dataset) -> recombine.Split:
    """MCD1's published split, of the same examples with derivations."""
    return recombine.load_split(data, recombine.load_split("cfq/mcd1", "published"))


def splits_of_table3(data: recombine.Dataset) -> dict[str, tuple[list[int], list[int]]]:
    """The rows of train and test of Table 3's splits."""
    made = {"random": recombine.split(data, by="random", **SIZES, seed=1)}
    for name, tag, limit in (("output length", "sparqlNumConstraints", 7), ("input length", "parseTreeLeafCount", 19)):
        longer = sum(example.tags[tag] > limit for example in data)
        sizes = {"train": len(data) - longer, "test": min(longer, SIZES["test"])}
        made[name] = recombine.split(data, by="length:tag", tag=tag, max_length=limit, **sizes, seed=1)
    for name, tag in (("output pattern", "sparqlPattern"), ("input pattern", "questionTemplate")):
        made[name] = recombine.split(data, by="pattern:tag", tag=tag, train=95000, test=10500, seed=1)
    rows = {name: (split.positions(data, "train"), split.positions(data, "test")) for name, split in made.items()}
    published = published_split(data)
    return {**rows, "mcd1": (published.positions(data, "train"), published.positions(data, "dev"))}


def definitions(data: recombine.Dataset) -> list[dict[str, Any]]:
    """Every trial definition, whole and cut, on Table 3's rows."""
    splits = splits_of_table3(data)
    found = []
    for trial in TRIALS:
        features = recombine.features(data, trial).compounds
        for cut in (*CUTS, None):
            if cut is not None and cut >= len(features.names):
                continue
            part = features if cut is None else features.keep_top(cut)
            values = {name: round(divergence(part, *rows, alpha=0.1), 4) for name, rows in splits.items()}
            off = max(abs(values[name] - PAPER[name]) for name in PAPER)
            row = {"compounds": trial, "top": cut, "columns": len(part.names), **values, "off": round(off, 3)}
            found.append({**row, **used()})
            print(orjson.dumps(found[-1]).decode(), flush=True)
    return found


def table3(data: recombine.Dataset) -> dict[str, Any]:
    """Ratios and coverages of MCD1, and Tables 8 and 9."""
    fields = recombine.measure(data, published_split(data), against="dev")["item_fields"]
    published = published_split(data)
    tables = read_subqueries("cfq")
    counts = count_by_part(tables, data, [published.positions(data, "train")])[0]
    rows = {
        row.label: n
        for table, numbers in zip(tables, counts, strict=True)
        for row, n in zip(table.rows, numbers, strict=True)
    }
    print(orjson.dumps({"fields": fields, "subqueries": rows}, option=orjson.OPT_INDENT_2).decode())
    return {"fields": fields, "subqueries": rows}


def mcd(data: recombine.Dataset, names: list[str]) -> list[dict[str, Any]]:
    """The published split and the search's, at the cap on D_A and at the published split's own, each recounted."""
    published = published_split(data)
    found = []
    for name in names:
        before = used()["cpu"]
        features = recombine.features(data, DEFINITIONS[name])
        seconds = used()["cpu"] - before
        measured = recombine.measure(data, published, structures=features, against="dev")
        values = {"D_A": measured["atom_divergence"], "D_C": measured["compound_divergence"]}
        found.append({"definition": str(features.structures), "split": "published", **values, "features_cpu": seconds})
        chosen = {"published": (published.positions(data, "train"), published.positions(data, "dev"))}
        wishes: dict[str, dict[str, Any]] = {
            "D_A ≤ 0.02": {},
            "the published D_A": {"atom_divergence": round(values["D_A"], 3)},
        }
        for wish, options in wishes.items() if name == "default" else list(wishes.items())[:1]:
            before, began = used()["cpu"], time.perf_counter()
            # MCD1 tests examples without compounds as well, so the search may.
            wanted = {"structures": features, "effort": EFFORT[name], "min_compounds": 0, "seed": 1, **options}
            split = recombine.split(data, by="mcd", **SIZES, **wanted)
            reached = split.measured
            row = {"D_A": reached["atom_divergence"], "D_C": reached["compound_divergence"]}
            row |= {
                "unseen": reached["unseen_atom_examples"],
                "effort": EFFORT[name],
                "search_cpu": used()["cpu"] - before,
            }
            found.append({"definition": str(features.structures), "split": wish, **row})
            found[-1] |= {"seconds": round(time.perf_counter() - began, 1), **used()}
            chosen[wish] = (split.positions(data, "train"), split.positions(data, "test"))
            print(orjson.dumps(found[-1]).decode(), flush=True)
        del features
        again = recounted(data, name, chosen)
        for row in found[-len(chosen) :]:
            row["recounted"] = again[row["split"]]
            print(orjson.dumps(row).decode(), flush=True)
    return found


def recounted(data: recombine.Dataset, name: str, splits: dict[str, Any]) -> dict[str, dict[str, float]]:
    """D_A and D_C of splits, by code that shares nothing with the package's."""

    def graphs() -> Iterator[Any]:
        return (example.derivation for example in data)

    def lines() -> Iterator[dict[Any, float]]:
        kinds = ("resolution", "knowledge")
        return (recount.values(recount.lines(graph, 7, 8, kinds), "presence") for graph in graphs())

    rows: Iterator[dict[Any, float]]
    if name == "default":
        stay = recount.kept(lines(), 300, recount.line_name)
        rows = ({text: value for text, value in row.items() if text in stay} for row in lines())
    elif name == "counts":
        rows = (recount.values(recount.grammar_parts(graph, 2, 5), "counts") for graph in graphs())
    else:
        rows = recount.iter_weighted(lambda: (recount.grammar_parts(graph, 2, 5) for graph in graphs()))
    compounds = recount.divergences(rows, splits, 0.1)
    atoms = recount.divergences((dict.fromkeys(set(graph.rules), 1.0) for graph in graphs()), splits, 0.5)
    return {split: {"D_A": atoms[split], "D_C": compounds[split]} for split in splits}


def main() -> None:
    """Run a section on an annotated file."""
    path, section, *names = sys.argv[1:]
    data = recombine.load(path)
    print(data, used(), flush=True)
    if section == "mcd":
        for name in names or list(DEFINITIONS):
            write(f"cfq_mcd_{name}", mcd(data, [name]))
    else:
        write(f"cfq_{section}", {"definitions": definitions, "table3": table3}[section](data))


def write(name: str, rows: Any) -> None:
    """Keep rows."""
    write_whole(RESULTS / f"{name}.json", orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
