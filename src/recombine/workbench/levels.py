"""Which test examples are i.i.d., compositional or zero-shot against train, or against what each prompt showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from recombine.progress import note, working
from recombine.workbench.given.data_and_split import data_and_split
from recombine.workbench.results.result import Result
from recombine.workbench.verb import verb

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.measures.levels.split_levels import PartLevels
    from recombine.records.dataset import Dataset
    from recombine.records.signature import Signature
    from recombine.records.split import Split
    from recombine.workbench.given.data_and_split import SplitLike
    from recombine.workbench.load import Data


@dataclass(frozen=True, repr=False, eq=False)
class LevelsResult(Result):
    """The level of each example of the parts but train, and what it is for."""

    dataset: Dataset
    split: Split
    features: LevelFeatures
    parts: Mapping[str, PartLevels]
    shown: Mapping[str, Sequence[int]] | None
    """The rows that each prompt showed, by the id of the example; none where examples are compared with train."""
    signature: Signature

    @property
    def unreadable(self) -> dict[str, str]:
        """The examples of all parts whose programs cannot be read, train's too, each with why."""
        used = {row for name in self.split.parts for row in self.split.positions(self.dataset, name)}
        ids = self.dataset.ids
        return {ids[row]: why for row, why in self.features.unreadable.items() if row in used}

    @property
    def tagged(self) -> dict[str, dict[str, dict[str, int]]]:
        """For each part whose examples say their level themselves, how many of each are of each level here."""
        from recombine.measures.levels.split_levels import tag_table

        tables = {name: tag_table(self.dataset, part) for name, part in self.parts.items()}
        return {name: table for name, table in tables.items() if table}

    def to_dict(self) -> dict[str, Any]:
        """What `recombine levels --json` prints."""
        return {
            "data": self.dataset.name,
            "against": "train" if self.shown is None else "shown",
            "levels": {name: part.to_record() for name, part in self.parts.items()},
            "tagged": self.tagged,
            "schema_items": len(self.features.names),
            "templates": len(self.features.template_texts),
            "without_prompt": sum(part.without_prompt for part in self.parts.values()),
            "unreadable": self.unreadable,
            "signature": str(self.signature),
            "file": None,
        }

    def iter_records(self) -> Iterator[dict[str, Any]]:
        """Each example with its level, what is unseen, the nearest of what was shown, and the reason in words."""
        from recombine.measures.levels.levels import levels_against
        from recombine.measures.levels.nearest_examples import NearestExamples

        train = [] if self.shown is not None else self.split.positions(self.dataset, "train")
        ids, near = self.dataset.ids, NearestExamples(self.features, train)
        for name, part in self.parts.items():
            seen = levels_against(self.features, train, part.rows) if self.shown is None else None
            for place, row in enumerate(part.rows):
                shown = None if self.shown is None else self.shown.get(ids[row])
                if seen is not None:
                    level, nearest = seen[place], near.of(row)
                elif shown is None:
                    yield {"id": ids[row], "part": name, "level": None, "reason": "no line says what was shown for it"}
                    continue
                else:
                    (level,) = levels_against(self.features, shown, [row])
                    nearest = NearestExamples(self.features, shown).of(row)
                record: dict[str, Any] = {"id": ids[row], "part": name, "level": level.level}
                if level.unseen_items:
                    record["unseen_items"] = list(level.unseen_items)
                if level.unseen_template is not None:
                    record["unseen_template"] = level.unseen_template
                if nearest is not None and level.level is not None:
                    record["nearest"] = ids[nearest.row]
                    record["shared_items"] = nearest.shared
                yield {**record, "reason": self._reason(row, level.level, level.unseen_items)}

    def write(self, path: Path | str) -> None:
        """Write the examples as JSON lines, whole or not at all."""
        import orjson

        from recombine.files import write_whole

        write_whole(path, b"".join(orjson.dumps(record) + b"\n" for record in self.iter_records()))

    def _reason(self, row: int, level: str | None, unseen: Sequence[str]) -> str:
        where = "train" if self.shown is None else "what was shown"
        if level is None:
            return f"its program cannot be read: {self.features.unreadable[row]}"
        if unseen:
            more = f" and {len(unseen) - 1} more" if len(unseen) > 1 else ""
            return f"{unseen[0]}{more} not in {where}"
        return f"its template is {'in' if level == 'i.i.d.' else 'not in'} {where}"

    def __str__(self) -> str:
        texts = []
        for name, part in self.parts.items():
            counts = ", ".join(f"{count:,} {level}" for level, count in part.counts.items())
            texts.append(f"{name}: {counts}")
        return "; ".join(texts)


@verb
def levels(
    data: Data,
    split: SplitLike,
    *,
    shown: Path | str | Mapping[str, Sequence[str]] | None = None,
    ontology: Path | str | None = None,
    profile: Path | str | None = None,
    constructs: bool = False,
    merge_reverses: bool = False,
    source: str | None = None,
    target: str | None = None,
    language: str | None = None,
    world: str | Path | None = None,
    seed: int = 0,
) -> LevelsResult:
    """The level of generalization of every example of the parts but train: i.i.d., compositional or zero-shot.

    An example with a schema item that train lacks is zero-shot; else one whose template train lacks is compositional.
    `shown`, a file of lines `{id, shown: [ids]}` or a mapping, compares each example with what its own prompt showed.
    `ontology` is a folder, without it that of the data directory for Freebase; `profile` a name or a file.

    >>> texts = ["count ( find ( dog ) )", "exists ( cat )", "count ( dog )", "exists ( dog )"]
    >>> data = [(text, text) for text in texts]
    >>> from recombine.workbench.split import split
    >>> print(levels(data, split(data, test=1), language="functional"))
    test: 0 i.i.d., 1 compositional, 0 zero-shot
    """
    from recombine.measures.levels.level_definition import level_definition
    from recombine.measures.levels.level_features import level_features
    from recombine.measures.levels.split_levels import split_levels

    del seed  # every verb takes it; nothing here is random
    dataset, loaded = data_and_split(data, split, source=source, target=target, language=language, world=world)
    with working("reading programs"):
        definition, notes = level_definition(
            dataset, profile=profile, ontology=ontology, constructs=constructs, merge_reverses=merge_reverses
        )
        features = level_features(dataset, definition)
    for text in notes:
        note(text)
    prompts = None if shown is None else _shown(shown, dataset)
    parts = split_levels(dataset, loaded, features, shown=prompts)
    signature = loaded.signature.with_fields(levels="train" if prompts is None else "shown", **definition.fields())
    return LevelsResult(dataset, loaded, features, parts, prompts, signature)


def _shown(shown: Path | str | Mapping[str, Sequence[str]], dataset: Dataset) -> dict[str, list[int]]:
    from pathlib import Path

    from recombine.measures.levels.shown_examples import read_shown_examples

    if isinstance(shown, str | Path):
        return read_shown_examples(shown, dataset)
    return {key: [dataset.position(each) for each in ids] for key, ids in shown.items()}
