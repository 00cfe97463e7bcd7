"""The body of one function, statement by statement.

In: regions of Core IR.  Out: lines of source (laid out later by the formatter) that lower to the same operations in the same order.

A value that is used once, has no name, and is used where the operations come out in the same order stands inside the expression that uses
it; every other value has a `let`.  Values wait in a stack for the operation that takes them; whatever an operation does not take from the
top of the stack, in order, is bound first.  A `let` whose name is `_` and a number gives a value without a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_core.check.types import ShapeIndexType, TupleType
from linnet_core.errors import DocumentError
from linnet_core.ir.uses import LOOPS, Uses, can_be_bound, gathered, is_block_like, operands
from linnet_core.linnet_source import expressions, loops, regions
from linnet_core.linnet_source.calls import call, member
from linnet_core.linnet_source.constants import ConstantNames
from linnet_core.linnet_source.names import Names
from linnet_core.linnet_source.patterns import Pattern, leading_pattern
from linnet_core.linnet_source.pieces import ATOM, OPEN, WHOLE, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.ir.module import Module, Op, Region, Value
    from linnet_core.linnet_source.constants import Constants
    from linnet_core.linnet_source.spelling import Spelling


#: The most expressions inside each other; a value deeper down is bound, so that a plan may be deeper than source.
_DEEPEST = 40
#: The most operators that follow each other, likewise.
_LONGEST = 500
#: The most characters that are written again at every use, where no local can hold a value: without a limit, values each used twice by the
#: next would make a text that doubles with every one.
_LONGEST_AGAIN = 2_000


class Waiting(Struct, eq=False):
    """A value that is not written yet, with the operation that makes it."""

    value: Value
    piece: Piece


class Body:
    """Writes the regions of one function."""

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

    # ---------------------------------------------------------------------------------------------------------- regions

    def statements(self, region: Region) -> tuple[list[Piece], Op]:
        """Write the region's operations; the pieces its last operation is given, and that operation."""
        self.run(region.ops[:-1])
        end = region.ops[-1]
        pieces = self.take(end)
        return pieces, end

    def expression(self, region: Region, bind: Callable[[Body], None]) -> Piece:
        """The region as one expression; `bind` names its arguments in its scope."""
        inner = self.inside(self.names.inner({}))
        inner.has_statements = False
        bind(inner)
        pieces, end = inner.statements(region)
        self.names.leave(inner.names)
        [piece] = pieces
        if piece.loose:
            firm = inner.firm(end.operands[0], piece)
            piece.firm = piece.firm if firm is None else firm.text
        return piece

    def inside(self, names: Names) -> Body:
        """A writer for a region inside this one."""
        inner = Body(self.module, self.spelling, self.uses, names, self.constants.constants)
        inner.shared = self.shared
        inner.under_indices = self.under_indices
        return inner

    def run(self, ops: Sequence[Op]) -> None:
        """Write operations, none of them the end of a region."""
        at = 0
        while at < len(ops):
            at += self._operation(ops, at)

    def _operation(self, ops: Sequence[Op], at: int) -> int:
        """Write one operation, or several that one pattern stands for; how many."""
        op = ops[at]
        length = self._leading_constant(ops, at)
        if length:
            return length
        if not self.has_statements:
            self._refuse_statement(op)
        if op.kind in LOOPS:
            return loops.loop(self, ops, at)
        if op.kind == "tuple.get":
            if op.results[0].id not in self.names.called:  # A pattern of the arm has named it otherwise.
                self._take_apart(op)
            return 1
        if op.kind == "comprehension" and gathered(op) is None:
            regions.comprehension(self, op)
            return 1
        pieces = self.take(op)
        piece = self._piece(op, pieces)
        if not op.results:
            self.emit(piece.text)
            return 1
        return self.result(op, piece, ops, at)

    def _refuse_statement(self, op: Op) -> None:
        """What only a statement can say does not stand in an arm or under indices."""
        is_grid = op.kind == "comprehension" and gathered(op) is None
        is_taken_apart = op.kind == "tuple.get" and op.results[0].id not in self.names.called
        if op.kind in LOOPS or is_grid or is_taken_apart or not op.results:
            raise DocumentError(f"`{op.kind}` stands in an arm or under indices, where source has no statements")

    def result(self, op: Op, piece: Piece, ops: Sequence[Op], at: int) -> int:
        """Keep the piece of an operation's (last) result, bind it, or take it apart; how many operations were written."""
        value = op.results[-1]
        name = self.constants.of_value(value, op)
        if name is not None:
            self.shared[value.id] = Piece(name, ATOM, value.type)
            self.wait(value, self.shared[value.id])
            return 1
        pattern = self._pattern(value, piece, ops, at)
        if pattern is not None:
            self.flush()
            self._bind_pattern(pattern, piece, op)
            return 1 + pattern.length
        if self._may_wait(value, piece):
            self.wait(value, piece)
        elif self._has_no_local(value):
            if len(piece.text) > _LONGEST_AGAIN and self.uses.count(value) > 1:
                raise DocumentError(
                    f"value {value.id} is used more than once where source has no statements, and too long to be written again"
                )
            self.shared[value.id] = piece
        else:
            self.define(value, piece, op)
        return 1

    def _leading_constant(self, ops: Sequence[Op], at: int) -> int:
        """Write the operations of a constant as its name; how many they are, 0 when none stands here."""
        found = self.constants.leading(ops, at)
        if found is None:
            return 0
        name, length = found
        [value] = ops[at + length - 1].results
        piece = Piece(name, ATOM, value.type)
        if self.uses.count(value) == 1:
            self.wait(value, piece)
        else:
            self.shared[value.id] = piece
        return length

    def _may_wait(self, value: Value, piece: Piece) -> bool:
        """Whether the value can be written where it is used."""
        if not self.has_statements or is_block_like(value.type):
            return self.uses.count(value) == 1 and self.uses.is_local(value)
        return not value.name and piece.level != WHOLE and self.uses.count(value) == 1 and self.uses.is_local(value)

    def _has_no_local(self, value: Value) -> bool:
        """Whether no local can hold the value here, so that it is written again wherever it is used."""
        return not self.has_statements or is_block_like(value.type)

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

    # --------------------------------------------------------------------------------------------------------- patterns

    def _pattern(self, value: Value, piece: Piece, ops: Sequence[Op], at: int) -> Pattern | None:
        """The pattern that the operations after a tuple take it apart with, when they are all its uses."""
        if not isinstance(value.type, TupleType) or value.name or ops[at].kind == "tuple.make" or not self.has_statements:
            return None
        pattern = leading_pattern(value, ops[at + 1 :], self.uses)
        if pattern is None or any(name in self.names.carried for name in pattern.names):
            return None
        return pattern if len(set(pattern.names)) == len(pattern.names) else None

    def _bind_pattern(self, pattern: Pattern, piece: Piece, op: Op) -> None:
        text = self.pattern_text(pattern, op)
        self.lines.append(f"let {text} = {piece.text}")

    def pattern_text(self, pattern: Pattern, op: Op) -> str:
        """The pattern, its names bound."""
        for value in pattern.values:
            if value.name:
                self.protect(value.name, op)
            name = value.name or self.names.for_nameless()
            self.names.assignable.pop(name, None)
            self.names.bind(value, name)
        return pattern.text(self.names.called)

    def _take_apart(self, op: Op) -> None:
        """`let (_, b) = t`: one element of a tuple."""
        [tuple_] = self.take(op)
        [value] = op.results
        assert isinstance(op.operands[0].type, TupleType)
        if tuple_.text.startswith("("):
            name = self.names.for_nameless()
            self.emit(f"let {name} = {tuple_.text}")
            tuple_ = Piece(name, ATOM, tuple_.type)
        self.flush()
        is_assigned = value.name in self.names.carried
        if value.name and not is_assigned:
            self.protect(value.name, op)
        name = value.name if value.name and not is_assigned else self.names.for_nameless()
        parts = ["_"] * len(op.operands[0].type.elements)
        parts[op.attrs["value"]] = name
        self.names.assignable.pop(name, None)
        self.lines.append(f"let ({', '.join(parts)}{',' * (len(parts) == 1)}) = {tuple_.text}")
        self.names.bind(value, name)
        if is_assigned:
            self.define(value, Piece(name, ATOM, value.type), op)

    # ---------------------------------------------------------------------------------------------------- one operation

    def _piece(self, op: Op, pieces: list[Piece]) -> Piece:
        made = (expressions.constant(op) or expressions.structural(op, pieces)) if op.results else None
        made = made or regions.expression(self, op, pieces) or self._of_values(op, pieces)
        chained = made.level == pieces[0].level if pieces and ATOM > made.level > OPEN else False
        made.depth = max((piece.depth + (at > 0 or not chained) for at, piece in enumerate(pieces)), default=0) + made.depth
        made.chain = pieces[0].chain + 1 if chained else 0
        return made

    def _of_values(self, op: Op, pieces: list[Piece]) -> Piece:
        read = gathered(op)
        if read is not None:
            return expressions.gather(op, read, pieces)
        if op.kind == "tensor.element":
            return expressions.element(op, pieces)
        if op.kind in ("call", "semantic.call"):
            return call(op, pieces, self.module, self.spelling)
        plain = expressions.elementwise(op, pieces) if op.results else None
        plain = plain or (expressions.shaped(op, pieces, self.under_indices) if op.results else None)
        return plain or member(op, pieces, self.module, self.spelling)
