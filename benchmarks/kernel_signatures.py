"""Write `src/recombine/kernels/signatures.json`: every kernel with the types that commands call it with.

Run it after a kernel was added or its arguments changed: `python benchmarks/kernel_signatures.py`. It runs a command of
every kind on small data. Kernels of a module are in the order in which they stand there; modules that take longest to
compile come first. `tests/kernels/test_signatures.py` fails where the file is behind.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from recombine.kernels.signatures import FILE

TESTS = Path(__file__).parent.parent / "tests" / "kernels"
PLACE = Path(__file__).parent.parent / "src" / "recombine" / "kernels" / FILE
FIRST = ("chart_kernels", "split_kernels", "exchange_kernels", "forest_kernels", "local_structure_kernels")


def main() -> None:
    """Record and write."""
    import sys

    sys.path.insert(0, str(TESTS))
    from small_commands import recorded_signatures

    PLACE.write_text("{}\n", encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        variables = {"RECOMBINE_KERNELS": str(Path(folder, "kernels")), "RECOMBINE_DATA_CACHE": "off"}
        recorded_signatures(Path(folder, "first"), **variables)  # where a kernel is compiled, it asks for others
        recorded = recorded_signatures(Path(folder, "second"), **variables)

    def order(name: str) -> tuple[int, str]:
        module = name.partition(":")[0]
        last = module.rpartition(".")[2]
        return (FIRST.index(last) if last in FIRST else len(FIRST), module)

    signatures = {name: recorded[name] for name in sorted(recorded, key=order)}
    rows = (
        f" {json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(each)}" for each in types) + "\n ]"
        for name, types in signatures.items()
    )
    PLACE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
