"""Why cells fail, in a line, and processes that end with the one that waits."""

from __future__ import annotations

import subprocess
import sys

import pytest

from recombine.errors import RecombineError
from recombine.models.exported_folder import failure_reason, wait_for_all


def test_reasons_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure_reason(MemoryError(), "the batch").startswith("out of memory; lower the batch, run fewer processes")
    assert failure_reason(RecombineError("it is not there", "look"), "the batch") == "it is not there; look"
    assert capsys.readouterr().err == ""
    assert failure_reason(KeyError("two\nlines"), "the batch") == r"KeyError: 'two\nlines'"
    assert failure_reason(ValueError("two\nlines"), "the batch") == "ValueError: two lines"
    assert "ValueError: two" in capsys.readouterr().err  # whole, for whoever mends it


def test_an_interrupt_ends_all_processes() -> None:
    class Interrupted(subprocess.Popen[bytes]):
        def wait(self, timeout: float | None = None) -> int:
            if timeout is None:
                raise KeyboardInterrupt
            return super().wait(timeout)

    sleeping = [Interrupted([sys.executable, "-c", "import time; time.sleep(60)"]) for _ in range(2)]
    with pytest.raises(KeyboardInterrupt):
        wait_for_all(sleeping)
    assert all(process.wait(timeout=20) for process in sleeping)
