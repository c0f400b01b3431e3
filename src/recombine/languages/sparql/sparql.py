"""SPARQL as the CFQ data writes it: text to tree and back, in both of its surface forms.

The shape of a tree:

| node | children |
| --- | --- |
| `select_count` | `where` |
| `select_distinct` | the variables asked for, then `where` |
| `where` | one or more clauses: `clause` or `!=` |
| `clause` | subject, path, object |
| `!=` (a FILTER) | the two terms that differ |
| `\\|` in a path | two or more alternatives |
| `/` in a path | two or more steps, done one after the other |
| `^` in a path | the property that is walked backwards |

All else is a leaf spelled as in the text: `?x0`, `M1`, `m_02zsn`, `ns:film.actor`, `a`. The sub-tree of depth 2 at a
`clause` holds a whole triple of plain properties. The text of a tree has one blank between tokens and none in a path.

Not read: brackets or blanks inside a path, other filters, OPTIONAL, UNION, ORDER BY, full IRIs, literals. Words of the
language are known in either case and written as CFQ writes them; a full stop before `}` is accepted and not kept.
"""

from __future__ import annotations

import re
from functools import lru_cache

from recombine.errors import ProgramError
from recombine.languages.language import Language
from recombine.languages.literals import ENTITY, leaves_typed
from recombine.languages.sparql.variables import renumbered
from recombine.tree import Tree

NAME = "sparql"
# A word is a term or a whole path. A full stop belongs to it only where a letter follows, so "M1 ." and "M1." agree.
_TOKEN = re.compile(r"!=|\^?[\w?](?:[\w:/|^]|\.(?=\w))*|\S")
_STEP = r"\^?[A-Za-z](?:[\w:]|\.(?=\w))*"
_PATH = re.compile(rf"{_STEP}(?:[/|]{_STEP})*")
_TERM = re.compile(r"(?:\?\w|[A-Za-z])(?:[\w:]|\.(?=\w))*")
_VARIABLE = re.compile(r"\?\w+")
_ENTITY = re.compile(r"M\d+|m_\w+|(?:ns:)?m\.\w+")
_RESERVED = frozenset({"SELECT", "COUNT", "DISTINCT", "WHERE", "FILTER"})


class _RefusedError(Exception):
    """What is wrong with the token at a place; becomes a `ProgramError` once its position is looked up."""

    def __init__(self, index: int, problem: str, remedy: str) -> None:
        self.index, self.problem, self.remedy = index, problem, remedy


def parse(text: str) -> Tree:
    """Read a query.

    >>> parse("SELECT DISTINCT ?x0 WHERE { ?x0 film.film.sequel|ns:film.film.prequel M1 }").children[1].children[0]
    Tree(label='clause', children=(Tree(label='?x0', children=()), Tree(label='|', children=(Tree(label=...
    """
    tokens = _TOKEN.findall(text)
    if not tokens:
        raise ProgramError(NAME, 0, "an empty program", "leave the example out")
    tokens.append("")
    try:
        return _query(tokens)
    except _RefusedError as refused:
        starts = [match.start() for match in _TOKEN.finditer(text)]
        position = starts[refused.index] if refused.index < len(starts) else len(text.rstrip())
        raise ProgramError(NAME, position, refused.problem, refused.remedy) from None


def _query(tokens: list[str]) -> Tree:
    _expect(tokens, 0, "SELECT")
    heads: list[Tree] = []
    if tokens[1].upper() == "COUNT":
        label, at = "select_count", 5
        for index, token in enumerate("(*)", start=2):
            _expect(tokens, index, token)
    else:
        _expect(tokens, 1, "DISTINCT", "SELECT is followed by `count ( * )` or `DISTINCT`")
        label, at = "select_distinct", 2
        while _VARIABLE.fullmatch(tokens[at]):
            heads.append(_leaf(tokens[at]))
            at += 1
        if not heads:
            raise _RefusedError(at, _found(tokens[at], "a variable"), "name what is asked for, such as ?x0")
    _expect(tokens, at, "WHERE")
    _expect(tokens, at + 1, "{")
    clauses, at = _clauses(tokens, at + 2)
    if tokens[at]:
        raise _RefusedError(at, f"{tokens[at]!r} after the end of the program", "remove it")
    return Tree(label, (*heads, Tree("where", clauses)))


def _clauses(tokens: list[str], at: int) -> tuple[tuple[Tree, ...], int]:
    """The clauses up to the closing bracket, and where the text goes on after it."""
    clauses: list[Tree] = []
    while True:
        if tokens[at].upper() == "FILTER":
            _expect(tokens, at + 1, "(")
            left = _term(tokens, at + 2)
            _expect(tokens, at + 3, "!=")
            right = _term(tokens, at + 4)
            _expect(tokens, at + 5, ")")
            clauses.append(Tree("!=", (left, right)))
            at += 6
        else:
            subject, path = _term(tokens, at), _path(tokens, at + 1)
            clauses.append(Tree("clause", (subject, path, _term(tokens, at + 2))))
            at += 3
        if tokens[at] == ".":
            at += 1
            if tokens[at] != "}":
                continue
        _expect(tokens, at, "}", "divide clauses by ` . ` and close the bracket after the last")
        return tuple(clauses), at + 1


def _expect(tokens: list[str], index: int, wanted: str, remedy: str = "") -> None:
    index = min(index, len(tokens) - 1)
    if tokens[index] != wanted and tokens[index].upper() != wanted:
        raise _RefusedError(index, _found(tokens[index], f"`{wanted}`"), remedy or f"write `{wanted}` here")


def _found(token: str, wanted: str) -> str:
    return f"{token!r} where {wanted} is needed" if token else f"the program ends where {wanted} is needed"


