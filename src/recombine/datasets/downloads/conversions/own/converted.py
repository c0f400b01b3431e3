"""What a conversion of raw files gives."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Converted:
    """Records, and how many were left out for which reason."""

    records: list[dict[str, Any]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    """Where the first record is that was left out for a reason."""

    def leave_out(self, reason: str, place: str) -> None:
        """Count a record that is left out."""
        self.left_out[reason] += 1
        self.first.setdefault(reason, place)

    def content(self) -> bytes:
        """The records as JSON lines."""
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self.records).encode()
