"""A grammar of sources and targets from examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.progress import bar, working
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.induction.codelength import Codelength
    from recombine.models.nqg.induction.induce import Induced as Found
    from recombine.models.nqg.induction.induce import Progress
    from recombine.models.nqg.induction.induction_settings import InductionSettings
    from recombine.options import Option
    from recombine.records.split import Split
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(repr=False, eq=False)
class Induced(Result):
    """An induced grammar with how it was found; `write` keeps it as text."""

    grammar: Qcfg
    """With the uses of its rules on the examples."""
    found: Found
    length: Codelength
    """The codelength on the distinct examples."""
    settings: InductionSettings
    examples: int
    file: Path | None = None
    """Where it was written."""

    @property
    def interrupted(self) -> bool:
        """Whether the search ended before its time; the grammar derives all examples all the same."""
        return self.found.interrupted

    def write(self, path: str | Path) -> Path:
        """Write the grammar as text."""
        self.grammar.write(path)
        self.file = Path(path)
        return self.file

    def to_dict(self) -> dict[str, Any]:
        """What `induce --json` prints."""
        found, length = self.found, self.length
        return {
            "rules": len(self.grammar),
            "codelength": length.total,
            "grammar_bits": length.grammar_bits,
            "data_bits": length.data_bits,
            "slots": length.slots,
            "terminals": length.terminals,
            "examples": self.examples,
            "distinct": length.examples,
            "searched": found.searched,
            "searched_codelength": found.codelength if found.codelength < float("inf") else None,
            "leftover_rules": found.added,
            "starts": [start.codelength for start in found.starts],
            "interrupted": found.interrupted,
            "seconds": round(found.seconds, 3),
            "signature": self.grammar.signature,
            "file": None if self.file is None else str(self.file),
        }

    def __str__(self) -> str:
        return f"{len(self.grammar):,} rules of {self.examples:,} examples, codelength {self.length.total:,.1f} bits"


@verb
def induce(
    data: Data,
    split: SplitLike | None = None,
    *,
    part: str = "train",
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
    **options: Any,
) -> Induced:
    """Induce a grammar that derives every example of a part of a split, or of all the data.

    `options` are settings of the induction (`induce.declared()` lists them).

    >>> pairs = [("jump", "J"), ("walk", "W"), ("jump twice", "J J"), ("walk twice", "W W")]
    >>> "NT_1 twice ### NT_1 NT_1" in map(str, induce(pairs).grammar)
    True
    """
    from recombine.kernels.compile_kernels import Compilation
    from recombine.models.nqg.forest.chart import ChartParser
    from recombine.models.nqg.induction.codelength import codelength
    from recombine.models.nqg.induction.induce import induce as induce_grammar
    from recombine.models.nqg.induction.kernels import KERNELS
    from recombine.models.nqg.induction.uses import with_uses
    from recombine.models.nqg.nqg_family import progress_text
    from recombine.workbench.given.data_and_split import find_split, loading
    from recombine.workbench.given.examples_to_learn import pairs_to_learn
    from recombine.workbench.load import load_for

    settings = _settings(options, seed)
    with Compilation(KERNELS) as compilation:  # the process beside this one is at work while the data are read
        with working(loading(data)):
            named = [] if split is None else [split]
            dataset = load_for(data, named, source=source, target=target, language=language, world=world)
            loaded = None if split is None else find_split(dataset, split)
            pairs = pairs_to_learn(dataset, loaded, part)
        with working("compiling kernels"):
            compilation.finish()
    with bar("inducing") as update:

        def tell(now: Progress) -> None:
            if update is not None:
                update(now.start - 1, now.starts, progress_text(now))

        found = induce_grammar(pairs, settings, tell)
    with working("counting derivations"):
        distinct = list(found.pairs)
        parser = ChartParser(found.grammar)
        counts = found.counts or parser.count_all(distinct, sources=False)
        counts = counts._replace(every=parser.count_all(distinct, targets=False).every)
        bits = {"terminal_bits": settings.terminal_bits, "slot_bits": settings.slot_bits}
        length = codelength(found.grammar, distinct, **bits, counts=counts)
        signature = _signature(found, str(dataset), loaded, part)
        grammar = replace(with_uses(found.grammar, distinct, counts=counts), signature=signature)
    return Induced(grammar, found, length, settings, len(pairs))


def declared() -> Sequence[Option]:
    """The settings of an induction that are options, and its preset."""
    from recombine.workbench.given.short_forms import induction_forms

    return induction_forms()


induce.declared = declared  # type: ignore[attr-defined]


def _settings(options: Mapping[str, Any], seed: int) -> InductionSettings:
    """All settings of an induction; a wrong name or value is refused."""
    from recombine.models.nqg.induction.induction_settings import InductionSettings
    from recombine.workbench.given.short_forms import OF_INDUCTION, SWITCHED, given_forms

    given = given_forms(options, declared())
    preset = given.pop("preset", "default")
    changes = {OF_INDUCTION[name]: SWITCHED.get(name, value) for name, value in given.items()}
    return InductionSettings.of(preset, **changes, seed=seed)


def _signature(found: Found, data: str, split: Split | None, part: str) -> str:
    """Where the examples come from, and then how the grammar was made."""
    from recombine.records.signature import Signature

    made = {key: value for key, value in Signature.parse(found.grammar.signature).fields if key != "version"}
    front = Signature.of(data=data, part="all") if split is None else split.signature.with_fields(part=part)
    return str(front.with_fields(**made))
