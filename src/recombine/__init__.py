"""Recombine: builds, measures and explains train/test splits for compositional generalization.

The public surface is the list `__all__`. Importing the package is quick: what a name needs is imported when it is used.
"""

from __future__ import annotations

from importlib import import_module
from os import listdir

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
    from recombine.workbench import annotate_agreement as annotate_agreement
    from recombine.workbench import annotate_backup as annotate_backup
    from recombine.workbench import annotate_export as annotate_export
    from recombine.workbench import annotate_forget as annotate_forget
    from recombine.workbench import annotate_import as annotate_import
    from recombine.workbench import annotate_new as annotate_new
    from recombine.workbench import annotate_serve as annotate_serve
    from recombine.workbench import annotate_status as annotate_status
    from recombine.workbench import annotate_workers as annotate_workers
    from recombine.workbench import cache_clear as cache_clear
    from recombine.workbench import cache_info as cache_info
    from recombine.workbench import cfq_info as cfq_info
    from recombine.workbench import cfq_page as cfq_page
    from recombine.workbench import check as check
    from recombine.workbench import compare as compare
    from recombine.workbench import difficulty as difficulty
    from recombine.workbench import download as download
    from recombine.workbench import features as features
    from recombine.workbench import generalization_page as generalization_page
    from recombine.workbench import generalization_score as generalization_score
    from recombine.workbench import generate as generate
    from recombine.workbench import induce as induce
    from recombine.workbench import kb_answers as kb_answers
    from recombine.workbench import kb_build as kb_build
    from recombine.workbench import kb_candidates as kb_candidates
    from recombine.workbench import kb_check as kb_check
    from recombine.workbench import kb_convert as kb_convert
    from recombine.workbench import kb_info as kb_info
    from recombine.workbench import kb_link as kb_link
    from recombine.workbench import kb_match as kb_match
    from recombine.workbench import kb_query as kb_query
    from recombine.workbench import kb_table as kb_table
    from recombine.workbench import kb_tasks as kb_tasks
    from recombine.workbench import kb_world as kb_world
    from recombine.workbench import kbqa_info as kbqa_info
    from recombine.workbench import kbqa_page as kbqa_page
    from recombine.workbench import kbqa_results as kbqa_results
    from recombine.workbench import levels as levels
    from recombine.workbench import list as list
    from recombine.workbench import load as load
    from recombine.workbench import load_split as load_split
    from recombine.workbench import measure as measure
    from recombine.workbench import parse as parse
    from recombine.workbench import predict as predict
    from recombine.workbench import prompt as prompt
    from recombine.workbench import report as report
    from recombine.workbench import rules_check as rules_check
    from recombine.workbench import sample as sample
    from recombine.workbench import scenes_exclusion as scenes_exclusion
    from recombine.workbench import scenes_hand_off as scenes_hand_off
    from recombine.workbench import scenes_info as scenes_info
    from recombine.workbench import scenes_name_pairs as scenes_name_pairs
    from recombine.workbench import scenes_page as scenes_page
    from recombine.workbench import scenes_prompts as scenes_prompts
    from recombine.workbench import score as score
    from recombine.workbench import select as select
    from recombine.workbench import show as show
    from recombine.workbench import split as split
    from recombine.workbench import study as study
    from recombine.workbench import train as train
    from recombine.workbench import warm_up as warm_up

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
    "chernoff": "measures.divergence",
    "load_plugin": "plugins",
    "load_split": "workbench",
    "packaged_grammar": "grammars.terms.read_grammar",
    "parse_grammar": "grammars.terms.read_grammar",
    "predict_difficulty": "easiness.predict_difficulty",
    "read_grammar": "grammars.terms.read_grammar",
    "select_examples": "selection.select_examples",
}


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
    "chernoff",
    "load_plugin",
    "load_split",
    "packaged_grammar",
    "parse_grammar",
    "predict_difficulty",
    "read_grammar",
    "select_examples",
]
# A module of the workbench is a verb, but for what all of them share.
_VERBS = {name[:-3] for name in listdir(f"{__path__[0]}/workbench") if name.endswith(".py")}  # noqa: PTH208  # light
__all__ += sorted(_VERBS - {"__init__", "demo", "verb"})
__all__.sort()


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'recombine' has no attribute {name!r}")
    return getattr(import_module(f"recombine.{_HOMES.get(name, 'workbench')}"), name)


def __dir__() -> builtins.list[str]:
    return __all__
