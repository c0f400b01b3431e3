"""What holds for every data set of the catalogue, and what is refused."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from toy_world import write_toy

import recombine
from recombine.cli.main import run
from recombine.datasets import catalogue
from recombine.datasets.catalogue import CATALOGUE, Entry, data_of_split
from recombine.datasets.files.read_parts import parts_by_tag
from recombine.datasets.files.tables import write_table
from recombine.datasets.published import spider_ssp
from recombine.datasets.published.digests import order_digest, published, split_digest
from recombine.errors import InputFileError, MissingDataError, OptionError, RecombineError, SplitError, UnknownNameError
from recombine.measures.check_split import check_split
from recombine.records.example import Example

DESIGNED = {
    *("scan", "geoquery/funql", "spider/ssp", "spider/xsp", "cfq/mcd1"),
    *("cogs", "atis", "overnight", "schema2qa", "covr/text"),
    *("metaqa/1hop", "metaqa/2hop", "metaqa/3hop", "qald/9", "qald/10", "grailqa"),
}


def test_the_catalogue_is_that_of_the_design() -> None:
    assert set(CATALOGUE) == DESIGNED
    assert all(entry.name == name and len(entry.hash) == 16 for name, entry in CATALOGUE.items())


@pytest.mark.shared_data
@pytest.mark.parametrize("name", sorted(DESIGNED))
def test_every_published_split_is_whole(name: str, data_dir: Path) -> None:
    data = recombine.load(name)
    entry = CATALOGUE[name]
    assert set(entry.split_names()) == set(published(name).splits)
    for short in entry.split_names():
        split = recombine.load_split(data, f"{name}/{short}")
        assert check_split(data, split, atoms=None)["problems"] == []
        assert split.signature.get("split") == short


def test_the_data_of_a_split_id() -> None:
    assert data_of_split("geoquery/funql/tmcd_1") == "geoquery/funql"
    assert data_of_split("covr/text/grammar/3") == "covr/text"
    assert data_of_split("covr/text") is None
    assert data_of_split("scanner/x") is None


def test_own_columns_of_catalogue_data_are_refused() -> None:
    with pytest.raises(OptionError, match="scan has its own sources and targets"):
        recombine.load("scan", source="question")


# -- what only looks like the published data -------------------------------------------------------------------------

LINES = ["dogs: how many?\tselect count(*) from dogs", "cats: how many?\tselect count(*) from cats"]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two lines in the place of spider/ssp, held to be the published ones."""
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    folder = tmp_path / "spider"
    (folder / "splits").mkdir(parents=True)
    (folder / "spider_ssp.tsv").write_text("\n".join(LINES) + "\n")
    data = spider_ssp.load()
    ids = [example.id for example in data]
    monkeypatch.setitem(CATALOGUE._things, "spider/ssp", replace(CATALOGUE["spider/ssp"], hash=data.hash))
    pins = replace(
        published("spider/ssp"),
        order=order_digest(ids),
        splits={"mine_1": split_digest({"train": ids[:1], "test": ids[1:]}), "gone_1": "0"},
    )
    monkeypatch.setattr(catalogue, "published", lambda _: pins)
    return folder


def test_the_published_lines_and_split(small: Path) -> None:
    (small / "splits" / "mine_1.json").write_text('{"train": [0], "test": [1]}')
    data = recombine.load("spider/ssp")
    split = recombine.load_split(data, "spider/ssp/mine_1")
    assert (split.train, split.test) == ((data[0].id,), (data[1].id,))
    assert split.signature.get("verified") == ""


def test_lines_in_another_order_are_refused(small: Path) -> None:
    (small / "spider_ssp.tsv").write_text("\n".join(reversed(LINES)) + "\n")
    with pytest.raises(RecombineError, match="spider/ssp has its lines in another order than published"):
        recombine.load("spider/ssp")


def test_other_content_is_refused(small: Path) -> None:
    (small / "spider_ssp.tsv").write_text("\n".join(LINES).replace("many", "few") + "\n")
    with pytest.raises(RecombineError, match="spider/ssp has the content hash") as caught:
        recombine.load("spider/ssp")
    assert "\n" not in str(caught.value)


def test_another_split_in_its_place_is_refused(small: Path) -> None:
    (small / "splits" / "mine_1.json").write_text('{"train": [1], "test": [0]}')
    with pytest.raises(SplitError, match="does not give the published split spider/ssp/mine_1"):
        recombine.load_split("spider/ssp", "mine_1")


def test_a_split_file_of_ones_own_beside_them_is_unverified(small: Path) -> None:
    (small / "splits" / "own_1.json").write_text('{"train": [0], "test": [1]}')
    assert recombine.load_split("spider/ssp", "own_1").signature.get("verified") == "no"


def test_missing_split_files_are_named(small: Path) -> None:
    with pytest.raises(MissingDataError, match=r"needs the file spider/splits/gone_1\.json, which is not in"):
        recombine.load_split("spider/ssp", "spider/ssp/gone_1")
    with pytest.raises(UnknownNameError, match="did you mean 'gone_1'"):
        recombine.load_split("spider/ssp", "gone_2")


def test_line_numbers_for_reordered_data_are_unverified(small: Path, tmp_path: Path) -> None:
    (tmp_path / "split.json").write_text('{"train": [0], "test": [1]}')
    data = recombine.load("spider/ssp")
    assert recombine.load_split(data, tmp_path / "split.json").signature.get("verified") == ""
    turned = replace(data, examples=data.examples[::-1])
    assert turned.hash == data.hash
    assert recombine.load_split(turned, tmp_path / "split.json").signature.get("verified") == "no"


