"""NQG on SCAN, GeoQuery, COGS, CFQ and Spider: induction, accuracy, the hybrid and speed, on one core.

    python benchmarks/nqg.py scan        all published splits of SCAN here, default settings
    python benchmarks/nqg.py scan_preset the same with the paper's settings, `--preset nqg:scan`
    python benchmarks/nqg.py margins     bits between the grammars that are found and one for `left` and `right` alike
    python benchmarks/nqg.py settings    prior, reluctance and the bits of the search on SCAN and GeoQuery
    python benchmarks/nqg.py induction   GeoQuery's standard train part: default and 20 restarts; two hash seeds
    python benchmarks/nqg.py choose      settings on a random fifth of each train part of GeoQuery
    python benchmarks/nqg.py geoquery    the published splits, three seeds, default and chosen settings
    python benchmarks/nqg.py encoder     MiniLM: what the span scorer gives on train that is held out, and what it could
    python benchmarks/nqg.py hybrid      with the stored predictions of the studies as the fallback
    python benchmarks/nqg.py large       10,000 examples of COGS and CFQ, and Spider

Each keeps its rows in benchmarks/results/nqg_NAME.json; benchmarks/nqg_page.py makes tables of them. Seconds
are CPU seconds of one process with its kernels loaded; the data is read from RECOMBINE_DATA.
"""

from __future__ import annotations

import gzip
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import recombine
from recombine.data_directory import data_directory
from recombine.evaluation.compare import mcnemar
from recombine.files import write_whole
from recombine.languages.known import find_language
from recombine.models.hybrid import combine
from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.induction.codelength import codelength
from recombine.models.nqg.induction.induce import Induced, induce
from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.rule import tokens
from recombine.models.nqg.scoring.neural_settings import NeuralSettings
from recombine.models.nqg.target_grammar import TargetGrammar, parses

Pairs = list[tuple[str, str]]
ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
SCAN = ("simple", "length", "addprim_jump", "addprim_turn_left", "mcd1", "mcd2", "template_around_right")
# Looked at only once all settings were fixed; `own/…` are maximum-divergence splits made here with these seeds.
SCAN_UNSEEN = (
    *("filler_num0", "filler_num1", "filler_num2", "filler_num3"),
    *("template_jump_around_right", "template_opposite_right", "template_right"),
    *("own/1", "own/2", "own/3"),
)
GEOQUERY = ("standard", "template_1", "length_1", "tmcd_1")
SEEDS = range(3)
# What is chosen from: the number of starts, and how many of their grammars are joined.
CHOICES: list[dict[str, Any]] = [
    {"restarts": starts, "members": members} for starts, members in ((1, 1), (2, 1), (2, 2), (4, 4), (8, 8))
]


# What else `prior`, `reluctance` and the bits of the search could be; the defaults are 0.3, 2, and 16 and 4.
BITS = ((16.0, 4.0), (24.0, 8.0), (8.0, 4.0), (16.0, 8.0), (8.0, 1.0))
SCORERS: list[dict[str, float]] = [
    *({"reluctance": value} for value in (0.0, 0.5, 1.0, 4.0)),
    *({"prior": value} for value in (0.1, 1.0, 3.0)),
]


def parts(data: recombine.Dataset, split: str, *names: str) -> list[Pairs]:
    """Pairs of source and target by part."""
    if split.startswith("own/"):
        sizes: dict[str, Any] = {"train": 8365, "dev": 1046, "test": 1045}
        found = recombine.split(data, by="mcd", seed=int(split.removeprefix("own/")), **sizes)
    else:
        found = recombine.load_split(data, split)
    return [[(data[key].source, data[key].target) for key in found.parts[name]] for name in names]


def warm_up() -> None:
    """Load all kernels."""
    Nqg().fit([("a b", "A B"), ("a c", "A C"), ("b", "B"), ("a b and a c", "A B A C")]).predict(["a a b"])


def make(seed: int, *, restarts: int = 2, **options: Any) -> Nqg:
    """A parser for GeoQuery, with the published grammar of targets."""
    grammar = TargetGrammar.read(data_directory() / "geoquery" / "funql_target_cfg.txt")
    return Nqg(InductionSettings(seed=seed, restarts=restarts), valid=grammar.accepts, **options)


