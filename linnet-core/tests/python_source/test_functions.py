"""Loops and conditionals as functions: what is printed runs in plain Python, whose functions stand for a framework's."""

from __future__ import annotations

from typing import Any

import pytest

from linnet_core.graph.calls import (
    BeginCounted,
    BeginWhile,
    Call,
    Compare,
    Elementwise,
    EndCounted,
    EndWhile,
    Finish,
    Input,
    Operand,
    ResultType,
    Select,
    WhileCondition,
)
from linnet_core.python_source.conditional import give_back_arms
from linnet_core.python_source.functions import FunctionPrinter
from linnet_core.python_source.module import Entry, module_text
from linnet_core.python_source.target import SourceTarget
from linnet_core.python_source.writer import Writer

#: What stands for a framework's loops and conditional.
RUNTIME = """
def while_loop(condition, body, carried):
    while condition(carried):
        carried = body(carried)
    return carried

def counted_loop(start, stop, body, carried):
    for i in range(start, stop):
        carried = body(i, carried)
    return carried

def conditional(condition, then, otherwise):
    return then() if condition else otherwise()
"""


class _Dialect:
    title, constants_parameters, copied = "Python", "", ""
    decorators: tuple[str, ...] = ()
    metadata: tuple[str, ...] = ()

    def expression(self, writer: Writer, call: Call) -> str:
        a, b = (writer.tensor(o) for o in call.operands[:2])
        match call:
            case Compare():
                return f"{a} < {b}"
            case Select():
                return f"{b} if {a} else {writer.tensor(call.operands[2])}"
            case Elementwise(kind=kind):
                return f"{a} {'+' if kind == 'add' else '*'} {b}"
        raise AssertionError(call)

    def index(self, writer: Writer, number: str) -> str:
        return f"int({number})"

    def imports(self, flags: frozenset[str]) -> list[str]:
        return []

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        return []

    def support(self, used: frozenset[str]) -> list[str]:
        return []

    def while_loop(self, condition: str, body: str, initial: str) -> str:
        return f"while_loop({condition}, {body}, {initial})"

    def counted_loop(self, start: int, stop: int, body: str, initial: str) -> str:
        return f"counted_loop({start}, {stop}, {body}, {initial})"

    def conditional(self, condition: str, then: str, otherwise: str) -> str:
        return f"conditional({condition}, {then}, {otherwise})"


class _Calls:
    """Calls on i32 scalars, as expressions."""

    def __init__(self) -> None:
        self.target = SourceTarget()

    def __call__(self, call: Call) -> tuple[Operand, ...]:
        names = self.target.emit(call)
        assert isinstance(names, tuple)
        return tuple(Operand(name, type.shape, type.dtype) for name, type in zip(names, call.result_types(), strict=True))

    def input(self, name: str, dtype: str = "i32") -> Operand:
        return self(Input(name=name, shape=(), dtype=dtype))[0]

    def binary(self, kind: Any, a: Operand, b: Operand) -> Operand:
        return self(Elementwise(kind=kind, shape=(), dtype="i32", operands=(a, b)))[0]

    def less(self, a: Operand, b: Operand) -> Operand:
        return self(Compare(kind="lt", shape=(), operands=(a, b)))[0]

    def text(self, *results: Operand) -> str:
        target = self.target
        target.emit(Finish(module="m", block="", entry="run", returns=len(results), states=(), operands=results))
        entry = Entry(target.inputs, [], [], [], give_back_arms(target.steps, target.types), ())
        return module_text(entry, Writer({}, "exact"), _Dialect(), FunctionPrinter)

    def main(self, *results: Operand) -> Any:
        module: dict[str, Any] = {}
        exec(RUNTIME + self.text(*results), module)
        return module["main"]


@pytest.mark.parametrize("limit", [0, 5, 100])
def test_a_while_whose_body_reads_what_its_condition_made(limit: int) -> None:
    c = _Calls()
    x, bound = c.input("x"), c.input("bound")
    (seen,) = c(BeginWhile(operands=(x,)))
    squared = c.binary("mul", seen, seen)
    below = c.less(squared, bound)
    c(WhileCondition(operands=(below,), carried=(ResultType((), "i32"),)))
    following = c.binary("add", squared, c.binary("add", seen, x))
    (last,) = c(EndWhile(operands=(following,)))
    wanted = 2
    while wanted * wanted < limit:
        wanted = wanted * wanted + wanted + 2
    assert c.main(last)(2, limit) == (wanted,)


@pytest.mark.parametrize(("start", "stop"), [(0, 0), (0, 4), (3, 5)])
def test_a_counted_loop_exchanges_what_it_carries(start: int, stop: int) -> None:
    c = _Calls()
    x, y = c.input("x"), c.input("y")
    index, a, b = c(BeginCounted(start=start, stop=stop, operands=(x, y)))
    following = c.binary("add", a, Operand(index.value, (), "i32"))
    p, q = c(EndCounted(operands=(b, following)))
    first, second = 10, 20
    for i in range(start, stop):
        first, second = second, first + i
    assert c.main(p, q)(10, 20) == (first, second)


def test_a_loop_that_carries_nothing_is_not_printed() -> None:
    c = _Calls()
    x = c.input("x")
    c(BeginCounted(start=0, stop=3, operands=()))
    c.binary("add", x, x)
    c(EndCounted(operands=()))
    assert "counted_loop" not in c.text(x)


@pytest.mark.parametrize("flag", [True, False])
def test_a_conditional_holds_a_loop(flag: bool) -> None:
    c = _Calls()
    x, choice = c.input("x"), c.input("choice", "bool")
    _, seen = c(BeginCounted(start=0, stop=3, operands=(x,)))
    (grown,) = c(EndCounted(operands=(c.binary("mul", seen, x),)))
    other = c.binary("add", x, x)
    (chosen,) = c(Select(shape=(), dtype="i32", operands=(choice, grown, other)))
    text = c.text(chosen)
    assert text.index("_then():") < text.index("counted_loop(") < text.index("_else():")
    module: dict[str, Any] = {}
    exec(RUNTIME + text, module)
    assert module["main"](2, flag) == (16 if flag else 4,)
