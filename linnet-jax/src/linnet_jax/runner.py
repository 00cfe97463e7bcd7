"""Runs printed source on NumPy arrays; it and `loading/` import jax.

In: source, arrays in the order of the document's leaves (bf16 as ml_dtypes arrays).  Out: the operands of `finish` as arrays.  Raises
`MissingRuntime` when jax is not installed and `RuntimeFailure` for what went wrong in the run.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from linnet_core.errors import MissingRuntime, RuntimeFailure
from linnet_core.loading.generated import GeneratedModule

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

#: Dtypes that jax cuts to 32 bits unless they are switched on.
_WIDE = ("int64", "uint64", "float64")


def run(source: str, inputs: Sequence[np.ndarray], parameters: Sequence[np.ndarray], states: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    """Execute `main` once under jit; the caller's arrays are not written, no switch of the process is moved."""
    jax = installed_jax()
    import numpy as np

    try:
        main, module, constants = _compiled(source)
        leaves = (*inputs, *parameters, *states)
        # a kernel in the interpreter is made when jit lowers it, which is after `main` has switched 64 bits off again
        with jax.enable_x64(module.get("BITS") == 64 or any(array.dtype.name in _WIDE for array in leaves)):
            # copies, since an array may be shared with its owner or be in an order of its own
            given, weights, held = ([jax.numpy.array(array) for array in arrays] for arrays in (inputs, parameters, states))
            results = main(*given, *module.held(weights), *held, *constants, *module.prepare(weights))
            return [np.asarray(result) for result in results]
    except (TypeError, ValueError, RuntimeError, MemoryError) as error:
        raise RuntimeFailure(f"jax: {' '.join(str(error).split())}") from error


@lru_cache(maxsize=32)
def _compiled(source: str) -> tuple[Any, GeneratedModule, tuple[Any, ...]]:
    """`main` under jit, which compiles it once however often it is called, the module, and its constants."""
    module = GeneratedModule(source)
    return installed_jax().jit(module.main), module, module.constants()


def installed_jax() -> Any:
    """The module; `MissingRuntime` where there is none."""
    try:
        import jax
    except ImportError:
        raise MissingRuntime("running on jax needs JAX, which is not installed: pip install 'linnet-jax[runtime]'") from None
    return jax
