"""Data that many tests share."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from forked_processes import ForkedProcesses
from toy_world import TOY

# Compiled kernels are kept between runs, for all processes of the tests, and apart from the user's own.
os.environ.setdefault("RECOMBINE_KERNELS", str(Path(__file__).parent.parent / ".kernels"))

from recombine import plugins
from recombine.records.dataset import Dataset
from recombine.records.world import WorldKind, register_world
from recombine.structures.dataset_features import DatasetFeatures
from recombine.workbench import features, generate, load
from recombine.workbench.generate import GenerateResult


def pytest_configure(config: pytest.Config) -> None:
    """Compile what is missing once, before the processes of the tests would do so each, or print that they do."""
    if not hasattr(config, "workerinput"):
        subprocess.run(
            [sys.executable, "-m", "recombine", "warm-up", "--quiet", "--json"], check=False, stdout=subprocess.DEVNULL
        )


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the thousands of tests and what they import, which all stay."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _cache_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests, and the commands that they start, from the user's cache; all processes of a run have one."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECOMBINE_DATA_CACHE", str(folder / "data_cache"))
        yield


@pytest.fixture(scope="session")
def processes() -> Iterator[ForkedProcesses]:
    """Processes for commands, forked from one that has imported what they use."""
    forked = ForkedProcesses()
    yield forked
    forked.close()


@pytest.fixture(scope="session")
def scan() -> Dataset:
    """SCAN, made once."""
    return load("scan")


@pytest.fixture(scope="session")
def scan_features(scan: Dataset) -> DatasetFeatures:
    """Its features under the default definition."""
    return features(scan)


@pytest.fixture(scope="session")
def noisy_questions() -> GenerateResult:
    """Questions about scenes with noise, made once; writing them leaves them as they are."""
    return generate("scenes", n=60, seed=5, noise=0.15, number_of_scenes=150, pool=60)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The directory of public data; the test is skipped where there is none."""
    named = os.environ.get("RECOMBINE_DATA")
    if not named or not Path(named, "scan", "tasks.txt.gz").is_file():
        pytest.skip("RECOMBINE_DATA names no directory with public data")
    return Path(named)


@pytest.fixture
def toy_kind() -> WorldKind:
    """The kind of world of `toy_world.py`, known for the time of a test."""
    return register_world(TOY)


@pytest.fixture(autouse=True)
def _lists_as_they_were() -> Iterator[None]:
    """What a test registers, or loads as a plug-in, is gone after it."""
    registries = [(registry, dict(registry._things), dict(registry._origins)) for registry in plugins._REGISTRIES]
    loaded = dict(plugins.LOADED)
    yield
    for registry, things, origins in registries:
        registry._things, registry._origins = things, origins
    plugins.LOADED.clear()
    plugins.LOADED.update(loaded)
