"""Generated data as a folder of Parquet parts, made in blocks by the workers of a cluster.

The stream is that of blocks of 25,000 draws, one after the other; each has a seed made from the seed and its number,
and the first has the seed itself, so that the first 25,000 examples are those that one process makes. A pair that an
earlier block has is dropped. So the data depends on the seed and the number of examples alone, not on workers or parts.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.datasets.files.tables import write_table
from recombine.datasets.generators import find_generator
from recombine.errors import OptionError, OutputFileError, SizeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from recombine.cluster.session import Session

DRAWS = 25_000
"""The examples of a block."""
PART = 250_000
"""The examples of a part."""
TRIES = 50
"""How many times as many blocks as are wanted are drawn before it is given up."""


@dataclass(frozen=True)
class GeneratedParts:
    """What was counted on the way."""

    examples: int
    same_pair_dropped: int
    rules: int | None
    parts: int


def check_folder_writable(path: Path | str) -> Path:
    """The path, when a folder can be made there."""
    path = Path(path)
    if path.exists():
        raise OutputFileError(f"{path}: is there already", "remove it, or choose another name")
    if path.suffix:
        raise OutputFileError(f"{path}: a cluster writes a folder of parts", "give a name with no suffix")
    if not path.parent.is_dir():
        raise OutputFileError(f"{path}: the directory {path.parent} does not exist", "make it first")
    return path


def generate_parts(
    session: Session,
    what: str,
    folder: Path | str,
    *,
    n: int,
    seed: int,
    options: Mapping[str, Any],
    draws: int = DRAWS,
    part: int = PART,
) -> GeneratedParts:
    """Write `n` distinct examples as parts of so many; the folder is there whole or not at all."""
    if n < 1:
        raise OptionError(f"cannot make {n} examples", "give a count of 1 or more")
    folder = check_folder_writable(folder)
    try:
        temporary = Path(tempfile.mkdtemp(dir=folder.resolve().parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise OutputFileError(f"{folder}: cannot be made ({error.strerror})", "choose another place") from error
    try:
        blocks, made, rules = _draw(session, what, temporary / "blocks", n, seed, options, min(draws, n))
        kept = _first_of_each(np.concatenate(blocks))[:n]
        starts = np.concatenate(([0], np.cumsum([len(block) for block in blocks])))
        tasks = []
        for number, first in enumerate(range(0, n, part)):
            rows = _places(kept[first : first + part], starts, temporary / "blocks")
            tasks.append((str(made / f"part-{number:05d}.parquet"), rows))
        session.map("writing parts", "generate_parts:write_part", tasks)
        made.chmod(0o755)
        made.replace(folder)
    except OSError as error:
        raise OutputFileError(f"{folder}: cannot be written ({error.strerror})", "choose another place") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return GeneratedParts(n, int(kept[-1]) + 1 - n, rules, len(tasks))


def _draw(
    session: Session, what: str, folder: Path, n: int, seed: int, options: Mapping[str, Any], draws: int
) -> tuple[list[NDArray[np.uint64]], Path, int | None]:
    """The ids of the blocks that give enough distinct examples, where parts are put, and the number of rules."""
    folder.mkdir()
    made = folder.parent / "parts"
    made.mkdir()
    blocks: list[NDArray[np.uint64]] = []
    distinct = 0
    rules: int | None = None
    while distinct < n:
        if len(blocks) * draws > TRIES * n:
            raise SizeError(
                f"{len(blocks) * draws} draws gave {distinct} distinct examples, not {n}",
                "ask for fewer, or give the rules other weights",
            )
        share = distinct / (len(blocks) * draws) if blocks else 1.0
        more = int(np.ceil((n - distinct) / (draws * max(share, 0.1))))
        tasks = [
            (what, dict(options), draws, block_seed(seed, number), str(folder / f"{number:07d}.parquet"))
            for number in range(len(blocks), len(blocks) + more)
        ]
        drawn = session.map("deriving", "generate_parts:draw_block", tasks)
        blocks += [ids for ids, _ in drawn]
        rules = drawn[0][1]
        distinct = len(np.unique(np.concatenate(blocks)))
    return blocks, made, rules


def block_seed(seed: int, number: int) -> int:
    """The seed of a block.

    >>> block_seed(7, 0), block_seed(7, 1) == block_seed(8, 1)
    (7, False)
    """
    if number == 0:
        return seed
    return int.from_bytes(hashlib.blake2b(f"{seed} {number}".encode(), digest_size=8).digest(), "little")


def draw_block(
    what: str, options: Mapping[str, Any], draws: int, seed: int, path: str
) -> tuple[NDArray[np.uint64], int | None]:
    """Write the examples of a block to a file; their ids as numbers, and how many rules there are."""
    generated = find_generator(what, **options).generate(draws, seed=seed)
    examples = list(generated)
    if generated.identity or generated.world is not None or any(example.context for example in examples):
        raise OptionError(f"{what} makes examples with contexts, which parts do not hold", "leave out --cluster")
    write_table(examples, path)
    return np.array([int(example.id, 16) for example in examples], np.uint64), generated.rules


def _first_of_each(ids: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The places where an id stands for the first time, in their order."""
    firsts: NDArray[np.int64] = np.sort(np.unique(ids, return_index=True)[1])
    return firsts


def _places(rows: NDArray[np.int64], starts: NDArray[np.int64], folder: Path) -> list[tuple[str, NDArray[np.int64]]]:
    """The files of the blocks that some rows of the stream are in, and their rows there."""
    owners = np.searchsorted(starts, rows, side="right") - 1
    return [
        (str(folder / f"{number:07d}.parquet"), rows[owners == number] - starts[number])
        for number in np.unique(owners).tolist()
    ]


def write_part(path: str, places: Sequence[tuple[str, NDArray[np.int64]]]) -> None:
    """Write a part of rows from files of blocks, whole or not at all."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    temporary = Path(f"{path}.{hashlib.blake2b(path.encode(), digest_size=4).hexdigest()}")
    tables = [pq.read_table(block).take(pa.array(rows)) for block, rows in places]
    pq.write_table(pa.concat_tables(tables, promote_options="default"), temporary)
    temporary.replace(path)
