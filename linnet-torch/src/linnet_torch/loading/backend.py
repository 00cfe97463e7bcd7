"""The backend of torch.compile that a program asks for.

In: the `compile` of a load.  Out: the backend's name, or None; one that torch has not is refused before anything is read.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from linnet_core.errors import UsageError
from linnet_core.text.cells import show_inline
from linnet_core.text.near import did_you_mean, listed


def backend_of(compile: object) -> str | Callable[..., object] | None:
    """A name that torch lists, or a function that torch.compile takes as a backend; None for none.

    What torch lists takes seconds to import, and is asked only for a name; the first call would import it anyway.  `UsageError`.
    """
    match compile:
        case None | False:
            return None
        case True:
            return "inductor"
        case str() if compile in torch.compiler.list_backends(()):
            return compile
        case str():
            usual = torch.compiler.list_backends()
            help = did_you_mean(compile, torch.compiler.list_backends(())) or f"it lists {listed(usual)}, and `eager` for debugging"
            raise UsageError(f"compile: torch has no backend `{show_inline(compile)}`; {help}")
        case Callable():
            return compile
    raise UsageError(f"compile: the name of a backend of torch.compile or True is due, not {type(compile).__name__}")
