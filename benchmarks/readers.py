"""CPU time and peak memory of reading programs, by language, for data of ×1, ×2, ×4 and ×8 the size.

    python benchmarks/readers.py [LANGUAGE …]        writes benchmarks/results/readers.json where all are measured

Texts are made from a seed, all of them distinct; a language file is `docs/examples/languages/robots.toml`. Every row is
a process of its own: user CPU of reading all texts into trees, the best of two turns, and the peak of its memory less
that before reading. The exponent is the slope of time over size, both as logarithms: 1 where twice as many texts take
twice as long.
"""

from __future__ import annotations

import json
import platform
import random
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np

from recombine.languages.known import find_language
from recombine.version import __version__

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "readers.json"
FILE = str(ROOT / "docs" / "examples" / "languages" / "robots.toml")
SIZES = (1_000, 2_000, 4_000, 8_000)
WORDS = ("city", "date", "n", "to", "Rome", "Oslo", "left", "right", "red", "blue")


def call(draw: random.Random, number: int, depth: int, form: str) -> str:
    """A call with calls inside, in the form of a notation: the name, then what stands between its parts."""
    name = f"f{draw.randrange(40)}"
    parts = [
        call(draw, number, depth - 1, form)
        if depth and draw.random() < 0.6
        else draw.choice([f"{draw.choice(WORDS)}{number}", str(draw.randrange(100))])
        for _ in range(draw.randrange(1, 4))
    ]
    if form == "lists":
        return f"({' '.join([name, *parts])})"
    if form == "top":
        inner = [part if part.startswith("[") else f"[SL:{name.upper()} {part} ]" for part in parts]
        return f"[IN:{name.upper()} {' '.join(inner)} ]"
    if form == "pipes":
        return f"{name}({', '.join(parts)}, n: {draw.randrange(9)}) |> {draw.choice(WORDS)}"
    return f"{name}({', '.join(parts)})"


def tool_call(draw: random.Random, number: int, depth: int) -> dict[str, object]:
    """A tool call with objects inside."""
    arguments: dict[str, object] = {
        word: tool_call(draw, number, depth - 1) if depth and draw.random() < 0.4 else f"{word} {number}"
        for word in draw.sample(WORDS, draw.randrange(1, 4))
    }
    return {"name": f"f{draw.randrange(40)}", "arguments": arguments}


def query(draw: random.Random, number: int) -> str:
    """A query with a join, a sub-query and a condition or two."""
    column, table = draw.choice(WORDS[:4]), draw.choice(["city", "river"])
    inner = f"select {column} from {table} where n = {draw.randrange(9)}"  # noqa: S608
    joined = f"{table} as t1 join state as t2 on t1.n = t2.n"
    where = f"t1.size > {number} and t1.{column} in ({inner})"
    return f"select t1.{column}, count(*) from {joined} where {where} group by t1.n"  # noqa: S608


def texts(language: str, size: int) -> list[str]:
    """Distinct programs of a language."""
    draw = random.Random(0)  # noqa: S311
    forms = {"top": "top", "brackets": "lists", "robots.toml": "pipes"}
    made = []
    for number in range(size):
        if language == "json":
            made.append(json.dumps(tool_call(draw, number, 2)))
        elif language == "sql":
            made.append(query(draw, number))
        elif language == "text":
            made.append(" ".join([*draw.choices(WORDS, k=12), str(number)]))
        else:
            made.append(call(draw, number, 2, forms.get(language, "calls")))
    return made


LANGUAGES = ("json", "python", "top", "brackets", "text", "robots.toml", "sql")


def read(language: str, size: int) -> dict[str, float]:
    """What reading takes in this process."""
    reader = find_language(FILE if language.endswith(".toml") else language)
    made = texts(language, size)
    reader.parse(made[0])  # what is imported at first is not counted
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = []
    for _ in range(2):
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        trees = [reader.parse(text) for text in made]
        seconds.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - start)
        nodes = sum(tree.size() for tree in trees)
        del trees
    megabytes = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    characters = sum(map(len, made))
    return {"texts": size, "characters": characters, "nodes": nodes, "seconds": min(seconds), "megabytes": megabytes}


def measured(language: str) -> dict[str, object]:
    """The rows of a language, each of a process of its own, and the exponent of their times."""
    rows = []
    for size in SIZES:
        command = [sys.executable, __file__, "--one", language, str(size)]
        rows.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    slope = np.polyfit(np.log([row["texts"] for row in rows]), np.log([row["seconds"] for row in rows]), 1)[0]
    return {"language": language, "exponent": round(float(slope), 2), "rows": rows}


def main() -> int:
    """Print the table; keep it where every language was measured."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(read(sys.argv[2], int(sys.argv[3]))))
        return 0
    names = sys.argv[1:] or list(LANGUAGES)
    print(f"{'language':12} {'texts':>7} {'chars':>6} {'CPU s':>7} {'a second':>9} {'MB':>6}  exponent")
    found = []
    for name in names:
        made = measured(name)
        found.append(made)
        for row in made["rows"]:  # type: ignore[attr-defined]
            last = f"  {made['exponent']}" if row["texts"] == SIZES[-1] else ""
            rate, length = row["texts"] / row["seconds"], row["characters"] / row["texts"]
            figures = f"{length:6.0f} {row['seconds']:7.2f} {rate:9,.0f} {row['megabytes']:6.0f}{last}"
            print(f"{name:12} {row['texts']:7,} {figures}")
    if names == list(LANGUAGES):
        machine = f"{platform.machine()}, Python {platform.python_version()}, recombine {__version__}"
        RESULTS.write_text(json.dumps({"machine": machine, "languages": found}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
