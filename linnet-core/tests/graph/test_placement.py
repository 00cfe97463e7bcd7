"""Blocks on slots, parameters on the host, parameters in parts: what is emitted, in which order, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from exporting import calls, exported, nodes, ops
from listing_target import Listing

from linnet_core.errors import SourceError, UsageError
from linnet_core.graph.document import decode, encode
from linnet_core.graph.nodes import CallNode, Node
from linnet_core.graph.replay import replay

PROGRAM = """
block Gate {
    param w: Tensor[2; f32]
    state seen: Tensor[2; f32]
    pub fn forward(x: Tensor[2; f32]) -> Tensor[2; f32] {
        seen = x
        return twice(x * w) + helper()
    }
    fn helper() -> Tensor[2; f32] { return w + 1.0 }
    pub fn weight() -> Tensor[2; f32] { return w }
    pub fn turning(x: Tensor[2; f32]) -> Tensor[2; f32] {
        var y = x
        var i = 0
        while i < 3 {
            y = y * w
            i = i + 1
        }
        return y + w
    }
    pub fn keeping(x: Tensor[2; f32]) -> Tensor[2; f32] {
        var i = 0
        while i < 3 {
            seen = seen + x
            i = i + 1
        }
        return x
    }
}
block Pair {
    sub first: Gate
    sub second: Gate
    pub fn forward(x: Tensor[2; f32]) -> Tensor[2; f32] { return second.forward(first.forward(x)) }
}
fn twice(x: Tensor[2; f32]) -> Tensor[2; f32] { return x + x }
pub op negated(x: Tensor[2; f32]) -> Tensor[2; f32] { return -x }
pub block Model {
    sub layers: [Gate; 3]
    sub pair: Pair
    sub extra: Gate? = none
    param tail: Tensor[2; f32]
    pub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        return y * tail
    }
    pub entry loop(x: Tensor[2; f32]) -> Tensor[2; f32] { return layers[0].turning(x) }
    pub entry keep(x: Tensor[2; f32]) -> Tensor[2; f32] { return layers[1].keeping(x) }
    pub entry direct(x: Tensor[2; f32]) -> Tensor[2; f32] { return negated(layers[1].weight()) + layers[1].weight() * x }
    pub entry bare(x: Tensor[2; f32]) -> (Tensor[2; f32], Tensor[2; f32]) { return (layers[1].weight(), x) }
    pub entry nested(x: Tensor[2; f32]) -> Tensor[2; f32] { return pair.first.forward(pair.forward(x)) }
    pub entry choose(c: bool, x: Tensor[2; f32]) -> Tensor[2; f32] {
        return if c { layers[1].forward(x) } else { layers[2].forward(x) }
    }
    pub entry cross(x: Tensor[2; f32]) -> Tensor[2; f32] { return x * layers[1].weight() }
}
pub entry outside(x: f32) -> f32 { return x }
"""


def moves(recording: Any) -> list[tuple[Any, int, int]]:
    """The value, the copy and the slot of each `transfer`."""
    return [(node.call.operand(0).value, node.results[0], node.call.slot) for node in all_nodes(recording, "transfer")]


def all_nodes(recording: Any, op: str | None = None) -> list[Any]:
    """The nodes; which attributes their calls have follows from the kind."""
    return list(nodes(recording, op))


def made(entry: str = "run", root: str | None = "Model", **request: Any) -> Any:
    target = Listing(
        supports_placement=True,
        supports_fully_shard=True,
        supports_while=True,
        shares=request.pop("shares", True),
        broadcasts_elementwise=True,
    )
    return exported(PROGRAM, target, entry=entry, root=root, **request)


def shown(recording: Any) -> list[str]:
    """The nodes that move or run something, with the path of the method around them."""
    found: list[str] = []

    def walk(inside: tuple[Node | CallNode, ...], path: str) -> None:
        for node in inside:
            if isinstance(node, CallNode):
                header = node.header
                walk(node.body, path if header.path is None else header.path)
                continue
            call = node.call
            if call.op in ("input", "parameter", "constant"):
                continue
            words = [call.op, *[str(getattr(call, name)) for name in ("slot", "slots", "kind") if hasattr(call, name)]]
            found.append(f"{path}: {' '.join(words)}")

    walk(recording.graph.nodes, "")
    return found


def test_an_export_that_places_nothing_says_nothing_of_slots() -> None:
    assert not {"enable_placement", "set_slot", "transfer"} & set(ops(made()))


def test_each_method_runs_on_the_slot_of_its_block_and_gives_it_back() -> None:
    found = shown(made(place={"layers": 1, "layers.2": 2}))
    assert found == [
        ": enable_placement 3",
        "layers.0: set_slot 1",
        "layers.0: transfer 1",
        "layers.0: elementwise mul",
        "layers.0: elementwise add",
        "layers.0: set_slot 1",
        "layers.0: elementwise add",
        "layers.0: set_slot 1",
        "layers.0: elementwise add",
        "layers.0: set_slot 0",
        "layers.1: set_slot 1",
        "layers.1: elementwise mul",
        "layers.1: elementwise add",
        "layers.1: set_slot 1",
        "layers.1: elementwise add",
        "layers.1: set_slot 1",
        "layers.1: elementwise add",
        "layers.1: set_slot 0",
        "layers.2: set_slot 2",
        "layers.2: transfer 2",
        "layers.2: elementwise mul",
        "layers.2: elementwise add",
        "layers.2: set_slot 2",
        "layers.2: elementwise add",
        "layers.2: set_slot 2",
        "layers.2: elementwise add",
        "layers.2: set_slot 0",
        ": transfer 0",
        ": elementwise mul",
        ": finish",
    ]


def test_placement_is_the_first_call_of_all() -> None:
    first = all_nodes(made(place={"layers.1": 1}))[0].call
    assert first.op == "enable_placement"
    assert all_nodes(made(offload=("layers.1",)))[0].call.op == "enable_placement"
    assert "enable_placement" not in [node.call.op for node in all_nodes(made(fully_shard=("layers",)))]


def test_a_value_is_moved_to_a_slot_once_and_its_original_stays_where_it_was() -> None:
    recording = made("direct", place={"layers.1": 1})
    (parameter,) = [node for node in all_nodes(recording, "parameter") if node.call.path == "layers.1.w"]
    assert [(value, slot) for value, _, slot in moves(recording)] == [(parameter.results[0], 0)]


def test_the_arguments_of_an_op_are_moved_before_its_call() -> None:
    recording = made("direct", place={"layers.1": 1})
    (negated,) = [node for node in recording.graph.nodes if isinstance(node, CallNode) and node.header.callee.endswith("negated")]
    ((_, moved, _),) = moves(recording)
    assert negated.header.arguments[0].value == moved
    assert [node.call.op for node in negated.body if isinstance(node, Node)] == ["elementwise"]


def test_equal_constants_are_made_on_each_slot_they_are_used_on() -> None:
    made_on = [node.results for node in all_nodes(made(place={"layers.1": 1}), "constant")]
    assert len(set(made_on)) == 2


def test_a_state_is_written_where_it_lives() -> None:
    recording = made(place={"layers.1": 1})
    (finish,) = calls(recording, "finish")
    moved = {copy for _, copy, _ in moves(recording)}
    written = dict(zip(finish.states, (operand.value for operand in finish.operands[finish.returns :]), strict=True))
    assert [path for path, id in written.items() if id in moved] == ["layers.1.seen", "layers.2.seen"]


def test_a_loop_hands_its_values_on_where_it_got_them() -> None:
    recording = made("keep", place={"layers.1": 1})
    assert shown(recording) == [
        ": enable_placement 2",
        "layers.1: set_slot 1",
        "layers.1: state",
        "layers.1: begin_while",
        "layers.1: compare lt",
        "layers.1: while_condition",
        "layers.1: transfer 1",
        "layers.1: elementwise add",
        "layers.1: elementwise add",
        "layers.1: end_while",
        "layers.1: set_slot 0",
        ": finish",
    ]


def test_an_offloaded_parameter_is_copied_at_its_first_use_and_released_when_the_block_returns() -> None:
    found = shown(made(offload=("layers.1",)))
    inside = [line for line in found if line.startswith("layers.1")]
    assert inside == [
        "layers.1: set_slot 0",
        "layers.1: transfer 0",
        "layers.1: elementwise mul",
        "layers.1: elementwise add",
        "layers.1: set_slot 0",
        "layers.1: elementwise add",
        "layers.1: set_slot 0",
        "layers.1: elementwise add",
        "layers.1: release",
        "layers.1: set_slot 0",
    ]
    assert not [line for line in found if "transfer" in line and not line.startswith("layers.1")]


def test_a_released_copy_is_forgotten() -> None:
    recording = made("nested", offload=("pair",))
    assert [line for line in shown(recording) if "transfer" in line or "release" in line] == [
        "pair.first: transfer 0",
        "pair.second: transfer 0",
        "pair: release",
        "pair.first: transfer 0",
        "pair.first: release",
    ]
    assert [len(call.operands) for call in calls(recording, "release")] == [2, 1]


def test_an_array_stands_for_each_of_its_blocks() -> None:
    assert len(calls(made(offload=("layers",)), "release")) == 3


def test_a_copy_made_in_a_loop_lives_for_one_turn() -> None:
    found = [line.partition(": ")[2] for line in shown(made("loop", offload=("layers.0",)))]
    assert found == [
        "enable_placement 1",
        "set_slot 0",
        "begin_while",
        "compare lt",
        "while_condition",
        "transfer 0",
        "elementwise mul",
        "elementwise add",
        "release",
        "end_while",
        "transfer 0",
        "elementwise add",
        "release",
        "set_slot 0",
        "finish",
    ]


def test_a_parameter_that_leaves_its_block_as_it_is_is_brought_where_it_is_read() -> None:
    found = shown(made("cross", offload=("layers.1",)))
    assert found[-3:] == [": transfer 0", ": elementwise mul", ": finish"]


def test_results_stay_where_they_are_and_nothing_is_answered_in_parts() -> None:
    assert "transfer" not in ops(made("bare", place={"layers.1": 1}))
    (gathered,) = all_nodes(made("bare", fully_shard=("layers.1",)), "gather_parts")
    (finish,) = calls(made("bare", fully_shard=("layers.1",)), "finish")
    assert finish.operands[0].value == gathered.results[0]


def test_a_sharded_parameter_is_gathered_where_an_offloaded_one_is_copied() -> None:
    offloaded = [line for line in shown(made(offload=("layers",))) if "enable" not in line]
    sharded = shown(made(fully_shard=("layers",)))
    assert sharded == [line.replace("transfer 0", "gather_parts") for line in offloaded]


def test_values_on_different_slots_meet_in_a_choice() -> None:
    recording = made("choose", place={"layers.1": 1, "layers.2": 2})
    chosen = calls(recording, "select")
    moved = {copy: slot for _, copy, slot in moves(recording)}
    assert [moved.get(operand.value) for operand in chosen[0].operands[1:]] == [0, 0]


def test_every_call_reads_values_of_its_own_slot() -> None:
    """Where each value is follows from the document alone."""
    recording = made("nested", place={"pair": 1, "pair.second": 2}, offload=("pair.first",))
    home: dict[Any, int] = {}
    slot = 0
    for node in all_nodes(recording):
        call = node.call
        if call.op == "set_slot":
            slot = call.slot
        made_on = call.slot if call.op == "transfer" else slot
        if call.op == "parameter":
            made_on = -1 if call.path.startswith("pair.first") else 2 if call.path.startswith("pair.second") else 0
        home.update(dict.fromkeys(node.results, made_on))
        if call.op not in ("transfer", "finish", "release"):
            assert {home[operand.value] for operand in call.operands} <= {slot}, node


@pytest.mark.parametrize("request_", [{"place": {"layers.1": 1}}, {"offload": ("layers",)}, {"fully_shard": ("layers",)}])
def test_a_replay_makes_the_same_calls(request_: dict[str, Any]) -> None:
    recording = made(shares=False, **request_)
    fresh = Listing(supports_placement=True, supports_fully_shard=True, supports_while=True, shares=False)
    replay(decode(encode(recording.graph)), fresh)
    assert [call.op for call in fresh.calls] == [node.call.op for node in all_nodes(recording)]


# ---------------------------------------------------------------------------------------------------------------- refused


def refused(kind: type[Exception], **request: Any) -> str:
    abilities = request.pop("abilities", {"supports_placement": True, "supports_fully_shard": True, "supports_while": True})
    with pytest.raises(kind) as failure:
        exported(PROGRAM, Listing(**abilities), **{"entry": "run", "root": "Model", **request})
    error = failure.value
    if isinstance(error, SourceError):
        assert error.diagnostics[0].code == "E6001"
        assert error.diagnostics[0].help
        assert error.diagnostics[0].span is not None
    return str(error)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        pytest.param({"entry": "outside", "root": None, "fully_shard": ("a",)}, "--fully-shard speaks of the blocks of a model", id="19"),
        pytest.param({"fully_shard": ("layers",), "abilities": {}}, "`listing` cannot gather sharded parameters", id="20"),
        pytest.param({"fully_shard": ("layers",), "place": {"layers": 1}}, "--fully-shard and --place exclude each other", id="21-place"),
        pytest.param(
            {"fully_shard": ("layers",), "offload": ("layers",)}, "--fully-shard and --offload exclude each other", id="21-offload"
        ),
        pytest.param({"entry": "outside", "root": None, "place": {"a": 1}}, "--place speaks of the blocks of a model", id="22"),
        pytest.param({"entry": "outside", "root": None, "offload": ("a",)}, "--offload speaks of the blocks of a model", id="22-offload"),
        pytest.param({"place": {"layers": 1}, "abilities": {}}, "`listing` cannot place", id="23"),
        pytest.param({"offload": ("layers",), "abilities": {}}, "`listing` cannot place", id="23-offload"),
    ],
)
def test_what_does_not_go_together_is_said_with_what_helps(request_: dict[str, Any], words: str) -> None:
    assert words in refused(SourceError, **request_)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        pytest.param({"place": {"layers": -1}}, "--place layers=-1: a slot cannot be negative", id="negative"),
        pytest.param({"place": {"layers": 65_536}}, "--place layers=65536: a slot is less than 65536", id="large"),
        pytest.param(
            {"place": {"layer": 1}},
            "--place layer=1: the root block `Model` has no such block; there are: layers, pair, extra",
            id="unknown",
        ),
        pytest.param({"offload": ("layers.3",)}, "`layers` has no such block; there are: layers.0, layers.1, layers.2", id="element"),
        pytest.param({"fully_shard": ("pair.third",)}, "`pair` has no such block; there are: pair.first, pair.second", id="member"),
        pytest.param({"offload": ("layers.0.w",)}, "--offload layers.0.w: `layers.0` has no blocks", id="parameter"),
        pytest.param({"offload": ("",)}, "no such block", id="empty"),
        pytest.param({"place": {"layers.0x1": 1}}, "no such block", id="no-number"),
        pytest.param({"place": {"layers.01": 1}}, "`layers` has no such block; there are: layers.0, layers.1, layers.2", id="written-01"),
    ],
)
def test_a_block_or_slot_that_is_none_is_named_with_what_there_is(request_: dict[str, Any], words: str) -> None:
    assert words in refused(UsageError, **request_)


def test_an_optional_block_may_be_placed_though_it_is_absent() -> None:
    assert "enable_placement" in ops(made(place={"extra": 1}))
