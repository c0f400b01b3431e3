"""The public surface is one sorted list, and importing it is light."""

from __future__ import annotations

import subprocess
import sys

import pytest

import recombine


def test_the_list_is_sorted_and_every_name_is_there() -> None:
    assert recombine.__all__ == sorted(recombine.__all__)
    assert set(recombine._HOMES) < set(recombine.__all__) - {"__version__"}
    assert {"split", "measure", "study", "load_split", "Dataset"} < set(recombine.__all__)
    assert not {"verb", "demo", "given", "results"} & set(recombine.__all__)
    for name in recombine.__all__:
        assert getattr(recombine, name) is not None
        documented = getattr(recombine, name).__doc__
        assert documented, name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'splitt'"):
        recombine.splitt  # noqa: B018


@pytest.mark.parametrize("command", ["import recombine", "import recombine.cli.main"])
def test_importing_is_light(command: str) -> None:
    heavy = ["numba", "numpy", "scipy", "pyarrow", "torch", "lark", "sklearn", "rich.progress"]
    code = f"import sys; {command}; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
