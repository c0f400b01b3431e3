"""The workbench: the verbs of the command line as functions, for notebooks and programs.

Each verb is the function of its name, in a module of its name. All are imported here at once, so that a name of this
room is the function, whatever has been imported before or after.
"""

from recombine.workbench.check import check
from recombine.workbench.features import features
from recombine.workbench.induce import induce
from recombine.workbench.load import load, load_for, load_split
from recombine.workbench.measure import measure
from recombine.workbench.predict import predict
from recombine.workbench.split import split
from recombine.workbench.train import train

__all__ = [
    "check",
    "features",
    "induce",
    "load",
    "load_for",
    "load_split",
    "measure",
    "predict",
    "split",
    "train",
]
