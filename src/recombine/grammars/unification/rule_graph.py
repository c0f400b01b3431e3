"""The rule application graph of a parse: all four kinds of rules under `JOIN_BY_LOGICAL_FORM` (CFQ paper, K.1, L.1).

An edge goes from an application to what it needs. A grammar rule needs the rules of its parts, and no inference: it
fits whatever logical forms they have. An inference needs what made the terms that it matched (inferences, and the
grammar rule after which it was applied), and its facts; what is needed through another need is no edge. A resolution
needs the calls it makes, and its facts; calls with equal arguments are one application. A fact is one node, whoever
uses it. The join needs the grammar rule at the top, the resolution at the top, and the inferences that no other
inference needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import written
from recombine.records.derivation import Derivation

if TYPE_CHECKING:
    from recombine.grammars.unification.forms.logical_form import Term
    from recombine.grammars.unification.inference.derive import Derived
    from recombine.grammars.unification.inference.inference import Application
    from recombine.grammars.unification.queries.resolution import Resolved

JOIN = "JOIN_BY_LOGICAL_FORM"
Row = list[str | int]
"""A rule, and after it each parent with the slot that is filled there."""


def rule_graph(derived: Derived, resolved: Resolved, fact_names: dict[Term, str]) -> Derivation:
    """The graph of a parse; `fact_names` keeps the names of facts, which take long to write."""
    rows = rule_rows(derived, resolved, fact_names)
    edges = [(row[place], child, row[place + 1]) for child, row in enumerate(rows) for place in range(1, len(row), 2)]
    return Derivation(tuple(row[0] for row in rows), tuple(edges))  # type: ignore[arg-type,misc]


def rule_rows(derived: Derived, resolved: Resolved, fact_names: dict[Term, str]) -> list[Row]:
    """The graph of a parse as files have it: a row for each application.

    The join comes first, then inference from the last application to the first, grammar, resolution and facts. Edges
    are added parent by parent, so that the parents of each row are in order.
    """
    grammar, above = _preorder(derived)
    applications = [each for part in grammar for each in reversed(part.applications)]
    calls = _in_order(resolved)
    first_grammar = 1 + len(applications)
    inferred: list[Row] = [[each.rule] for each in applications]
    parsed: list[Row] = [[each.origin.rule] for each in grammar]
    rewritten: list[Row] = [[call.rule] for call in calls]
    known: dict[Term, Row] = {}
    parsed[0] += (0, 1)
    rewritten[0] += (0, 2)
    needed = {need for each in applications for need in each.needs}
    row_of: dict[Application, Row] = dict(zip(applications, inferred, strict=True))
    for each, row in row_of.items():
        if each not in needed:
            row += (0, 3)
    for part, row in zip(grammar, parsed, strict=True):
        if part.applications:
            row_of[part.origin] = row
    for here, each in enumerate(applications, start=1):
        first = _add_facts(each.facts, here, known, fact_names) if each.facts else 1
        for slot, need in enumerate(each.needs, start=first):
            row_of[need] += (here, slot)
    for row, (parent, slot) in zip(parsed[1:], above, strict=True):
        row += (first_grammar + parent, slot)
    row_of_call = dict(zip(calls, rewritten, strict=True))
    for here, call in enumerate(calls, start=first_grammar + len(grammar)):
        first = _add_facts(call.facts, here, known, fact_names) if call.facts else 1
        for slot, inner in enumerate(call.calls, start=first):
            row_of_call[inner] += (here, slot)
    return [[JOIN], *inferred, *parsed, *rewritten, *known.values()]


def _add_facts(facts: tuple[Term, ...], parent: int, known: dict[Term, Row], names: dict[Term, str]) -> int:
    """Add a parent to the rows of facts; the slot after them."""
    for slot, fact in enumerate(facts, start=1):
        row = known.get(fact)
        if row is None:
            name = names.get(fact)
            if name is None:
                name = names[fact] = f"knowledge:{written(fact)}"
            row = known[fact] = [name]
        row += (parent, slot)
    return len(facts) + 1


def _preorder(top: Derived) -> tuple[list[Derived], list[tuple[int, int]]]:
    """The derivations of a tree, each before its parts, and the parent and slot of each but the first."""
    found: list[Derived] = []
    above: list[tuple[int, int]] = []
    waiting = [(top, (-1, 0))]
    while waiting:
        derived, place = waiting.pop()
        here = len(found)
        found.append(derived)
        above.append(place)
        parts = derived.parts
        if len(parts) == 1:
            waiting.append((parts[0], (here, 1)))
        else:
            for slot in range(len(parts), 0, -1):
                waiting.append((parts[slot - 1], (here, slot)))
    return found, above[1:]


def _in_order(top: Resolved) -> list[Resolved]:
    """All calls, each before those it makes."""
    done: dict[Resolved, None] = {}
    waiting: list[tuple[Resolved, bool]] = [(top, False)]
    while waiting:
        call, finished = waiting.pop()
        if finished:
            done[call] = None
        elif call not in done:
            waiting.append((call, True))
            waiting.extend((inner, False) for inner in reversed(call.calls) if inner not in done)
    return list(reversed(done))
