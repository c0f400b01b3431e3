"""How many adversarial splits there are, beside App. B.4 of the `local_structures` paper: COVR, Overnight's programs.

    python benchmarks/adversarial_splits.py [-o benchmarks/results/adversarial_splits.json]

Reads RECOMBINE_DATA; no model is run. A split holds out a structure and all that is like it; the paper discards those
whose easiness is above τ, and merges identical ones. Counted are the splits that are generated, those that are kept
at the paper's τ, and how many of these are left when splits whose test parts share most examples count as one. The
same is done with programs whose names, values and numbers are placeholders, as templates have them, and with chains:
there a structure is also like what is like one that is like it, so that structures of one kind give one split.
Overnight's programs lose their type declarations first (App. A.2); two of the paper's ten domains are not in the data.
"""

from __future__ import annotations

import argparse
import heapq
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

import recombine
from recombine.datasets.covr_generated import generate
from recombine.files import write_whole
from recombine.languages.known import find_language
from recombine.languages.lambda_dcs import without_declarations
from recombine.records.dataset import Dataset
from recombine.splits.hold_out.hold_out_structures import Candidates, HeldOutStructure
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.structures.programs.templates import templates
from recombine.tree import Tree

RULES = {"2-LS": "local:2", "2-LS-NoSib": "local:2,no-siblings"}
COVR = {"2-LS": 0.58, "2-LS-NoSib": 0.3}
OVERNIGHT = {"2-LS": 0.13, "2-LS-NoSib": 0.2}
"""τ of each rule (App. B.4)."""
PAPER = {"covr": {"2-LS": (11, 11), "2-LS-NoSib": (5, 4)}, "overnight": {"2-LS": (112, 38), "2-LS-NoSib": (44, 11)}}
"""Splits generated and kept there."""
SHARE = 0.3
MOSTLY = 0.7
"""The share of the test examples of both that makes two splits mostly one."""
SIZES = (1000, 3000, 6000, 10000)


