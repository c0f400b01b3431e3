"""What is let pass when a query is read: queries have it, and it is not SPARQL 1.1, or not what all stores take."""

from __future__ import annotations

LENIENCIES = {
    "and": "AND where && is meant",
    "as_inside": "COUNT(?x AS ?n) where (COUNT(?x) AS ?n) is meant",
    "bare_count": "a COUNT in the projection with no brackets around it, or no name; the name is made up then",
    "bare_expression": "another expression in the projection with no brackets around it, or no name",
    "bare_filter": "a FILTER whose condition has no brackets around it",
    "bare_order": "ASC ?x or DESC ?x where ASC(?x) is meant",
    "bracketed_variable": "(?x) in the projection where ?x is meant",
    "comma": "a comma in the projection",
    "datetime": "xsd:datetime where xsd:dateTime is meant, as WebQSP has it",
    "dotted_name": "a prefixed name with two dots or more, which is SPARQL 1.1 and which some stores refuse",
    "fence": "the query stands between fences of Markdown",
    "implicit_group": "an aggregate beside a plain variable and no GROUP BY, which is then by the plain variables",
    "is_literal": "the filter for literals of one language that WebQSP puts into each query; it stays in the tree",
    "loose_name": "a prefixed name with brackets, a comma or 's that are not escaped, as in dbr:Avatar_(film)",
    "or": "OR where || is meant",
    "placeholder": "ENTITY or LITERAL, as templates have them",
    "prose": "words before or after the fences, which are passed over",
    "same_name": "(COUNT(?x) AS ?x), which is given another name",
    "semicolon": "a semicolon after the query",
    "undeclared_prefix": "a well-known prefix, or one that the caller knows, that the query does not declare",
}
"""Each leniency with what it lets pass."""
