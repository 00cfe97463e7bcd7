"""Regions and results against the rule of an operation's row.

In: an operation whose operands are checked and whose regions are walked.  Out: a problem in words, or None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linnet_core.check.program import SliceAxis
from linnet_core.check.types import (
    BOOL_TYPE,
    I64,
    ArrayType,
    OptionalType,
    ScalarType,
    ShapeIndexType,
    TensorType,
    TupleType,
    Type,
    is_in_class,
    shape_of,
)
from linnet_core.ir.ops import OPS
from linnet_core.ir.verify_types import alike, dtype_of
from linnet_core.shapes import Pack

if TYPE_CHECKING:
    from linnet_core.ir.module import Op, Region

Check = Callable[["Op"], "str | None"]


def check_results(op: Op) -> str | None:
    """Region arguments, what regions yield, and the results, against the rule of the row."""
    return _check_regions(op) or _RULES.get(OPS[op.kind].rule, _nothing)(op)


def _nothing(op: Op) -> str | None:
    return None


def _check_regions(op: Op) -> str | None:
    row = OPS[op.kind]
    carried = tuple(value.type for value in op.operands[row.leading :])
    for n, region in enumerate(op.regions):
        rule = row.regions[min(n, len(row.regions) - 1)]
        given = tuple(arg.type for arg in region.args)
        if not _match(given, _region_args(op, rule.args, carried)):
            return f"has a {rule.role} region over {given}"
        yielded = tuple(value.type for value in region.ops[-1].operands)
        if not _yields(op, rule.yields, carried, yielded):
            return f"has a {rule.role} region that yields {yielded}"
    return None


def _match(given: tuple[Type, ...], expected: tuple[Type, ...]) -> bool:
    return len(given) == len(expected) and all(map(alike, given, expected))


def _region_args(op: Op, args: str, carried: tuple[Type, ...]) -> tuple[Type, ...]:
    match args:
        case "none":
            return ()
        case "indices":
            given = [arg.type for arg in op.regions[0].args]
            wanted = [I64 if len(index.domain) == 1 else ShapeIndexType(index.domain) for index in op.attrs["indices"]]
            pairs = zip(given, op.attrs["indices"], strict=False)
            return tuple(given) if len(given) == len(wanted) and all(_is_index(t, i.domain) for t, i in pairs) else tuple(wanted)
        case "inner":
            type = op.operands[0].type
            return (type.inner,) if isinstance(type, OptionalType) else ()
        case "element carried":
            type = op.operands[0].type
            return (type.element, *carried) if isinstance(type, ArrayType) else ()
        case "index carried":
            return (I64, *carried)
        case _:
            return carried


def _is_index(type: Type, domain: tuple[object, ...]) -> bool:
    if isinstance(type, ShapeIndexType):
        return len(type.shape) == len(domain)
    return type == I64 and len(domain) == 1 and not isinstance(domain[0], Pack)


def _yields(op: Op, yields: str, carried: tuple[Type, ...], given: tuple[Type, ...]) -> bool:
    match yields:
        case "scalar":
            return len(given) == 1 and isinstance(given[0], ScalarType)
        case "predicate":
            return given == (BOOL_TYPE,)
        case "results":
            return _match(given, tuple(result.type for result in op.results))
        case "scan":
            return _match(given[: len(carried)], carried) and len(given) == len(op.results)
        case _:
            return _match(given, carried)


def _constant(op: Op) -> str | None:
    wanted = {"const.bool": "bool", "const.float": "float", "const.int": "numeric"}[op.kind]
    dtype = dtype_of(op.results[0].type)
    if not isinstance(op.results[0].type, ScalarType) or dtype is None:
        return "gives something that is no scalar"
    fits = dtype == "bool" if wanted == "bool" else dtype != "bool" and is_in_class(dtype, "float" if wanted == "float" else "numeric")
    return None if fits else f"gives {dtype}"


def _index(op: Op) -> str | None:
    return None if op.results[0].type == I64 else "gives something that is no i64 scalar"


def _elementwise(op: Op) -> str | None:
    dtypes = [dtype_of(value.type) for value in (*op.operands, *op.results)]
    return None if dtypes[0] is not None and all(dtype == dtypes[0] for dtype in dtypes) else f"mixes dtypes {dtypes}"


def _same(op: Op) -> str | None:
    return None if alike(op.operands[0].type, op.results[0].type) else f"turns {op.operands[0].type} into {op.results[0].type}"


def _bool(op: Op) -> str | None:
    left, right = (dtype_of(value.type) for value in op.operands)
    return None if left is not None and left == right and dtype_of(op.results[0].type) == "bool" else f"compares {left} with {right}"


def _select(op: Op) -> str | None:
    if dtype_of(op.operands[0].type) != "bool":
        return "chooses by something that is no bool"
    dtypes = [dtype_of(value.type) for value in (*op.operands[1:], *op.results)]
    return None if dtypes[0] is not None and all(dtype == dtypes[0] for dtype in dtypes) else f"mixes dtypes {dtypes}"


def _cast(op: Op) -> str | None:
    before, after = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    return None if before is not None and after is not None and len(before) == len(after) else "changes the rank"


def _shaped(op: Op) -> str | None:
    if op.attrs["shape"] != shape_of(op.results[0].type):
        return "says another shape than its result has"
    if op.kind == "fill" and not isinstance(op.operands[0].type, ScalarType):
        return "fills with something that is no scalar"
    return None if dtype_of(op.operands[0].type) == dtype_of(op.results[0].type) else "changes the dtype"


def _iota(op: Op) -> str | None:
    shape = shape_of(op.results[0].type)
    return None if shape == op.attrs["shape"] and shape is not None and len(shape) == 1 else "says another shape than its result has"


def _permuted(op: Op) -> str | None:
    before, after = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    ranks = before is not None and after is not None and len(before) == len(after) == len(op.attrs["shape"])
    return None if ranks and dtype_of(op.operands[0].type) == dtype_of(op.results[0].type) else "has another rank or dtype than its operand"


def _sliced(op: Op) -> str | None:
    before, after = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    axes = op.attrs["axes"]
    if before is None or len(axes) != len(before):
        return f"has {len(axes)} entries for the units {before}"
    kept = sum(1 for axis in axes if not (isinstance(axis, SliceAxis) and axis.squeeze))
    return None if after is not None and kept == len(after) else f"keeps {kept} units and gives {after}"


def _concatenated(op: Op) -> str | None:
    ranks = {len(shape_of(value.type) or ()) for value in (*op.operands, *op.results)}
    return _elementwise(op) or (None if len(ranks) == 1 else "joins parts of different ranks")


def _element(op: Op) -> str | None:
    base = op.operands[0].type
    if not isinstance(base, TensorType):
        return "reads an element of something that is no tensor"
    for position in op.operands[1:]:
        if position.type != I64 and not isinstance(position.type, ShapeIndexType):
            return f"has a position of type {position.type}"
    same = isinstance(op.results[0].type, ScalarType) and op.results[0].type.dtype == base.dtype
    return None if same else "gives something else than one element"


def _grid(op: Op) -> str | None:
    shape = tuple(unit for index in op.attrs["indices"] for unit in index.domain)
    result = op.results[0].type
    if len(shape_of(result) or ()) != len(shape):
        return f"gives {result} over {shape}"
    return None if dtype_of(result) == dtype_of(_yielded(op.regions[0])) else "gives another dtype than its region"


def _reduced(op: Op) -> str | None:
    inner, result = _yielded(op.regions[0]), op.results[0].type
    logical = op.attrs["reduce"] in ("any", "all")
    if logical != (inner == BOOL_TYPE):
        return "reduces something that is no bool" if logical else f"reduces bools by `{op.attrs['reduce']}`"
    return None if isinstance(result, ScalarType) and inner == result else f"gives {result} from {inner}"


def _yielded(region: Region) -> Type:
    return region.ops[-1].operands[0].type


def _tuple(op: Op) -> str | None:
    type = op.results[0].type
    given = tuple(value.type for value in op.operands)
    return None if isinstance(type, TupleType) and _match(given, type.elements) else f"gives {type}"


def _field(op: Op) -> str | None:
    if op.kind == "struct.get":  # by the declaration of the struct: verify_types.py
        return None
    base = op.operands[0].type
    position = op.attrs["value"]
    if not isinstance(base, TupleType) or not 0 <= position < len(base.elements):
        return f"takes element {position} of {base}"
    return None if alike(base.elements[position], op.results[0].type) else "gives another type than the element has"


def _some(op: Op) -> str | None:
    type = op.results[0].type
    return None if isinstance(type, OptionalType) and alike(type.inner, op.operands[0].type) else f"gives {type}"


def _none(op: Op) -> str | None:
    return None if isinstance(op.results[0].type, OptionalType) else f"gives {op.results[0].type}"


def _carried(op: Op) -> str | None:
    given = tuple(value.type for value in op.results)
    carried = tuple(value.type for value in op.operands[OPS[op.kind].leading :])
    return None if _match(given, carried) else f"carries {carried} and gives {given}"


def _scan(op: Op) -> str | None:
    given = tuple(value.type for value in op.results)
    carried = tuple(value.type for value in op.operands[OPS[op.kind].leading :])
    more = len(given) - len(carried)
    return None if more in (0, 1) and _match(given[: len(carried)], carried) else f"carries {carried} and gives {given}"


def _array(op: Op) -> str | None:
    type = op.operands[0].type
    return None if isinstance(type, ArrayType) and alike(type.element, op.results[0].type) else f"takes an element of {type}"


_RULES: dict[str, Check] = {
    "constant": _constant,
    "index": _index,
    "elementwise": _elementwise,
    "same": _same,
    "bool": _bool,
    "select": _select,
    "cast": _cast,
    "shaped": _shaped,
    "iota": _iota,
    "permuted": _permuted,
    "sliced": _sliced,
    "concatenated": _concatenated,
    "element": _element,
    "grid": _grid,
    "reduced": _reduced,
    "tuple": _tuple,
    "field": _field,
    "some": _some,
    "none": _none,
    "carried": _carried,
    "scan": _scan,
    "array": _array,
}
