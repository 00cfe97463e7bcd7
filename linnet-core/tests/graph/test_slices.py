"""Ranges of steps become entries: what they take by themselves, what has to be listed, and what is refused."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest
from exporting import exported
from listing_target import Listing
from node_samples import sample_graph

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import Constant, EndCustomGradient, Finish, Input, Parameter, State
from linnet_core.graph.document import Graph
from linnet_core.graph.slice_request import request_from
from linnet_core.graph.slices import sources
from linnet_core.graph.step_numbers import Steps

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

#: 0 input, 1 parameter, 2 state, 3 constant, 4 x * 2.0, 5 (4) * w, 6 constant, 7 (4) + 1.0, 8 finish; the state becomes 4.
LOG = """
pub block Log {
    param w: Tensor[2; f32]
    state last: Tensor[2; f32]
    pub entry step(x: Tensor[2; f32]) -> (Tensor[2; f32], Tensor[2; f32], Tensor[2; f32]) {
        let before = last
        last = x * 2.0
        return (before, last * w, last + 1.0)
    }
}
"""
#: 0 and 1 inputs, 2 and 3 constants, 4 begin_counted (values 4 and 5), 5 (5) + y, 6 end_counted (value 7), 7 (7) * x, 8 finish.
LOOP = """
pub entry run(x: Tensor[2; f32], y: Tensor[2; f32]) -> Tensor[2; f32] {
    var z = x
    for i in 0..3 {
        z = z + y
    }
    return z * x
}
"""
PRODUCT = """
pub entry run(x: Tensor[2, 3; f32], y: Tensor[3, 2; f32]) -> Tensor[2, 2; f32] {
    let z[m, n] = sum[k] x[m, k] * y[k, n]
    return z
}
"""


@functools.cache
def graph_of(text: str) -> Graph:
    return exported(text, Listing(supports_counted=True, supports_while=True, broadcasts_elementwise=True)).graph


def a(start: int, stop: int, inputs: Any = (), outputs: Any = (), states: Any = (), name: str = "a") -> dict[str, Any]:
    return {"name": name, "start": start, "stop": stop, "inputs": inputs, "outputs": outputs, "states": states}


def emitted(graph: Graph, slice: dict[str, Any]) -> list[Call]:
    """The calls a slice makes."""
    targets: list[Listing] = []

    def make() -> Listing:
        targets.append(Listing(supports_counted=True, supports_while=True, broadcasts_elementwise=True))
        return targets[-1]

    sources(graph, request_from([slice]), make)
    (target,) = targets
    return target.calls


def ops(calls: list[Call]) -> list[str]:
    return [f"{call.kind}" if hasattr(call, "kind") else call.op for call in calls]  # type: ignore[attr-defined]  # asked for in the same line


def test_the_steps_are_numbered_as_the_tests_below_suppose() -> None:
    assert [node.call.op for node in Steps(graph_of(LOG)).nodes] == [
        *("input", "parameter", "state", "constant", "elementwise", "elementwise", "constant", "elementwise", "finish")
    ]
    assert [node.call.op for node in Steps(graph_of(LOOP)).nodes] == [
        *("input", "input", "constant", "constant", "begin_counted", "elementwise", "end_counted", "elementwise", "finish")
    ]


def test_a_range_takes_its_parameters_states_and_constants() -> None:
    calls = emitted(graph_of(LOG), a(4, 8, [0], [2, 5], [["last", 4]]))
    assert ops(calls) == ["input", "parameter", "state", "constant", "mul", "mul", "constant", "add", "finish"]
    parameter, state, finish = calls[1], calls[2], calls[-1]
    assert isinstance(parameter, Parameter)
    assert isinstance(state, State)
    assert isinstance(finish, Finish)
    assert (parameter.path, state.path) == ("w", "last")
    assert (finish.module, finish.block, finish.entry, finish.returns, finish.states) == ("program", "Log", "a", 2, ("last",))


def test_what_no_step_reads_is_not_taken() -> None:
    assert ops(emitted(graph_of(LOG), a(6, 8, [4], [7]))) == ["input", "constant", "add", "finish"]


def test_inputs_stay_in_their_order_read_or_not() -> None:
    calls = emitted(graph_of(LOG), a(7, 8, [2, 4, 0], [7, 7]))
    assert [call.name for call in calls if isinstance(call, Input)] == ["v2", "v4", "x"]
    assert calls[-1].operands[0] == calls[-1].operands[1]


def test_a_listed_constant_stays_an_input_and_is_made_again() -> None:
    calls = emitted(graph_of(LOG), a(7, 8, [4, 6], [7]))
    assert ops(calls) == ["input", "input", "constant", "add", "finish"]
    assert isinstance(calls[2], Constant)


def test_equal_names_of_inputs_are_told_apart() -> None:
    graph = graph_of("pub entry run(v1: Tensor[2; f32]) -> Tensor[2; f32] { return (v1 + v1) * v1 }")
    assert graph.values[1].name == "v1"
    calls = emitted(graph, a(2, 3, [0, 1], [2]))
    assert [call.name for call in calls if isinstance(call, Input)] == ["v1", "v1_"]


def test_a_state_that_is_written_holds_its_new_value() -> None:
    calls = emitted(graph_of(LOG), a(6, 9, [], [4, 7]))
    assert ops(calls) == ["state", "constant", "add", "finish"]
    assert calls[2].operands[0] == calls[3].operands[0], "the output is what the state holds"


def test_a_state_is_passed_on_unchanged() -> None:
    assert ops(emitted(graph_of(LOG), a(0, 3, [], [], [["last", 2]]))) == ["state", "finish"]
    assert ops(emitted(graph_of(LOG), a(6, 9, [], [], [["last", 4]]))) == ["state", "constant", "add", "finish"]


def test_a_state_is_written_no_earlier_than_it_is_read() -> None:
    """Its new value is made first: `x * 2.0` is step 2, the state is read by step 3."""
    text = """
    pub block Late {
        state last: Tensor[2; f32]
        pub entry step(x: Tensor[2; f32]) -> Tensor[2; f32] {
            let twice = x * 2.0
            let before = last
            last = twice
            return before - x
        }
    }
    """
    calls = emitted(graph_of(text), a(3, 6, [0, 2], [4], [["last", 2]]))
    assert ops(calls) == ["input", "input", "state", "sub", "finish"]
    with pytest.raises(DocumentError, match=r"slice `a`: state `last`: it is value 3 after step 2, not value 2"):
        emitted(graph_of(text), a(0, 3, [0], [2], [["last", 2]]))


def test_states_that_change_places_are_written_together() -> None:
    text = """
    pub block Swap {
        state p: Tensor[2; f32]
        state q: Tensor[2; f32]
        pub entry step(x: Tensor[2; f32]) -> Tensor[2; f32] {
            let kept = p
            p = q
            q = kept
            return x - q
        }
    }
    """
    graph = graph_of(text)
    assert ops(emitted(graph, a(0, 3, [], [1], [["p", 2], ["q", 1]]))) == ["state", "state", "finish"]
    assert ops(emitted(graph, a(3, 5, [0], [3]))) == ["input", "state", "sub", "finish"]
    with pytest.raises(DocumentError, match=r"slice `a`: state `q` becomes value 1 at step 2; `states` has to list it"):
        emitted(graph, a(1, 3, [], [], [["p", 2]]))


def test_a_state_that_is_never_read_is_listed_where_it_is_written() -> None:
    """Steps: 0 input, 1 constant, 2 x * 2.0, 3 constant, 4 (2) + 1.0, 5 finish; the state becomes value 4."""
    text = """
    pub block Store {
        state last: Tensor[2; f32]
        pub entry step(x: Tensor[2; f32]) -> Tensor[2; f32] {
            let twice = x * 2.0
            last = twice + 1.0
            return x
        }
    }
    """
    assert ops(emitted(graph_of(text), a(3, 6, [0, 2], [0], [["last", 4]]))) == ["input", "input", "constant", "add", "finish"]
    with pytest.raises(DocumentError, match=r"slice `a`: state `last`: it becomes value 4 at step 4, behind the range"):
        emitted(graph_of(text), a(0, 3, [0], [2], [["last", 2]]))


def test_a_loop_goes_whole() -> None:
    calls = emitted(graph_of(LOOP), a(4, 7, [0, 1], [7]))
    assert ops(calls) == ["input", "input", "begin_counted", "add", "end_counted", "finish"]


def test_declined_calls_are_left_out() -> None:
    target = Listing(takes=frozenset())
    graph = exported(PRODUCT, target).graph
    steps = [node.call.op for node in Steps(graph).nodes]
    assert "contract" in steps
    assert "contract" not in ops(emitted(graph, a(2, len(steps), [0, 1], [max(Steps(graph).maker)])))


def test_a_call_the_fresh_target_answers_otherwise_is_refused() -> None:
    graph = exported(PRODUCT, Listing()).graph
    with pytest.raises(DocumentError, match=r"slice `a`: nodes\[2\]\.op: listing declines a contract which the document says was taken"):
        sources(graph, request_from([a(2, 3, [0, 1], [2])]), lambda: Listing(takes=frozenset()))


REFUSED = [
    pytest.param(LOG, a(3, 3), "start 3 and stop 3 leave no step between them", id="an empty range"),
    pytest.param(LOG, a(5, 2), "start 5 and stop 2 leave no step between them", id="a reversed range"),
    pytest.param(LOG, a(0, 10), "stop 10 lies beyond the 9 steps of this graph", id="beyond the end"),
    pytest.param(LOG, a(4, 5, [0, 8], [4], [["last", 4]]), "input 8 is no value's id: this graph has 8 values", id="an unknown input"),
    pytest.param(LOG, a(4, 5, [0], [99], [["last", 4]]), "output 99 is no value's id: this graph has 8 values", id="an unknown output"),
    pytest.param(
        LOG,
        a(4, 5, [0], [4], [["last", 99]]),
        "state `last`: value 99 is no value's id: this graph has 8 values",
        id="an unknown state's value",
    ),
    pytest.param(
        LOG,
        a(4, 5, [], [4], [["last", 4]]),
        "step 4 (elementwise) reads value 0, the entry's input `x`; `inputs` has to list it",
        id="an input of the entry left out",
    ),
    pytest.param(
        LOG,
        a(0, 6, [], [5], [["last", 4]]),
        "step 4 (elementwise) reads value 0, the entry's input `x`; `inputs` has to list it",
        id="an input of the entry that the range holds left out",
    ),
    pytest.param(
        LOG,
        a(8, 9, [], [5]),
        "value 5 is an output, which step 5 (elementwise) makes outside the range; `inputs` has to list it",
        id="an output made before",
    ),
    pytest.param(
        LOG,
        a(4, 5, [0], [7], [["last", 4]]),
        "value 7 is an output, which step 7 (elementwise) makes behind the range",
        id="an output made behind",
    ),
    pytest.param(LOG, a(5, 6, [2, 4], [2, 5]), None, id="what a state was, listed"),
    pytest.param(
        LOG,
        a(5, 6, [4], [2, 5]),
        "value 2 is an output, what state `last` was before step 4 wrote it; `inputs` has to list it",
        id="what a state was, left out",
    ),
    pytest.param(
        LOG, a(4, 6, [0, 4], [5], [["last", 4]]), "input 4 is made by step 4 (elementwise), not before the range", id="an input made inside"
    ),
    pytest.param(
        LOG, a(4, 6, [0, 7], [5], [["last", 4]]), "input 7 is made by step 7 (elementwise), not before the range", id="an input made behind"
    ),
    pytest.param(
        LOG, a(4, 6, [0], [4]), "state `last` becomes value 4 at step 4; `states` has to list it", id="a state that is written left out"
    ),
    pytest.param(
        LOG, a(4, 6, [0], [4], [["last", 5]]), "state `last`: it is value 4 after step 5, not value 5", id="another value of a state"
    ),
    pytest.param(
        LOG, a(4, 6, [0], [4], [["last", 4], ["first", 4]]), "state `first`: this entry neither reads nor writes it", id="an unknown state"
    ),
    pytest.param(
        LOG, a(0, 4, [0], [], [["last", 0]]), "state `last`: it is value 2 after step 3, not value 0", id="a state written too early"
    ),
    pytest.param(
        LOOP, a(2, 6, [0, 1]), "stop 6 lies inside step 4 (begin_counted) and step 6 (end_counted), which stay together", id="half a loop"
    ),
    pytest.param(
        LOOP,
        a(5, 9, [0, 1], [8]),
        "start 5 lies inside step 4 (begin_counted) and step 6 (end_counted), which stay together",
        id="the other half",
    ),
    pytest.param(
        LOOP,
        a(5, 6, [1], [6]),
        "start 5 lies inside step 4 (begin_counted) and step 6 (end_counted), which stay together",
        id="a loop's body",
    ),
    pytest.param(
        LOOP, a(2, 7, [0, 1], [6]), "output 6 lives only inside the loop that step 4 (begin_counted) opens", id="a value of a loop's body"
    ),
    pytest.param(
        LOOP, a(7, 8, [0, 5, 7], [8]), "input 5 lives only inside the loop that step 4 (begin_counted) opens", id="a loop's carried value"
    ),
]


@pytest.mark.parametrize(("text", "slice", "message"), REFUSED)
def test_a_range_that_does_not_fit_is_refused(text: str, slice: dict[str, Any], message: str | None) -> None:
    if message is None:
        assert emitted(graph_of(text), slice)
        return
    with pytest.raises(DocumentError) as caught:
        emitted(graph_of(text), slice)
    assert str(caught.value) == f"slice `a`: {message}"


def test_all_slices_are_checked_before_one_is_emitted() -> None:
    def make() -> Listing:
        raise AssertionError("a target was asked for")

    with pytest.raises(DocumentError, match="slice `b`: output 99"):
        sources(graph_of(LOG), request_from([a(6, 8, [4], [7]), a(6, 8, [4], [99], name="b")]), make)


def test_a_source_does_not_depend_on_the_other_slices() -> None:
    one, two = a(4, 6, [0], [5], [["last", 4]]), a(6, 9, [], [7], name="b")
    both = sources(graph_of(LOG), request_from([one, two]), Listing)
    assert both == [sources(graph_of(LOG), request_from([each]), Listing)[0] for each in (one, two)]


def test_pairs_and_regions_of_every_kind_are_known() -> None:
    steps = Steps(sample_graph())
    ends = {(steps.nodes[pair.begin].call.op, steps.nodes[pair.end].call.op) for pair in steps.pairs}
    assert ends == {
        ("while_initial_condition", "end_while"),
        ("begin_counted", "end_counted"),
        ("begin_custom_gradient", "end_custom_gradient"),
        ("begin_remat", "end_remat"),
    }
    gradient = next(at for at, node in enumerate(steps.nodes) if isinstance(node.call, EndCustomGradient))
    (hidden, *_) = steps.in_gradient
    with pytest.raises(DocumentError, match=rf"slice `a`: output {hidden} lives only inside the custom gradient that step \d+ .* opens"):
        sources(sample_graph(), request_from([a(0, len(steps.nodes), [0], [hidden])]), Listing)
    inside = next(id for id, at in steps.in_region.items() if at == gradient)
    with pytest.raises(DocumentError, match=rf"slice `a`: output {inside} lives only inside a region of step {gradient}"):
        sources(sample_graph(), request_from([a(len(steps.nodes) - 1, len(steps.nodes), [], [inside])]), Listing)


def test_where_steps_run_is_said_again() -> None:
    steps = [node.call.op for node in Steps(sample_graph()).nodes]
    last = len(steps) - 1
    assert ops(emitted(sample_graph(), a(last, last + 1))) == ["enable_placement", "set_slot", "finish"]
    first = steps.index("set_slot")
    assert ops(emitted(sample_graph(), a(first, first + 1))) == ["enable_placement", "set_slot", "finish"]
    assert ops(emitted(sample_graph(), a(0, 1))) == ["finish"]


def test_what_a_loop_makes_again_is_made_before_it() -> None:
    """The product is made before the range, again inside the loop, and read behind the loop, which might not turn at all."""
    text = """
    pub entry run(x: Tensor[2; f32], y: Tensor[2; f32]) -> Tensor[2; f32] {
        let first = x * y
        var z = first
        for i in 0..3 {
            z = z + x * y
        }
        return z - x * y
    }
    """
    graph = graph_of(text)
    kinds = [getattr(node.call, "kind", node.call.op) for node in Steps(graph).nodes]
    start, stop = kinds.index("begin_counted"), kinds.index("sub") + 1
    assert kinds[2] == "mul"
    assert kinds[start:stop] == ["begin_counted", "mul", "add", "end_counted", "mul", "sub"]
    last = len(graph.values) - 1
    body = ["mul", "begin_counted", "mul", "add", "end_counted", "mul", "sub", "finish"]
    assert ops(emitted(graph, a(start, stop, [0, 1, 2], [last]))) == ["input", "input", "input", *body[1:]]
    text = text.replace("var z = first", "var z = x")
    assert ops(emitted(graph_of(text), a(start, stop, [0, 1], [last]))) == ["input", "input", *body]
