"""What questions about scenes are like: the paper's table and figure beside them, what was rejected, and what leaks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from recombine.scenes.balance.leak_table import LeakLine
    from recombine.scenes.balance.truth_answers import TruthShare


@dataclass(frozen=True, repr=False, eq=False)
class ScenesInfo(Result):
    """The numbers of a file of questions."""

    file: str
    train: Mapping[str, float]
    """The rows of Table 3 for train."""
    test: Mapping[str, float]
    """The same for dev and test together."""
    templates: Mapping[str, int]
    answers: Mapping[str, int]
    """The most frequent answers of train but for true and false."""
    twins: float
    """The share of questions with a twin that has another answer."""
    leaks: tuple[LeakLine, ...]
    counted: Mapping[str, Any]
    truth: TruthShare | None

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes info --json` prints."""
        from recombine.scenes.balance.statistics import PAPER

        truth = self.truth
        return {
            "data": self.file,
            "train": dict(self.train),
            "test": dict(self.test),
            "paper": {"train": {k: v[0] for k, v in PAPER.items()}, "test": {k: v[1] for k, v in PAPER.items()}},
            "templates": dict(self.templates),
            "answers": dict(self.answers),
            "twins": self.twins,
            "leaks": {line.by: {"overall": line.overall, "templates": line.by_template} for line in self.leaks},
            "rejected": dict(self.counted.get("rejected", {})),
            "refused_images": dict(self.counted.get("refused_images", {})),
            "pool": sum(self.counted.get("pool", {}).values()),
            "truth": None
            if truth is None
            else {
                "differs": truth.share,
                "no_answer": truth.no_answer / max(1, truth.asked),
                "templates": truth.by_template,
            },
        }

    def __str__(self) -> str:
        number = int(self.train["questions"] + self.test["questions"])
        return f"{self.file}: {number:,} questions of {len(self.templates)} templates, {self.twins:.1%} with a twin"


@verb
def scenes_info(file: Path | str, *, world: Path | str | None = None) -> ScenesInfo:
    """What the questions of a file are like; `world` is the file of their scenes, where the sidecar does not say it."""
    from recombine.datasets.scenes_questions import read_questions
    from recombine.progress import working
    from recombine.scenes.balance.leak_table import leak_table
    from recombine.scenes.balance.statistics import answer_counts, share_with_twin, table_rows
    from recombine.scenes.balance.truth_answers import answers_by_truth
    from recombine.scenes.synthetic.ontology import find_ontology

    with working("reading questions"):
        read = read_questions(file, world=world)
    train, test = read.of_parts("train"), [each for each in read.questions if each.part != "train"]
    with working("guessing answers without pictures"):
        leaks = leak_table([each.guessed for each in read.questions], [each.part for each in read.questions])
    truth = None if read.truth is None else answers_by_truth(read.questions, read.truth, find_ontology())
    return ScenesInfo(
        str(file),
        table_rows(train),
        table_rows(test),
        dict(sorted(Counter(each.template for each in read.questions).items())),
        answer_counts(train),
        share_with_twin(read.questions),
        tuple(leaks),
        read.counted,
        truth,
    )
