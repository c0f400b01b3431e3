"""Numbers and dates in questions; the questions are GrailQA's, or small ones."""

from __future__ import annotations

import pytest

from recombine.kb.linking.find_literals import XSD, find_literals


def read(text: str) -> list[tuple[str, list[str]]]:
    return [
        (link.text, [f"{term.text} {term.datatype.removeprefix(XSD)}" for term in link.linked])
        for link in find_literals(text)
    ]


@pytest.mark.parametrize(
    ("text", "mention", "first"),
    [
        ("which streams have a bit rate of 39?", "39", "39 integer"),
        ("which meteorite has a mass of less than 2.3e+06?", "2.3e+06", "2.3e+06 float"),
        ("a maximum speed of 120.0?", "120.0", "120.0 float"),
        ("on 02/14/2011, which radio program", "02/14/2011", "2011-02-14 date"),
        ("rb2 added what song after 2008-05-01?", "2008-05-01", "2008-05-01 date"),
        ("After apr. the 2nd, 2009, which song", "apr. the 2nd, 2009", "2009-04-02 date"),
        ("born on March 29, 2009.", "March 29, 2009", "2009-03-29 date"),
        ("born on 29th of sept. 2009", "29th of sept. 2009", "2009-09-29 date"),
        ("born in may 2009", "may 2009", "2009-05 gYearMonth"),
        ("at 2009-03-29T10:30:00Z", "2009-03-29T10:30:00Z", "2009-03-29T10:30:00Z dateTime"),
        ("more than 1,234,567 people", "1,234,567", "1234567 integer"),
        ("below -5 degrees", "-5", "-5 integer"),
        ("it costs 20% more", "20", "20 integer"),
    ],
)
def test_one_literal(text: str, mention: str, first: str) -> None:
    (found,) = read(text)
    assert (found[0], found[1][0]) == (mention, first)
    assert text[find_literals(text)[0].start : find_literals(text)[0].end] == mention


def test_all_types_that_a_text_can_be_read_in() -> None:
    assert read("in 1999") == [("1999", ["1999 integer", "1999 gYear", "1999 float", "1999 double", "1999 decimal"])]
    assert read("in 999")[0][1][:2] == ["999 integer", "999 float"]
    assert read("of 1e3") == [("1e3", ["1e3 float", "1e3 double"])]
    assert read("5/1/2009") == [("5/1/2009", ["2009-05-01 date", "2009-05-01 dateTime"])]


@pytest.mark.parametrize(
    "text", ["rb2", "m.0c13h", "3d", "on 13/45/2009", "on february 30, 2009", "1/2", "v1.2.3", "a-5"]
)
def test_no_literal(text: str) -> None:
    assert read(text) == []


def test_several_from_left_to_right() -> None:
    assert [mention for mention, _ in read("between 3 and 4.5 in 2001, or 10?")] == ["3", "4.5", "2001", "10"]
