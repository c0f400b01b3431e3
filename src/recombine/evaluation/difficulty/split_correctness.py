"""What models got right on the test parts of several splits, from files that know examples but not splits.

An example may be tested by two splits, and then by different models, though they may bear one name. A file therefore
belongs to the splits it was given for; where two of these test one example, its records could be of either, and that is
an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError, OptionError
from recombine.evaluation.difficulty.correctness import Correctness, read_correctness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def read_split_correctness(
    files: Mapping[str, Sequence[Path | str]], ids: Mapping[str, Sequence[str]], *, known: Mapping[str, Any]
) -> dict[str, Correctness]:
    """For each split what its files say of its test ids; files are read once for all splits that share them.

    What else `read_correctness` refuses is refused. Records of no split's examples are counted with the first split.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in ids:
        if not files.get(name):
            raise InputFileError(f"no predictions are of the split {name}", "give them too, or leave the split out")
        groups.setdefault(tuple(map(str, files[name])), []).append(name)
    found: dict[str, Correctness] = {}
    for paths, names in groups.items():
        _check_apart(paths, {name: ids[name] for name in names})
        whole = read_correctness(paths, [key for name in names for key in ids[name]], known=known)
        start, elsewhere = 0, whole.elsewhere
        for name in names:
            end = start + len(ids[name])
            found[name] = Correctness(whole.ids[start:end], whole.models, whole.correct[start:end], elsewhere)
            start, elsewhere = end, 0
    return {name: found[name] for name in ids}


def _check_apart(paths: Sequence[str], ids: Mapping[str, Sequence[str]]) -> None:
    owner: dict[str, str] = {}
    for name, keys in ids.items():
        for key in keys:
            if owner.setdefault(key, name) != name:
                raise OptionError(
                    f"{owner[key]} and {name} both test {key}, and {', '.join(paths)} does not say for which it is",
                    f"give each split its own file, as {name}=FILE",
                )
