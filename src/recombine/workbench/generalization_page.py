"""One page on systems and set-ups: generalization scores beside the paper's, templates, and what fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.files import write_whole
from recombine.progress import working
from recombine.workbench.given.data_and_split import loading
from recombine.workbench.load import load_for
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.pages.generalization.generalization_data import GeneralizationData


@dataclass(frozen=True, repr=False, eq=False)
class GeneralizationPage(Result):
    """The page, and the numbers on it."""

    page: bytes
    built: GeneralizationData

    def to_dict(self) -> dict[str, Any]:
        """What `recombine generalization page --json` prints."""
        return {**self.built.to_record(), "file": None}

    def __str__(self) -> str:
        systems, setups = len(self.built.systems), len(self.built.setups)
        return f"{systems} systems and {setups} set-ups on a page of {len(self.page) / 1e6:.1f} MB"

    def write(self, path: Path | str) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.page)


@verb
def generalization_page(
    file: str | Path,
    *,
    examples: int = 6,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> GeneralizationPage:
    """A page of the results that a TOML file lists, in the form of Tables 6 to 8 and 12 of the COVR paper.

    `examples` is how many each number opens, of which about two thirds are wrong ones. What a list looks like is told
    by `pages/generalization/result_list.py` and docs/generalization.md.
    """
    from recombine.datasets.scenes_files import PICTURES, beside
    from recombine.pages.generalization.generalization_data import build_generalization_data
    from recombine.pages.generalization.generalization_page import render_generalization
    from recombine.pages.generalization.result_list import read_result_list
    from recombine.seeds import check_seed

    check_seed(seed)
    if examples < 0:
        raise OptionError(f"cannot show {examples} examples", "give 0 or more")
    listed = read_result_list(file)
    dataset = None
    if listed.data is not None:
        with working(loading(listed.data)):
            splits = [each.split for each in listed.setups if each.split is not None]
            dataset = load_for(listed.data, splits, language=language or listed.language, world=world)
    with working("reading results"):
        built = build_generalization_data(listed, dataset, examples=examples, seed=seed)
    pictures = listed.pictures
    if pictures is None and listed.data is not None and beside(listed.data, PICTURES).is_dir():
        pictures = beside(listed.data, PICTURES)
    return GeneralizationPage(render_generalization(built, pictures), built)
