"""Where a Chromium is on this machine: `RECOMBINE_CHROMIUM`, or one of its usual names on the path."""

from __future__ import annotations

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_chromium() -> str | None:
    """The program to start, or none."""
    return next(
        (path for name in (os.environ.get("RECOMBINE_CHROMIUM"), *NAMES) if name and (path := shutil.which(name))), None
    )


if __name__ == "__main__":
    found = find_chromium()
    print(found or "no Chromium")
    sys.exit(0 if found else 1)
