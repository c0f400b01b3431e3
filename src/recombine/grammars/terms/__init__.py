"""Grammars whose rules are functions over terms (`.grammar` files), as SCAN's."""
