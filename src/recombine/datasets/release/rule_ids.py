"""Rules as the release names them, `{"type": "GRAMMAR_RULE", "stringValue": "S=YNQ"}`, and as derivations do.

In a derivation a rule is one name, which says its kind: a rule of the grammar is named by its text, any other has its
kind in front (`knowledge:FilmDirector`), and what an interpretation does is in double brackets. App. A of the CFQ paper
shows three types; its name for rules of inference is not known, and ours is INFERENCE_RULE. A type that is not in the
table is kept as it is (`type:SAMPLING:x`), and so is a text that looks like a name of another kind.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from recombine.errors import DerivationError

GRAMMAR, INTERPRETATION = "GRAMMAR_RULE", "INTERPRETATION"
KINDS = {"KNOWLEDGE": "knowledge", "SPARQL_GENERATION": "resolution", "INFERENCE_RULE": "inference"}
"""The kind of each type of the release that is marked in names."""
_TYPES = {kind: name for name, kind in KINDS.items()}
_OTHER = "type"


def rule_name(rule_type: str, text: str) -> str:
    """The name of a rule in derivations.

    >>> rule_name("GRAMMAR_RULE", "S=YNQ"), rule_name("SPARQL_GENERATION", "ENTITY_MID")
    ('S=YNQ', 'resolution:ENTITY_MID')
    """
    plain = f"{KINDS[rule_type]}:{text}" if rule_type in KINDS else text
    name = plain if rule_id(plain) == (rule_type, text) else f"{_OTHER}:{rule_type}:{text}"
    if rule_id(name) != (rule_type, text):
        raise DerivationError(f"the type of a rule, {rule_type!r}, has a colon", "rename it")
    return name


def rule_id(name: str) -> tuple[str, str]:
    """The type and the text of a rule, as the release has them.

    >>> rule_id("knowledge:FilmDirector"), rule_id("type:SAMPLING:x"), rule_id("[[V twice]]")
    (('KNOWLEDGE', 'FilmDirector'), ('SAMPLING', 'x'), ('INTERPRETATION', '[[V twice]]'))
    """
    if name.startswith("[["):
        return INTERPRETATION, name
    kind, _, text = name.partition(":")
    if kind in _TYPES and text:
        return _TYPES[kind], text
    rule_type, colon, text = text.partition(":")
    return (rule_type, text) if kind == _OTHER and colon else (GRAMMAR, name)


def read_rule_id(value: Any) -> str:
    """The name of a rule that a file gives by type and text."""
    if not isinstance(value, dict):
        raise DerivationError("a rule id is not a JSON object", 'write it as {"type": …, "stringValue": …}')
    rule_type, text = value.get("type"), value.get("stringValue")
    if not isinstance(rule_type, str) or not isinstance(text, str):
        raise DerivationError("a rule id lacks its type or its stringValue, or they are no texts", "mend it")
    return _known_name(rule_type, text)


def to_rule_id(name: str) -> dict[str, str]:
    """A rule as the release names it; a name that would be read as another is refused."""
    rule_type, text = rule_id(name)
    if rule_name(rule_type, text) != name:
        raise DerivationError(f"the rule {name!r} would be read as {rule_name(rule_type, text)!r}", "rename it")
    return {"type": rule_type, "stringValue": text}


@lru_cache(maxsize=1 << 14)
def _known_name(rule_type: str, text: str) -> str:
    # One text for each rule, however many examples it is in: a data set holds millions of applications of few rules.
    return rule_name(rule_type, text)
