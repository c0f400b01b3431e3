"""The same commands under other hash seeds write the same bytes."""

from __future__ import annotations

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


def write_all(folder: Path, hash_seed: str) -> dict[str, bytes]:
    folder.mkdir()
    for command in COMMANDS:
        subprocess.run(
            [sys.executable, "-m", "recombine", *command, "--quiet"],
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
