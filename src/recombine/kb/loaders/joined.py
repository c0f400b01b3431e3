"""Relations that were joined over a node in their middle, as FB15k-237 has them, and the way back.

`/tv/tv_program/regular_cast./tv/regular_tv_appearance/actor` was two relations over a node for the appearance, which
the data set left out. `split` puts a made-up node there for each triple. Its name is made from the triple alone, so
that the same triple gives the same node in every file and on every machine.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from recombine.errors import UnknownNameError
from recombine.kb.loaders.triple_batch import SCHEMA

JOINED = ("keep", "split")
MIDDLE = b"=middle/"
"""What the key of a made-up node begins with."""
_JOINT = b"./"


def check_joined(joined: str) -> str:
    """The choice, when it is one."""
    if joined not in JOINED:
        raise UnknownNameError("way with joined relations", joined, JOINED)
    return joined


def split_joined(batch: Any) -> Any:
    """A batch with each triple of a joined relation as a chain of triples over made-up nodes."""
    if not pc.any(pc.match_substring(batch.column(1), _JOINT.decode())).as_py():
        return batch
    subjects: list[bytes] = []
    relations: list[bytes] = []
    targets: list[bytes] = []
    for subject, relation, target in zip(*(column.to_pylist() for column in batch.columns), strict=True):
        if _JOINT not in relation:
            subjects.append(subject)
            relations.append(relation)
            targets.append(target)
            continue
        steps = _steps(relation)
        middle = _middles(subject, relation, target, len(steps) - 1)
        subjects += [subject, *middle]
        relations += steps
        targets += [*middle, target]
    return pa.RecordBatch.from_arrays(
        [pa.array(column, pa.large_binary()) for column in (subjects, relations, targets)], schema=SCHEMA
    )


def _steps(relation: bytes) -> list[bytes]:
    """The keys of the relations that were joined: `a./b./c` is `a`, `/b` and `/c`."""
    first, *others = relation.split(_JOINT)
    return [first, *(relation[:1] + b"/" + other for other in others)]


def _middles(subject: bytes, relation: bytes, target: bytes, number: int) -> list[bytes]:
    """The keys of the nodes between a subject and a target, each from the whole triple and its place."""
    name = blake2b(b"\0".join((subject, relation, target)), digest_size=16).hexdigest().encode()
    return [MIDDLE + name if place == 0 else b"%s%s.%d" % (MIDDLE, name, place) for place in range(number)]
