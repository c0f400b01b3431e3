"""Literals as values: hand-worked moments, zones, exact numbers, and what has no order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from facts_of import XSD, number, store_of

from recombine.errors import AnswerError, OptionError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.literal_columns import FAMILIES, literal_value
from recombine.kb.term import Term

DAY = 86_400_000_000
VALUE = Term.name("value")


@pytest.mark.parametrize(
    ("text", "kind", "moment"),
    [
        ("1970-01-01T00:00:00Z", "dateTime", 0),
        ("1970-01-01T00:00:00", "dateTime", 0),  # no zone is UTC
        ("1970-01-01T00:00:00+01:00", "dateTime", -3_600_000_000),
        ("1969-12-31T23:59:59.999999-00:30", "dateTime", 1_799_999_999),
        ("1970-01-01T24:00:00Z", "dateTime", DAY),
        (" 1970-01-02\n", "date", DAY),
        ("1970-01-02+14:00", "date", DAY - 14 * 3_600_000_000),
        ("2000-02-29", "date", 11_016 * DAY),  # 30 years, of which 7 are leap years, and 59 days
        ("1971", "gYear", 365 * DAY),
        ("1970-03", "gYearMonth", 59 * DAY),
        ("0000-03-01", "date", -719_468 * DAY),  # 719,528 days of the years 0 to 1969, less January and February
        ("-0001-03-01", "date", (-719_468 - 366) * DAY),  # the year 0 is a leap year
        ("290000-01-01", "date", 105_200_797 * DAY),  # 725 × 146,097 days of 400 years, less 719,528 up to 1970
        ("00:00:01.5", "time", 1_500_000),
        ("12:00:00Z", "time", DAY // 2),
    ],
)
def test_moments(text: str, kind: str, moment: int) -> None:
    value = literal_value(text, XSD + kind, "")
    assert value is not None
    assert (value.number, FAMILIES[value.family]) == (moment, "time" if kind == "time" else "moment")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("1999-02-29", "date"), ("1999-13-01", "date"), ("1999-1-01", "date"), ("99-01-01", "date"), ("", "date")),
        *(("1900-02-29", "date"), ("1999-01-01Zx", "date"), ("1999-01-01+14:01", "date"), ("1999-01-01+1:00", "date")),
        *(("290001-01-01", "date"), ("99999999999999999999-01-01", "date"), ("1999-00-10", "date"), ("1999", "date")),
        *(("1999-01-01 10:00:00", "dateTime"), ("1999-01-01T10:00", "dateTime"), ("1999-01-01T10:00:00.", "dateTime")),
        *(("1999-01-01T24:00:01", "dateTime"), ("1999-01-01T10:60:00", "dateTime"), ("25:00:00", "time")),
        *(("1999-01", "gYear"), ("1999", "gYearMonth"), ("12", "gYear")),
        *(
            ("1.5", "integer"),
            ("1e3", "decimal"),
            ("1_000", "integer"),
            ("", "double"),
            ("inf", "double"),
            (".", "decimal"),
        ),
        *(("0x1F", "integer"), ("nan", "double"), ("e5", "double"), ("yes", "boolean"), ("TRUE", "boolean")),
    ],
)
def test_what_is_not_written_as_its_type_wants(text: str, kind: str, tmp_path: Path) -> None:
    assert literal_value(text, XSD + kind, "") is None
    store = store_of([(Term.name("a"), VALUE, number(text, kind))], tmp_path / "index")
    assert store.folder.description["unreadable_literals"] == 1
    assert store.neighbours(Term.name("a")) == [number(text, kind)]
    with pytest.raises(OptionError, match="has no order; compare with a number, date"):
        store.compare(np.array([0]), "<", number(text, kind))


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        *(
            ("+7", "integer", 7.0),
            (" 07 ", "int", 7.0),
            ("-0", "integer", 0.0),
            (".5", "decimal", 0.5),
            ("5.", "decimal", 5),
        ),
        *(("-.5e1", "double", -5.0), ("INF", "double", float("inf")), ("-INF", "float", float("-inf"))),
        *(
            ("0.1", "float", float(np.float32(0.1))),
            ("true", "boolean", 1),
            ("0", "boolean", 0),
            ("1e39", "float", np.inf),
        ),
    ],
)
def test_numbers(text: str, kind: str, expected: float) -> None:
    value = literal_value(text, XSD + kind, "")
    assert value is not None
    assert value.number == expected


def valued(folder: Path, *values: Term) -> EmbeddedStore:
    """A store in which the name `n0` has the first value, and so on."""
    return store_of([(Term.name(f"n{place}"), VALUE, value) for place, value in enumerate(values)], folder)


def having(store: EmbeddedStore, operator: str, value: Term) -> str:
    step = np.array([store.id(VALUE)], np.int64)
    found = store.terms(store.compare(step, operator, value))  # type: ignore[arg-type]
    assert found == store.terms(store.compare(step, operator, value, among=store.along(int(step[0]))))  # type: ignore[arg-type]
    return " ".join(term.text for term in found)


def test_numbers_beyond_doubles_are_told_apart(tmp_path: Path) -> None:
    texts = ("9007199254740993", "9007199254740992", "9007199254740991.5", "9007199254740992.0", "9007199254740994")
    kinds = ("integer", "integer", "decimal", "decimal", "integer")
    store = valued(tmp_path / "index", *(number(*each) for each in zip(texts, kinds, strict=True)))
    assert having(store, "<", number("9007199254740992")) == "n2"
    assert having(store, "=", number("9007199254740992")) == "n1 n3"
    assert having(store, ">", number("9007199254740992")) == "n0 n4"
    assert having(store, "=", number("9007199254740993.0", "decimal")) == "n0"
    assert having(store, "<=", number("9007199254740992.5", "decimal")) == "n1 n2 n3"
    step = np.array([store.id(VALUE)], np.int64)
    assert store.terms(store.argmax(step)) == [Term.name("n4")]
    assert store.terms(store.argmin(step)) == [Term.name("n2")]


def test_integers_larger_than_any_double(tmp_path: Path) -> None:
    large = "1" + "0" * 400
    store = valued(tmp_path / "index", number(large), number(large[:-1] + "1"), number("INF", "double"), number("1"))
    assert having(store, ">", number(large)) == "n1 n2"
    assert having(store, "<", number("INF", "double")) == "n0 n1 n3"


def test_moments_of_all_types_stand_on_one_line(tmp_path: Path) -> None:
    kinds = (
        ("1999", "gYear"),
        ("1999-01", "gYearMonth"),
        ("1999-01-01", "date"),
        ("1998-12-31T23:00:00-02:00", "dateTime"),
    )
    store = valued(tmp_path / "index", *(number(*each) for each in kinds), number("12:00:00", "time"))
    assert having(store, "=", number("1999-01-01T00:00:00Z", "dateTime")) == "n0 n1 n2"
    assert having(store, ">", number("1999", "gYear")) == "n3"
    assert having(store, ">", number("00:00:00", "time")) == "n4"


def test_families_do_not_mix(tmp_path: Path) -> None:
    values = (
        number("5"),
        number("1999", "gYear"),
        Term.literal("5"),
        Term.literal("5", language="en"),
        number("1", "boolean"),
    )
    store = valued(tmp_path / "index", *values, Term.name("5"), number("NaN", "double"), number("P5D", "duration"))
    for value, name in zip((*values[:3], values[4]), ("n0", "n1", "n2", "n4"), strict=True):
        assert having(store, "=", value) == having(store, "<=", value) == having(store, ">=", value) == name
        assert having(store, "!=", value) == having(store, "<", value) == having(store, ">", value) == ""
    step = np.array([store.id(VALUE)], np.int64)
    with pytest.raises(
        AnswerError, match="no common order: 1 of family number, 1 of family moment, 1 of family boolean"
    ):
        store.argmax(step)
    assert store.terms(store.argmax(step, family="text")) == [Term.name("n2")]
    assert store.terms(store.argmax(step, family="time")) == []
    with pytest.raises(
        OptionError, match="size is no family of values; name one of number, moment, time, boolean, text"
    ):
        store.argmin(step, family="size")
    with pytest.raises(OptionError, match="=~ compares nothing; write one of < <= > >= = !="):
        store.compare(step, "=~", values[0])  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="has no order"):
        store.compare(step, "<", Term.name("5"))


def test_texts_compare_by_their_characters(tmp_path: Path) -> None:
    store = valued(tmp_path / "index", *map(Term.literal, ("", "a", "ab", "b", "é", "a\n")))
    assert having(store, "<", Term.literal("ab")) == "n0 n1 n5"
    assert having(store, ">=", Term.literal("aa")) == "n2 n3 n4"
    assert having(store, "=", Term.literal("aa")) == ""


def test_superlatives_go_by_paths_and_among_some(tmp_path: Path) -> None:
    name = Term.name
    facts = [(name(f"film{n}"), name("by"), name(f"person{n % 2}")) for n in range(4)]
    facts += [(name("person0"), name("age"), number("50")), (name("person1"), name("age"), number("7"))]
    facts += [(name("person1"), name("age"), number("9"))]
    store = store_of(facts, tmp_path / "index")
    by, age = (store.id(name(each)) for each in ("by", "age"))
    path = np.array([by, age], np.int64)
    assert [term.text for term in store.terms(store.argmax(path))] == ["film0", "film2"]
    assert [term.text for term in store.terms(store.argmin(path))] == ["film1", "film3"]
    some = store.ids([name("film1"), name("film3")])
    assert [term.text for term in store.terms(store.argmax(path, among=some))] == ["film1", "film3"]
    assert store.terms(store.argmax(np.array([by], np.int64))) == []
    assert [term.text for term in store.terms(store.compare(path, ">", number("8")))] == [
        "film0",
        "film1",
        "film2",
        "film3",
    ]
    assert [term.text for term in store.terms(store.compare(path, "<", number("8")))] == ["film1", "film3"]
