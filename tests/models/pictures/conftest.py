"""Questions about pictures of a small world, and a model that is trained in a second."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from recombine.workbench import generate


@pytest.fixture(scope="session")
def tiny() -> Mapping[str, Any]:
    """Settings of a model that learns next to nothing."""
    return {
        "width": 16,
        "heads": 2,
        "text_layers": 1,
        "region_layers": 1,
        "image_layers": 1,
        "filter_width": 16,
        "features": 8,
        "crop": 8,
        "detector_steps": 3,
        "detector_batch": 64,
        "grounding_steps": 3,
        "grounding_batch": 8,
        "steps": 4,
        "batch": 8,
        "warmup": 2,
        "curve": 2,
        "other_scenes": 6,
        "descriptions": 60,
    }


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of questions with scenes, pictures and a split beside it."""
    path = tmp_path_factory.mktemp("pictures") / "q.jsonl"
    generate("scenes", n=60, number_of_scenes=90, templates="COUNT,VERIFYATTR,QUERYATTR", pool=120, seed=3).write(path)
    return path
