"""Kernels in Core IR: what their operations look like, what passes leave, and which rules the verifier holds them to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from linnet_core.check.types import BOOL_TYPE, I64, ScalarType, TensorType
from linnet_core.errors import InternalError
from linnet_core.ir.module import KernelUse, Op, Region, Value
from linnet_core.ir.passes import optimize
from linnet_core.ir.show import function_lines
from linnet_core.ir.verify import verify
from linnet_core.shapes import Dim

if TYPE_CHECKING:
    from collections.abc import Callable

    from linnet_core.ir.module import Module

HEADER = "kernel k<N: Dim>(x: Tensor[N; f32], s: f32) -> (y: Tensor[N; f32], c: Tensor[2; i32]) grid(N, 2) stages(3)"

LOWERED = [
    pytest.param(
        "store(y[program_id(0)], s)",
        """
        %4 = kernel.program_id [axis = 0] : i32
        kernel.store %2, %4, %1 [indices = 1]
        return
        """,
        id="a store",
    ),
    pytest.param(
        "let i = program_id(1) let v = load(x[i], s > 0.0, s) atomic_max(c[0], 1, v < s)",
        """
        %4 i = kernel.program_id [axis = 1] : i32
        %5 = const.float [value = 0.0] : f32
        %6 = compare %1, %5 [compare = gt] : bool
        %7 v = kernel.load %0, %4, %6, %1 [indices = 1] : f32
        %8 = const.int [value = 0] : i64
        %9 = const.int [value = 1] : i32
        %10 = compare %7, %1 [compare = lt] : bool
        kernel.store %3, %8, %9, %10 [indices = 1, atomic = max]
        return
        """,
        id="a masked load, and an atomic write of one element",
    ),
    pytest.param(
        "var t = s for i in 0..2 { t = t + load(x[i]) store(y[i], t) }",
        """
        %4 = const.dim [value = 0] : i64
        %5 = const.dim [value = 2] : i64
        %10 t = for %4, %5, %1 : f32
        (%6 i: i64, %7 t: f32) {
            %8 = kernel.load %0, %6 [indices = 1] : f32
            %9 t = add %7, %8 : f32
            kernel.store %2, %6, %9 [indices = 1]
            yield %9
        }
        return
        """,
        id="memory inside a loop that carries a value",
    ),
]


def lines(text: str) -> list[str]:
    found = [line for line in text.splitlines() if line.strip()]
    indent = min(len(line) - len(line.lstrip()) for line in found)
    return [line[indent:] for line in found]


@pytest.mark.parametrize(("statements", "wanted"), LOWERED)
def test_bodies(body: Callable[[str, str], str], statements: str, wanted: str) -> None:
    assert body(f"{HEADER} {{ {statements} }}", "k").splitlines() == lines(wanted)


def test_a_function_and_an_op_around_a_kernel(lowered: Callable[[str], Module]) -> None:
    op = "op f(x: Tensor[4; f32], s: f32) -> (Tensor[4; f32], Tensor[2; i32]) kernel k<4> { return (x, fill<i32>([2], 0)) }"
    functions = lowered(f"{op}\n{HEADER} {{ }}").functions
    assert list(functions) == ["test::f", "test::k"]
    assert function_lines(functions["test::f"])[0] == (
        "op test::f(%0 x: Tensor[4; f32], %1 s: f32) -> (Tensor[4; f32], Tensor[2; i32]) kernel test::k<4>"
    )
    assert function_lines(functions["test::k"]) == [
        "kernel test::k<N>(%0 x: Tensor[N; f32], %1 s: f32) -> (%2 y: Tensor[N; f32], %3 c: Tensor[2; i32]) grid(N, 2) stages(3)",
        "    return",
    ]


def test_passes_keep_writes_and_the_order_of_reads_around_them(lowered: Callable[[str], Module]) -> None:
    text = (
        f"{HEADER} {{ let i = program_id(0) let dead = load(x[i]) let a = load(y[i]) let b = load(y[program_id(0)]) store(y[i], a + b)"
        " let c = load(y[i]) store(y[i], c) store(y[i], c) }"
    )
    module = optimize(lowered(text))
    kinds = [op.kind for op in module.functions["test::k"].body.ops]
    assert kinds == [
        "kernel.program_id", "kernel.load", "add", "kernel.store", "kernel.load", "kernel.store", "kernel.store", "return",
    ]  # fmt: skip
    assert module.functions["test::k"].launch == lowered(text).functions["test::k"].launch


X, S, Y, C = (
    Value(0, "x", TensorType((), "f32")),
    Value(1, "s", ScalarType("f32")),
    Value(2, "y", TensorType((), "f32")),
    Value(3, "c", TensorType((), "i32")),
)
AT = Value(90, "", I64)


def with_ops(module: Module, *ops: Op) -> Module:
    """The module with other operations in its kernel; X, S, Y and C stand for its arguments."""
    kernel = module.functions["test::k"]
    own = dict(zip((0, 1, 2, 3), kernel.body.args, strict=True))
    at = Op("const.int", (), (AT,), {"value": 0})
    made = [Op(op.kind, tuple(own.get(v.id, v) for v in op.operands), op.results, op.attrs) for op in ops]
    body = Region(kernel.body.args, (at, *made, Op("return")))
    return replace(module, functions={**module.functions, "test::k": replace(kernel, body=body)})


def out(type: object, id: int = 91) -> Value:
    return Value(id, "", type)  # type: ignore[arg-type]  # wrong types are what is tested


F32, I32 = ScalarType("f32"), ScalarType("i32")
ONE = {"indices": 1}

BROKEN = [
    pytest.param(
        Op("neg", (X,), (out(TensorType((Dim.constant(4),), "f32")),)), "takes the memory `x` as a value", id="memory as an operand"
    ),
    pytest.param(Op("kernel.program_id", (), (out(I64),), {"axis": 0}), "gives", id="an i64 position"),
    pytest.param(Op("kernel.program_id", (), (out(I32),), {"axis": 2}), "asks for axis 2", id="an axis too many"),
    pytest.param(Op("kernel.load", (X, AT), (out(ScalarType("f64")),), ONE), "gives", id="another dtype"),
    pytest.param(Op("kernel.load", (X, AT), (out(TensorType((), "f32")),), {"indices": 2}), "has 2 indices", id="too many indices"),
    pytest.param(Op("kernel.load", (X, S), (out(F32),), ONE), "has an index of type", id="a float index"),
    pytest.param(Op("kernel.load", (X, AT, AT), (out(F32),), ONE), "has a mask of type", id="an integer mask"),
    pytest.param(Op("kernel.load", (X, AT, AT, AT, AT), (out(F32),), ONE), "has 5 operands", id="too many operands"),
    pytest.param(Op("kernel.store", (X, AT, S), (), ONE), "which is no result", id="a write to a parameter"),
    pytest.param(Op("kernel.store", (Y, AT), (), ONE), "has 2 operands", id="a write of nothing"),
    pytest.param(Op("kernel.store", (C, AT, S), (), ONE), "for elements of", id="a write of another dtype"),
    pytest.param(Op("kernel.store", (Y, AT, S, S), (), ONE), "has a mask of type", id="a float mask of a write"),
]


@pytest.mark.parametrize(("op", "complaint"), BROKEN)
def test_the_verifier_refuses(lowered: Callable[[str], Module], op: Op, complaint: str) -> None:
    module = lowered(f"{HEADER} {{ }}")
    with pytest.raises(InternalError, match=complaint):
        verify(with_ops(module, op))


def test_the_verifier_takes_what_is_right(lowered: Callable[[str], Module]) -> None:
    module = lowered(f"{HEADER} {{ }}")
    mask, value = out(BOOL_TYPE, 91), out(F32, 92)
    ops = (
        Op("compare", (S, S), (mask,), {"compare": "lt"}),
        Op("kernel.load", (X, AT, mask, S), (value,), ONE),
        Op("kernel.store", (Y, AT, value, mask), (), ONE),
    )
    verify(with_ops(module, *ops))


def test_two_kinds_of_write_are_refused(lowered: Callable[[str], Module]) -> None:
    ops = (Op("kernel.store", (Y, AT, S), (), ONE), Op("kernel.store", (Y, AT, S), (), {"indices": 1, "atomic": "add"}))
    with pytest.raises(InternalError, match="`y` is written in two ways"):
        verify(with_ops(lowered(f"{HEADER} {{ }}"), *ops))


def test_an_atomic_write_of_a_dtype_that_takes_none_is_refused(lowered: Callable[[str], Module]) -> None:
    module = lowered("kernel k(x: Tensor[2; f64], s: f64) -> (y: Tensor[2; f64], c: Tensor[2; f64]) grid(1) { }")
    with pytest.raises(InternalError, match="writes f64 by an atomic add"):
        verify(with_ops(module, Op("kernel.store", (Y, AT, S), (), {"indices": 1, "atomic": "add"})))


def test_outside_a_kernel_and_by_calls_nothing_of_kernels_is_taken(lowered: Callable[[str], Module]) -> None:
    module = lowered(f"{HEADER} {{ }}\nfn f(s: f32) -> f32 {{ return s }}\nfn g(s: f32) -> f32 {{ return f(s) }}")
    functions = module.functions
    f, k = functions["test::f"], functions["test::k"]
    asks = Region(f.body.args, (Op("kernel.program_id", (), (out(I32),), {"axis": 0}), *f.body.ops))
    for name, function, complaint in (
        ("test::f", replace(f, body=asks), "holds a `kernel.program_id` and is no kernel"),
        ("test::f", replace(k, name="test::f"), "calls the kernel `test::f`"),
        ("test::f", replace(f, launch=k.launch), "only a kernel has a launch"),
        ("test::f", replace(f, kernel=KernelUse("test::k", ())), "names `test::k` as its kernel"),
        ("test::k", replace(k, launch=None), "only a kernel has a launch"),
    ):
        with pytest.raises(InternalError, match=complaint):
            verify(replace(module, functions={**functions, name: function}))
