"""Every node kind of the graph format but `call`, one frozen struct each; and the registry, in document order.

In: nothing.  Out: `CALLS`, by the tag `op`.  Schema, emitters and documentation are checked against these structs by tests.
"""

from __future__ import annotations

from linnet_core.graph.calls.contract import Contract
from linnet_core.graph.calls.elementwise import Compare, Convert, Elementwise, Select
from linnet_core.graph.calls.finish import Finish
from linnet_core.graph.calls.gather import Gather, ScatterAdd, UpdateRow
from linnet_core.graph.calls.gradients import BeginCustomGradient, BeginRemat, EndCustomGradient, EndRemat
from linnet_core.graph.calls.inputs import Constant, Input, Literal, Parameter, State
from linnet_core.graph.calls.kernels import KernelProgram, LaunchKernel
from linnet_core.graph.calls.loops import (
    BeginCounted,
    BeginWhile,
    EndCounted,
    EndWhile,
    WhileCondition,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.calls.native import CallHeader, EnumArgument, NativeCall
from linnet_core.graph.calls.placement import EnablePlacement, GatherParts, Release, SetSlot, Transfer
from linnet_core.graph.calls.reduce import Cumsum, Reduce
from linnet_core.graph.calls.shape import Broadcast, Concat, Iota, Reshape, Slice, Transpose
from linnet_core.graph.calls.values import Call, Operand, ResultType, Shape

#: Every kind, in the order the format lists them.
KINDS: tuple[type[Call], ...] = (
    Input,
    Parameter,
    State,
    Constant,
    Elementwise,
    Compare,
    Select,
    Convert,
    Reshape,
    Transpose,
    Broadcast,
    Slice,
    Concat,
    Cumsum,
    Iota,
    Gather,
    Reduce,
    Contract,
    NativeCall,
    UpdateRow,
    ScatterAdd,
    EnablePlacement,
    SetSlot,
    Transfer,
    Release,
    GatherParts,
    BeginRemat,
    EndRemat,
    BeginWhile,
    WhileCondition,
    EndWhile,
    WhileInitialCondition,
    WhileTrailingCondition,
    BeginCounted,
    EndCounted,
    BeginCustomGradient,
    EndCustomGradient,
    LaunchKernel,
    Finish,
)

#: By `op`.
CALLS: dict[str, type[Call]] = {str(kind.__struct_config__.tag): kind for kind in KINDS}

__all__ = [
    "CALLS",
    "KINDS",
    "BeginCounted",
    "BeginCustomGradient",
    "BeginRemat",
    "BeginWhile",
    "Broadcast",
    "Call",
    "CallHeader",
    "Compare",
    "Concat",
    "Constant",
    "Contract",
    "Convert",
    "Cumsum",
    "Elementwise",
    "EnablePlacement",
    "EndCounted",
    "EndCustomGradient",
    "EndRemat",
    "EndWhile",
    "EnumArgument",
    "Finish",
    "Gather",
    "GatherParts",
    "Input",
    "Iota",
    "KernelProgram",
    "LaunchKernel",
    "Literal",
    "NativeCall",
    "Operand",
    "Parameter",
    "Reduce",
    "Release",
    "Reshape",
    "ResultType",
    "ScatterAdd",
    "Select",
    "SetSlot",
    "Shape",
    "Slice",
    "State",
    "Transfer",
    "Transpose",
    "UpdateRow",
    "WhileCondition",
    "WhileInitialCondition",
    "WhileTrailingCondition",
]
