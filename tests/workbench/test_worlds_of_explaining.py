"""`--world`, or `--kb`, of the verbs that explain reaches the loading of data, from the command and from Python."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import recombine
from recombine.cli.main import run
from recombine.errors import RecombineError

CALLS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "difficulty": (["d.jsonl", "s.json"], {"data": "d.jsonl", "splits": "s.json"}),
    "select": (["d.jsonl", "-k", "1"], {"data": "d.jsonl", "k": 1}),
    "report": (["s.json", "--data", "d.jsonl", "-o", "o.html"], {"splits": "s.json", "data": "d.jsonl"}),
}
PLACE = "https://example.org/sparql"
"""An address, which as a path would lose a slash."""


@pytest.mark.parametrize("flag", ["--world", "--kb", ""])
@pytest.mark.parametrize("verb", CALLS)
def test_a_world_is_passed_on(verb: str, flag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = []

    def load_for(data: object, splits: object, *, world: object, **options: object) -> None:
        del data, splits, options
        given.append(world)
        raise RecombineError("loaded")

    # The name in the room is the function, so the module is asked for by its path.
    monkeypatch.setattr(import_module(f"recombine.workbench.{verb}"), "load_for", load_for)
    words, options = CALLS[verb]
    if flag:
        with pytest.raises(SystemExit) as ended:
            run([verb, *words, flag, PLACE])
        assert ended.value.code == 2
    else:
        with pytest.raises(RecombineError, match="loaded"):
            getattr(recombine, verb)(**options, world=PLACE)
    assert given == [PLACE]
