"""What makes a function a kernel, called from Python and kept on disk, or a part, called by kernels alone.

Both are compiled when they are first called and never at import. A part is compiled into each kernel that calls it and
is not kept by itself. numba compiles it once more for every constant that it is called with, so that kernels call large
parts with `np.int64(1)` for `1`.
"""

from __future__ import annotations

from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any

from numba import njit, typeof
from numba.extending import typeof_impl

from recombine.kernels.compile_events import cannot_keep, watch
from recombine.kernels.kernel_store import store_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.kernels.kernel_store import KernelStore

_NESTED = 20
"""A kernel calls fewer others than this."""


class Kernel:
    """A function that numba compiles, and keeps where `kernel_store` says."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self._store: KernelStore | None = None
        update_wrapper(self, function)

    @cached_property
    def compiled(self) -> Any:
        """What numba makes of it; with NUMBA_DISABLE_JIT=1, the function as it is."""
        plain = njit(self.py_func)
        if plain is self.py_func:
            return plain
        try:
            store = store_of(self.py_func)
            kept = njit(cache=True)(store.placed(self.py_func))
            store.check(kept.stats.cache_path)
        except (OSError, RuntimeError) as error:  # numba raises a RuntimeError where it finds no place for files
            cannot_keep(error)
            watch(plain, None)
            return plain
        self._store = store
        watch(kept, store)
        return kept

    def is_kept(self, types: tuple[Any, ...]) -> bool:
        """Whether it is on disk for arguments of some types; also where nothing is, so that none is compiled ahead."""
        return self.compiled is self.py_func or self._store is None or self._store.holds(self.py_func, types)

    def compile(self, types: tuple[Any, ...]) -> None:
        """Compile it for arguments of some types, or load it."""
        if self.compiled is not self.py_func:
            _despite_a_full_disk(lambda: self.compiled.compile(types))

    def __call__(self, *arguments: Any) -> Any:
        """Call it."""
        try:
            return self.compiled(*arguments)
        except OSError as error:
            cannot_keep(error)
            return _despite_a_full_disk(lambda: self.compiled(*arguments))


def _despite_a_full_disk(action: Callable[[], Any]) -> Any:
    """What an action gives: numba raises where it cannot write what it compiled, and has it in memory the next time."""
    for _ in range(_NESTED):
        try:
            return action()
        except OSError as error:
            cannot_keep(error)
    return action()


@typeof_impl.register(Kernel)  # type: ignore[untyped-decorator]
def _type_of_kernel(kernel: Kernel, context: Any) -> Any:
    """What a kernel is to another one that calls it."""
    del context
    return typeof(kernel.compiled)


def kernel(function: Callable[..., Any]) -> Any:
    """A compiled function that Python calls."""
    return Kernel(function)


def part(function: Callable[..., Any]) -> Any:
    """A compiled function that only kernels call."""
    return njit(function, no_cfunc_wrapper=True)


def inlined(function: Callable[..., Any]) -> Any:
    """A compiled function that is written out where kernels call it."""
    return njit(function, inline="always")
