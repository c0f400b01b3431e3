"""The files of questions about scenes: the data, and beside it scenes, truth, pictures and parts, all or none.

For `q.jsonl` these are `q.scenes.json`, `q.truth.json` where the annotation is noisy, `q.pictures/`, `q.split.json` and
the sidecar. In `q.parquet` the pictures are inside, as lists of `{bytes, path}`, which the library `datasets` reads as
images; answers are texts there, since a column has one type.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from recombine.datasets.files.sidecar import sidecar_bytes, sidecar_path
from recombine.datasets.files.tables import ROW_GROUP, check_table_writable, table_format, write_table
from recombine.errors import OptionError, OutputFileError
from recombine.files import check_writable
from recombine.progress import note, tracked
from recombine.records.example import thawed
from recombine.records.signature import Signature
from recombine.records.split import Split, sizes_text
from recombine.records.world import WorldReference
from recombine.scenes.balance.answer_class import answer_text
from recombine.scenes.balance.scene_parts import PARTS
from recombine.scenes.files.find_pictures import find_pictures
from recombine.scenes.files.write_scenes import scenes_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.records.dataset import Dataset
    from recombine.scenes.scene import Scene, Scenes

SCENES, TRUTH, PICTURES, SPLIT = ".scenes.json", ".truth.json", ".pictures", ".split.json"
FIELDS = ("answer", "images", "roles", "template", "subgraph", "part", "pair")
"""The fields of a record beside id, source and target."""
_LISTS = ("images", "roles")
_PICTURE_ROWS = 256
_TEXTS = {"dtype": "string", "_type": "Value"}


def beside(path: Path | str, suffix: str) -> Path:
    """The file that stands beside a data file.

    >>> beside("made/q.jsonl.gz", ".scenes.json").as_posix()
    'made/q.scenes.json'
    """
    path = Path(path)
    return path.with_name(Path(path.name.removesuffix(".gz")).stem + suffix)


def check_scenes_writable(path: Path | str) -> Path:
    """The path, when the data and all that stands beside it can be written; called before long work."""
    path = check_table_writable(path)
    for suffix in (SCENES, TRUTH, SPLIT):
        check_writable(beside(path, suffix))
    _check_pictures(beside(path, PICTURES))
    return path


def _check_pictures(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(each.is_dir() for each in folder.iterdir())):
        raise OutputFileError(f"{folder}: is there and is no folder of pictures", "move it, or write to another name")


@dataclass(frozen=True)
class ScenesFiles:
    """What is written together."""

    scenes: Scenes
    truth: Scenes | None
    """The scenes as they are, where the annotation is another graph."""
    drawn: bool
    """Whether pictures are drawn of the scenes as they are."""
    pictures: Path | None
    """The folder of one's own pictures."""
    signature: Signature
    counted: Mapping[str, Any]
    """What was counted while the questions were made."""

    def write(self, dataset: Dataset, path: Path | str, form: str = "ours") -> None:
        """Write the data and what stands beside it, all or none."""
        if form != "ours":
            raise OptionError("questions about scenes have no other form than ours", "leave out --format")
        path = check_scenes_writable(path)
        folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.writing-"))
        try:
            self._write_all(dataset, folder / path.name)
            _put(folder, path)
        except OSError as error:
            raise OutputFileError(
                f"{path}: cannot be written ({error.strerror or error})", "choose another place"
            ) from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _write_all(self, dataset: Dataset, path: Path) -> None:
        inside = table_format(path) == "parquet"
        beside(path, SCENES).write_bytes(scenes_bytes(self.scenes, self.scenes.attribute_types))
        if self.truth is not None:
            beside(path, TRUTH).write_bytes(scenes_bytes(self.truth, self.truth.attribute_types))
        world = WorldReference(self.scenes.kind, str(beside(path, SCENES)), self.scenes.digest)
        dataset = replace(dataset, name=beside(path, "").name, world=world)
        used = dict.fromkeys(image for context in dataset.iter_mappings("context") for image in context["images"])
        if not self.drawn and self.pictures is None:
            note("the scenes have no pictures; name their folder with --pictures")
        if inside:
            self._write_parquet(dataset, path, dict(self._iter_pictures(used)))
        else:
            folder = beside(path, PICTURES)
            for scene, (name, data) in self._iter_pictures(used):
                del scene
                folder.mkdir(exist_ok=True)
                (folder / name).write_bytes(data)
            write_table(dataset, path)
        split = _split(dataset, self.signature).with_measured(self.counted)
        split.write(beside(path, SPLIT))

    def _iter_pictures(self, used: Mapping[str, None]) -> Iterator[tuple[str, tuple[str, bytes]]]:
        """The name and bytes of each scene's picture: all where they are drawn, else those that questions show."""
        if self.pictures is not None:
            shown = [self.scenes.by_id[each] for each in sorted(used)]
            for scene, picture in find_pictures(shown, self.pictures).items():
                yield scene, (picture.name, picture.read_bytes())
        elif self.drawn:
            from recombine.scenes.synthetic.picture import picture_bytes

            world = self.truth or self.scenes
            drawn: Iterator[Scene] = iter(tracked(world, "drawing pictures", total=len(world)))
            for each in drawn:
                yield each.id, (f"{each.id}.png", picture_bytes(each))

    def _write_parquet(self, dataset: Dataset, path: Path, pictures: Mapping[str, tuple[str, bytes]]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        picture = pa.struct({"bytes": pa.binary(), "path": pa.string()})
        types = {name: pa.string() for name in ("id", "source", "target", *FIELDS)}
        types |= {"pair": pa.int64(), **dict.fromkeys(_LISTS, pa.list_(pa.string()))}
        if pictures:
            types["pictures"] = pa.list_(picture)
        schema = pa.schema(types).with_metadata({"huggingface": orjson.dumps({"info": {"features": _features(types)}})})
        size = _PICTURE_ROWS if pictures else ROW_GROUP
        with pq.ParquetWriter(path, schema) as writer:
            rows: list[dict[str, Any]] = []
            for example in dataset:
                rows.append(_row(example, pictures))
                if len(rows) == size:
                    writer.write_table(pa.Table.from_pylist(rows, schema))
                    rows = []
            if rows:
                writer.write_table(pa.Table.from_pylist(rows, schema))
        said = sidecar_bytes(path, FIELDS, dataset.identity, dataset.world)
        sidecar_path(path).write_bytes(said or b"")


def _row(example: Any, pictures: Mapping[str, tuple[str, bytes]]) -> dict[str, Any]:
    row = {"id": example.id, "source": example.source, "target": example.target}
    for name in FIELDS:
        value = thawed(example.context[name])
        row[name] = orjson.dumps(value).decode() if isinstance(value, list) and name not in _LISTS else value
    row["answer"] = answer_text(example.context["answer"])
    if pictures:
        row["pictures"] = [
            {"bytes": pictures[each][1], "path": pictures[each][0]} for each in example.context["images"]
        ]
    return row


def _features(types: Mapping[str, Any]) -> dict[str, Any]:
    """What `datasets` is told of the columns."""
    features: dict[str, Any] = dict.fromkeys(types, _TEXTS)
    features |= {"pair": {"dtype": "int64", "_type": "Value"}, **{name: [_TEXTS] for name in _LISTS}}
    if "pictures" in types:
        features["pictures"] = [{"_type": "Image"}]
    return features


def _split(dataset: Dataset, signature: Signature) -> Split:
    parts: dict[str, list[str]] = {part: [] for part in PARTS}
    for example in dataset:
        parts[example.context["part"]].append(example.id)
    whole = {part: tuple(ids) for part, ids in parts.items()}
    signed = Signature.of(data=dataset, by="scenes", parts=sizes_text(whole)).with_fields(
        **dict(signature.without("version").fields)
    )
    return Split(whole, dataset.name, dataset.hash, signed, reading=dataset.reading)


def _put(folder: Path, path: Path) -> None:
    """Give all files their names, the data last; what had a name is put back where one cannot be given."""
    old = folder / "old"
    old.mkdir()
    names = [beside(path, suffix).name for suffix in (PICTURES, SCENES, TRUTH, SPLIT)]
    moved: list[Path] = []
    put: list[Path] = []
    try:
        for name in (*names, sidecar_path(path).name, path.name):
            place, made = path.with_name(name), folder / name
            if place.exists():
                place.rename(old / name)
                moved.append(place)
            if made.exists():
                made.chmod(0o777 & ~_umask() if made.is_dir() else 0o666 & ~_umask())
                made.rename(place)
                put.append(place)
    except BaseException:
        for place in put:
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        for place in moved:
            (old / place.name).rename(place)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
