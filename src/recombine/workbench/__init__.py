"""The workbench: the verbs of the command line as functions, for notebooks and programs.

Each verb is the function of its name, in a module of its name. All are imported here at once, so that a name of this
room is the function, whatever has been imported before or after.
"""

from recombine.workbench.check import check
from recombine.workbench.compare import compare
from recombine.workbench.demo import demo
from recombine.workbench.difficulty import difficulty
from recombine.workbench.features import features
from recombine.workbench.generate import generate
from recombine.workbench.induce import induce
from recombine.workbench.list import list
from recombine.workbench.load import load, load_for, load_split
from recombine.workbench.measure import measure
from recombine.workbench.predict import predict
from recombine.workbench.report import report
from recombine.workbench.score import score
from recombine.workbench.select import select
from recombine.workbench.show import show
from recombine.workbench.split import split
from recombine.workbench.study import study
from recombine.workbench.train import train

__all__ = [
    "check",
    "compare",
    "demo",
    "difficulty",
    "features",
    "generate",
    "induce",
    "list",
    "load",
    "load_for",
    "load_split",
    "measure",
    "predict",
    "report",
    "score",
    "select",
    "show",
    "split",
    "study",
    "train",
]
