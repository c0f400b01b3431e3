"""Trains a verifier from a folder of arrays, where only torch and numpy are.

    python -m recombine.models.pictures.verifier.run FOLDER --other OTHER.npz --out DIR [--device cuda] [--minutes 8]

FOLDER has what `VerifierArrays.write` writes; OTHER are pictures with names, which the detector learns from. DIR gets
the verifier, and `judged.npz`: for each pair the presence by the reader that did not see its picture.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.models.device import choose_device, device_name
from recombine.models.pictures.arrays.array_file import write_arrays
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.training.loop import Loop
from recombine.models.pictures.training.train_detector import train_detector
from recombine.models.pictures.verifier.save_trained import save_trained
from recombine.models.pictures.verifier.train_verifier import SETTINGS, train_verifier
from recombine.models.pictures.verifier.verifier_arrays import read_verifier_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, train, write."""
    options = _parse(arguments)
    began = time.monotonic()
    device = choose_device(options.device)
    arrays = read_verifier_arrays(options.folder)
    given = dict(each.split("=", 1) for each in options.set)
    settings = PictureSettings.from_dict({**SETTINGS, **{name: _number(value) for name, value in given.items()}})
    detector = train_detector(PictureArrays.read(options.other), settings, seed=options.seed, device=device)
    features = detector.features(arrays.pictures, device=device)
    print(f"detector trained and used in {time.monotonic() - began:.1f} s", flush=True)
    loop = Loop(
        options.work, deadline=began + options.minutes * 60, say=lambda text: print(text, flush=True), sample=100_000
    )
    trained = train_verifier(features, arrays, settings=settings, seed=options.seed, device=device, loop=loop)
    if trained is None:
        print("time is over", flush=True)
        return 3
    presence = trained.judge(arrays)
    save_trained(
        options.out,
        trained,
        detector,
        arrays,
        presence,
        settings=settings,
        device=device_name(device),
        seconds=time.monotonic() - began,
        half=device.startswith("cuda"),
    )
    write_arrays(options.out / "judged.npz", {"presence": presence})
    print(f"done, {time.monotonic() - began:.0f} s", flush=True)
    return 0


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--other", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=None)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
