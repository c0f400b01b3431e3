"""How long a data set takes to be read from each format, beside JSON lines: CPU time and peak memory.

    python benchmarks/file_formats.py [--examples 50000] [--rounds 3]

The data set is COVR's, generated, with ids and tags and without derivations; it is written in every format, and each is
read by a process of its own, in turns, so that what else the machine does falls on all alike. The best of the rounds
counts. What is read has the same content hash, or nothing is printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

FORMATS = ("jsonl", "json", "tsv", "csv", "parquet", "arrow", "saved", "jsonl.gz", "csv.gz")
READ = """
import re, sys, time
from pathlib import Path
import pyarrow  # its import is not reading
from recombine.datasets.files.tables import read_table
def peak():
    return int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1])
start, before = time.process_time(), peak()
data = read_table(sys.argv[1])
taken = time.process_time() - start
print(taken, (peak() - before) / 1024, data.hash)
"""


def write_formats(folder: Path, examples: int) -> dict[str, Path]:
    """The files of one data set."""
    import orjson
    import pyarrow as pa

    import recombine
    from recombine.datasets.files.tables import write_table
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example

    made = recombine.generate("covr", n=examples, seed=1).dataset
    plain = Dataset.of(
        "made", (Example(e.id, e.source, e.target, tags={"kind": "x", "n": n}) for n, e in enumerate(made))
    )
    paths = {name: folder / f"made.{name}" for name in FORMATS}
    for name, path in paths.items():
        if name == "json":
            lines = paths["jsonl"].read_bytes().splitlines()
            path.write_bytes(b"[" + b",\n".join(lines) + b"]")
        elif name == "saved":
            path.mkdir()
            table = plain.to_arrow()
            with pa.OSFile(str(path / "data.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table, max_chunksize=1000)
            (path / "state.json").write_bytes(orjson.dumps({"_data_files": [{"filename": "data.arrow"}]}))
        else:
            write_table(plain, path)
    return paths


def main() -> None:
    """Print a line for each format."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        paths = write_formats(Path(name), given.examples)
        taken: dict[str, list[tuple[float, float]]] = {form: [] for form in FORMATS}
        hashes = set()
        for _ in range(given.rounds):
            for form, path in paths.items():
                command = [sys.executable, "-c", READ, str(path)]
                ended = subprocess.run(command, check=True, capture_output=True, text=True)
                seconds, megabytes, content = ended.stdout.split()
                taken[form].append((float(seconds), float(megabytes)))
                hashes.add(content)
        assert len(hashes) == 1, hashes
        print(f"{given.examples:,} examples, best of {given.rounds}")
        print("format     file MB   CPU s   examples/s   of jsonl   memory MB")
        base = min(seconds for seconds, _ in taken["jsonl"])
        for form, path in paths.items():
            size = sum(file.stat().st_size for file in ([path] if path.is_file() else path.iterdir())) / 1e6
            seconds, memory = (min(values) for values in zip(*taken[form], strict=True))
            rate = given.examples / seconds
            print(f"{form:10} {size:7.1f} {seconds:7.2f} {rate:12,.0f} {seconds / base:9.2f}× {memory:11.0f}")


if __name__ == "__main__":
    main()
