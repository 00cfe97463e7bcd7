"""Walking the Core IR of one entry and emitting its calls.

In: a region and a frame with values for its arguments.  Out: the values it yields; everything a target must compute has been emitted to
it, in order.  The rules for each kind of operation are in the `evaluate_*` modules; this one dispatches and holds what they share.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from linnet_core.errors import SourceError
from linnet_core.graph import evaluate_calls, evaluate_control, evaluate_index, evaluate_tensors
from linnet_core.graph.emitter import Emitter
from linnet_core.graph.failures import cannot, placed
from linnet_core.graph.grid import Grid
from linnet_core.graph.instances import Frame, Instances
from linnet_core.graph.states import States
from linnet_core.graph.values import Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Operand
    from linnet_core.graph.calls.values import Shape
    from linnet_core.graph.decisions import Decision
    from linnet_core.graph.evaluate_kernels import KernelDecision
    from linnet_core.graph.grid import Axes
    from linnet_core.graph.remat import Remat
    from linnet_core.graph.repeated_blocks import Repeats
    from linnet_core.graph.target import Target
    from linnet_core.ir.library_calls import Numerics
    from linnet_core.ir.module import Module, Op, Region

#: What evaluates one kind of operation: its value, or a list of one value per result where the operation may have any number.
Rule = Callable[["Evaluator", "Op", Frame], "Value | list[Value]"]

RULES: dict[str, Rule] = {
    **evaluate_tensors.RULES,
    **evaluate_index.RULES,
    **evaluate_calls.RULES,
    **evaluate_control.RULES,
}


class Evaluator:
    """One export: the module, the target, and what is shared by all frames."""

    def __init__(self, module: Module, target: Target, *, numerics: Numerics, library: bool) -> None:
        self.module = module
        self.target = target
        self.numerics: Numerics = numerics
        self.library = library
        self.emitter = Emitter(target)
        self.states = States(self.emitter)
        self.grid = Grid(self.emitter)
        self.instances = Instances(module)
        #: Whether only rewrites that keep every bit of a float are admitted.
        self.exact = numerics == "exact"
        #: Whether a diagonal read is sliced (in a contraction) instead of gathered.
        self.slicing_diagonals = False
        #: What became of each call of an op that has library calls, in order.
        self.decisions: list[Decision] = []
        #: What became of each call of an op that names a kernel, in order; and the target's text of each kernel, by instance.
        self.kernels: list[KernelDecision] = []
        self.programs: dict[int, Any] = {}
        #: The blocks that a backward pass computes again, if there are any.
        self.remat: Remat | None = None
        #: The bodies of blocks that can be emitted again, where that is done.
        self.repeats: Repeats | None = None
        #: How many calls are open.
        self.depth = 0
        #: What is worked out once: library calls by op, products by region.
        self.offers: dict[str, Any] = {}
        self.products: dict[tuple[int, int, bool, bool], Any] = {}

    def region(self, region: Region, frame: Frame) -> Sequence[Value]:
        """Evaluate a region whose arguments are bound; the values of the `yield` or `return` that ends it."""
        values = frame.values
        for op in region.ops:
            kind = op.kind
            if kind == "yield" or kind == "return":
                return [values[operand.id] for operand in op.operands]
            self.step(op, frame)
        return ()

    def step(self, op: Op, frame: Frame) -> None:
        """Evaluate one operation and keep its results in the frame."""
        rule = RULES.get(op.kind) or _further_rules().get(op.kind)
        if rule is None:
            raise cannot(f"`{op.kind}` cannot be exported", op, help="leave it out of what this entry calls")
        try:
            value = rule(self, op, frame)
        except SourceError as failure:
            raise placed(failure, op.span) from None
        if type(value) is not list:
            frame.values[op.results[0].id] = value  # type: ignore[assignment]  # a rule of one result
            return
        for result, part in zip(op.results, value, strict=True):
            frame.values[result.id] = part

    def aligned(self, parts: Sequence[Tensor], shape: Shape, op: Op) -> tuple[Axes, Shape, tuple[Operand, ...]]:
        """Operands of an elementwise call brought to one shape: the axes and the shape of the result, and the operands.

        `shape` is that of a whole result; scalars of index notation make a scalar over all the axes they depend on.
        """
        for part in parts:
            if part.axes:
                break
        else:
            return (), shape, self.emitter.aligned([part.operand for part in parts], shape)
        if shape:
            raise cannot("a whole tensor is combined with an element of index notation", op, help="index the tensor, too")
        axes = self.grid.common(parts, op)
        self.grid.check_count(axes)
        return axes, self.grid.shape(axes), self.grid.aligned(parts, axes)

    def reduced(self, kind: str, scalar: Tensor, axes: Axes, dtype: str, op: Op) -> Tensor:
        """A scalar reduced over `axes`, which become its trailing axes; it is spread over those it lacks."""
        self.grid.common((scalar,), op)
        kept = tuple(sorted(set(scalar.axes) - set(axes)))
        self.grid.check_count(kept + axes)
        spread = self.emitter.convert(self.grid.spread(scalar, kept + axes), dtype)
        return Tensor(self.emitter.reduce(kind, spread, len(axes)), kept)


@cache
def _further_rules() -> dict[str, Rule]:
    """Those of loops and of what stands in a kernel: few entries have one, so they are imported at the first."""
    from linnet_core.graph import evaluate_kernels, evaluate_loops

    return {**evaluate_loops.RULES, **evaluate_kernels.RULES}
