"""What `linnet_targets()` gives: a target that receives calls and prints source, and how its source is run.

In: a plugin's values.  Out: `TargetPlugin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.plugins.options import Option, option_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np

    from linnet_core.graph.target import Target

    #: Options by name -> a fresh target.
    MakeTarget = Callable[[Mapping[str, Any]], Target]
    #: (source, inputs, parameters, states), each in the order of the document's leaves -> the operands of `finish`, in order.
    RunSource = Callable[[str, Sequence[np.ndarray], Sequence[np.ndarray], Sequence[np.ndarray]], Sequence[np.ndarray]]
else:
    MakeTarget = RunSource = Any  #: for `help`, which looks types up, without importing NumPy


class TargetPlugin(Struct, frozen=True):
    """A target.

    `name` is what `--target` and the document say.  `make` gets the common export option `numerics` ("exact", "equivalent", "fast") and the
    target's own `options`, all present.  `run` is given the printed source and NumPy arrays (bf16 as ml_dtypes arrays) and raises
    `linnet_core.errors.RuntimeFailure` for what a person did wrong and `MissingRuntime` when the framework is not installed; None when the
    target only prints.
    """

    name: str
    summary: str
    suffix: str
    make: MakeTarget
    options: tuple[Option, ...] = ()
    run: RunSource | None = None

    def fault(self) -> str | None:
        """What breaks the contract, for people; None when nothing does."""
        for field in ("name", "summary", "suffix"):
            if not isinstance(getattr(self, field), str):
                return f"`{field}` of the target is {getattr(self, field)!r}, not text"
        if not callable(self.make):
            return f"`make` of the target `{self.name}` cannot be called"
        if self.run is not None and not callable(self.run):
            return f"`run` of the target `{self.name}` cannot be called"
        return option_fault(self.options)
