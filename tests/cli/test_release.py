"""The CFQ release's files with real commands: read, split, measured and written; and what is wrong with them."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from small_release import items, write

from recombine.cli.main import run
from recombine.pieces import _nameless_file

SPLIT = ["--by", "random", "--test", "0.5", "-o", "out.json"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "dataset.json", items(20))
    return tmp_path


def command(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        run([*arguments, "--quiet"])
    return int(ended.value.code or 0)


def test_from_the_release_to_a_split_and_its_measures(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("split", "dataset.json", *SPLIT, "--format", "cfq") == 0
    assert orjson.loads((here / "out.json").read_bytes()).keys() == {"trainIdxs", "devIdxs", "testIdxs"}
    capsys.readouterr()
    assert command("measure", "dataset.json", "out.json", "--json") == 0
    measured = orjson.loads(capsys.readouterr().out)
    assert (measured["train"], measured["test"]) == (10, 10)
    # Atoms and compounds are those of the rule trees.
    assert "structures:atoms=rules,presence;compounds=dag" in measured["signature"]
    assert 0 <= measured["compound_divergence"] <= 1
    # A split of our own form remembers which fields were read.
    assert command("split", "dataset.json", *SPLIT) == 0
    remembered = orjson.loads((here / "out.json").read_bytes())
    assert remembered["source"] == "questionPatternModEntities"
    assert command("check", "dataset.json", "out.json") == 0


def test_shown_and_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("show", "dataset.json", "-n", "1", "--json", "-o", "copy.json", "--format", "cfq") == 0
    shown = orjson.loads(capsys.readouterr().out)
    assert (shown["size"], shown["file"], shown["examples"][0]["derivation"][0]) == (
        20,
        "copy.json",
        ["JOIN_BY_LOGICAL_FORM"],
    )
    assert orjson.loads((here / "copy.json").read_bytes()) == items(20)
    assert command("generate", "scan", "-n", "9", "-o", "scan.json", "--format", "cfq") == 0
    assert len(orjson.loads((here / "scan.json").read_bytes())) == 9


WRONG_SPLITS = {
    '{"trainIdxs": [0, 1], "devIdxs": [], "testIdxs": [20]}': "testIdxs names line 20, but dataset has lines 0 to 19",
    '{"trainIdxs": [0, -1], "devIdxs": [], "testIdxs": [2]}': "trainIdxs names line -1, but dataset has lines 0 to 19",
    '{"trainIdxs": ["0"], "testIdxs": [2]}': "'trainIdxs' is not a list of line numbers",
    '{"trainIdxs": [0], "testIdxs": 2}': "'testIdxs' is not a list of line numbers",
    '{"trainIdxs": [0], "testIdxs": [true]}': "'testIdxs' is not a list of line numbers",
    '{"trainIdxs": [0], "testIdxs": [1': "not a split file",
}


@pytest.mark.parametrize("text", WRONG_SPLITS)
def test_wrong_split_files(here: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mcd1.json").write_text(text)
    assert command("measure", "dataset.json", "mcd1.json") == 2
    error = capsys.readouterr().err
    assert error.startswith("error: mcd1.json: ")
    assert WRONG_SPLITS[text] in error


# Shares of the file, from inside of the first item to all but the last bracket.
@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.999])
@pytest.mark.parametrize("packed", [False, True])
def test_a_truncated_file_is_refused(
    here: Path, share: float, packed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (here / "dataset.json").read_bytes()
    cut = whole[: int(len(whole) * share)]
    name = "cut.json.gz" if packed else "cut.json"
    (here / name).write_bytes(gzip.compress(cut) if packed else cut)
    assert command("split", name, *SPLIT) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {name}: is cut off at byte {len(cut)}, ")
    assert error.endswith("; copy or download it again\n")
    assert error.count("\n") == 1
    assert not (here / "out.json").exists()


def test_a_truncated_packed_file_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress((here / "dataset.json").read_bytes())
    (here / "cut.json.gz").write_bytes(packed[:-20])
    assert command("show", "cut.json.gz", "-o", "out.jsonl") == 2
    assert capsys.readouterr().err.startswith("error: cut.json.gz: not a whole gzip file")
    assert not (here / "out.jsonl").exists()


def test_options_are_refused_before_data_is_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "dataset.json").write_text("[")
    assert command("show", "dataset.json", "-o", "out.json", "--format", "cfg") == 2
    assert "unknown data format 'cfg'; did you mean 'cfq'?" in capsys.readouterr().err
    assert command("show", "dataset.json", "-o", "out.jsonl", "--format", "cfq") == 2
    assert "the form cfq is that of a .json file" in capsys.readouterr().err


def _small_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def test_a_full_disk(here: Path) -> None:
    """No file may grow beyond a limit, which fails in the middle of writing as a full disk does."""
    (here / "out.json").write_text("old")
    before = sorted(path.name for path in here.iterdir())
    arguments = ["show", "dataset.json", "-n", "1", "-o", "out.json", "--format", "cfq", "--quiet", "--no-cache"]
    done = subprocess.run(
        [sys.executable, "-m", "recombine", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=_small_disk,
        check=False,
    )
    assert done.stderr == "error: out.json: cannot be written (File too large); choose another place\n"
    assert (done.returncode, done.stdout) == (2, "")
    assert (here / "out.json").read_text() == "old"
    assert sorted(path.name for path in here.iterdir()) == before


# The command itself, but for waiting after the second item is written.
SLOW = """
import sys, time
from recombine.cli.main import run
from recombine.datasets.release.write_release import _Writer
item, written = _Writer._item, []
def slow(writer, example):
    written.append(example)
    if len(written) == 3:
        print("begun", flush=True)
        time.sleep(60)
    return item(writer, example) + b" " * 1_000_000
_Writer._item = slow
run()
"""


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_ended_while_it_writes(here: Path, ending: signal.Signals) -> None:
    if _nameless_file(here) is None:
        pytest.skip("this file system has no files without a name")
    (here / "out.json").write_text("old")
    before = sorted(path.name for path in here.iterdir())
    arguments = ["show", "dataset.json", "-n", "1", "-o", "out.json", "--format", "cfq", "--quiet"]
    with subprocess.Popen([sys.executable, "-c", SLOW, *arguments], stdout=subprocess.PIPE, stderr=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(ending)
        _, error = process.communicate(timeout=60)
    interrupted = ending is signal.SIGINT
    assert (process.returncode, error) == ((130, b"error: interrupted\n") if interrupted else (-ending, b""))
    assert (here / "out.json").read_text() == "old"
    assert sorted(path.name for path in here.iterdir()) == before


def test_a_pipe_is_read_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(here / "pipe.json")
    with subprocess.Popen(["sh", "-c", """printf '[{"source": "a", "target": "b"}]' > pipe.json"""]):
        assert command("show", "pipe.json", "--json") == 0
    assert orjson.loads(capsys.readouterr().out)["size"] == 1
