"""The page of figures, `docs/performance.md`: what commands take here, and beside it what others' programs take.

    make bench-peers                              measures all, keeps it, and writes the page
    python benchmarks/peers.py --repeats 5        the same with more repeats; the least user CPU counts
    python benchmarks/peers.py --only show        prints some lines, and keeps nothing
    python benchmarks/peers.py page               writes the page from what is kept in benchmarks/results/peers.json

Nothing is fetched. Others' programs run in the same run where their checkouts are named in variables, see
`peer_programs.py`. Data is read from RECOMBINE_DATA; a line whose data is not there is left out, and says so.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import orjson

sys.path.insert(0, str(Path(__file__).parent))
import recombine
from peer_programs import PEERS, Peer
from recombine.datasets.catalogue import CATALOGUE
from recombine.files import write_whole

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "peers.json"
READERS = RESULTS.with_name("readers.json")
PAGE = ROOT / "docs" / "performance.md"
LONGEST = 900
"""Seconds by the clock after which a program is stopped."""
LONG = 10
"""Work that takes more seconds is measured once."""
SIZES = ("--train", "8365", "--test", "1045")
DIVERGENCES = ("compound_divergence", "atom_divergence")
LABELS = {"compound_divergence": "D_C", "atom_divergence": "D_A", "codelength": "bits"}


class Line(NamedTuple):
    """A command that is measured."""

    name: str
    words: tuple[str, ...]
    limit: str
    """What is asked of it; empty where nothing is."""
    values: tuple[str, ...] = ()
    """What of its `--json` is told."""
    data: str = ""
    """The data set that must be there."""
    cold: bool = False
    """Whether it begins without compiled kernels and without cached data; then the clock counts, and it runs once."""
    until: str = ""
    """The D_C at which it stops, where `split` knows `--until`."""


LINES = (
    Line("show scan", ("show", "scan", "-n", "1"), "0.5 s"),
    Line("split scan", ("split", "scan", "--by", "random", "-o", "split.json"), "1.2 s"),
    Line("induce scan", ("induce", "scan", "-o", "rules.txt"), "1.5 s", ("rules", "codelength")),
    Line(
        "tmcd geoquery",
        ("split", "geoquery/funql", "--by", "tmcd", "--train", "440", "--test", "440", "-o", "split.json"),
        "1.2 s, D_C ≥ 0.40",
        DIVERGENCES,
        "geoquery/funql",
    ),
    Line(
        "mcd scan",
        ("split", "scan", "--by", "mcd", *SIZES, "--structures", "dag:2-4,counts", "-o", "split.json"),
        "5 s to D_C 0.432",
        DIVERGENCES,
        until="0.432",
    ),
    Line(
        "mcd scan, 2 to 9 nodes",
        ("split", "scan", "--by", "mcd", *SIZES, "--structures", "dag:2-9,counts", "-o", "split.json"),
        "30 s to D_C 0.75",
        DIVERGENCES,
        until="0.75",
    ),
    Line("generate covr", ("generate", "covr", "-n", "50000", "-o", "covr.jsonl"), "15,000 a second", ("examples",)),
    Line("first induce", ("induce", "scan", "-o", "rules.txt"), "12 s by the clock, two cores", cold=True),
    Line("first demo", ("demo", "--out", "demo"), "60 s by the clock", cold=True),
)


class Ran(NamedTuple):
    """What a process took."""

    code: int
    user: float
    clock: float
    memory: float
    """The most at a time, in MB."""
    out: bytes
    errors: str


def run(words: list[str], folder: Path, variables: dict[str, str]) -> Ran:
    """Run a program to its end; user CPU is of the process and of those that it waited for."""
    with (folder / "out").open("wb") as out, (folder / "errors").open("wb") as errors:
        began = time.perf_counter()
        # Modules are read as bytecode, as they are once a package is installed.
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        process = subprocess.Popen(
            words, cwd=folder, env={**inherited, "OMP_NUM_THREADS": "1", **variables}, stdout=out, stderr=errors
        )
        ended = 0
        while not ended:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if not ended and time.perf_counter() - began > LONGEST:
                process.kill()
            time.sleep(0 if ended else 0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
    clock = time.perf_counter() - began
    last = (folder / "errors").read_text(errors="replace").strip().splitlines()[-1:]
    return Ran(
        process.returncode,
        used.ru_utime,
        clock,
        used.ru_maxrss / 1024,
        (folder / "out").read_bytes(),
        "".join(last),
    )


def measure(line: Line, repeats: int, *, knows_until: bool) -> dict[str, Any]:
    """The figures of a command: the least of the repeats after a run that fills the caches, or of a cold one."""
    words = [*line.words, *(("--until", line.until) if line.until and knows_until else ())]
    row: dict[str, Any] = {"name": line.name, "command": " ".join(("recombine", *words)), "limit": line.limit}
    if line.data and (missing := CATALOGUE[line.data].missing()):
        return {**row, "left_out": f"there is no {missing[0]} in RECOMBINE_DATA"}
    told = ["--json"] if line.values else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = {"RECOMBINE_KERNELS": f"{name}/kernels", "RECOMBINE_DATA_CACHE": f"{name}/data", "XDG_CACHE_HOME": name}
        variables = empty if line.cold else {}
        runs = []
        for number in range(1 if line.cold else repeats + 1):
            ran = run([sys.executable, "-m", "recombine", *words, *told], folder, variables)
            if ran.code:
                return {**row, "left_out": f"it ended with {ran.code}: {ran.errors}"}
            if number or line.cold or ran.user > LONG:
                runs.append(ran)
            if ran.user > LONG:
                break
    best = min(runs, key=lambda ran: ran.user)
    printed = orjson.loads(best.out) if told else {}
    return {
        **row,
        "cold": line.cold,
        "user": round(best.user, 3),
        "clock": round(best.clock, 3),
        "memory": round(best.memory),
        "values": {key: printed[key] for key in line.values},
        "signature": printed.get("signature"),
    }


def measure_peer(line: str, peer: Peer, repeats: int) -> dict[str, Any]:
    """The figures of another's program on the same work."""
    row: dict[str, Any] = {"name": line, "peer": peer.name}
    checkout = peer.checkout()
    if checkout is None:
        return {**row, "left_out": peer.why_not()}
    runs = []
    values: dict[str, Any] = {}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as name:
            ran = run(peer.prepare(checkout, Path(name)), Path(name), {})
            if ran.code:
                return {**row, "left_out": f"it ended with {ran.code}: {ran.errors}"}
            runs.append(ran)
            values = peer.result(Path(name))
        if ran.user > LONG:
            break
    return {**row, "user": round(min(ran.user for ran in runs), 3), "values": values}


