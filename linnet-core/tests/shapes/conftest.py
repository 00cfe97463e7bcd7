"""Claims written as text: `claim("N * (D / N) == D")` is a `Constraint`, `given("N > 0", ...)` is `Facts`."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from linnet_core.shapes import Constraint, Dim, Facts, floordiv, maximum, minimum, mod

if TYPE_CHECKING:
    from collections.abc import Callable

#: The tests share `random_claims`.
if str(Path(__file__).parent) not in sys.path:
    sys.path.insert(0, str(Path(__file__).parent))

_RELATIONS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_OPERATIONS = {ast.Div: floordiv, ast.Mod: mod, ast.Add: Dim.__add__, ast.Sub: Dim.__sub__, ast.Mult: Dim.__mul__}
_CALLS = {"min": minimum, "max": maximum}


class Names(dict[str, Dim]):
    """Generics by name, numbered in the order they are first asked for."""

    def __missing__(self, name: str) -> Dim:
        self[name] = Dim.symbol(len(self), name)
        return self[name]


def read_dim(node: ast.expr, names: Names) -> Dim:
    match node:
        case ast.Constant(value=int(value)):
            return Dim.constant(value)
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -read_dim(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATIONS[type(op)](read_dim(left, names), read_dim(right, names))
        case ast.Call(func=ast.Name(id=name), args=[left, right]):
            return _CALLS[name](read_dim(left, names), read_dim(right, names))
    raise AssertionError(ast.dump(node))


@pytest.fixture
def names() -> Names:
    return Names()


@pytest.fixture
def dim(names: Names) -> Callable[[str], Dim]:
    return lambda text: read_dim(ast.parse(text, mode="eval").body, names)


@pytest.fixture
def claim(names: Names) -> Callable[[str], Constraint]:
    def read(text: str) -> Constraint:
        node = ast.parse(text, mode="eval").body
        assert isinstance(node, ast.Compare)
        return Constraint(_RELATIONS[type(node.ops[0])], read_dim(node.left, names), read_dim(node.comparators[0], names))

    return read


@pytest.fixture
def given(claim: Callable[[str], Constraint]) -> Callable[..., Facts]:
    return lambda *clauses: Facts(claim(clause) for clause in clauses)
