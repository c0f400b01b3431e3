"""Which literals compare with each other, by type and look: numbers, moments, times of day, truth values, texts.

The same as an embedded index tells of its literals, without reading values: what is not written as its type wants,
texts with a language, NaN and literals of other types have no order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.errors import FormError
from recombine.kb.term import LITERAL

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

XSD = "http://www.w3.org/2001/XMLSchema#"
NUMBER, MOMENT, TIME, BOOLEAN, TEXT = "number", "moment", "time", "boolean", "text"
_INTEGERS = (
    *("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger"),
    *("negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"),
)
_DECIMAL = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_FLOAT = rf"{_DECIMAL}(?:[eE][+-]?[0-9]+)?|[+-]?INF"
_YEAR, _MONTH, _DAY = r"-?[0-9]{4,6}", r"(?P<month>0[1-9]|1[0-2])", r"(?P<day>0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?|24:00:00(?:\.0+)?)"
_ZONE = r"(?P<zone>Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?"
_LOOKS = {
    **{XSD + name: (NUMBER, re.compile(r"[+-]?[0-9]+")) for name in _INTEGERS},
    XSD + "decimal": (NUMBER, re.compile(_DECIMAL)),
    **{XSD + name: (NUMBER, re.compile(_FLOAT)) for name in ("float", "double")},
    **{
        XSD + name: (MOMENT, re.compile(f"(?P<body>(?P<year>{_YEAR})-{_MONTH}-{_DAY}T{_CLOCK}){_ZONE}"))
        for name in ("dateTime", "dateTimeStamp")
    },
    XSD + "date": (MOMENT, re.compile(f"(?P<body>(?P<year>{_YEAR})-{_MONTH}-{_DAY}){_ZONE}")),
    XSD + "gYearMonth": (MOMENT, re.compile(f"(?P<body>(?P<year>{_YEAR})-{_MONTH}){_ZONE}")),
    XSD + "gYear": (MOMENT, re.compile(f"(?P<body>(?P<year>{_YEAR})){_ZONE}")),
    XSD + "time": (TIME, re.compile(f"(?P<body>{_CLOCK}){_ZONE}")),
    XSD + "boolean": (BOOLEAN, re.compile("true|false|1|0")),
}
BEGINS = {XSD + "date": "T00:00:00", XSD + "gYearMonth": "-01T00:00:00", XSD + "gYear": "-01-01T00:00:00"}
"""What makes of a date, month or year the date-time of its beginning."""
DAY = "1970-01-01T"
"""The day on which times of day are compared."""
_SHORT_MONTHS = ("04", "06", "09", "11")


def value_family(term: Term) -> str | None:
    """The family of a term, none where it has no order.

    >>> from recombine.kb.term import Term
    >>> value_family(Term.literal("5", datatype=XSD + "int")), value_family(Term.literal("five", datatype=XSD + "int"))
    ('number', None)
    """
    if term.kind != LITERAL or term.language:
        return None
    if not term.datatype:
        return TEXT
    family, look = _LOOKS.get(term.datatype, ("", None))
    match = look.fullmatch(term.text.strip(" \t\r\n")) if look is not None else None
    if match is None or (family == MOMENT and not _is_day(match)):
        return None
    return family


def is_unreadable(term: Term) -> bool:
    """Whether a literal is of a type whose values have an order, and has none: NaN, or not written as its type wants.

    >>> from recombine.kb.term import Term
    >>> is_unreadable(Term.literal("NaN", datatype=XSD + "float")), is_unreadable(Term.literal("Rom", language="de"))
    (True, False)
    """
    return term.kind == LITERAL and term.datatype in _LOOKS and value_family(term) is None


def ordered_family(term: Term, profile: Profile) -> str:
    """The family of a value that is compared with; one without order is refused."""
    family = value_family(term)
    if family is None:
        remedy = "compare with a number, date, time, truth value or text"
        raise FormError(f"{profile.show(term)} has no order to compare by", remedy)
    return family


def utc_moment(term: Term) -> str:
    """When a moment begins as a date-time with its time zone, UTC where it names none; a time of day is one of 1970.

    >>> from recombine.kb.term import Term
    >>> utc_moment(Term.literal("2009-03-29", datatype=XSD + "date"))
    '2009-03-29T00:00:00Z'
    """
    _, look = _LOOKS[term.datatype]
    match = look.fullmatch(term.text.strip(" \t\r\n"))
    if match is None:
        raise FormError(f"{term.text} is no value of {term.datatype}", "write it as its type wants")
    before = DAY if term.datatype == XSD + "time" else ""
    return f"{before}{match['body']}{BEGINS.get(term.datatype, '')}{match['zone'] or 'Z'}"


def _is_day(match: re.Match[str]) -> bool:
    """Whether the month has the day."""
    parts = match.groupdict()
    year, month, day = int(parts["year"]), parts.get("month"), parts.get("day") or "01"
    if abs(year) > 290_000:
        return False
    if month == "02":
        return int(day) <= (29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28)
    return day != "31" or month not in _SHORT_MONTHS
