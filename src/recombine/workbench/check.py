"""Whether a split is sound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import working
from recombine.records.split import Split
from recombine.structures.counted_typing import is_typed
from recombine.structures.definition import Structures
from recombine.workbench.features import find_definition
from recombine.workbench.given.counted_structures import check_typing, counted_structures
from recombine.workbench.given.data_and_split import note_old_file
from recombine.workbench.load import load_for
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class CheckResult(Result):
    """What is wrong with a split, what could not be checked, and what is worth knowing."""

    report: dict[str, Any]
    strict: bool = False

    @property
    def problems(self) -> list[str]:
        """What is wrong, a sentence each."""
        return list(self.report["problems"])

    @property
    def held_out(self) -> list[str]:
        """What the split's own method holds out on purpose, a sentence each."""
        return list(self.report["held_out"])

    @property
    def not_checked(self) -> list[str]:
        """What could not be checked, a sentence each."""
        return list(self.report["not_checked"])

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong; where the check is strict, also whether all was checked."""
        return not self.problems and not (self.strict and self.not_checked)

    def to_dict(self) -> dict[str, Any]:
        """What `recombine check --json` prints."""
        return dict(self.report)

    def __str__(self) -> str:
        problems = "; ".join(self.problems) or "no problems" + (" in what was checked" if self.not_checked else "")
        return f"{problems}; {len(self.not_checked)} not checked" if self.not_checked else problems


@verb
def check(
    data: Data,
    split: str | Path | Split,
    *,
    train: int | None = None,
    dev: int | None = None,
    test: int | None = None,
    strict: bool = False,
    profile: str | Path | None = None,
    ontology: str | Path | None = None,
    properties: str | Path | None = None,
    literals: str | None = None,
    names: str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    near_duplicates: float | None = None,
    seed: int = 0,
) -> CheckResult:
    """What is wrong with a split (`problems`), what could not be checked (`not_checked`), and what is worth knowing.

    `held_out` is what the split's own method holds out on purpose. `train`, `dev` and `test` are the numbers of entries
    that the parts should have; `profile` and `ontology` those by which a split by levels was made; `properties` the
    file of one's own by which a split by property was made; `literals` and `names` say how atoms are counted, as for
    `split`. With `near_duplicates`, a threshold such as 0.8, examples that are nearly in train are counted.

    >>> data = [("jump", "JUMP"), ("walk", "WALK"), ("jump twice", "JUMP JUMP")]
    >>> from recombine.workbench.split import split
    >>> check(data, split(data, test=1), test=2).problems
    ['test has 1 entries, not 2']
    """
    from recombine.datasets import catalogue
    from recombine.measures.check_split import check_split
    from recombine.measures.near_duplicates.near_duplicates import check_threshold
    from recombine.structures.dataset_features import extract_atoms

    del seed  # every verb takes it; nothing here is random
    typing = {"literals": literals, "names": names}
    check_typing(None, **typing)
    near = None if near_duplicates is None else check_threshold(near_duplicates)
    sizes = {name: size for name, size in (("train", train), ("dev", dev), ("test", test)) if size is not None}
    with working("checking the split" if isinstance(split, Split) else f"checking {split}"):
        dataset = load_for(data, [split], source=source, target=target, language=language, world=world)
        loaded = catalogue.load_split(dataset, split, verify=False)
        atoms = None
        if dataset.structures:
            counted = counted_structures(dataset, None, **_typing(dataset, loaded, typing))
            definition = find_definition(dataset, None if counted is None else str(counted))
            atoms = None if definition is None else extract_atoms(dataset, definition.atoms)
        by = {
            name: None if given is None else str(given)
            for name, given in (("profile", profile), ("ontology", ontology), ("properties", properties))
        }
        report = check_split(dataset, loaded, atoms=atoms, sizes=sizes, near=near, **by)
    if not isinstance(split, Split):
        note_old_file(loaded, split)
    return CheckResult(report, strict)


def _typing(dataset: Dataset, split: Split, given: dict[str, str | None]) -> dict[str, str | None]:
    """How literals count: of a split by levels as they are, where nothing is said, for it tells which are held out."""
    kept = split.signature.get("by") == "levels" and is_typed(Structures.parse(dataset.structures).atoms)
    return {**given, "literals": "keep"} if kept and given["literals"] is None else given
