"""The JSON results of SPARQL, read strictly: what is not of the form is an error, and never a row less.

https://www.w3.org/TR/sparql11-results-json/, and what Virtuoso writes: `typed-literal`, and an ASK as a table.
"""

from __future__ import annotations

from typing import Any

import orjson

from recombine.kb.base_names import named
from recombine.kb.store import Table
from recombine.kb.term import Term

_VIRTUOSO_ASK = ["__ASK_RETVAL"]
_PARTS = {
    "uri": {"type", "value"},
    "bnode": {"type", "value"},
    "literal": {"type", "value", "datatype", "xml:lang", "its:dir"},
    "typed-literal": {"type", "value", "datatype"},
}
"""What the value of each kind may have."""


class NotResultsError(ValueError):
    """The content is not in the form of results."""


def read_results(content: bytes, base: str) -> Table | bool:
    r"""The rows or the truth value that results hold.

    >>> read_results(b'{"head": {}, "boolean": true}', "")
    True
    >>> read_results(b'{"head": {"vars": ["x"]}, "results": {"bindings": [{}]}}', "")
    Table(variables=('x',), rows=[(None,)])
    """
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise NotResultsError(f"it is no whole JSON ({error})") from error
    head = _of_type(_of_type(value, dict, "the whole").get("head"), dict, "head")
    if "boolean" in value:
        if "results" in value:
            raise NotResultsError("it has both boolean and results")
        return bool(_of_type(value["boolean"], bool, "boolean"))
    variables = _of_type(head.get("vars"), list, "head.vars")
    if len({_of_type(name, str, "a variable") for name in variables}) < len(variables):
        raise NotResultsError("a variable stands twice in head.vars")
    bindings = _of_type(_of_type(value.get("results"), dict, "results").get("bindings"), list, "results.bindings")
    rows = [_row(binding, variables, place, base) for place, binding in enumerate(bindings, 1)]
    if variables == _VIRTUOSO_ASK:
        return _truth(rows)
    return Table(tuple(variables), rows)


def _truth(rows: list[tuple[Term | None, ...]]) -> bool:
    """Virtuoso's ASK: a row with 1 is true, no row is false."""
    if len(rows) > 1 or (rows and (rows[0][0] is None or rows[0][0].text not in ("0", "1"))):
        raise NotResultsError("an ASK is answered with neither 0 nor 1")
    return bool(rows) and rows[0] == (Term.literal("1", datatype="http://www.w3.org/2001/XMLSchema#integer"),)


def _row(binding: Any, variables: list[str], place: int, base: str) -> tuple[Term | None, ...]:
    bound = _of_type(binding, dict, f"row {place}")
    unknown = bound.keys() - set(variables)
    if unknown:
        raise NotResultsError(f"row {place} binds {sorted(unknown)[0]!r}, which head.vars does not have")
    return tuple(_term(bound[name], f"{name} of row {place}", base) if name in bound else None for name in variables)


def _term(value: Any, where: str, base: str) -> Term:
    parts = _of_type(value, dict, where)
    kind, text = parts.get("type"), parts.get("value")
    if kind not in _PARTS or parts.keys() - _PARTS[kind]:
        raise NotResultsError(f"{where} is of type {kind!r} with {', '.join(sorted(parts))}")
    if not isinstance(text, str):
        raise NotResultsError(f"{where} has no text for its value")
    if kind == "uri":
        if not text:
            raise NotResultsError(f"{where} is an empty IRI")
        return named(Term.iri(text), base)
    if kind == "bnode":
        return Term.blank(text)
    datatype, language = parts.get("datatype", ""), parts.get("xml:lang", "")
    if not isinstance(datatype, str) or not isinstance(language, str):
        raise NotResultsError(f"{where} has a type or a language that is no text")
    if kind == "typed-literal" and not datatype:
        raise NotResultsError(f"{where} is a typed literal without a type")
    return Term.literal(text, datatype=datatype, language=language)


def _of_type(value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, kind):
        raise NotResultsError(f"{where} is {type(value).__name__}, and should be {kind.__name__}")
    return value
