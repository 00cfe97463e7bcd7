"""Kernels in the plan: what is written, that it reads back to the byte, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linnet_core.errors import DocumentError
from linnet_core.ir.passes import optimize
from linnet_core.ir.show import show
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linnet_core.ir.module import Module

SCHEMA = jsonschema_rs.validator_for(json.loads((Path(__file__).parents[3] / "schemas" / "plan-1.schema.json").read_text(encoding="utf-8")))

TEXT = """
fn same(x: f32) -> f32 { return x }
op plain(x: Tensor[4; f32]) -> Tensor[4; f32] { return x }
pub kernel tally<N: Dim, K: Dim, B: Dim = 8>(labels: Tensor[N; i32], weights: Tensor[N; f32], scale: f32)
    -> (counts: Tensor[K; i32], scaled: Tensor[N; f32]) grid((N + B - 1) / B, 2) warps(4) where B > 0 {
    let at = program_id(0) * B + iota<i32>(B)
    let label = load(labels[at], at < N, 0)
    atomic_add(counts[label], 1, at < N)
    store(scaled[at], load(weights[at], at < N) * scale, at < N)
}
op tallied<N: Dim, K: Dim>(labels: Tensor[N; i32], weights: Tensor[N; f32], scale: f32) -> (Tensor[K; i32], Tensor[N; f32])
    kernel tally<N, K, 128> { return (fill<i32>([K], 0), weights * scale) }
"""
KERNEL, OP = 2, 3


def plan(module: Module) -> dict[str, Any]:
    """The plan as a document whose parts are not shared."""
    return json.loads(json.dumps(plan_document(module, functions=True)))


def test_what_a_kernel_and_its_op_say(lowered: Callable[..., Module]) -> None:
    functions = plan(lowered(TEXT))["functions"]
    assert [function["kind"] for function in functions] == ["fn", "op", "kernel", "op"]
    kernel = functions[KERNEL]
    n, b = {"sym": 0, "name": "N"}, {"sym": 2, "name": "B"}
    blocks = {"op": "add", "args": [{"op": "floordiv", "args": [{"op": "add", "args": [n, -1]}, b]}, 1]}
    assert (kernel["grid"], kernel["warps"], kernel["stages"], kernel["outputs"]) == ([blocks, 2], 4, 0, 2)
    assert [arg["name"] for arg in kernel["body"]["args"]] == ["labels", "weights", "scale", "counts", "scaled"]
    assert (kernel["block"], kernel["pub"], kernel["results"], kernel["states"]) == (None, True, [], [])
    stores = [op for op in kernel["body"]["ops"] if op["kind"] == "kernel.store"]
    assert [op["attrs"] for op in stores] == [{"indices": 1, "atomic": "add"}, {"indices": 1}]
    own = {generic["name"]: {"dim": {"sym": generic["sym"], "name": generic["name"]}} for generic in functions[OP]["generics"]}
    assert functions[OP]["kernel"] == {"name": "test::tally", "generics": [own["N"], own["K"], {"dim": 128}]}


def test_other_functions_have_the_fields_they_had(lowered: Callable[..., Module]) -> None:
    fields = {"name", "kind", "block", "pub", "generics", "constraints", "results", "states", "body"}
    functions = plan(lowered(TEXT))["functions"]
    assert [set(function) - fields for function in functions] == [set(), set(), {"grid", "warps", "stages", "outputs"}, {"kernel"}]


def test_the_text_of_a_kernel(lowered: Callable[..., Module]) -> None:
    lines = show(lowered(TEXT)).splitlines()
    assert (
        "kernel test::tally<N, K, B>(%0 labels: Tensor[N; i32], %1 weights: Tensor[N; f32], %2 scale: f32)"
        " -> (%3 counts: Tensor[K; i32], %4 scaled: Tensor[N; f32]) grid((N - 1) / B + 1, 2) warps(4) where B > 0"
    ) in lines
    assert any(
        line.startswith("    %") and " label = kernel.load %0, %" in line and line.endswith("[indices = 1] : Tensor[B; i32]")
        for line in lines
    )
    assert any(line.startswith("op test::tallied<N, K>(") and line.endswith(" kernel test::tally<N, K, 128>") for line in lines)


HINTS = st.sampled_from(["", " warps(1)", " warps(8) stages(3)", " stages(2)"])
GRIDS = st.lists(st.sampled_from(["N", "M", "3", "(N + B - 1) / B", "max(N, M)", "min(N, 4) * B"]), min_size=1, max_size=3)
BODIES = st.lists(
    st.sampled_from(
        [
            "store(y[at], load(x[at]), inside)",
            "store(y[0], s)",
            "store(y[at], load(x[at], inside, s) * s, true)",
            "atomic_add(count[iota(M)], 1)",
            "for i in 0..M { store(y[at], load(x[at + cast<i32>(i)], inside)) }",
            "static for i in 0..3 { atomic_add(count[i], 2, n < 3) }",
            "let v = load(a[at, iota(M)]) let w[i] = sum[j] v[i, j] * v[i, j] store(y[at], w, inside)",
            "var k = n while k > 0 { store(y[k], s) k = k - 1 }",
            "let (p, q) = (load(x[at]), n) store(y[at + q], p)",
            "let stack = for i in 0..M { yield load(x[i]) } store(y[iota(M)], cumsum(stack, axis = 0))",
            "store(y[n], if n > 1 { s } else { load(x[n]) })",
        ]
    ),
    max_size=5,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sizes=GRIDS, hints=HINTS, body=BODIES)
def test_kernels_read_back_to_the_byte(lowered: Callable[..., Module], sizes: list[str], hints: str, body: list[str]) -> None:
    statements = "\n    ".join(f"static for q{n} in 0..1 {{ {statement} }}" for n, statement in enumerate(body))
    text = (
        "kernel k<N: Dim, M: Dim, B: Dim>(x: Tensor[N; f32], a: Tensor[N, M; f32], s: f32, n: i32)\n"
        f"    -> (y: Tensor[N; f32], count: Tensor[M; i32]) grid({', '.join(sizes)}){hints} where B > 0 {{\n"
        f"    let at = program_id(0) * B + iota<i32>(B)\n    let inside = at < N\n    {statements}\n}}\n"
        "op f<N: Dim, M: Dim>(x: Tensor[N; f32], a: Tensor[N, M; f32], s: f32, n: i32) -> (Tensor[N; f32], Tensor[M; i32])\n"
        "    kernel k<N, M, 16> { return (x, fill<i32>([M], 0)) }\n"
    )
    module = lowered(text)
    for made in (module, optimize(module)):
        document = plan(made)
        assert SCHEMA.is_valid(document)
        back = read_plan(document)
        assert json.dumps(plan_document(back, functions=True)) == json.dumps(document)
        assert show(back) == show(made)


def of_kind(kind: str, nth: int = 0) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Finds an operation of the kernel."""
    return lambda document: [op for op in document["functions"][KERNEL]["body"]["ops"] if op["kind"] == kind][nth]


