"""Long programs are lowered without deep stacks; deep ones are refused with a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from linnet_core.check import program as p
from linnet_core.check.types import ScalarType
from linnet_core.errors import SourceError
from linnet_core.ir.lower import lower
from linnet_core.ir.lower_body import MAX_REGION_DEPTH
from linnet_core.syntax.limits import MAX_NESTING
from linnet_core.text.source import Source
from linnet_core.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module

F32 = ScalarType("f32")
SPAN = Span(Source("m.linnet", "x + x"), 0, 1)
X = p.Local(0, "x", F32)


def program(body: tuple[p.Stmt, ...]) -> p.Program:
    """A module `m` with one function `f` of a scalar."""
    f = p.Function("m::f", "m", "fn", None, False, (), (), (p.Param(X),), F32, (), body, SPAN)
    return p.Program((p.Module("m", "m.linnet", (), (), (), (), (f,)),), functions={"m::f": f})


def test_a_sum_of_many_terms() -> None:
    total: p.Expr = p.LocalRef(F32, SPAN, X)
    for _ in range(20_000):
        total = p.Binary(F32, SPAN, "add", total, p.LocalRef(F32, SPAN, X))
    module = lower(program((p.Return(SPAN, total),)))
    assert len(module.functions["m::f"].body.ops) == 20_001


def test_many_statements() -> None:
    var = p.Local(1, "y", F32, mutable=True)
    step = p.Assign(SPAN, var, p.Unary(F32, SPAN, "neg", p.LocalRef(F32, SPAN, var)))
    statements = (p.Let(SPAN, var, p.LocalRef(F32, SPAN, X)), *[step] * 8_000, p.Return(SPAN, p.LocalRef(F32, SPAN, var)))
    ops = lower(program(statements)).functions["m::f"].body.ops
    assert len(ops) == 8_001
    assert ops[-1].operands == ops[-2].results


def nested_ifs(depth: int, innermost: str = "x") -> str:
    value = innermost
    for _ in range(depth):
        value = f"if 1 < 2 {{ {value} }} else {{ 0.0 }}"
    return value


#: The body of a function takes one of the levels that a file may have.
DEEPEST = MAX_NESTING - 1


def with_default(depth: int, inner: int) -> str:
    """A call inside `depth` branches whose default argument has `inner` of them."""
    default = f"fn g(x: f32, y: f32 = {nested_ifs(inner, '1.0')}) -> f32 {{ return x * y }}"
    return f"{default}\nfn f(x: f32) -> f32 {{ return {nested_ifs(depth, 'g(x)')} }}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"fn f(x: f32) -> f32 {{ return {nested_ifs(DEEPEST)} }}", id="all that a file may nest"),
        pytest.param(with_default(60, MAX_REGION_DEPTH - 60), id="with a default argument"),
    ],
)
def test_regions_as_deep_as_the_limit(lowered: Callable[[str], Module], text: str) -> None:
    assert lowered(text).functions


def test_deeper_regions_are_refused(lowered: Callable[[str], Module]) -> None:
    with pytest.raises(SourceError, match=rf"E1104: .* more than {MAX_REGION_DEPTH} levels") as raised:
        lowered(with_default(60, MAX_REGION_DEPTH - 60 + 1))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.span is not None
