"""Settings as a signature says them: a preset, and what was changed of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def preset_text(settings: Any, presets: Mapping[str, Any]) -> str:
    """The preset that needs the fewest changes, and the changes, of settings and presets of one dataclass."""
    given, texts = asdict(settings), []
    for name, preset in presets.items():
        usual = asdict(preset)
        changes = [f"{key}={_text(value)}" for key, value in given.items() if value != usual[key]]
        texts.append((len(changes), ",".join([name, *changes])))
    return min(texts, key=lambda row: row[0])[1]


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
