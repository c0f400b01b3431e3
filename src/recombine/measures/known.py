"""Further measures of a split, by name.

What the package measures itself (sizes, D_A and D_C, unseen atoms, patterns, lengths, duplicates) stands in
`measure_split`, each under a key of its own: these values share work, take options, and have an order that files keep.
This table holds what is measured besides: a plug-in adds a measure with `register_measure`. Its value then stands under
`measures` in what `measure` and `split` give, and its name in the signature.

A measure is a function of two parts, train and the part it is compared with, to a JSON value:

    register_measure("words", lambda train, test: sum(len(example.source.split()) for example in test))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, RecombineError
from recombine.plugins import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.structures.dataset_features import DatasetFeatures

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
LONGEST = 40
"""The most characters of a value in a table; files hold all of them."""


@dataclass(frozen=True)
class Part:
    """A part of a split: iterating gives its examples, repeated ones as often as the split names them."""

    name: str
    dataset: Dataset
    rows: Sequence[int]
    """Where its examples are in the data set."""
    features: DatasetFeatures | None
    """Atoms and compounds of the whole data set, where there are any; `rows` are rows of their matrices too."""

    def __iter__(self) -> Iterator[Example]:
        return (self.dataset[row] for row in self.rows)

    def __len__(self) -> int:
        return len(self.rows)


Measure = Callable[[Part, Part], Any]
MEASURES: Registry[Measure] = Registry("measure")
"""The further measures; none of them is the package's."""


def register_measure(name: str, measure: Measure) -> Measure:
    """Add a measure, which `measure` and `split` then give too."""
    if not _NAME.fullmatch(name):
        raise OptionError(
            f"a measure cannot have the name {name!r}", "use small letters, digits, - and _, a letter first"
        )
    return MEASURES.register(name, measure)


def further_measures(train: Part, test: Part) -> dict[str, Any]:
    """The values of all registered measures by name, in the order of the names."""
    return {name: _measured(name, MEASURES[name], train, test) for name in sorted(MEASURES)}


def _measured(name: str, measure: Measure, train: Part, test: Part) -> Any:
    try:
        value = measure(train, test)
    except RecombineError:
        raise
    except Exception as error:
        raise OptionError(f"the measure {name} fails: {type(error).__name__}: {error}", "mend the plug-in") from error
    if not is_json(value):
        raise OptionError(
            f"the measure {name} gives {value!r}, which JSON cannot hold",
            "give finite numbers, texts, true, false or none, or lists and dictionaries of them",
        )
    return value


def is_json(value: Any) -> bool:
    """Whether a value is the same after it was written as JSON and read again.

    >>> is_json({"a": [1, 0.5, None]}), is_json(float("nan")), is_json((1, 2))
    (True, False, False)
    """
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_json(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(is_json, value))
    return value is None or type(value) in (str, bool, int) or (type(value) is float and isfinite(value))


def measure_text(value: Any) -> str:
    """The value of a further measure in a table; what is long is cut.

    >>> measure_text(1234), measure_text(0.25), measure_text(None), measure_text({"a": [1, True]})
    ('1,234', '0.250', '–', '{"a":[1,true]}')
    """
    if value is None:
        return "–"
    if type(value) in (int, float):
        return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
    import orjson

    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def measure_names(values: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of further measures that any of these measured values has."""
    return sorted({name for each in values for name in each.get("measures", ())})
