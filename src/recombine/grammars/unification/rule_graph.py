"""The rule application graph of a parse: all four kinds of rules under `JOIN_BY_LOGICAL_FORM` (CFQ paper, K.1, L.1).

An edge goes from an application to what it needs. A grammar rule needs the rules of its parts, and no inference: it
fits whatever logical forms they have. An inference needs what made the terms that it matched (inferences, and the
grammar rule after which it was applied), and its facts; what is needed through another need is no edge. A resolution
needs the calls it makes, and its facts; calls with equal arguments are one application. A fact is one node, whoever
uses it. The join needs the grammar rule at the top, the resolution at the top, and the inferences that no other
inference needs.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import written
from recombine.records.derivation import Derivation

if TYPE_CHECKING:
    from recombine.grammars.unification.forms.logical_form import Term
    from recombine.grammars.unification.inference.derive import Derived
    from recombine.grammars.unification.queries.resolution import Resolved

JOIN = "JOIN_BY_LOGICAL_FORM"
Edge = tuple[int, int, int]
_BY_CHILD = itemgetter(1, 0, 2)


def rule_graph(derived: Derived, resolved: Resolved, fact_names: dict[Term, str]) -> Derivation:
    """The graph of a parse; `fact_names` keeps the names of facts, which take long to write."""
    grammar, tree = _preorder(derived)
    applications = [application for each in reversed(grammar) for application in each.applications]
    first_grammar = 1 + len(applications)
    first_resolution = first_grammar + len(grammar)
    calls = _in_order(resolved)
    first_fact = first_resolution + len(calls)
    rules = [JOIN]
    facts: dict[Term, int] = {}
    edges: list[Edge] = [(0, first_grammar, 1), (0, first_resolution, 2)]
    places = {each.origin: first_grammar + place for place, each in enumerate(grammar) if each.applications}
    for place, application in enumerate(applications):
        places[application] = first_grammar - 1 - place
    needed = {need for application in applications for need in application.needs}
    for application in reversed(applications):
        here = places[application]
        rules.append(application.rule)
        below = [facts.setdefault(fact, first_fact + len(facts)) for fact in application.facts]
        below += [places[need] for need in application.needs]
        edges += [(here, child, slot) for slot, child in enumerate(below, start=1)]
    edges += [(0, places[each], 3) for each in applications if each not in needed]
    rules += [each.origin.rule for each in grammar]
    edges += [(parent + first_grammar, child + first_grammar, slot) for parent, child, slot in tree]
    numbers = {call: first_resolution + place for place, call in enumerate(calls)}
    for here, call in enumerate(calls, start=first_resolution):
        rules.append(call.rule)
        below = [facts.setdefault(fact, first_fact + len(facts)) for fact in call.facts]
        below += [numbers[inner] for inner in call.calls]
        edges += [(here, child, slot) for slot, child in enumerate(below, start=1)]
    for fact in facts:
        name = fact_names.get(fact)
        if name is None:
            name = fact_names[fact] = f"knowledge:{written(fact)}"
        rules.append(name)
    edges.sort(key=_BY_CHILD)
    return Derivation(tuple(rules), tuple(edges))


def _preorder(top: Derived) -> tuple[list[Derived], list[Edge]]:
    """The derivations of a tree, each before its parts, and the edges between them."""
    found: list[Derived] = []
    edges: list[Edge] = []
    waiting = [(top, -1, 0)]
    while waiting:
        derived, parent, slot = waiting.pop()
        here = len(found)
        found.append(derived)
        if parent >= 0:
            edges.append((parent, here, slot))
        for place in range(len(derived.parts), 0, -1):
            waiting.append((derived.parts[place - 1], here, place))
    return found, edges


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