def measured(parser: Nqg, test: Pairs) -> dict[str, float]:
    """Accuracy, coverage, precision and oracle, in percent; `strict` decodes as published."""
    found = parser.decode([source for source, _ in test])
    right = [one.target == target for one, (_, target) in zip(found, test, strict=True)]
    covered = sum(one.target is not None for one in found)
    first = sum(ok and one.tried == 1 for ok, one in zip(right, found, strict=True))
    chart = parser.decoder().parser
    oracle = sum(chart.derives(tokens(source), tokens(target)) for source, target in test)
    share = 100 / len(test)
    return {
        "accuracy": share * sum(right),
        "coverage": share * covered,
        "precision": 100 * sum(right) / max(covered, 1),
        "oracle": share * oracle,
        "strict": share * first,
    }


def scan() -> list[dict[str, Any]]:
    """Every split: induction from its train part, accuracy on its whole test part."""
    data, rows = recombine.load("scan"), []
    warm_up()
    for split in (*SCAN, *SCAN_UNSEEN):
        train, test = parts(data, split, "train", "test")
        start = time.process_time()
        found = induce(train)
        induction = time.process_time() - start
        parser = Nqg()
        parser.induced, parser.grammar = found, found.joined(parser.members)
        start = time.process_time()
        parser.fit_scorer(train)
        fitting = time.process_time() - start
        chart = ChartParser(parser.grammar)
        start = time.process_time()
        for source, _ in test:
            chart.parse(tokens(source))
        parsing = time.process_time() - start
        start = time.process_time()
        values = measured(parser, test)
        rows.append(
            {
                "split": split,
                "looked_at": split in SCAN,
                "rules": len(found.grammar),
                "joined": len(parser.grammar),
                "codelength": found.codelength,
                "induction_seconds": induction,
                "scorer_seconds": fitting,
                "parses_per_second": len(test) / parsing,
                "test": len(test),
                **values,
                "signature": parser.grammar.signature,
            }
        )
        print(rows[-1], flush=True)
    return rows


def scan_preset() -> list[dict[str, Any]]:
    """Every published split of SCAN with the settings and the plain greedy search of the paper."""
    data, rows = recombine.load("scan"), []
    for split in (one for one in (*SCAN, *SCAN_UNSEEN) if not one.startswith("own/")):
        train, test = parts(data, split, "train", "test")
        parser = Nqg(InductionSettings.of("nqg:scan")).fit(train)
        row = {"split": split, "rules": len(parser.induced.grammar) if parser.induced else 0, "test": len(test)}
        rows.append({**row, **measured(parser, test)})
        print(rows[-1], flush=True)
    return rows


def margins() -> list[dict[str, Any]]:
    """The codelength of what is found on splits at 0, beside that of a grammar for `left` and `right` alike.

    That grammar is the one found on `simple`; both codelengths are on the examples that the search saw.
    """
    data, rows = recombine.load("scan"), []
    (simple,) = parts(data, "simple", "train")
    both = induce(simple).grammar
    for split in ("template_opposite_right", "template_right"):
        (train,) = parts(data, split, "train")
        found = induce(train)
        seen = sorted(dict.fromkeys(train), key=lambda pair: pair[0].count(" "))[: found.searched]
        own, other = codelength(found.grammar, seen), codelength(both, seen)
        row = {"split": split, "examples": len(seen), "found": own.total, "both": other.total}
        rows.append({**row, "underived": own.underived + other.underived, "margin": other.total - own.total})
        print(rows[-1], flush=True)
    return rows


def settings() -> list[dict[str, Any]]:
    """Accuracy with other values of `prior`, `reluctance` and the bits of the search, one or two at a time.

    On the test parts of the splits of SCAN that were looked at, and on a random fifth of the train part of GeoQuery's
    standard split.
    """
    scan_data, geoquery_data = recombine.load("scan"), recombine.load("geoquery/funql")
    rows: list[dict[str, Any]] = []
    for split in SCAN:
        train, test = parts(scan_data, split, "train", "test")
        rows += tried("scan, test", split, Nqg(), train, test)
    (train,) = parts(geoquery_data, "standard", "train")
    return rows + tried("geoquery/funql, held out", "standard", make(0), *held_out(train, 0))


