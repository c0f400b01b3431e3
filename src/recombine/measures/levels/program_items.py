"""The schema items and the template of a program in a language that is not about a knowledge base.

The template is the program with the details of one example (names, numbers, strings) as placeholders, as its language
says; the items are the symbols of the program that stay in the template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.measures.levels.items import Items

if TYPE_CHECKING:
    from recombine.languages.language import Language
    from recombine.tree import Tree


def program_items(tree: Tree, language: Language) -> tuple[Items, str]:
    """The symbols that stay, and the template.

    >>> from recombine.languages.known import find_language
    >>> funql = find_language("funql")
    >>> items, template = program_items(funql.parse("answer ( capital ( loc_2 ( m0 ) ) )"), funql)
    >>> sorted(items.names), template
    (['answer', 'capital', 'loc_2'], 'answer ( capital ( loc_2 ( ENTITY ) ) )')
    """
    normal = language.normalise(tree)
    masked = language.anonymise(normal)
    written = {node.label for node in normal.iter_nodes()}
    return Items(frozenset(node.label for node in masked.iter_nodes() if node.label in written)), language.render(
        masked
    )
