"""What makes a function a kernel, called from Python and kept on disk, or a part, called by kernels alone.

Both are compiled when they are first called and never at import. A part is compiled into each kernel that calls it. It
has no entry from Python, which takes longer to compile than many a part itself, and is compiled once for the types of
its arguments: numba would do so again for every constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

from recombine.kernels.kernel_cache import KernelCache

if TYPE_CHECKING:
    from collections.abc import Callable


class _Part(CPUDispatcher):  # type: ignore[misc]
    """A compiled function without an entry from Python: numba would run into nothing there, and end the process."""

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Refuse."""
        raise TypeError(f"{self.py_func.__qualname__} is called by kernels alone; make it a kernel to call it")


def kernel(function: Callable[..., Any]) -> Any:
    """A compiled function that Python calls."""
    dispatcher = njit(function)
    if is_compiled(dispatcher):
        dispatcher._cache = KernelCache(function)
        _forget_constants(dispatcher)
    return dispatcher


def part(function: Callable[..., Any]) -> Any:
    """A compiled function that only kernels call."""
    dispatcher = njit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    if is_compiled(dispatcher):
        dispatcher.__class__ = _Part
        _forget_constants(dispatcher)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """A compiled function that is written out where kernels call it."""
    return njit(function, inline="always")


def is_compiled(function: Any) -> bool:
    """Whether a kernel is one: with NUMBA_DISABLE_JIT=1 the function is left as it is."""
    return isinstance(function, CPUDispatcher)


def _forget_constants(dispatcher: Any) -> None:
    """Let the types of the arguments alone, not their values, decide which compiled form is called."""
    plain = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return plain(tuple(map(unliteral, args)), {name: unliteral(each) for name, each in kws.items()})

    dispatcher.get_call_template = get_call_template
