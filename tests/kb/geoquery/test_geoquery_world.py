"""GeoQuery's facts as a world."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from recombine.data_directory import data_file
from recombine.errors import InputFileError
from recombine.kb.geoquery.geobase import FILE
from recombine.kb.geoquery.geoquery_world import PUBLISHED, GeoqueryWorld
from recombine.records.world import make_reference, world_digest

FACTS = "% rivers\nriver('red', 1638, ['texas']).\n"


def test_facts_are_recognised_and_opened(tmp_path: Path) -> None:
    (tmp_path / "facts.pl").write_text(FACTS)
    (tmp_path / "facts.pl.gz").write_bytes(gzip.compress(FACTS.encode()))
    for name in ("facts.pl", "facts.pl.gz"):
        reference = make_reference(tmp_path / name)
        world = reference.open()
        assert isinstance(world, GeoqueryWorld)
        assert (world.kind, world.digest) == ("geoquery", world_digest(tmp_path / "facts.pl"))
        assert len(world.geography.kinds["river"]) == 1


@pytest.mark.parametrize(("name", "text"), [("facts.pl", "likes(mary, wine).\n"), ("facts.txt", FACTS)])
def test_other_prolog_is_not_recognised(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputFileError, match="the kind of world is not clear"):
        make_reference(tmp_path / name)


@pytest.mark.shared_data
def test_the_published_facts_have_the_published_digest(data_dir: Path) -> None:
    assert world_digest(data_file(FILE, "a test")) == PUBLISHED
