"""Programs of any number of levels, for every language that nests."""

from __future__ import annotations

from collections.abc import Callable


def _nested(before: str, inner: str, after: str, own: int) -> Callable[[int], str]:
    """The maker of programs with this inside itself; the inner part has so many levels of its own."""
    return lambda levels: before * (levels - own) + inner + after * (levels - own)


_SELECT = "select"
DEEP: dict[str, Callable[[int], str]] = {
    "brackets": _nested("(f ", "x", ")", 1),
    "cogs": _nested("LAMBDA a . ", "run . agent ( e , a )", "", 3),
    "covr": _nested("filter ( black , ", "find ( dog )", " )", 2),
    "functional": _nested("f ( ", "dog", " )", 1),
    "funql": _nested("largest ( ", "state", " )", 1),
    "json": _nested("[", "1", "]", 1),
    "lambda_calculus": _nested("( _not ", "( _flight $0 )", " )", 2),
    "lambda_dcs": _nested("( call size ", "en.block", " )", 1),
    "python": _nested("f(", "x", ")", 1),
    "scenes": _nested("filter ( red , ", "find ( dog )", " )", 2),
    "sexpression": _nested("(COUNT ", "film.film", ")", 1),
    "sparql11": lambda levels: f"ASK {{ FILTER ( {_nested('ABS ( ', '?x', ' )', 4)(levels)} ) }}",
    "sql": lambda levels: f"{_SELECT} {_nested('abs(', 'a', ')', 3)(levels)} from t",
    "top": _nested("[IN:A ", "x", " ]", 1),
    "thingtalk": _nested("sort age asc of ( ", "Person", " )", 1),
}
"""For each language that nests, the program of exactly so many levels, four or more."""

FLAT: dict[str, Callable[[int], str]] = {
    "actions": lambda size: " ".join(["I_JUMP"] * size),
    "text": lambda size: " ".join(["word"] * size),
    "sparql": lambda size: f"SELECT count ( * ) WHERE {{ M0 {'/'.join(['p'] * size)} M1 }}",
}
"""For each language whose trees are flat, the program of so many words or steps."""
