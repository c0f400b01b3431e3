"""SPARQL errors: by hand, and mutations of real CFQ queries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from numpy.random import Generator

import recombine
from recombine.errors import OptionError, ProgramError
from recombine.evaluation.errors.match_clauses import ClauseErrors
from recombine.evaluation.errors.sparql_errors import OutputErrors, QueryErrors, query_errors, read_query, sparql_errors
from recombine.languages.sparql.sparql import parse, render
from recombine.seeds import make_generator
from recombine.tree import Tree

GOLD = (
    "SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . ?x0 film.editor.film ?x1 . "
    "?x0 people.person.gender m_05zppz . ?x1 film.film.sequel M2 . FILTER ( ?x0 != M2 ) }"
)
CASES = {
    "dropped clause": (("?x1 film.film.sequel M2 . ", ""), ClauseErrors(deleted=1)),
    "added clause": (("M2 . F", "M2 . M2 film.film.sequel M4 . F"), ClauseErrors(inserted=1)),
    "other property": (("film.editor.film", "film.director.film"), ClauseErrors(property=1)),
    "other object": (("sequel M2", "sequel M3"), ClauseErrors(node=1)),
    "other type": (("a people.person", "a film.actor"), ClauseErrors(node=1)),
    "other subject": (("?x1 film", "?x0 film"), ClauseErrors(node=1)),
    "other property and object": (("film.sequel M2", "film.prequel M3"), ClauseErrors(both=1)),
    "dropped filter": ((" . FILTER ( ?x0 != M2 )", ""), ClauseErrors(filter_deleted=1)),
    "added filter": (("FILTER", "FILTER ( ?x0 != ?x1 ) . FILTER"), ClauseErrors(filter_inserted=1)),
    "other filter": (("!= M2", "!= ?x1"), ClauseErrors(filter_substituted=1)),
}


@pytest.mark.parametrize("case", CASES)
def test_one_change(case: str) -> None:
    (old, new), expected = CASES[case]
    assert old in GOLD
    assert query_errors(GOLD, GOLD.replace(old, new, 1)) == QueryErrors(OutputErrors.CLAUSES, expected)


def test_what_is_apart() -> None:
    turned = "SELECT DISTINCT ?x0 WHERE { FILTER ( M2 != ?x0 ) . " + GOLD.split("{ ")[1].split(" . FILTER")[0] + " }"
    repeated = GOLD.replace(" }", " . ?x0 a people.person }")
    respelled = GOLD.replace(" film.", " ns:film.").replace("m_05", "ns:m.05")
    renamed = GOLD.replace("?x1", "?x7")
    counted = GOLD.replace("DISTINCT ?x0", "count ( * )")
    outcomes = {
        GOLD: OutputErrors.RIGHT,
        GOLD.replace(" ", "  "): OutputErrors.RIGHT,
        turned: OutputErrors.SAME_CLAUSES,
        repeated: OutputErrors.SAME_CLAUSES,
        respelled: OutputErrors.SAME_CLAUSES,
        renamed: OutputErrors.RENAMED,
        counted: OutputErrors.OTHER_HEAD,
        GOLD[:-1]: OutputErrors.MALFORMED,
        "I do not know": OutputErrors.MALFORMED,
        " ": OutputErrors.ABSTAINED,
    }
    for output, expected in outcomes.items():
        assert query_errors(GOLD, output) == QueryErrors(expected), output
    with pytest.raises(ProgramError):
        query_errors(GOLD[:-1], GOLD)


def test_the_query_of_the_paper() -> None:
    # Query 1 of App. F.2: two triples and a filter; the output has a triple more.
    gold = "SELECT DISTINCT ?x0 WHERE { ?x0 child M1 . ?x0 sibling M0 . FILTER ( ?x0 != M0 ) }"
    output = "SELECT DISTINCT ?x0 WHERE { ?x0 sibling ?x1 . ?x0 sibling M0 . ?x1 child M1 . FILTER ( ?x0 != ?x1 ) }"
    assert query_errors(gold, output).clauses == ClauseErrors(inserted=1, node=1, filter_substituted=1)


def test_the_table() -> None:
    many = GOLD.replace("film.editor.film", "film.director.film").replace("sequel", "prequel")
    found = sparql_errors([(GOLD, GOLD), (GOLD, many), (GOLD, GOLD.replace("!= M2", "!= M4")), (GOLD, "SELECT")])
    assert (found.n, found.errors, found.gold_triples, found.gold_filters) == (4, 3, 16, 4)
    assert found.table(found.n) == {
        "clause": {
            "sum": 0.25,
            "insertion": 0,
            "deletion": 0,
            "substitution": {"property": 0.25, "node": 0, "both": 0},
        },
        "filter": {"sum": 0.25, "insertion": 0, "deletion": 0, "substitution": 0.25},
        "malformed": 0.25,
    }
    assert found.per_clause()["clause"]["substitution"]["property"] == 2 / 16
    assert found.per_clause()["filter"]["sum"] == 1 / 4
    record = found.to_record()
    assert record["of_errors"]["malformed"] == pytest.approx(1 / 3)
    assert record["outcomes"] == {
        "right": 1, "same_clauses": 0, "renamed": 0, "other_head": 0, "clauses": 2, "malformed": 1, "abstained": 0,
    }  # fmt: skip


def test_without_errors_or_outputs() -> None:
    short = "SELECT count ( * ) WHERE { M0 a film.actor }"
    record = sparql_errors([(short, short)]).to_record()
    assert (record["errors"], record["of_errors"], record["per_gold_clause"]["filter"]["sum"]) == (0, None, None)
    with pytest.raises(OptionError, match="no outputs"):
        sparql_errors([])


# -- mutations ----------------------------------------------------------------------------------------------------

Change = Callable[[Tree, Generator], str | None]


def with_clauses(tree: Tree, clauses: list[Tree]) -> str:
    return render(Tree(tree.label, (*tree.children[:-1], Tree("where", tuple(clauses)))))


def clauses_of(tree: Tree) -> list[Tree]:
    return list(tree.children[-1].children)


def a_triple(tree: Tree, generator: Generator) -> int:
    """The place of a triple; where it stands twice, mutations of it would leave its twin."""
    triples = [place for place, clause in enumerate(clauses_of(tree)) if clause.label == "clause"]
    return int(generator.choice(triples))


def changed(tree: Tree, generator: Generator, part: int, label: str) -> str:
    clauses, place = clauses_of(tree), a_triple(tree, generator)
    parts = list(clauses[place].children)
    parts[part] = Tree(label)
    clauses[place] = Tree("clause", tuple(parts))
    return with_clauses(tree, clauses)


def drop(tree: Tree, generator: Generator) -> str | None:
    clauses = clauses_of(tree)
    if len(clauses) == 1:
        return None
    del clauses[a_triple(tree, generator)]
    return with_clauses(tree, clauses) if clauses else None


def reorder(tree: Tree, generator: Generator) -> str | None:
    clauses = clauses_of(tree)
    shuffled = [clauses[place] for place in generator.permutation(len(clauses))]
    return with_clauses(tree, shuffled) if shuffled != clauses else None


def add_filter(tree: Tree, generator: Generator) -> str:
    place = int(generator.integers(len(clauses_of(tree)) + 1))
    clauses = clauses_of(tree)
    clauses.insert(place, Tree("!=", (Tree("?x0"), Tree("M99"))))
    return with_clauses(tree, clauses)


MUTATIONS: dict[str, tuple[Change, QueryErrors]] = {
    "drop a clause": (drop, QueryErrors(OutputErrors.CLAUSES, ClauseErrors(deleted=1))),
    "change a property": (
        lambda tree, generator: changed(tree, generator, 1, "film.film.unheard_of"),
        QueryErrors(OutputErrors.CLAUSES, ClauseErrors(property=1)),
    ),
    "swap a node": (
        lambda tree, generator: changed(tree, generator, 2 * int(generator.integers(2)), "M99"),
        QueryErrors(OutputErrors.CLAUSES, ClauseErrors(node=1)),
    ),
    "add a filter": (add_filter, QueryErrors(OutputErrors.CLAUSES, ClauseErrors(filter_inserted=1))),
    "reorder": (reorder, QueryErrors(OutputErrors.SAME_CLAUSES)),
    "break a bracket": (
        lambda tree, generator: render(tree).replace("{" if generator.integers(2) else "}", ""),
        QueryErrors(OutputErrors.MALFORMED),
    ),
}


def check_mutation(name: str, queries: list[str]) -> int:
    """Mutate each query and ask for the right category; how many could be mutated is returned."""
    change, expected = MUTATIONS[name]
    generator = make_generator(5)
    done = 0
    for gold in queries:
        output = change(parse(gold), generator)
        if output is not None:
            done += 1
            assert query_errors(gold, output) == expected, (name, gold, output)
    return done


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutations(name: str) -> None:
    assert check_mutation(name, [GOLD] * 20) > 10


@pytest.fixture(scope="module")
def real(data_dir: Path) -> list[str]:
    """The queries of CFQ's MCD1, train and dev."""
    assert data_dir
    return [example.target for example in recombine.load("cfq/mcd1")]


@pytest.mark.shared_data
@pytest.mark.parametrize("name", MUTATIONS)
def test_mutations_of_real_queries(name: str, real: list[str]) -> None:
    queries = real[::100]
    # A few real queries have a clause twice: there a change of one of the two is another error than meant.
    once = [gold for gold in queries if len(set(read_query(gold).triples)) == len(read_query(gold).triples)]
    assert len(once) > 0.98 * len(queries)
    assert check_mutation(name, once) > 0.8 * len(once)


@pytest.mark.shared_data
def test_gold_against_gold(real: list[str]) -> None:
    found = sparql_errors((gold, gold) for gold in real[::20])
    assert (found.errors, found.examples["triples"], found.examples["filters"]) == (0, 0, 0)
    assert found.outcomes[OutputErrors.RIGHT] == found.n == 5386
