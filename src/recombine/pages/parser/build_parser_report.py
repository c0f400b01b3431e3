"""One call from a kept parser and a split to a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recombine.errors import OptionError
from recombine.models.load_parser import load_parser, read_record
from recombine.models.nqg.model import Nqg
from recombine.pages.parser.nqg_data import EXAMPLES, build_nqg_data
from recombine.pages.parser.nqg_page import render_nqg

if TYPE_CHECKING:
    from recombine.pages.parser.nqg_data import NqgData
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split


def load_grammar_parser(folder: Path | str) -> Nqg:
    """The parser in a folder, which must have a grammar."""
    parser = load_parser(folder)
    if not isinstance(parser, Nqg):
        raise OptionError(f"{folder} has no grammar, so there is nothing to show of it", "give an NQG parser")
    return parser


def build_parser_report(
    dataset: Dataset,
    split: Split,
    parser: Nqg,
    folder: Path | str,
    *,
    part: str = "test",
    examples: int = EXAMPLES,
    seed: int = 0,
) -> tuple[NqgData, bytes]:
    """The numbers of a page on a parser, which predicts a part of a split, and the page; `folder` is where it lies."""
    signature = str(read_record(folder).get("signature", ""))
    built = build_nqg_data(
        dataset, split, parser, part=part, examples=examples, seed=seed, name=Path(folder).name, signature=signature
    )
    return built, render_nqg(built)
