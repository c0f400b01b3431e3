"""What was counted while questions were made: by reason, and by frame what was kept, dropped and answered."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from recombine.datasets.parts.made_lot import KEPT

if TYPE_CHECKING:
    from recombine.datasets.parts.part_file import Progress

ANSWERS = ("yes", "no")
_NOT_DROPPED = (KEPT, *ANSWERS)


def counted(progress: Progress) -> dict[str, Any]:
    """The counts for programs, in an order that is always the same."""
    rejected: Counter[str] = Counter()
    frames: dict[str, Counter[str]] = {}
    for (frame, name), count in progress.counts.items():
        if name not in _NOT_DROPPED:
            rejected[name] += count
        if frame:
            frames.setdefault(frame, Counter())[name] += count
    answers = {name: sum(each[name] for each in frames.values()) for name in ANSWERS}
    return {
        "drawn": sum(rejected.values()) + progress.kept,
        "rejected": dict(sorted(rejected.items())),
        "answers": answers if any(answers.values()) else None,
        "frames": {frame: dict(sorted(frames[frame].items())) for frame in sorted(frames)},
    }


def counted_lines(progress: Progress) -> list[str]:
    """The counts as a person reads them."""
    said = counted(progress)
    lines = []
    if said["rejected"]:
        parts = [f"{count:,} {name}" for name, count in Counter(said["rejected"]).most_common()]
        lines.append(f"dropped of {said['drawn']:,} drawn: {', '.join(parts)}")
    if said["answers"] is not None:
        yes, no = (said["answers"][name] for name in ANSWERS)
        lines.append(f"closed questions: {yes:,} yes, {no:,} no ({_share(yes, yes + no)} yes)")
    lines += _frame_table(said["frames"])
    return lines


def _frame_table(frames: dict[str, dict[str, int]]) -> list[str]:
    """A line for each frame: what was kept, the share that was dropped, and the share of yes."""
    if not frames:
        return []
    width = max(len("frame"), *map(len, frames))
    lines = [f"{'frame':<{width}} {'kept':>8} {'dropped':>8} {'share':>6} {'yes':>6}"]
    for frame, counts in frames.items():
        kept = counts.get(KEPT, 0)
        dropped = sum(count for name, count in counts.items() if name not in _NOT_DROPPED)
        yes, closed = counts.get("yes", 0), counts.get("yes", 0) + counts.get("no", 0)
        shares = f"{_share(dropped, dropped + kept):>6} {_share(yes, closed) if closed else '':>6}"
        lines.append(f"{frame:<{width}} {kept:>8,} {dropped:>8,} {shares}".rstrip())
    return lines


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"