def measure_search() -> dict[str, Any]:
    """TMCD on GeoQuery from features to split, in one process with its kernels loaded."""
    row: dict[str, Any] = {"name": "tmcd geoquery, features to split", "command": "recombine.split(…, by='tmcd')"}
    row["limit"] = "0.3 s, D_C ≥ 0.40"
    if missing := CATALOGUE["geoquery/funql"].missing():
        return {**row, "left_out": f"there is no {missing[0]} in RECOMBINE_DATA"}
    data = recombine.load("geoquery/funql")
    features = recombine.features(data)
    seconds, measured = [], {}
    for _ in range(4):
        began = time.process_time()
        made = recombine.split(data, by="tmcd", train=440, test=440, structures=features)
        seconds.append(time.process_time() - began)
        measured = dict(made.measured)
    values = {key: measured[key] for key in DIVERGENCES}
    return {**row, "user": round(min(seconds), 3), "values": values, "signature": str(made.signature)}


def measure_features() -> list[dict[str, Any]]:
    """Examples per second from the texts of programs to features."""
    from program_features import drawn_covr, repeated_funql, user_seconds
    from recombine.structures.dataset_features import extract_features
    from recombine.structures.definition import PROGRAM_STRUCTURES, Structures

    rows = []
    for name, make, limit in (
        ("COVR's programs, drawn", drawn_covr, "40,000 a second"),
        ("FunQL, GeoQuery's programs with other entities", repeated_funql, "40,000 a second"),
        ("CFQ's SPARQL", lambda: recombine.load("cfq/mcd1"), "15,000 a second"),
    ):
        row: dict[str, Any] = {"name": f"features: {name}", "command": PROGRAM_STRUCTURES, "limit": limit}
        try:
            data = make()
        except recombine.RecombineError as error:
            rows.append({**row, "left_out": str(error)})
            continue
        data = data.with_examples(data.examples[:20_000])
        extract_features(data, Structures.parse(PROGRAM_STRUCTURES))
        user = user_seconds(lambda data=data: extract_features(data, Structures.parse(PROGRAM_STRUCTURES)))
        rows.append({**row, "user": round(user, 3), "values": {"examples": len(data)}})
    return rows


