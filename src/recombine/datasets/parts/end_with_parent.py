"""A process that does some of another's work ends when that one does, also where it was killed and could not say so."""

from __future__ import annotations

import os
import threading
import time


def end_with_parent(every: float = 1.0) -> None:
    """End this process soon after the one that started it; that is looked for every so many seconds."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(every)
        os._exit(1)

    threading.Thread(target=watch, name="end_with_parent", daemon=True).start()
