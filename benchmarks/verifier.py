"""How good a trained verifier is, and what it does to questions about noisily annotated scenes.

    python benchmarks/verifier.py DIR                     precision and recall by node type; the table of noise with it
    python benchmarks/verifier.py DIR --only verifier     one row of the table
    python benchmarks/verifier.py --arrays FOLDER         what a verifier is trained from: 6,000 scenes at noise 0.15

A verifier is trained from the arrays, on a GPU in about a minute, by

    python -m recombine.models.pictures.verifier.run FOLDER --other OTHER.npz --out DIR

where OTHER are pictures of other scenes with names, `other_pictures.npz` of an exported study. Pictures are judged by
the fold that did not see them; the pairs were not learned from, and are none of the labelled ones.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from rich.console import Console

from recombine.models.pictures.verifier.verifier_folder import read_verifier_folder
from recombine.scenes.balance.balanced_parts import make_balanced_parts
from recombine.scenes.balance.filters import FILTERS, VERIFIER
from recombine.scenes.balance.question_pool import PoolSetting
from recombine.scenes.balance.truth_answers import answers_by_truth
from recombine.scenes.related.exclusion import OntologyExclusion
from recombine.scenes.related.looking_verifier import LookingVerifier
from recombine.scenes.related.truth_verifier import TruthVerifier
from recombine.scenes.synthetic.ontology import find_ontology
from recombine.scenes.synthetic.world import make_world
from scenes import asked

NOISE, SCENES, QUESTIONS, LEARNED_SCENES = 0.15, 2000, 3000, 6000
console = Console(width=110, highlight=False)


def show_quality(folder: Path) -> None:
    """Print how many missing sub-graphs are found, and how many refused pictures hold one."""
    saved = read_verifier_folder(folder)
    console.print(f"thresholds: {saved.thresholds}; trained on {saved.notes['device']} in {saved.notes['seconds']} s")
    console.print(f"{'':44}{'pairs':>8}{'missing':>9}{'refused':>9}{'precision':>11}{'recall':>8}")
    for name, by_type in saved.notes["quality"].items():
        for kind, each in by_type.items():
            label = f"{name}: changed {kind}"
            numbers = f"{each['pairs']:>8,}{each['missing']:>9,}{each['refused']:>9,}"
            console.print(f"{label:44}{numbers}{each['precision']:>11.1%}{each['recall']:>8.1%}")


def show_noise(folder: Path, only: str | None, n: int, seed: int) -> None:
    """Print how many answers differ on the truth graph, by what keeps images from distracting."""
    annotated, truth = make_world(SCENES, seed=seed, noise=NOISE)
    console.print(f"noise {NOISE}, {SCENES:,} scenes, {n:,} questions: answers that differ on the truth graph")
    for name in FILTERS if only is None else [only]:
        began = time.perf_counter()
        verifier = LookingVerifier(str(folder)) if name == VERIFIER else None
        made = make_balanced_parts(PoolSetting(annotated, seed, truth, name, verifier=verifier), n)
        said = answers_by_truth(asked(made), truth, find_ontology())
        console.print(
            f"  {name:12}{said.share:>7.1%}, {said.no_answer / said.asked:.1%} have none there "
            f"({time.perf_counter() - began:.0f} s)"
        )


def write_arrays(folder: Path, seed: int) -> None:
    """Write what a verifier is trained from."""
    from recombine.models.pictures.making.scene_pictures import drawn
    from recombine.models.pictures.verifier.make_verifier_arrays import make_verifier_arrays

    annotated, truth = make_world(LEARNED_SCENES, seed=seed, noise=NOISE)
    ontology = find_ontology()
    made = make_verifier_arrays(
        annotated,
        truth,
        drawn(),
        exclusion=OntologyExclusion(ontology),
        knows=TruthVerifier(truth, ontology),
        seed=seed,
    )
    made.write(folder)
    console.print(f"{len(made.texts):,} pairs of {len(made.pictures):,} pictures → {folder}")


def main() -> None:
    """Measure, or write arrays."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--arrays", type=Path)
    parser.add_argument("--only", choices=FILTERS)
    parser.add_argument("-n", type=int, default=QUESTIONS)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.arrays is not None:
        write_arrays(given.arrays, given.seed)
    if given.folder is not None:
        show_quality(given.folder)
        show_noise(given.folder, given.only, given.n, given.seed)


if __name__ == "__main__":
    main()
