"""Data as a file of a wanted form: a table as its name says, or the form of a release: CFQ's or GrailQA's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.datasets.files.tables import check_table_writable, write_table
from recombine.errors import UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

    from recombine.records.dataset import Dataset

TABLE, RELEASE, GRAILQA = "ours", "cfq", "grailqa"
DATA_FORMATS = (TABLE, RELEASE, GRAILQA)
"""The forms of data files, named as those of split files are."""


def check_data_format(form: str) -> str:
    """The name of a form, when it is one."""
    if form not in DATA_FORMATS:
        raise UnknownNameError("data format", form, DATA_FORMATS)
    return form


def check_data_writable(path: Path | str, form: str = TABLE) -> Path:
    """The path, when data can be written there in a form; called before long work."""
    if check_data_format(form) == RELEASE:
        from recombine.datasets.release.write_release import check_release_writable

        return check_release_writable(path)
    if form == GRAILQA:
        from recombine.datasets.kbqa.write_grailqa import check_grailqa_writable

        return check_grailqa_writable(path)
    return check_table_writable(path)


def write_data(dataset: Dataset, path: Path | str, form: str = TABLE) -> None:
    """Write a data set in a form, whole or not at all."""
    if check_data_format(form) == RELEASE:
        from recombine.datasets.release.write_release import write_release

        write_release(dataset, path)
    elif form == GRAILQA:
        from recombine.datasets.kbqa.write_grailqa import write_grailqa

        write_grailqa(dataset, path)
    else:
        write_table(dataset, path)
