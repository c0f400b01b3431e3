"""The one spelling of a literal's value: quotes, spellings of a number and the time zone of a date do not count.

Types that XSD derives from integer are one. A float, double or decimal is its value within its type, a boolean is true
or false, and a date, time or part of a date loses its time zone: GrailQA's queries add one to every date. A literal
without a type is a string. Values of other types, and those that are not written as their type wants, stay as they are.
"""

from __future__ import annotations

import re

from recombine.kb.term import LITERAL, Term

XSD = "http://www.w3.org/2001/XMLSchema#"
_INTEGERS = re.compile(
    "integer|int|long|short|byte|nonNegativeInteger|nonPositiveInteger|positiveInteger|negativeInteger|"
    "unsigned(?:Int|Long|Short|Byte)"
)
_DATES = re.compile("date|dateTime|dateTimeStamp|time|gYear|gYearMonth|gMonth|gMonthDay|gDay")
_ZONE = re.compile(r"(?:Z|[+-]\d\d:\d\d)\Z")
_INTEGER = re.compile(r"([+-]?)0*(\d+)")
_DECIMAL = re.compile(r"([+-]?)0*(\d*)(?:\.(\d*?)0*)?")
_FLOAT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NOT_FINITE = {"INF": "INF", "+INF": "INF", "-INF": "-INF", "NaN": "NaN"}
_BOOLEANS = {"1": "true", "0": "false"}


def literal_value(term: Term) -> Term:
    """The literal in the one spelling of its value.

    >>> literal_value(Term.literal("2.30e+06", datatype=XSD + "float")).text
    '2300000.0'
    >>> literal_value(Term.literal("2009-03-29-08:00", datatype=XSD + "date")).text
    '2009-03-29'
    """
    if not term.datatype.startswith(XSD):
        return term
    name = term.datatype[len(XSD) :]
    if _INTEGERS.fullmatch(name):
        return Term(LITERAL, _integer(term.text), XSD + "integer")
    if name in ("float", "double"):
        return Term(LITERAL, _float(term.text), term.datatype)
    if name == "decimal":
        return Term(LITERAL, _decimal(term.text), term.datatype)
    if name == "boolean":
        return Term(LITERAL, _BOOLEANS.get(term.text, term.text), term.datatype)
    if _DATES.fullmatch(name):
        return Term(LITERAL, _ZONE.sub("", term.text), term.datatype)
    return term


def _integer(text: str) -> str:
    match = _INTEGER.fullmatch(text.strip())
    if match is None:
        return text
    return "-" + match[2] if match[1] == "-" and match[2] != "0" else match[2]


def _decimal(text: str) -> str:
    match = _DECIMAL.fullmatch(text.strip())
    if match is None or not (match[2] or match[3] or "0" in text):
        return text
    value = f"{match[2] or '0'}.{match[3] or '0'}"
    return "-" + value if match[1] == "-" and value != "0.0" else value


def _float(text: str) -> str:
    text = text.strip()
    if text in _NOT_FINITE:
        return _NOT_FINITE[text]
    if not _FLOAT.fullmatch(text):
        return text
    return repr(float(text) + 0.0).replace("inf", "INF")
