"""From a checked program to the Core IR that is planned and exported: lowering, passes, the choice of library calls.

In: a program, a numerics policy, and maybe the one entry that is wanted.  Out: a verified module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.ir.library_calls import select_library_calls
from linnet_core.ir.lower import lower
from linnet_core.ir.lower_reached import lower_reached
from linnet_core.ir.passes import optimize as run_passes

if TYPE_CHECKING:
    from linnet_core.check.program import Program
    from linnet_core.ir.library_calls import Numerics
    from linnet_core.ir.module import Module


def lowered(program: Program, numerics: Numerics, *, optimize: bool = True, entry: str | None = None) -> Module:
    """The Core IR with the library calls `numerics` permits selected, verified; passes run unless `optimize` is off.

    With `entry`, the qualified name of one, only the functions it reaches, which are as they are in the whole.
    """
    module = lower(program) if entry is None else lower_reached(program, entry)
    if optimize:
        module = run_passes(module)
    return select_library_calls(module, numerics)
