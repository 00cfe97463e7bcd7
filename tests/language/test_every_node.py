"""Every kind of node is said by a program of each target that takes it, and a replay of what was recorded prints the same source.

What no target of ours asks for is named here; a target that lists its calls asks for it in linnet-core/tests/graph/test_control.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from running import source_file

from linnet_core.check.load_program import load_program
from linnet_core.graph.calls import CALLS
from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import CallNode
from linnet_core.graph.replay import replay
from linnet_core.ir.lowered import lowered
from linnet_core.plugins.manager import find_target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from linnet_core.graph.nodes import Node
    from linnet_core.graph.target import Target

TENSORS = """pub entry run(
    x: Tensor[2, 3; f32], at: Tensor[2; i32], w: Tensor[4, 3; f32], k: i32,
) -> (Tensor[2, 4; f32], Tensor[3, 2, 6; f32]) {
    let y[i, o] = sum[j] x[i, j] * w[o, j]
    let rows[i, j] = w[at[i], j]
    let z = cumsum(permute(concat(rows, x[:, 0:3], axis = 1), [1, 0]), axis = 0)
    let flat = reshape(z, [2, 6]) + cast<f32>(iota(6))
    var n = k
    var total = select(flat > 0.0, flat, -flat)
    while n > 0 {
        total = total * 0.5
        n = n - 1
    }
    let turns = for i in 0..3 {
        total = total + 1.0
        yield total
    }
    return (relu(y), turns)
}
"""
BLOCKS = """block Layer {
    param w: Tensor[3; f32]
    state held: Tensor[3; f32]
    pub fn forward(x: Tensor[3; f32]) -> Tensor[3; f32] {
        held = held + x
        return held * w
    }
}
block Model {
    sub first: Layer
    sub second: Layer
    pub entry run(x: Tensor[3; f32]) -> Tensor[3; f32] { return second.forward(first.forward(x)) }
}
"""
LOSS = """pub op own(x: Tensor[3; f32]) -> Tensor[3; f32] { return x * x } grad(y, dy) { return dy * x }
pub entry run(x: Tensor[3; f32], at: Tensor[2; i32]) -> f32 {
    let y = own(x)
    let z[i] = y[at[i]]
    return sum[i] z[i]
}
"""
KERNEL = """kernel tile(a: Tensor[8; f32]) -> c: Tensor[8; f32] grid(1) { store(c[iota<i32>(8)], load(a[iota<i32>(8)]) * 2.0) }
op twice(a: Tensor[8; f32]) -> Tensor[8; f32] kernel tile { return a * 2.0 }
pub entry run(a: Tensor[8; f32]) -> Tensor[8; f32] { return twice(a) }
"""
#: Programs, and what is asked for with each.
PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("use std.nn.activations::{relu}\n" + TENSORS, {}),
    (BLOCKS, {}),
    (LOSS, {}),
    (LOSS, {"gradient": True}),
    (KERNEL, {}),
]
PLACED = [(BLOCKS, {"place": {"first": 0, "second": 1}}), (BLOCKS, {"offload": ("second",)})]
SHARDED = (BLOCKS, {"fully_shard": ("first",)})
AGAIN = (BLOCKS, {"remat": ("first",)})
ASKED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "numpy": PROGRAMS,
    "torch": [*PROGRAMS, *PLACED, SHARDED, AGAIN],
    "jax": [*PROGRAMS, SHARDED, AGAIN],
}
DEVICES = {"enable_placement", "transfer", "release"}
#: What a target does not take, and no program can have.
NEVER = {"while_initial_condition", "while_trailing_condition"}
LACKING = {
    "numpy": NEVER | DEVICES | {"set_slot", "gather_parts", "begin_remat", "end_remat", "launch_kernel"},
    "torch": NEVER,
    "jax": NEVER | {"enable_placement", "transfer"},
}


def kinds(nodes: Sequence[Node | CallNode]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, CallNode):
            yield "call"
            yield from kinds(node.body)
        else:
            yield node.call.op
            for region in node.regions:
                yield region.role
                yield from kinds(region.nodes)


def fresh(target: str) -> Target:
    plugin = find_target(target)
    assert plugin is not None
    return plugin.make({"numerics": "equivalent", **{option.name: option.default for option in plugin.options}})


@pytest.mark.parametrize("target", ASKED)
def test_every_kind_is_said_and_replayed(target: str) -> None:
    if target == "jax":
        pytest.importorskip("linnet_jax", reason="linnet-jax is not installed here; the environments `jax` and `all` have it")
    said: set[str] = set()
    for text, asked in ASKED[target]:
        first, second = fresh(target), fresh(target)
        module = lowered(load_program(source_file(f"module nodes\n{text}"), None)[1], "equivalent", optimize=True)
        graph = export(module, ExportRequest(**asked), first).graph
        document = encode(graph)
        assert encode(decode(document)) == document
        replay(decode(document), second)
        assert second.source() == first.source()
        said.update(kinds(graph.nodes))
    regions = {"body", "pullback"} if target != "numpy" else set()
    assert said == ({"call", *CALLS} | regions) - LACKING[target]
