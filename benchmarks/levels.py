"""How long levels take on a data set of GrailQA's size: 64,331 questions, about 5,000 templates, made up here.

    python benchmarks/levels.py [--questions N] [--repeats N]

The time is the user CPU of whole commands in processes of their own: data, ontology and programs read anew, and every
test example given its level; with `-o`, with what is unseen and the nearest training example of each. `split` is `split
--by levels` of the same data, `check` the proof of its levels; inside, how the time of reading programs is made up.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import orjson

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "kb")]

from made_questions import made_questions, write_ontology  # noqa: E402

QUESTIONS, DOMAINS = 64_331, 620
HELD = ["--dev-domains", "40", "--test-domains", "80"]


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        ontology = write_ontology(place / "ontology", domains=DOMAINS)
        rows = made_questions(1, domains=DOMAINS, questions=given.questions)
        data = place / "data.jsonl"
        data.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        language = ["--language", "sexpression"]
        folder = ["--ontology", str(ontology)]
        split = ["split", str(data), *language, "--by", "random", "--test", "0.3", "-o", str(place / "random.json")]
        run(split)
        levels = ["levels", str(data), str(place / "random.json"), *folder, "--no-cache", "--json"]
        made = orjson.loads(run(levels)[1])
        print(f"{given.questions:,} questions, {made['templates']:,} templates, {made['schema_items']:,} schema items")
        print(f"test: {made['levels']['test']['counts']}")
        print(f"load {os.getloadavg()[0]:.1f}, best user CPU of {given.repeats}")
        by_levels = ["split", str(data), *language, "--by", "levels", *folder, *HELD, "-o", str(place / "levels.json")]
        for title, command in (
            ("levels", levels),
            ("levels -o", [*levels, "-o", str(place / "levels.jsonl")]),
            ("split --by levels", [*by_levels, "--no-cache", "--json"]),
            ("check", ["check", str(data), str(place / "levels.json"), *folder, "--no-cache", "--json"]),
        ):
            best = min(run(command)[0] for _ in range(given.repeats))
            print(f"{title:<20} {best:6.2f} s")
        inside(data, ontology)


def run(arguments: list[str]) -> tuple[float, bytes]:
    """The user CPU seconds of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sys.executable, "-m", "recombine", *arguments], check=True, stdout=subprocess.PIPE)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def inside(data: Path, ontology: Path) -> None:
    """Print the time of each step in this process."""
    import recombine
    from recombine.measures.levels.level_definition import level_definition
    from recombine.measures.levels.level_features import level_features
    from recombine.measures.levels.levels import level_numbers

    start = time.process_time()
    dataset = recombine.load(data, language="sexpression", no_cache=True)
    loaded = time.process_time()
    definition, _ = level_definition(dataset, ontology=ontology)
    read = time.process_time()
    features = level_features(dataset, definition)
    described = time.process_time()
    cut = len(dataset) * 7 // 10
    level_numbers(features, range(cut), range(cut, len(dataset)))
    done = time.process_time()
    for title, seconds in (
        ("data read", loaded - start),
        ("ontology read", read - loaded),
        ("items and templates", described - read),
        ("levels told", done - described),
    ):
        print(f"{title:<20} {seconds:6.2f} s")


if __name__ == "__main__":
    main()
