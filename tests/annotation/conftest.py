"""Campaigns to test with: a clock that is set by hand, and small flows."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from recombine.annotation.campaign.campaign import Campaign
from recombine.annotation.tasks.read_flow import read_flow


class Clock:
    """A time that stands still until it is put on."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def new_campaign(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., Campaign]]:
    """Makes campaigns of a flow that ships, with options changed, and closes them."""
    made: list[Campaign] = []

    def make(flow: str = "grailqa", **changes: Any) -> Campaign:
        options = {key.replace("__", "."): value for key, value in changes.items()}
        place = tmp_path / f"campaign{len(made)}.db"
        made.append(Campaign.create(place, read_flow(flow, changes=options), name="test", key=b"k" * 32, clock=clock))
        return made[-1]

    yield make
    for campaign in made:
        campaign.close()


@pytest.fixture
def add() -> Callable[..., list[str]]:
    """Adds workers who have agreed; their ids."""

    def added(campaign: Campaign, *names: str, qualifications: tuple[str, ...] = ()) -> list[str]:
        new = campaign.add_workers(names, qualifications=qualifications)
        for each in new:
            campaign.consent(each.worker.id)
        return [each.worker.id for each in new]

    return added


@pytest.fixture
def new_clock() -> type[Clock]:
    return Clock


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], str]]:
    """A Postgres server of its own in a temporary folder; makes databases, and gives their addresses."""
    programs = postgres_programs()
    if programs is None:
        pytest.skip("Postgres is not installed (Debian: apt install postgresql)")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("Postgres does not run as root, and there is no runuser")
    as_other = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    if as_other:
        shutil.chown(folder, "postgres")

    def run(program: str, *arguments: str) -> None:
        command = [*as_other, str(programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=120, cwd=folder)

    run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "postgres", "--no-sync")
    options = f"-k {folder} -c listen_addresses= -c max_connections=120"
    run("pg_ctl", "-D", str(folder / "data"), "-o", options, "-l", str(folder / "log"), "-w", "start")
    number = count(1)

    def new_database() -> str:
        name = f"d{next(number)}"
        run("createdb", "-h", str(folder), "-U", "postgres", name)
        return f"postgresql://postgres@/{name}?host={folder}"

    yield new_database
    run("pg_ctl", "-D", str(folder / "data"), "-m", "immediate", "stop")
    shutil.rmtree(folder)


def postgres_programs() -> Path | None:
    """The folder of Postgres's programs, if it is installed."""
    folders = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    needed = ("initdb", "pg_ctl", "createdb")
    return next((folder for folder in folders if all((folder / name).exists() for name in needed)), None)
