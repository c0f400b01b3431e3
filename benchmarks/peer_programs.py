"""Programs that others have published for the same work, run as they are where their checkouts are named.

    RECOMBINE_PEER_NQG     a checkout of google-research/language, with `language/compgen/nqg`
    RECOMBINE_PEER_DBCA    a checkout of anmoisio/morphogen-dbca, with `divide.py`
    RECOMBINE_PEER_PYTHON  the Python that runs them, where it is not this one: NQG wants absl-py, DBCA torch and tqdm

Nothing is fetched, and nothing of theirs is part of this repository. They get the same examples, and DBCA the very
matrices of atoms and compounds that the search here has; what they give is measured here. NQG's programs open files by
TensorFlow, whose import takes longer than their work: Python's own `open` stands in for that, to their advantage.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import recombine
from recombine.records.dataset import Dataset
from recombine.records.signature import Signature
from recombine.records.split import Split
from recombine.structures.dataset_features import DatasetFeatures
from recombine.structures.features import Features

PYTHON = "RECOMBINE_PEER_PYTHON"
NQG_DRIVER = """
import runpy, sys, types
tensorflow, io, gfile = (types.ModuleType(name) for name in ("tensorflow", "tensorflow.io", "tensorflow.io.gfile"))
gfile.GFile, io.gfile, tensorflow.io = open, gfile, io
for module in (tensorflow, io, gfile):
    sys.modules[module.__name__] = module
