"""Help lines for a value of the wrong kind, in the program's own words.

In: a type and the words of the value.  Out: the help, whose first words in backticks are what to write; None where nothing is
sure to be meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import DimType, EnumType, LiteralType, OptionalType, ScalarType, TensorType, TupleType, is_in_class
from linnet_core.shapes import Pack

if TYPE_CHECKING:
    from linnet_core.check.types import DType, Type

#: Names for the indices of an example, and for the elements of a tuple.
_INDICES = "ijklmn"
_ELEMENTS = "abcdef"


def tight(text: str) -> str:
    """`text` as an operand of anything: in parentheses unless it is one name, path, access, call or literal."""
    depth = 0
    for char in text:
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif depth == 0 and not (char.isalnum() or char in "_."):
            return f"({text})"
    return text


def take_apart(type: Type, text: str) -> str | None:
    """How to get at what is inside an optional, a tuple or an enum."""
    match type:
        case OptionalType():
            return f"take it apart first: `match {text} {{ some(value) => ... none => ... }}`"
        case TupleType() if 1 < len(type.elements) <= len(_ELEMENTS):
            return f"take it apart first: `let ({', '.join(_ELEMENTS[: len(type.elements)])}) = {text}`"
        case EnumType():
            return "tell its variants apart with `match`"
        case _:
            return None


def to_bool(type: Type, text: str) -> str | None:
    """How to make one bool of a value that is none."""
    match type:
        case LiteralType():
            return "write `true` or `false`"
        case DimType():
            return f"compare it: `{tight(text)} != 0`"
        case ScalarType() if is_in_class(type.dtype, "numeric"):
            return f"compare it: `{tight(text)} != 0`"
        case TensorType() if type.dtype == "bool":
            return _reduce(type, text, "any")
        case _:
            return take_apart(type, text)


def to_element(type: TensorType, text: str) -> str | None:
    """How to make one scalar of a tensor; None where the number of axes is not known."""
    if any(isinstance(unit, Pack) for unit in type.shape):
        return None
    zeros = ", ".join("0" for _ in type.shape)
    return f"take one element: `{tight(text)}[{zeros}]`, or {_reduce(type, text, 'any' if type.dtype == 'bool' else 'sum')}"


def _reduce(type: TensorType, text: str, kind: str) -> str:
    """What index notation makes of it; only a name or a call is indexed there."""
    if any(isinstance(unit, Pack) for unit in type.shape) or len(type.shape) > len(_INDICES):
        return f"reduce it with `{kind}`"
    indices = ", ".join(_INDICES[: len(type.shape)])
    if tight(text) != text:
        return f"give it a name and reduce that: `{kind}[{indices}] value[{indices}]`"
    return f"reduce it: `{kind}[{indices}] {text}[{indices}]`"


def cast_to(dtype: DType, text: str) -> str:
    """The conversion of a value."""
    return f"cast<{dtype}>({text})"
