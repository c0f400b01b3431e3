"""Questions over a knowledge base as verbs take them: the language told by the targets, a split that lies beside."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.progress import working
from recombine.workbench.given.data_and_split import find_split, loading
from recombine.workbench.load import load_for

if TYPE_CHECKING:
    from recombine.pages.kbqa.question_table import QuestionTable
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


def kbqa_set(
    data: Data,
    split: SplitLike | None = None,
    *,
    profile: Path | str | None = None,
    ontology: Path | str | None = None,
    canonical: str | None = None,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
) -> tuple[QuestionTable, Split | None, str]:
    """The questions, the split and what it is called; a split that lies beside a file is taken where none is named."""
    from recombine.pages.kbqa.question_table import read_questions

    named = split_beside(data) if split is None else split
    with working(loading(data)):
        given = [] if named is None else [named]
        dataset = _in_language(load_for(data, given, source=source, target=target, language=language))
        found = None if named is None else find_split(dataset, named)
    with working("reading forms"):
        table = read_questions(dataset, profile=profile, ontology=ontology, canonical=canonical)
    return table, found, "" if found is None else Path(named).name if isinstance(named, str | Path) else "the split"


def split_beside(data: Data) -> Path | None:
    """The split that lies beside a data file, `q.split.json` for `q.jsonl`; none where there is no such file."""
    if not isinstance(data, str | Path) or not Path(data).is_file():
        return None
    path = Path(data)
    stem = Path(path.name.removesuffix(".gz")).stem
    names = (f"{stem}.split.json", f"{path.name}.split.json")
    return next((path.with_name(name) for name in names if path.with_name(name).is_file()), None)


def _in_language(dataset: Dataset) -> Dataset:
    """Data whose language nobody named, in the one that its targets look like."""
    if dataset.language is not None:
        return dataset
    from recombine.kb.forms.form import SEXPRESSION, SPARQL
    from recombine.kb.forms.form_of_text import notation_of_text
    from recombine.languages.known import find_language

    looks = {notation_of_text(text) for text in dataset.texts("target")}
    if looks == {SPARQL}:
        return replace(dataset, language=find_language("sparql11"))
    if looks == {SEXPRESSION} and all(text.lstrip().startswith("(") for text in dataset.texts("target")):
        return replace(dataset, language=find_language("sexpression"))
    return dataset
