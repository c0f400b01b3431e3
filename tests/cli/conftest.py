"""Commands of a toy language, for the verbs that induce, train and predict."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

VERBS = {"jump": "J", "walk": "W", "look": "L", "run": "R"}
TIMES = {"twice": 2, "thrice": 3}
TEST = ["run thrice", "run and look", "hop twice"]
"""What is tested; `hop` is in no training example."""


def commands() -> list[tuple[str, str]]:
    """Every verb alone, twice and thrice, and pairs of verbs; the last has a verb that no other command has."""
    made = list(VERBS.items())
    made += [(f"{verb} {word}", " ".join([act] * n)) for verb, act in VERBS.items() for word, n in TIMES.items()]
    made += [(f"{one} and {two}", f"{a} {b}") for one, a in VERBS.items() for two, b in VERBS.items()]
    return [*made, ("hop twice", "H H")]


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with `data.jsonl`, and `split.json` with train, an empty dev and test."""
    monkeypatch.chdir(tmp_path)
    rows = commands()
    records = ({"id": str(number), "source": s, "target": t} for number, (s, t) in enumerate(rows))
    (tmp_path / "data.jsonl").write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    test = [number for number, (source, _) in enumerate(rows) if source in TEST]
    train = [number for number in range(len(rows)) if number not in test]
    (tmp_path / "split.json").write_bytes(orjson.dumps({"train": train, "dev": [], "test": test}))
    return tmp_path
