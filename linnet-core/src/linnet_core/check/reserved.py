"""The names of the prelude, which every module sees and nothing may declare again.

In: nothing.  Out: the words by family; `names.py` finds them last, `generics.py` refuses declarations of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from linnet_core.check.types import DTYPES

if TYPE_CHECKING:
    from linnet_core.check.types import DTypeClass, DTypeName

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

#: Words that begin a reduction before `[`, and are no functions.
REDUCTIONS: tuple[str, ...] = ("sum", "prod", "any", "all")

#: What dtypes are called in other languages.
DTYPES_ELSEWHERE: dict[str, DTypeName] = {
    "int": "i64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "float": "f32",
    "half": "f16",
    "double": "f64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
}

#: What other languages call words and functions of this one.
WORDS_ELSEWHERE: dict[str, str] = {
    "None": "none",
    "True": "true",
    "False": "false",
    "zeros": "fill",
    "ones": "fill",
    "full": "fill",
    "arange": "iota",
    "cat": "concat",
    "view": "reshape",
    "expand": "broadcast_to",
    "maximum": "max",
    "minimum": "min",
}

#: How the language says what other languages have a function for.
FORMULAS_ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("mean", "average", "avg"), "a mean is a sum divided by the size: `(sum[i] x[i]) / N`"),
    "einsum": "a sum of products names its indices: `sum[k] a[i, k] * b[k, j]`",
}

#: Every name of the prelude.
PRELUDE: frozenset[str] = frozenset((*FUNCTIONS, *TYPE_NAMES))
