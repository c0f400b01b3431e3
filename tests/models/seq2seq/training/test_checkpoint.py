"""Checkpoints are safetensors files, whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="needs torch")

from recombine.errors import InputFileError  # noqa: E402
from recombine.models.seq2seq.training.checkpoint import load_checkpoint, save_checkpoint  # noqa: E402

TENSORS = {"a": torch.arange(6.0).view(2, 3), "step": torch.tensor([7]), "none": torch.zeros(0, 4)}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    save_checkpoint(path, TENSORS, {"note": "é"})
    found, metadata = load_checkpoint(path)
    assert metadata == {"note": "é"}
    assert list(found) == list(TENSORS)
    for name, tensor in TENSORS.items():
        assert found[name].dtype == tensor.dtype
        assert torch.equal(found[name], tensor)
    assert [p.name for p in tmp_path.iterdir()] == ["x.safetensors"]


def test_the_library_reads_it_and_we_read_the_library(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.torch", reason="needs safetensors")
    save_checkpoint(tmp_path / "ours.safetensors", TENSORS)
    found = library.load_file(tmp_path / "ours.safetensors")
    library.save_file(TENSORS, tmp_path / "theirs.safetensors")
    again, _ = load_checkpoint(tmp_path / "theirs.safetensors")
    for name, tensor in TENSORS.items():
        assert torch.equal(found[name], tensor)
        assert torch.equal(again[name], tensor)


def test_half_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    save_checkpoint(path, TENSORS)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(InputFileError, match="not a whole checkpoint"):
        load_checkpoint(path)
