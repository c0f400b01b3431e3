"""Parsers of questions over a knowledge base on real language, and carried over to it (GrailQA, section 5.5).

    python benchmarks/kbqa_real.py baselines                   # candidates, and what needs no training
    python benchmarks/kbqa_real.py export FOLDER --world FILE --tune       # all that a machine with a GPU needs
    python -m recombine.models.kbqa.run FOLDER --out OUT --work WORK --encoder pretrained=DIR     # there
    python benchmarks/kbqa_real.py choose OUT -o CHOSEN        # the rate, by dev alone
    python benchmarks/kbqa_real.py export FOLDER --world FILE --chosen CHOSEN    # and run it
    python benchmarks/kbqa_real.py collect FOLDER OUT          # the tables, kept in results/kbqa_real.json
    python benchmarks/kbqa_real.py show [--json]               # the tables again

FILE is `recombine generate kbqa -n 10000 --seed 1`. Three kinds of questions are answered by ranking, with gold links:

- 406 real questions of GrailQA with one relation and an entity; candidates are the relations at the entity's class,
  with direction, as the ontology has them;
- all 600 real questions, with candidates of one and two relations and counts, of the ontology as well;
- MetaQA's questions, a sample of each number of hops; forms are the paths that lead to their answers, and candidates
  those of the facts within two hops.

Networks are trained on folds of the real questions by template, on a tenth of that, and on none; from the transformer
alone, or after generated questions: over the ontology, with made-up names; over the made-up world of many domains.
Nothing is chosen on what is tested: the learning rate is that of the highest exact match on a part of the generated
questions, and each fold has a part of its training questions, by template, to stop by.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kbqa_real_data import (
    ALL,
    CHUNK,
    FEWER,
    FOLDS,
    HOPS,
    METAQA,
    ONE,
    ONTOLOGY,
    PLAIN,
    RATES,
    SEEDS,
    WORLD,
    Export,
    MetaQa,
    Real,
)
from recombine.files import write_whole
from recombine.models.kbqa.arrays.codes import END
from recombine.models.kbqa.arrays.study_folder import read_study
from recombine.models.kbqa.making.make_schema import make_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from recombine.models.kbqa.arrays.study_folder import KbqaStudy

RESULT = Path(__file__).parent / "results" / "kbqa_real.json"
LEVELS = ("i.i.d.", "compositional", "zero-shot")
SIZES = {f"up to {CHUNK} items": True, "more": False}
"""Questions by the schema items of their candidates: as many as one chunk and training show at once, or more."""
Judged = dict[str, dict[int, dict[str, float]]]
"""By the name of a cell and the row of a question, how right the answer is."""


# -- without training --------------------------------------------------------------------------------------------------


def baselines(real: Real) -> dict[str, Any]:
    """Candidates of the 406, and what is right without training: by chance, and by the words that questions share."""
    schema = make_schema(real.setting)
    questions, counts = real.arrays(schema, hops=1, count=False)
    sizes, found, chance = [], 0, 0.0
    totals: dict[str, float] = defaultdict(float)
    for row in real.one:
        texts = [
            questions.text(row, questions.candidates.path(row, int(leaf)), schema)
            for leaf in questions.candidates.leaves(row)
        ]
        right = [real.path(text) == real.path(real.examples[row].target) for text in texts]
        sizes.append(len(texts))
        found += any(right)
        chance += 1 / len(texts) if texts else 0.0
        totals["any candidate"] += sum(right) / len(right) if right else 0.0
        for name, words in OVERLAPS.items():
            totals[name] += _by_overlap(real.examples[row].source, [words(text) for text in texts], right)
    number = len(real.one)
    return {
        "questions": number,
        "candidates": {"median": float(np.median(sizes)), "most": max(sizes), "none": sizes.count(0)},
        "recall": {"relation": _percent(found, number), "form": _percent(counts["outcomes"]["covered"], number)},
        "one candidate of all": _percent(chance, number),
        "right": {name: _percent(value, number) for name, value in totals.items()},
    }


def _by_overlap(question: str, candidates: Sequence[Sequence[str]], right: Sequence[bool]) -> float:
    """The chance to be right when the candidates are taken of whose words the question has the largest share."""
    if not candidates:
        return 0.0
    asked = set(_stems(question.split()))
    shares = [len(asked & set(words)) / max(len(set(words)), 1) for words in candidates]
    best = [good for good, share in zip(right, shares, strict=True) if share == max(shares)]
    return sum(best) / len(best)


def _stems(words: Iterable[str]) -> list[str]:
    """Words in lower case, without marks and without the s of plurals."""
    plain = ["".join(mark for mark in word.lower() if mark.isalnum()) for word in words]
    return [word[:-1] if word.endswith("s") and len(word) > 3 else word for word in plain if word]


def _names(text: str) -> tuple[str, str]:
    """The class and the relation of a candidate of one relation."""
    words = text.replace("(", " ").replace(")", " ").split()
    names = [word for word in words if word not in ("AND", "JOIN", "R", "COUNT")]
    return (names[0], names[1]) if words[0] == "AND" else ("", names[0])


def _last(name: str) -> list[str]:
    return _stems(name.rpartition(".")[2].split("_"))


def _whole(name: str) -> list[str]:
    return _stems(name.replace(".", "_").split("_"))


OVERLAPS: dict[str, Callable[[str], list[str]]] = {
    "relation's name": lambda text: _last(_names(text)[1]),
    "answer class": lambda text: _last(_names(text)[0]),
    "answer class and relation's name": lambda text: [*_last(_names(text)[0]), *_last(_names(text)[1])],
    "all words of the relation": lambda text: _whole(_names(text)[1]),
}


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1)


# -- what comes back ---------------------------------------------------------------------------------------------------


def choose(out: Path) -> dict[str, Any]:
    """The rate with the highest exact match on dev of generated questions, beside that on dev of the folds."""
    records = json.loads((out / "results.json").read_text())["cells"]
    best = {name: max(point[2] for point in said["curve"]) for name, said in records.items() if said.get("curve")}
    dev: dict[str, Any] = {"generated": {name: round(best[f"tune/{ONTOLOGY}/{name}"], 3) for name in RATES}}
    for kind in (PLAIN, "after"):
        for name in RATES:
            folds = [best[cell] for cell in best if cell.startswith(f"tune/{kind}/{name}/")]
            if folds:
                dev.setdefault(kind, {})[name] = {"folds": len(folds), "mean": round(float(np.mean(folds)), 3)}
    taken = max(dev["generated"], key=lambda name: dev["generated"][name])
    return {"name": taken, "rates": RATES[taken], "dev": dev}


def collect(folder: Path, out: Path, real: Real, metaqa: MetaQa) -> dict[str, Any]:
    """The tables of what was answered."""
    study = read_study(folder)
    cells = {cell.name: cell for cell in study.cells}
    records = json.loads((out / "results.json").read_text())
    failed = {name: said["error"] for name, said in records["cells"].items() if said["state"] != "done"}
    judged: Judged = {}
    outputs: dict[str, dict[int, str]] = {}
    for line in gzip.decompress((out / "predictions.jsonl.gz").read_bytes()).decode().splitlines():
        said = json.loads(line)
        cell = cells[said["cell"]]
        judge = metaqa.judged if cell.test_questions == METAQA else real.judged
        at = study.rows[cell.test].tolist()
        outputs[cell.name] = dict(zip(at, said["outputs"], strict=True))
        judged[cell.name] = {row: judge(row, text) for row, text in outputs[cell.name].items()}
    seconds = sum(said.get("training_seconds", 0) for said in records["cells"].values())
    return {
        "device": records["device"],
        "failed": failed,
        "missing": sorted(set(cells) - set(judged) - set(failed)),
        "training_seconds": round(seconds, 1),
        "one": _one_table(judged, real, study.questions[ONE].vocabulary.sizes.tolist()),
        "votes": {source: _vote(outputs, real, source) for source in (ONTOLOGY, WORLD)},
        "all": _all_table(judged, real),
        "metaqa": _metaqa_table(judged, metaqa, study.rows["metaqa/test"].tolist()),
        "chance": {name: _chance(study, name, f"{name}/{rows}") for name, rows in ((ALL, "all"), (METAQA, "test"))},
        "notes": dict(study.notes),
    }


def _over_folds(judged: Judged, name: str) -> list[dict[int, dict[str, float]]]:
    """The answers of all folds together, a table for each seed that has them all."""
    made = []
    for seed in SEEDS:
        parts = [judged.get(f"{name}/{fold}/{seed}") for fold in range(FOLDS)]
        if all(part is not None for part in parts):
            made.append({row: value for part in parts if part for row, value in part.items()})
    return made


def _of_seeds(judged: Judged, name: str) -> list[dict[int, dict[str, float]]]:
    return [judged[f"{name}/{seed}"] for seed in SEEDS if f"{name}/{seed}" in judged]


def _scores(runs: Sequence[dict[int, dict[str, float]]], rows: Sequence[int], what: str) -> dict[str, Any] | None:
    """Mean and standard deviation over seeds, in percent."""
    if not runs or not rows:
        return None
    values = [100 * float(np.mean([run[row][what] for row in rows])) for run in runs]
    return {"mean": round(float(np.mean(values)), 1), "sd": round(float(np.std(values, ddof=len(values) > 1)), 1)}


def _chance(study: KbqaStudy, name: str, rows: str) -> float:
    """How often one candidate that is drawn from all is the target, in percent."""
    questions, hits = study.questions[name], 0.0
    for row in study.rows[rows].tolist():
        leaves, target = questions.candidates.leaves(row), [*questions.targets[row].tolist(), END]
        if any(questions.candidates.path(row, int(leaf)) == target for leaf in leaves):
            hits += 1 / len(leaves)
    return _percent(hits, len(study.rows[rows]))


def _vote(outputs: Mapping[str, Mapping[int, str]], real: Real, source: str) -> float | None:
    """How often the relation is right that most seeds have, of equals the first, after generated questions alone."""
    runs = [outputs[name] for seed in SEEDS if (name := f"zero/{source}/{ONE}/{seed}") in outputs]
    if not runs:
        return None
    right = 0.0
    for row in real.one:
        forms = [real.form(run[row]) for run in runs]
        taken = max(range(len(runs)), key=lambda place: (forms.count(forms[place]), -place))
        right += real.judged(row, runs[taken][row])["relation"]
    return _percent(right, len(real.one))


def _one_table(judged: Judged, real: Real, items: Sequence[int]) -> dict[str, Any]:
    levels = {level: [row for row in real.one if real.examples[row].tags["level"] == level] for level in LEVELS}
    levels |= {name: [row for row in real.one if (items[row] <= CHUNK) == few] for name, few in SIZES.items()}
    runs = {
        "fine-tuned": _over_folds(judged, f"{ONE}/{PLAIN}"),
        "generated questions over the ontology, then fine-tuned": _over_folds(judged, f"{ONE}/{ONTOLOGY}"),
        "generated questions over the ontology alone": _of_seeds(judged, f"zero/{ONTOLOGY}/{ONE}"),
        "generated questions over the made-up world alone": _of_seeds(judged, f"zero/{WORLD}/{ONE}"),
    }
    return {
        name: {
            "seeds": len(own),
            "relation": _scores(own, real.one, "relation"),
            "exact": _scores(own, real.one, "exact"),
            **{f"relation, {level}": _scores(own, rows, "relation") for level, rows in levels.items()},
        }
        for name, own in runs.items()
    }


def _all_table(judged: Judged, real: Real) -> dict[str, Any]:
    everything = list(range(len(real.examples)))
    two = [row for row in everything if real.examples[row].tags["num_edge"] == 2]
    table: dict[str, Any] = {"questions": {"all": len(everything), "one relation": len(real.one), "two": len(two)}}
    for size, kind in (("full", ALL), ("10 %", FEWER)):
        for before in (PLAIN, ONTOLOGY):
            table[f"{size}/{before}"] = _all_row(_over_folds(judged, f"{kind}/{before}"), real, everything, two)
    for source in (ONTOLOGY, WORLD):
        table[f"none/{source}"] = _all_row(_of_seeds(judged, f"zero/{source}/{ALL}"), real, everything, two)
    return table


def _all_row(
    runs: Sequence[dict[int, dict[str, float]]], real: Real, everything: Sequence[int], two: Sequence[int]
) -> dict[str, Any]:
    parts = {"all": everything, "one relation": real.one, "two": two}
    return {"seeds": len(runs), **{name: _scores(runs, rows, "exact") for name, rows in parts.items()}}


def _metaqa_table(judged: Judged, metaqa: MetaQa, test: Sequence[int]) -> dict[str, Any]:
    by_hops = {hops: [row for row in test if metaqa.examples[row].tags["hops"] == hops] for hops in HOPS}
    formed = by_hops[1] + by_hops[2]
    parts = {"1 and 2 hops": formed, **{f"{hops} hops": rows for hops, rows in by_hops.items()}}
    named = {
        f"{size}/{before}": f"metaqa-{part}/{before}"
        for size, part in (("full", "train"), ("10 %", "few"))
        for before in (PLAIN, ONTOLOGY)
    }
    named |= {f"none/{source}": f"zero/{source}/{METAQA}" for source in (ONTOLOGY, WORLD)}
    table: dict[str, Any] = {"questions": {name: len(rows) for name, rows in parts.items()}}
    for name, cell in named.items():
        runs = _of_seeds(judged, cell)
        scores = {part: {what: _scores(runs, rows, what) for what in ("exact", "f1")} for part, rows in parts.items()}
        table[name] = {"seeds": len(runs), **scores}
    return table


# -- what is shown -----------------------------------------------------------------------------------------------------


def shown(result: Mapping[str, Any]) -> str:
    """The tables as text."""
    parts: tuple[tuple[str, Callable[[Any], list[str]]], ...] = (
        ("baselines", _baseline_lines),
        ("one", _one_lines),
        (
            "votes",
            lambda votes: [f"the relation that most seeds have, {name} alone: {votes[name]} %" for name in votes],
        ),
        ("all", _all_lines),
        ("metaqa", _metaqa_lines),
        ("chance", lambda chance: [f"one of all candidates of {name}: {chance[name]} %" for name in chance]),
    )
    return "\n\n".join("\n".join(lines(result[name])) for name, lines in parts if name in result)


def _one_lines(table: Mapping[str, Any]) -> list[str]:
    keys = ("relation", "exact", *(f"relation, {part}" for part in (*LEVELS, *SIZES)))
    head = ("one relation: trained on", "seeds", "relation", "form", *LEVELS, *SIZES)
    return _table(head, [(name, str(row["seeds"]), *(_cell(row[key]) for key in keys)) for name, row in table.items()])


def _all_lines(table: Mapping[str, Any]) -> list[str]:
    head = ("all real questions: exact match", "seeds", "all", "one relation", "two")
    rows = [(name, row) for name, row in table.items() if name != "questions"]
    return _table(head, [(name, str(row["seeds"]), *(_cell(row[key]) for key in head[2:])) for name, row in rows])


def _metaqa_lines(table: Mapping[str, Any]) -> list[str]:
    parts = ("1 and 2 hops", "1 hops", "2 hops", "3 hops")
    rows = [(name, row) for name, row in table.items() if name != "questions"]
    body = [
        (name, str(row["seeds"]), *(f"{_cell(row[part]['exact'])}, {_cell(row[part]['f1'])}" for part in parts))
        for name, row in rows
    ]
    return _table(("MetaQA: exact match, F1", "seeds", *parts), body)


def _baseline_lines(said: Mapping[str, Any]) -> list[str]:
    sizes, recall = said["candidates"], said["recall"]
    lines = [
        f"{said['questions']} questions; candidates: median {sizes['median']:.0f}, most {sizes['most']}, "
        f"none for {sizes['none']}",
        f"the relation is among them for {recall['relation']} %, the form for {recall['form']} %",
        f"one of all candidates is hit in {said['one candidate of all']} %; right, with a relation or its reverse:",
    ]
    return [*lines, *(f"  {value:5.1f}  {name}" for name, value in said["right"].items())]


def _cell(value: Mapping[str, float] | None) -> str:
    return "–" if value is None else f"{value['mean']:.1f} ± {value['sd']:.1f}"


def _table(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[place]) for row in (head, *body)) for place in range(len(head))]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in (head, *body)]


def main() -> int:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name in ("baselines", "show"):
        verbs.add_parser(name).add_argument("--json", action="store_true")
    export = verbs.add_parser("export")
    export.add_argument("folder", type=Path)
    export.add_argument("--world", type=Path, required=True, help="the questions over the made-up world")
    what = export.add_mutually_exclusive_group(required=True)
    what.add_argument("--tune", action="store_true", help="the cells by which rates are chosen")
    what.add_argument("--chosen", type=Path, help="the rates that were chosen")
    chosen = verbs.add_parser("choose")
    chosen.add_argument("out", type=Path)
    chosen.add_argument("-o", dest="file", type=Path, required=True)
    collected = verbs.add_parser("collect")
    collected.add_argument("folder", type=Path)
    collected.add_argument("out", type=Path)
    collected.add_argument("--chosen", type=Path, help="the rates that were chosen, to be kept beside the tables")
    collected.add_argument("--json", action="store_true")
    return _do(parser.parse_args())


def _do(given: argparse.Namespace) -> int:
    if given.verb == "choose":
        write_whole(given.file, json.dumps(choose(given.out), indent=1).encode() + b"\n")
        return 0
    if given.verb == "show":
        return _print(json.loads(RESULT.read_text()), given)
    real = Real.load()
    if given.verb == "baselines":
        return _print({"baselines": baselines(real)}, given)
    with tempfile.TemporaryDirectory() as name:
        metaqa = MetaQa.load(Path(name))
        if given.verb == "export":
            made = Export(real, metaqa, given.world)
            cells = made.tuning() if given.tune else made.final(json.loads(given.chosen.read_text()))
            made.write(given.folder, cells)
            print(f"{len(cells)} cells over {len(made.schema):,} items → {given.folder}")
            return 0
        result = {"baselines": baselines(real), **collect(given.folder, given.out, real, metaqa)}
    if given.chosen is not None:
        result["chosen"] = json.loads(given.chosen.read_text())
    write_whole(RESULT, json.dumps(result, indent=1, ensure_ascii=False).encode() + b"\n")
    return _print(result, given)


def _print(result: Mapping[str, Any], given: argparse.Namespace) -> int:
    print(json.dumps(result, ensure_ascii=False) if given.json else shown(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