def tried(data: str, split: str, usual: Nqg, train: Pairs, test: Pairs) -> list[dict[str, Any]]:
    """The accuracy on one split with each of the settings."""
    rows = []
    for terminal, slot in BITS:
        bits = {"search_terminal_bits": terminal, "search_slot_bits": slot}
        found = induce(train, replace(usual.settings, **bits))
        for scorer in ({}, *SCORERS) if (terminal, slot) == BITS[0] else ({},):
            parser = replace(usual, **scorer)
            parser.induced, parser.grammar = found, found.joined(parser.members)
            parser.fit_scorer(train)
            outputs = parser.predict([source for source, _ in test])
            right = statistics.mean(one == target for one, (_, target) in zip(outputs, test, strict=True))
            told = {**bits, "reluctance": parser.reluctance, "prior": parser.prior}
            rows.append({"data": data, "split": split, **told, "accuracy": 100 * right})
            print(rows[-1], flush=True)
    return rows


def induction() -> list[dict[str, Any]]:
    """GeoQuery's standard train part: codelength, seconds, and the same bytes under two hash seeds."""
    (train,) = parts(recombine.load("geoquery/funql"), "standard", "train")
    warm_up()
    rows: list[dict[str, Any]] = []
    for restarts in (2, 20):
        start = time.process_time()
        found = induce(train, InductionSettings(restarts=restarts))
        seconds = time.process_time() - start
        exact = codelength(found.grammar, train)
        rows.append(
            {
                "restarts": restarts,
                "rules": len(found.grammar),
                "codelength": exact.total,
                "underived": exact.underived,
                "examples": exact.examples,
                "seconds": seconds,
                "starts": [round(one.codelength, 1) for one in found.starts],
                "signature": found.grammar.signature,
            }
        )
        print(rows[-1], flush=True)
    code = (
        "import recombine, hashlib; from recombine.models.nqg.induction.induce import induce\n"
        "data = recombine.load('geoquery/funql'); split = recombine.load_split(data, 'standard')\n"
        "pairs = [(data[key].source, data[key].target) for key in split.train]\n"
        "print(hashlib.sha256(str(induce(pairs).grammar).encode()).hexdigest())"
    )
    digests = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    rows.append({"sha256 of the grammar under PYTHONHASHSEED 1 and 2": digests})
    print(rows[-1], flush=True)
    return rows


def first_starts(found: Induced, number: int) -> Induced:
    """What an induction with fewer starts gives: starts do not depend on those after them."""
    starts = found.starts[:number]
    rules = min(starts, key=lambda start: start.codelength).rules
    return replace(found, starts=starts, grammar=Qcfg(rules, found.grammar.signature))


