"""One program, and how a target answers it.

In: a target, a case.  Out: what the target gives, by library calls where it takes them, otherwise than the reference by bodies; or None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from linnet_core.conformance.case import REFERENCE
from linnet_core.conformance.compare import difference
from linnet_core.conformance.programs.printed import Printed, printed
from linnet_core.python_source.library_names import base_name
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.plugins.target import TargetPlugin

    Arrays = Mapping[str, np.ndarray]

#: How far a result may be from the body's where a library adds in another order, by dtype.
TOLERANCES = {"f32": 1e-5, "f64": 1e-5, "bf16": 2e-2, "f16": 2e-2}
FLOATS = tuple(TOLERANCES)
#: Dtypes under the policies that admit library calls which round otherwise: all of them, and two that `fast` may compute differently.
ROUNDING = (*((dtype, "equivalent") for dtype in FLOATS), ("f32", "fast"), ("bf16", "fast"))
#: The same of calls that give the bits of the body under every policy.
EXACT = (*((dtype, "exact") for dtype in FLOATS), ("f32", "fast"))


class ProgramCase(Struct, frozen=True, kw_only=True, eq=False):
    """A program whose entry is `run`, without its `module` line, and the inputs and states of each call.

    Results count bit for bit, or with a `tolerance` as `compare.difference` says; `equal` is the share of elements that must be the same
    all the same.  `takes` is the library call a target may take, without what is said of it in parentheses; None where that is left
    open.
    """

    name: str
    text: str
    arrays: tuple[Arrays, ...]
    policy: str = "equivalent"
    takes: str | None = None
    tolerance: float | None = None
    equal: float = 0.0


def differing(plugin: TargetPlugin, case: ProgramCase) -> str | None:
    """What the target gives otherwise than the reference, for people; also whether it wrote into an array it was given."""
    one = printed(case.text, plugin, case.policy)
    body = printed(case.text, REFERENCE, "exact", library=False)
    for arrays in case.arrays:
        given, wanted = _answered(one, arrays), _answered(body, arrays)
        if isinstance(given, str):
            return given
        assert not isinstance(wanted, str), wanted
        for name, due in wanted.items():
            found = difference(given[name], due, case.tolerance)
            if found is not None:
                return f"{name}: {found}"
            if case.equal and np.mean(given[name] == due) < case.equal:
                return f"{name}: {np.mean(given[name] == due):.2%} of the elements are equal, {case.equal:.2%} are due"
    return None


def taken(plugin: TargetPlugin, case: ProgramCase) -> tuple[str, ...]:
    """The library calls of the case that the target takes, without what is said of them in parentheses."""
    return tuple([base_name(name)[0] for name in printed(case.text, plugin, case.policy).taken])


def _answered(one: Printed, arrays: Arrays) -> dict[str, np.ndarray] | str:
    """Results and next states by name; or that an argument was written."""
    before = {name: array.copy() for name, array in arrays.items()}
    results, states = one.run(arrays)
    written = [name for name, array in arrays.items() if difference(array, before[name]) is not None]
    if written:
        return f"`{written[0]}`, which was given, is written"
    return {f"result {i}": result for i, result in enumerate(results)} | states


def floats(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Floats about zero."""
    return np.random.Generator(np.random.PCG64(seed)).standard_normal(shape).astype(numpy_dtype(dtype))
