"""Candidates scored as tries and one by one, side by side, one core: seconds, their ratio, and the largest difference.

    python benchmarks/kbqa_ranking.py [--questions N] [--width N] [--write benchmarks/results/kbqa_ranking.json]

The questions are generated over the made-up world, with the links of their forms, and the network has its first
weights: what it costs does not depend on them. Three ways: tries, a batch of questions at a time; all candidates of a
question in one batch without a trie; and each candidate alone. All read a question once. Seconds are CPU time. Less
than 3 times as fast, or a difference of more than 1e-5, makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

LEAST, MOST = 3.0, 1e-5


def timed(action: Callable[[], list[Any]]) -> tuple[list[Any], float]:
    """What an action gives, and its CPU time."""
    began = time.process_time()
    made = action()
    return made, time.process_time() - began


def measure(number: int, width: int) -> dict[str, Any]:
    """Seconds of the three ways over some questions."""
    import torch

    from recombine.models.kbqa.inference.rank import score_candidates, score_one_by_one
    from recombine.models.kbqa.inference.trie_levels import widest_levels
    from recombine.models.kbqa.kbqa_settings import KbqaSettings
    from recombine.models.kbqa.making.make_arrays import make_arrays
    from recombine.models.kbqa.nets.kbqa_net import KbqaNet
    from recombine.models.kbqa.nets.scratch_encoder import ScratchEncoder, known_words
    from recombine.workbench import generate

    torch.set_num_threads(1)
    torch.manual_seed(0)
    settings = KbqaSettings(width=width)
    dataset = generate("kbqa", n=number, seed=1).dataset
    made = make_arrays(dataset, list(dataset), "gold", settings)
    schema, questions = made.schema, made.questions
    net = KbqaNet(ScratchEncoder(known_words([*questions.texts, *schema.texts]), settings.word_width), settings).eval()
    prepared = net.prepare(schema, questions)
    rows = np.flatnonzero(questions.candidates.codes.sizes > 0)
    score_candidates(net, prepared, rows[:1])
    rows = rows[np.argsort(widest_levels(questions.candidates, rows), kind="stable")]  # as `rank` has them
    parts = [rows[low : low + 4] for low in range(0, len(rows), 4)]
    tries, seconds = timed(lambda: [each for part in parts for each in score_candidates(net, prepared, part)])
    whole, batched = timed(lambda: [score_one_by_one(net, prepared, int(row), at_once=256) for row in rows])
    alone, single = timed(lambda: [score_one_by_one(net, prepared, int(row)) for row in rows])
    leaves = [scores[questions.candidates.leaves(int(row))] for row, scores in zip(rows, tries, strict=True)]
    return {
        "questions": len(rows),
        "candidates": sum(len(each) for each in leaves),
        "nodes": int(questions.candidates.codes.sizes.sum()),
        "width": width,
        "seconds": {"tries": seconds, "one by one, batched": batched, "one by one": single},
        "times as fast as batched": batched / seconds,
        "times as fast": single / seconds,
        "largest difference": max(
            float(np.abs(a - b).max()) for other in (whole, alone) for a, b in zip(leaves, other, strict=True)
        ),
    }


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--width", type=int, default=768)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    measured = measure(options.questions, options.width)
    for name, value in measured.items():
        print(f"{name:28} {value}")
    good = measured["times as fast"] >= LEAST and measured["largest difference"] <= MOST
    if options.write:
        options.write.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    print("as asked for" if good else "NOT as asked for")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
