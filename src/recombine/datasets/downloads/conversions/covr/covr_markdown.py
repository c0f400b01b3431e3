"""Pages about COVR's splits: rule pairs that are held out, examples of train and test, outputs of models.

A page of `splits_details` has a heading and a text for each part; a question is bold, and its program follows in a
block of code. Among test examples the block has the gold program and a line for each model, with a green circle where
it is right. A page of `gpt3_experiments` has prompts: pairs of `source:` and `target:`, a last question without
target, and its gold program in a block of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recombine.errors import InputFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.datasets.downloads.originals import Originals

DETAILS, PROMPTS = "splits_details", "gpt3_experiments"
TRAIN, TEST, COMBINATIONS = "Training examples", "Sample of test examples", "Unseen combinations"
_BLOCK = re.compile(r"^\*\*(?P<question>[^\n]+)\*\*\s*\n\s*```\n(?P<code>.*?)\n```", re.MULTILINE | re.DOTALL)
_COMBINATION = re.compile(r"^\*\*Combination \d+\*\*\n((?:\* .+\n?)+)", re.MULTILINE)
_MODEL = re.compile(r"^(?P<circle>\S+)\s+(?P<model>[A-Z0-9-]+): ?(?P<output>.*)$")
_GREEN = "\N{LARGE GREEN CIRCLE}"
_PAIR = re.compile(r"^source: ?(?P<source>.*)\ntarget: ?(?P<target>.*)$", re.MULTILINE)
_PROMPT = re.compile(r"\*\*Prompt\*\*\s*```\n(?P<prompt>.*?)\n```.*?\*\*Gold\*\*\s*```\n(?P<gold>.*?)\n```", re.DOTALL)


@dataclass(frozen=True)
class SeenPair:
    """A pair as a page has it, spaced as programs of COVR are."""

    source: str
    target: str
    part: str
    """`train` or `test`."""
    outputs: dict[str, tuple[bool, str]] = field(default_factory=dict)
    """By model: whether its output is right, and the output."""


def split_pages(originals: Originals, folder: str) -> list[tuple[int, str]]:
    """The numbers of the splits that a folder has pages of, with the roles of the pages, in order of numbers."""
    roles = [role for role in originals.paths if f"/{folder}/" in f"/{role}"]
    return sorted((int(role.rpartition("/")[2].removesuffix(".md")), role) for role in roles)


def iter_pairs(originals: Originals, role: str) -> Iterator[SeenPair]:
    """The pairs of a page in order."""
    text = originals.text(role)
    yield from _iter_prompt_pairs(text) if f"/{PROMPTS}/" in f"/{role}" else _iter_detail_pairs(text, originals, role)


def combinations(text: str) -> list[list[str]]:
    """The sets of rules that no training example has together.

    >>> combinations("## Unseen\\n\\n**Combination 1**\\n* a -> b\\n* c -> d\\n\\n## Training")
    [['a -> b', 'c -> d']]
    """
    return [[rule[2:].strip() for rule in match[1].strip().split("\n")] for match in _COMBINATION.finditer(text)]


def spaced(program: str) -> str:
    """A program with blanks around brackets and commas.

    >>> spaced("eq (query_attr [color] (find (dog)), gray)")
    'eq ( query_attr [ color ] ( find ( dog ) ) , gray )'
    """
    return " ".join(re.sub(r"([()\[\],])", r" \1 ", program).split())


def _sections(text: str) -> Iterator[tuple[str, str]]:
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        yield title, body


def _iter_detail_pairs(text: str, originals: Originals, role: str) -> Iterator[SeenPair]:
    for title, body in _sections(text):
        part = "train" if title.startswith(TRAIN) else "test" if title.startswith(TEST) else ""
        for match in _BLOCK.finditer(body) if part else ():
            code, question = match["code"], " ".join(match["question"].split())
            if "Gold:" not in code:
                yield SeenPair(question, spaced(code), part)
                continue
            gold, *rest = [line for line in code.split("\n") if line.strip()]
            models = [_MODEL.match(line) for line in rest]
            if not gold.lstrip().startswith("Gold:") or not all(models):
                problem = f"the outputs for {question[:60]!r} are in no known form"
                raise InputFileError(f"{originals.name(role)}: {problem}", "use the published file")
            outputs = {one["model"]: (one["circle"] == _GREEN, spaced(one["output"])) for one in models if one}
            yield SeenPair(question, spaced(gold.partition("Gold:")[2]), part, outputs)


def _iter_prompt_pairs(text: str) -> Iterator[SeenPair]:
    for match in _PROMPT.finditer(text):
        pairs = [(" ".join(pair["source"].split()), pair["target"]) for pair in _PAIR.finditer(match["prompt"])]
        for source, target in pairs[:-1]:
            yield SeenPair(source, spaced(target), "train")
        if pairs:
            yield SeenPair(pairs[-1][0], spaced(match["gold"]), "test")
