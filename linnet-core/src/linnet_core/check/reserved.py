"""The names of the prelude, which every module sees and nothing may declare again.

In: nothing.  Out: the words by family; `names.py` finds them last, `declare.py` refuses declarations of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.check.types import DTYPES

if TYPE_CHECKING:
    from linnet_core.check.types import DTypeClass

#: What a generic may be declared as, and the class of dtypes it admits (None: not a dtype).
KINDS: dict[str, tuple[Literal["dim", "shape", "dtype"], DTypeClass | None]] = {
    "Dim": ("dim", None),
    "Shape": ("shape", None),
    "DType": ("dtype", "any"),
    "Numeric": ("dtype", "numeric"),
    "Integer": ("dtype", "integer"),
    "Float": ("dtype", "float"),
}

#: Functions that cannot be called yet; the names are taken.
WITHOUT_SIGNATURE: tuple[str, ...] = ("pad", "gather", "scatter")

FUNCTIONS: tuple[str, ...] = (
    "cast",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tanh",
    "abs",
    "min",
    "max",
    "shl",
    "shr",
    "select",
    "reshape",
    "broadcast_to",
    "permute",
    "concat",
    "cumsum",
    "iota",
    "fill",
    "program_id",
    "load",
    *WITHOUT_SIGNATURE,
)

TYPE_NAMES: tuple[str, ...] = (*DTYPES, "Tensor", *KINDS)

#: Every name of the prelude.
PRELUDE: frozenset[str] = frozenset((*FUNCTIONS, *TYPE_NAMES))
