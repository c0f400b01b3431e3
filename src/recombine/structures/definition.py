"""Structure definitions as names that print and parse.

A divergence depends on what counts as an atom and as a compound, so no value is shown without its definition:

    atoms=rules,presence;compounds=dag:2-9,counts
    atoms=rules:grammar,counts;compounds=dag:2-4,weighted,top=40000

For data made by rules, atoms are rules: of every kind, or of one kind after a colon. Compounds are connected
sub-graphs of the rule application graph with this many nodes, over the rules of the grammar, or of another kind
(`rules=all`). An example holds each with its number of occurrences (`counts`), with 1 (`presence`), or with its
weight (`weighted`, CFQ paper §2.1 and L.4). `top=N` keeps the N compounds of the highest sums over the whole data
set, so a value then depends on data outside the split. For data with programs and no rules, atoms are the `symbols`
of the program (`symbols:arity` tells them apart by their numbers of arguments), or the `tokens` of its text. Compounds
are parts of its tree: `tree:2-2` parent, argument position and child (NQG paper, App. B.3), `tree:2-4` connected parts
with this many nodes, `path:1-2` downward paths of this many edges, `subtree:1-2` a node with all below it down to
this depth. `alpha=0.5` is the exponent of train in the compound divergence, where it is not 0.1.

A text that leaves out `atoms=` or `compounds=` leaves that half at its default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from recombine.errors import DefinitionError

KINDS = ("all", "grammar", "interpretation")
ATOM_KINDS = {"rules": KINDS, "symbols": ("all", "arity"), "tokens": ("all",)}
ATOM_ALPHA = 0.5
COMPOUND_ALPHA = 0.1
"""Train's exponents (CFQ paper, §2.2): a small one asks whether a test compound is in train, not how often."""
_EXAMPLE = "write for example dag:2-9,counts or atoms=rules,presence;compounds=dag:2-4,weighted,top=40000"


@dataclass(frozen=True)
class AtomDefinition:
    """Rules, or the symbols or tokens of programs, as atoms.

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
        if (kind or "all") not in ATOM_KINDS.get(name, ()) or len(options) > 1:
            raise DefinitionError(
                f"cannot read the atoms {text!r}",
                "write rules,presence or rules:grammar,counts or symbols:arity,presence or tokens,presence",
            )
        value = options[0] if options else "presence"
        if value not in ("presence", "counts"):
            raise DefinitionError(f"atoms have no option {value!r}", "write presence or counts")
        return cls(kind or "all", value, name)

    def __str__(self) -> str:
        return f"{self.of}{'' if self.rules == 'all' else ':' + self.rules},{self.value}"


@dataclass(frozen=True)
class CompoundDefinition:
    """Connected sub-graphs of the rule application graph, or parts of the program's tree, as compounds.

    >>> print(CompoundDefinition.parse("dag:2-4,weighted,top=40000"))
    dag:2-4,weighted,top=40000
    """

    low: int = 2
    high: int = 9
    value: str = "counts"
    rules: str = "grammar"
    top: int | None = None
    over: str = "dag"
    alpha: float = COMPOUND_ALPHA

    @classmethod
    def parse(cls, text: str) -> CompoundDefinition:
        """Read what `str` printed."""
        head, *options = text.split(",")
        sizes = re.fullmatch(r"(dag|tree|path|subtree):([0-9]+)-([0-9]+)", head)
        if sizes is None:
            raise DefinitionError(f"cannot read the compounds {text!r}", _EXAMPLE)
        over, low, high = sizes[1], int(sizes[2]), int(sizes[3])
        if not 1 <= low <= high <= 32:
            raise DefinitionError(f"sizes {low}-{high} cannot be used", "write 1 ≤ low ≤ high ≤ 32")
        value, rules, top, alpha = "counts", "grammar", None, COMPOUND_ALPHA
        for option in options:
            key, equals, given = option.partition("=")
            if not equals and key in ("counts", "presence", *(["weighted"] if over in ("dag", "tree") else [])):
                value = key
            elif key == "rules" and given in KINDS and over == "dag":
                rules = given
            elif key == "top" and given.isascii() and given.isdigit() and int(given) > 0:
                top = int(given)
            elif key == "alpha" and re.fullmatch(r"0?\.[0-9]+", given) and 0 < float(given) < 1:
                alpha = float(given)
            else:
                raise DefinitionError(f"compounds have no option {option!r}", _EXAMPLE)
        return cls(low, high, value, rules, top, over, alpha)

    def __str__(self) -> str:
        text = f"{self.over}:{self.low}-{self.high},{self.value}"
        if self.rules != "grammar":
            text += f",rules={self.rules}"
        if self.top is not None:
            text += f",top={self.top}"
        return text if self.alpha == COMPOUND_ALPHA else f"{text},alpha={self.alpha!r}"


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
            elif half.startswith(tuple(ATOM_KINDS)):
                atoms = AtomDefinition.parse(half)
            elif half.startswith(("dag", "tree", "path", "subtree")):
                compounds = CompoundDefinition.parse(half)
            else:
                presets = ", ".join(PRESETS)
                raise DefinitionError(f"cannot read the structures {text!r}", f"{_EXAMPLE}, or a preset: {presets}")
        return cls(atoms, compounds)

    def __str__(self) -> str:
        return f"atoms={self.atoms};compounds={self.compounds}"


STRUCTURES = str(Structures())
"""Where nothing else is said: those of data with derivations."""
PROGRAM_STRUCTURES = "atoms=symbols,presence;compounds=tree:2-2,counts"
"""Where nothing else is said: those of programs in a known language."""
PRESETS = {
    # The closest fit found to the SCAN rows of Table 3 in the CFQ paper; see docs/table3.md.
    "cfq-table3": "atoms=rules,presence;compounds=dag:2-10,counts,top=40000",
    # The paper's own recipe: weights in context.
    "cfq-weighted": "atoms=rules,presence;compounds=dag:2-9,weighted",
    # Symbols, and pairs of parent, argument position and child (NQG paper, App. B.3).
    "tmcd:geoquery": PROGRAM_STRUCTURES,
    # Tokens of the text, and edges of first and second order; the grammar behind the published values was not released.
    "tmcd:spider": "atoms=tokens,presence;compounds=path:1-2,counts",
    # Sub-trees of up to depth 2, for comparing divergences with local structures (local_structures, App. D).
    "tmcd:uls": "atoms=symbols,presence;compounds=subtree:1-2,counts,alpha=0.5",
    # Small compounds, as the SPARQL-side work uses them.
    "small": "atoms=rules,presence;compounds=dag:2-4,counts",
}
