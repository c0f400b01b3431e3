"""Bounds on the ratio of mean lengths, as they are written: `0.8:1.25` for both sides, `source=0.9:1.1` for one."""

from __future__ import annotations

from recombine.errors import OptionError

SIDES = ("source", "target")


def parse_ratio(text: str | None) -> dict[str, tuple[float, float]]:
    """Bounds on length ratios by side.

    >>> parse_ratio("0.8:1.25")
    {'source': (0.8, 1.25), 'target': (0.8, 1.25)}
    >>> parse_ratio("target=0.9:1.1")
    {'target': (0.9, 1.1)}
    """
    ratios: dict[str, tuple[float, float]] = {}
    for piece in (text or "").split(",") if text else ():
        name, equals, bounds = piece.rpartition("=")
        low, colon, high = bounds.partition(":")
        try:
            pair = float(low), float(high)
        except ValueError:
            pair = 0.0, 0.0
        if not colon or not 0 < pair[0] <= pair[1] or (equals and name not in SIDES):
            raise OptionError(f"cannot read the length ratio {text!r}", "write 0.8:1.25 or source=0.9:1.1")
        for side in (name,) if equals else SIDES:
            ratios[side] = pair
    return ratios
