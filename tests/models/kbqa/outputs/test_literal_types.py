"""Literals take the types that the relations beside them have in the store; values stay what they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small_store import as_oxigraph, turtle_store

from recombine.kb.store import Store
from recombine.kb.term import Term
from recombine.models.kbqa.outputs.literal_types import LiteralTypes, in_types
from recombine.models.kbqa.outputs.relation_types import RelationTypes, ValueType

XSD = "http://www.w3.org/2001/XMLSchema#"
FACTS = """
:m.1 :chess.player.rating "1468"^^xsd:integer ; :chess.player.height "1.8"^^xsd:float .
:m.2 :chess.player.rating "1999"^^xsd:integer ; :chess.player.height "2"^^xsd:float .
:m.1 :chess.player.born "1970"^^xsd:gYear . :m.2 :chess.player.born "1971-02-03"^^xsd:date .
:m.3 :chess.player.born "1971-02-04"^^xsd:date , "1971-02-05"^^xsd:date ; :chess.player.rival :m.1 .
:m.1 :chess.player.title "GM" ; :chess.player.seen "2009-03-29T00:00:00"^^xsd:dateTime .
:m.1 :chess.player.club "Elm"@en , "Ulme"@de , "Oak"@en ; :chess.player.reach "180"^^<http://units.example/cm> .
:chess.player.rating :type.property.expected_type :type.int .
:chess.player.wins :type.property.expected_type :type.int ; :type.property.schema :chess.player .
:chess.player.share :type.property.expected_type xsd:decimal ; :type.property.schema :chess.player .
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Players, whose relations have values of one type, of several, of none; nothing but their facts says ranges."""
    folder = tmp_path_factory.mktemp("players")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECOMBINE_DATA", str(folder / "nothing"))
        yield turtle_store(folder, "freebase", FACTS)


def form(text: str) -> str:
    """A form with the types of literals short: `5^integer`."""
    return text.replace("^", f"^^{XSD}")


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("(JOIN chess.player.rating 1468^gYear)", "(JOIN chess.player.rating 1468^integer)"),
        (
            "(AND chess.player (lt chess.player.height 2^integer))",
            "(AND chess.player (lt chess.player.height 2^float))",
        ),
        # Whole numbers lose a fraction of 0, and keep what they are where they have another.
        ("(ge chess.player.rating 1500.0^float)", "(ge chess.player.rating 1500^integer)"),
        ("(ge chess.player.rating 1500.5^float)", "(ge chess.player.rating 1500.5^float)"),
        ("(ge chess.player.rating 1.5e3^double)", "(ge chess.player.rating 1500^integer)"),
        # Most values are dates, and a year is none: it is a year all the same.
        ("(JOIN chess.player.born 1970^integer)", "(JOIN chess.player.born 1970^gYear)"),
        ("(gt chess.player.born 1971-02-03^dateTime)", "(gt chess.player.born 1971-02-03^date)"),
        ("(gt chess.player.seen 1971^integer)", "(gt chess.player.seen 1971^gYear)"),
        ("(gt chess.player.seen 1971-02-03^date)", "(gt chess.player.seen 1971-02-03T00:00:00^dateTime)"),
        ("(JOIN chess.player.born 33^integer)", "(JOIN chess.player.born 33^integer)"),
        # The last relation of the path says it, on whatever way it was written.
        (
            "(JOIN chess.player.rival (JOIN chess.player.height 2^integer))",
            "(JOIN chess.player.rival (JOIN chess.player.height 2^float))",
        ),
        (
            "(lt (JOIN chess.player.rival chess.player.height) 2^integer)",
            "(lt (JOIN chess.player.rival chess.player.height) 2^float)",
        ),
        (
            "(lt (R (JOIN (R chess.player.height) chess.player.rival)) 2^integer)",
            "(lt (R (JOIN (R chess.player.height) chess.player.rival)) 2^float)",
        ),
        ("(JOIN (R (R chess.player.height)) 2^integer)", "(JOIN (R (R chess.player.height)) 2^float)"),
        # Against a relation stands no value of it; nor where it leads to no literal.
        ("(JOIN (R chess.player.rating) 1468^gYear)", "(JOIN (R chess.player.rating) 1468^gYear)"),
        ("(JOIN chess.player.rival 1468^gYear)", "(JOIN chess.player.rival 1468^gYear)"),
        ("(JOIN chess.player.nothing 1468^gYear)", "(JOIN chess.player.nothing 1468^gYear)"),
        # No fact has these two: their ranges say it, by what other relations of the range have.
        ("(JOIN chess.player.wins 14^float)", "(JOIN chess.player.wins 14^integer)"),
        ("(JOIN chess.player.share 2e-1^float)", "(JOIN chess.player.share 0.2^decimal)"),
        # Several literals, each by its own relation; superlatives around them.
        (
            "(ARGMAX (AND (lt chess.player.height 2^double) (JOIN chess.player.rating 2^float)) chess.player.rating)",
            "(ARGMAX (AND (lt chess.player.height 2^float) (JOIN chess.player.rating 2^integer)) chess.player.rating)",
        ),
    ],
)
def test_a_literal_takes_the_type_of_the_relation_beside_it(store: Store, written: str, wanted: str) -> None:
    types = LiteralTypes.of(store)
    assert types.retyped(form(written)) == form(wanted)
    assert types.retyped(form(wanted)) == form(wanted)


def test_texts_and_types_that_nothing_is_known_of_are_taken_where_values_are_equal(store: Store) -> None:
    types = LiteralTypes.of(store)
    assert types.retyped(form("(JOIN chess.player.title 5^integer)")) == '(JOIN chess.player.title "5")'
    assert types.retyped(form("(JOIN chess.player.club 5^integer)")) == '(JOIN chess.player.club "5"@en)'
    reach = types.retyped(form("(JOIN chess.player.reach 180^integer)"))
    assert reach == "(JOIN chess.player.reach 180^^http://units.example/cm)"
    compared = form("(lt chess.player.reach 180^integer)")  # such values have no order
    assert types.retyped(compared) == compared


def test_what_cannot_be_read_stays_as_it_is(store: Store) -> None:
    types = LiteralTypes.of(store)
    for text in ("", "(JOIN", "JOIN 5", "(AND (JOIN chess.player.rating) 5)", "m.1", "(COUNT JOIN)", "(lt 5 6)"):
        assert types.retyped(text) == text


def test_retyped_values_are_found_again(store: Store) -> None:
    from recombine.kb.forms.form_of_text import form_of_text

    types = LiteralTypes.of(store)
    wrong = form("(JOIN chess.player.rating 1468^gYear)")
    assert store.execute(form_of_text(wrong, store.profile)) == []
    assert store.execute(form_of_text(types.retyped(wrong), store.profile)) == [Term.name("m.1")]


def test_types_are_counted_alike_by_every_store(store: Store) -> None:
    kinds = [RelationTypes(each) for each in (store, as_oxigraph(store))]  # type: ignore[arg-type]
    for name in ("rating", "born", "club", "title", "rival", "reach", "seen", "nothing"):
        one, other = (each.of(Term.name(f"chess.player.{name}")) for each in kinds)
        assert one == other
    born = kinds[0].of(Term.name("chess.player.born"))
    assert born == (ValueType(f"{XSD}date"), ValueType(f"{XSD}gYear"))  # three dates and a year
    assert kinds[0].of(Term.name("chess.player.club")) == (ValueType(language="en"), ValueType(language="de"))
    assert kinds[0].of(Term.name("chess.player.rival")) == ()


def test_the_first_type_that_fits_as_it_is_comes_before_one_that_respells() -> None:
    moment = Term.literal("2009-03-29", datatype=f"{XSD}gYear")
    kinds = [ValueType(f"{XSD}dateTime"), ValueType(f"{XSD}date")]
    assert in_types(moment, kinds) == Term.literal("2009-03-29", datatype=f"{XSD}date")
    midnight = Term.literal("2009-03-29T00:00:00", datatype=f"{XSD}dateTime")
    assert in_types(midnight, [ValueType(f"{XSD}date")]) == Term.literal("2009-03-29", datatype=f"{XSD}date")
    noon = Term.literal("2009-03-29T12:00:00", datatype=f"{XSD}dateTime")
    assert in_types(noon, [ValueType(f"{XSD}date")]) == noon
    assert in_types(noon, []) == noon
    huge = Term.literal("1e9999", datatype=f"{XSD}double")
    assert in_types(huge, [ValueType(f"{XSD}integer")]) == huge
