"""The generics of an entry from the inputs of a call.

In: an entry, what is bound already, and the type of every input.  Out: `Bindings` of everything, or `RuntimeFailure` that names the entry,
the input, the axis and both sizes.  Order: values given by name, sizes and dtypes of the inputs, then further values (a preset), then the
declared defaults.  Every `where` clause of the entry is held against the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from linnet_core.check.types import CLASS_WORDS, DTypeVar, ScalarType, TensorType, is_in_class
from linnet_core.errors import RuntimeFailure, SourceError
from linnet_core.graph.bind import Bindings, bind, check_constraints
from linnet_core.loading.by_name import check_by_name
from linnet_core.shapes import Dim, show_shape, show_unit
from linnet_core.shapes.atoms import Symbol
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linnet_core.check.program import Generic
    from linnet_core.check.types import DTypeName
    from linnet_core.graph.bind import Bound
    from linnet_core.ir.roots import Entry
    from linnet_core.shapes import Shape, Unit


class Given(Struct, frozen=True):
    """The type of an input of a call; a bare number of Python has no dtype of its own and takes the declared one."""

    shape: tuple[int, ...]
    dtype: str | None


class Declared(Struct, frozen=True):
    """An input as the entry declares it; a scalar has no axes."""

    name: str
    shape: Shape
    dtype: Any


def declared_inputs(entry: Entry) -> tuple[Declared, ...]:
    """The inputs of an entry in order; `SourceError` (E6001) for one without tensor form."""
    found: list[Declared] = []
    for argument in entry.function.body.args[1 if entry.block else 0 :]:
        match argument.type:
            case TensorType(shape=shape, dtype=dtype):
                found.append(Declared(argument.name, shape, dtype))
            case ScalarType(dtype=dtype):
                found.append(Declared(argument.name, (), dtype))
            case _:
                message = f"entry `{entry.name}` takes `{argument.name}`, which has no tensor form"
                raise SourceError([Diagnostic("E6001", message, entry.function.span, help="take tensors and scalars")])
    return tuple(found)


def bind_inputs(
    entry: Entry,
    root: Bindings,
    given: Sequence[Given | None],
    generics: Mapping[str, Any] | None = None,
    further: Mapping[str, Any] | None = None,
) -> Bindings:
    """Numbers for all generics of `entry`, whose block stands under `root`.

    An input that is None says nothing: its default will do.

    `generics` are values by name; `further` those of a preset, for what no input says.
    """
    check_by_name(generics)
    work = _Binding(entry, declared_inputs(entry), given, root)
    work.arity()
    own = {generic.name: generic for generic in entry.function.generics}
    for name in generics or {}:
        if name not in own:
            known = f"there are: {', '.join(own)}" if own else "it has none"
            raise RuntimeFailure(f"entry `{entry.name}` has no generic `{name}` of its own; {known}")
    if generics:
        named = tuple(own[name] for name in generics)
        work.take(bind(named, generics, entry=entry.name, flag=""), named, "by name")
    work.from_inputs()
    work.rest(further or {})
    work.check()
    check_constraints(entry.function.constraints, work.bound, entry.function.span, f"entry `{entry.name}`")
    return work.bound


class _Binding:
    def __init__(self, entry: Entry, declared: Sequence[Declared], given: Sequence[Given | None], root: Bindings) -> None:
        self.entry = entry
        self.declared = declared
        self.given = given
        self.bound = root
        #: Where a generic got its value, by id.
        self.origin: dict[int, str] = {}

    def fail(self, name: str, what: str) -> RuntimeFailure:
        return RuntimeFailure(f"entry `{self.entry.name}`, input `{name}`: {what}")

    def arity(self) -> None:
        if len(self.given) != len(self.declared):
            names = ", ".join(each.name for each in self.declared) or "none"
            raise RuntimeFailure(f"entry `{self.entry.name}` takes {len(self.declared)} inputs ({names}), {len(self.given)} were given")

    def take(self, bindings: Bindings, generics: Sequence[Generic], origin: str) -> None:
        self.bound = self.bound.joined(bindings)
        self.origin.update({generic.id: origin for generic in generics})

    def put(self, generic: Generic, value: Bound, origin: str) -> None:
        self.take(Bindings.of([(generic, value)]), [generic], origin)

    def from_inputs(self) -> None:
        """Bind what stands alone in an input's type; a pack may have to wait for another input to bind a second one beside it."""
        by_id = {generic.id: generic for generic in self.entry.function.generics}
        pending = [(declared, given) for declared, given in zip(self.declared, self.given, strict=True) if given is not None]
        for declared, given in pending:
            self.dtype(declared, given, by_id)
        while pending:
            waiting = [pair for pair in pending if not self.axes(*pair, by_id)]
            if len(waiting) == len(pending):
                declared = waiting[0][0]
                packs = ", ".join(show_unit(unit) for unit in declared.shape if self.is_open(unit))
                raise self.fail(declared.name, f"{show_shape(declared.shape)} has several packs without sizes ({packs}); give them by name")
            pending = waiting

    def is_open(self, unit: Unit) -> bool:
        return not isinstance(unit, Dim) and unit.id not in self.bound.packs

    def dtype(self, declared: Declared, given: Given, by_id: Mapping[int, Generic]) -> None:
        dtype = declared.dtype
        if not isinstance(dtype, DTypeVar) or dtype.id in self.bound.dtypes or given.dtype is None:
            return
        if not is_in_class(cast("DTypeName", given.dtype), dtype.bound):
            raise self.fail(declared.name, f"`{dtype.name}` takes {CLASS_WORDS[dtype.bound]}, and {given.dtype} is none")
        self.put(by_id[dtype.id], given.dtype, f"input `{declared.name}`")

    def axes(self, declared: Declared, given: Given, by_id: Mapping[int, Generic]) -> bool:
        """Bind the sizes of one input; False when two of its packs are not known yet."""
        units = declared.shape
        packs = [at for at, unit in enumerate(units) if self.is_open(unit)]
        if len(packs) > 1:
            return False
        width = sum(self.width(unit) for unit in units if not self.is_open(unit))
        spare = len(given.shape) - width
        if spare < 0 or (spare and not packs):
            least = "at least " if packs else ""
            found = f"{len(given.shape)} were given ({list(given.shape)})"
            raise self.fail(declared.name, f"{show_shape(units)} has {least}{width} axes, {found}")
        at = 0
        for unit in units:
            if self.is_open(unit):
                assert not isinstance(unit, Dim)
                self.put(by_id[unit.id], given.shape[at : at + spare], f"input `{declared.name}`")
                at += spare
            else:
                if isinstance(unit, Dim):
                    self.axis(unit, given.shape[at], f"input `{declared.name}`, axis {at}", by_id)
                at += self.width(unit)
        return True

    def width(self, unit: Unit) -> int:
        return 1 if isinstance(unit, Dim) else len(self.bound.packs[unit.id])

    def axis(self, unit: Dim, size: int, origin: str, by_id: Mapping[int, Generic]) -> None:
        symbol = _symbol(unit)
        if symbol is not None and symbol in by_id and symbol not in self.bound.dims:
            self.put(by_id[symbol], size, origin)

    def rest(self, further: Mapping[str, Any]) -> None:
        """What no input said: further values, then defaults."""
        known = {**self.bound.dims, **self.bound.packs, **self.bound.dtypes}
        missing = [generic for generic in self.entry.function.generics if generic.id not in known]
        lacking = [generic.name for generic in missing if generic.name not in further and generic.default is None]
        if lacking:
            names = ", ".join(f"`{name}`" for name in lacking)
            raise RuntimeFailure(
                f"entry `{self.entry.name}`: no input says what {names} {'is' if len(lacking) == 1 else 'are'}; give by name"
            )
        for generic in missing:
            # one by one: a default may speak of those before it
            value = {generic.name: further[generic.name]} if generic.name in further else {generic.name: self.default(generic)}
            self.take(bind((generic,), value, entry=self.entry.name, flag=""), [generic], "its default")

    def default(self, generic: Generic) -> Any:
        assert generic.default is not None
        try:
            value = self.bound.argument(generic.default)
        except (KeyError, ZeroDivisionError):
            raise RuntimeFailure(f"entry `{self.entry.name}`: the default of `{generic.name}` has no value here; give it by name") from None
        return value

    def check(self) -> None:
        """Every input's type against the numbers."""
        for declared, given in zip(self.declared, self.given, strict=True):
            if given is None:
                continue
            dtype = self.bound.dtype(declared.dtype)
            if given.dtype is not None and given.dtype != dtype:
                raise self.fail(declared.name, f"{dtype} is wanted{self.why(declared.dtype)}, {given.dtype} was given")
            self.check_axes(declared, given)

    def check_axes(self, declared: Declared, given: Given) -> None:
        at = 0
        for unit in declared.shape:
            try:
                wanted = self.bound.shape((unit,))
            except ZeroDivisionError:
                raise self.fail(declared.name, f"`{show_unit(unit)}` divides by zero at these sizes") from None
            for size in wanted:
                if given.shape[at] != size:
                    shown = show_unit(unit)
                    reason = f"`{shown}` is {size}{self.why(unit)}" if shown != str(size) else f"{size} is wanted"
                    raise self.fail(declared.name, f"axis {at} has size {given.shape[at]}, {reason}")
                at += 1
        if at != len(given.shape):
            found = f"{len(given.shape)} were given ({list(given.shape)})"
            raise self.fail(declared.name, f"{show_shape(declared.shape)} has {at} axes, {found}")

    def why(self, part: Any) -> str:
        """Where the value of a generic comes from, if part is one."""
        id = _symbol(part) if isinstance(part, Dim) else getattr(part, "id", None)
        origin = self.origin.get(id) if id is not None else None
        return f" by {origin}" if origin and origin != "by name" else ""


def _symbol(unit: Dim) -> int | None:
    """The id of the generic that a dim is and nothing else."""
    match unit.terms:
        case ((1, (Symbol(id=id),)),):
            return id
        case _:
            return None
