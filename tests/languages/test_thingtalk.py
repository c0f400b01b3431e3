from __future__ import annotations

import pytest

from recombine.errors import ProgramError
from recombine.languages.thingtalk import THINGTALK, utterance_with_columns
from recombine.tree import Tree

parse, render = THINGTALK.parse, THINGTALK.render


def test_the_papers_table_8() -> None:
    expected = Tree("filter", (Tree("Person"), Tree(">=", (Tree("count", (Tree("award"),)), Tree("NUMBER_VAL")))))
    original = "now => (@org.schema.Person.Person) filter count (param:award:Array (String)) >= 8 => notify"
    assert parse(original) == parse("filter (Person) (count (award) >= NUMBER_VAL)") == expected
    assert render(expected) == "filter ( Person ) ( count ( award ) >= NUMBER_VAL )"


def test_the_papers_table_1() -> None:
    tree = parse('(@org.schema.Person.Person) filter param:worksFor:String contains "crossbars"')
    assert tree == Tree("filter", (Tree("Person"), Tree("contains", (Tree("worksFor"), Tree("STR_VAL")))))


def test_a_table_alone() -> None:
    assert (
        parse("now => (@org.schema.Person.Person) => notify")
        == parse("( Person )")
        == parse("Person")
        == Tree("Person")
    )


def test_and_binds_tighter_than_or() -> None:
    a, b, c = (Tree("==", (Tree(name), Tree("STR_VAL"))) for name in "abc")
    text = "filter ( Person ) ( a == STR_VAL ) or ( b == STR_VAL ) and ( c == STR_VAL )"
    assert parse(text).children[1] == Tree("or", (a, Tree("and", (b, c))))
    bracketed = "filter ( Person ) ( ( a == STR_VAL ) or ( b == STR_VAL ) ) and ( c == STR_VAL )"
    assert parse(bracketed).children[1] == Tree("and", (Tree("or", (a, b)), c))
    assert render(parse(bracketed)) == bracketed


def test_what_is_equal() -> None:
    def normal(condition: str) -> Tree:
        return THINGTALK.normalise(parse(f"filter ( Person ) {condition}"))

    a, b, c = (f"( {name} == STR_VAL )" for name in "abc")
    assert normal(f"{a} and {b} or {c}") == normal(f"{c} or {b} and {a}")
    assert normal(f"{a} and {b} or {c}") != normal(f"{a} and ( {b} or {c} )")
    assert normal(f"{a} and {b}") != normal(f"{a} or {b}")
    assert normal(f"! {a} and {b}") != normal(f"! ( {a} and {b} )")


def test_a_template_by_hand() -> None:
    tree = parse("filter ( Person ) ( count ( award ) >= NUMBER_VAL ) and ( worksFor contains STR_VAL )")
    expected = "filter ( Person ) ( count ( FIELD ) OPERATOR NUMBER_VAL ) and ( FIELD OPERATOR STR_VAL )"
    assert render(THINGTALK.anonymise(tree)) == expected


def test_programs_as_they_are_published() -> None:
    person = "( @org.schema.Person.Person )"
    works = "param:worksFor:Array(Entity(org.schema.Person:Organization))"
    cases = {
        f'now => {person} filter {works} contains~ " acme " ^^org.schema.Person:Organization => notify': (
            "filter ( Person ) ( worksFor contains~ STR_VAL )"
        ),
        "now => ( sort param:rating.value:Number asc of ( @org.schema.Hotel.Hotel ) ) [ 1 ] => notify": (
            "( sort rating.value asc of ( Hotel ) ) [ NUMBER_VAL ]"
        ),
        f"now => compute count ( param:award:Array(String) ) of ( {person} ) => notify": (
            "compute count ( award ) of ( Person )"
        ),
        f"now => {person} filter param:kind:Enum(old,new) == enum:new and param:age:Number >= NUMBER_0 => notify": (
            "filter ( Person ) ( kind == new ) and ( age >= NUMBER_VAL )"
        ),
    }
    for original, preprocessed in cases.items():
        assert render(parse(original)) == preprocessed
        assert parse(preprocessed) == parse(original)


def test_a_repeated_count_is_removed() -> None:
    def normal(text: str) -> str:
        return render(THINGTALK.normalise(parse(text)))

    once = "( sort count desc of ( compute count ( award ) of ( Person ) ) ) [ NUMBER_VAL ]"
    assert normal(f"compute count ( award ) of ( {once} )") == normal(once) == once
    # Another field, another function, another order or all of the rows: nothing is repeated.
    for other in (
        f"compute count ( alumniOf ) of ( {once} )",
        f"compute sum ( award ) of ( {once} )",
        f"compute count ( award ) of ( {once.replace('sort count', 'sort age')} )",
        "compute count ( award ) of ( sort count desc of ( compute count ( award ) of ( Person ) ) )",
        "compute count ( award ) of ( Person )",
    ):
        assert normal(other) == other


def test_a_template_of_a_count_by_hand() -> None:
    tree = parse("( sort count desc of ( compute count ( award ) of ( Person ) ) ) [ 3 ]")
    expected = "( sort FIELD OPERATOR of ( compute count ( FIELD ) of ( Person ) ) ) [ NUMBER_VAL ]"
    assert render(THINGTALK.anonymise(tree)) == expected


def test_values_become_columns() -> None:
    # The paper's table 8, bottom.
    program = (
        'param:worksFor:String in_array [ "learning of true university" , "ky." ] and '
        'param:jobTitle:String contains "animal health technician" and param:workLocation:String == "alger lake, mi"'
    )
    utterance = (
        "which are the person which have either learning of true university or ky. in the works for "
        "and having job title containing animal health technician that have alger lake, mi"
    )
    assert utterance_with_columns(utterance, program) == (
        "which are the person which have either worksFor or worksFor in the works for "
        "and having job title containing jobTitle that have workLocation"
    )


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("filter ( Person ( a == STR_VAL )", 16, "'(' stands where ')' belongs"),
        ("filter ( Person ) ( a == STR_VAL", 32, "the program ends where ')' belongs"),
        ("filter ( Person ) a == STR_VAL", 18, "'a' stands where '(' belongs"),
        ("filter ( Person ) ( a STR_VAL )", 22, "'STR_VAL' stands where an operator belongs"),
        ("filter ( Person ) ( a == STR_VAL ) )", 35, "')' stands where the end belongs"),
        ("( filter ( Person ) ( a == STR_VAL ) )", 0, "'(' stands where a table belongs"),
        ("filter ( Person ) ( ( a == STR_VAL ) )", 18, "brackets around one condition"),
        ("sort age of ( Person )", 9, "'of' stands where 'asc' or 'desc' belongs"),
        ("filter ( Person ) ( a == # )", 25, "'#' is of no use here"),
        ("now => => notify", 0, "an empty program"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
