"""`recombine kb`: knowledge bases without a server, one file for each verb; they are listed in this order."""

from recombine.cli.verbs.data.kb.kb_app import app

# isort: off
from recombine.cli.verbs.data.kb import build
from recombine.cli.verbs.data.kb import world
from recombine.cli.verbs.data.kb import info
from recombine.cli.verbs.data.kb import query
from recombine.cli.verbs.data.kb import check
from recombine.cli.verbs.data.kb import candidates
from recombine.cli.verbs.data.kb import convert
from recombine.cli.verbs.data.kb import link
from recombine.cli.verbs.data.kb import match
from recombine.cli.verbs.data.kb import table
from recombine.cli.verbs.data.kb import tasks
from recombine.cli.verbs.data.kb import answers
# isort: on

__all__ = [
    "answers",
    "app",
    "build",
    "candidates",
    "check",
    "convert",
    "info",
    "link",
    "match",
    "query",
    "table",
    "tasks",
    "world",
]
