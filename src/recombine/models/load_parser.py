"""A parser that `recombine train` has kept, whatever its family."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recombine.errors import InputFileError
from recombine.models.known import find_form
from recombine.models.model_file import read_model_file
from recombine.records.signature import Signature
from recombine.records.world import world_text

if TYPE_CHECKING:
    from recombine.models.family import Family
    from recombine.records.world import World, WorldReference

_REMEDY = "give a folder that `recombine train` made"


def read_record(folder: Path | str) -> dict[str, Any]:
    """What the folder of a parser says of it; `kind` is added: the name of its family."""
    record = read_model_file(folder)
    return {**record, "kind": _family(record, folder).name}


def find_saved_family(folder: Path | str) -> Family:
    """The family of the parser in a folder."""
    return _family(read_model_file(folder), folder)


def _family(record: dict[str, Any], folder: Path | str) -> Family:
    family = find_form(record["form"].rpartition("/")[0])
    if family is None or family.load is None:
        raise InputFileError(f"{folder}: holds no parser, but {record['form']!r}", _REMEDY)
    return family


def digest(folder: Path | str) -> str:
    """A digest of how a parser was made; unlike that of its weights, it is the same on all platforms."""
    return signature_digest(str(read_record(folder).get("signature")))


def signature_digest(signature: str) -> str:
    """A digest of how a parser was made, from its signature."""
    return hashlib.blake2b(signature.encode(), digest_size=4).hexdigest()


def saved_world(folder: Path | str) -> str:
    """The world that the parser in a folder was fitted over, as `kind@digest`; empty where there was none."""
    return signature_world(str(read_model_file(folder).get("signature") or ""))


def signature_world(signature: str) -> str:
    """The world that a signature of a parser tells of."""
    return Signature.parse(signature).get("world") if signature else ""


def check_world(name: str, then: str, world: World | WorldReference | None) -> None:
    """Refuse a parser that was fitted over the world `then` where the data has another one, or none."""
    now = world_text(world)
    if then and then != now:
        raise InputFileError(
            f"{name}: the parser was fitted over the world {then}, and the data has {now or 'none'}",
            "give that world with --world",
        )


def load_parser(folder: Path | str, *, device: str = "") -> Any:
    """The parser in a folder; `device` is for those that need torch. `Family.adapted` makes it one of examples."""
    family = find_saved_family(folder)
    assert family.load is not None  # noqa: S101  # `find_saved_family` refuses it
    return family.load(Path(folder), device)
