"""The page on a parser, for `recombine report SPLIT --parser FOLDER`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.cli.shared.console import print_result, print_signature, working
from recombine.cli.shared.split_argument import split_argument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from recombine.models.nqg.model import Nqg


def parser_report(
    folder: Path,
    splits: Sequence[str],
    data: str,
    out: Path,
    *,
    part: str,
    examples: int,
    seed: int,
    named: Mapping[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict a part of the split and write the page."""
    from recombine import workbench
    from recombine.errors import OptionError
    from recombine.files import check_writable, write_whole
    from recombine.models.load_parser import read_record
    from recombine.pages.parser.nqg_data import build_nqg_data
    from recombine.pages.parser.nqg_page import render_nqg

    if len(splits) != 1:
        raise OptionError(f"a page on a parser is for one split, not {len(splits)}", "name one")
    check_writable(out)
    parser = _load(folder)
    with working("loading the data", quiet=quiet):
        dataset = workbench.load_for(data, splits, **named)
        split = split_argument(dataset, splits[0], quiet=quiet)
    with working("predicting", quiet=quiet):
        signature = str(read_record(folder).get("signature", ""))
        built = build_nqg_data(
            dataset, split, parser, part=part, examples=examples, seed=seed, name=folder.name, signature=signature
        )
        page = render_nqg(built)
    write_whole(out, page)
    value = {
        "file": str(out),
        "bytes": len(page),
        **built.score.to_record(),
        "oracle": built.oracle,
        "rules": len(built.grammar),
        "kept": len(built.kept),
    }

    def show(console: Console) -> None:
        console.print(f"written to {out} ({len(page) / 1e6:.1f} MB)", soft_wrap=True)
        print_signature(console, value["signature"])

    print_result(value, show, as_json=as_json)


def _load(folder: Path) -> Nqg:
    from recombine.errors import OptionError
    from recombine.models.load_parser import load_parser
    from recombine.models.nqg.model import Nqg

    parser = load_parser(folder)
    if not isinstance(parser, Nqg):
        raise OptionError(f"{folder} has no grammar, so there is nothing to show of it", "give an NQG parser")
    return parser
