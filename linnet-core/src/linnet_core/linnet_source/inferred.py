"""Which generic arguments a call has to write.

In: a callee's generics, what they are given, its declared parameter types and the arguments' types.  Out: the arguments to write: none when
the arguments tell them all, else the first ones up to the last that nothing tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import (
    BlockType,
    DimArg,
    DTypeArg,
    DTypeVar,
    EnumType,
    OptionalType,
    ScalarType,
    ShapeArg,
    StructType,
    TensorType,
    TupleType,
)
from linnet_core.shapes import Dim, Pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.program import Generic
    from linnet_core.check.types import Args, GenericArg, Type
    from linnet_core.shapes import Shape


def written_args(generics: Sequence[Generic], given: Args, declared: Sequence[Type], found: Sequence[Type], known: Sequence[bool]) -> Args:
    """The leading arguments that must be written; `known` says which arguments have a type of their own."""
    told: dict[int, list[GenericArg]] = {}
    for param, argument, counts in zip(declared, found, known, strict=True):
        if counts:
            _match(param, argument, told)
    needed = [at for at, (generic, value) in enumerate(zip(generics, given, strict=True)) if not _is_told(told.get(generic.id), value)]
    return given[: needed[-1] + 1] if needed else ()


def _is_told(found: list[GenericArg] | None, value: GenericArg) -> bool:
    """Whether all that the arguments say is this value, word for word."""
    return bool(found) and all(one == value for one in found or ())


def _match(declared: Type, found: Type, told: dict[int, list[GenericArg]]) -> None:
    match declared, found:
        case ScalarType(), ScalarType():
            _dtype(declared.dtype, found.dtype, told)
        case TensorType(), TensorType() | ScalarType():
            _dtype(declared.dtype, found.dtype, told)
            _shape(declared.shape, found.shape if isinstance(found, TensorType) else (), told)
        case OptionalType(), OptionalType():
            _match(declared.inner, found.inner, told)
        case TupleType(), TupleType():
            for one, other in zip(declared.elements, found.elements, strict=False):
                _match(one, other, told)
        case StructType() | EnumType() | BlockType(), StructType() | EnumType() | BlockType():
            for one, other in zip(declared.args, found.args, strict=False):
                _arg(one, other, told)
        case _:
            pass


def _dtype(declared: object, found: object, told: dict[int, list[GenericArg]]) -> None:
    if isinstance(declared, DTypeVar):
        told.setdefault(declared.id, []).append(DTypeArg(found))  # pyright: ignore[reportArgumentType]  # a dtype


def _shape(declared: Shape, found: Shape, told: dict[int, list[GenericArg]]) -> None:
    """Axes in front of and behind the one pack, and what the pack takes."""
    packs = [at for at, unit in enumerate(declared) if isinstance(unit, Pack)]
    if len(packs) > 1 or (not packs and len(found) != len(declared)) or len(found) < len(declared) - len(packs):
        return
    front = packs[0] if packs else len(declared)
    behind = len(declared) - front - len(packs)
    pairs = [*zip(declared[:front], found[:front], strict=True)]
    if packs:
        pack = declared[front]
        assert isinstance(pack, Pack)
        told.setdefault(pack.id, []).append(ShapeArg(tuple(found[front : len(found) - behind])))
        pairs += zip(declared[front + 1 :], found[len(found) - behind :], strict=True)
    for one, other in pairs:
        if isinstance(one, Dim) and isinstance(other, Dim):
            _dim(one, other, told)


def _dim(declared: Dim, found: Dim, told: dict[int, list[GenericArg]]) -> None:
    if len(declared.terms) == 1 and declared.terms[0][0] == 1 and len(declared.terms[0][1]) == 1:
        symbol = getattr(declared.terms[0][1][0], "id", None)
        if symbol is not None:
            told.setdefault(symbol, []).append(DimArg(found))


def _arg(declared: GenericArg, found: GenericArg, told: dict[int, list[GenericArg]]) -> None:
    match declared, found:
        case DimArg(), DimArg():
            _dim(declared.dim, found.dim, told)
        case ShapeArg(), ShapeArg():
            _shape(declared.shape, found.shape, told)
        case DTypeArg(), DTypeArg():
            _dtype(declared.dtype, found.dtype, told)
        case _:
            pass