def kernel(document: dict[str, Any]) -> dict[str, Any]:
    return document["functions"][KERNEL]


def op(document: dict[str, Any]) -> dict[str, Any]:
    return document["functions"][OP]


LOAD, STORE, PROGRAM = of_kind("kernel.load"), of_kind("kernel.store", 1), of_kind("kernel.program_id")

#: What is edited, the field, its new value (None: it is taken out), and the complaint.
EDITS = [
    pytest.param(kernel, "grid", None, "functions[2].grid: missing", id="no grid"),
    pytest.param(kernel, "grid", [], "its grid has 0 sizes", id="an empty grid"),
    pytest.param(kernel, "grid", [1, 1, 1, 1], "its grid has 4 sizes", id="four sizes"),
    pytest.param(kernel, "grid", ["N"], "functions[2].grid[0]", id="a size that is a word"),
    pytest.param(kernel, "warps", 3, "3 warps", id="warps that are no power of two"),
    pytest.param(kernel, "stages", -1, "-1 stages", id="stages below 0"),
    pytest.param(kernel, "stages", True, "functions[2].stages: should be an integer", id="a bool for a number"),
    pytest.param(kernel, "outputs", 0, "0 of its 5 arguments are results", id="no results"),
    pytest.param(kernel, "outputs", 9, "9 of its 5 arguments are results", id="more results than arguments"),
    pytest.param(kernel, "outputs", 1, "which is no result", id="a write to a parameter"),
    pytest.param(kernel, "outputs", 3, "its argument `scale` is", id="a scalar as a result"),
    pytest.param(kernel, "kind", "fn", "grid: no such field", id="a function with a grid"),
    pytest.param(kernel, "kernel", {"name": "test::tally", "generics": []}, "kernel: no such field", id="a kernel with a kernel"),
    pytest.param(op, "kind", "kernel", "grid: missing", id="an op as a kernel"),
    pytest.param(op, "kernel", {"name": "test::same", "generics": []}, "names `test::same` as its kernel", id="a function for a kernel"),
    pytest.param(op, "kernel", {"name": "test::nope", "generics": []}, "names `test::nope` as its kernel", id="no such kernel"),
    pytest.param(op, "kernel", {"name": "test::tally", "generics": [{"dim": 1}]}, "gives other generics", id="too few arguments"),
    pytest.param(
        op,
        "kernel",
        {"name": "test::tally", "generics": [{"dim": 1}, {"dim": 1}, {"dtype": "f32"}]},
        "other generics",
        id="a dtype for a dim",
    ),
    pytest.param(PROGRAM, "attrs", {"axis": 2}, "asks for axis 2 of a grid of 2 sizes", id="an axis too many"),
    pytest.param(PROGRAM, "attrs", {"axis": -1}, "asks for axis -1", id="a negative axis"),
    pytest.param(LOAD, "attrs", {"indices": 2}, "has 2 indices", id="another number of indices"),
    pytest.param(LOAD, "attrs", {"indices": -1}, "has -1 indices", id="a negative number of indices"),
    pytest.param(LOAD, "operands", [0], "has 1 operands for 1 indices", id="no index"),
    pytest.param(LOAD, "operands", [2, 0], "has 1 indices for", id="a scalar as memory"),
    pytest.param(LOAD, "operands", [0, 1], "has an index of type", id="memory as an index"),
    pytest.param(STORE, "operands", [1, 0, 2], "takes the memory `labels` as a value", id="memory as an index of a write"),
    pytest.param(STORE, "attrs", {"indices": 1, "atomic": "mul"}, "attrs.atomic: should be one of", id="an unknown atomic"),
]


