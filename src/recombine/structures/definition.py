"""Structure definitions as names that print and parse.

A divergence depends on what counts as an atom and as a compound, so no value is shown without its definition:

    atoms=rules,presence;compounds=dag:2-9,counts
    atoms=rules:grammar,counts;compounds=dag:2-4,weighted,top=40000

For data made by rules, atoms are rules: of every kind, or of one kind after a colon. Compounds are connected
sub-graphs of the rule application graph with so many nodes, over the rules of the grammar, or of another kind
(`rules=all`). An example holds each with its number of occurrences (`counts`), with 1 (`presence`), or with its
weight (`weighted`, CFQ paper §2.1 and L.4). `top=N` keeps the N compounds of the highest sums over the whole data
set, so a value then depends on data outside the split. For data with programs and no rules, atoms are the `symbols`
of the program and compounds the connected parts of its tree: `atoms=symbols,presence;compounds=tree:2-2,counts` are
parent, argument position and child (NQG paper, App. B.3).

A text that leaves out `atoms=` or `compounds=` leaves that half at its default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recombine.errors import DefinitionError

KINDS = ("all", "grammar", "interpretation")
_EXAMPLE = "write for example dag:2-9,counts or atoms=rules,presence;compounds=dag:2-4,weighted,top=40000"


@dataclass(frozen=True)
class AtomDefinition:
    """Rules, or the symbols of programs, as atoms.

    >>> print(AtomDefinition.parse("rules:grammar,counts"))
    rules:grammar,counts
    """

    rules: str = "all"
    value: str = "presence"
    of: str = "rules"

    @classmethod
    def parse(cls, text: str) -> AtomDefinition:
        """Read what `str` printed."""
        head, *options = text.split(",")
        name, _, kind = head.partition(":")
        kinds = KINDS if name == "rules" else ("all",)
        if name not in ("rules", "symbols") or (kind or "all") not in kinds or len(options) > 1:
            raise DefinitionError(
                f"cannot read the atoms {text!r}", "write rules,presence or rules:grammar,counts or symbols,presence"
            )
        value = options[0] if options else "presence"
        if value not in ("presence", "counts"):
            raise DefinitionError(f"atoms have no option {value!r}", "write presence or counts")
        return cls(kind or "all", value, name)

    def __str__(self) -> str:
        return f"{self.of}{'' if self.rules == 'all' else ':' + self.rules},{self.value}"


@dataclass(frozen=True)
class CompoundDefinition:
    """Connected sub-graphs of the rule application graph, or connected parts of the program's tree, as compounds.

    >>> print(CompoundDefinition.parse("dag:2-4,weighted,top=40000"))
    dag:2-4,weighted,top=40000
    """

    low: int = 2
    high: int = 9
    value: str = "counts"
    rules: str = "grammar"
    top: int | None = None
    over: str = "dag"

    @classmethod
    def parse(cls, text: str) -> CompoundDefinition:
        """Read what `str` printed."""
        head, *options = text.split(",")
        sizes = re.fullmatch(r"(dag|tree):([0-9]+)-([0-9]+)", head)
        if sizes is None:
            raise DefinitionError(f"cannot read the compounds {text!r}", _EXAMPLE)
        over, low, high = sizes[1], int(sizes[2]), int(sizes[3])
        if not 1 <= low <= high <= 32:
            raise DefinitionError(f"sizes {low}-{high} cannot be used", "write 1 ≤ low ≤ high ≤ 32")
        value, rules, top = "counts", "grammar", None
        for option in options:
            key, equals, given = option.partition("=")
            if not equals and key in ("counts", "presence", "weighted"):
                value = key
            elif key == "rules" and given in KINDS and over == "dag":
                rules = given
            elif key == "top" and given.isascii() and given.isdigit() and int(given) > 0:
                top = int(given)
            else:
                raise DefinitionError(f"compounds have no option {option!r}", _EXAMPLE)
        return cls(low, high, value, rules, top, over)

    def __str__(self) -> str:
        text = f"{self.over}:{self.low}-{self.high},{self.value}"
        if self.rules != "grammar":
            text += f",rules={self.rules}"
        return text if self.top is None else f"{text},top={self.top}"


@dataclass(frozen=True)
class Structures:
    """What counts as an atom and what as a compound.

    >>> print(Structures.parse("dag:2-3,presence"))
    atoms=rules,presence;compounds=dag:2-3,presence
    """

    atoms: AtomDefinition = AtomDefinition()
    compounds: CompoundDefinition = CompoundDefinition()

    @classmethod
    def parse(cls, text: str) -> Structures:
        """Read a definition or the name of a preset."""
        text = PRESETS.get(text.strip(), text.strip())
        atoms, compounds = AtomDefinition(), CompoundDefinition()
        for half in text.split(";"):
            key, equals, value = half.partition("=")
            if equals and key == "atoms":
                atoms = AtomDefinition.parse(value)
            elif equals and key == "compounds":
                compounds = CompoundDefinition.parse(value)
            elif half.startswith(("rules", "symbols")):
                atoms = AtomDefinition.parse(half)
            elif half.startswith(("dag", "tree")):
                compounds = CompoundDefinition.parse(half)
            else:
                presets = ", ".join(PRESETS)
                raise DefinitionError(f"cannot read the structures {text!r}", f"{_EXAMPLE}, or a preset: {presets}")
        return cls(atoms, compounds)

    def __str__(self) -> str:
        return f"atoms={self.atoms};compounds={self.compounds}"


PRESETS = {
    # The closest fit found to the SCAN rows of Table 3 in the CFQ paper; see docs/table3.md.
    "cfq-table3": "atoms=rules,presence;compounds=dag:2-10,counts,top=40000",
    # The paper's own recipe: weights in context.
    "cfq-weighted": "atoms=rules,presence;compounds=dag:2-9,weighted",
    # Symbols, and pairs of parent, argument position and child (NQG paper, App. B.3).
    "tmcd:geoquery": "atoms=symbols,presence;compounds=tree:2-2,counts",
    # Small compounds, as the SPARQL-side work uses them.
    "small": "atoms=rules,presence;compounds=dag:2-4,counts",
}