def held_out(train: Pairs, seed: int) -> tuple[Pairs, Pairs]:
    """A train part without a random fifth of its distinct pairs, and this fifth."""
    distinct = list(dict.fromkeys(train))
    drawn = np.random.default_rng(1000 + seed).choice(len(distinct), len(distinct) // 5, replace=False)
    held = {distinct[k] for k in drawn.tolist()}
    return [pair for pair in train if pair not in held], [pair for pair in distinct if pair in held]


def encoder() -> list[dict[str, Any]]:
    """The settings of `nqg-MiniLM` in studies/geoquery_encoders.toml.

    On a fifth of the distinct pairs of the standard train part, learned from the others; and for each test part the
    share that the grammar derives, which no scorer can go beyond.
    """
    data = recombine.load("geoquery/funql")
    (train,) = parts(data, "standard", "train")
    rest, held = held_out(train, 0)
    folder = str(data_directory() / "encoders" / "all-minilm-l6-v2")
    network = NeuralSettings.of("nqg:paper", encoder=folder, steps=80, batch=32)
    parser = Nqg(InductionSettings.of("nqg:geoquery", seed=0), members=1, strict=True, scorer="neural", neural=network)
    parser.valid = parses(find_language("funql"))
    rows: list[dict[str, Any]] = [{"split": "standard, train", "seed": 0, **measured(parser.fit(rest), held)}]
    print(rows[-1], flush=True)
    for split in GEOQUERY:
        for seed in SEEDS:
            train, test = parts(data, split, "train", "test")
            chart = ChartParser(induce(train, InductionSettings.of("nqg:geoquery", seed=seed)).joined(1))
            pairs = [(tokens(source), tokens(target)) for source, target in test]
            derived = sum(chart.derives(*pair) for pair in pairs)
            parsed = sum(chart.parse(source) is not None for source, _ in pairs)
            share = 100 / len(test)
            rows.append({"split": split, "seed": seed, "oracle": share * derived, "parsed": share * parsed})
            print(rows[-1], flush=True)
    return rows


def choose() -> list[dict[str, Any]]:
    """Accuracy on a random fifth of the distinct pairs of each train part, learned from the others."""
    data, rows = recombine.load("geoquery/funql"), []
    for split in GEOQUERY:
        (train,) = parts(data, split, "train")
        for seed in SEEDS:
            left, dev = held_out(train, seed)
            found = induce(left, InductionSettings(seed=seed, restarts=max(choice["restarts"] for choice in CHOICES)))
            for choice in CHOICES:
                parser = make(seed, **choice)
                parser.induced = first_starts(found, choice["restarts"])
                parser.grammar = parser.induced.joined(choice["members"])
                rows.append({"split": split, "seed": seed, **choice, **measured(parser.fit_scorer(left), dev)})
            print(split, seed, [round(row["accuracy"], 1) for row in rows[-len(CHOICES) :]], flush=True)
    for choice in CHOICES:
        chosen = [row for row in rows if all(row[key] == value for key, value in choice.items())]
        print(choice, round(statistics.mean(row["accuracy"] for row in chosen), 2), flush=True)
    return rows


def best_choice() -> dict[str, Any]:
    """The settings that `choose` puts first."""
    kept = orjson.loads((RESULTS / "nqg_choose.json").read_bytes())["rows"]
    means = [
        statistics.mean(row["accuracy"] for row in kept if all(row[key] == value for key, value in choice.items()))
        for choice in CHOICES
    ]
    return CHOICES[int(np.argmax(means))]


def geoquery() -> list[dict[str, Any]]:
    """The published splits with default settings, under both scorers, and with those that `choose` puts first."""
    chosen, usual = best_choice(), {"restarts": InductionSettings().restarts, "members": Nqg().members}
    data, rows = recombine.load("geoquery/funql"), []
    for split in GEOQUERY:
        train, test = parts(data, split, "train", "test")
        for seed in SEEDS:
            found = induce(train, InductionSettings(seed=seed, restarts=max(chosen["restarts"], usual["restarts"])))
            for name, choice, kind in (
                ("default", usual, "loglinear"),
                ("default", usual, "neural"),
                ("chosen", chosen, "loglinear"),
            ):
                parser = make(seed, **choice, scorer=kind)
                parser.induced = first_starts(found, choice["restarts"])
                parser.grammar = parser.induced.joined(choice["members"])
                start = time.process_time()
                parser.fit_scorer(train)
                seconds = time.process_time() - start
                row = {"split": split, "seed": seed, "settings": name, **choice, "scorer": kind, "seconds": seconds}
                rows.append({**row, "rules": len(parser.grammar), **measured(parser, test)})
                print(list(rows[-1].values()), flush=True)
    return rows


def stored(folder: Path) -> list[tuple[dict[str, Any], dict[str, str]]]:
    """The cells of a study with their predictions by id."""
    found = []
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_text())
        lines = path.with_suffix(".jsonl.gz")
        if record.get("state") == "done" and lines.exists():
            with gzip.open(lines, "rt") as file:
                found.append((record, {row["id"]: row["prediction"] for row in map(json.loads, file)}))
    return found


