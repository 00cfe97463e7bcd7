"""The values a call gives its callee's generics.

In: declared types over the generics, and the types of the arguments.  Out: a `Substitution` in the caller's terms.  Generics
written in `<...>` are given first; dtypes, packs and bare dims bind from every argument; then dims inside larger expressions
(`2 * N`) are solved where exactly one is left.  Whether the whole types agree is decided afterwards, by proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from linnet_core.check.program import Substitution
from linnet_core.check.substitute import bind, substitute_dim
from linnet_core.check.types import (
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
    shape_of,
)
from linnet_core.shapes import Dim, Pack, Symbol, floordiv, prove_at_least, prove_equal, prove_positive, substitute_shape
from linnet_core.shapes.dims import of_atom

if TYPE_CHECKING:
    from linnet_core.check.program import Generic
    from linnet_core.check.types import Args, DType, GenericArg, Type
    from linnet_core.shapes import Atom, Facts, Shape
    from linnet_core.text.span import Span


class Origin(Struct, frozen=True):
    """What an argument is called, and where it stands."""

    name: str
    span: Span


class Solver(Struct, eq=False):
    """The state of one inference.  `given` also holds what the receiver says of its block's generics."""

    generics: tuple[Generic, ...]
    facts: Facts
    given: Substitution
    #: The generics whose value the caller wrote.
    written: set[int] = field(default_factory=set)
    #: Which argument gave a generic its value.
    origins: dict[int, Origin] = field(default_factory=dict)
    dims: list[tuple[Dim, Dim, Origin]] = field(default_factory=list)
    shapes: list[tuple[Shape, Shape, Origin]] = field(default_factory=list)
    #: Names of the arguments whose axes do not pair with the declared ones.
    misaligned: set[str] = field(default_factory=set)
    #: What `unknown` answered, and how many values were given then.
    answered: tuple[int, frozenset[int]] = (-1, frozenset())

    def give(self, args: Args) -> None:
        """Bind the first generics to arguments that were written."""
        for generic, arg in zip(self.generics, args, strict=False):
            bind(self.given, generic, arg)
            self.written.add(generic.id)

    def before(self) -> Substitution:
        """What was given before any argument was looked at."""
        given, told = self.given, self.origins
        return Substitution(
            {id: dim for id, dim in given.dims.items() if id not in told},
            {id: shape for id, shape in given.packs.items() if id not in told},
            {id: dtype for id, dtype in given.dtypes.items() if id not in told},
        )

    def value(self, generic: Generic) -> GenericArg | None:
        """What a generic stands for, None when that is not known."""
        given = self.given
        match generic.kind:
            case "dim":
                return DimArg(given.dims[generic.id]) if generic.id in given.dims else None
            case "shape":
                return ShapeArg(given.packs[generic.id]) if generic.id in given.packs else None
            case "dtype":
                return DTypeArg(given.dtypes[generic.id]) if generic.id in given.dtypes else None

    def unknown(self) -> frozenset[int]:
        """Ids of the generics without a value; asked for every argument, and worked out again only when a value was given."""
        given = self.given
        count = len(given.dims) + len(given.packs) + len(given.dtypes)
        if self.answered[0] != count:
            ids = frozenset([generic.id for generic in self.generics])
            self.answered = count, ids.difference(given.dims, given.packs, given.dtypes)
        return self.answered[1]

    def match(self, declared: Type, found: Type, origin: Origin) -> None:
        """Collect what the type of one argument says; kinds that differ say nothing (they are reported when types are compared)."""
        match declared, found:
            case ScalarType(), ScalarType():
                self._match_dtype(declared.dtype, found.dtype, origin)
            case TensorType(), TensorType() | ScalarType():
                self._match_dtype(declared.dtype, found.dtype, origin)
                self.shapes.append((declared.shape, shape_of(found) or (), origin))
            case OptionalType(), OptionalType():
                self.match(declared.inner, found.inner, origin)
            case TupleType(), TupleType():
                for one, other in zip(declared.elements, found.elements, strict=False):
                    self.match(one, other, origin)
            case (StructType(), StructType()) | (EnumType(), EnumType()) if (declared.module, declared.name) == (found.module, found.name):
                self._match_args(declared.args, found.args, origin)
            case _:
                pass

    def _match_args(self, declared: Args, found: Args, origin: Origin) -> None:
        for one, other in zip(declared, found, strict=True):
            match one, other:
                case DimArg(), DimArg():
                    self.dims.append((one.dim, other.dim, origin))
                case ShapeArg(), ShapeArg():
                    self.shapes.append((one.shape, other.shape, origin))
                case DTypeArg(), DTypeArg():
                    self._match_dtype(one.dtype, other.dtype, origin)
                case _:
                    pass

    def _match_dtype(self, declared: DType, found: DType, origin: Origin) -> None:
        if isinstance(declared, DTypeVar) and declared.id not in self.given.dtypes and declared.id in self.unknown():
            self.given.dtypes[declared.id] = found
            self.origins[declared.id] = origin

    def solve(self) -> None:
        """Bind packs and dims from what was collected."""
        while self._solve_packs():
            pass
        unknown = self.unknown()
        for declared, found, origin in self.dims:
            symbol = declared.generic
            if symbol in unknown and symbol not in self.given.dims:
                self._give_dim(symbol, found, origin)
        while self._solve_composites():
            pass

    def _solve_packs(self) -> bool:
        """Bind the pack of every shape with one unknown pack; True when there may be more to do."""
        waiting = self.shapes
        self.shapes = []
        unknown = self.unknown()
        for declared, found, origin in waiting:
            units = substitute_shape(declared, {}, self.given.packs)
            packs = [
                at for at, unit in enumerate(units) if isinstance(unit, Pack) and unit.id in unknown and unit.id not in self.given.packs
            ]
            if len(packs) > 1:
                self.shapes.append((declared, found, origin))
            else:
                self._align(units, found, packs[0] if packs else None, origin)
        return bool(self.shapes) and len(self.shapes) < len(waiting)

    def _align(self, units: Shape, found: Shape, pack_at: int | None, origin: Origin) -> None:
        """Pair the plainly counted axes from both ends; the pack takes what is between."""
        if pack_at is None:
            pairs = zip(units, found, strict=False)
            if len(units) != len(found):
                self.misaligned.add(origin.name)
                return
        else:
            after = len(units) - pack_at - 1
            if len(found) < pack_at + after:
                self.misaligned.add(origin.name)
                return
            end = len(found) - after
            pack = units[pack_at]
            assert isinstance(pack, Pack)
            self.given.packs[pack.id] = found[pack_at:end]
            self.origins[pack.id] = origin
            pairs = zip(units[:pack_at] + units[pack_at + 1 :], found[:pack_at] + found[end:], strict=True)
        for one, other in pairs:
            if isinstance(one, Dim) and isinstance(other, Dim):
                self.dims.append((one, other, origin))
            elif one != other:
                self.misaligned.add(origin.name)

    def _solve_composites(self) -> bool:
        """Solve dims of which one generic is unknown; True when one was."""
        unknown = self.unknown()
        for declared, found, origin in self.dims:
            left = [id for id in declared.symbols() if id in unknown]
            if len(left) != 1:
                continue
            solution = _solved(substitute_dim(declared, self.given), left[0], found, self.facts)
            if solution is not None:
                self._give_dim(left[0], solution, origin)
                return True
        return False

    def _give_dim(self, id: int, value: Dim, origin: Origin) -> None:
        self.given.dims[id] = value
        self.origins[id] = origin


def _solved(dim: Dim, unknown: int, target: Dim, facts: Facts) -> Dim | None:
    """The value of a generic that makes `dim` equal `target`: one that is proved to, and to be a size; else None."""
    with_it = [(c, atoms) for c, atoms in dim.terms if any(isinstance(a, Symbol) and a.id == unknown for a in atoms)]
    if len(with_it) != 1:
        return None
    coefficient, atoms = with_it[0]
    symbols = [a for a in atoms if isinstance(a, Symbol) and a.id == unknown]
    factor = _product(coefficient, [a for a in atoms if a not in symbols])
    rest = dim - factor * Dim.symbol(unknown, symbols[0].name)
    if len(symbols) != 1 or unknown in rest.symbols() or unknown in factor.symbols() or not prove_positive(factor, facts):
        return None
    solution = floordiv(target - rest, factor)
    exact = prove_equal(solution * factor, target - rest, facts)
    return solution if exact and prove_at_least(solution, Dim.constant(0), facts) else None


def _product(coefficient: int, atoms: list[Atom]) -> Dim:
    product = Dim.constant(coefficient)
    for atom in atoms:
        product = product * of_atom(atom)
    return product
