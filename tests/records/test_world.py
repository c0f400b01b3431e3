"""Worlds are known by kind and digest; a missing or other one is refused in one line."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from toy_world import write_toy

from recombine.errors import InputFileError, UnknownNameError
from recombine.records.world import WorldKind, WorldReference, make_reference, register_world, world_digest, world_name

pytestmark = pytest.mark.usefixtures("toy_kind")


def test_a_reference_opens_the_world_of_its_digest(tmp_path: Path) -> None:
    path = write_toy(tmp_path / "facts.toy.json", sky="blue")
    reference = make_reference(path)
    assert (reference.kind, reference.sha256) == ("toy", world_digest(path))
    world = reference.open()
    assert world_name(world) == world_name(reference) == reference.name
    write_toy(path, sky="grey")
    with pytest.raises(InputFileError, match=r"the toy there has the digest \w{16}…, not \w{16}…; give the world") as e:
        reference.open()
    assert "\n" not in str(e.value)
    path.unlink()
    with pytest.raises(InputFileError, match=r"facts.toy.json: there is no such world; name the file or folder"):
        reference.open()


def test_a_gzipped_world_is_what_it_unpacks_to(tmp_path: Path) -> None:
    path = write_toy(tmp_path / "facts.toy.json", sky="blue")
    (tmp_path / "packed.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert world_digest(tmp_path / "packed.gz") == world_digest(path)
    (tmp_path / "broken.gz").write_bytes(gzip.compress(path.read_bytes())[:-9])
    with pytest.raises(InputFileError, match="not a whole gzip file"):
        world_digest(tmp_path / "broken.gz")


def test_the_digest_of_a_folder_is_of_names_and_contents(tmp_path: Path) -> None:
    digests = []
    for names in (("a", "b"), ("a", "c"), ("b", "a")):
        folder = tmp_path / "".join(names)
        folder.mkdir()
        for number, name in enumerate(names):
            (folder / name).write_text(str(number))
        digests.append(world_digest(folder))
    assert len(set(digests)) == 3


def test_the_kind_must_be_clear(toy_kind: WorldKind, tmp_path: Path) -> None:
    path = write_toy(tmp_path / "facts.toy.json", sky="blue")
    (tmp_path / "facts.txt").write_text("blue")
    with pytest.raises(
        InputFileError, match="recognised by none of geoquery, kb, scenes, toy, so the kind of world is not"
    ):
        make_reference(tmp_path / "facts.txt")
    with pytest.raises(UnknownNameError, match="unknown kind of world 'toi'; did you mean 'toy'"):
        make_reference(path, "toi")
    register_world(replace(toy_kind, name="other"))
    with pytest.raises(InputFileError, match="recognised by toy and other"):
        make_reference(path)
    assert make_reference(path, "other") == WorldReference("other", str(path), world_digest(path))