class Chains(Candidates):
    """Candidates among which a structure is as similar to another as the weakest step of the best way to it."""

    @cached_property
    def direct(self) -> list[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """What is similar to each structure, and how similar."""
        return [super(Chains, self).similar_to(column) for column in range(self.structures.shape[1])]

    def similar_to(self, column: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The columns that a way leads to from this one, itself first, with the weakest step of the best way."""
        best, left = {column: 1.0}, [(-1.0, column)]
        while left:
            weakest, place = heapq.heappop(left)
            if -weakest < best[place]:
                continue
            for near, similarity in zip(*(part.tolist() for part in self.direct[place]), strict=True):
                step = min(-weakest, similarity)
                if step > best.get(near, 0.0):
                    best[near] = step
                    heapq.heappush(left, (-step, near))
        return np.array(list(best), np.int64), np.array(list(best.values()))


def divisions(
    trees: Sequence[Tree], kinds: Sequence[str], rule: str, similarity: str, among: type[Candidates]
) -> list[HeldOutStructure]:
    """All splits of these programs, the least easy first."""
    arrays = program_arrays(trees)
    candidates = among(arrays, local_structures(arrays, RULES[rule]), kinds, similarity, SHARE)
    made = [each for each in candidates.iter_held_out() if isinstance(each, HeldOutStructure)]
    return sorted(made, key=lambda held: held.easiness)


def mostly_one(splits: Sequence[HeldOutStructure]) -> list[list[HeldOutStructure]]:
    """The splits in groups: each with the first whose test part it mostly shares."""
    groups: list[list[HeldOutStructure]] = []
    for split in splits:
        for group in groups:
            first = group[0].test
            if np.count_nonzero(first & split.test) >= MOSTLY * np.count_nonzero(first | split.test):
                group.append(split)
                break
        else:
            groups.append([split])
    return groups


def counted(
    data: Dataset,
    change: Callable[[Tree], Tree],
    limits: dict[str, float],
    similarity: str = "contexts",
    among: type[Candidates] = Candidates,
) -> dict[str, Any]:
    """For each rule the numbers of splits generated, kept, and kept once; with the seeds of those kept."""
    if data.language is None:
        raise ValueError(data.name)
    known = {text: change(data.language.parse(text)) for text in dict.fromkeys(data.texts("target"))}
    trees, kinds = [known[text] for text in data.texts("target")], templates(data)
    table: dict[str, Any] = {"programs": len(data), "templates": len(set(kinds))}
    for rule, most in limits.items():
        made = divisions(trees, kinds, rule, similarity, among)
        kept = [split for split in made if split.easiness <= most]
        groups = mostly_one(kept)
        table[rule] = {
            "generated": len(made),
            "kept": len(kept),
            "mostly_different": len(groups),
            "groups": [[split.seeds[0] for split in group] for group in groups],
        }
    return table


def covr() -> dict[str, Any]:
    """Splits of generated programs, with values apart, averaged by relations, and with placeholders."""
    anonymise = find_language("covr").anonymise
    rows: dict[str, Any] = {}
    for number in SIZES:
        data = generate(number, seed=0)
        rows[f"{number:,}"] = counted(data, lambda tree: tree, COVR)
        if number == 6000:
            rows[f"{number:,}, contexts averaged by relation"] = counted(data, lambda tree: tree, COVR, "relations")
        rows[f"{number:,}, values as placeholders"] = counted(data, anonymise, COVR)
        rows[f"{number:,}, in chains"] = counted(data, lambda tree: tree, COVR, among=Chains)
    return rows


def overnight() -> dict[str, Any]:
    """Splits of the programs of each domain that is in the data, and of all of them, also in chains."""
    data = recombine.load("overnight")
    rows: dict[str, Any] = {}
    chained: list[dict[str, Any]] = []
    for domain in sorted({str(example.tags["domain"]) for example in data}):
        part = data.restricted([example.id for example in data if example.tags["domain"] == domain])
        rows[domain] = counted(part, without_declarations, OVERNIGHT)
        chained.append(counted(part, without_declarations, OVERNIGHT, among=Chains))
    label = f"all {len(rows)} domains"
    return {**rows, label: summed(list(rows.values())), f"{label}, in chains": summed(chained)}


def summed(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The sums over several tables."""
    sums: dict[str, Any] = {key: sum(row[key] for row in rows) for key in ("programs", "templates")}
    for rule in RULES:
        sums[rule] = {key: sum(row[rule][key] for row in rows) for key in ("generated", "kept", "mostly_different")}
    return sums


def show(name: str, rows: dict[str, Any]) -> None:
    """Print a table: generated, kept, and kept that are mostly different, for each rule."""
    head = "".join(f"{rule:>24}" for rule in RULES)
    sys.stdout.write(f"\n{name:<42}{'templates':>10}{head}\n")
    for label, row in rows.items():
        cells = (f"{row[r]['generated']:>10}{row[r]['kept']:>7}{row[r]['mostly_different']:>7}" for r in RULES)
        sys.stdout.write(f"{label:<42}{row['templates']:>10}{''.join(cells)}\n")
    paper = ("".join(f"{made:>10}{kept:>7}{'':>7}" for made, kept in [PAPER[name][rule]]) for rule in RULES)
    sys.stdout.write(f"{'paper':<42}{'':>10}{''.join(paper)}\n")


def main() -> None:
    """Count, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, default=Path(__file__).parent / "results" / "adversarial_splits.json")
    arguments = parser.parse_args()
    value = {"covr": covr(), "overnight": overnight()}
    sys.stdout.write(
        "splits generated, kept at the paper's τ, and of these those whose test parts are mostly different\n"
    )
    for name, rows in value.items():
        show(name, rows)
    write_whole(arguments.out, orjson.dumps({**value, "paper": PAPER}, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
