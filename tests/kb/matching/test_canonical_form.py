"""Canonical forms: what says the same under an ontology is one text, and nothing else is."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_forms import REVERSES, ontology, random_forms

from recombine.errors import FormError, ProgramError
from recombine.kb.forms.form import SExpression, SparqlQuery
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.forms.read_form import read_form
from recombine.kb.matching.canonical_form import MAX_LENGTH, Canonical
from recombine.kb.matching.pattern_form import PatternForms
from recombine.kb.matching.plain_form import PlainForms
from recombine.kb.matching.quick_form import QuickForms
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression, render_sexpression
from recombine.tree import Tree

FREEBASE = find_profile("freebase")
SMALL = Canonical(ontology(), FREEBASE)
SYNTAX = Canonical(None, FREEBASE)
XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.fixture(scope="module")
def commons(data_dir: Path) -> Canonical:
    """Canonical forms under the ontology of Freebase's commons."""
    return Canonical(default_ontology(data_dir / "grailqa" / "ontology"), FREEBASE)


def verdict(canonical: Canonical, one: str, other: str) -> bool | str:
    try:
        return canonical.of_text(one) == canonical.of_text(other)
    except ProgramError:
        return "malformed"


# -- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.shared_data
def test_strict_verdicts(commons: Canonical, data_dir: Path) -> None:
    rows = [json.loads(line) for line in (data_dir / "grailqa" / "scorer_verdicts.jsonl").read_text().splitlines()]
    assert Counter(row["strict"] for row in rows) == {True: 42, False: 19, "malformed": 5}
    assert {row["n"]: verdict(commons, row["a"], row["b"]) for row in rows} == {row["n"]: row["strict"] for row in rows}


