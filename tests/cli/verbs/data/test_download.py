"""`recombine download` at the command line: what it lists, fetches and says, and how it ends."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from odd_server import Served, odd_server
from small_sources import FILES, PAIRS, small_sources

import recombine
from recombine.cli.main import run

ROOT = Path(__file__).parents[4]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server with the small sources, and an empty data directory."""
    monkeypatch.setattr("recombine.datasets.downloads.sources.read_sources", small_sources)
    monkeypatch.setattr("recombine.datasets.downloads.fetch_original.WAIT", 0.0)
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "data"))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with odd_server(files={path.replace(" ", "%20"): data for path, data in FILES.items()}) as server:
        yield server


def call(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> tuple[str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["download", *words])
    printed = capsys.readouterr()
    assert ended.value.code == code, printed.err
    return printed.out, printed.err


def test_a_download(served: Served, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, err = call(capsys, "toy", "--from", served.address)
    assert out.splitlines() == [
        "toy",
        "  toy/pairs.tsv.gz  written",
        "  toy/notes.txt     written",
        "  licence: MIT; none stated",
        f"2 files written, 0 there already, in {tmp_path / 'data'}",
    ]
    assert err == "toy: licence MIT; none stated\n"
    assert gzip.decompress((tmp_path / "data/toy/pairs.tsv.gz").read_bytes()) == PAIRS
    out, _ = call(capsys, "--all", "--from", served.address, "--json", "--quiet")
    value = orjson.loads(out)
    assert [row["data"] for row in value["datasets"]] == ["toy", "notes/of_toys"]
    assert value["datasets"][0]["files"] == {"toy/pairs.tsv.gz": "there", "toy/notes.txt": "there"}
    assert (value["written"], value["there"], value["fetched_bytes"]) == (0, 3, 0)


def test_the_list(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "notes/of_toys", "--from", served.address, "--quiet")
    out, err = call(capsys)
    lines = out.splitlines()
    assert lines[0].split() == ["toy", "0.6", "MB", "1", "of", "2", "missing", "MIT;", "none", "stated"]
    assert lines[1].split() == ["notes/of_toys", "?", "here", "none", "stated"]
    assert lines[2] == "without a pinned public address"
    assert "nobody has published it; ask its authors" in out
    assert err == ""
    value = orjson.loads(call(capsys, "--json")[0])
    assert [row["missing"] for row in value["datasets"]] == [1, 0]
    assert value["unpinned"][1]["converts"] is True
    assert value["datasets"][0]["repositories"] == sorted(value["datasets"][0]["repositories"])


MISTAKES = {
    "a cut": (["toy", "--retries", "0"], ["cut"], "broke off after"),
    "another content": (["toy"], ["other"], "has not the content that is pinned"),
    "unknown": (["tyo"], [], "unknown data set to download 'tyo'; did you mean 'toy'?"),
    "names and all": (["toy", "--all"], [], "names of data sets beside --all"),
    "no address": (["secret"], [], "secret: nobody has published it; ask its authors, and put it at"),
    "a wrong number": (["toy", "--timeout", "soon"], [], "--timeout"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name: str, served: Served, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words, served.manners, problem = MISTAKES[name]
    out, err = call(capsys, *words, "--from", served.address, "--json", "--quiet", code=2)
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("error: ")
    assert problem in err
    assert not (tmp_path / "data/toy").exists()


def test_raw_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(ROOT / "docs" / "examples")
    out, _ = call(capsys, "schema2qa", "--from", "raw")
    assert "schema2qa/people.jsonl.gz: 3 records, to be read with --language thingtalk" in out
    assert "left out: 1 (':' is of no use here; the first is people.tsv, line 4)" in out
    assert len(recombine.load(tmp_path / "data/schema2qa/people.jsonl.gz", language="thingtalk")) == 3


@pytest.mark.shared_data
def test_the_session_in_the_documentation(
    capsys: pytest.CaptureFixture[str], data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recombine.datasets.downloads.sources import read_sources

    monkeypatch.chdir(tmp_path)
    for source in read_sources().of("spider/xsp"):
        original = tmp_path / "mirror" / source.originals[0][1].address
        original.parent.mkdir(parents=True, exist_ok=True)
        original.write_bytes(gzip.decompress((data_dir / source.file).read_bytes()))
    shutil.copytree(ROOT / "docs" / "examples" / "raw", tmp_path / "raw")
    monkeypatch.setenv("RECOMBINE_DATA", "here")
    page = (ROOT / "docs" / "data.md").read_text()
    (block,) = re.findall(r"```text\n(\$ RECOMBINE_DATA=here recombine download .*?)```", page, flags=re.DOTALL)
    sessions = re.split(r"^\$ RECOMBINE_DATA=here recombine ", block, flags=re.MULTILINE)[1:]
    assert len(sessions) == 3
    for session in sessions:
        command, _, shown = session.partition("\n")
        with pytest.raises(SystemExit):
            run(command.split())
        assert capsys.readouterr().out == shown
    assert recombine.load("spider/xsp").hash == "bb582d471866fd0f"
