"""A learned exclusion: a model for nouns, one for attributes, one for relations, and the folder they are saved in."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import InputFileError
from recombine.files import make_folder, read_bytes, read_text, write_whole
from recombine.models.exclusion.kind_model import SURE, KindModel
from recombine.models.exclusion.known_pairs import KnownPairs
from recombine.models.exclusion.name_encoder import NameEncoder
from recombine.models.exclusion.name_pairs import KINDS, RELATION
from recombine.models.exclusion.pair_net import PairNet
from recombine.scenes.related.learned import LEARNED_EXCLUSION

if TYPE_CHECKING:
    from collections.abc import Mapping

WEIGHTS = "exclusion.npz"
FORM = "exclusion/1"
_REMEDY = "give a folder that `recombine scenes exclusion` made"


@dataclass(eq=False)
class ExclusionModel:
    """Whether what is seen rules out what is asked, as it was learned from pairs."""

    kinds: Mapping[str, KindModel]
    notes: Mapping[str, Any] = field(default_factory=dict)
    """How it was made, and how good it is at what was held out."""
    _known: dict[tuple[str, str, str], bool] = field(default_factory=dict, repr=False)

    def noun(self, asked: str, seen: str) -> bool:
        """Whether no object is both."""
        return self._excludes("noun", asked, seen)

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether no object has both."""
        return self._excludes("attribute", asked, seen)

    def relation(self, asked: str, seen: str) -> bool:
        """Whether what is seen rules out what is asked."""
        return self._excludes(RELATION, asked, seen)

    def _excludes(self, kind: str, asked: str, seen: str) -> bool:
        key = (kind, asked, seen)
        if key not in self._known:
            self._known[key] = bool(self.kinds[kind].probabilities([(asked, seen)])[0] > SURE)
        return self._known[key]

    def save(self, folder: Path | str) -> None:
        """Write it; the file that tells what it is comes last."""
        path = make_folder(folder)
        arrays: dict[str, Any] = {}
        for kind, model in self.kinds.items():
            arrays |= {f"{kind}.{name}": value for name, value in model.net.weights.items()}
            arrays[f"{kind}.said"] = model.known.said
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)
        write_whole(path / WEIGHTS, stream.getvalue())
        encoder = next((model.encoder for model in self.kinds.values() if model.encoder is not None), None)
        record = {
            "form": FORM,
            "notes": self.notes,
            "encoder": None if encoder is None else {"folder": str(encoder.folder.resolve()), "digest": encoder.digest},
            "kinds": {
                kind: {"parts": model.parts, "names": list(model.known.names), "ordered": model.net.ordered}
                for kind, model in self.kinds.items()
            },
        }
        write_whole(path / LEARNED_EXCLUSION, json.dumps(record, ensure_ascii=False).encode() + b"\n")


def load_exclusion_model(folder: Path | str) -> ExclusionModel:
    """The model of a folder; one that is not whole is refused."""
    path = Path(folder)
    if not (path / LEARNED_EXCLUSION).is_file():
        raise InputFileError(f"{path}: holds no exclusion model, since it has no {LEARNED_EXCLUSION}", _REMEDY)
    try:
        said = json.loads(read_text(path / LEARNED_EXCLUSION))
        if said["form"] != FORM:
            raise InputFileError(f"{path}: is of the form {said['form']!r}", _REMEDY)
        with np.load(io.BytesIO(read_bytes(path / WEIGHTS)), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        encoder = _encoder(said["encoder"])
        kinds = {kind: _kind(kind, each, arrays, encoder) for kind, each in said["kinds"].items()}
        return ExclusionModel(kinds, said["notes"])
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise InputFileError(f"{path}: holds no whole exclusion model ({error})", _REMEDY) from None


def read_named_exclusion(folder: Path) -> tuple[str, ExclusionModel]:
    """A learned exclusion for scenes, with a name that tells it from others; it must know all three kinds."""
    from recombine.models.model_file import file_digest

    model = load_exclusion_model(folder)
    missing = [kind for kind in KINDS if kind not in model.kinds]
    if missing:
        raise InputFileError(f"{folder}: has learned nothing of {missing[0]}s", "learn from pairs of all three kinds")
    return f"learned@{file_digest(folder / WEIGHTS)[:8]}", model


def _encoder(said: dict[str, str] | None) -> NameEncoder | None:
    if said is None:
        return None
    encoder = NameEncoder.of(said["folder"])
    encoder.check(said["digest"])
    return encoder


def _kind(kind: str, said: dict[str, Any], arrays: dict[str, Any], encoder: NameEncoder | None) -> KindModel:
    weights = {name.partition(".")[2]: value for name, value in arrays.items() if name.partition(".")[0] == kind}
    known = KnownPairs(said["names"], weights.pop("said"))
    return KindModel(kind, said["parts"], known, PairNet(said["ordered"], weights), encoder)
