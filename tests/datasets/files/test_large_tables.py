"""Large tables: the same content whatever is written or read at a time, and files that are whole or not there."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

import recombine
from recombine import files
from recombine.datasets.files import tables
from recombine.datasets.files.tables import read_table, write_table
from recombine.errors import RecordError
from recombine.records import columns, growing_columns, written_table
from recombine.records.columns import StoredExamples
from recombine.records.dataset import Dataset
from recombine.records.derivation import Derivation
from recombine.records.example import Example, frozen_context
from recombine.records.growing_columns import gathered

TREE = Derivation.tree(("and", [("jump", []), ("walk", [])]))
EXAMPLES = [
    Example.of(
        f"jump {number}",
        'say "é"' if number % 7 else '"é"',
        TREE if number % 3 else None,
        {"line": number, "odd": True} if number % 2 else {"line": number},
        context={"scene": number, "boxes": [number, "x"], "name": "[1" if number % 5 else "7"},
    )
    for number in range(23)
]
NAMES = ["x.jsonl", "x.tsv", "x.parquet", "x.csv", "x.arrow", "x.jsonl.gz", "x.tsv.gz", "x.csv.gz", "x.parquet.gz"]


def expected_jsonl(examples: list[Example]) -> bytes:
    """What the file holds, line by line."""
    lines = []
    for example in examples:
        record = {"id": example.id, "source": example.source, "target": example.target}
        if example.derivation is not None:
            record["derivation"] = example.derivation.to_rows()  # type: ignore[assignment]
        record |= {"scene": example.context["scene"], "boxes": [*example.context["boxes"]]}
        record["name"] = example.context["name"]
        tags = {key: value for key, value in example.tags.items() if key != "line"}
        lines.append(orjson.dumps({**record, "tags": tags} if tags else record) + b"\n")
    return b"".join(lines)


@pytest.mark.filterwarnings("ignore:.*every field is in double quotes")
@pytest.mark.parametrize("name", NAMES)
def test_pieces_do_not_change_what_is_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_table(Dataset.of("mine", EXAMPLES), tmp_path / f"whole-{name}")
    monkeypatch.setattr(written_table, "ROW_GROUP", 4)
    monkeypatch.setattr(tables, "_LINES", 3)
    monkeypatch.setattr(growing_columns, "CHUNK", 5)
    stored = Dataset("mine", gathered(iter(EXAMPLES), few=0))
    for each in ("one", "two"):
        write_table(stored, tmp_path / f"{each}-{name}")
    contents = [(tmp_path / f"{each}-{name}").read_bytes() for each in ("whole", "one", "two")]
    assert contents[1] == contents[2]
    if "parquet" not in name and "arrow" not in name:  # row groups are part of their bytes
        assert contents[0] == contents[1]
    read = [list(read_table(tmp_path / f"{each}-{name}")) for each in ("whole", "one")]
    assert read[0] == read[1]
    assert [(e.id, e.source, e.target, e.derivation, e.context) for e in read[1]] == [
        (e.id, e.source, e.target, e.derivation, e.context) for e in EXAMPLES
    ]


@pytest.mark.parametrize("derived", [True, False])
def test_columns_and_examples_are_written_as_the_same_bytes(derived: bool, tmp_path: Path) -> None:
    made = [Example.of(each.source, each.target, each.derivation if derived else None) for each in EXAMPLES]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(written_table, "ROW_GROUP", 4)
        patch.setattr(columns, "_WRITTEN", 3)
        patch.setattr(growing_columns, "CHUNK", 5)
        write_table(Dataset("mine", tuple(made)), tmp_path / "plain.parquet")
        write_table(Dataset("mine", gathered(iter(made), few=0)), tmp_path / "stored.parquet")
    assert (tmp_path / "stored.parquet").read_bytes() == (tmp_path / "plain.parquet").read_bytes()


def test_json_lines_are_those_of_the_records(tmp_path: Path) -> None:
    write_table(Dataset.of("mine", EXAMPLES), tmp_path / "x.jsonl.gz")
    packed = (tmp_path / "x.jsonl.gz").read_bytes()
    assert packed == gzip.compress(expected_jsonl(EXAMPLES), mtime=0)


@pytest.mark.filterwarnings("ignore:.*every field is in double quotes")
@pytest.mark.parametrize("name", NAMES[:5])
def test_many_records_are_read_as_columns_of_the_same_content(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_table(Dataset.of("mine", EXAMPLES), tmp_path / name)
    plain = read_table(tmp_path / name)
    monkeypatch.setitem(gathered.__kwdefaults__, "few", 2)
    monkeypatch.setattr(growing_columns, "CHUNK", 4)
    read = read_table(tmp_path / name)
    assert isinstance(read.examples, StoredExamples)
    assert type(plain.examples) is tuple
    assert read == plain
    assert (read.hash, read.index, read.structures) == (plain.hash, plain.index, plain.structures)


@pytest.mark.parametrize(
    ("records", "where", "problem"),
    [
        ([{"id": 1}, {"id": 1}], "line 2", "the id '1' stands already in line 1"),
        ([{"id": 1}, {}], "line 2", "no id, though other records have one"),
        ([{}, {"id": 1}], "line 2", "an id, though line 1 has none"),
        ([{}, {"derivation": [["a", 1, 0]]}], "line 2", "row 0 of the derivation depends on row 1"),
        ([{}, {"derivation": [["a"], ["b", 0, True]]}], "line 2", "row 1 of the derivation is not"),
        ([{}, {"derivation": [["a"], ["b", 1, 1]]}], "line 2", "row 1 of the derivation depends on row 1"),
        ([{}, {"derivation": [["a"], ["b", 0, -1]]}], "line 2", "row 1 of the derivation depends on row 0"),
        ([{}, {"derivation": [["a"], [2, 0, 1]]}], "line 2", "row 1 of the derivation is not"),
        ([{}, {"derivation": [["a"], "bcd"]}], "line 2", "row 1 of the derivation is not"),
    ],
)
def test_mistakes_among_many_records_are_placed(
    records: list[dict[str, object]], where: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.jsonl"
    lines = [{"source": f"a{number}", "target": "b", **record} for number, record in enumerate(records)]
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    monkeypatch.setitem(gathered.__kwdefaults__, "few", 0)
    with pytest.raises(RecordError) as error:
        read_table(path)
    assert f"x.jsonl, {where}: {problem}" in str(error.value)


def test_repeated_pairs_without_ids_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"source": "a", "target": "b"}\n' * 3)
    first = Example.of("a", "b").id
    assert read_table(path).ids == [first, f"{first}#2", f"{first}#3"]


def test_a_byte_that_is_no_text_is_placed_whatever_piece_it_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.jsonl"
    text = '{"source": "é€😀", "target": "é€😀é€😀"}\n'.encode()
    for piece in range(4, 12):
        monkeypatch.setattr(files, "_PIECE", piece)
        path.write_bytes(b"\xef\xbb\xbf" + text)
        assert read_table(path)[0].target == "é€😀é€😀"
        path.write_bytes(text[:25] + b"\xff" + text[25:])
        with pytest.raises(RecordError, match=r"line 1: is not UTF-8 \(byte 0xff at offset 25"):
            read_table(path)


KILLED = """
import os, signal, sys
from recombine.datasets.files import tables
from recombine.records import written_table
from recombine.records.dataset import Dataset
from recombine.records.example import Example
made = Dataset.of("mine", (Example.of(f"jump {number}", "I_JUMP" * 50) for number in range(20_000)))
record, count = written_table.written_record, iter(range(20_000))
def ends(*given):
    if next(count) == 15_000:
        os.kill(os.getpid(), signal.SIGKILL)
    return record(*given)
