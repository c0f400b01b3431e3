"""Whether two states of the code give the same bytes: digests of what the commands write and print.

    RECOMBINE_DATA=… python benchmarks/same_bytes.py --write before.json      # on the commit before
    RECOMBINE_DATA=… python benchmarks/same_bytes.py --against before.json    # after; exit code 1 on a difference
    … --only split                                                            # some of the commands

Every command runs as a user runs it, in an empty folder or in that of the commands it follows on. Its digests are those
of the files it wrote and of the object that `--json` printed, without `seconds`. A command that does not apply, such as
a grammar split of SQL, is kept with its exit code and its line of error: what is refused stays so, in the same words.

Kept digests stand in `benchmarks/results/same_bytes.json`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import orjson

STUDY = Path(__file__).parent.parent / "studies" / "smoke.toml"
SEEDS = (0, 1, 2)
DATA = {
    "scan": ("--train", "8365", "--test", "1045"),
    "geoquery/funql": ("--train", "440", "--test", "440"),
    "spider/ssp": ("--train", "3282", "--test", "1094"),
}
METHODS: dict[str, tuple[str, ...]] = {
    "random": (),
    "length:source": (),
    "length:target": (),
    "pattern:source": (),
    "pattern:target": (),
    "template": (),
    "grammar": (),
    "local-structure": (),
    "mcd": ("--effort", "0.1"),
    "tmcd": ("--effort", "0.1"),
}
SIZED = ("random", "mcd", "tmcd")
UNSIZED = ("grammar", "local-structure")
NOT_COMPARED = {"seconds", "per_second", "parser_seconds", "fallback_seconds"}
Command = tuple[str, list[str]]


def iter_splits() -> Iterator[Command]:
    """Every method on three data sets with three seeds."""
    for data, sizes in DATA.items():
        for by, options in METHODS.items():
            for seed in SEEDS:
                name = f"split/{data}/{by}/{seed}".replace(":", "-")
                wanted = sizes if by in SIZED else () if by in UNSIZED else ("--test", "0.1")
                yield name, ["split", data, "--by", by, *wanted, *options, "--seed", str(seed), "-o", "split.json"]
    yield (
        "split/geoquery/tmcd-published",
        [
            *("split", "geoquery/funql", "--by", "tmcd", "--published", "--test", "440", "--train", "440"),
            *("-o", "split.json"),
        ],
    )
    yield "split/covr/grammar", ["split", "covr/text", "--by", "grammar", "--seed", "1", "-o", "split.json"]
    yield (
        "split/scan/phrase",
        [
            *("split", "scan", "--by", "phrase:source", "--held-out", "jump", "--alone", "--few-shot", "4"),
            *("--shown-share", "0.1", "-o", "split.json"),
        ],
    )
    yield "split/covr/local", ["split", "covr/text", "--by", "local-structure", "-o", "split.json"]
    yield "split/scan/nqg-form", ["split", "scan", "--by", "random", "--test", "0.1", "--format", "nqg", "-o", "s.json"]


def iter_chains() -> Iterator[list[Command]]:
    """Commands of which a later one reads what an earlier one wrote; each chain has one folder."""
    yield [("generate/scan", ["generate", "scan", "-o", "scan.jsonl"])]
    yield [("generate/covr", ["generate", "covr", "-n", "2000", "-o", "covr.jsonl"])]
    yield [
        (
            "generate/scenes",
            ["generate", "scenes", "-n", "60", "--number-of-scenes", "200", "--noise", "0.15", "-o", "q.jsonl"],
        ),
        ("scenes/info", ["scenes", "info", "q.jsonl"]),
        ("scenes/page", ["scenes", "page", "q.jsonl", "--examples", "15", "-o", "page.html"]),
        ("scenes/hand-off", ["scenes", "hand-off", "q.jsonl", "-o", "items.jsonl"]),
    ]
    for command in iter_splits():
        yield [command]
    for data, split in (("geoquery/funql", "tmcd_1"), ("geoquery/funql", "standard"), ("scan", "mcd1")):
        whole = f"{data}/{split}"
        yield [
            (f"induce/{whole}", ["induce", data, whole, "-o", "grammar.txt"]),
            (f"train/{whole}", ["train", data, whole, "--grammar", "grammar.txt", "-o", "parser"]),
            (f"predict/{whole}", ["predict", "parser", data, whole, "-o", "predictions.jsonl"]),
            (f"score/{whole}", ["score", data, whole, "predictions.jsonl", "--errors", "-o", "scored.jsonl"]),
            (f"report/parser/{whole}", ["report", whole, "--parser", "parser", "-o", "parser.html"]),
            (f"difficulty/{whole}", ["difficulty", data, whole, "--predictions", "scored.jsonl", "--report", "d.html"]),
            (f"report/{whole}", ["report", whole, "-o", "split.html", "--figures", "figures"]),
        ]
    for data, split in (
        ("scan", "mcd1"),
        ("geoquery/funql", "tmcd_1"),
        ("spider/ssp", "tmcd_1"),
        ("atis", "published"),
    ):
        yield [(f"measure/{data}/{split}", ["measure", data, f"{data}/{split}"])]
        yield [(f"check/{data}/{split}", ["check", data, f"{data}/{split}"])]
        for order in ("2", "4"):
            words = ["difficulty", data, f"{data}/{split}", "--order", order]
            yield [(f"difficulty/{data}/{split}/{order}", words)]
    for by in ("local-structure", "random", "template"):
        for data in ("covr/text", "geoquery/funql", "atis"):
            yield [(f"select/{data}/{by}", ["select", data, "-k", "50", "--by", by, "--seed", "1", "-o", "ids.jsonl"])]
    yield [("measure/cogs", ["measure", "cogs", "cogs/published"])]
    yield [("show/cfq", ["show", "cfq/mcd1", "-n", "5"])]
    yield [("study/smoke", ["study", "run", str(STUDY), "--results", "results", "--device", "cpu"])]


def plain(value: Any) -> Any:
    """A JSON value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key not in NOT_COMPARED}
    return [plain(one) for one in value] if isinstance(value, list) else value


