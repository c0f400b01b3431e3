"""SPARQL 1.1 as a language: SELECT and ASK with all that stands in them, read by a grammar (`sparql11.lark`).

The shape of a tree; labels are in small letters, or are those of operators and, in capitals, of functions:

| node | children |
| --- | --- |
| `select`, `select_distinct`, `select_reduced` | `project`, then as `ask` |
| `ask` | `where`, then what there is of `group_by`, `having`, `order_by`, `limit`, `offset`, `values`, `from`,
`from_named` |
| `project` | variables and `as`(expression, variable), or the one leaf `*` |
| `where`, `group`, `optional`, `minus` | elements |
| `union` | `group`s |
| `graph`, `service`, `service_silent` | the name, then elements |
| `triple` | subject, path, object |
| `filter` | expression |
| `bind` | expression, variable |
| `values` | `variables`, then `row`s of terms or `UNDEF` |
| `/`, `\\|`, `^`, `*`, `+`, `?`, `!` in a path | steps, alternatives, what is walked backwards, repeated or excluded |
| `\\|\\|`, `&&`, `!`, `=`, `<` … | operands; `in` and `not_in`: a value, then those it may be |
| `exists`, `not_exists` | elements |
| `COUNT`, `REGEX` … | arguments; `distinct`(e) for DISTINCT, `separator`(text) last; `call`: a function's IRI first |
| `order_by` | `asc`(e) and `desc`(e) |

A query within a query is a `select…` among the elements. A leaf is a variable `?x`, a whole IRI `<http://…>`, a literal
`"text"`, `"text"@en`, `"text"^^<iri>` in one quoting, a number as it was written, `true`, `false`, a blank node `_:b0`.
Lists of properties, `[ ]` and collections are spelled out as triples; `a` is the IRI of rdf:type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.languages.language import Language
from recombine.languages.literals import leaves_typed
from recombine.languages.sparql.anonymise_query import anonymise_query
from recombine.languages.sparql.normalise_query import normalise_query
from recombine.languages.sparql.read_query import read_query
from recombine.languages.sparql.typed_terms import name_kind, term_kind
from recombine.languages.sparql.write_query import write_query

if TYPE_CHECKING:
    from recombine.tree import Tree


def parse(text: str) -> Tree:
    """The tree of a query; what was let pass to read it is not said here but by `read_query`.

    >>> [child.label for child in parse("SELECT ?x { ?x wdt:P31 wd:Q5 } LIMIT 3").children]
    ['project', 'where', 'limit']
    """
    return read_query(text).tree


SPARQL11 = Language(
    "sparql11", parse, write_query, normalise_query, anonymise_query, leaves_typed(term_kind), leaves_typed(name_kind)
)
