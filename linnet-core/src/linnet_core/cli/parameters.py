"""The parameters, buffers and states of blocks, for people and as a document.

In: a Core IR module and blocks, sizes or none.  Out: `Listing`s, one a block: every path with its dtype and shape, symbolic or in numbers,
and with numbers what it comes to; these as text and as the document of `schemas/parameters-1.schema.json`.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.graph.failures import number, unfit
from linnet_core.graph.instances import concrete_dim, concrete_shape
from linnet_core.plan.manifest import manifest
from linnet_core.shapes import Dim, show_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.check.program import Block, Member
    from linnet_core.graph.bind import Bindings
    from linnet_core.ir.module import Module
    from linnet_core.plan.manifest import ManifestEntry

VERSION = 1
KINDS = ("param", "buffer", "state")

#: A size: a number, or a dim or pack as it is written.
Size = int | str


class Row(Struct, frozen=True):
    """One path; `[*]` in it stands for each element of an array, whose lengths `repeat` lists.

    `elements` are those of all repetitions, None where a size is not known.
    """

    path: str
    kind: str
    dtype: str
    shape: tuple[Size, ...]
    repeat: tuple[Size, ...]
    optional: bool
    elements: int | None


class Total(Struct, frozen=True):
    """What the rows of one kind come to; `tensors` counts the repetitions."""

    kind: str
    optional: bool
    tensors: int
    elements: int
    bytes: int


class Listing(Struct, frozen=True):
    """One block; `generics` with their values, None without; `totals` is None unless all sizes are known."""

    name: str
    module: str
    generics: dict[str, Any]
    rows: tuple[Row, ...]
    totals: tuple[Total, ...] | None


def listing(module: Module, block: Block, bindings: Bindings | None) -> Listing:
    """The rows of a block; `SourceError` where sizes do not fit or a limit is exceeded."""
    rows = tuple([_row(entry, block, bindings) for entry in manifest(module, block)])
    known = bindings is not None or not block.generics
    values = {generic.name: None if bindings is None else bindings.value(generic) for generic in block.generics}
    return Listing(block.name, block.module, values, rows, _totals(rows) if known else None)


def _row(entry: ManifestEntry, block: Block, bindings: Bindings | None) -> Row:
    if bindings is None:
        shape, repeat, dtype = tuple([_size(unit) for unit in entry.shape]), tuple([_size(length) for length in entry.repeat]), entry.dtype
    else:
        shape = concrete_shape(entry.shape, bindings, block.span)
        repeat = tuple([_length(length, bindings, array) for length, array in zip(entry.repeat, entry.arrays, strict=True)])
        dtype = bindings.dtype(entry.dtype)
    sizes = [size for size in (*shape, *repeat) if isinstance(size, int)]
    elements = prod(sizes) if len(sizes) == len(shape) + len(repeat) else None
    return Row(entry.path, entry.kind, str(dtype), shape, repeat, entry.optional, elements)


def _length(length: Dim, bindings: Bindings, array: Member) -> int:
    """The length of an array of blocks; `SourceError` at its member where it does not fit, as an export says it."""
    found = concrete_dim(length, bindings, array.span)
    if found < 0:
        raise unfit(f"the length `{length}` of `{array.name}` is {number(found)} at these sizes", array.span)
    return found


def _size(unit: Any) -> Size:
    value = unit.value if isinstance(unit, Dim) else None
    return show_unit(unit) if value is None else value


def _totals(rows: Sequence[Row]) -> tuple[Total, ...]:
    """A total a kind, what is optional apart; none for a kind without rows."""
    found: list[Total] = []
    for kind in KINDS:
        for optional in (False, True):
            own = [row for row in rows if row.kind == kind and row.optional == optional]
            if own:
                tensors = sum(prod(size for size in row.repeat if isinstance(size, int)) for row in own)
                total = sum(row.elements or 0 for row in own)
                size = sum((row.elements or 0) * bytes_of(row.dtype) for row in own)
                found.append(Total(kind, optional, tensors, total, size))
    return tuple(found)


def bytes_of(dtype: str) -> int:
    """The bytes of an element; a bool takes one."""
    return 1 if dtype == "bool" else int(dtype.lstrip("biuf")) // 8


def parameters_document(listings: Iterable[Listing]) -> dict[str, Any]:
    """The document."""
    return {"version": VERSION, "blocks": [_block_document(each) for each in listings]}


def _block_document(listing: Listing) -> dict[str, Any]:
    return {
        "name": listing.name,
        "module": listing.module,
        "generics": [{"name": name, "value": list(v) if isinstance(v, tuple) else v} for name, v in listing.generics.items()],
        "entries": [
            {
                "path": row.path,
                "kind": row.kind,
                "dtype": row.dtype,
                "shape": list(row.shape),
                "repeat": list(row.repeat),
                "optional": row.optional,
            }
            for row in listing.rows
        ],
        "totals": None if listing.totals is None else [_total_document(total) for total in listing.totals],
    }


def _total_document(total: Total) -> dict[str, Any]:
    return {
        "kind": total.kind,
        "optional": total.optional,
        "tensors": total.tensors,
        "elements": total.elements,
        "bytes": total.bytes,
    }


def listing_text(listing: Listing) -> str:
    """The block's name, a line a row in columns, and what the rows come to."""
    lines = [_head(listing)]
    cells = [_cells(row) for row in listing.rows]
    widths = [max((len(row[column]) for row in cells), default=0) for column in range(5)]
    for path, dtype, shape, repeat, elements, optional in cells:
        kind_path = f"  {path:<{widths[0]}}  {dtype:<{widths[1]}}  {shape:<{widths[2]}}  {repeat:<{widths[3]}}"
        lines.append(f"{kind_path}  {elements:>{widths[4]}}  {optional}".rstrip())
    lines += [f"  {line}" for line in (_counts(listing.rows) if listing.totals is None else _sums(listing.totals))]
    return "\n".join(lines) + "\n"


