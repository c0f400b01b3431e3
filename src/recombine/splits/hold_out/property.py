"""The split by property: a combination of reasoning steps that train lacks, or has a few examples of (COVR, section 3).

What is held out is a predicate over programs, sub-graphs, templates, answers and tags (`measures/properties`), or a
preset of the packaged file: all set-ups of the paper are there. The signature has the predicate said with primitives
alone, so that `check` can find everything again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import OptionError, SizeError
from recombine.measures.properties.held_examples import held_examples, nearest
from recombine.measures.properties.holds import Properties
from recombine.measures.properties.property_table import property_table
from recombine.options import option
from recombine.splits.hold_out.property_parts import FIELD, HELD, SIZES, PropertyDivision
from recombine.splits.splitter import Splitter

if TYPE_CHECKING:
    import numpy as np

    from recombine.measures.properties.held_examples import HeldExamples
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.splits.hold_out.property_parts import PropertyParts


@dataclass(frozen=True, kw_only=True)
class PropertySplitter(Splitter):
    """Train has no example with what is held out, or `few_shot` of them; test has only such examples.

    >>> from recombine.workbench import load
    >>> nouns = ["dog", "cat", "mouse"]
    >>> texts = [f"{op} ( find ( {noun} ) )" for op in ("count", "exists") for noun in nouns]
    >>> data = load([(text, text) for text in texts], language="covr")
    >>> split = PropertySplitter(held_out="has:count & !arg:mouse").split(data)
    >>> split.sizes(), split.signature.get("predicate")
    ({'train': 4, 'test': 2}, 'op:count & !arg:mouse')
    """

    held_out: str = option("", "what train lacks: a predicate such as 'has:count & has:attr', or a preset covr:…")
    few_shot: int | None = option(
        None, "how many examples of it train has all the same; default: as the preset says, else none"
    )
    properties: str = option("", "a file of properties of one's own", metavar="FILE")
    parts_from: str = option(
        "", "field: the field part of the examples; sizes: made anew; default: the field where there is one"
    )

    by: ClassVar[str] = "property"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.held_out.strip():
            raise OptionError(
                "the method 'property' needs to know what is held out",
                "give --held-out, such as 'has:count & has:attr'",
            )
        if self.few_shot is not None and self.few_shot < 0:
            raise OptionError(f"--few-shot is {self.few_shot}", "give a count of 0 or more")
        if self.parts_from not in ("", FIELD, SIZES):
            raise OptionError(f"--parts-from is {self.parts_from!r}", f"give {FIELD} or {SIZES}")

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Ask the predicate of every example, then divide them."""
        table = property_table(self.properties or None)
        asked = Properties(dataset)
        held = held_examples(asked, self.held_out, table, seed=self.seed)
        few_shot = held.few_shot if self.few_shot is None else self.few_shot
        said = held.fields["held_out"]
        division = PropertyDivision(dataset, asked.fields, held.mask, said, few_shot, generator, self.seed)
        by_field = self.parts_from == FIELD or (not self.parts_from and asked.fields.has("part"))
        if by_field and (self.train, self.dev, self.test) != (None, None, None):
            raise OptionError(
                f"the examples of {dataset.name} say their part, so their parts have the sizes they have",
                "leave out --train, --dev and --test, or give --parts-from sizes",
            )
        try:
            if by_field:
                parts = division.by_field()
            else:
                parts = division.by_scenes(counts) if asked.fields.has("images") else division.by_sizes(counts)
        except SizeError as error:
            raise _explained(error, asked, held) from None
        rows = {name: places.tolist() for name, places in parts.rows.items()}
        return rows, self._extra(parts, held, FIELD if by_field else SIZES)

    def _extra(self, parts: PropertyParts, held: HeldExamples, parts_from: str) -> dict[str, object]:
        """What the signature says."""
        return {
            **held.fields,
            "few_shot": parts.few or None,
            "parts_from": parts_from,
            "filtered": f"{parts.filtered}/{parts.of}",
            "one_of_two": parts.one_of_two or None,
            "left_out": parts.left_out or None,
            "never": ", ".join(held.never) or None,
        }

    def notes(self, split: Split) -> tuple[str, ...]:
        """How many were filtered, and what else was counted."""
        stated = split.signature
        filtered, of = (int(number) for number in stated.get("filtered").split("/"))
        few = stated.get("few_shot")
        kept = f"; train has {int(few):,} of them all the same" if few else ""
        said = [
            f"{filtered:,} of {of:,} examples ({filtered / of:.1%}) are filtered for {stated.get('held_out')}{kept}"
        ]
        preset = property_table(self.properties or None).preset(self.held_out)
        if preset is not None and preset.paper is not None:
            said.append(f"the paper filtered {preset.paper:.1%} of its train set")
        if drawn := stated.get("drawn"):
            said.append(f"drawn: {drawn.partition('@')[0]}")
        if pairs := stated.get("one_of_two"):
            said.append(f"of {int(pairs):,} pairs of twins one has it and the other does not; both are of one part")
        if left_out := stated.get("left_out"):
            said.append(
                f"{int(left_out):,} questions were left out: their scenes, or their twin's, are of several parts"
            )
        if never := stated.get("never"):
            said.append(f"no example has {never}")
        if "dev" in split.parts and HELD not in split.parts:
            said.append(f"no example of dev has it, so there is no {HELD}")
        return tuple(said)


def _explained(error: SizeError, asked: Properties, held: HeldExamples) -> SizeError:
    """The error with the atoms that hold of no example."""
    near = nearest(asked, held.never)
    return SizeError(error.problem + (f"; {near}" if near else ""), error.remedy or "hold out something else")
