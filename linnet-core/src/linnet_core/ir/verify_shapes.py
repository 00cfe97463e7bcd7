"""Ranks: how operands broadcast, and axes and positions against the rank they count.

In: an operation whose operands and attributes are checked.  Out: a problem in words, or None.  Ranks are counted in units, so that a pack
is one, whatever it binds; where a pack stands an axis number is not bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.program import SliceAxis
from linnet_core.check.types import ScalarType, ShapeIndexType, TensorType, TupleType, shape_of
from linnet_core.ir.ops import OPS
from linnet_core.shapes import Pack

if TYPE_CHECKING:
    from linnet_core.check.types import Type
    from linnet_core.ir.module import Op


def check_shapes(op: Op) -> str | None:
    """What is wrong with the ranks of `op`."""
    match OPS[op.kind].rule:
        case "elementwise" | "bool" | "select" if op.kind != "concat":
            return _broadcasts(op)
        case "element":
            return _positions(op)
        case "sliced":
            return _steps(op)
        case "scan":
            return _stacks(op)
    return _axis(op) if op.kind in ("concat", "cumsum") else None


def _rank(type: Type) -> int:
    return len(shape_of(type) or ())


def _broadcasts(op: Op) -> str | None:
    """The result has the rank of the operand with most axes."""
    rank = max(_rank(operand.type) for operand in op.operands)
    return None if _rank(op.results[0].type) == rank else f"gives {op.results[0].type} from operands of at most {rank} axes"


def _positions(op: Op) -> str | None:
    """One position a unit; a pack index covers as many as it ranges over."""
    base = op.operands[0].type
    given = sum(len(p.type.shape) if isinstance(p.type, ShapeIndexType) else 1 for p in op.operands[1:])
    return None if given == _rank(base) else f"gives {given} positions for {base}"


def _steps(op: Op) -> str | None:
    wrong = [axis.step for axis in op.attrs["axes"] if isinstance(axis, SliceAxis) and axis.step < 1]
    return f"takes steps of {wrong[0]}" if wrong else None


def _axis(op: Op) -> str | None:
    """The axis counts from the front or the back of the operand's axes."""
    shape = shape_of(op.operands[0].type)
    if shape is None or not shape:
        return "runs along an axis of something without axes"
    rank, axis = len(shape), op.attrs["axis"]
    bounded = not any(isinstance(unit, Pack) for unit in shape)
    return f"runs along axis {axis} of {rank}" if bounded and not -rank <= axis < rank else None


def _stacks(op: Op) -> str | None:
    """What a `for` yields last is stacked along a new first axis, each element of a tuple on its own."""
    carried = len(op.operands) - OPS[op.kind].leading
    if len(op.results) == carried:
        return None
    yielded, stacked = op.regions[0].ops[-1].operands[-1].type, op.results[-1].type
    parts = yielded.elements if isinstance(yielded, TupleType) else (yielded,)
    stacks = stacked.elements if isinstance(stacked, TupleType) and isinstance(yielded, TupleType) else (stacked,)
    fits = len(parts) == len(stacks) and all(map(_is_stack, stacks, parts))
    return None if fits else f"stacks {yielded} into {stacked}"


def _is_stack(stack: Type, row: Type) -> bool:
    return (
        isinstance(stack, TensorType)
        and isinstance(row, ScalarType | TensorType)
        and stack.dtype == row.dtype
        and len(stack.shape) == _rank(row) + 1
    )
