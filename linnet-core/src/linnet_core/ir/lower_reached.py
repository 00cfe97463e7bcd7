"""The part of a checked program that one entry needs, as Core IR.

In: a program and the name of an entry.  Out: a verified module of the functions that are reached from it, and all blocks, structs and
enums.  An export evaluates nothing else; what lists functions or constants asks `lower` for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.lower import lower_function, with_functions
from linnet_core.ir.lower_default import lower_default
from linnet_core.ir.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.check.program import Program
    from linnet_core.ir.module import Function, Module, Region


def lower_reached(program: Program, entry: str) -> Module:
    """The module of what `entry`, a qualified name, reaches: calls in bodies, gradients and defaults of its inputs, and kernels; verified.

    Functions keep the order of `lower`; there are no constants, since they stand inline where they are used.  Raises as `lower` does.
    """
    found: dict[str, Function] = {}
    waiting = [entry, *_in_defaults(program, entry)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = lower_function(program, program.functions[name])
            waiting.extend(_named(found[name]))
    module = with_functions(program, {name: found[name] for name in program.functions if name in found}, {})
    verify(module)
    return module


def _in_defaults(program: Program, entry: str) -> Iterator[str]:
    """What the defaults of the inputs need, which a run evaluates as entries of their own."""
    function = program.functions[entry]
    for at, param in enumerate(function.params):
        if param.default is not None:
            yield from _named(lower_default(program, function, at))


def _named(function: Function) -> Iterator[str]:
    """The functions that a function calls, its gradient included, and the kernel it may launch."""
    if function.kernel is not None:
        yield function.kernel.name
    yield from _called(function.body)
    if function.grad is not None:
        yield from _called(function.grad)


def _called(region: Region) -> Iterator[str]:
    pending = [region]
    while pending:
        for op in pending.pop().ops:
            if op.kind in ("call", "semantic.call"):
                yield op.attrs["callee"]
            pending.extend(op.regions)