def ends_after_a_group(*given):
    yield next(columns(*given))
    os.kill(os.getpid(), signal.SIGKILL)
columns = Dataset.iter_text_columns
written_table.written_record, Dataset.iter_text_columns = ends, ends_after_a_group
tables.write_table(made, sys.argv[1])
"""


@pytest.mark.parametrize("name", NAMES[:5])
def test_a_write_that_is_killed_leaves_the_old_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_table([Example.of("walk", "I_WALK", context={"scene": 1})], path)
    before = path.read_bytes(), (tmp_path / f"{name}.meta.json").read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert (path.read_bytes(), (tmp_path / f"{name}.meta.json").read_bytes()) == before
    assert read_table(path)[0].source == "walk"


FULL = """
import resource, sys
from recombine.cli.main import run
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
run(["generate", "covr", "-n", "3000", "-o", sys.argv[1]])
"""


@pytest.mark.parametrize("name", NAMES)
def test_a_disk_that_is_full_is_said_in_a_line_and_nothing_is_left(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    code = FULL.replace("200_000", "20_000") if name.endswith(("gz", "parquet", "arrow")) else FULL
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False, capture_output=True, text=True)
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.splitlines()[-1] == f"error: {path}: cannot be written (File too large); choose another place"
    assert list(tmp_path.iterdir()) == []


def test_what_fails_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    lacking = [EXAMPLES[0], Example("x", "a", "b", context=frozen_context({"scene": 1}))]
    with pytest.raises(recombine.RecombineError, match="the example x has no 'boxes' in its context"):
        write_table(lacking, tmp_path / "x.jsonl")
    assert list(tmp_path.iterdir()) == []


GROWTH = """
import resource, sys
from recombine.workbench import generate, load
made = generate("covr", n=int(sys.argv[1]), seed=3)
made.write(sys.argv[2])
del made
assert len(load(sys.argv[2], language="covr").hash) == 16
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.slow
def test_making_writing_and_reading_take_little_for_each_example(tmp_path: Path) -> None:
    plain = {
        "ARROW_DEFAULT_MEMORY_POOL": "system",
        "MALLOC_ARENA_MAX": "1",
        "OMP_NUM_THREADS": "1",
    }

    def peak(size: str) -> int:
        command = [sys.executable, "-c", GROWTH, size, str(tmp_path / "x.parquet")]
        return int(subprocess.run(command, check=True, capture_output=True, env={**os.environ, **plain}).stdout)

    peaks = [min(peak(size) for _ in range(2)) for size in ("40000", "80000")]
    assert (peaks[1] - peaks[0]) / 40_000 < 2_500  # an example as an object takes 12,000 bytes
