"""What names exclude each other, worked out from the file of the ontology alone."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

VALUES: dict[str, Any] = tomllib.loads(
    (files("recombine.scenes.synthetic") / "ontology.toml").read_text(encoding="utf-8")
)
TYPES = {attribute: kind for kind, listed in VALUES["attributes"].items() for attribute in listed}


def _nouns_above(noun: str) -> set[str]:
    """A noun, its synonyms, and wider words with theirs."""
    noun = VALUES["nouns"][noun].get("same", noun)
    same = {name for name, entry in VALUES["nouns"].items() if entry.get("same") == noun}
    parent = VALUES["nouns"][noun].get("parent")
    return {noun} | same | (_nouns_above(parent) if parent else set())


def _relations_above(relation: str) -> list[str]:
    parent = VALUES["relations"][relation].get("parent")
    return [relation, *(_relations_above(parent) if parent else [])]


def excludes(label: str, asked: str, seen: str) -> bool:
    """Whether what is seen at a node rules out what is asked there."""
    if asked == seen or label.endswith("_mod"):
        return False
    if label.endswith("_name"):
        return asked not in _nouns_above(seen) and seen not in _nouns_above(asked)
    if label.endswith("_attr"):
        return TYPES[asked] == TYPES[seen]
    wider = _relations_above(asked)
    if seen in wider or asked in _relations_above(seen):
        return False
    said = {name for above in _relations_above(seen) for name in VALUES["relations"][above].get("excludes", ())}
    return bool(said & set(wider))
