"""A literal's text in another type: as it is where that type is written so, else the same value in its spelling."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from recombine.kb.embedded.literal_columns import NONE, NUMBERS, XSD, is_exact, literal_value, type_family

if TYPE_CHECKING:
    from recombine.models.kbqa.outputs.relation_types import ValueType

DATE, DATE_TIME = XSD + "date", XSD + "dateTime"
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)T00:00:00(?:\.0+)?")
_MOST_DIGITS = 400
"""More digits than any double has before or after its point."""


def kind_family(kind: ValueType) -> int:
    """The family of the values of a type; `NONE` where they have no order."""
    return NONE if kind.language else type_family(kind.datatype)


def family_of(text: str, kind: ValueType) -> int:
    """The family of the value that a text of a type is; `NONE` where it has no order or is not written so."""
    value = literal_value(text, kind.datatype, kind.language)
    return NONE if value is None else value.family


def is_written_so(text: str, kind: ValueType) -> bool:
    """Whether a text is one of a type: any text is, of a language, of none, and of a type that nothing is known of.

    >>> from recombine.models.kbqa.outputs.relation_types import ValueType
    >>> is_written_so("1999", ValueType(XSD + "gYear")), is_written_so("1999", ValueType(XSD + "date"))
    (True, False)
    """
    return not has_order(kind) or family_of(text, kind) != NONE


def has_order(kind: ValueType) -> bool:
    """Whether values of a type compare: numbers, moments, truth values, and plain texts."""
    return kind_family(kind) != NONE


def converted(text: str, kind: ValueType) -> str | None:
    """The same value as a type writes it; none where it has no such value.

    >>> from recombine.models.kbqa.outputs.relation_types import ValueType
    >>> converted("14.0", ValueType(XSD + "integer")), converted("2009-03-29", ValueType(DATE_TIME))
    ('14', '2009-03-29T00:00:00')
    """
    if kind.datatype in NUMBERS and is_exact(kind.datatype):
        return _exact(text, kind)
    if kind.datatype == DATE_TIME:
        made = f"{text}T00:00:00"
    elif kind.datatype == DATE:
        made = _MIDNIGHT.sub(r"\1", text)
    else:
        return None
    return made if is_written_so(made, kind) else None


def _exact(text: str, kind: ValueType) -> str | None:
    """A number without an exponent, and for a type of whole numbers without a fraction."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        return None
    whole = number.to_integral_value()
    made = f"{whole:f}" if whole == number else f"{number:f}"
    return made if is_written_so(made, kind) else None
