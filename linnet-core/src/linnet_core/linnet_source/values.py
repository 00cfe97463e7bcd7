"""How each value reads at a place in a function: as a local, as an expression that waits for its use, or as its expression again.

In: operations one by one, and what was written for them.  Out: the pieces of an operation's operands, and lines with the `let`s that had to
come first.

A value that is used once, has no name, and is used where the operations come out in the same order stands inside the expression that uses
it; every other value has a `let`.  Values wait in a stack for the operation that takes them; whatever an operation does not take from the
top of the stack, in order, is bound first.  A `let` whose name is `_` and a number gives a value without a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import ShapeIndexType
from linnet_core.errors import DocumentError
from linnet_core.ir.uses import can_be_bound, is_block_like, operands
from linnet_core.linnet_source import expressions
from linnet_core.linnet_source.constants import ConstantNames
from linnet_core.linnet_source.pieces import ATOM, WHOLE, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.ir.module import Module, Op, Value
    from linnet_core.ir.uses import Uses
    from linnet_core.linnet_source.constants import Constants
    from linnet_core.linnet_source.names import Names
    from linnet_core.linnet_source.spelling import Spelling


#: The most expressions inside each other; a value deeper down is bound, so that a plan may be deeper than source.
_DEEPEST = 40
#: The most operators that follow each other, likewise.
_LONGEST = 500


class Waiting(Struct, eq=False):
    """A value that is not written yet, with the operation that makes it."""

    value: Value
    piece: Piece


class Values:
    """The values of one region: which wait, which have a name, which are written again wherever they are used."""

    def __init__(self, module: Module, spelling: Spelling, uses: Uses, names: Names, constants: Constants) -> None:
        """`names` has the parameters bound; `constants` are those that may be named here."""
        self.module = module
        self.constants = ConstantNames(constants, uses, spelling.item_name)
        self.spelling = spelling
        self.uses = uses
        self.names = names
        self.lines: list[str] = []
        self.stack: list[Waiting] = []
        self.waiting: dict[int, Waiting] = {}
        self.shared: dict[int, Piece] = {}
        #: Names assigned in the region so far that came from outside, in order.
        self.assigned: dict[str, None] = {}
        #: Whether statements can stand here; in an arm or under indices they cannot.
        self.has_statements = True
        self.under_indices = False

    # --------------------------------------------------------------------------------------------------------- operands

    def take(self, op: Op) -> list[Piece]:
        """The pieces of the operands, those that wait taken off the stack; what stands in the way is bound first."""
        values = operands(op)
        if not self.waiting.keys().isdisjoint(value.id for value in values):
            self._bind_out_of_order(values)
        pieces = [self.piece_of(value) for value in values]
        bound = {
            *self._without_dtype(op, values, pieces),
            *(at for at, piece in enumerate(pieces) if piece.depth > _DEEPEST or piece.chain > _LONGEST),
        }
        for value in [values[at] for at in sorted(bound)]:
            self.bind(value)
            pieces = [self.piece_of(value) for value in values]
        for value in reversed(values):
            if self.waiting.pop(value.id, None) is None:
                continue
            if self.stack[-1].value is value:
                self.stack.pop()
            else:  # Where no statement can stand, an operand may be below others.
                self.stack = [waiting for waiting in self.stack if waiting.value is not value]
        return pieces

    def _without_dtype(self, op: Op, values: Sequence[Value], pieces: list[Piece]) -> list[int]:
        """The operands that have to get their type from a statement before, after constants are named for those that are one."""
        lacking = expressions.lacking(op, pieces)
        if not self.has_statements and op.kind in ("tuple.make", "option.some"):
            lacking = [at for at, piece in enumerate(pieces) if piece.loose]
        rest: list[int] = []
        for at in lacking:
            if not self._make_firm(values[at], pieces[at]):
                rest.append(at)
                continue
            pieces[at] = self.piece_of(values[at])
            if op.kind in expressions.MUTUAL:
                return []
        return rest[:1] if op.kind in expressions.MUTUAL else rest

    def _make_firm(self, value: Value, piece: Piece) -> bool:
        """Write the value with a type of its own from here on, if that can be said in an expression."""
        firm = self.firm(value, piece)
        if firm is not None and value.id in self.waiting:
            self.waiting[value.id].piece = firm
        elif firm is not None:
            self.shared[value.id] = firm
        return firm is not None

    def settle(self, value: Value) -> None:
        """See to it that the value has its type wherever it is written; in a statement before, if nothing else says it."""
        piece = self.piece_of(value)
        if piece.loose and piece.firm != piece.text and not self._make_firm(value, piece):
            self.bind(value)

    def firm(self, value: Value, piece: Piece) -> Piece | None:
        """The value with a type of its own, as the constant it is; None when it is none that may be named."""
        name = self.constants.of(self.uses.definitions.get(value.id))
        if name is not None:
            return Piece(name, ATOM, value.type)
        return Piece(piece.firm, piece.level, value.type, depth=piece.depth) if piece.firm not in (None, piece.text) else None

    def _bind_out_of_order(self, values: Sequence[Value]) -> None:
        """Bind what waits of the operands and does not end the stack in the operands' order, with all that waits below it."""
        wanted = [value.id for value in values if value.id in self.waiting]
        below = len(self.stack)
        while wanted and below and self.stack[below - 1].value.id == wanted[-1]:
            wanted.pop()
            below -= 1
        if wanted:
            last = max(at for at in range(len(self.stack)) if self.stack[at].value.id in wanted)
            self.flush(last + 1)

    def may_wait(self, value: Value, piece: Piece) -> bool:
        """Whether the value can be written where it is used."""
        if not self.has_statements or is_block_like(value.type):
            return self.uses.count(value) == 1 and self.uses.is_local(value)
        return not value.name and piece.level != WHOLE and self.uses.count(value) == 1 and self.uses.is_local(value)

    def has_no_local(self, value: Value) -> bool:
        """Whether no local can hold the value here, so that it is written again wherever it is used."""
        return not self.has_statements or is_block_like(value.type)

    def wait(self, value: Value, piece: Piece) -> None:
        """Keep a piece for the operation that takes it."""
        self.waiting[value.id] = waiting = Waiting(value, piece)
        self.stack.append(waiting)

    def piece_of(self, value: Value) -> Piece:
        """How the value reads here."""
        waiting = self.waiting.get(value.id)
        if waiting is not None:
            return waiting.piece
        if value.id in self.names.called:
            star = "*" if isinstance(value.type, ShapeIndexType) else ""
            return Piece(star + self.names.called[value.id], ATOM, value.type)
        if value.id not in self.shared:
            raise DocumentError(f"value {value.id} (`{value.name}`) is used where source has no name for it")
        return self.shared[value.id]

    def flush(self, count: int | None = None) -> None:
        """Bind the first values that wait (all by default) where statements can stand; what no local can hold goes on waiting."""
        if not self.has_statements:
            return
        waiting, rest = self.stack[:count], self.stack[len(self.stack) if count is None else count :]
        self.stack = [*(one for one in waiting if not can_be_bound(one.value, self.uses)), *rest]
        for one in waiting:
            if can_be_bound(one.value, self.uses):
                del self.waiting[one.value.id]
                self._let(one.value, one.piece)

    def bind(self, value: Value) -> None:
        """Bind a value, if it waits, and all that waits below it."""
        if value.id in self.waiting:
            self.flush(1 + next(at for at, waiting in enumerate(self.stack) if waiting.value is value))

    def emit(self, line: str) -> None:
        """A statement, after whatever waits."""
        self.flush()
        self.lines.append(line)

    # ---------------------------------------------------------------------------------------------------------- binding

    def define(self, value: Value, piece: Piece, op: Op) -> None:
        """A statement that gives the value to a local, under its own name where it has one."""
        self.flush()
        if not value.name and not self.uses.count(value):
            self.lines.append(f"let _ = {piece.text}")
        elif value.name in self.names.assignable and self.names.assignable[value.name] == value.type:
            self.protect(value.name, op)
            self.assign(value.name, piece.text)
            self.names.bind(value, value.name)
        else:
            if value.name:
                self.protect(value.name, op)
            self._let(value, piece)

    def _let(self, value: Value, piece: Piece) -> None:
        name = value.name or self.names.for_nameless()
        annotation = f": {self.spelling.type(value.type)}" if piece.loose and piece.firm is None else ""
        word = "let"
        if value.name and value.id in self.variables:
            word = "var"
            self.names.assignable[name] = value.type
        else:
            self.names.assignable.pop(name, None)
        self.lines.append(f"{word} {name}{annotation} = {piece.firm or piece.text}")
        self.names.bind(value, name)

    @property
    def variables(self) -> set[int]:
        """Values that loops of their region begin with under the same name."""
        return self.uses.variables

    def assign(self, name: str, text: str) -> None:
        """A new value for a variable."""
        self.lines.append(f"{name} = {text}")
        self.assigned.setdefault(name)

    def protect(self, name: str, op: Op) -> None:
        """Before `name` gets another value: a local of its own for the present one, if that is used after `op`."""
        held = self.names.holder.get(name)
        if held is None or not self.uses.is_needed_after(held, op):
            return
        other = self.names.fresh(name)
        self.lines.append(f"let {other} = {name}")
        self.names.called[held] = other
        self.names.holder[other] = held