FILM = "(AND film.film (JOIN film.film.directed_by m.01))"
SAME = {
    "order": (FILM, "(AND (JOIN film.film.directed_by m.01) film.film)"),
    "implied class": (FILM, "(JOIN film.film.directed_by m.01)"),
    "wider class": (FILM, "(AND media.work (JOIN film.film.directed_by m.01))"),
    "a class of the end": ("(JOIN (R film.film.based_on) film.film)", "(JOIN (R film.film.based_on) media.work)"),
    "narrower class written": (
        "(AND film.short_film (AND media.work (JOIN film.film.minutes m.0)))",
        "(AND film.short_film (JOIN film.film.minutes m.0))",
    ),
    "class of the first step of a superlative": (
        "(ARGMAX film.film film.film.minutes)",
        "(ARGMAX media.work film.film.minutes)",
    ),
    "class around a superlative": (
        "(AND film.film (ARGMAX film.short_film film.film.minutes))",
        "(ARGMAX film.short_film film.film.minutes)",
    ),
    "class of a comparison": (
        f"(AND film.film (LT film.film.minutes 90^^{XSD}integer))",
        f"(lt film.film.minutes 90^^{XSD}int)",
    ),
    "reverse": (FILM, "(JOIN (R film.director.films) m.01)"),
    "reverse given one way": ("(JOIN film.film.based_on m.01)", "(JOIN (R book.book.adaptations) m.01)"),
    "reversed twice": (FILM, "(AND film.film (JOIN (R (R film.film.directed_by)) m.01))"),
    "joined first": (
        "(JOIN film.film.directed_by (JOIN people.person.born_in m.01))",
        "(JOIN (JOIN film.film.directed_by people.person.born_in) m.01)",
    ),
    "joined and reversed": (
        "(JOIN (R people.person.born_in) (JOIN (R film.film.directed_by) m.01))",
        "(JOIN (R (JOIN film.film.directed_by people.person.born_in)) m.01)",
    ),
    "comparison of a path": (
        f"(LT (JOIN film.film.based_on book.book.published) 1950-01-01^^{XSD}date)",
        f"(JOIN film.film.based_on (LT book.book.published 1950-01-01^^{XSD}date))",
    ),
    "path of a superlative": (
        "(ARGMIN film.film (JOIN film.film.based_on book.book.published))",
        "(ARGMIN film.film (R (JOIN (R book.book.published) book.book.adaptations)))",
    ),
    "repeats": (FILM, f"(AND {FILM} {FILM})"),
    "repeats after other differences are gone": (
        "(JOIN film.film.directed_by m.01)",
        "(AND (JOIN film.film.directed_by m.01) (JOIN (R film.director.films) m.01))",
    ),
    "class by its predicate": (FILM, "(AND (JOIN type.object.type film.film) (JOIN film.film.directed_by m.01))"),
    "odd spacing": (FILM, "( AND  film.film ( JOIN film.film.directed_by m.01 ) )\n"),
    "whole IRIs": (FILM, "(AND film.film (JOIN <http://rdf.freebase.com/ns/film.film.directed_by> ns:m.01))"),
}  # fmt: skip
DIFFERENT = {
    "entity": (FILM, "(JOIN film.film.directed_by m.02)"),
    "direction": ("(JOIN people.person.spouse m.01)", "(JOIN (R people.person.spouse) m.01)"),
    "narrower class": (FILM, "(AND film.short_film (JOIN film.film.directed_by m.01))"),
    "class that nothing implies": ("(JOIN media.work.set_in m.01)", "(AND film.film (JOIN media.work.set_in m.01))"),
    "asked-for node": (
        "(JOIN film.film.directed_by (JOIN people.person.born_in m.01))",
        "(AND film.director (AND (JOIN people.person.born_in m.01) (JOIN film.director.films film.film)))",
    ),
    "count": (FILM, f"(COUNT {FILM})"),
    "function": ("(ARGMAX film.film film.film.minutes)", "(ARGMIN film.film film.film.minutes)"),
    "set of a superlative": (
        "(AND (JOIN film.film.directed_by m.01) (ARGMAX film.film film.film.minutes))",
        "(ARGMAX (JOIN film.film.directed_by m.01) film.film.minutes)",
    ),
    "comparison": (f"(LT film.film.minutes 9^^{XSD}integer)", f"(LE film.film.minutes 9^^{XSD}integer)"),
    "unknown relations": ("(JOIN foo.bar.baz m.01)", "(JOIN foo.bar.qux m.01)"),
    "one entity or two branches": (
        "(JOIN film.film.directed_by (AND m.01 m.02))",
        "(AND (JOIN film.film.directed_by m.01) (JOIN film.film.directed_by m.02))",
    ),
    "a set in the middle or two branches": (
        "(JOIN film.film.directed_by (AND (JOIN people.person.spouse m.01) (JOIN people.person.born_in m.02)))",
        "(AND (JOIN film.film.directed_by (JOIN people.person.spouse m.01)) "
        "(JOIN film.film.directed_by (JOIN people.person.born_in m.02)))",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_what_says_the_same_is_one_text(case: str) -> None:
    one, other = SAME[case]
    assert SMALL.of_text(one) == SMALL.of_text(other)


@pytest.mark.parametrize("case", DIFFERENT)
def test_what_says_something_else_is_not(case: str) -> None:
    one, other = DIFFERENT[case]
    assert SMALL.of_text(one) != SMALL.of_text(other)


@pytest.mark.parametrize("case", ["implied class", "reverse", "wider class", "narrower class written"])
def test_without_an_ontology_syntax_alone_counts(case: str) -> None:
    one, other = SAME[case]
    assert SYNTAX.of_text(one) != SYNTAX.of_text(other)


@pytest.mark.parametrize(
    "case", ["order", "reversed twice", "whole IRIs", "joined first", "joined and reversed", "repeats", "odd spacing"]
)
def test_syntax_needs_no_ontology(case: str) -> None:
    one, other = SAME[case]
    assert SYNTAX.of_text(one) == SYNTAX.of_text(other)


LITERALS = {
    "quotes": (f'"5"^^{XSD}integer', f"5^^{XSD}integer", True),
    "prefix": ("5^^xsd:integer", f"5^^<{XSD}integer>", True),
    "int": (f"5^^{XSD}int", f"5^^{XSD}integer", True),
    "long": (f"+05^^{XSD}long", f"5^^{XSD}integer", True),
    "zeros": (f"5.0^^{XSD}float", f"5.00^^{XSD}float", True),
    "exponent": (f"2.3e+06^^{XSD}float", f"2300000^^{XSD}float", True),
    "minus nothing": (f"-0.0^^{XSD}float", f"0^^{XSD}float", True),
    "decimal": (f"05.50^^{XSD}decimal", f"5.5^^{XSD}decimal", True),
    "zone": (f"2009-03-29-08:00^^{XSD}date", f"2009-03-29^^{XSD}date", True),
    "zone of a year": (f"2009Z^^{XSD}gYear", f"2009^^{XSD}gYear", True),
    "string": (f'"a"^^{XSD}string', '"a"', True),
    "boolean": (f"1^^{XSD}boolean", f"true^^{XSD}boolean", True),
    "bare": ("5", f"5^^{XSD}integer", True),
    "another value": (f"5^^{XSD}integer", f"6^^{XSD}integer", False),
    "float and integer": (f"5.0^^{XSD}float", f"5^^{XSD}integer", False),
    "float and double": (f"5.0^^{XSD}float", f"5.0^^{XSD}double", False),
    "date and time": (f"2009-03-29^^{XSD}date", f"2009-03-29T00:00:00^^{XSD}dateTime", False),
    "string and number": ('"5"', f"5^^{XSD}integer", False),
    "language": ('"a"@en', '"a"', False),
}


@pytest.mark.parametrize("case", LITERALS)
def test_spellings_of_a_literal(case: str) -> None:
    one, other, same = LITERALS[case]
    forms = [f"(JOIN film.film.minutes {word})" for word in (one, other)]
    assert (SMALL.of_text(forms[0]) == SMALL.of_text(forms[1])) is same


def test_reverses_in_chains_and_of_themselves() -> None:
    name = Term.name
    roles = {name(text): Role((name(start),), (name(end),)) for text, start, end in [("a", "x", "y"), ("b", "z", "x")]}
    roles |= {name("c"): Role(), name("s"): Role((name("u"),), (name("v"),))}
    canonical = Canonical(
        ontology_of([], roles, {name("a"): name("b"), name("b"): name("c"), name("s"): name("s")}), FREEBASE
    )
    assert (
        canonical.of_text("(JOIN a m.0)") == canonical.of_text("(JOIN (R b) m.0)") == canonical.of_text("(JOIN c m.0)")
    )
    assert canonical.of_text("(JOIN a m.0)") != canonical.of_text("(JOIN b m.0)")
    assert canonical.of_text("(JOIN s m.0)") == canonical.of_text("(JOIN (R s) m.0)")
    # What one of them implies all of them imply, and what has no direction implies both ends at both.
    assert (
        canonical.of_text("(AND z (JOIN (R a) m.0))")
        == canonical.of_text("(AND y (JOIN b m.0))")
        == "(JOIN (R a) @m.0)"
    )
    assert canonical.of_text("(AND u (AND v (JOIN s m.0)))") == "(JOIN s @m.0)"  # fmt: skip


def test_merged_classes_are_one() -> None:
    name = Term.name
    canonical = Canonical(ontology_of([(name("b"), name("a")), (name("a"), name("b"))], {}, {}), FREEBASE)
    assert canonical.of_text("(AND b (JOIN r m.0))") == canonical.of_text("(AND a (JOIN r m.0))")


def test_entities_by_their_place_where_their_look_does_not_tell() -> None:
    canonical = Canonical(None, find_profile("plain"))
    assert canonical.of_text("(AND film (JOIN by lee))") == "(AND (JOIN by @lee) film)"


# -- properties ------------------------------------------------------------------------------------------------------


class Rewriter:
    """Other ways to write a form of the small ontology, which say the same."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance

    def rewritten(self, tree: Tree) -> Tree:
        """The form in another way."""
        if not tree.children:
            return tree
        if tree.label == "AND":
            return self._all_of([self.rewritten(member) for member in _members(tree)])
        if tree.label in ("ARGMAX", "ARGMIN"):
            return Tree(tree.label, (self.rewritten(tree.children[0]), self._pairs(tree.children[1])))
        if tree.label == "JOIN":
            return self._join(self._pairs(tree.children[0]), self.rewritten(tree.children[1]))
        if tree.label.upper() in ("LT", "LE", "GT", "GE"):
            name = tree.label.swapcase() if self._often() else tree.label
            return Tree(name, (self._pairs(tree.children[0]), self._literal(tree.children[1])))
        return Tree(tree.label, tuple(map(self.rewritten, tree.children)))

    def _all_of(self, parts: list[Tree]) -> Tree:
        if self._often():
            parts.append(parts[int(self._chance.integers(len(parts)))])
        parts = [parts[place] for place in self._chance.permutation(len(parts))]
        while len(parts) > 1:
            place = int(self._chance.integers(len(parts) - 1))
            parts[place : place + 2] = [Tree("AND", (parts[place], parts[place + 1]))]
        return parts[0]

    def _join(self, pairs: Tree, members: Tree) -> Tree:
        if members.label == "JOIN" and self._often():
            return Tree("JOIN", (Tree("JOIN", (pairs, members.children[0])), members.children[1]))
        return Tree("JOIN", (pairs, self._literal(members) if not members.children else members))

    def _pairs(self, tree: Tree) -> Tree:
        if tree.label == "JOIN" and self._often():
            inner = [Tree("R", (self._pairs(child),)) for child in reversed(tree.children)]
            return Tree("R", (Tree("JOIN", tuple(inner)),))
        if not tree.children and tree.label in REVERSES and self._often():
            tree = Tree("R", (Tree(REVERSES[tree.label]),))
        return Tree("R", (Tree("R", (tree,)),)) if self._often() else tree

    def _literal(self, tree: Tree) -> Tree:
        text, mark, datatype = tree.label.partition("^^")
        if not mark:
            return tree
        if datatype.endswith("integer"):
            text, datatype = ("0" + text, datatype.replace("integer", "int")) if self._often() else (text, datatype)
        elif datatype.endswith("float"):
            text += "0" * int(self._chance.integers(3))
        elif self._often():
            text += "-08:00"
        return Tree(f'"{text}"^^{datatype}' if self._often() else f"{text}^^{datatype}")

    def _often(self) -> bool:
        return bool(self._chance.random() < 0.4)


def _members(tree: Tree) -> list[Tree]:
    return [leaf for child in tree.children for leaf in _members(child)] if tree.label == "AND" else [tree]


def check_properties(seed: int, number: int) -> None:
    """Every form equals itself and each of its rewritings, in every order of asking."""
    chance = np.random.default_rng(seed)
    for place, form in enumerate(random_forms(seed, number, nested=bool(seed % 2))):
        ways = [render_sexpression(tree) for tree in (form, *(Rewriter(chance).rewritten(form) for _ in range(3)))]
        keys = [SMALL.of_text(text) for text in ways]
        assert len(set(keys)) == 1, (place, ways, keys)
        assert keys[0] == SMALL.of_text(ways[0]) == SMALL.of_form(SExpression(form))
        assert len({SMALL.template(key) for key in keys}) == 1


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_rewritings_are_equal(seed: int) -> None:
    check_properties(seed, 50)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_rewritings_are_equal_for_many_forms(seed: int) -> None:
    check_properties(seed, 500)


# -- readers ---------------------------------------------------------------------------------------------------------

QUICK = QuickForms(SMALL.tables, SMALL.words)
PLAIN = PlainForms(SMALL.tables, SMALL.words)
PATTERNS = PatternForms(SMALL.tables)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_three_readers_agree(seed: int) -> None:
    forms = random_forms(seed, 50, nested=bool(seed % 2))
    texts = [render_sexpression(form) for form in forms]
    quick = [QUICK.text(text) for text in texts]
    assert sum(key is not None for key in quick) > 20, "most are of the common kind"
    for form, text, key in zip(forms, texts, quick, strict=True):
        plain = PLAIN.text(form)
        assert key in (None, plain), text
        assert PATTERNS.text(pattern_of(SExpression(form), FREEBASE).pattern) == plain, text


WORDS = "( ) AND (JOIN (R (COUNT (ARGMAX (lt film.film film.film.directed_by film.film.minutes m.01 ns:m.02 NOW".split()  # noqa: SIM905
WORDS += [" ", f"9^^{XSD}integer", '"9"', "5", "type.object.type", "<", "@", "*", "TC", "(JOIN "]


@settings(max_examples=500, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 8), st.sampled_from(WORDS)), max_size=3),
)
def test_the_quick_reader_reads_nothing_that_the_plain_one_refuses(
    seed: int, changes: list[tuple[int, int, str]]
) -> None:
    text = render_sexpression(random_forms(seed, 1, nested=True)[0])
    for place, gone, put in changes:
        text = text[:place] + put + text[place + gone :]
    key = QUICK.text(text)
    if key is not None:
        assert PLAIN.text(parse_sexpression(text)) == key


@pytest.mark.parametrize("name", ["plain", "wikidata", "dbpedia"])
def test_readers_agree_under_other_profiles(name: str) -> None:
    canonical = Canonical(None, find_profile(name))
    quick, plain = QuickForms(canonical.tables, canonical.words), PlainForms(canonical.tables, canonical.words)
    keys = []
    for form in random_forms(7, 200, nested=True):
        text = (
            render_sexpression(form)
            .replace("m.0", "Q1")
            .replace("film.film", "wd:Q9" if name == "wikidata" else "Film")
        )
        keys.append(quick.text(text))
        assert keys[-1] in (None, plain.text(parse_sexpression(text))), text
    assert sum(key is not None for key in keys) > 100


@pytest.mark.shared_data
def test_published_forms(commons: Canonical, data_dir: Path) -> None:
    items = read_lines(data_dir / "grailqa" / "items.jsonl.gz")
    texts = [item["s_expression"] for item in items]
    texts += [item["s_expression"] for item in read_lines(data_dir / "grailqa" / "kg_sexpr.jsonl.gz")]
    assert len(texts) == 1300
    quick, plain = QuickForms(commons.tables, commons.words), PlainForms(commons.tables, commons.words)
    keys = [quick.text(text) for text in texts]
    assert sum(key is None for key in keys) < 20
    assert [key or commons.of_text(text) for key, text in zip(keys, texts, strict=True)] == [
        plain.text(parse_sexpression(text)) for text in texts
    ]


@pytest.mark.shared_data
def test_notations_of_published_items(commons: Canonical, data_dir: Path) -> None:
    """SPARQL and graph query say the same; the S-expression too, but for narrower classes and shared nodes."""
    different = []
    for item in read_lines(data_dir / "grailqa" / "items.jsonl.gz"):
        graph, query = (
            commons.of_form(read_form(item[field], notation, FREEBASE))
            for field, notation in (("graph_query", "graph"), ("sparql_query", "sparql"))
        )
        assert graph == query
        if graph != commons.of_text(item["s_expression"]):
            different.append(graph)
    assert len(different) == 13
    assert sum("(ARGMAX)" in str(key) for key in different) == 2


@pytest.mark.shared_data
def test_templates_of_published_items(commons: Canonical, data_dir: Path) -> None:
    templates: dict[str, set[str]] = {}
    for item in read_lines(data_dir / "grailqa" / "items.jsonl.gz"):
        template = commons.template(commons.of_text(item["s_expression"]))
        templates.setdefault(template, set()).add(str(item["qid"])[:7])
    assert (len(templates), sum(map(len, templates.values()))) == (379, 380)


@pytest.mark.shared_data
def test_webqsp_predictions(commons: Canonical, data_dir: Path) -> None:
    """Every prediction is read, or malformed with a reason; names that are not known are counted."""
    with gzip.open(data_dir / "grailqa" / "webqsp_rng_predictions.json.gz") as stream:
        predictions = [each["logical_form"] for each in json.load(stream).values()]
    read, reasons, unknown = 0, Counter[str](), Counter[str]()
    for text in predictions:
        try:
            commons.of_text(text)
        except ProgramError as error:
            reasons[error.problem] += 1
            continue
        read += 1
        unknown.update(commons.unknown_names(SExpression(parse_sexpression(text))))
    assert (len(predictions), read, sum(reasons.values())) == (1609, 1609, 0)
    assert (len(unknown), sum(unknown.values())) == (52, 214)


def read_lines(path: Path) -> list[dict[str, str]]:
    """The objects of a gzipped file of JSON lines."""
    with gzip.open(path) as stream:
        return [json.loads(line) for line in stream]


# -- templates -------------------------------------------------------------------------------------------------------


def test_templates_are_masked_after_equal_ones_became_one() -> None:
    two = SMALL.of_text("(AND (JOIN film.film.directed_by m.01) (JOIN film.film.directed_by m.02))")
    one = SMALL.of_text("(AND (JOIN film.film.directed_by m.01) (JOIN film.film.directed_by m.01))")
    assert SMALL.template(two) == "(AND (JOIN (R film.director.films) @ENTITY) (JOIN (R film.director.films) @ENTITY))"
    assert SMALL.template(one) == "(JOIN (R film.director.films) @ENTITY)"


def test_names_of_entities_do_not_order_a_template() -> None:
    inner = "(JOIN people.person.spouse (AND (JOIN people.person.born_in {}) (JOIN {} m.03)))"
    forms = [
        f"(AND {inner.format(a, 'people.person.knows')} {inner.format(b, 'people.person.spouse')})"
        for a, b in (("m.01", "m.02"), ("m.02", "m.01"))
    ]
    keys = [SMALL.of_text(form) for form in forms]
    assert keys[0] != keys[1]
    assert SMALL.template(keys[0]) == SMALL.template(keys[1])


def test_templates_of_queries() -> None:
    query = "SELECT ?x { { ?x ns:a.b ns:m.01 } UNION { ?x ns:a.b ns:m.02 . ?x ns:c.d ?y } }"
    swapped = query.replace("m.01", "m.03").replace("m.02", "m.01").replace("m.03", "m.02")
    keys = [of_query(text, SYNTAX) for text in (query, swapped)]
    assert keys[0] != keys[1]
    assert SYNTAX.template(keys[0]) == SYNTAX.template(keys[1])
    assert "m.0" not in SYNTAX.template(keys[0])
    cast = of_query("SELECT ?x { ?x ns:a.b ?y . FILTER (xsd:integer(?y) > 5) }", SYNTAX)
    assert "XMLSchema#integer" in SYNTAX.template(cast), "a function is no entity"


# -- SPARQL ----------------------------------------------------------------------------------------------------------


def of_query(text: str, canonical: Canonical = SMALL) -> str:
    return canonical.of_form(read_form(text, "sparql", FREEBASE))


def test_a_query_that_is_a_tree_has_the_form_of_its_sexpression() -> None:
    query = (
        "SELECT DISTINCT ?x { ?x a ns:film.film . ?y ns:film.director.films ?x . ?y ns:people.person.born_in ns:m.01 }"
    )
    assert of_query(query) == SMALL.of_text("(JOIN film.film.directed_by (JOIN people.person.born_in m.01))")


QUERIES_SAME = {
    "names and order": (
        "SELECT ?x { ?x ns:a.b ?y . ?y ns:c.d ?z . ?z ns:e.f ?x }",
        "SELECT ?q { ?r ns:e.f ?q . ?p ns:c.d ?r . ?q ns:a.b ?p }",
    ),
    "reverse in a cycle": (
        "SELECT ?x { ?x ns:film.film.directed_by ?y . ?x ns:media.work.set_in ?c . ?y ns:people.person.born_in ?c }",
        "SELECT ?x { ?y ns:film.director.films ?x . ?x ns:media.work.set_in ?c . ?y ns:people.person.born_in ?c }",
    ),
    "implied class in a cycle": (
        "SELECT ?x { ?x a ns:film.film ; ns:film.film.directed_by ?y ; ns:a.b ?c . ?y ns:c.d ?c }",
        "SELECT ?x { ?x ns:film.film.directed_by ?y ; ns:a.b ?c . ?y ns:c.d ?c }",
    ),
    "union": (
        "SELECT ?x { { ?x ns:a.b ns:m.01 } UNION { ?x ns:c.d ns:m.02 } }",
        "SELECT DISTINCT ?y { { ?y ns:c.d ns:m.02 } UNION { ?y ns:a.b ns:m.01 } }",
    ),
    "filters": (
        "SELECT ?x { ?x ns:a.b ?y . FILTER (?y > 5 && ?y != 7) . OPTIONAL { ?x ns:c.d ?z } }",
        "SELECT ?x { FILTER (7 != ?w && 5 < ?w) ?x ns:a.b ?w . OPTIONAL { ?x ns:c.d ?v } }",
    ),
    "reverse beside a union": (
        "ASK { ?x ns:film.film.directed_by ?y }",
        "ASK { ?a ns:film.director.films ?b }",
    ),
}  # fmt: skip
QUERIES_DIFFERENT = {
    "direction in a cycle": (
        "SELECT ?x { ?x ns:a.b ?y . ?y ns:c.d ?z . ?z ns:e.f ?x }",
        "SELECT ?x { ?x ns:a.b ?y . ?y ns:c.d ?z . ?x ns:e.f ?z }",
    ),
    "asked-for node": (
        "SELECT ?x { ?x ns:a.b ?y . ?y ns:c.d ?z . ?z ns:e.f ?x }",
        "SELECT ?y { ?x ns:a.b ?y . ?y ns:c.d ?z . ?z ns:e.f ?x }",
    ),
    "two cycles of three or one of six": (
        "ASK { ?a ns:r ?b . ?b ns:r ?c . ?c ns:r ?a . ?d ns:r ?e . ?e ns:r ?f . ?f ns:r ?d }",
        "ASK { ?a ns:r ?b . ?b ns:r ?c . ?c ns:r ?d . ?d ns:r ?e . ?e ns:r ?f . ?f ns:r ?a }",
    ),
    "distinct under a limit": (
        "SELECT ?x { ?x ns:a.b ?y . ?x ns:c.d ?y } LIMIT 5",
        "SELECT DISTINCT ?x { ?x ns:a.b ?y . ?x ns:c.d ?y } LIMIT 5",
    ),
    "optional before another": (
        "SELECT ?x { ?x ns:a.b ?y OPTIONAL { ?x ns:c.d ?z } OPTIONAL { ?x ns:e.f ?z } }",
        "SELECT ?x { ?x ns:a.b ?y OPTIONAL { ?x ns:e.f ?z } OPTIONAL { ?x ns:c.d ?z } }",
    ),
    "one filter": (
        "SELECT ?x { ?x ns:a.b ?y . FILTER (?y > 5 || ?y < 3) }",
        "SELECT ?x { ?x ns:a.b ?y . FILTER (?y > 5 && ?y < 3) }",
    ),
    "different things": (
        "SELECT ?x { ?x ns:a.b ?y . ?y ns:a.b ?z . FILTER (?x != ?z) }",
        "SELECT ?x { ?x ns:a.b ?y . ?y ns:a.b ?z }",
    ),
}


@pytest.mark.parametrize("case", QUERIES_SAME)
def test_queries_that_say_the_same(case: str) -> None:
    one, other = QUERIES_SAME[case]
    assert of_query(one) == of_query(other)


@pytest.mark.parametrize("case", QUERIES_DIFFERENT)
def test_queries_that_say_something_else(case: str) -> None:
    one, other = QUERIES_DIFFERENT[case]
    assert of_query(one) != of_query(other)


@pytest.mark.shared_data
def test_every_query_of_qald_has_a_form(data_dir: Path) -> None:
    forms = 0
    for record in read_lines(data_dir / "kb" / "qald.jsonl.gz"):
        profile = find_profile("wikidata" if "wikidata" in record["sparql"] else "dbpedia")
        canonical = Canonical(None, profile)
        key = canonical.of_form(read_form(record["sparql"], "sparql", profile))
        assert canonical.template(key)
        forms += 1
    assert forms == 544


# -- bad input -------------------------------------------------------------------------------------------------------

MALFORMED = {
    "deep": "(AND a " * 10_000 + "b" + ")" * 10_000,
    "deep and not closed": "(" * 10_000,
    "deep on the right": "(JOIN r " * 200 + "m.0" + ")" * 200,
    "long": "(JOIN r m." + "0" * 20_000_000 + ")",
    "many words": "a " * 10_000_000,
    "empty": "",
    "a bracket missing": "(AND a b",
    "a bracket too many": "(AND a b))",
    "another function": "(OR a b)",
    "too many arguments": "(AND a b c)",
    "a set for a relation": "(JOIN (AND a b) m.0)",
    "a relation for a set": "(AND a (R b))",
    "a literal for a relation": "(JOIN 5 m.0)",
    "a list for a value": "(LT r (JOIN q m.0))",
    "a name for a value": "(LT r film.film)",
    "an unknown word": "(JOIN film.@@UNKNOWN@@ m.0)",
    "no IRI": "(JOIN <a b> m.0)",
    "text that does not end": '(JOIN r "abc)',
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_forms_have_a_reason(case: str) -> None:
    with pytest.raises(ProgramError) as error:
        SMALL.of_text(MALFORMED[case])
    assert len(str(error.value)) < 300


def test_a_length_that_is_read() -> None:
    assert SMALL.of_text("(JOIN r m." + "0" * (MAX_LENGTH - 20) + ")")


def test_two_functions_and_time_constraints_have_forms() -> None:
    assert SMALL.of_text("(COUNT (ARGMAX film.film film.film.minutes))") == "(COUNT (ARGMAX * film.film.minutes))"
    assert SMALL.of_text("(TC (AND film.film m.01) film.film.minutes NOW)") == "(AND (TC film.film.minutes NOW) @m.01)"


def test_today_is_no_literal() -> None:
    with pytest.raises(FormError, match="NOW"):
        SMALL.of_text("(JOIN film.film.minutes NOW)")


def test_unknown_names_are_told() -> None:
    form = SExpression(parse_sexpression("(AND film.flim (JOIN film.film.directed_by (JOIN foo.bar m.01)))"))
    assert SMALL.unknown_names(form) == {"film.flim", "foo.bar"}
    query = read_form(
        "SELECT ?x { ?x a ns:film.flim . ?x ns:foo.bar ?y . ?x ns:film.film.directed_by ?y }", "sparql", FREEBASE
    )
    assert isinstance(query, SparqlQuery)
    assert SMALL.unknown_names(query) == {"film.flim", "foo.bar"}
    assert SYNTAX.unknown_names(form) == frozenset()
