"""The workbench: the verbs of the command line as functions, for notebooks and programs.

Each verb is the function of its name, in a module of its name; a module that is added is a verb that is added. One is
imported when it is asked for. A name of this room is the function, whatever has been imported before or after: the
module of that name, which the import system would put there, is not.
"""

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:  # what is found below, for editors and type checkers
    import builtins

    from recombine.workbench.annotate_agreement import annotate_agreement as annotate_agreement
    from recombine.workbench.annotate_backup import annotate_backup as annotate_backup
    from recombine.workbench.annotate_export import annotate_export as annotate_export
    from recombine.workbench.annotate_forget import annotate_forget as annotate_forget
    from recombine.workbench.annotate_import import annotate_import as annotate_import
    from recombine.workbench.annotate_new import annotate_new as annotate_new
    from recombine.workbench.annotate_serve import annotate_serve as annotate_serve
    from recombine.workbench.annotate_status import annotate_status as annotate_status
    from recombine.workbench.annotate_workers import annotate_workers as annotate_workers
    from recombine.workbench.cache_clear import cache_clear as cache_clear
    from recombine.workbench.cache_info import cache_info as cache_info
    from recombine.workbench.cfq_info import cfq_info as cfq_info
    from recombine.workbench.cfq_page import cfq_page as cfq_page
    from recombine.workbench.check import check as check
    from recombine.workbench.compare import compare as compare
    from recombine.workbench.demo import demo as demo
    from recombine.workbench.difficulty import difficulty as difficulty
    from recombine.workbench.download import download as download
    from recombine.workbench.features import features as features
    from recombine.workbench.generalization_page import generalization_page as generalization_page
    from recombine.workbench.generalization_score import generalization_score as generalization_score
    from recombine.workbench.generate import generate as generate
    from recombine.workbench.induce import induce as induce
    from recombine.workbench.kb_answers import kb_answers as kb_answers
    from recombine.workbench.kb_build import kb_build as kb_build
    from recombine.workbench.kb_candidates import kb_candidates as kb_candidates
    from recombine.workbench.kb_check import kb_check as kb_check
    from recombine.workbench.kb_convert import kb_convert as kb_convert
    from recombine.workbench.kb_info import kb_info as kb_info
    from recombine.workbench.kb_link import kb_link as kb_link
    from recombine.workbench.kb_match import kb_match as kb_match
    from recombine.workbench.kb_query import kb_query as kb_query
    from recombine.workbench.kb_table import kb_table as kb_table
    from recombine.workbench.kb_tasks import kb_tasks as kb_tasks
    from recombine.workbench.kb_world import kb_world as kb_world
    from recombine.workbench.kbqa_info import kbqa_info as kbqa_info
    from recombine.workbench.kbqa_page import kbqa_page as kbqa_page
    from recombine.workbench.kbqa_results import kbqa_results as kbqa_results
    from recombine.workbench.levels import levels as levels
    from recombine.workbench.list import list as list
    from recombine.workbench.load import load as load
    from recombine.workbench.load import load_for as load_for
    from recombine.workbench.load import load_split as load_split
    from recombine.workbench.measure import measure as measure
    from recombine.workbench.parse import parse as parse
    from recombine.workbench.predict import predict as predict
    from recombine.workbench.prompt import prompt as prompt
    from recombine.workbench.report import report as report
    from recombine.workbench.rules_check import rules_check as rules_check
    from recombine.workbench.sample import sample as sample
    from recombine.workbench.scenes_exclusion import scenes_exclusion as scenes_exclusion
    from recombine.workbench.scenes_hand_off import scenes_hand_off as scenes_hand_off
    from recombine.workbench.scenes_info import scenes_info as scenes_info
    from recombine.workbench.scenes_name_pairs import scenes_name_pairs as scenes_name_pairs
    from recombine.workbench.scenes_page import scenes_page as scenes_page
    from recombine.workbench.scenes_prompts import scenes_prompts as scenes_prompts
    from recombine.workbench.score import score as score
    from recombine.workbench.select import select as select
    from recombine.workbench.show import show as show
    from recombine.workbench.split import split as split
    from recombine.workbench.study import study as study
    from recombine.workbench.train import train as train
    from recombine.workbench.warm_up import warm_up as warm_up

_HOMES = {each.name: each.name for each in iter_modules(__path__) if not each.ispkg and each.name != "verb"}
_HOMES |= {"load_for": "load", "load_split": "load"}
__all__ = [*_HOMES]


class _Workbench(ModuleType):
    """A room whose verbs are functions."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOMES):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        function = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        setattr(self, name, function)
        return function

    def __dir__(self) -> "builtins.list[str]":
        return sorted({*super().__dir__(), *_HOMES})


sys.modules[__name__].__class__ = _Workbench
