"""One page on systems and set-ups: generalization scores beside the paper's, templates, and what fails."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError
from recombine.files import check_file, write_whole
from recombine.progress import working
from recombine.workbench.given.data_and_split import loading
from recombine.workbench.load import load_for
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from recombine.pages.generalization.generalization_data import GeneralizationData
    from recombine.pages.generalization.result_list import ResultList
    from recombine.records.dataset import Dataset


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


def is_study(file: str | Path) -> bool:
    """Whether a file is one of a study, and not a list of results."""
    import tomllib

    from recombine.files import read_text

    try:
        record = tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError:
        return False  # what is wrong with it is said by who reads it
    return "split" in record and "model" in record


def _of_study(file: Path, results: Path | None) -> tuple[ResultList, Dataset, Path | None]:
    """The list of a study's results, its data, and the folder of their pictures."""
    from recombine.pages.generalization.study_results import results_of_study
    from recombine.studies.cells.plan import make_plan
    from recombine.studies.tables.summary import read_results

    with working("reading the study, its data and splits"):
        plan = make_plan(file, results, make=False)
    if len(plan.datasets) != 1:
        raise OptionError(f"{file}: has {len(plan.datasets)} data sets, and the page is of one", "give a list instead")
    dataset = next(iter(plan.datasets.values()))
    listed = results_of_study(file, plan, read_results(plan))
    pictures = getattr(dataset.opened_world, "pictures", None)
    return listed, dataset, pictures


@verb
def generalization_page(
    file: str | Path,
    *,
    examples: int = 6,
    results: str | Path | None = None,
    scores: str | Path | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> GeneralizationPage:
    """A page of the results that a TOML file lists, in the form of Tables 6 to 8 and 12 of the COVR paper.

    The file may also be that of a study with `[generalization]`, whose stored results it then is of; `results` is where
    they are, if not in `results/NAME` beside it. `scores` is a file that says which regions were looked at.

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
    if is_study(file):
        of_study, its_data, shown = _of_study(Path(file), None if results is None else Path(results))
        of_study = replace(of_study, scores=None if scores is None else check_file(scores))
        with working("reading results"):
            built = build_generalization_data(of_study, its_data, examples=examples, seed=seed)
        return GeneralizationPage(render_generalization(built, shown), built)
    if results is not None:
        raise OptionError(f"{file}: is a list of results, and no study that has a folder of them", "leave out results")
    listed = read_result_list(file)
    if scores is not None:
        listed = replace(listed, scores=check_file(scores))
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
