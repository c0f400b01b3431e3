"""The list of kernels and their types is what commands ask for, so that `warm-up` leaves nothing to compile."""

from __future__ import annotations

import ast
from pathlib import Path

from small_commands import recorded_signatures

import recombine
from recombine.kernels.signatures import describe_type, known_signatures, read_types

PACKAGE = Path(recombine.__file__).parent
NO_COMMAND = {
    "recombine.models.nqg.forest.chart_kernels:canonical",
    "recombine.models.nqg.induction.split_kernels:occurrences",
    *(f"recombine.easiness.similarity_kernels:{name}" for name in ("compare_all", "compare_symbols")),
    *(
        f"recombine.splits.search.exchange_kernels:{name}"
        for name in (
            "product_sum",
            "divergence",
            "compound_divergence",
            "joined",
            "shift",
            "uncovered_change",
            "constraint_trial",
            "compound_trial",
            "commit",
            "random_sides",
        )
    ),
}
"""Kernels that other kernels alone call, with which they are compiled, or tests do."""


def declared_kernels() -> set[str]:
    """The functions of the package that are kernels."""
    kernels = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        if "@kernel" not in text:
            continue
        module = ".".join(("recombine", *path.relative_to(PACKAGE).with_suffix("").parts))
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and "kernel" in map(ast.unparse, node.decorator_list):
                kernels.add(f"{module}:{node.name}")
    return kernels


def test_every_kernel_is_listed() -> None:
    assert declared_kernels() - NO_COMMAND == set(known_signatures())


def test_what_commands_ask_for_is_listed(tmp_path: Path) -> None:
    asked = recorded_signatures(tmp_path, RECOMBINE_DATA_CACHE="off")
    assert len(asked) > 30
    known = known_signatures()
    assert {name: [each for each in rows if each not in known.get(name, [])] for name, rows in asked.items()} == {
        name: [] for name in asked
    }


def test_types_are_read_as_they_were_described() -> None:
    for signatures in known_signatures().values():
        for described in signatures:
            assert [describe_type(each) for each in read_types(described)] == described
