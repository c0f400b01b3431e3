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
this depth. `literals=type` counts literals by their kinds and `literals=drop` not at all, `names=type` names by theirs
(`counted_typing.py`). `alpha=0.5` is the exponent of train in the compound divergence, where it is not 0.1.

Local structures (`local:2`, `connected:3`, `ngram:2`; see `local_structures.py`) serve as compounds too. Where they are
named with no atoms, they stand alone and print so: difficulty, selection and hold-out splits know no atoms. What needs
atoms takes the symbols of the program with them, and says so in what it prints.

Compounds of several kinds are written with `&` between them (`dag:2-4,weighted & words:3-6`); their divergence is the
geometric mean of those of the parts (`joined_definition.py`).

A text that leaves out `atoms=` or `compounds=` leaves that half at its default. Each kind reads its own part of the
text; the table of kinds is in `kinds.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recombine.errors import DefinitionError
from recombine.records.derivation import has_logical_rules
from recombine.structures.atom_definition import AtomDefinition, unreadable_atoms
from recombine.structures.compound_definition import EXAMPLE, CompoundDefinition, unreadable_compounds
from recombine.structures.joined_definition import BETWEEN, kind_names, parse_joined
from recombine.structures.kinds import ATOM_ALPHA, COMPOUND_ALPHA, ROLES, STRUCTURE_KINDS, Definition, kind_name
from recombine.structures.local_definition import LocalDefinition, unreadable_local

if TYPE_CHECKING:
    from recombine.records.derivation import Derivation

__all__ = [
    "ATOM_ALPHA",
    "COMPOUND_ALPHA",
    "OWN_PROGRAM_STRUCTURES",
    "PRESETS",
    "PROGRAM_STRUCTURES",
    "RULE_STRUCTURES",
    "STRUCTURES",
    "AtomDefinition",
    "CompoundDefinition",
    "Structures",
    "derivation_structures",
    "local_definition",
]
_ATOMS, _COMPOUNDS = AtomDefinition(), CompoundDefinition()
_UNREADABLE = {"atoms": unreadable_atoms, "compounds": unreadable_compounds}


@dataclass(frozen=True)
class Structures:
    """What counts as an atom and what as a compound, or which local structures count.

    >>> print(Structures.parse("dag:2-3,presence"))
    atoms=rules,presence;compounds=dag:2-3,presence
    >>> print(Structures.parse("local:2,no-siblings"))
    local:2,no-siblings
    >>> print(Structures.parse("local:2,no-siblings").with_atoms())
    atoms=symbols,presence;compounds=local:2,no-siblings
    """

    atoms: Definition = _ATOMS
    compounds: Definition = _COMPOUNDS
    alone: bool = False
    """Whether these are local structures for which no atoms were named."""

    def __post_init__(self) -> None:
        if self.alone and not isinstance(self.compounds, LocalDefinition):
            raise DefinitionError(f"{self.compounds} cannot stand without atoms", "name atoms, or write local:2")

    @classmethod
    def parse(cls, text: str) -> Structures:
        """Read a definition or the name of a preset."""
        text = PRESETS.get(text.strip(), text.strip())
        halves: dict[str, Definition] = {}
        for half in text.split(";"):
            role, definition = _parse_half(half, text)
            if role in halves:
                raise DefinitionError(f"the structures {text!r} name their {role} twice", "leave out one of them")
            halves[role] = definition
        compounds = halves.get("compounds", _COMPOUNDS)
        if "atoms" in halves:
            return cls(halves["atoms"], compounds)
        atoms = STRUCTURE_KINDS[kind_names(compounds)[0]].atoms
        return cls(_parse_half(f"atoms={atoms}", text)[1], compounds, isinstance(compounds, LocalDefinition))

    def with_atoms(self) -> Structures:
        """The same with its atoms named, for what needs both halves."""
        return replace(self, alone=False)

    def __str__(self) -> str:
        return str(self.compounds) if self.alone else f"atoms={self.atoms};compounds={self.compounds}"


def _parse_half(half: str, text: str) -> tuple[str, Definition]:
    """The role and the definition of a half, which may leave its role unsaid."""
    role, equals, rest = half.partition("=")
    named = bool(equals) and role in ROLES
    rest = rest if named else half
    if BETWEEN in rest:
        if named and role != "compounds":
            raise _UNREADABLE[role](rest)
        return "compounds", parse_joined(rest, lambda part: _parse_half(f"compounds={part}", text)[1])
    name = kind_name(rest)
    kind = STRUCTURE_KINDS.get(name)
    if named and (kind is None or role not in kind.roles):
        raise _UNREADABLE[role](rest)
    if kind is None:
        presets = ", ".join(PRESETS)
        raise DefinitionError(f"cannot read the structures {text!r}", f"{EXAMPLE}, or a preset: {presets}")
    return role if named else kind.roles[0], kind.parse(rest)


def local_definition(structures: str | Structures) -> LocalDefinition:
    """The local structures of a definition, for what can use no others.

    >>> print(local_definition("ngram:2"))
    ngram:2
    """
    text = str(structures)
    kind = STRUCTURE_KINDS.get(kind_name(text.strip().removeprefix("compounds=")))
    parsed = Structures.parse(text) if kind is not None and "local" in kind.roles else None
    if parsed is None or not parsed.alone or not isinstance(parsed.compounds, LocalDefinition):
        raise unreadable_local(text)
    return parsed.compounds


def derivation_structures(first: Derivation | None) -> str:
    """The definition for derivations of which this is the first, where nothing else is said.

    >>> from recombine.records.derivation import Derivation
    >>> derivation_structures(Derivation.tree(("twice", [("jump", [])])))
    'atoms=rules,presence;compounds=dag:2-9,counts'
    """
    return RULE_STRUCTURES if first is not None and has_logical_rules(first) else STRUCTURES


STRUCTURES = str(Structures())
"""Where nothing else is said: those of data with derivations."""
RULE_STRUCTURES = "atoms=rules,presence;compounds=line:7-8,presence,rules=resolution+knowledge,top=300"
"""Where nothing else is said: those of derivations with rules of inference, resolution and knowledge, as of CFQ."""
PROGRAM_STRUCTURES = "atoms=symbols,presence;compounds=tree:2-2,counts"
"""Where nothing else is said: those of programs in a known language."""
OWN_PROGRAM_STRUCTURES = "atoms=symbols,presence,literals=type;compounds=tree:2-2,counts,literals=type"
"""Where nothing else is said: those of programs in one's own data, whose literals count by their kinds."""
PRESETS = {
    # The closest fit found to the SCAN rows of Table 3 in the CFQ paper; see docs/table3.md.
    "cfq-table3": "atoms=rules,presence;compounds=dag:2-10,counts,top=40000",
    # The paper's own recipe: weights in context.
    "cfq-weighted": "atoms=rules,presence;compounds=dag:2-9,weighted",
    # The largest lines of the rules that make queries, fitted to what Table 3 prints of CFQ.
    "cfq-lines": RULE_STRUCTURES,
    # Lines and graphs of several sizes and kinds of rules: harder splits of CFQ; see docs/hardness.md.
    "cfq-joined": (
        "atoms=rules,presence;compounds=dag:2-5,weighted&line:2-8,weighted,rules=resolution+knowledge"
        "&line:7-8,presence,rules=resolution+knowledge,top=300"
    ),
    # Symbols, and pairs of parent, argument position and child (NQG paper, App. B.3).
    "tmcd:geoquery": PROGRAM_STRUCTURES,
    # Tokens of the text, and edges of first and second order; the grammar behind the published values was not released.
    "tmcd:spider": "atoms=tokens,presence;compounds=path:1-2,counts",
    # Sub-trees of up to depth 2, for comparing divergences with local structures (local_structures, App. D).
    "tmcd:uls": "atoms=symbols,presence;compounds=subtree:1-2,counts,alpha=0.5",
    # Small compounds, as the SPARQL-side work uses them.
    "small": "atoms=rules,presence;compounds=dag:2-4,counts",
}
