"""What generated data comes out as, kept beside the results: as much as the keys of splits and cells hold of it.

It stands under the key of all that decides the data (`generated_key`), so that `study status` need not make the data to
say how far a study is. Where anything that decides it changes, nothing stands under the new key, and the data is made.
Whoever makes the data writes the facts anew and says where they are not what was kept.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets import catalogue
from recombine.errors import RecombineError
from recombine.files import read_bytes, write_whole
from recombine.languages.known import find_language
from recombine.progress import note
from recombine.studies.cells.results_folder import DATA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from recombine.languages.language import Language
    from recombine.studies.cells.make_split import SplitMaker
    from recombine.studies.file.recipe import Recipe

FORM = "recombine-data/1"


@dataclass(frozen=True)
class DataFacts:
    """What keys hold of one data set."""

    content: Mapping[str, Any]
    """What decides on scores: `data_content`."""
    splits: Mapping[str, Any]
    """What decides on all splits: `split_data`."""
    published: Mapping[str, str]
    """The digests of the splits that the data itself says, by name."""

    @property
    def language(self) -> Language | None:
        """The language of its targets."""
        name = self.content["language"]
        return None if name is None else find_language(name)

    @property
    def structures(self) -> str:
        """The structure definition used where the user names none."""
        return str(self.splits["structures"])

    @property
    def world(self) -> None:
        """None: which it is stands in `content`, and what generators make is about worlds of the package."""
        return


def facts_of(maker: SplitMaker, recipes: Iterable[Recipe]) -> DataFacts:
    """The facts of data that is at hand, with the digests of published splits that follow from the data alone."""
    names = {recipe.published for recipe in recipes} if catalogue.entry_of(maker.dataset) is None else set()
    digests = {}
    for name in names - {None}:
        with suppress(RecombineError):  # it is said when the split is made
            digests[str(name)] = maker.published_digest(str(name))
    return DataFacts(maker.content, maker.data, digests)


def read_facts(results: Path) -> dict[str, DataFacts]:
    """What is kept in a folder of results, by keys; nothing where no such file is there, or it is damaged."""
    path = results / DATA
    if not path.exists():
        return {}
    try:
        record = orjson.loads(read_bytes(path))
        if record["form"] == FORM:
            return {key: _parsed(values) for key, values in record["data"].items()}
        reason = f"not in the form {FORM}"
    except (RecombineError, orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
    note(f"{path}: is not used ({reason}); the next `study run` writes it anew")
    return {}


def _parsed(values: dict[str, Any]) -> DataFacts:
    facts = DataFacts(**values)
    if not facts.content.keys() <= facts.splits.keys() or not isinstance(facts.content["hash"], str):
        raise TypeError("what decides on scores is not in what decides on splits")
    if not all(isinstance(text, str) for text in (facts.splits["order"], facts.structures, *facts.published.values())):
        raise TypeError("a digest is no text")
    facts.language  # noqa: B018  # it has to be known here
    return facts


def keep_facts(results: Path, facts: Mapping[str, DataFacts]) -> None:
    """Keep the facts of data that was made, in the place of what was kept; what is not as it was kept is said."""
    kept = read_facts(results)
    for key in facts.keys() & kept.keys():
        if facts[key] != kept[key]:
            before, now = kept[key].content, facts[key].content
            note(
                f"{results / DATA}: said of {now['name']} what it is not (content {before['hash']}, made now: "
                f"{now['hash']}), and is corrected; what `study status` found was of the other"
            )
    if facts != kept:
        data = {key: asdict(each) for key, each in facts.items()}
        content = {"form": FORM, "holds": "what generated data comes out as; see docs/studies.md", "data": data}
        write_whole(results / DATA, orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
