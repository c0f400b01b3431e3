"""Recombine: builds, measures and explains train/test splits for compositional generalization.

The public surface is the list `__all__`. Importing the package is quick: what a name needs is imported when it is used.
"""

from __future__ import annotations

from importlib import import_module

from recombine.version import __version__

TYPE_CHECKING = False  # `typing` is not imported for it: an interrupt at the start finds the command line sooner
if TYPE_CHECKING:
    import builtins
    from typing import Any

    from recombine.easiness.predict_difficulty import predict_difficulty
    from recombine.errors import RecombineError
    from recombine.grammars.terms.grammar import Grammar
    from recombine.grammars.terms.read_grammar import packaged_grammar, parse_grammar, read_grammar
    from recombine.measures.divergence import chernoff
    from recombine.pages.splits.build_report import build_report
    from recombine.plugins import load_plugin
    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation
    from recombine.records.example import Example
    from recombine.records.signature import Signature
    from recombine.records.split import Split
    from recombine.selection.select_examples import select_examples
    from recombine.structures.definition import Structures
    from recombine.structures.features import Features
    from recombine.workbench import (
        check,
        compare,
        difficulty,
        features,
        generate,
        induce,
        list,
        load,
        load_split,
        measure,
        predict,
        report,
        score,
        select,
        show,
        split,
        study,
        train,
    )

__all__ = [
    "Dataset",
    "Derivation",
    "Example",
    "Features",
    "Grammar",
    "RecombineError",
    "Signature",
    "Split",
    "Structures",
    "__version__",
    "build_report",
    "check",
    "chernoff",
    "compare",
    "difficulty",
    "features",
    "generate",
    "induce",
    "list",
    "load",
    "load_plugin",
    "load_split",
    "measure",
    "packaged_grammar",
    "parse_grammar",
    "predict",
    "predict_difficulty",
    "read_grammar",
    "report",
    "score",
    "select",
    "select_examples",
    "show",
    "split",
    "study",
    "train",
]

_HOMES = {
    "Dataset": "records.dataset",
    "Derivation": "records.derivation",
    "Example": "records.example",
    "Features": "structures.features",
    "Grammar": "grammars.terms.grammar",
    "RecombineError": "errors",
    "Signature": "records.signature",
    "Split": "records.split",
    "Structures": "structures.definition",
    "build_report": "pages.splits.build_report",
    "check": "workbench",
    "chernoff": "measures.divergence",
    "compare": "workbench",
    "difficulty": "workbench",
    "features": "workbench",
    "generate": "workbench",
    "induce": "workbench",
    "list": "workbench",
    "load": "workbench",
    "load_plugin": "plugins",
    "load_split": "workbench",
    "measure": "workbench",
    "packaged_grammar": "grammars.terms.read_grammar",
    "parse_grammar": "grammars.terms.read_grammar",
    "predict": "workbench",
    "predict_difficulty": "easiness.predict_difficulty",
    "read_grammar": "grammars.terms.read_grammar",
    "report": "workbench",
    "score": "workbench",
    "select": "workbench",
    "select_examples": "selection.select_examples",
    "show": "workbench",
    "split": "workbench",
    "study": "workbench",
    "train": "workbench",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'recombine' has no attribute {name!r}")
    return getattr(import_module(f"recombine.{_HOMES[name]}"), name)


def __dir__() -> builtins.list[str]:
    return __all__
