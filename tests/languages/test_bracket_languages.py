"""Laws of every language of this kind: what is rendered reads back, and brackets out of place are refused."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import ProgramError
from recombine.languages.actions import ACTIONS
from recombine.languages.cogs import COGS
from recombine.languages.covr import COVR
from recombine.languages.functional import FUNCTIONAL
from recombine.languages.lambda_calculus import LAMBDA_CALCULUS
from recombine.languages.lambda_dcs import LAMBDA_DCS
from recombine.languages.language import Language
from recombine.languages.scenes import SCENES
from recombine.languages.sexpression import SEXPRESSION
from recombine.languages.thingtalk import THINGTALK
from recombine.tree import Tree

Trees = st.SearchStrategy[Tree]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"(?:\^\^\S+[^\s)])?|[()\[\],]|[^\s()\[\],"]+')
BRACKETS = "()[]"


def node(label: str | st.SearchStrategy[str], *children: Trees) -> Trees:
    """Trees with this label and one child from each strategy."""
    labels = st.just(label) if isinstance(label, str) else label
    return st.builds(lambda name, *below: Tree(name, below), labels, *children)


def leaf(*labels: str) -> Trees:
    return st.sampled_from([Tree(label) for label in labels])


def many(labels: st.SearchStrategy[str], child: Trees, least: int, most: int) -> Trees:
    return st.builds(
        lambda name, below: Tree(name, tuple(below)), labels, st.lists(child, min_size=least, max_size=most)
    )


def lambda_calculus() -> Trees:
    variable, constant = leaf("$0", "$1", "$v2"), leaf("boston:_ci", "9:_dn", "1000:_ti")
    term = variable | constant | node("_fare", variable)
    predicate = node("_flight", variable) | node("_to", variable, variable | constant) | node("_=", term, term)

    def formula(inner: Trees) -> Trees:
        joined = many(st.sampled_from(["_and", "_or"]), inner, 2, 4)
        return joined | node("_not", inner) | node("_exists", variable, inner)

    formulas = st.recursive(predicate, formula, max_leaves=8)
    queries = node("_lambda", variable, leaf("e"), formulas) | node("_argmax", variable, formulas, term)
    return constant | queries | node("_capacity", node("_the", variable, formulas))


def lambda_dcs() -> Trees:
    string = node("string", leaf("rent", "<", "!type")) | node("string", leaf("!"), leaf("type"))
    number = node("number", leaf("3", "-1.5")) | node("number", leaf("3"), leaf("en.inch"))
    value = string | number | node("date", leaf("2004"), leaf("-1"), leaf("-1")) | leaf("en.block", "en.block.block1")

    def deeper(inner: Trees) -> Trees:
        called = node("call", leaf("filter"), inner, string) | node(
            "call", leaf("filter"), inner, string, string, value
        )
        term = node("lambda", leaf("s"), node("call", leaf("filter"), node("var", leaf("s")), string))
        return called | node("call", leaf("getProperty"), inner, string) | node("", term, inner)

    return node("call", leaf("listValue"), st.recursive(value, deeper, max_leaves=6))


def sexpression() -> Trees:
    relation = leaf("film.film.year", "people.person.spouse_s") | node("R", leaf("film.film.year"))
    item = leaf("m.03_r3", "film.film", '"2010"^^xsd:gYear', '"two ( words"', "1.0^^http://www.w3.org/#float")

    def deeper(inner: Trees) -> Trees:
        return node("AND", inner, inner) | node("JOIN", relation, inner) | node("ARGMAX", inner, relation)

    return node("COUNT", st.recursive(item, deeper, max_leaves=8))


def functional() -> Trees:
    names = st.sampled_from(["find", "with_relation", "query_attr[color]", "looking at", "query_attr[color of]"])
    leaves = leaf("dog", "looking at", "scene()", "2", '"a , ( b"')
    return st.recursive(leaves, lambda inner: many(names, inner, 1, 3), max_leaves=10)


def covr() -> Trees:
    found = node("find", leaf("dog", "cat")) | leaf("scene()")

    def deeper(inner: Trees) -> Trees:
        filtered = node("filter", leaf("round", "black"), inner)
        return filtered | node("with_relation", inner, leaf("chasing", "looking at"), inner)

    objects = st.recursive(found, deeper, max_leaves=5)
    number = node("count", objects) | leaf("2", "3")
    claim = node("exists", objects) | node("gt", number, number) | node("most", objects, objects)
    attribute = node("query_attr[color]", objects)
    return claim | node("and", claim, claim) | attribute | node("choose", attribute, leaf("black"), leaf("gray"))


def scenes() -> Trees:
    objects = node("find", leaf("dog", "tennis racket", "count", "scene", '"cup (tea)"')) | leaf("scene()")

    def deeper(inner: Trees) -> Trees:
        filtered = node("filter", leaf("red", "3"), inner)
        return filtered | node("with_relation", inner, leaf("on", "pulling:_with", "next to"), inner)

    some = st.recursive(objects, deeper, max_leaves=5)
    number = node("count", some) | leaf("2", "3")
    claim = node("exists", some) | node("geq", number, number) | node("all_same[hair color]", some)
    return claim | node("or", claim, claim) | node("query_attr[color]", node("unique", some)) | node("count", some)


def cogs() -> Trees:
    argument = leaf("x_1", "x_12", "Emma")
    conjunct = node("dog", argument) | node(st.sampled_from(["eat.agent", "cake.nmod.in"]), argument, argument)

    def together(definite: list[Tree], others: list[Tree]) -> Tree:
        return Tree("AND", (*(Tree("*", (tree,)) for tree in definite), *others))

    body = st.builds(together, st.lists(conjunct, max_size=3), st.lists(conjunct, min_size=1, max_size=4))
    return leaf("Emma") | body | node("LAMBDA", leaf("a"), body | node("LAMBDA", leaf("e"), body))


def thingtalk() -> Trees:
    field = leaf("award", "worksFor")
    value = leaf("STR_VAL", "NUMBER_VAL") | many(st.just("[]"), leaf("STR_VAL"), 1, 3)
    compared = node(st.sampled_from([">=", "==", "contains"]), field | node("count", field), value)

    def deeper(inner: Trees) -> Trees:
        return many(st.sampled_from(["and", "or"]), inner, 2, 3) | node("!", inner)

    query = leaf("Person") | node("filter", leaf("Person"), st.recursive(compared, deeper, max_leaves=6))
    chosen = node("fields", field, query) | node("fields", field, field, query)
    return query | chosen | node("sort", field, leaf("asc", "desc"), query) | node("aggregate", leaf("count"), query)


def actions() -> Trees:
    return many(st.just("actions"), leaf("I_JUMP", "I_WALK", "I_TURN_LEFT"), 1, 9)


LANGUAGES: list[tuple[Language, Callable[[], Trees]]] = [
    (LAMBDA_CALCULUS, lambda_calculus),
    (LAMBDA_DCS, lambda_dcs),
    (SEXPRESSION, sexpression),
    (FUNCTIONAL, functional),
    (COVR, covr),
    (SCENES, scenes),
    (COGS, cogs),
    (THINGTALK, thingtalk),
    (ACTIONS, actions),
]
NAMES = [language.name for language, _ in LANGUAGES]


def words(text: str) -> list[str]:
    return TOKEN.findall(text)


def refused(language: Language, tokens: Iterable[str]) -> bool:
    """Whether the language refuses a text, with a place inside it and one line of words."""
    text = " ".join(tokens)
    refusal: ProgramError | None = None
    try:
        language.parse(text)
    except ProgramError as error:
        refusal = error
    if refusal is None:
        return False
    assert 0 <= refusal.position <= len(text)
    assert refusal.remedy
    assert "\n" not in str(refusal)
    return True


def check_dropped_and_doubled(language: Language, text: str) -> None:
    tokens = words(text)
    for at, token in enumerate(tokens):
        if token in BRACKETS:
            assert refused(language, tokens[:at] + tokens[at + 1 :]), (text, at)
            assert refused(language, [*tokens[: at + 1], *tokens[at:]]), (text, at)


def moved(tokens: list[str], at: int, to: int) -> list[str]:
    """The tokens with the one at a place put elsewhere among the others."""
    others = tokens[:at] + tokens[at + 1 :]
    return [*others[:to], tokens[at], *others[to:]]


def check_moved(language: Language, text: str, at: int, to: int) -> bool:
    """Whether a moved bracket is refused; if not, the text must be another program of the language.

    That is the one exception: the tokens differ, the tree differs, and the tree renders to these very tokens.
    """
    tokens = words(text)
    changed = moved(tokens, at, to)
    if changed == tokens or refused(language, changed):
        return True
    tree = language.parse(" ".join(changed))
    assert tree != language.parse(text), (text, at, to)
    assert words(language.render(tree)) == changed, (text, at, to)
    return False


@pytest.mark.parametrize(("language", "trees"), LANGUAGES, ids=NAMES)
def test_rendered_trees_read_back(language: Language, trees: Callable[[], Trees]) -> None:
    @settings(deadline=None, max_examples=60)
    @given(trees())
    def law(tree: Tree) -> None:
        assert language.parse(language.render(tree)) == tree
        normal = language.normalise(tree)
        assert language.normalise(normal) == normal
        assert language.parse(language.render(normal)) == normal

    law()


@pytest.mark.parametrize(("language", "trees"), LANGUAGES[:-1], ids=NAMES[:-1])
def test_brackets_out_of_place_are_refused(language: Language, trees: Callable[[], Trees]) -> None:
    @settings(deadline=None, max_examples=30)
    @given(trees(), st.data())
    def law(tree: Tree, data: st.DataObject) -> None:
        text = language.render(tree)
        check_dropped_and_doubled(language, text)
        tokens = words(text)
        brackets = [at for at, token in enumerate(tokens) if token in BRACKETS]
        if brackets:
            check_moved(language, text, data.draw(st.sampled_from(brackets)), data.draw(st.integers(0, len(tokens))))

    law()


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def fields(path: Path, name: str) -> list[str]:
    return [json.loads(line)[name] for line in lines(path)]


def published(data_dir: Path, name: str) -> list[str]:
    """The distinct programs of a published file, sorted."""
    if name == "cogs":
        parts = ("train", "dev", "test", "gen_2020-10-12")
        return sorted({line.split("\t")[1] for part in parts for line in lines(data_dir / "cogs" / f"{part}.tsv.gz")})
    if name == "webqsp":
        predictions = json.loads("".join(lines(data_dir / "grailqa" / "webqsp_rng_predictions.json.gz")))
        return sorted({item["logical_form"] for item in predictions.values()})
    if name == "scan":
        return sorted({line.partition("OUT: ")[2] for line in lines(data_dir / "scan" / "tasks.txt.gz")})
    file, field = {
        "atis": ("atis/atis.jsonl.gz", "target"),
        "overnight": ("overnight/overnight_lf.jsonl.gz", "target"),
        "covr": ("covr_text/examples.jsonl.gz", "target"),
        "grailqa": ("grailqa/items.jsonl.gz", "s_expression"),
        "kg_sexpr": ("grailqa/kg_sexpr.jsonl.gz", "s_expression"),
    }[name]
    return sorted(set(fields(data_dir / file, field)))


# Counted from the files: distinct programs, distinct after `normalise`, distinct after both.
PUBLISHED: list[tuple[str, Language, int, int, int]] = [
    ("atis", LAMBDA_CALCULUS, 3590, 3588, 1135),
    ("overnight", LAMBDA_DCS, 3407, 2112, 91),
    ("covr", COVR, 4991, 4991, 2911),
    ("cogs", COGS, 51155, 50883, 42172),
    ("grailqa", SEXPRESSION, 566, 566, 379),
    ("kg_sexpr", SEXPRESSION, 618, 618, 182),
    ("webqsp", SEXPRESSION, 1396, 1396, 317),
    ("scan", ACTIONS, 9228, 9228, 9228),
]


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "language", "distinct", "normal", "anonymous"),
    [pytest.param(*row, marks=pytest.mark.slow) if row[0] == "cogs" else row for row in PUBLISHED],
)
def test_every_published_program_reads_back(
    name: str, language: Language, distinct: int, normal: int, anonymous: int, data_dir: Path
) -> None:
    texts = published(data_dir, name)
    trees = [language.parse(text) for text in texts]
    assert [words(language.render(tree)) for tree in trees] == [words(text) for text in texts]
    normalised = {language.normalise(tree) for tree in trees}
    assert (len(texts), len(normalised)) == (distinct, normal)
    assert len({language.anonymise(tree) for tree in normalised}) == anonymous


@pytest.mark.shared_data
@pytest.mark.parametrize(("name", "language"), [(name, language) for name, language, *_ in PUBLISHED[:-1]])
def test_published_programs_with_a_bracket_out_of_place(name: str, language: Language, data_dir: Path) -> None:
    texts = published(data_dir, name)
    draw = np.random.default_rng(4)
    for text in texts[:: len(texts) // 60]:
        check_dropped_and_doubled(language, text)
        tokens = words(text)
        for at, token in enumerate(tokens):
            if token in BRACKETS:
                check_moved(language, text, at, int(draw.integers(len(tokens))))


def test_the_check_of_moved_brackets_can_fail() -> None:
    kind = Language("kind", lambda text: Tree(text.replace("(", "").replace(")", "")), lambda tree: tree.label)
    with pytest.raises(AssertionError):
        check_moved(kind, "a ( b )", 1, 0)
    with pytest.raises(AssertionError):
        check_dropped_and_doubled(kind, "a ( b )")