def _term(tokens: list[str], index: int) -> Tree:
    index = min(index, len(tokens) - 1)
    leaf = _read_term(tokens[index])
    if leaf is None:
        raise _RefusedError(
            index, _found(tokens[index], "a variable or a name"), "a clause is `subject property object`"
        )
    return leaf


def _path(tokens: list[str], index: int) -> Tree:
    index = min(index, len(tokens) - 1)
    path = _read_path(tokens[index])
    if path is None:
        raise _RefusedError(
            index, _found(tokens[index], "a property or a path"), "write paths as `a/b|c/d`, with no blanks"
        )
    return path


@lru_cache(maxsize=1 << 14)
def _leaf(label: str) -> Tree:
    return Tree(label)


@lru_cache(maxsize=1 << 14)
def _read_term(token: str) -> Tree | None:
    good = _TERM.fullmatch(token) and token.upper() not in _RESERVED
    return _leaf(token) if good else None


@lru_cache(maxsize=1 << 14)
def _read_path(token: str) -> Tree | None:
    if not _PATH.fullmatch(token) or token.upper() in _RESERVED:
        return None
    return _joined("|", [_joined("/", [_step(step) for step in way.split("/")]) for way in token.split("|")])


def _step(text: str) -> Tree:
    return Tree("^", (_leaf(text[1:]),)) if text.startswith("^") else _leaf(text)


def _joined(operator: str, parts: list[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 else Tree(operator, tuple(parts))


def render(tree: Tree) -> str:
    """Write a query, in the spacing of CFQ's TSV files.

    >>> render(parse("SELECT count(*) WHERE {\\nM0 ns:film.film.sequel ?x0\\n}"))
    'SELECT count ( * ) WHERE { M0 ns:film.film.sequel ?x0 }'
    """
    *heads, where = tree.children
    asked = "count ( * )" if tree.label == "select_count" else f"DISTINCT {' '.join(head.label for head in heads)}"
    return f"SELECT {asked} WHERE {{ {' . '.join(map(render_clause, where.children))} }}"


def render_clause(clause: Tree) -> str:
    """Write one triple or FILTER."""
    if clause.label == "!=":
        return f"FILTER ( {clause.children[0].label} != {clause.children[1].label} )"
    subject, path, target = clause.children
    return f"{subject.label} {render_path(path)} {target.label}"


def render_path(path: Tree) -> str:
    """Write a property or a path."""
    if path.label == "^" and path.children:
        return f"^{path.children[0].label}"
    return path.label.join(map(render_path, path.children)) if path.children else path.label


def normalise(tree: Tree) -> Tree:
    """Give queries that ask the same, for trivial reasons, one tree.

    Merged are, and nothing else: the two surface forms (`ns:film.film` and `film.film`, `ns:m.02zsn` and `m_02zsn`);
    the order of clauses; a repeated clause; the order of a FILTER's two terms; the order of a path's
    alternatives; the names of variables, as far as one can be renamed into the other (`variables.py`). A clause
    that is repeated changes no answer; it could change the number that `count ( * )` gives, which CFQ only ever
    compares with nought.

    >>> render(normalise(parse("SELECT count(*) WHERE { M1 ns:film.film.sequel ?x3 . FILTER ( M1 != ?x3 ) }")))
    'SELECT count ( * ) WHERE { FILTER ( ?x0 != M1 ) . M1 film.film.sequel ?x0 }'
    """
    return renumbered(tree.mapped(_respelled), order=_ordered)


def _respelled(node: Tree) -> Tree:
    if node.label == "|":
        return Tree("|", tuple(sorted(node.children, key=render_path)))
    if node.children:
        return node
    name = node.label.removeprefix("ns:")
    return _leaf(f"m_{name[2:]}" if name.startswith("m.") else name)


def _ordered(tree: Tree) -> Tree:
    """The same query with its clauses as a sorted set and the terms of each FILTER sorted."""
    *heads, where = tree.children
    clauses = {
        Tree("!=", tuple(sorted(clause.children, key=_label))) if clause.label == "!=" else clause
        for clause in where.children
    }
    return Tree(tree.label, (*heads, Tree("where", tuple(sorted(clauses, key=render_clause)))))


def _label(tree: Tree) -> str:
    return tree.label


def anonymise(tree: Tree) -> Tree:
    """Replace entities by ENTITY and properties, with the whole of a path, by PROPERTY: CFQ's query pattern.

    The property `a` (is of type) and the names of types stay; so do variables.

    >>> render(anonymise(parse("SELECT count ( * ) WHERE { M0 a film.actor . M0 people.person.gender m_02zsn }")))
    'SELECT count ( * ) WHERE { ENTITY a film.actor . ENTITY PROPERTY ENTITY }'
    """
    *heads, where = tree.children
    return Tree(tree.label, (*heads, Tree("where", tuple(map(_anonymous_clause, where.children)))))


def _anonymous_clause(clause: Tree) -> Tree:
    if clause.label == "!=":
        return Tree("!=", tuple(map(_anonymous_term, clause.children)))
    subject, path, target = clause.children
    kept = path if path.label == "a" else _leaf("PROPERTY")
    return Tree("clause", (_anonymous_term(subject), kept, _anonymous_term(target)))


def _anonymous_term(term: Tree) -> Tree:
    return _leaf("ENTITY") if _ENTITY.fullmatch(term.label) else term


def _identifier_kind(label: str) -> str | None:
    return ENTITY if label.startswith(("m_", "m.", "g_", "g.")) else None


def _name_kind(label: str) -> str | None:
    if "." not in label or _identifier_kind(label):
        return None
    return "<relation>" if label.count(".") > 1 else "<class>"


SPARQL = Language(NAME, parse, render, normalise, anonymise, leaves_typed(_identifier_kind), leaves_typed(_name_kind))
