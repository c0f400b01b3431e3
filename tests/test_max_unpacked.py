"""What is held whole has a limit, which holds while a file is unpacked."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from recombine.cli.main import run
from recombine.datasets.files.tables import read_table
from recombine.errors import InputFileError, OptionError
from recombine.evaluation.predictions import read_predictions
from recombine.files import read_bytes, read_text
from recombine.grammars.terms.read_grammar import read_grammar
from recombine.max_unpacked import DEFAULT, VARIABLE, max_unpacked, parse_size, size_text
from recombine.records.split import read_split_file
from recombine.studies.file.read_study_file import read_study_file

MIB = 1 << 20


@pytest.fixture
def bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """64 MiB of zeros in a gzip file of 64 kB, and a limit of 1 MiB."""
    monkeypatch.setenv(VARIABLE, "1M")
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(64):
            stream.write(bytes(MIB))
    assert path.stat().st_size < MIB
    return path


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("500M", 500 * MIB),
        ("500MiB", 500 * MIB),
        ("500MB", 500_000_000),
        ("2GiB", 2 << 30),
        ("2g", 2 << 30),
        ("1.5 KiB", 1536),
        (" 3k ", 3072),
        ("0.1GB", 100_000_000),
        ("1T", 1 << 40),
        ("100b", 100),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "M", "-1", "1e9", "0", "0.1", "1Q", "1 2", "2GiBs", "nan", "١M", "1,000"])
def test_what_is_no_size(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=r"--max-unpacked is .*, which is no size; write a number of bytes"):
        parse_size(text, "--max-unpacked")
    if text:
        monkeypatch.setenv(VARIABLE, text)
        with pytest.raises(OptionError, match=VARIABLE):
            max_unpacked()


def test_sizes_are_written_as_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [size_text(size) for size in (DEFAULT, MIB, 3072, 1025)] == ["2 GiB", "1 MiB", "3 KiB", "1,025 bytes"]
    monkeypatch.delenv(VARIABLE, raising=False)
    assert max_unpacked() == DEFAULT == 2 << 30


def test_a_bomb_is_refused_and_never_unpacked(bomb: Path) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputFileError, match=r"bomb.jsonl.gz: unpacks to more than 1 MiB; raise the limit with"):
            read_bytes(bomb)
        assert tracemalloc.get_traced_memory()[1] < 6 * MIB
    finally:
        tracemalloc.stop()


def test_a_limit_above_the_memory_is_no_traceback(tmp_path: Path) -> None:
    """In a process of its own that may have 600 MB, of which 512 MiB of zeros leave too little."""
    with gzip.open(tmp_path / "a.gz", "wb", compresslevel=1) as stream:
        for _ in range(512):
            stream.write(bytes(MIB))
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000))\n"
        "from recombine.files import read_bytes\n"
        "try:\n    read_bytes(sys.argv[1])\n"
        "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.gz")], capture_output=True, text=True, check=True
    )
    assert ended.stdout.startswith("InputFileError ")
    assert "a.gz: does not fit into memory; give a smaller file" in ended.stdout


def test_what_is_as_large_as_the_limit_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed, plain = tmp_path / "a.txt.gz", tmp_path / "a.txt"
    content = b"ab\n" * 1000
    packed.write_bytes(gzip.compress(content[:1500]) + gzip.compress(content[1500:]))  # two members are one file
    plain.write_bytes(content)
    for path in (packed, plain):
        monkeypatch.setenv(VARIABLE, "3000")
        assert read_bytes(path) == content
        monkeypatch.setenv(VARIABLE, "2999")
        with pytest.raises(InputFileError, match="than 2,999 bytes"):
            read_bytes(path)


@pytest.mark.parametrize(
    "content", [b"", b"not gzip", gzip.compress(b"x" * 999, mtime=0)[:-9], gzip.compress(b"x", mtime=0) + b"more"]
)
def test_what_is_no_whole_gzip_file_is_said(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(content)
    if content:
        with pytest.raises(InputFileError, match="not a whole gzip file"):
            read_bytes(path)
    else:
        assert read_text(path) == ""


@pytest.mark.parametrize(
    "read",
    [read_table, read_predictions, read_split_file, read_study_file, read_grammar, read_text],
    ids=lambda f: f.__name__,
)
def test_every_reader_has_the_limit(read: Callable[[Path], object], bomb: Path) -> None:
    with pytest.raises(InputFileError, match="unpacks to more than 1 MiB"):
        read(bomb)


def _write(path: Path, targets: list[str], **options: object) -> None:
    pq.write_table(pa.table({"source": ["a"] * len(targets), "target": targets}), path, **options)


def test_parquet_is_refused_by_what_it_says_of_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    _write(path, [f"{n}" + "b" * 10_000 for n in range(1000)], compression="zstd", use_dictionary=False)
    assert path.stat().st_size < MIB
    assert len(read_table(path)) == 1000
    monkeypatch.setenv(VARIABLE, "1M")
    with pytest.raises(InputFileError, match=r"a.parquet: unpacks to more than 1 MiB"):
        read_table(path)


def test_parquet_with_a_text_many_times_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file writes the text of 10,000 letters once, and its own size says nothing of the repeats."""
    path = tmp_path / "a.parquet"
    _write(path, ["b" * 10_000] * 50_000)
    file = pq.ParquetFile(path)
    assert sum(file.metadata.row_group(n).total_byte_size for n in range(file.num_row_groups)) < MIB
    monkeypatch.setenv(VARIABLE, "1M")
    tracemalloc.start()
    before = pa.total_allocated_bytes()
    try:
        with pytest.raises(InputFileError, match=r"a.parquet: unpacks to more than 1 MiB"):
            read_table(path)
        assert tracemalloc.get_traced_memory()[1] < 6 * MIB
    finally:
        tracemalloc.stop()
    assert pa.total_allocated_bytes() - before < 6 * MIB