@pytest.mark.parametrize(("find", "field", "value", "complaint"), EDITS)
def test_an_edited_kernel_is_refused(
    lowered: Callable[..., Module], find: Callable[[dict[str, Any]], dict[str, Any]], field: str, value: Any, complaint: str
) -> None:
    document = plan(lowered(TEXT))
    read_plan(document)
    place = find(document)
    if value is None:
        del place[field]
    else:
        place[field] = value
    with pytest.raises(DocumentError) as caught:
        read_plan(document)
    assert complaint in str(caught.value)


FAULTS = [
    pytest.param(KERNEL, "grid", None, id="no grid"),
    pytest.param(KERNEL, "grid", [], id="an empty grid"),
    pytest.param(KERNEL, "outputs", 0, id="no results"),
    pytest.param(KERNEL, "grad", {"args": [], "ops": []}, id="a kernel with a gradient"),
    pytest.param(KERNEL, "kind", "op", id="an op with a grid"),
    pytest.param(0, "warps", 4, id="a function with warps"),
    pytest.param(OP, "kind", "kernel", id="a kernel without a grid"),
]


@pytest.mark.parametrize(("function", "field", "value"), FAULTS)
def test_the_schema_refuses(lowered: Callable[..., Module], function: int, field: str, value: Any) -> None:
    document = plan(lowered(TEXT))
    assert SCHEMA.is_valid(document)
    if value is None:
        del document["functions"][function][field]
    else:
        document["functions"][function][field] = value
    assert not SCHEMA.is_valid(document)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a document with each of its keys."""
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    for key, inner in items:
        yield value, key
        yield from places(inner)


@pytest.mark.parametrize("junk", [None, True, -1, 1, 10**30, "junk", [], {}], ids=repr)
def test_junk_in_a_kernel_is_a_document_error_or_a_plan(lowered: Callable[..., Module], junk: Any) -> None:
    document = plan(lowered(TEXT))
    refused = 0
    for part in (kernel(document), op(document)["kernel"]):
        for container, key in list(places(part)):
            before, container[key] = container[key], junk
            try:
                read_plan(document)
            except DocumentError:
                refused += 1
            container[key] = before
    assert refused > 100