def digest(data: bytes) -> str:
    """A short digest."""
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def run(words: list[str], folder: Path) -> dict[str, str]:
    """The digests of one command: of what it printed and of every file that is new or changed."""
    before = snapshot(folder)
    done = subprocess.run(
        [sys.executable, "-m", "recombine", *words, "--json", "--quiet"],
        cwd=folder,
        capture_output=True,
        # Both states would find the same data in the user's cache, whatever they make; to test that it is the same
        # from there, name a folder.
        env={"RECOMBINE_DATA_CACHE": "off", **os.environ, "OMP_NUM_THREADS": "1"},
        check=False,
    )
    made = {"exit code": str(done.returncode)}
    if done.stdout:
        made["printed"] = digest(orjson.dumps(plain(orjson.loads(done.stdout)), option=orjson.OPT_SORT_KEYS))
    if done.returncode:
        made["error"] = done.stderr.decode().strip().splitlines()[-1] if done.stderr.strip() else ""
    made |= {f"file {name}": content for name, content in snapshot(folder).items() if before.get(name) != content}
    return made


def snapshot(folder: Path) -> dict[str, str]:
    """The digests of the files in a folder; timings and locks of a study are not its results.

    A folder of pictures has one digest for all of them.
    """
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    named = {str(path.relative_to(folder)): path for path in paths}
    digests = {
        name: digest(path.read_bytes())
        for name, path in named.items()
        if "timings" not in Path(name).parts and "work" not in Path(name).parts
    }
    drawn: dict[str, list[str]] = {}
    for name in [name for name in digests if Path(name).parent.suffix == ".pictures"]:
        drawn.setdefault(f"{Path(name).parent}/", []).append(f"{Path(name).name} {digests.pop(name)}")
    return digests | {name: digest("\n".join(each).encode()) for name, each in drawn.items()}


def run_chain(chain: list[Command]) -> dict[str, dict[str, str]]:
    """The digests of the commands of a chain."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: run(words, Path(folder)) for name, words in chain}


def differences(before: dict[str, dict[str, str]], after: dict[str, dict[str, str]]) -> list[str]:
    """What differs, a line each."""
    lines = []
    for name in sorted(before.keys() | after.keys()):
        one, other = before.get(name, {}), after.get(name, {})
        for key in sorted(one.keys() | other.keys()):
            if one.get(key) != other.get(key):
                lines.append(f"{name}: {key}: {one.get(key, 'missing')} → {other.get(key, 'missing')}")
    return lines


def main() -> int:
    """Run, and keep or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="the file for the digests")
    parser.add_argument("--against", type=Path, help="digests of another commit to compare with")
    parser.add_argument("--only", default="", help="only chains with this in the name of a command")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    chains = [chain for chain in iter_chains() if any(given.only in name for name, _ in chain)]
    made: dict[str, dict[str, str]] = {}
    with ThreadPoolExecutor(given.processes) as pool:
        for number, part in enumerate(pool.map(run_chain, chains), start=1):
            made |= part
            sys.stderr.write(f"\r{number} of {len(chains)} chains")
    sys.stderr.write("\n")
    if given.write is not None:
        given.write.write_bytes(orjson.dumps(made, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
    if given.against is None:
        return 0
    kept = orjson.loads(given.against.read_bytes())
    lines = differences({name: kept[name] for name in kept if not given.only or name in made}, made)
    refused = sum("error" in one for one in made.values())
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.write(f"{len(made)} commands ({refused} refuse), {len(lines)} differences\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
