"""Every parameter, buffer and state of a hierarchy of blocks.

In: a module and a root block.  Out: entries in the order a walk over the members meets them, children where they are declared; shapes
and dtypes over the root's generics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from linnet_core.check.substitute import substitute_type, substitution_of
from linnet_core.check.types import ArrayType, BlockType, OptionalType, ScalarType, TensorType
from linnet_core.errors import InternalError, SourceError
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.check.program import Block, Member, Substitution
    from linnet_core.check.types import DType, Type
    from linnet_core.ir.module import Module
    from linnet_core.shapes import Dim, Shape

#: The most entries a manifest may have, counted before arrays are repeated.
MAX_ENTRIES = 100_000


class ManifestEntry(Struct, frozen=True):
    """One of them: `[*]` in `path` stands for each element of a sub array.

    `repeat` lists their lengths, `arrays` the members that declare them; `optional` for an optional param and everything below an
    optional sub.
    """

    path: str
    kind: Literal["param", "buffer", "state"]
    dtype: DType
    shape: Shape
    repeat: tuple[Dim, ...] = ()
    optional: bool = False
    arrays: tuple[Member, ...] = ()


class _Place(Struct, frozen=True):
    """A member to be listed and where it stands."""

    member: Member
    prefix: str
    substitution: Substitution
    repeat: tuple[Dim, ...]
    optional: bool
    arrays: tuple[Member, ...] = ()


def manifest(module: Module, root: Block) -> tuple[ManifestEntry, ...]:
    """The entries of `root`; `SourceError` (E6003) when there are more than `MAX_ENTRIES`."""
    entries: list[ManifestEntry] = []
    own = substitution_of((), ())
    pending = [_Place(member, "", own, (), False) for member in reversed(root.members)]
    while pending:
        place = pending.pop()
        if place.member.kind == "sub":
            pending.extend(reversed(_children(module, place)))
        else:
            entries.append(_entry(place))
        if len(entries) + len(pending) > MAX_ENTRIES:
            message = f"`{root.name}` has more than {MAX_ENTRIES} parameters, buffers and states"
            raise SourceError([Diagnostic("E6003", message, root.span, help="make arrays of blocks shorter")])
    return tuple(entries)


def _entry(place: _Place) -> ManifestEntry:
    member = place.member
    type: Type = substitute_type(member.type, place.substitution)
    optional = place.optional
    if isinstance(type, OptionalType):
        type, optional = type.inner, True
    if not isinstance(type, ScalarType | TensorType) or member.kind == "sub":
        raise InternalError(f"member `{member.name}` of type {type}")
    shape = type.shape if isinstance(type, TensorType) else ()
    return ManifestEntry(place.prefix + member.name, member.kind, type.dtype, shape, place.repeat, optional, place.arrays)


def _children(module: Module, place: _Place) -> list[_Place]:
    """The members of the block (or of each block of the array) that a sub is."""
    path, repeat, optional, arrays = place.prefix + place.member.name, place.repeat, place.optional, place.arrays
    type: Type = substitute_type(place.member.type, place.substitution)
    while not isinstance(type, BlockType):
        match type:
            case OptionalType():
                type, optional = type.inner, True
            case ArrayType():
                path, repeat, type = f"{path}[*]", (*repeat, type.length), type.element
                arrays = (*arrays, place.member)
            case _:
                raise InternalError(f"sub `{place.member.name}` of type {type}")
    block = module.blocks[f"{type.module}::{type.name}"]
    substitution = substitution_of(block.generics, type.args)
    return [_Place(member, f"{path}.", substitution, repeat, optional, arrays) for member in block.members]
