"""What a plug-in needs to add things, in one place: the registrations, and what they take.

    from recombine.extend import Language, register_language

Names are imported when they are asked for.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_HOMES = {
    "PROGRAM_STRUCTURES": "structures.definition",
    "Dataset": "records.dataset",
    "Derivation": "records.derivation",
    "Entry": "datasets.catalogue",
    "ErrorAnalysis": "evaluation.errors.known",
    "Example": "records.example",
    "Family": "models.family",
    "Generated": "datasets.generator",
    "Generator": "datasets.generator",
    "Language": "languages.language",
    "Matcher": "evaluation.match.matchers",
    "Option": "options",
    "OptionError": "errors",
    "ProgramError": "errors",
    "Query": "records.example",
    "Splitter": "splits.splitter",
    "StructureKind": "structures.kinds",
    "Tree": "tree",
    "WorldKind": "records.world",
    "counted_kind": "structures.counted_kind",
    "draw_parts": "splits.sizes",
    "make_generator": "seeds",
    "make_reference": "records.world",
    "option": "options",
    "read_model_file": "models.model_file",
    "register_dataset": "datasets.catalogue",
    "register_errors": "evaluation.errors.known",
    "register_generator": "datasets.generators",
    "register_language": "languages.known",
    "register_matcher": "evaluation.match.matchers",
    "register_measure": "measures.known",
    "register_model": "models.known",
    "register_notation": "grammars.find_grammar",
    "register_splitter": "splits.methods",
    "register_structures": "structures.kinds",
    "register_world": "records.world",
    "write_model_file": "models.model_file",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'recombine.extend' has no attribute {name!r}")
    return getattr(import_module(f"recombine.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
