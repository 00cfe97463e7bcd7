"""The states of functions after passes that remove reads.

In: a module.  Out: the same with the states of each function that it still reads or writes, directly or through calls, as the checker finds
them in source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.passes.effects import callees_of
from linnet_core.ir.rewrite import with_states
from linnet_core.ir.verify_states import touched_states

if TYPE_CHECKING:
    from linnet_core.ir.module import Function, Module


def narrowed(module: Module) -> Module:
    """Leave out the states that nothing touches any more; callees first."""
    functions: dict[str, Function] = dict(module.functions)
    made = type(module)(module.name, module.blocks, functions, module.constants, module.structs, module.enums)
    for name in _callees_first(module):
        function = functions[name]
        if function.states:
            touched = touched_states(made, function)
            functions[name] = with_states(function, tuple(state for state in function.states if state in touched))
    return made


def _callees_first(module: Module) -> list[str]:
    """The names of functions, each after those it calls."""
    done: dict[str, None] = {}
    stack = [(name, False) for name in reversed(module.functions)]
    while stack:
        name, is_left = stack.pop()
        if is_left:
            done.setdefault(name)
        elif name not in done:
            stack.append((name, True))
            stack.extend((callee, False) for callee in callees_of(module.functions[name]) if callee not in done)
    return list(done)
