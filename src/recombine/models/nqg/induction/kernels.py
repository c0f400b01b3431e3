"""The kernels that an induction calls, to be compiled together where they are not yet."""

from __future__ import annotations

_ROOM = "recombine.models.nqg"
KERNELS = (
    *(f"{_ROOM}.forest.chart_kernels:{name}" for name in ("insert", "rehash", "fill", "example_bits", "count_all")),
    *(f"{_ROOM}.forest.chart_kernels:{name}" for name in ("switch_on", "switch_off")),
    f"{_ROOM}.induction.split_kernels:splits",
    *(f"{_ROOM}.induction.embedding:{name}" for name in ("find_embedding", "affected")),
)
