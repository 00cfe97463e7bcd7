"""What one body is lowered into, and the loop that lowers expressions without recursion.

In: typed expressions and statements (`check/program.py`).  Out: operations in regions, through `Body`.

A lowering rule is a function `(body, node)`.  It returns the node's value at once, or it is a generator that yields the nodes
(or generators) it needs and is sent their values; `Body.run` keeps the generators on a list of its own, so a sum of
20,000 terms needs no deeper stack than one of two.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from linnet_core.check.program import Local, Program
from linnet_core.check.types import I64, DimType, Type
from linnet_core.errors import InternalError, SourceError
from linnet_core.ir.module import Op, Region, Value
from linnet_core.syntax.limits import MAX_NESTING
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from linnet_core.text.span import Span

#: The most regions inside each other: as many as bodies may stand inside each other in a file.  Only what is written elsewhere and put into
#: a body (a default argument, a constant) can lead beyond it; E1104 names the limit then.
MAX_REGION_DEPTH = MAX_NESTING

#: What a rule yields and is sent: a node or a further generator, then its value (None for a statement or a unit call).
Steps = Generator[Any, Any, Any]
Rule = Callable[["Body", Any], Any]


class Body:
    """A function's (or constant's) body while it is lowered.

    `locals` holds the present value of each local by id, `indices` the region argument of each index in scope by id.
    """

    def __init__(self, program: Program, rules: dict[type, Rule]) -> None:
        """An empty body; `rules` say how each node type is lowered."""
        self.program = program
        self.locals: dict[int, Value] = {}
        self.indices: dict[int, Value] = {}
        self.receiver: Value | None = None
        self._rules = rules
        self._next_id = 0
        self._open: list[list[Op]] = []
        self._arguments: list[tuple[Value, ...]] = []
        self._constants: list[dict[Any, Value]] = []
        self._constant_keys: dict[int, list[Any]] = {}
        self._nameless: set[int] = set()

    # ------------------------------------------------------------------------------------------------------ operations

    def value(self, type: Type, name: str = "") -> Value:
        """A new value; a compile-time integer becomes an i64."""
        value = Value(self._next_id, kept_name(name), I64 if isinstance(type, DimType) else type)
        self._next_id += 1
        return value

    def emit(
        self,
        kind: str,
        operands: Sequence[Value],
        type: Type,
        span: Span | None,
        attrs: dict[str, Any] | None = None,
        regions: tuple[Region, ...] = (),
    ) -> Value:
        """Append an operation with one result and give the result."""
        result = self.value(type)
        self._open[-1].append(Op(kind, tuple(operands), (result,), attrs or {}, regions, span))
        return result

    def emit_many(
        self,
        kind: str,
        operands: Sequence[Value],
        results: tuple[Value, ...],
        span: Span | None,
        attrs: dict[str, Any] | None = None,
        regions: tuple[Region, ...] = (),
    ) -> None:
        """Append an operation whose results were made before."""
        self._open[-1].append(Op(kind, tuple(operands), results, attrs or {}, regions, span))

    def named(self, value: Value, name: str) -> Value:
        """`value` under the program's own name, when it is a nameless result of the operation just appended.

        One that had a name which is not kept stays nameless whatever it is bound to later.
        """
        last = self._open[-1][-1] if self._open[-1] else None
        if name and not kept_name(name):
            self._nameless.add(value.id)
        if value.name or not name or value.id in self._nameless or last is None or not any(result is value for result in last.results):
            return value
        renamed = Value(value.id, name, value.type)
        results = tuple(renamed if result is value else result for result in last.results)
        self._open[-1][-1] = Op(last.kind, last.operands, results, last.attrs, last.regions, last.span)
        for key in self._constant_keys.get(value.id, ()):
            self._constants[-1][key] = renamed
        return renamed

    # --------------------------------------------------------------------------------------------------------- regions

    def open_region(self, args: tuple[Value, ...], span: Span | None) -> None:
        """Start a region; operations go into it until it is closed."""
        if len(self._open) > MAX_REGION_DEPTH:
            message = f"loops, branches and index notation are nested more than {MAX_REGION_DEPTH} levels deep"
            raise SourceError([Diagnostic("E1104", message, span, help="move inner parts into functions")])
        self._open.append([])
        self._arguments.append(args)
        self._constants.append({})

    def close_region(self) -> Region:
        """End the innermost region, whose last operation is there already."""
        self._constants.pop()
        return Region(self._arguments.pop(), tuple(self._open.pop()))

    def yield_values(self, values: Sequence[Value], span: Span | None) -> Region:
        """End the innermost region with these values."""
        self.emit_many("yield", values, (), span)
        return self.close_region()

    def constant(self, key: Any) -> Value | None:
        """The module constant kept under `key` in the innermost region."""
        return self._constants[-1].get(key)

    def keep_constant(self, key: Any, value: Value) -> None:
        """Use `value` for `key` for the rest of the innermost region."""
        self._constants[-1][key] = value
        self._constant_keys.setdefault(value.id, []).append(key)

    # ----------------------------------------------------------------------------------------------------------- names

    def bind(self, local: Local, value: Value) -> None:
        """Give a local its present value."""
        self.locals[local.id] = value

    # -------------------------------------------------------------------------------------------------------- stepping

    def run(self, start: Steps) -> Any:
        """Carry a generator through, and everything it asks for; the generator's own result."""
        stack: list[Steps] = [start]
        sent: Any = None
        while stack:
            try:
                request = stack[-1].send(sent)
            except StopIteration as end:
                stack.pop()
                sent = end.value
                continue
            sent = request if isinstance(request, GeneratorType) else self._apply(request)
            if isinstance(sent, GeneratorType):
                stack.append(sent)
                sent = None
        return sent

    def _apply(self, node: Any) -> Any:
        rule = self._rules.get(type(node))
        if rule is None:
            raise InternalError(f"lowering knows no {type(node).__name__}")
        return rule(self, node)


def kept_name(name: str) -> str:
    """The name a value keeps: a local that is called `_` and a number, as `_12`, stands for a value without a name."""
    return "" if name[:1] == "_" and name[1:].isdigit() else name


def each(nodes: Sequence[Any]) -> Steps:
    """Their values, in order, as a list."""
    values = []
    for node in nodes:
        values.append((yield node))  # noqa: PERF401 (a comprehension cannot yield)
    return values


def as_index(body: Body, value: Value, span: Span) -> Value:
    """`value` as an i64 scalar, which a computed position must be."""
    return value if value.type == I64 else body.emit("cast", (value,), I64, span)
