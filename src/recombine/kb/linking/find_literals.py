"""Numbers and dates in a question, each with the literals that its text can be read as.

Read are whole numbers, decimals, powers of ten (`2.3e+06`), thousands with commas, dates as `2009-03-29`, `03/29/2009`
(the month first, as in GrailQA), `march 29, 2009`, `29 mar 2009`, `apr. the 2nd, 2009`, `april 2009`, and years. A text
does not say its type: `2009` is an integer, a float, and a year. Number words (`three`) and units are not read.
"""

from __future__ import annotations

import re
from calendar import month_name, monthrange

from recombine.kb.linking.link import LITERAL, Link, ScoredTerm
from recombine.kb.term import Term

XSD = "http://www.w3.org/2001/XMLSchema#"
_MONTHS = {name[:3].lower(): number for number, name in enumerate(month_name) if name}
_MONTH = "|".join(
    f"{name[:3]}(?:{name[3:]}|\\.|t\\.)?" if len(name) > 3 else name for name in map(str, month_name) if name
)
_DAY = r"(?:the\s+)?(?P<{day}>\d{{1,2}})(?:st|nd|rd|th)?"
_PATTERNS = (
    r"(?P<moment>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)",
    r"(?P<year1>\d{4})-(?P<month1>\d{2})-(?P<day1>\d{2})",
    r"(?P<month2>\d{1,2})/(?P<day2>\d{1,2})/(?P<year2>\d{4})",
    rf"(?P<month3>{_MONTH})\s+{_DAY.format(day='day3')},?\s+(?P<year3>\d{{4}})",
    rf"{_DAY.format(day='day4')}\s+(?:of\s+)?(?P<month4>{_MONTH}),?\s+(?P<year4>\d{{4}})",
    rf"(?P<month5>{_MONTH}),?\s+(?P<year5>\d{{4}})",
    r"(?P<thousands>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?)",
    r"(?P<number>-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)",
)
_LITERAL = re.compile(r"(?<![\w.,/])(?<!\w[-:'’])(?:" + "|".join(_PATTERNS) + r")(?![\w/]|[-.,:]\w)", re.IGNORECASE)
_FIRST_YEAR, _LAST_YEAR = 1000, 2199
"""Four digits in this range may be a year."""


def find_literals(text: str) -> list[Link]:
    """The literals that a text mentions, from left to right.

    >>> [(link.text, link.term.text) for link in find_literals("songs added after 03/29/2009 of 1,000 in RB2")]
    [('03/29/2009', '2009-03-29'), ('1,000', '1000')]
    """
    links = []
    for match in _LITERAL.finditer(text):
        terms = _readings(match)
        if terms:
            scored = tuple(ScoredTerm(term, 1.0 / place) for place, term in enumerate(terms, 1))
            links.append(Link(match.start(), match.end(), match[0], scored, len(scored), LITERAL))
    return links


def _readings(match: re.Match[str]) -> list[Term]:
    """The literals that a text can be read as, the likelier first; none for a date that no calendar has."""
    if match["moment"] is not None:
        return [_typed(match["moment"].upper(), "dateTime")]
    for way in range(1, 6):
        if match[f"year{way}"] is not None:
            return _dates(match[f"year{way}"], match[f"month{way}"], match[f"day{way}"] if way < 5 else None)
    if match["thousands"] is not None:
        return _numbers(match["thousands"].replace(",", ""))
    return _numbers(match["number"])


def _dates(year: str, month: str, day: str | None) -> list[Term]:
    number = int(month) if month.isdigit() else _MONTHS[month[:3].lower()]
    if not 1 <= number <= 12 or int(year) == 0:
        return []
    if day is None:
        return [_typed(f"{year}-{number:02d}", "gYearMonth")]
    if not 1 <= int(day) <= monthrange(int(year), number)[1]:
        return []
    date = f"{year}-{number:02d}-{int(day):02d}"
    return [_typed(date, "date"), _typed(date, "dateTime")]


def _numbers(text: str) -> list[Term]:
    fractions = [_typed(text, name) for name in ("float", "double")]
    if "e" not in text.lower():
        fractions.append(_typed(text, "decimal"))
    if not text.lstrip("-").isdigit():
        return fractions
    years = [_typed(text, "gYear")] if len(text) == 4 and _FIRST_YEAR <= int(text) <= _LAST_YEAR else []
    return [_typed(text, "integer"), *years, *fractions]


def _typed(text: str, name: str) -> Term:
    return Term.literal(text, datatype=XSD + name)
