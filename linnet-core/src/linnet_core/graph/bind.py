"""Generics to numbers.

In: the generics of a root block and an entry, and what was given for them (text of `--bind`, values of a preset).  Out: `Bindings`: a
number for every dim, axes for every pack, a dtype for every dtype generic, with the `where` clauses checked.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from linnet_core.check.types import CLASS_WORDS, DTYPES, DimArg, DType, DTypeArg, DTypeVar, GenericArg, ShapeArg, is_in_class
from linnet_core.errors import InternalError, UsageError
from linnet_core.graph.failures import number, unfit
from linnet_core.shapes import Dim, evaluate_shape, show_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from linnet_core.check.program import Generic
    from linnet_core.check.types import DTypeName
    from linnet_core.shapes import Constraint, Shape
    from linnet_core.text.span import Span

#: What a generic stands for: a size, those of a pack, the name of a dtype.
Bound = int | tuple[int, ...] | str
#: The largest size there is.
MAX_SIZE = 2**63 - 1


class Bindings(Struct, frozen=True):
    """What generics stand for, by id."""

    dims: Mapping[int, int] = field(default_factory=dict)
    packs: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    dtypes: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Iterable[tuple[Generic, Bound]]) -> Bindings:
        """Generics with what each stands for."""
        dims: dict[int, int] = {}
        packs: dict[int, tuple[int, ...]] = {}
        dtypes: dict[int, str] = {}
        for generic, value in values:
            match value:
                case int():
                    dims[generic.id] = value
                case str():
                    dtypes[generic.id] = value
                case _:
                    packs[generic.id] = value
        return cls(dims, packs, dtypes)

    def dim(self, dim: Dim) -> int:
        """The number of a dim.  Raises `KeyError` and `ZeroDivisionError` as `Dim.evaluate` does."""
        value = dim.value
        return dim.evaluate(self.dims, self.packs) if value is None else value

    def shape(self, shape: Shape) -> tuple[int, ...]:
        """The numbers of a shape."""
        return evaluate_shape(shape, self.dims, self.packs)

    def dtype(self, dtype: DType) -> str:
        """The name of a dtype."""
        return self.dtypes[dtype.id] if isinstance(dtype, DTypeVar) else dtype

    def key(self) -> tuple[Any, ...]:
        """A hashable value that is equal for equal bindings."""
        return (tuple(sorted(self.dims.items())), tuple(sorted(self.packs.items())), tuple(sorted(self.dtypes.items())))

    def argument(self, arg: GenericArg) -> Bound:
        """What a generic argument in these terms stands for.  Raises as `dim` does."""
        match arg:
            case DimArg():
                return self.dim(arg.dim)
            case ShapeArg():
                return self.shape(arg.shape)
            case DTypeArg():
                return self.dtype(arg.dtype)
            case _:
                raise InternalError(f"a generic argument {arg}")

    def passed(self, generics: Iterable[Generic], args: Iterable[GenericArg]) -> Bindings:
        """What `generics` stand for where they are given `args`, which are in these terms."""
        return Bindings.of((generic, self.argument(arg)) for generic, arg in zip(generics, args, strict=True))

    def joined(self, other: Bindings) -> Bindings:
        """Everything that either binds."""
        return Bindings({**self.dims, **other.dims}, {**self.packs, **other.packs}, {**self.dtypes, **other.dtypes})

    def only(self, generics: Iterable[Generic]) -> Bindings:
        """The bindings of some generics."""
        return Bindings.of((generic, self.value(generic)) for generic in generics)

    def value(self, generic: Generic) -> Bound:
        """What one generic stands for."""
        match generic.kind:
            case "dim":
                return self.dims[generic.id]
            case "shape":
                return self.packs[generic.id]
            case _:
                return self.dtypes[generic.id]


def bind(
    generics: tuple[Generic, ...],
    given: Mapping[str, Any],
    preset: Mapping[str, Any] | None = None,
    *,
    entry: str = "",
    what: str = "entry",
    span: Span | None = None,
    flag: str = "--bind ",
) -> Bindings:
    """Numbers for `generics` (block's, then entry's) from `given`, else `preset`, else the declared defaults.  `what` and `entry` say
    whose they are, `flag` what stands before a name where a person gives it.

    A name in `given` that is no generic, and text that cannot be read, are a `UsageError`; so is a value of a preset.  A generic without
    a value, and a dtype outside its class, are E6002 at `span`.  Names in `preset` that are no generic of this entry are ignored.
    """
    names = {generic.name for generic in generics}
    for name in given:
        if name not in names:
            known = f"there are: {', '.join(generic.name for generic in generics)}" if generics else "it has none"
            raise UsageError(f"{flag}{name}: {what} `{entry}` has no generic `{name}`; {known}")
    preset = preset or {}
    missing = [g.name for g in generics if g.name not in given and g.name not in preset and g.default is None]
    if missing:
        flags = " ".join(f"{flag}{name}=..." for name in missing)
        listed = ", ".join(f"`{name}`" for name in missing)
        raise unfit(f"{what} `{entry}` needs a value for {listed}", span, help=f"give {flags}")
    bound: list[tuple[Generic, Bound]] = []
    for generic in generics:
        if generic.name in given:
            value = _read(generic, given[generic.name], f"{flag}{generic.name}={_text(given[generic.name])}", span)
        elif generic.name in preset:
            value = _read(generic, preset[generic.name], f"preset {generic.name} = {_text(preset[generic.name])}", span)
        else:
            value = _default(generic, Bindings.of(bound), span)
        bound.append((generic, value))
    return Bindings.of(bound)


def check_constraints(constraints: Iterable[Constraint], bindings: Bindings, span: Span | None, owner: str) -> None:
    """E6002 for the first `where` clause that is false at these sizes; a clause over generics without a size is skipped."""
    for constraint in constraints:
        try:
            left, right = bindings.dim(constraint.left), bindings.dim(constraint.right)
        except KeyError:
            continue
        except ZeroDivisionError:
            raise unfit(
                f"`{constraint}` of {owner} divides by zero at these sizes",
                span,
                notes=size_notes((constraint.left, constraint.right), bindings),
                help=f"bind sizes for which `{constraint}` holds",
            ) from None
        if not constraint.holds(bindings.dims, bindings.packs):
            message = f"`{constraint}` of {owner} does not hold: {number(left)} {constraint.relation} {number(right)} is false"
            notes = size_notes((constraint.left, constraint.right), bindings)
            raise unfit(message, span, notes, help=f"bind sizes for which `{constraint}` holds")


def size_notes(dims: Iterable[Dim], bindings: Bindings) -> tuple[str, ...]:
    """`H = 10` for each generic that the dims speak of."""
    from linnet_core.shapes.atoms import PackSize, Symbol
    from linnet_core.shapes.dims import nested_atoms

    found: dict[str, None] = {}
    for atom in (atom for dim in dims for atom in nested_atoms(dim)):
        match atom:
            case Symbol():
                found[f"{atom.name} = {bindings.dims[atom.id]}"] = None
            case PackSize():
                found[f"{atom.name} = [{', '.join(map(str, bindings.packs[atom.id]))}]"] = None
            case _:
                pass
    return tuple(found)


def _read(generic: Generic, value: Any, what: str, span: Span | None) -> Bound:
    match generic.kind:
        case "dim":
            return _size(value, what)
        case "shape":
            return _sizes_list(value, what)
        case _:
            for dtype in DTYPES:
                if value == dtype:
                    return _in_class(generic, dtype, span)
            raise UsageError(f"{what}: `{_text(value)}` is no dtype; there are: {', '.join(DTYPES)}")


def _size(value: Any, what: str) -> int:
    text = value.strip() if isinstance(value, str) else value
    if isinstance(text, str) and text.isascii() and text.removeprefix("-").isdigit():
        # of more digits than a size has only the first are read: they say enough
        sign, digits = text[: text.count("-")], text.lstrip("-0")[:20]
        text = int(f"{sign}{digits or 0}")
    if isinstance(text, bool):
        raise UsageError(f"{what}: an integer is due")
    try:
        # an integer of NumPy or of a framework, too
        size = index(text)  # pyright: ignore[reportArgumentType] # what is none is told so
    except TypeError:
        raise UsageError(f"{what}: an integer is due") from None
    if size < 0:
        raise UsageError(f"{what}: a size cannot be negative")
    if size > MAX_SIZE:
        raise UsageError(f"{what}: a size cannot be larger than {MAX_SIZE}")
    return size


def _sizes_list(value: Any, what: str) -> tuple[int, ...]:
    parts = (value.split(",") if value.strip() else []) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise UsageError(f"{what}: sizes separated by commas are due (nothing for no axes)")
    return tuple(_size(part, what) for part in parts)


def _in_class(generic: Generic, dtype: DTypeName, span: Span | None) -> str:
    bound = generic.bound or "any"
    if not is_in_class(dtype, bound):
        known = [name for name in DTYPES if is_in_class(name, bound)]
        raise unfit(
            f"`{generic.name}` takes {CLASS_WORDS[bound]}, and `{dtype}` is none",
            span,
            help=f"bind {generic.name} to one of {', '.join(known)}",
        )
    return dtype


def _default(generic: Generic, earlier: Bindings, span: Span | None) -> Bound:
    """The declared default, which may speak of earlier generics."""
    match generic.default:
        case DimArg(dim):
            return _default_sizes((dim,), str(dim), generic, earlier, span)[0]
        case ShapeArg(shape):
            return _default_sizes(shape, show_shape(shape), generic, earlier, span)
        case DTypeArg(dtype):
            return earlier.dtype(dtype)
        case _:
            raise InternalError(f"`{generic.name}` has no default")


def _default_sizes(shape: Shape, text: str, generic: Generic, bindings: Bindings, span: Span | None) -> tuple[int, ...]:
    dims = [unit for unit in shape if isinstance(unit, Dim)]
    try:
        sizes = bindings.shape(shape)
    except (KeyError, ZeroDivisionError):
        raise unfit(
            f"the default `{text}` of `{generic.name}` has no value at these sizes", span, help=f"give --bind {generic.name}=..."
        ) from None
    for size in sizes:
        if not 0 <= size <= MAX_SIZE:
            message = f"the default `{text}` of `{generic.name}` is {number(size)}, which is no size"
            raise unfit(message, span, size_notes(dims, bindings), help=f"bind other sizes, or give --bind {generic.name}=...")
    return sizes


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
