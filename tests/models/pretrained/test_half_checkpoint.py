"""A checkpoint in half precision: the numbers are rounded, all else is as it was; broken files are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError
from recombine.models.pretrained.half_checkpoint import write_half_checkpoint

safetensors = pytest.importorskip("safetensors.numpy")
TENSORS = {
    "weights": np.linspace(-3, 3, 12, dtype=np.float32).reshape(3, 4),
    "places": np.arange(5, dtype=np.int64),
    "wide": np.array([1 / 3], np.float64),
    "nothing": np.empty((0, 2), np.float32),
}


def checkpoint(folder: Path, tensors: dict[str, np.ndarray]) -> Path:  # type: ignore[type-arg]
    """A folder with weights, a configuration, and something besides."""
    folder.mkdir()
    safetensors.save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    (folder / "config.json").write_text("{}")
    (folder / "README.md").write_text("read")
    return folder


def test_weights_are_halved(tmp_path: Path) -> None:
    size = write_half_checkpoint(checkpoint(tmp_path / "one", TENSORS), tmp_path / "half")
    back = safetensors.load_file(tmp_path / "half" / "model.safetensors")
    assert {name: (array.dtype, array.shape) for name, array in back.items()} == {
        "weights": (np.float16, (3, 4)),
        "places": (np.int64, (5,)),
        "wide": (np.float16, (1,)),
        "nothing": (np.float16, (0, 2)),
    }
    for name, array in TENSORS.items():
        assert back[name].tolist() == array.astype(back[name].dtype).tolist()
    assert sorted(path.name for path in (tmp_path / "half").iterdir()) == ["config.json", "model.safetensors"]
    assert size == sum(path.stat().st_size for path in (tmp_path / "half").iterdir())


def test_what_has_no_room_or_is_broken_is_refused(tmp_path: Path) -> None:
    large = checkpoint(tmp_path / "large", {"w": np.array([1e6], np.float32)})
    with pytest.raises(InputFileError, match="w has weights beyond half precision"):
        write_half_checkpoint(large, tmp_path / "half")
    cut = checkpoint(tmp_path / "cut", TENSORS)
    path = cut / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(InputFileError, match="no whole file of safetensors"):
        write_half_checkpoint(cut, tmp_path / "half")
    path.unlink()
    with pytest.raises(InputFileError, match=r"has no \*.safetensors"):
        write_half_checkpoint(cut, tmp_path / "half")
