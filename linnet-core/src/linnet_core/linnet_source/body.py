"""The body of one function, statement by statement.

In: regions of Core IR.  Out: lines of source (laid out later by the formatter) that lower to the same operations in the same order.

Which values stand inside the expression that uses them and which have a `let` is decided in `values`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import TupleType
from linnet_core.errors import DocumentError
from linnet_core.ir.uses import LOOPS, gathered
from linnet_core.linnet_source import expressions, loops, regions
from linnet_core.linnet_source.calls import call, member
from linnet_core.linnet_source.patterns import Pattern, leading_pattern
from linnet_core.linnet_source.pieces import ATOM, OPEN, Piece
from linnet_core.linnet_source.values import Values

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.ir.module import Op, Region, Value
    from linnet_core.linnet_source.names import Names


#: The most characters that are written again at every use, where no local can hold a value: without a limit, values each used twice by the
#: next would make a text that doubles with every one.
_LONGEST_AGAIN = 2_000


class Body(Values):
    """Writes the regions of one function."""

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
        if self.may_wait(value, piece):
            self.wait(value, piece)
        elif self.has_no_local(value):
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
