"""The same commands under other hash seeds write the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

COMMANDS = (
    ("generate", "scan", "-n", "2000", "--seed", "7", "-o", "scan.jsonl"),
    ("generate", "scan", "-n", "200", "--seed", "7", "-o", "scan.parquet"),
    ("split", "scan.jsonl", "--by", "random", "--test", "0.2", "--seed", "1", "-o", "random.json"),
    (
        "split",
        "scan.jsonl",
        "--by",
        "pattern:target",
        "--test",
        "0.2",
        "-o",
        "pattern.json",
        "--structures",
        "dag:2-6,weighted,top=500",
    ),
    (
        "split",
        "scan.jsonl",
        "--by",
        "length:source",
        "--test",
        "0.2",
        "-o",
        "length.json",
        "--structures",
        "dag:2-4,counts,rules=all",
    ),
)


RUN_ALL = """
import json, sys
from recombine.cli.main import run
for command in json.loads(sys.argv[1]):
    try:
        run([*command, "--quiet"])
    except SystemExit as end:
        assert end.code == 0, command
"""


def write_all(folder: Path, hash_seed: str) -> dict[str, bytes]:
    """What the commands write, in one process."""
    folder.mkdir()
    subprocess.run(
        [sys.executable, "-c", RUN_ALL, json.dumps(COMMANDS)],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
        capture_output=True,
    )
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_hash_seeds_give_the_same_files(tmp_path: Path) -> None:
    first, second = write_all(tmp_path / "one", "1"), write_all(tmp_path / "two", "2")
    assert len(first) == len(COMMANDS)
    assert first == second
