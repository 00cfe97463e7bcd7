"""The operations of the Core IR: one row a kind.

In: nothing.  Out: `OPS`, which the verifier, the plan's writer and reader, the printer and the passes all run off; nothing else
describes an operation.

Attribute values are immutable: `int`, `str`, `Dim`, `Shape`, or tuples of frozen values (see `AttrKind`).  The one attribute
that cannot be hashed, `substitution`, says the same as `callee` and `generics`, which can.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

#: What an attribute holds in the IR:
#:
#: - `integer`: an `int`; `bit`: 0 or 1.
#: - `float`: the shortest text that reads back to the same f64, with a point or an exponent ("0.1", "-0.0", "1e+16"), or
#:   "inf", "-inf", "nan".
#: - `dim`: a `Dim`; `shape`: a `Shape`; `permutation`: a tuple of `int`, result axis i being operand axis `permutation[i]`.
#: - `text`: a `str`; `compare`, `reduce`, `atomic`: a `str` out of `WORDS`.
#: - `names`: a tuple of `str`.
#: - `slices`: a tuple of `check.program.SliceAxis | WholeAxes`, one per unit of the operand's declared shape.
#: - `indices`: a tuple of `ir.module.IndexDomain`.
#: - `substitution`: a `check.program.Substitution` (the callee's own generics, by id); `arguments`: a tuple of
#:   `check.types.GenericArg`, the same in the order the callee declares its generics.
AttrKind = Literal[
    "integer",
    "bit",
    "float",
    "dim",
    "shape",
    "permutation",
    "text",
    "compare",
    "reduce",
    "atomic",
    "names",
    "slices",
    "indices",
    "substitution",
    "arguments",
]

#: The words an attribute of these kinds may be.
WORDS: dict[str, tuple[str, ...]] = {
    "compare": ("eq", "ne", "lt", "le", "gt", "ge"),
    "reduce": ("sum", "prod", "max", "min", "any", "all"),
    "atomic": ("add", "max", "min"),
}

#: How the result types follow from the operands, for the verifier:
#:
#: - `given`: whatever the operation says (calls, reads).
#: - `constant`: a scalar of the kind's own class; `index`: an i64 scalar.
#: - `elementwise`: every operand has the result's dtype; `same`: the operand's type exactly, but for how dims are spelled.
#: - `bool`: elementwise over operands of one dtype, bool result; `select`: condition bool, then `elementwise`.
#: - `cast`: the operand's shape; `shaped`: attribute `shape` and the operand's dtype; `iota`: attribute `shape`.
#: - `permuted`, `sliced`, `concatenated`, `element`: as the attributes say.
#: - `grid`: a tensor over `indices` of the region's scalar; `reduced`: a scalar like the region's (bool for any and all).
#: - `tuple`, `struct`, `field`, `some`, `none`: structural.
#: - `arms`: what every region yields; `carried`: the carried operands' types; `scan`: those, then at most one more.
#: - `array`: the array's element.
ResultRule = Literal[
    "given",
    "constant",
    "index",
    "elementwise",
    "same",
    "bool",
    "select",
    "cast",
    "shaped",
    "iota",
    "permuted",
    "sliced",
    "concatenated",
    "element",
    "grid",
    "reduced",
    "tuple",
    "struct",
    "field",
    "some",
    "none",
    "arms",
    "carried",
    "scan",
    "array",
]


class Attr(Struct, frozen=True):
    """An attribute: its name and what it holds.  An optional one may be left out."""

    name: str
    kind: AttrKind
    optional: bool = False


class RegionRule(Struct, frozen=True):
    """A region of an operation: what its arguments are and what its `yield` gives.

    `args`: none; `indices`: one i64 (or pack index) per index; `inner`: what the optional holds; `carried`: the carried values;
    `element`/`index` and then the carried values.  `yields`: `scalar` one scalar; `predicate` one bool scalar; `results` values
    of the operation's result types; `carried` the carried values; `scan` the carried values and then at most one more.
    """

    role: str
    args: Literal["none", "indices", "inner", "carried", "element carried", "index carried"]
    yields: Literal["scalar", "predicate", "results", "carried", "scan"]


class OpKind(Struct, frozen=True):
    """A row.  `least` and `most` bound the number of operands (no upper bound: None), `results` is their number (None: it
    follows from the rule).  `leading` operands stand before the carried ones of a loop.

    `many` says that the last region rule holds for any number of regions.  An operation with an `effect` is never removed,
    merged or moved (calls have the effects of their callee); one that `ends_region` is the last of its region and nowhere else.
    """

    name: str
    summary: str
    least: int
    most: int | None
    results: int | None
    rule: ResultRule
    attrs: tuple[Attr, ...] = ()
    regions: tuple[RegionRule, ...] = ()
    many: bool = False
    leading: int = 0
    effect: bool = False
    ends_region: bool = False

    def attr(self, name: str) -> Attr | None:
        """The attribute of that name."""
        for attr in self.attrs:
            if attr.name == name:
                return attr
        return None


_SHAPE = (Attr("shape", "shape"),)
_NAME = (Attr("name", "text"),)
_INDICES = (Attr("indices", "indices"),)
_AXIS = (Attr("axis", "integer"),)
_POSITION = (Attr("value", "integer"),)
_CALL = (Attr("callee", "text"), Attr("substitution", "substitution"), Attr("generics", "arguments"))
_GRID_BODY = (RegionRule("body", "indices", "scalar"),)

_BINARY = {
    "add": "sum",
    "sub": "difference",
    "mul": "product",
    "div": "quotient (integers truncate)",
    "rem": "remainder with the dividend's sign",
    "min": "smaller one, NaN if either is",
    "max": "larger one, NaN if either is",
    "and": "logical and, both sides evaluated",
    "or": "logical or, both sides evaluated",
    "bitand": "bitwise and (logical on bool)",
    "bitor": "bitwise or (logical on bool)",
    "bitxor": "bitwise exclusive or (logical on bool)",
    "shl": "left shift",
    "shr": "right shift (arithmetic on signed integers)",
}

_UNARY = {
    "not": "logical negation",
    "neg": "negation",
    "exp": "exponential",
    "log": "natural logarithm",
    "sqrt": "square root",
    "rsqrt": "reciprocal of the square root",
    "sin": "sine",
    "cos": "cosine",
    "tanh": "hyperbolic tangent",
    "abs": "absolute value",
}

_ROWS: tuple[OpKind, ...] = (
    OpKind("const.int", "an integer of the result's dtype", 0, 0, 1, "constant", (Attr("value", "integer"),)),
    OpKind("const.bool", "true (1) or false (0)", 0, 0, 1, "constant", (Attr("value", "bit"),)),
    OpKind("const.float", "a float of the result's dtype", 0, 0, 1, "constant", (Attr("value", "float"),)),
    OpKind("const.dim", "a dimension as an i64 value", 0, 0, 1, "index", (Attr("value", "dim"),)),
    OpKind("enum.const", "a variant of the result's enum", 0, 0, 1, "given", _NAME),
    *(OpKind(kind, f"elementwise {text}", 2, 2, 1, "elementwise") for kind, text in _BINARY.items()),
    *(OpKind(kind, f"elementwise {text}", 1, 1, 1, "same") for kind, text in _UNARY.items()),
    OpKind("cast", "the operand in the result's dtype", 1, 1, 1, "cast"),
    OpKind("compare", "elementwise comparison", 2, 2, 1, "bool", (Attr("compare", "compare"),)),
    OpKind("select", "elementwise choice: condition, where true, where false", 3, 3, 1, "select"),
    OpKind("reshape", "the operand's elements in another shape", 1, 1, 1, "shaped", _SHAPE),
    OpKind("broadcast", "the operand spread to a shape, right-aligned", 1, 1, 1, "shaped", _SHAPE),
    OpKind("fill", "a scalar in every place of a shape", 1, 1, 1, "shaped", _SHAPE),
    OpKind("iota", "0, 1, 2, ... along the only axis", 0, 0, 1, "iota", _SHAPE),
    OpKind("permute", "the axes in another order", 1, 1, 1, "permuted", (Attr("shape", "permutation"),)),
    OpKind("slice", "ranges and positions of each axis", 1, 1, 1, "sliced", (Attr("axes", "slices"),)),
    OpKind("concat", "parts one after another; a negative axis counts from the back", 1, None, 1, "concatenated", _AXIS),
    OpKind("cumsum", "running sum; a negative axis counts from the back", 1, 1, 1, "same", _AXIS),
    OpKind("tensor.element", "one element: the tensor, then a position per axis (a pack index covers its pack)", 2, None, 1, "element"),
    OpKind("comprehension", "a tensor, element by element", 0, 0, 1, "grid", _INDICES, _GRID_BODY),
    OpKind("reduce", "a reduction over indices", 0, 0, 1, "reduced", (*_INDICES, Attr("reduce", "reduce")), _GRID_BODY),
    OpKind("tuple.make", "a tuple", 1, None, 1, "tuple"),
    OpKind("struct.make", "a struct, fields in declaration order", 0, None, 1, "struct"),
    OpKind("tuple.get", "an element of a tuple", 1, 1, 1, "field", _POSITION),
    OpKind("struct.get", "a field of a struct, by position", 1, 1, 1, "field", _POSITION),
    OpKind("option.some", "an optional that is present", 1, 1, 1, "some"),
    OpKind("option.none", "an absent optional", 0, 0, 1, "none"),
    OpKind(
        "option.match",
        "one of two regions, by whether the optional is present",
        1,
        1,
        1,
        "arms",
        regions=(RegionRule("some", "inner", "results"), RegionRule("none", "none", "results")),
    ),
    OpKind(
        "enum.match",
        "one region per variant named in `variants`, `_` for the rest",
        1,
        1,
        1,
        "arms",
        (Attr("variants", "names"),),
        (RegionRule("arm", "none", "results"),),
        many=True,
    ),
    OpKind(
        "if",
        "one of two regions, by a scalar condition",
        1,
        1,
        1,
        "arms",
        regions=(RegionRule("then", "none", "results"), RegionRule("else", "none", "results")),
    ),
    OpKind("call", "a function or method: the receiver of a method, then the arguments", 0, None, None, "given", _CALL),
    OpKind(
        "semantic.call",
        "an op, which a target may know by name; `selected` is the library call chosen for it",
        0,
        None,
        None,
        "given",
        (*_CALL, Attr("selected", "text")),
    ),
    OpKind("block.param", "a parameter or buffer of a block", 1, 1, 1, "given", _NAME),
    OpKind("block.sub", "a child of a block", 1, 1, 1, "given", _NAME),
    OpKind("state.read", "a state's present value", 1, 1, 1, "given", _NAME),
    OpKind("state.write", "a state's new value: block, value", 2, 2, 0, "given", _NAME, effect=True),
    OpKind("array.get", "an element of an array of blocks: array, position", 2, 2, 1, "array"),
    OpKind(
        "static_for",
        "unrolled over an array of blocks: the array, then the carried values",
        1,
        None,
        None,
        "carried",
        regions=(RegionRule("body", "element carried", "carried"),),
        leading=1,
    ),
    OpKind(
        "static_range",
        "unrolled over start <= i < stop: start, stop, then the carried values",
        2,
        None,
        None,
        "carried",
        regions=(RegionRule("body", "index carried", "carried"),),
        leading=2,
    ),
    OpKind(
        "while",
        "a run-time loop: the carried values",
        0,
        None,
        None,
        "carried",
        regions=(RegionRule("condition", "carried", "predicate"), RegionRule("body", "carried", "carried")),
    ),
    OpKind(
        "for",
        "a run-time loop of known length: start, stop, then the carried values; a yielded value is stacked",
        2,
        None,
        None,
        "scan",
        regions=(RegionRule("body", "index carried", "scan"),),
        leading=2,
    ),
    OpKind("kernel.program_id", "the program's position in the grid", 0, 0, 1, "given", _AXIS),
    OpKind(
        "kernel.load",
        "memory, `indices` positions, then mask and other where given",
        1,
        None,
        1,
        "given",
        (Attr("indices", "integer"),),
    ),
    OpKind(
        "kernel.store",
        "memory, `indices` positions, the value, then the mask where given",
        2,
        None,
        0,
        "given",
        (Attr("indices", "integer"), Attr("atomic", "atomic", optional=True)),
        effect=True,
    ),
    OpKind("return", "ends a function's region with its results", 0, None, 0, "given", effect=True, ends_region=True),
    OpKind("yield", "ends a region with its values", 0, None, 0, "given", effect=True, ends_region=True),
)

#: Every operation kind, in the order of the documentation.
OPS: dict[str, OpKind] = {row.name: row for row in _ROWS}

#: Kinds with two operands of one dtype, and with one operand, elementwise.
BINARY_KINDS: tuple[str, ...] = tuple(_BINARY)
UNARY_KINDS: tuple[str, ...] = tuple(_UNARY)

#: What `selected` says when no library call was chosen.
CANONICAL = "canonical decomposition"
