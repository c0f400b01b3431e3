from __future__ import annotations

import pytest

import recombine
from recombine.errors import ProgramError
from recombine.languages.functional import render_functional
from recombine.languages.scenes import SCENES, name_of, written_name
from recombine.tree import Tree

CAPS = "with_relation ( find ( boy ) , wearing , filter ( red , find ( cap ) ) )"


def template(text: str) -> str:
    return render_functional(SCENES.anonymise(SCENES.parse(text)))


def test_a_tree_by_hand() -> None:
    worn = Tree("with_relation", (Tree("scene()"), Tree("standing on"), Tree("find", (Tree("bench"),))))
    assert SCENES.parse("exists ( with_relation ( scene ( ) , standing on , find ( bench ) ) )") == Tree(
        "exists", (worn,)
    )


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            f"geq ( count ( {CAPS} ) , 3 )",
            "geq ( count ( with_relation ( find ( OBJECT ) , RELATION , "
            "filter ( ATTRIBUTE , find ( OBJECT ) ) ) ) , NUMBER )",
        ),
        # a word is masked for where it stands, not for what it is
        (
            "choose_rel ( count , and , unique ( find ( find ) ) , find ( 3 ) )",
            "choose_rel ( RELATION , RELATION , unique ( find ( OBJECT ) ) , find ( OBJECT ) )",
        ),
        (
            "eq ( query_attr [ color ] ( unique ( find ( a ) ) ) , query_attr [ shape ] ( unique ( find ( b ) ) ) )",
            "eq ( query_attr [ TYPE ] ( unique ( find ( OBJECT ) ) ) , "
            "query_attr [ TYPE ] ( unique ( find ( OBJECT ) ) ) )",
        ),
        (
            "count ( keep_leq ( group_by_images ( find ( dog ) ) , 4 ) )",
            "count ( keep_leq ( group_by_images ( find ( OBJECT ) ) , NUMBER ) )",
        ),
        (
            "and ( exists ( find ( a ) ) , exists ( scene ( ) ) )",
            "and ( exists ( find ( OBJECT ) ) , exists ( scene ( ) ) )",
        ),
    ],
)
def test_names_and_numbers_are_masked_by_their_place(text: str, masked: str) -> None:
    assert template(text) == masked


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("count ( filter ( red , find ( dog ) , cat ) )", 15, "'filter' has 3 arguments where 2 belong"),
        ("count ( with_relation ( dog , on , find ( bed ) ) )", 22, "argument 1 of 'with_relation' is 'dog'"),
        (
            "count ( find ( find ( dog ) ) )",
            13,
            "argument 1 of 'find' is a program where a name belongs",
        ),
        ("count ( most ( scene ( ) ) )", 13, "'most' is no operator over scenes"),
        ("query_attr ( unique ( find ( dog ) ) )", 11, "'query_attr' is no operator over scenes"),
        ("count [ color ] ( find ( dog ) )", 16, "'count[color]' is no operator over scenes"),
        ("eq ( count ( find ( dog ) ) , two )", 3, "argument 2 of 'eq' is 'two' where a number belongs"),
        ("dog", 0, "'dog' is no program"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        SCENES.parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    "name", ["tennis racket", "cup (tea)", 'a "b" \\ c', "one, two", "x [ y ]", " two  blanks ", ""]
)
def test_any_name_is_written_so_that_it_is_read_again(name: str) -> None:
    tree = SCENES.parse(f"count ( filter ( {written_name(name)} , find ( {written_name(name)} ) ) )")
    assert [name_of(tree.children[0].children[0].label), name_of(tree.children[0].children[1].children[0].label)] == [
        name,
        name,
    ]
    assert SCENES.parse(SCENES.render(tree)) == tree


def test_structures_and_splits_take_the_programs() -> None:
    nouns = ("boy", "girl", "man", "cap")
    texts = [f"count ( find ( {noun} ) )" for noun in nouns]
    texts += [f"exists ( with_relation ( find ( {noun} ) , on , find ( bench ) ) )" for noun in nouns]
    texts += [f"eq ( count ( filter ( red , find ( {noun} ) ) ) , 2 )" for noun in nouns]
    data = recombine.load([(text, text) for text in texts], language="scenes")
    by_template = recombine.split(data, by="template", test=4, seed=1)
    parts = [{template(data[place].target) for place in part} for part in (by_template.train, by_template.test)]
    assert not parts[0] & parts[1]
    assert len(recombine.split(data, by="tmcd", test=4, seed=1).test) == 4
