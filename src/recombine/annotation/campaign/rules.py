"""What an operation goes by: the flow, and the secret of the campaign."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.annotation.tasks.flow import Flow


@dataclass(frozen=True)
class Rules:
    """The flow and the key, from which all that looks random follows."""

    flow: Flow
    key: bytes

    def keyed(self, *parts: object) -> str:
        """A text that follows from the parts, and that nobody can work out without the key."""
        return hmac.new(self.key, "\0".join(str(part) for part in parts).encode(), sha256).hexdigest()

    def draw(self, *parts: object) -> int:
        """A number below 2^62 that follows from the parts."""
        return int(self.keyed(*parts)[:16], 16) >> 2


def token_hash(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()
