"""The list of sources: every file has an original that is pinned, a licence and a conversion that there is."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest
from small_sources import small_sources

from recombine.datasets.catalogue import CATALOGUE
from recombine.datasets.downloads.conversions.known import CONVERSIONS, find_conversion
from recombine.datasets.downloads.samples.read_sample import read_sample
from recombine.datasets.downloads.sources import Source, read_sources
from recombine.datasets.published.digests import published
from recombine.errors import UnknownNameError
from recombine.files import read_bytes

SOURCES = read_sources()


def test_every_original_is_pinned() -> None:
    originals = [original for source in SOURCES.sources for _, original in source.originals]
    assert all(len(original.commit) == 40 and original.repository.count("/") == 1 for original in originals)
    assert all(len(original.sha256) == 64 and original.bytes for original in originals if not original.git_blob)
    assert all(len(original.git_blob) in (0, 40) and original.licence for original in originals)
    # Counted in the list of sources that the project was given: 89 distinct originals of files, 304 in groups, and 10
    # of which git's id alone is known.
    assert len({original.address for original in originals}) == 403
    assert len({original.address for original in originals if original.git_blob}) == 10


def test_every_file_is_made_by_a_conversion() -> None:
    assert len({source.file for source in SOURCES.sources}) == len(SOURCES.sources) == 185
    assert {source.conversion for source in SOURCES.sources} == set(CONVERSIONS)
    for name in CONVERSIONS:
        assert find_conversion(name).__name__ == name
    for source in SOURCES.sources:
        roles = [role for role, _ in source.originals]
        assert len(set(roles)) == len(roles) > 0, source.file
        assert not source.file.startswith("/")
        assert ".." not in source.file
        assert not source.sample or read_sample(source.sample)


def test_every_file_of_the_catalogue_can_be_had() -> None:
    files = {source.file: source.names for source in SOURCES.sources}
    for name, entry in CATALOGUE.items():
        for file in entry.files:
            assert name in files[file]
    for name in ("scan", "geoquery/funql", "spider/ssp"):
        wanted = {f"{name.split('/')[0]}/splits/{split}.json" for split in published(name).splits}
        assert wanted <= {source.file for source in SOURCES.of(name)}


@pytest.mark.shared_data
def test_the_results_are_the_files_that_the_catalogue_was_pinned_with(data_dir: Path) -> None:
    def content(source: Source) -> str:
        return hashlib.sha256(read_bytes(data_dir / source.file)).hexdigest()

    there = [source for source in SOURCES.sources if (data_dir / source.file).is_file()]
    assert len(there) == 69
    for source in there:
        assert content(source) in (source.result, source.known)
        if source.conversion == "identical" and source.originals[0][1].sha256:
            assert source.originals[0][1].sha256 == source.result


def test_names() -> None:
    assert SOURCES.resolved(["atis", "spider", "atis"]) == ["atis", "spider/xsp", "spider/ssp", "spider/set_match"]
    assert SOURCES.resolved(["scan"]) == ["scan"]  # and not scan/few_shot, which is large
    assert SOURCES.resolved(["overnight"]) == ["overnight"]
    assert SOURCES.resolved(["schema2qa"]) == ["schema2qa"]
    with pytest.raises(UnknownNameError, match="unknown data set to download 'spidr'; did you mean 'spider/"):
        SOURCES.resolved(["spidr"])
    assert small_sources().names() == ["toy", "notes/of_toys"]


def test_a_recipe_names_all_that_decides_a_file() -> None:
    from dataclasses import replace

    source = small_sources().sources[0]
    role, original = source.originals[0]
    others = [
        replace(source, conversion="json_items"),
        replace(source, sample="kg_sexpr"),
        replace(source, members=("a",)),
        replace(source, originals=(("other", original),)),
        replace(source, originals=((role, replace(original, sha256="0" * 64)),)),
    ]
    assert len({each.recipe for each in (source, *others)}) == 6
    assert replace(source, note="new").recipe == source.recipe


def test_lists_of_samples() -> None:
    assert (len(read_sample("grailqa_items")), len(read_sample("kg_sexpr"))) == (600, 700)
    assert len([word for word in read_sample("covr_text") if not word.startswith("=")]) == 4991


@pytest.mark.shared_data
def test_samples_are_those_of_the_files(data_dir: Path) -> None:
    lines = gzip.decompress((data_dir / "grailqa/items.jsonl.gz").read_bytes()).decode().splitlines()
    assert [line.split('"qid": ')[1].split(",")[0] for line in lines] == read_sample("grailqa_items")