def circumstances() -> dict[str, Any]:
    """What figures depend on besides the code."""
    names = [name for name in ("scan", "geoquery/funql") if not CATALOGUE[name].missing()]
    processor = platform.processor() or platform.machine()
    try:
        models = [
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ]
        processor = models[0] if models else processor
    except OSError:
        pass
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{processor}, {os.cpu_count()} cores, {platform.system()}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in ("numba", "numpy", "pyarrow", "scipy", "typer")},
        "recombine": recombine.__version__,
        "load": round(os.getloadavg()[0], 1),
        "bytecode": "not written" if sys.dont_write_bytecode else "written",
        "data": [str(recombine.load(name)) for name in names],
    }


# -- the page ---------------------------------------------------------------------------------------------------------


def page(kept: dict[str, Any]) -> str:
    """The page of documentation."""
    around = kept["circumstances"]
    packages = ", ".join(f"{name} {number}" for name, number in around["packages"].items())
    lines = [
        "# What commands take",
        "",
        "Written by `make bench-peers` from `benchmarks/results/peers.json`. Seconds are user CPU of one process from",
        "its start to its end, Python's own start included, with kernels compiled and data in the cache; the least of",
        f"{kept['repeats']} runs counts, or the only one where it is long. One core of {around['machine']};",
        f"the machine's load was {around['load']} at the start and {kept['load_after']} at the end, {around['date']}.",
        f"Python {around['python']} (bytecode {around['bytecode']}), {packages}, recombine {around['recombine']}.",
        f"Data: {', '.join(f'`{name}`' for name in around['data'])}; `recombine download geoquery` fetches GeoQuery.",
        "",
        "| work | command | user CPU | asked for | result | memory |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    warm = [row for row in kept["lines"] if not row.get("cold")]
    cold = [row for row in kept["lines"] if row.get("cold")]
    lines += [_line(row) for row in warm if "left_out" not in row]
    lines += [
        "",
        "`features` are from the texts of programs to both matrices, every program read anew, in one process.",
        "",
        "## The first time",
        "",
        "With no compiled kernels and an empty cache: seconds by the clock, and user CPU of all processes together.",
        "",
        "| command | clock | user CPU | asked for |",
        "| --- | --- | --- | --- |",
    ]
    lines += [
        f"| `{row['command']}` | {row['clock']:.1f} s | {row['user']:.1f} s | {row['limit']} |"
        for row in cold
        if "left_out" not in row
    ]
    return "\n".join([*lines, *_reader_lines(), *_peer_lines(kept), *_left_out(kept), *_signatures(kept)]) + "\n"


def _reader_lines() -> list[str]:
    """How fast programs are read, by `benchmarks/readers.py`."""
    kept = orjson.loads(READERS.read_bytes())
    told = []
    for each in kept["languages"]:
        last = each["rows"][-1]
        rate = last["texts"] / last["seconds"]
        told.append(f"| `{each['language']}` | {rate:,.0f} | {last['megabytes']:.0f} MB | {each['exponent']:.2f} |")
    return [
        "",
        "## Reading programs",
        "",
        "By `benchmarks/readers.py`: made-up programs read in a second of user CPU and the memory of their trees, for",
        f"{kept['languages'][0]['rows'][-1]['texts']:,} texts, and the exponent of the time from ×1 to ×8 of them.",
        "`robots.toml` is a [language file](languages.md#a-language-as-a-data-file).",
        "",
        "| language | texts a second | memory | exponent |",
        "| --- | --- | --- | --- |",
        *told,
    ]


def _line(row: dict[str, Any]) -> str:
    memory = f"{row['memory']:,} MB" if "memory" in row else ""
    limit = f"≤ {row['limit']}" if "second" not in row["limit"] else f"≥ {row['limit']}"
    command = f"`{row['command']}`"
    return f"| {row['name']} | {command} | {row['user']:.2f} s | {limit} | {_result(row)} | {memory} |"


def _result(row: dict[str, Any]) -> str:
    """What came out, in a few words; of examples, how many a second."""
    told = []
    for key, value in row["values"].items():
        if key == "examples":
            told.append(f"{value / row['user']:,.0f} examples a second")
        else:
            number = f"{value:.3f}" if isinstance(value, float) and value < 10 else f"{value:,.0f}"
            told.append(f"{LABELS.get(key, key)} {number}")
    return ", ".join(told)


def _peer_lines(kept: dict[str, Any]) -> list[str]:
    lines = [
        "",
        "## Beside others' programs",
        "",
        "The same examples, in the same run and on the same machine; what the programs give is measured here. See",
        "`benchmarks/peer_programs.py` for which they are and how they are run.",
        "",
    ]
    measured = [row for row in kept["peers"] if "left_out" not in row]
    ours = {row["name"]: row for row in kept["lines"] if "left_out" not in row}
    if measured:
        lines += [
            "| work | program | its user CPU | here | ratio | its result | here |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
    for row in measured:
        here = ours.get(row["name"])
        if here is not None:
            lines.append(
                f"| {row['name']} | {row['peer']} | {row['user']:.2f} s | {here['user']:.2f} s "
                f"| {row['user'] / here['user']:.1f} × | {_result(row)} | {_result(here)} |"
            )
    missing = [row for row in kept["peers"] if "left_out" in row]
    lines += [""] if measured and missing else []
    return [*lines, *(f"- Not measured here: {row['peer']} ({row['name']}): {row['left_out']}." for row in missing)]


def _left_out(kept: dict[str, Any]) -> list[str]:
    rows = [row for row in kept["lines"] if "left_out" in row]
    if not rows:
        return []
    return ["", "## Left out", "", *(f"- `{row['command']}`: {row['left_out']}." for row in rows)]


def _signatures(kept: dict[str, Any]) -> list[str]:
    rows = [row for row in kept["lines"] if row.get("signature")]
    return ["", "## Signatures", "", *(f"- {row['name']}: `{row['signature']}`" for row in rows)] if rows else []


def main() -> None:
    """Measure, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["page"], help="write the page from what is kept")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default=None, help="lines with this in their names; nothing is kept")
    options = parser.parse_args()
    if options.what == "page":
        write_whole(PAGE, page(orjson.loads(RESULTS.read_bytes())).encode())
        return
    wanted = "" if options.only is None else options.only
    with tempfile.TemporaryDirectory() as name:
        asked = run([sys.executable, "-m", "recombine", "split", "--help"], Path(name), {})
    knows_until = b"--until" in asked.out
    kept: dict[str, Any] = {"circumstances": circumstances(), "repeats": options.repeats, "lines": [], "peers": []}
    for line in (each for each in LINES if wanted in each.name):
        kept["lines"].append(_told(measure(line, options.repeats, knows_until=knows_until)))
        if line.name in PEERS and not line.cold:
            kept["peers"].append(_told(measure_peer(line.name, PEERS[line.name], options.repeats)))
    if wanted in "tmcd geoquery, features to split":
        kept["lines"].append(_told(measure_search()))
    if wanted in "features":
        kept["lines"] += map(_told, measure_features())
    kept["load_after"] = round(os.getloadavg()[0], 1)
    if options.only is None:
        write_whole(RESULTS, orjson.dumps(kept, option=orjson.OPT_INDENT_2) + b"\n")
        write_whole(PAGE, page(kept).encode())


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """The row, after it was printed."""
    name = row.get("peer") or row["name"]
    figure = f"left out: {row['left_out']}" if "left_out" in row else f"{row['user']:.2f} s  {_result(row)}"
    sys.stdout.write(f"{name:<34}{figure}\n")
    sys.stdout.flush()
    return row


if __name__ == "__main__":
    main()
