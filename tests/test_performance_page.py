"""The page of figures is what the script writes of its kept rows; others' programs run where they are named."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest

import recombine

ROOT = Path(__file__).parent.parent
TSV_UTILS = """
from tensorflow.io import gfile

def read(filename):
    with gfile.GFile(filename, "r") as file:
        return [line.rstrip("\\n").split("\\t") for line in file]
"""
INDUCE = """
import sys
from language.compgen.nqg.tasks import tsv_utils

flags = dict(word[2:].split("=", 1) for word in sys.argv[1:])
assert flags["sample_size"] == "500", flags
with open(flags["output"], "w") as file:
    file.write("".join(f"{source} ### {target}\\n" for source, target in tsv_utils.read(flags["input"])[:7]))
"""
DIVIDE = """
import pathlib, pickle, sys, torch

flags = dict(zip(sys.argv[1::2], sys.argv[2::2]))
folder = pathlib.Path(flags["--data-dir"])
atoms, compounds = (torch.load(folder / f"{name}_freqs.pt") for name in ("atom", "compound"))
ids = (folder / "used_sent_ids.txt").read_text().split()
assert atoms.shape == (len(ids), len(pickle.loads((folder / "atom_ids.pkl").read_bytes())))
assert compounds.shape == (len(ids), len(pickle.loads((folder / "com_ids.pkl").read_bytes())))
(folder / "made").mkdir()
for part, chosen in (("train", ids[:400]), ("test", ids[400:500])):
    for number in (2, 10):
        lines = chosen if number == 10 else chosen[:3]
        (folder / "made" / f"{part}_set_iter{number}_comdiv0.5_atomdiv0.1.txt").write_text("\\n".join(lines))
"""


def script(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def programs() -> ModuleType:
    return script("peer_programs")


@pytest.fixture(scope="module")
def peers(programs: ModuleType) -> ModuleType:
    return script("peers")


@pytest.fixture
def kept() -> dict[str, Any]:
    value: dict[str, Any] = orjson.loads((ROOT / "benchmarks" / "results" / "peers.json").read_bytes())
    return value


@pytest.fixture(autouse=True)
def _none_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NQG", "DBCA", "PYTHON"):
        monkeypatch.delenv(f"RECOMBINE_PEER_{name}", raising=False)


def test_the_page_is_what_the_script_writes(peers: ModuleType, kept: dict[str, Any]) -> None:
    assert (ROOT / "docs" / "performance.md").read_text() == peers.page(kept)


def test_every_line_is_on_the_page_or_said_to_be_left_out(peers: ModuleType, kept: dict[str, Any]) -> None:
    assert {line.name for line in peers.LINES} <= {row["name"] for row in kept["lines"]}
    assert {row["name"] for row in kept["peers"]} == set(peers.PEERS)
    left = {**kept["lines"][0], "left_out": "there is no such file"}
    page = peers.page({**kept, "lines": [left, *kept["lines"][1:]]})
    assert f"- `{left['command']}`: there is no such file." in page
    assert page.count(f"`{left['command']}`") == 1


def test_ratios_are_of_one_run_and_never_of_a_program_that_did_not_run(peers: ModuleType, kept: dict[str, Any]) -> None:
    here = next(row for row in kept["lines"] if row["name"] == "induce scan")
    ran = {"name": "induce scan", "peer": "nqg's induce_rules", "user": 10 * here["user"], "values": {"rules": 21}}
    missing = {"name": "mcd scan", "peer": "dbca's divide.py", "left_out": "RECOMBINE_PEER_DBCA names no checkout"}
    page = peers.page({**kept, "peers": [ran, missing]})
    assert f"| {ran['user']:.2f} s | {here['user']:.2f} s | 10.0 × | rules 21 |" in page
    assert "- Not measured here: dbca's divide.py (mcd scan): RECOMBINE_PEER_DBCA names no checkout." in page
    assert " × |" not in peers.page({**kept, "peers": [missing]})


def test_a_program_that_is_not_there_or_fails_is_left_out(
    peers: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer = peers.PEERS["mcd scan"]
    assert peers.measure_peer("mcd scan", peer, 1)["left_out"] == "RECOMBINE_PEER_DBCA names no checkout"
    monkeypatch.setenv("RECOMBINE_PEER_DBCA", str(tmp_path))
    assert "has no divide.py" in peers.measure_peer("mcd scan", peer, 1)["left_out"]
    (tmp_path / "divide.py").write_text("raise SystemExit('it wants more memory')")
    failing = peer._replace(prepare=lambda checkout, _: [sys.executable, str(checkout / "divide.py")])
    assert peers.measure_peer("mcd scan", failing, 1)["left_out"] == "it ended with 1: it wants more memory"


def test_nqg_runs_without_tensorflow(peers: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "language" / "compgen" / "nqg"
    for file, text in (("tasks/tsv_utils.py", TSV_UTILS), ("model/induction/induce_rules.py", INDUCE)):
        (room / file).parent.mkdir(parents=True)
        (room / file).write_text(text)
    monkeypatch.setenv("RECOMBINE_PEER_NQG", str(tmp_path))
    row = peers.measure_peer("induce scan", peers.PEERS["induce scan"], 1)
    assert row["values"] == {"rules": 7}
    assert 0 < row["user"] < 5


@pytest.mark.slow
def test_dbca_gets_the_matrices_and_its_last_split_is_measured(
    peers: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    (tmp_path / "divide.py").write_text(DIVIDE)
    monkeypatch.setenv("RECOMBINE_PEER_DBCA", str(tmp_path))
    row = peers.measure_peer("mcd scan", peers.PEERS["mcd scan"], 1)
    assert (row["values"]["train"], row["values"]["test"]) == (400, 100)
    data = recombine.load("scan")
    ids = list(data.index)
    again = peers.sys.modules["peer_programs"].divergences(
        data, {"train": tuple(ids[:400]), "test": tuple(ids[400:500])}, "dag:2-4,counts"
    )
    assert row["values"] == again
    assert 0 < again["compound_divergence"] < 1


@pytest.mark.parametrize("command", ["list --json", "show none.jsonl"])
def test_user_seconds_are_of_the_command(peers: ModuleType, command: str) -> None:
    row = peers.measure(peers.Line("x", tuple(command.split()), "1 s"), 1, knows_until=False)
    assert ("left_out" in row) == ("none" in command)
    if "left_out" in row:
        assert "no such file" in row["left_out"]
    else:
        assert 0.02 < row["user"] < 5
        assert row["memory"] > 10
