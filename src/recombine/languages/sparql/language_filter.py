"""The filter that WebQSP and ComplexWebQuestions put into queries: no literal, or one without a language or in English.

It stands for the language that people read, not for anything that a question asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.tree import Tree


def is_language_filter(condition: Tree) -> bool:
    """Whether a condition is `!isLiteral(?x) || lang(?x) = "" || langMatches(lang(?x), "en")`, in any language.

    >>> from recombine.languages.sparql.read_query import read_query
    >>> text = "ASK { FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en')) }"
    >>> is_language_filter(read_query(text).tree.children[0].children[0].children[0])
    True
    """
    if condition.label != "||" or [child.label for child in condition.children] != ["!", "=", "LANGMATCHES"]:
        return False
    no_literal, no_language, in_language = (child.children[0] for child in condition.children)
    languages = [child.children[1].label for child in condition.children[1:]]
    return (
        no_literal.label == "ISLITERAL"
        and no_literal.children[0].label[0] == "?"
        and no_language.label == in_language.label == "LANG"
        and no_literal.children == no_language.children == in_language.children
        and languages[0] == '""'
        and languages[1][0] == '"'
    )