sys.path.insert(0, sys.argv[1])
sys.argv = sys.argv[2:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
SCAN_SIZES = {"train": 8365, "test": 1045}
GEOQUERY_TRAIN = 440


class Peer(NamedTuple):
    """One program: where it is, what it is given, and what is measured of what it gives."""

    name: str
    variable: str
    file: str
    """What its checkout must have."""
    prepare: Callable[[Path, Path], list[str]]
    """Writes what it reads to a folder, given its checkout; the command."""
    result: Callable[[Path], dict[str, Any]]
    """What it gave, of the files that it left in the folder."""

    def checkout(self) -> Path | None:
        """Where it lies; none where that is not said, or it is not there."""
        named = os.environ.get(self.variable)
        return Path(named) if named and (Path(named) / self.file).is_file() else None

    def why_not(self) -> str:
        """Why it is not measured."""
        named = os.environ.get(self.variable)
        return f"{named} has no {self.file}" if named else f"{self.variable} names no checkout"


def peer_python() -> str:
    """The Python that runs peers."""
    return os.environ.get(PYTHON) or sys.executable


def _nqg(checkout: Path, module: str, *flags: str) -> list[str]:
    return [peer_python(), "-c", NQG_DRIVER, str(checkout), f"language.compgen.nqg.{module}", *flags]


def _write_pairs(data: Dataset, folder: Path) -> Path:
    path = folder / "pairs.tsv"
    path.write_text("".join(f"{example.source}\t{example.target}\n" for example in data), encoding="utf-8")
    return path


def _induce_scan(checkout: Path, folder: Path) -> list[str]:
    pairs = _write_pairs(recombine.load("scan"), folder)
    flags = ("--sample_size=500", "--terminal_codelength=32", "--allow_repeated_target_nts=true")  # as its README has
    return _nqg(
        checkout, "model.induction.induce_rules", f"--input={pairs}", f"--output={folder / 'rules.txt'}", *flags
    )


def _rules(folder: Path) -> dict[str, Any]:
    lines = (folder / "rules.txt").read_text(encoding="utf-8").splitlines()
    return {"rules": sum(1 for line in lines if line.strip())}


def _tmcd(checkout: Path, folder: Path) -> list[str]:
    pairs = _write_pairs(recombine.load("geoquery/funql"), folder)
    outputs = (f"--output_1={folder / 'train.tsv'}", f"--output_2={folder / 'test.tsv'}")
    flags = (f"--input={pairs}", *outputs, f"--num_examples_1={GEOQUERY_TRAIN}", "--seed=1")
    return _nqg(checkout, "tasks.geoquery.gen_tmcd_split", *flags)


def _tmcd_result(folder: Path) -> dict[str, Any]:
    data = recombine.load("geoquery/funql")
    ids: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for example in data:
        ids[example.source, example.target].append(example.id)
    parts = {}
    for part in ("train", "test"):
        rows = [line.split("\t") for line in (folder / f"{part}.tsv").read_text(encoding="utf-8").splitlines()]
        parts[part] = tuple(ids[source, target].pop(0) for source, target in rows)
    return divergences(data, parts, "tmcd:geoquery")


def _divide(checkout: Path, folder: Path) -> list[str]:
    features = recombine.features("scan", "dag:2-4,counts")
    write_matrices(recombine.load("scan"), features, folder)
    chosen = sum(SCAN_SIZES.values())
    share = SCAN_SIZES["test"] / chosen
    return [
        *(peer_python(), str(checkout / "divide.py"), "--data-dir", str(folder), "--compound-divergences", "1.0"),
        *("--min-test-percent", str(share), "--max-test-percent", str(share), "--random-seed", "1"),
        *("--leave-out", str(1 - (chosen + 1) / features.atoms.shape[0]), "--max-iters", str(chosen - 2)),
        *("--subsample-size", "1000", "--subsample-iter", "50"),
    ]


def write_matrices(data: Dataset, features: DatasetFeatures, folder: Path) -> None:
    """Atoms and compounds in the form that `divide.py` reads, pickles among it."""
    import torch

    for name, numbers, half in (
        ("atom_freqs", "atom_ids", features.atoms),
        ("compound_freqs", "com_ids", features.compounds),
    ):
        torch.save(_sparse(half), folder / f"{name}.pt")
        with (folder / f"{numbers}.pkl").open("wb") as stream:
            pickle.dump({each: number for number, each in enumerate(half.names)}, stream)
    (folder / "used_sent_ids.txt").write_text("".join(f"{example.id}\n" for example in data))


def _sparse(half: Features) -> Any:
    import numpy as np
    import torch

    rows = np.repeat(np.arange(half.shape[0]), np.diff(half.indptr))
    places = torch.from_numpy(np.stack([rows, half.indices.astype(np.int64)]))
    return torch.sparse_coo_tensor(
        places, torch.from_numpy(half.data.astype(np.float32)), half.shape, check_invariants=True
    ).coalesce()


def _divide_result(folder: Path) -> dict[str, Any]:
    parts = {}
    for part in ("train", "test"):
        files = sorted(
            folder.rglob(f"{part}_set_iter*.txt"), key=lambda path: int(path.name.split("iter")[1].split("_")[0])
        )
        parts[part] = tuple(files[-1].read_text().split())
    return divergences(recombine.load("scan"), parts, "dag:2-4,counts")


def divergences(data: Dataset, parts: dict[str, tuple[str, ...]], structures: str) -> dict[str, Any]:
    """Divergences of a split as they are measured here, and its sizes."""
    split = Split(parts, data.name, data.hash, Signature.of(data=data, by="a peer"), reading=data.reading)
    measured = recombine.measure(data, split, structures=structures).to_dict()
    kept = {name: measured[name] for name in ("compound_divergence", "atom_divergence")}
    return {**kept, **{name: len(ids) for name, ids in parts.items()}}


NQG = ("RECOMBINE_PEER_NQG", "language/compgen/nqg/tasks/tsv_utils.py")
PEERS = {
    "induce scan": Peer("nqg's induce_rules", *NQG, _induce_scan, _rules),
    "tmcd geoquery": Peer("nqg's gen_tmcd_split", *NQG, _tmcd, _tmcd_result),
    "mcd scan": Peer("dbca's divide.py", "RECOMBINE_PEER_DBCA", "divide.py", _divide, _divide_result),
}
"""The programs, by the line of the page that they are beside."""
