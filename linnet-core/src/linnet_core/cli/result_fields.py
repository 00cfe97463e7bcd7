"""Which fields of a struct the results of an entry are.

In: the type an entry gives.  Out: for each of its tensors in order the field it is, such as `loss`, `cache.keys` or `parts.1`; none where
it is part of no struct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import StructType, TupleType

if TYPE_CHECKING:
    from linnet_core.check.types import Type
    from linnet_core.ir.module import Module


def result_fields(module: Module, type: Type) -> list[str | None]:
    """The fields of the tensors in `type`, which is one that an entry gives: it holds tensors, tuples and structs alone."""
    found: list[str | None] = []
    pending: list[tuple[Type, str, bool]] = [(type, "", False)]
    while pending:
        each, path, named = pending.pop()
        match each:
            case StructType():
                struct = module.structs[f"{each.module}::{each.name}"]
                inner = [(field.type, f"{path}.{field.name}", True) for field in struct.fields]
            case TupleType():
                inner = [(element, f"{path}.{at}", named) for at, element in enumerate(each.elements)]
            case _:
                found.append(path.removeprefix(".") if named else None)
                continue
        pending.extend(reversed(inner))
    return found