# -- parts named by tags ---------------------------------------------------------------------------------------------


def test_a_file_whose_records_name_their_part(tmp_path: Path) -> None:
    rows = [{"source": f"q {n}", "target": "t", "part": part} for n, part in enumerate(["train", "test", "train"])]
    (tmp_path / "mine.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    data = recombine.load(tmp_path / "mine.jsonl")
    split = recombine.load_split(data, "published")
    assert split.parts == {"train": (data[0].id, data[2].id), "test": (data[1].id,)}
    with pytest.raises(SplitError, match="mine has no published split 'publishd'"):
        recombine.load_split(data, "publishd")


def test_a_part_that_is_not_named() -> None:
    examples = [recombine.Example.of("a", "b", tags={"part": "train"}), recombine.Example.of("c", "d")]
    with pytest.raises(SplitError, match="has no tag 'part' that names its part"):
        recombine.load_split(recombine.load(examples), "published")


@pytest.mark.shared_data
def test_written_data_keeps_its_published_split(data_dir: Path, tmp_path: Path) -> None:
    data = recombine.load("spider/xsp")
    write_table(data, tmp_path / "xsp.jsonl.gz")
    back = recombine.load(tmp_path / "xsp.jsonl.gz")
    assert back.hash == data.hash
    assert recombine.load_split(back, "published").parts == recombine.load_split(data, "published").parts


@pytest.mark.shared_data
def test_files_need_not_be_gzipped(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "covr_text").mkdir()
    packed = (data_dir / "covr_text" / "examples.jsonl.gz").read_bytes()
    (tmp_path / "covr_text" / "examples.jsonl").write_bytes(gzip.decompress(packed))
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    assert len(recombine.load("covr/text")) == 4991


# -- data sets of plug-ins -------------------------------------------------------------------------------------------


def _rows(count: int = 4) -> recombine.Dataset:
    examples = [Example.of(f"q{n}", f"f ( {n} )", tags={"part": "test" if n % 2 else "train"}) for n in range(count)]
    return recombine.Dataset.of("whatever", examples)


@pytest.fixture
def own(tmp_path: Path) -> catalogue.Entry:
    """A data set that a plug-in adds: its content is not pinned, it has a split by tags and one by lines."""
    (tmp_path / "lines.json").write_text('{"train": [0], "test": [3]}')
    entry = Entry(
        "own/rows",
        "rows of a plug-in",
        None,
        _rows,
        split_files=lambda: {"lines": tmp_path / "lines.json"},
        splits=lambda: {"published": parts_by_tag},
    )
    return catalogue.register_dataset(entry)


def test_a_registered_data_set_is_of_the_catalogue(own: catalogue.Entry, capsys: pytest.CaptureFixture[str]) -> None:
    data = recombine.load("own/rows")
    assert data.name == "own/rows"
    assert not catalogue.is_verified(data)
    assert recombine.load_split(data, "own/rows/published").train == (data[0].id, data[2].id)
    lines = recombine.load_split(data, "lines")
    assert lines.test == (data[3].id,)
    assert lines.signature.get("verified") == "no"
    assert own.split_names() == ["lines", "published"]
    assert data_of_split("own/rows/lines") == "own/rows"
    catalogue.register_dataset(replace(own, name="own"))
    assert data_of_split("own/rows/lines") == "own/rows"
    with pytest.raises(UnknownNameError, match="did you mean 'lines'"):
        recombine.load_split(data, "line")
    with pytest.raises(SystemExit):
        run(["list", "--quiet"])
    assert "rows of a plug-in" in capsys.readouterr().out
    with pytest.raises(OptionError, match="there is a data set 'scan' already, of the package"):
        catalogue.register_dataset(replace(own, name="scan"))


def test_a_file_of_the_same_name_is_not_the_registered_data(own: catalogue.Entry, tmp_path: Path) -> None:
    CATALOGUE.register("rows", replace(own, name="rows"))
    (tmp_path / "rows.jsonl").write_text('{"source": "a", "target": "b"}\n')
    assert catalogue.entry_of(recombine.load("rows")) is not None
    assert catalogue.entry_of(recombine.load(tmp_path / "rows.jsonl")) is None


def test_a_registered_data_set_may_pin_its_content() -> None:
    right = catalogue.register_dataset(Entry("own/right", "", _rows().hash, _rows, files=()))
    catalogue.register_dataset(replace(right, name="own/wrong", hash="0" * 16))
    assert catalogue.is_verified(recombine.load("own/right"))
    with pytest.raises(RecombineError, match="own/wrong has the content hash"):
        recombine.load("own/wrong")


# -- worlds ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toy_kind")
def test_data_can_be_given_a_world_and_no_other_then(tmp_path: Path) -> None:
    blue, grey = write_toy(tmp_path / "blue.toy.json", sky="blue"), write_toy(tmp_path / "grey.toy.json", sky="grey")
    data = recombine.load("scan", world=blue)
    assert data.reading.world is not None
    assert data.reading.to_record()["world"]["kind"] == "toy"
    told = r"grey.toy.json: scan is about the world toy@\w{16}, not about toy@\w{16}; give the world"
    with pytest.raises(InputFileError, match=told):
        recombine.load(data, world=grey)
    assert recombine.load(data, world=blue).world == data.world
