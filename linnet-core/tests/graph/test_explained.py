"""What became of a library call is what the target answered, and why none was offered is said."""

from __future__ import annotations

import pytest
from exporting import lowered
from listing_target import Listing

from linnet_core.graph import decisions
from linnet_core.graph.explained import OPEN, decided, explain_document, possible
from linnet_core.graph.export import ExportRequest, export
from linnet_core.schema.validate import validate

SOFTMAX = "torch.softmax"
INPUT_DTYPE = "torch.softmax (input dtype)"
USE = "use std.nn.softmax::{softmax}\n"
ONE = USE + "entry f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return softmax(x) }"


def explained(text: str, takes: set[str] | None = None, **request):
    """The calls of the only entry at N = 3."""
    module = lowered(text)
    asked = ExportRequest(bindings={"N": 3}, **request)
    recording = export(module, asked, Listing(takes=frozenset(takes or ())))
    return decided(module, recording.decisions, asked.numerics)


def answers(call):
    return {candidate.implementation: candidate.answer for candidate in call.candidates}


@pytest.mark.parametrize(
    ("takes", "numerics", "expected", "chosen"),
    [
        pytest.param({SOFTMAX}, "equivalent", {INPUT_DTYPE: "not admitted", SOFTMAX: "taken"}, SOFTMAX, id="taken"),
        pytest.param({SOFTMAX}, "fast", {INPUT_DTYPE: "refused", SOFTMAX: "taken"}, SOFTMAX, id="the second"),
        pytest.param({SOFTMAX, INPUT_DTYPE}, "fast", {INPUT_DTYPE: "taken", SOFTMAX: "not asked"}, INPUT_DTYPE, id="the first"),
        pytest.param(set(), "fast", {INPUT_DTYPE: "refused", SOFTMAX: "refused"}, None, id="none"),
        pytest.param({SOFTMAX}, "exact", {INPUT_DTYPE: "not admitted", SOFTMAX: "not admitted"}, None, id="none is admitted"),
    ],
)
def test_the_answers_are_the_targets(takes, numerics, expected, chosen):
    [call] = explained(ONE, takes, numerics=numerics)
    assert answers(call) == expected
    assert (call.op, call.caller, call.count, call.chosen) == ("std.nn.softmax::softmax", "program::f", 1, chosen)
    assert (call.reason is None) == (chosen is not None)
    assert all((candidate.reason == "no native_call here") == (candidate.answer == "refused") for candidate in call.candidates)


@pytest.mark.parametrize(
    ("text", "request_", "reason"),
    [
        pytest.param(ONE, {"library": False}, decisions.NOT_WANTED, id="switched off"),
        pytest.param(ONE, {"numerics": "exact"}, decisions.NOT_ADMITTED, id="not admitted"),
        pytest.param(
            "use std.nn.activations::{relu}\n"
            "entry f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n    let y[n] = relu(x[n])\n    return y\n}",
            {},
            decisions.IN_GRID,
            id="within index notation",
        ),
        pytest.param(ONE, {}, "the target refuses every library call it is offered", id="refused"),
    ],
)
def test_why_there_is_no_library_call_is_said(text, request_, reason):
    [call] = explained(text, **request_)
    assert (call.chosen, call.reason) == (None, reason)


def test_calls_at_one_place_that_went_the_same_way_are_one():
    text = USE + (
        "entry f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n"
        "    var y = x\n    static for i in 0..4 {\n        y = softmax(y)\n    }\n    return softmax(y)\n}"
    )
    calls = explained(text, {SOFTMAX})
    assert [(call.count, call.span.source.line_of(call.span.start)) for call in calls if call.span] == [(4, 6), (1, 8)]


def test_sizes_decide_call_by_call():
    class Narrow(Listing):
        """Takes rows of up to two."""

        def _is_taken(self, call):
            return super()._is_taken(call) and call.result_types()[0].shape[-1] <= 2

    text = USE + (
        "fn g<M: Dim>(x: Tensor[M; f32]) -> Tensor[M; f32] { return softmax(x) }\n"
        "entry f<N: Dim>(x: Tensor[N; f32]) -> (Tensor[2; f32], Tensor[N; f32]) where N >= 2 { return (g(x[0:2]), g(x)) }"
    )
    module = lowered(text)
    recording = export(module, ExportRequest(bindings={"N": 5}), Narrow(takes=frozenset((SOFTMAX,))))
    calls = decided(module, recording.decisions, "equivalent")
    assert [(call.caller, call.count, call.chosen) for call in calls] == [("program::g", 1, SOFTMAX), ("program::g", 1, None)]


def test_without_sizes_the_candidates_are_open_and_the_generics_named():
    text = USE + (
        "fn g<*S: Shape, M: Dim, T: Float>(x: Tensor[*S, 2 * M; T]) -> Tensor[*S, 2 * M; T] { return softmax(x) }\n"
        "fn unused(x: Tensor[3; f32]) -> Tensor[3; f32] { return softmax(x) }\n"
        "entry f<N: Dim>(x: Tensor[N, 4; f32]) -> Tensor[4; f32] where N >= 1 { return softmax(g(x)[0]) }"
    )
    module = lowered(text)
    calls = possible(module, [module.functions["program::f"]], "equivalent")
    assert [(call.caller, call.depends_on) for call in calls] == [("program::f", ()), ("program::g", ("S", "M", "T"))]
    for call in calls:
        assert answers(call) == {INPUT_DTYPE: "not admitted", SOFTMAX: "open"}
        assert (call.chosen, call.reason) == (None, OPEN)


@pytest.mark.parametrize(
    ("numerics", "library", "expected", "reason"),
    [
        pytest.param("exact", True, {INPUT_DTYPE: "not admitted", SOFTMAX: "not admitted"}, decisions.NOT_ADMITTED, id="none is admitted"),
        pytest.param("fast", False, {INPUT_DTYPE: "not asked", SOFTMAX: "not asked"}, decisions.NOT_WANTED, id="switched off"),
    ],
)
def test_without_sizes_what_no_size_changes_is_said(numerics, library, expected, reason):
    module = lowered(ONE)
    [call] = possible(module, [module.functions["program::f"]], numerics, library=library)
    assert (answers(call), call.reason) == (expected, reason)


def test_the_document_follows_its_schema():
    header = {"target": "listing", "numerics": "fast", "module": "program", "entries": ["f"], "generics": {"N": 3}}
    document = explain_document(explained(ONE, {SOFTMAX}, numerics="fast"), header)
    validate(document, "explain-1")
    assert document["calls"][0]["location"]["start"]["line"] == 3
