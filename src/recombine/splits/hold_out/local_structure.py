"""Adversarial splits by local structures: test has structures that train, and all it shows, is unlike (paper, §6.1).

The method gives as many splits as the data has; `splits` lists all that are kept, the least easy first, and what was
discarded with the reason. `split` is the one of a number. Train and test have the sizes that come of what is held out;
sizes that are asked for are drawn from the two sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.errors import InfeasibleError, OptionError
from recombine.options import option
from recombine.seeds import make_generator
from recombine.splits.hold_out.hold_out_structures import Candidates, Discarded, HeldOutStructure
from recombine.splits.hold_out.judged_easiness import read_judged
from recombine.splits.sizes import Sizes, draw_parts
from recombine.splits.splitter import Splitter
from recombine.structures.definition import local_definition
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import dataset_arrays
from recombine.structures.programs.templates import templates

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


AUTO = "auto"
"""Stands for the threshold that predictions have given."""


@dataclass(frozen=True)
class LocalStructureSplits:
    """All splits of one data set: what each holds out, and what was discarded with the reason."""

    splits: tuple[Split, ...]
    held_out: tuple[HeldOutStructure, ...]
    discarded: tuple[Discarded, ...]


@dataclass(frozen=True, kw_only=True)
class LocalStructureSplitter(Splitter):
    """Splits that hold out a structure and all that is like it.

    `local` names the structures, `max_templates` is the greatest share of templates in test (K), `max_easiness` the
    greatest easiness of a split that is kept (τ; none keeps all; `auto` is the one of the best F1 that `difficulty` has
    found for the same rule and written to the file `judged`, App. B.4). `half` holds out a random half of the similar
    structures only, so that train shows something like what it lacks. `number` says which split `split` gives, 0 being
    the least easy.

    >>> from recombine.workbench import load
    >>> texts = ["count ( dog )", "count ( cat )", "exists ( dog )", "exists ( cat )", "not ( exists ( dog ) )"]
    >>> data = load([(text, text) for text in texts], language="functional")
    >>> splits = LocalStructureSplitter(local="local:2,no-siblings", max_templates=0.5).splits(data)
    >>> [(held.seeds, held.easiness) for held in splits.held_out]
    [(('<s> > exists',), 0.25)]
    >>> splits.discarded[0].reason
    "with t = 0.750, the highest, train would lack the symbol 'count'"
    """

    local: str = option("local:2", "which structures, such as local:2,no-siblings")
    similarity: str = option("contexts", "how symbols are alike: contexts, relations or none")
    tokenisation: str = option("tree", "tree, or published, which parts labels of many words")
    max_templates: float = option(0.3, "the largest share of templates in test")
    max_easiness: float | str | None = option(
        None,
        "discard splits whose mean easiness is above this; auto: above what --judged has",
        choices=(AUTO,),
        metavar="X",
    )
    judged: str = option(
        "", "with --max-easiness auto: what `difficulty --predictions … --json` wrote of the same rule", metavar="FILE"
    )
    half: bool = option(False, "hold out a random half of the similar structures only")
    number: int = option(0, "which of the splits, the least easy being 0")

    by: ClassVar[str] = "local-structure"
    aims_at_divergence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        local_definition(self.local)
        most = self.max_easiness
        if (most == AUTO) != bool(self.judged):
            raise OptionError(
                "--max-easiness auto needs --judged, and --judged needs it", "give both: what `difficulty --json` wrote"
            )
        if most is not None and most != AUTO and not (isinstance(most, int | float) and 0 <= most <= 1):
            raise OptionError(f"the greatest easiness is {most}", "give a number from 0 to 1, or auto")
        if self.number < 0:
            raise OptionError(f"there is no split {self.number}", "give a number of 0 or more")

    def held_out(self, dataset: Dataset) -> tuple[list[HeldOutStructure], list[Discarded]]:
        """What is held out by the splits that are kept, the least easy first, and what was discarded."""
        arrays = dataset_arrays(dataset, tokenisation=self.tokenisation)
        structures = local_structures(arrays, self.local)
        candidates = Candidates(arrays, structures, templates(dataset), self.similarity, self.max_templates)
        most = self._greatest()[0]
        kept: list[HeldOutStructure] = []
        discarded: list[Discarded] = []
        generator = make_generator(self.seed) if self.half else None
        for division in candidates.iter_held_out(generator):
            if isinstance(division, Discarded):
                discarded.append(division)
            elif most is not None and division.easiness > most:
                reason = f"its easiness is {division.easiness:.3f}, more than {most}"
                discarded.append(Discarded(division.seeds, reason))
            else:
                kept.append(division)
        return sorted(kept, key=lambda held: held.easiness), discarded

    def _greatest(self) -> tuple[float | None, str | None]:
        """The greatest easiness of a split that is kept, and the file that it is from, where it is from one."""
        if not isinstance(self.max_easiness, str):
            return self.max_easiness, None
        definition = str(local_definition(self.local))
        rule = {"structures": definition, "similarity": self.similarity, "tokenisation": self.tokenisation}
        judged = read_judged(self.judged, rule)
        return judged.threshold, judged.source

    def splits(self, dataset: Dataset) -> LocalStructureSplits:
        """All splits that are kept, the least easy first."""
        kept, discarded = self.held_out(dataset)
        made = tuple(self._made(dataset, held, number) for number, held in enumerate(kept))
        return LocalStructureSplits(made, tuple(kept), tuple(discarded))

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """The sides of the split of the number, or draws from them."""
        kept, discarded = self.held_out(dataset)
        if self.number >= len(kept):
            raise InfeasibleError(
                f"there are {len(kept)} splits by {self.local}, and {len(discarded)} were discarded: "
                + "; ".join(sorted({division.reason for division in discarded})[:3]),
                "ask for a lower --number, or raise --max-templates or --max-easiness",
            )
        return self._parts(kept[self.number], counts, generator), self._signature(kept[self.number], self.number)

    def _made(self, dataset: Dataset, held: HeldOutStructure, number: int) -> Split:
        counts = Sizes(self.train, self.dev, self.test).counts(len(dataset))
        parts = self._parts(held, counts, make_generator(self.seed))
        return self.assemble(dataset, parts, self._signature(held, number))

    def _parts(
        self, held: HeldOutStructure, counts: dict[str, int | None], generator: np.random.Generator
    ) -> dict[str, list[int]]:
        train, test = np.flatnonzero(~held.test).tolist(), np.flatnonzero(held.test).tolist()
        return draw_parts(train, test, counts, generator, f"holding out {held.seeds[0]}")

    def _signature(self, held: HeldOutStructure, number: int) -> dict[str, object]:
        most, source = self._greatest()
        return {
            "local": self.local,
            "similarity": self.similarity,
            "tokenisation": self.tokenisation,
            "max_templates": self.max_templates,
            "max_easiness": most,
            "judged": source,
            "half": self.half or None,
            "number": number,
            "held_out": held.seeds[0],
            "threshold": held.threshold,
        }
