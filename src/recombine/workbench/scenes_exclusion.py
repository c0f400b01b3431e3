"""Which names exclude each other, learned from labelled pairs for `generate scenes --exclusion` (COVR, App. A)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.records.signature import Signature
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.models.exclusion.exclusion_model import ExclusionModel
    from recombine.models.exclusion.learn_exclusion import HeldOut

PAPER = {"noun": 0.944, "attribute": 0.957, "relation": 0.825}
"""The paper's accuracies at its own pairs, with another model."""


@dataclass(frozen=True, repr=False, eq=False)
class ScenesExclusion(Result):
    """A learned exclusion, and how well it tells pairs that it has not learned from."""

    file: str
    model: ExclusionModel = field(repr=False)
    held_out: tuple[HeldOut, ...]
    signature: Signature

    def to_dict(self) -> dict[str, Any]:
        """What `recombine scenes exclusion --json` prints."""
        return {
            "pairs": self.file,
            "kinds": {each.kind: {**asdict(each), "paper": PAPER[each.kind]} for each in self.held_out},
            "signature": str(self.signature),
            "folder": None,
        }

    def __str__(self) -> str:
        said = ", ".join(f"{each.accuracy:.1%} of {each.kind}s" for each in self.held_out)
        return f"{self.file}: held-out pairs told: {said}"

    def write(self, folder: Path | str) -> None:
        """Write the folder that `generate scenes --exclusion` takes."""
        self.model.save(folder)


@verb
def scenes_exclusion(
    pairs: Path | str, *, encoder: Path | str | None = None, held_out: float = 0.2, seed: int = 0
) -> ScenesExclusion:
    """Learn from a CSV file of labelled pairs; `held_out` is the share of pairs, and of names, that figures are from.

    `encoder` is a local directory of `transformers` whose vectors of names are read beside characters and words.
    """
    from recombine.models.exclusion.learn_exclusion import learn_exclusion
    from recombine.models.exclusion.name_encoder import NameEncoder
    from recombine.models.exclusion.name_pairs import read_name_pairs
    from recombine.models.model_file import file_digest

    read = read_name_pairs(pairs)
    reader = None if encoder is None else NameEncoder.of(encoder)
    model, outcomes = learn_exclusion(read, seed=seed, encoder=reader, held_out=held_out)
    signature = Signature.of(
        pairs=f"{len(read)}@{file_digest(pairs)[:8]}",
        model="exclusion",
        encoder=None if reader is None else f"{reader.folder.name}@{reader.digest[:8]}",
        held_out=held_out,
        seed=seed,
    )
    model.notes = {"signature": str(signature), "held_out": [asdict(each) for each in outcomes]}
    return ScenesExclusion(str(pairs), model, tuple(outcomes), signature)