def hybrid() -> list[dict[str, Any]]:
    """NQG, stored predictions of sequence-to-sequence models, and both together, split by split."""
    rows = []
    parsers: dict[tuple[str, str, int], list[str | None]] = {}
    for study, name, splits in (
        ("scan_table4", "scan", ("mcd1", "mcd2")),
        ("geoquery_splits", "geoquery/funql", GEOQUERY),
    ):
        data = recombine.load(name)
        for record, outputs in stored(ROOT / "studies" / "results" / study):
            split, model, seed = record["split"]["name"], record["name"].split("/")[0], record["seed"]
            if split not in splits:
                continue
            found = recombine.load_split(data, split)
            sources = [data[key].source for key in found.test]
            key = (name, split, seed % 3)
            if key not in parsers:
                (train,) = parts(data, split, "train")
                made = Nqg(InductionSettings(seed=seed % 3)) if name == "scan" else make(seed % 3)
                parsers[key] = made.fit(train).predict(sources)
            gold = [data[one].target for one in found.test]
            second = [outputs[one] for one in found.test]
            both = combine(parsers[key], second)
            right = [[a == b for a, b in zip(side, gold, strict=True)] for side in (parsers[key], second, both)]
            gained = sum(b and not a for a, b in zip(right[1], right[2], strict=True))
            lost = sum(a and not b for a, b in zip(right[1], right[2], strict=True))
            rows.append(
                {
                    "data": name,
                    "split": split,
                    "fallback": model,
                    "seed": seed,
                    **{
                        side: 100 * statistics.mean(one)
                        for side, one in zip(("nqg", "fallback_alone", "hybrid"), right, strict=True)
                    },
                    "coverage": 100 * statistics.mean(one is not None for one in parsers[key]),
                    "gained": gained,
                    "lost": lost,
                    "p": mcnemar(gained, lost),
                }
            )
            print(rows[-1], flush=True)
    return rows


def large() -> list[dict[str, Any]]:
    """Ten thousand training examples of COGS and CFQ, and Spider's: time, memory and honest coverage.

    Besides the default, which searches the 500 shortest, a search of all examples with one start and no refinement.
    """
    warm_up()
    rows = []
    for name, split, test_parts, number in (
        ("cogs", "published", ("test", "gen"), 10_000),
        ("cfq/mcd1", "published", ("dev",), 10_000),
        ("spider/ssp", "random_1", ("test",), 10_000),
    ):
        data = recombine.load(name)
        train, *tests = parts(data, split, "train", *test_parts)
        order = np.random.default_rng(0).permutation(len(train))[:number]
        train = [train[k] for k in sorted(order.tolist())]
        for settings in (InductionSettings(), InductionSettings(sample=0, largest=0, restarts=1, effort=0.0)):
            start = time.process_time()
            found = induce(train, settings)
            induction = time.process_time() - start
            parser = Nqg(settings)
            parser.induced, parser.grammar = found, found.joined(parser.members)
            start = time.process_time()
            parser.fit_scorer(train)
            fitting = time.process_time() - start
            for part, test in zip(test_parts, tests, strict=True):
                drawn = np.random.default_rng(1).permutation(len(test))[:1000]
                rows.append(
                    {
                        "data": name,
                        "part": part,
                        "settings": str(settings),
                        "train": len(train),
                        "rules": len(found.grammar),
                        "of which whole examples": found.added,
                        "induction_seconds": induction,
                        "scorer_seconds": fitting,
                        "peak_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
                        "test": len(drawn),
                        **measured(parser, [test[k] for k in sorted(drawn.tolist())]),
                    }
                )
                print(rows[-1], flush=True)
    return rows


RUNS = {
    "scan": scan,
    "scan_preset": scan_preset,
    "margins": margins,
    "settings": settings,
    "induction": induction,
    "choose": choose,
    "geoquery": geoquery,
    "encoder": encoder,
    "hybrid": hybrid,
    "large": large,
}


def main() -> None:
    """Run what the command line names and keep the rows."""
    for name in sys.argv[1:] or RUNS:
        rows = RUNS[name]()
        record = {"version": recombine.__version__, "python": platform.python_version(), "rows": rows}
        write_whole(RESULTS / f"nqg_{name}.json", orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
