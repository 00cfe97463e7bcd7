"""Typed expressions over a callee's generics, as the caller writes them: what a default value becomes at a call.

In: a typed expression and a `Substitution`.  Out: the same expression over the caller's generics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.check.program import Expr, Substitution
from linnet_core.check.substitute import compose, substitute_arg, substitute_dim, substitute_type
from linnet_core.check.types import GenericArg, Type
from linnet_core.shapes import Dim, Pack
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from linnet_core.shapes import Unit

_TYPES = Type.__args__


def substitute_expr(expr: Expr, by: Substitution) -> Expr:
    """`expr` with every generic replaced, in its types and in its dims."""
    if not (by.dims or by.packs or by.dtypes):
        return expr
    return _changed(expr, by)


def _changed(value: Any, by: Substitution) -> Any:
    match value:
        case Span() | str() | int() | float() | bool() | None:
            return value
        case Dim():
            return substitute_dim(value, by)
        case GenericArg():
            return substitute_arg(value, by)
        case Substitution():
            return compose(value, by)
        case tuple():
            return tuple(unit for item in value for unit in _spliced(item, by))
        case _ if isinstance(value, _TYPES):
            return substitute_type(value, by)
        case Struct():
            return replace(value, **{name: _changed(getattr(value, name), by) for name in value.__struct_fields__})
        case _:
            return value


def _spliced(item: Any, by: Substitution) -> tuple[Any, ...]:
    """One item of a tuple; a pack in a shape gives as many units as it stands for."""
    if isinstance(item, Pack):
        units: tuple[Unit, ...] = by.packs.get(item.id, (item,))
        return units
    return (_changed(item, by),)
