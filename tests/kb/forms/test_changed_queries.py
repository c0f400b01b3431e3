"""Queries that are changed at random: what has another notation, and loses nothing there, has the same answers."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from random_forms import random_forms, random_world

from recombine.errors import FormError, ProgramError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import NOTATIONS, SEMANTICS, SPARQL, SExpression
from recombine.kb.forms.read_form import read_form
from recombine.kb.forms.write_sparql import write_sparql
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.kb.written_term import written_term
from recombine.languages.sparql.write_query import write_query
from recombine.tree import Tree

FREEBASE = find_profile("freebase")


def changed(tree: Tree, chance: np.random.Generator) -> Tree:
    """A query with a part left out, repeated, moved or in braces, or with a name or variable in place of another."""
    nodes = list(tree.iter_nodes())
    groups = [node for node in nodes if node.label in ("where", "group") and node.children]
    group = groups[int(chance.integers(len(groups)))]
    parts = list(group.children)
    number, other = (int(chance.integers(len(parts))) for _ in range(2))
    kind = int(chance.integers(6))
    if kind == 0 and len(parts) > 1:
        del parts[number]
    elif kind == 1:
        parts.append(parts[number])
    elif kind == 2:
        parts[number], parts[other] = parts[other], parts[number]
    elif kind == 3 and parts[number].label != "filter":
        parts[number] = Tree("group", (parts[number],))
    else:
        first = "?" if kind == 4 else "<"
        names = sorted({node.label for node in nodes if node.label.startswith(first) and not node.children})
        one, two = (names[int(chance.integers(len(names)))] for _ in range(2))
        return tree.mapped(lambda node: Tree(two) if node.label == one and chance.random() < 0.5 else node)
    return tree.mapped(lambda node: Tree(group.label, tuple(parts)) if node == group else node)


def test_what_is_converted_without_a_loss_has_the_same_answers() -> None:
    oxigraph = pytest.importorskip("pyoxigraph")
    store = oxigraph.Store()
    facts = [tuple(map(Term.of_key, fact)) for fact in random_world(5, facts_each=40).facts]
    lines = (" ".join(written_term(term, FREEBASE.base) for term in fact) + " ." for fact in facts)
    store.load("\n".join(lines).encode(), oxigraph.RdfFormat.N_TRIPLES)
    chance = np.random.default_rng(1)
    outcomes: Counter[str] = Counter()
    for tree in random_forms(1, 300, nested=True):
        try:
            semantics = SEMANTICS[int(chance.integers(2))]
            query = convert(SExpression(tree), SPARQL, profile=FREEBASE, semantics=semantics).form
            text = write_query(changed(changed(query.tree, chance), chance))  # type: ignore[union-attr]
            form = read_form(text, SPARQL, FREEBASE)
            answers = {row[0] for row in store.query(text)} - {None}
        except (FormError, ProgramError, SyntaxError):
            continue
        for notation in NOTATIONS:
            try:
                done = convert(form, notation, profile=FREEBASE, keep_classes=True, lossless=True)
                again = write_sparql(done.form, FREEBASE, done.semantics)
            except FormError:
                outcomes["refused"] += 1
                continue
            assert {row[0] for row in store.query(again)} - {None} == answers, text
            outcomes["with answers" if answers else "without"] += 1
    assert outcomes["refused"] > 50
    assert outcomes["with answers"] > 100