def test_parquet_reads_as_before(tmp_path: Path) -> None:
    """Texts that repeat, that are missing and that are not texts, over several batches."""
    path = tmp_path / "a.parquet"
    n = 10_000
    columns = {"source": [f"s{i % 7}" for i in range(n)], "target": ["t"] * n, "note": ["x", None] * (n // 2)}
    pq.write_table(pa.table({**columns, "size": list(range(n)), "list": [["a"], []] * (n // 2)}), path)
    found = read_table(path)
    assert [example.source for example in found] == columns["source"]
    assert [example.tags["note"] for example in found] == columns["note"]
    assert found[9_999].tags == {"note": None, "size": 9_999, "list": [], "line": 10_000}


def _ended(*arguments: str) -> object:
    with pytest.raises(SystemExit) as caught:
        run(list(arguments))
    return caught.value.code


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "bomb.jsonl.gz"),
        ("measure", "bomb.jsonl.gz", "s.json"),
        ("measure", "good.jsonl", "bomb.jsonl.gz"),
        ("check", "good.jsonl", "bomb.jsonl.gz"),
        ("split", "bomb.jsonl.gz", "--by", "random", "--test", "1", "-o", "out.json"),
        ("difficulty", "bomb.jsonl.gz", "s.json"),
        ("select", "bomb.jsonl.gz", "-k", "1", "--by", "random"),
        ("induce", "bomb.jsonl.gz", "s.json", "-o", "out.qcfg"),
        ("score", "good.jsonl", "s.json", "bomb.jsonl.gz"),
        ("compare", "good.jsonl", "s.json", "bomb.jsonl.gz", "bomb.jsonl.gz"),
        ("report", "bomb.jsonl.gz", "--data", "good.jsonl", "-o", "out.html"),
        ("study", "run", "bomb.jsonl.gz", "--results", "results"),
        ("generate", "bomb.jsonl.gz", "-n", "1", "-o", "out.jsonl"),
    ],
    ids=lambda arguments: "-".join(arguments[:2]),
)
def test_every_verb_takes_the_option(
    arguments: tuple[str, ...], bomb: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bomb.parent)
    Path("good.jsonl").write_text('{"source": "a", "target": "b"}\n{"source": "c", "target": "d"}\n')
    Path("s.json").write_text('{"train": [0], "test": [1]}')
    line = "error: bomb.jsonl.gz: unpacks to more than 3 MiB; raise the limit with --max-unpacked or"
    for given in (("--max-unpacked", "3M", *arguments), (*arguments, "--max-unpacked", "3M")):
        monkeypatch.setenv(VARIABLE, "1M")
        assert _ended(*given) == 2
        assert line in capsys.readouterr().err


def test_a_bad_size_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(VARIABLE, "2G")
    assert _ended("show", "scan", "--max-unpacked", "lots") == 2
    assert capsys.readouterr().err.startswith("error: --max-unpacked is 'lots', which is no size; write a number")
