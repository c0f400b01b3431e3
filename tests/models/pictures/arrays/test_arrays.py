"""Arrays written and read back: nothing is lost, and what is damaged is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from recombine.errors import InputFileError, OptionError
from recombine.models.pictures.arrays.array_file import arrays_digest
from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.question_arrays import QuestionArrays
from recombine.models.pictures.arrays.words import Words, padded

FEW = np.array([[[0, 0, 0], [255, 10, 3]], [[255, 10, 3], [1, 2, 254]]], dtype=np.uint8)


def pictures(pixels: np.ndarray) -> PictureArrays:
    boxes = np.array([[[0, 0, 0.5, 1], [0.25, 0, 1, 1]]] * len(pixels), dtype=np.float32)
    return PictureArrays(
        [f"s{place}" for place in range(len(pixels))], pixels, boxes, np.full(len(pixels), 2, np.int16)
    )


def test_pictures_come_back(tmp_path: Path) -> None:
    made = pictures(np.stack([FEW, FEW[::-1]]))
    made.names, made.name_list = np.array([[0, -1], [1, 0]], dtype=np.int16), ["cap", "tree"]
    made.attribute_list = [f"a{place}" for place in range(9)]
    made.attributes = np.random.default_rng(0).random((2, 2, 9)) < 0.5
    made.write(tmp_path / "p.npz")
    back = PictureArrays.read(tmp_path / "p.npz")
    assert set(made.packed()) >= {"indices", "palette"}
    for name in ("pixels", "boxes", "regions", "names", "attributes"):
        assert np.array_equal(getattr(back, name), getattr(made, name)), name
        assert getattr(back, name).dtype == getattr(made, name).dtype
    assert (back.ids, back.name_list, back.attribute_list) == (made.ids, made.name_list, made.attribute_list)
    assert back.digest() == made.digest()
    assert back.rows([1]).ids == ["s1"]
    bare = made.without_names()
    bare.write(tmp_path / "p.npz")
    assert PictureArrays.read(tmp_path / "p.npz").names is None
    assert set(bare.packed()) == {"ids", "boxes", "regions", "indices", "palette"}


def test_photographs_of_many_colors_come_back(tmp_path: Path) -> None:
    many = np.random.default_rng(0).integers(0, 256, (2, 20, 20, 3), dtype=np.uint8)
    made = pictures(many)
    assert "indices" not in made.packed()
    made.write(tmp_path / "p.npz")
    assert np.array_equal(PictureArrays.read(tmp_path / "p.npz").pixels, many)
    exact = np.arange(256, dtype=np.uint8).repeat(3).reshape(1, 16, 16, 3)
    assert "indices" in pictures(exact).packed()
    assert np.array_equal(PictureArrays.unpacked(pictures(exact).packed()).pixels, exact)


def test_a_digest_tells_arrays_apart() -> None:
    one = {"a": np.array([1, 2], dtype=np.int16)}
    same = {"a": np.array([1, 2], dtype=np.int16)}
    assert arrays_digest(one) == arrays_digest(same)
    for other in (
        {"b": one["a"]},
        {"a": np.array([2, 1], dtype=np.int16)},
        {"a": np.array([[1, 2]], dtype=np.int16)},
        {"a": np.array([1, 2], dtype=np.uint16)},
    ):
        assert arrays_digest(other) != arrays_digest(one)


def test_questions_and_texts_come_back(tmp_path: Path) -> None:
    asked = QuestionArrays(
        np.array([[2, 3], [4, 0]], dtype=np.int16),
        np.array([[0, 1, -1, -1, -1], [1, -1, -1, -1, -1]], dtype=np.int32),
        np.array([0, -1], dtype=np.int16),
        np.array([5, -1], dtype=np.int32),
        np.array([1, 0], dtype=np.int16),
        ["ab12", "ab12#2"],
        ["COUNT", "QUERYATTR"],
    )
    asked.write(tmp_path / "q.npz")
    back = QuestionArrays.read(tmp_path / "q.npz")
    for name in ("tokens", "pictures", "answer", "pair", "template"):
        assert np.array_equal(getattr(back, name), getattr(asked, name)), name
    assert (back.ids, back.templates, back.outside) == (asked.ids, asked.templates, 1)
    assert back.pictures.dtype == np.int32
    assert back.rows([1]).ids == ["ab12#2"]
    text = GroundingArrays(
        asked.tokens,
        np.array([0, 1], dtype=np.int32),
        np.array([[1], [0]], dtype=np.int16),
        np.array([[1 << 31], [0]], dtype=np.uint32),
        np.zeros((2, 1), dtype=np.int8),
        np.array([1, 0], dtype=np.int8),
    )
    text.write(tmp_path / "g.npz")
    assert GroundingArrays.read(tmp_path / "g.npz").digest() == text.digest()
    assert text.rows([0]).digest() != text.digest()


def test_a_file_that_is_missing_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    with pytest.raises(InputFileError, match=r"p\.npz: no such file of arrays; export the study again"):
        PictureArrays.read(path)
    pictures(np.stack([FEW])).write(path)
    content = path.read_bytes()
    for broken in (b"", content[: len(content) // 2], content[:200] + b"\xff" * 60 + content[260:]):
        path.write_bytes(broken)
        with pytest.raises(InputFileError, match=r"p\.npz: is no whole file of arrays"):
            PictureArrays.read(path)
    np.savez(path, ids=np.array([{}], dtype=object))  # a pickle would be run when it is read
    with pytest.raises(InputFileError, match="allow_pickle"):
        PictureArrays.read(path)


def test_words() -> None:
    words = Words.of(["a red T-shirt?", "Red"])
    assert words.listed == ("", "<unknown>", "?", "a", "red", "t-shirt")
    assert words.table(["a red cap", "T-shirt?"]).tolist() == [[3, 4, 1], [5, 2, 0]]
    more = words.with_more(["the red cap"])
    assert more.listed[: len(words)] == words.listed
    assert more.numbers("the cap a") == (7, 6, 3)
    assert padded([], fill=-1).shape == (0, 1)
    with pytest.raises(OptionError, match="a text has 121 words"):
        words.table(["a " * 121])
