"""Whether a module keeps the rules of the Core IR.

In: `ir.module.Module`.  Out: nothing, or `InternalError` naming the function and the operation.  Run after lowering and after every
pass that changed something, so that a mistake shows where it was made.

Everything in `ops.py` is checked: operands, results, attributes, regions, their arguments and what they yield, and that a value is
defined once and before its uses.  Types are compared without the spelling of their dims, which only the facts of a `where` may make equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from linnet_core.check.types import BlockType, UnitType
from linnet_core.errors import InternalError
from linnet_core.ir.ops import OPS
from linnet_core.ir.verify_attributes import check_attributes
from linnet_core.ir.verify_blocks import verify_blocks
from linnet_core.ir.verify_kernels import OPERATIONS, check_kernel_op, verify_kernels
from linnet_core.ir.verify_results import check_results
from linnet_core.ir.verify_shapes import check_shapes
from linnet_core.ir.verify_states import verify_states
from linnet_core.ir.verify_types import alike, check_types

if TYPE_CHECKING:
    from linnet_core.check.types import Type
    from linnet_core.ir.module import Constant, Function, Module, Op, Region, Value


def verify(module: Module) -> None:
    """Check every block, function and constant."""
    verify_blocks(module)
    for function in module.functions.values():
        verify_function(module, function)
        verify_kernels(module, function)
        verify_states(module, function)
    for constant in module.constants.values():
        verify_constant(module, constant)


def verify_constant(module: Module, constant: Constant) -> None:
    """Check one constant."""
    _RegionCheck(module, f"constant `{constant.name}`").check(constant.body, "yield", (constant.type,))


def verify_function(module: Module, function: Function) -> None:
    """Check one function and its gradient; ids are unique over both."""
    if function.name.rpartition("::")[0] == "":
        raise InternalError(f"function `{function.name}` has no module")
    if function.block is not None and function.block not in module.blocks:
        raise InternalError(f"function `{function.name}`: no block `{function.block}`")
    if function.block is not None and not _takes_block(function):
        raise InternalError(f"function `{function.name}`: the first argument is not its block")
    check = _RegionCheck(module, f"function `{function.name}`")
    check.check(function.body, "return", function.results)
    if function.grad is not None:
        given = [arg.type for arg in function.grad.args]
        wanted = [*[arg.type for arg in function.body.args], *function.results, *function.results]
        if len(given) != len(wanted) or not all(map(alike, given, wanted)):
            raise InternalError(f"function `{function.name}`: its gradient takes {given}, not {wanted}")
        check.check(function.grad, "return", None)


def _takes_block(function: Function) -> bool:
    type = function.body.args[0].type if function.body.args else None
    return isinstance(type, BlockType) and f"{type.module}::{type.name}" == function.block


class _RegionCheck:
    """The walk over one function's regions.  `known` holds the values in scope by id, `used` every id ever defined."""

    def __init__(self, module: Module, where: str) -> None:
        self.module = module
        self.where = where
        self.known: dict[int, Value] = {}
        self.used: set[int] = set()

    def check(self, region: Region, end: str, results: tuple[Type, ...] | None) -> None:
        """A whole body: its last operation is `end` and gives values of these types (unchecked when None)."""
        self._region(region, end)
        if results is not None:
            given = tuple(value.type for value in region.ops[-1].operands)
            expected = tuple(type for type in results if not isinstance(type, UnitType))
            if len(given) != len(expected) or not all(map(alike, given, expected)):
                self._fail(region.ops[-1], f"gives {given}, not {expected}")

    def _region(self, region: Region, end: str) -> None:
        defined = list(region.args)
        for arg in region.args:
            self._define(arg, "a region's argument")
        if not region.ops:
            raise InternalError(f"{self.where}: a region without operations")
        last = region.ops[-1]
        for op in region.ops:
            row = OPS.get(op.kind)
            if row is None:
                self._fail(op, "is no operation")
            if row.ends_region != (op is last) or (op is last and op.kind != end):
                self._fail(op, f"stands where it may not; a region ends with one `{end}`")
            self._op(op)
            defined.extend(op.results)
        for value in defined:
            del self.known[value.id]

    def _define(self, value: Value, what: str) -> None:
        if value.id in self.used:
            raise InternalError(f"{self.where}: value %{value.id} ({what}) is defined twice")
        self.used.add(value.id)
        self.known[value.id] = value

    def _op(self, op: Op) -> None:
        row = OPS[op.kind]
        for operand in op.operands:
            if self.known.get(operand.id) is not operand:
                self._fail(op, f"uses %{operand.id}, which is not defined there")
        if len(op.operands) < row.least or (row.most is not None and len(op.operands) > row.most):
            self._fail(op, f"has {len(op.operands)} operands")
        if row.results is not None and len(op.results) != row.results:
            self._fail(op, f"has {len(op.results)} results")
        expected = len(row.regions)
        if len(op.regions) != expected and not (row.many and len(op.regions) >= expected):
            self._fail(op, f"has {len(op.regions)} regions")
        problem = check_attributes(op, row) or check_types(self.module, op)
        if problem:
            self._fail(op, problem)
        for region in op.regions:
            self._region(region, "yield")
        problem = check_results(op) or check_shapes(op) or (check_kernel_op(op) if op.kind in OPERATIONS else None)
        if problem:
            self._fail(op, problem)
        for result in op.results:
            self._define(result, op.kind)

    def _fail(self, op: Op, problem: str) -> NoReturn:
        results = ", ".join(f"%{value.id}" for value in op.results)
        shown = f"{results} = {op.kind}" if results else op.kind
        raise InternalError(f"{self.where}: operation `{shown}` {problem}")
