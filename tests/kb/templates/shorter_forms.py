"""Forms without one of their branches, and whether a branch can go: by executing every one of them."""

from __future__ import annotations

from collections.abc import Iterator

from recombine.kb.forms.form import GraphEdge, GraphQuery
from recombine.kb.store import Store


def iter_shorter_forms(form: GraphQuery) -> Iterator[GraphQuery]:
    """The form without each branch that hangs on one of its nodes, seen from the one that is asked for."""
    for gone in form.edges:
        kept = _reached(form, gone)
        if form.nodes[form.asked].value is None and len(kept) == 1:
            continue  # what is left asks for anything at all
        places = {place: number for number, place in enumerate(sorted(kept))}
        yield GraphQuery(
            tuple(form.nodes[place] for place in sorted(kept)),
            tuple(
                GraphEdge(places[edge.start], places[edge.end], edge.relation)
                for edge in form.edges
                if edge.start in kept and edge.end in kept
            ),
            places[form.asked],
        )


def is_redundant(store: Store, form: GraphQuery) -> bool:
    """Whether a branch can go and the same answers are left."""
    answers = store.execute(form)
    return any(store.execute(shorter) == answers for shorter in iter_shorter_forms(form))


def _reached(form: GraphQuery, gone: GraphEdge) -> set[int]:
    seen, waiting = {form.asked}, [form.asked]
    while waiting:
        place = waiting.pop()
        for edge in form.edges:
            if edge is not gone and place in (edge.start, edge.end):
                other = edge.end if place == edge.start else edge.start
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
    return seen
