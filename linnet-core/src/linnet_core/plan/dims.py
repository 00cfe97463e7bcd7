"""Dimensions, units and shapes in the document, both directions.

In: `Dim`, `Pack` and shapes.  Out: JSON values, and the same objects from them.  A dim is written in its canonical form: terms as the
dim orders them, a coefficient other than 1 first in its `mul`, a single term without `add`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from linnet_core.errors import DocumentError, InternalError, LinnetError, SourceError
from linnet_core.schema.fields import fail, integer_at, list_at, object_at, text_at, tuple_at, word_at
from linnet_core.shapes import Dim, FloorDiv, Max, Min, Mod, Pack, PackSize, Symbol, floordiv, maximum, minimum, mod
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.shapes import Atom, Shape, Unit

#: The most operations inside each other in a written dim.
MAX_DIM_DEPTH = 48
#: The most bits of a number in a written dim.
MAX_NUMBER_BITS = 4096

OPERATIONS = ("add", "mul", "floordiv", "mod", "min", "max")
_ATOM_OPERATIONS: dict[type, str] = {FloorDiv: "floordiv", Mod: "mod", Min: "min", Max: "max"}


class DimWriter:
    """Writes dims, each distinct one once."""

    def __init__(self) -> None:
        """Nothing written yet."""
        self._done: dict[Dim, tuple[Any, int]] = {}

    def dim(self, dim: Dim) -> Any:
        """The dim's JSON value.

        Raises `SourceError` (E6003) for a dim of more than `MAX_DIM_DEPTH` levels or a number of more than `MAX_NUMBER_BITS` bits.
        """
        return self._written(dim)[0]

    def unit(self, unit: Unit) -> Any:
        """A dim, or a pack for all its axes."""
        return {"pack": unit.id, "name": unit.name} if isinstance(unit, Pack) else self.dim(unit)

    def shape(self, shape: Shape) -> list[Any]:
        """Units in order."""
        return [self.unit(unit) for unit in shape]

    def _written(self, dim: Dim, depth: int = 0) -> tuple[Any, int]:
        """The dim's JSON value and how deep it nests."""
        done = self._done.get(dim)
        if done is None:
            if depth > MAX_DIM_DEPTH:
                raise _limit(f"a dimension has more than {MAX_DIM_DEPTH} operations inside each other")
            done = self._done[dim] = self._sum(dim, depth)
        if depth + done[1] > MAX_DIM_DEPTH:
            raise _limit(f"a dimension has more than {MAX_DIM_DEPTH} operations inside each other")
        return done

    def _sum(self, dim: Dim, depth: int) -> tuple[Any, int]:
        if dim.value is not None:
            return _number(dim.value), 0
        terms = [self._term(coefficient, atoms, depth) for coefficient, atoms in dim.terms]
        if len(terms) == 1:
            return terms[0]
        return {"op": "add", "args": [term for term, _ in terms]}, 1 + max(deep for _, deep in terms)

    def _term(self, coefficient: int, atoms: tuple[Atom, ...], depth: int) -> tuple[Any, int]:
        if not atoms:
            return _number(coefficient), 0
        factors = [self._atom(atom, depth) for atom in atoms]
        if coefficient != 1:
            factors.insert(0, (_number(coefficient), 0))
        if len(factors) == 1:
            return factors[0]
        return {"op": "mul", "args": [factor for factor, _ in factors]}, 1 + max(deep for _, deep in factors)

    def _atom(self, atom: Atom, depth: int) -> tuple[Any, int]:
        match atom:
            case Symbol():
                return {"sym": atom.id, "name": atom.name}, 0
            case PackSize():
                return {"packsize": atom.id, "name": atom.name}, 0
            case FloorDiv() | Mod() | Min() | Max():
                args = [self._written(side, depth + 1) for side in (atom.left, atom.right)]
                return {"op": _ATOM_OPERATIONS[type(atom)], "args": [arg for arg, _ in args]}, 1 + max(deep for _, deep in args)
            case _:
                raise InternalError(f"a dim of the prover's own, {atom}, in a program")


def _number(value: int) -> int:
    if value.bit_length() > MAX_NUMBER_BITS:
        raise _limit(f"a dimension holds a number of more than {MAX_NUMBER_BITS} bits")
    return value


def _limit(message: str) -> SourceError:
    return SourceError([Diagnostic("E6003", message, None, help="let dimensions be simpler")])


def read_dim(value: Any, where: str, depth: int = 0) -> Dim:
    """The dim a JSON value stands for; `DocumentError` naming the place."""
    if not isinstance(value, dict):
        if integer_at(value, where).bit_length() > MAX_NUMBER_BITS:
            fail(where, f"a number of more than {MAX_NUMBER_BITS} bits")
        return Dim.constant(value)
    if "sym" in value:
        fields = object_at(value, where, ("sym", "name"))
        return Dim.symbol(integer_at(fields["sym"], f"{where}.sym"), text_at(fields["name"], f"{where}.name"))
    if "packsize" in value:
        fields = object_at(value, where, ("packsize", "name"))
        return Dim.pack_size(integer_at(fields["packsize"], f"{where}.packsize"), text_at(fields["name"], f"{where}.name"))
    fields = object_at(value, where, ("op", "args"))
    op = word_at(fields["op"], f"{where}.op", OPERATIONS)
    if depth > 2 * MAX_DIM_DEPTH:
        fail(where, "a dimension nested too deeply")
    args = [read_dim(arg, f"{where}.args[{n}]", depth + 1) for n, arg in enumerate(list_at(fields["args"], f"{where}.args"))]
    if not args or (op in _FOLDS and len(args) != 2):
        fail(where, f"`{op}` of {len(args)} dimensions")
    try:
        return _combined(op, args)
    except DocumentError:
        raise
    except (LinnetError, ZeroDivisionError) as error:
        fail(where, str(error))


_FOLDS: dict[str, Callable[[Dim, Dim], Dim]] = {"floordiv": floordiv, "mod": mod, "min": minimum, "max": maximum}


def _combined(op: str, args: list[Dim]) -> Dim:
    if op in _FOLDS:
        return _FOLDS[op](args[0], args[1])
    total = args[0]
    for arg in args[1:]:
        total = total + arg if op == "add" else total * arg
    return total


def read_unit(value: Any, where: str) -> Unit:
    """A dim, or a pack."""
    if isinstance(value, dict) and "pack" in value:
        fields = object_at(value, where, ("pack", "name"))
        return Pack(integer_at(fields["pack"], f"{where}.pack"), text_at(fields["name"], f"{where}.name"))
    return read_dim(value, where)


def read_shape(value: Any, where: str) -> Shape:
    """A list of units."""
    return tuple_at(value, where, read_unit)