def _head(listing: Listing) -> str:
    """`module::Block<N, T>`, or `module::Block at N = 3, T = f32`."""
    name = f"{listing.module}::{listing.name}"
    if not listing.generics:
        return name
    if None in listing.generics.values():
        return f"{name}<{', '.join(listing.generics)}>"
    shown = [f"{n} = [{', '.join(map(str, v))}]" if isinstance(v, tuple) else f"{n} = {v}" for n, v in listing.generics.items()]
    return f"{name} at {', '.join(shown)}"


def _cells(row: Row) -> tuple[str, str, str, str, str, str]:
    repeat = f"x {' x '.join(map(str, row.repeat))}" if row.repeat else ""
    elements = "" if row.elements is None else f"{row.elements:,}"
    shape = f"[{', '.join(map(str, row.shape))}]"
    return (f"{row.kind:<6} {row.path}", row.dtype, shape, repeat, elements, "optional" if row.optional else "")


def _counts(rows: Sequence[Row]) -> list[str]:
    """How many rows of each kind there are."""
    counts = [_many(count, kind) for kind in KINDS if (count := sum(row.kind == kind for row in rows))]
    return [", ".join(counts) if counts else "no params, buffers or states"]


def _sums(totals: Sequence[Total]) -> list[str]:
    if not totals:
        return ["no params, buffers or states"]
    return [
        f"{_many(total.tensors, f'optional {total.kind}' if total.optional else total.kind)}: "
        f"{_many(total.elements, 'element')}, {_bytes(total.bytes)}"
        for total in totals
    ]


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _bytes(count: int) -> str:
    """`16,060,522,496 bytes (16.1 GB)`."""
    shown = _many(count, "byte")
    for power, unit in ((12, "TB"), (9, "GB"), (6, "MB"), (3, "kB")):
        if count >= 10**power:
            tenths = (count * 10 + 10**power // 2) // 10**power
            return f"{shown} ({tenths // 10:,}.{tenths % 10} {unit})"
    return shown
