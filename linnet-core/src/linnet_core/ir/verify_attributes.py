"""Attributes against their row: which there are, and what they hold.

In: an operation and its row.  Out: a problem in words, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from linnet_core.check.program import SliceAxis, Substitution, WholeAxes
from linnet_core.check.types import GenericArg
from linnet_core.ir.module import IndexDomain
from linnet_core.ir.ops import WORDS, AttrKind, OpKind
from linnet_core.shapes import Dim, Pack

if TYPE_CHECKING:
    from linnet_core.ir.module import Op


def check_attributes(op: Op, row: OpKind) -> str | None:
    """What is wrong with the attributes of `op`."""
    for attr in row.attrs:
        value = op.attrs.get(attr.name)
        if value is None:
            if not attr.optional:
                return f"has no attribute `{attr.name}`"
        elif not holds(attr.kind, value):
            return f"has {value!r} as `{attr.name}`, which is no {attr.kind}"
    for name in op.attrs:
        if row.attr(name) is None:
            return f"has an attribute `{name}` that it does not take"
    return None


def holds(kind: AttrKind, value: Any) -> bool:
    """Whether `value` is what an attribute of this kind holds."""
    return _CHECKS[kind](value)


def is_float_text(value: Any) -> bool:
    """Whether `value` is a float's shortest text with a point or an exponent, or "inf", "-inf", "nan"."""
    if not isinstance(value, str):
        return False
    try:
        return repr(float(value)) == value
    except ValueError:
        return False


def is_unit(value: Any) -> bool:
    """Whether `value` is a dim or a pack."""
    return isinstance(value, Dim | Pack)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _all(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(map(test, value))


def _word(kind: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in WORDS[kind]


_CHECKS: dict[AttrKind, Callable[[Any], bool]] = {
    "integer": _is_integer,
    "bit": lambda value: _is_integer(value) and value in (0, 1),
    "float": is_float_text,
    "dim": lambda value: isinstance(value, Dim),
    "shape": _all(is_unit),
    "permutation": lambda value: _all(_is_integer)(value) and sorted(value) == list(range(len(value))),
    "text": lambda value: isinstance(value, str),
    "compare": _word("compare"),
    "reduce": _word("reduce"),
    "atomic": _word("atomic"),
    "names": _all(lambda name: isinstance(name, str)),
    "slices": _all(lambda axis: isinstance(axis, SliceAxis | WholeAxes)),
    "indices": _all(lambda index: isinstance(index, IndexDomain)),
    "substitution": lambda value: isinstance(value, Substitution),
    "arguments": _all(lambda argument: isinstance(argument, GenericArg)),
}
