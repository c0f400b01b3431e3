"""The states that items and batches can be in."""

from __future__ import annotations

OPEN, WAITING, WITHDRAWN = "open", "waiting", "withdrawn"
ACCEPTED, REJECTED, COMPLETE, EXHAUSTED = "accepted", "rejected", "complete", "exhausted"
RECONSIDER, PASSED, SET_ASIDE, EXPIRED, GIVEN_BACK = "reconsider", "passed", "set_aside", "expired", "given_back"
"""What a batch can be besides open."""
HELD = (OPEN, RECONSIDER)
"""The states of a batch that is kept for its worker."""
ADJUDICATION = "adjudication"
"""The standing of a response that is a lead's decision."""
