"""Bodies of alike blocks are evaluated once and emitted again: how often, and that nothing shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from exporting import lowered
from listing_target import Listing

from linnet_core.errors import SourceError
from linnet_core.graph import emitter, repeated_blocks
from linnet_core.graph.document import encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.target import Declined

if TYPE_CHECKING:
    from linnet_core.graph.calls import Call

#: A layer of two blocks, of which one has an optional parameter.
LAYERS = """
block Scale<H: Dim> {
    param w: Tensor[H; f32]
    param b: Tensor[H; f32]? = none
    pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] {
        let y = x * w
        return match b { some(b) => y + b none => y }
    }
}
block Layer<H: Dim> {
    sub inner: Scale<H>
    sub outer: Scale<H>
    pub fn forward(x: Tensor[H; f32], n: i64) -> Tensor[H; f32] {
        return if n == 1 { inner.forward(x) } else { outer.forward(inner.forward(x)) + 2.0 }
    }
}
pub block Model<H: Dim> {
    sub layers: [Layer<H>; 4]
    pub entry run(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y, 3) }
        return y
    }
    pub entry known(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y, 1) }
        static for layer in layers { y = layer.forward(y, 2) }
        return y
    }
}
"""

#: Layers with states: written, kept, written in one arm, and in a loop.
STATES = """
block Layer<N: Dim> {
    state last: Tensor[N; f32]
    state other: Tensor[N; f32]
    pub fn turn(x: Tensor[N; f32]) -> Tensor[N; f32] {
        let before = last
        other = x
        last = before + x
        return before
    }
    pub fn keep(x: Tensor[N; f32]) -> Tensor[N; f32] {
        last = last
        return x
    }
    pub fn choose(c: bool, x: Tensor[N; f32]) -> f32 { return if c { put(x) } else { last[0] } }
    pub fn put(x: Tensor[N; f32]) -> f32 {
        other = x
        return x[0]
    }
    pub fn loop(x: Tensor[N; f32]) -> Tensor[N; f32] {
        var i = 0
        var y = x
        while i < 3 {
            i = i + 1
            y = turn(y)
        }
        return y
    }
}
pub block Model<N: Dim> {
    sub layers: [Layer<N>; 11]
    pub entry turns(x: Tensor[N; f32]) -> Tensor[N; f32] {
        var y = x
        static for layer in layers { y = layer.turn(y) }
        static for layer in layers { y = layer.turn(y) }
        return y
    }
    pub entry keeps(c: bool, x: Tensor[N; f32]) -> (Tensor[N; f32], f32) {
        var y = x
        var z: f32 = 0.0
        static for layer in layers { y = layer.keep(y) }
        static for layer in layers { z = if c { layer.choose(c, layer.keep(x)) } else { z } }
        static for layer in layers { y = layer.keep(y) }
        return (y, z)
    }
    pub entry loops(x: Tensor[N; f32]) -> Tensor[N; f32] {
        var y = x
        static for layer in layers { y = layer.loop(y) }
        static for layer in layers { y = layer.turn(y) }
        return y
    }
    pub entry inside(x: Tensor[N; f32]) -> Tensor[N; f32] {
        var i = 0
        var y = x
        while i < 3 {
            i = i + 1
            static for layer in layers { y = layer.turn(y) }
        }
        return y
    }
}
"""

#: The second layer is given what it computes itself, the third the same value twice.
SAME = """
block Layer<H: Dim> {
    param w: Tensor[H; f32]
    pub fn forward(x: Tensor[H; f32], y: Tensor[H; f32]) -> Tensor[H; f32] {
        let d = x * 2.0
        return (d + y) * w + (x * 2.0)
    }
    pub fn pick(x: Tensor[H; f32]) -> (Tensor[H; f32], Tensor[H; f32]?) { return (w, none) }
}
pub block Model<H: Dim> {
    sub layers: [Layer<H>; 4]
    pub entry run(x: Tensor[H; f32], z: Tensor[H; f32]) -> Tensor[H; f32] {
        let a = layers[0].forward(x, z)
        let b = layers[1].forward(a, a * 2.0)
        let c = layers[2].forward(b, b)
        return layers[3].forward(c, z)
    }
    pub entry own(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var y = x
        static for layer in layers {
            let (w, _) = layer.pick(x)
            y = layer.forward(y, w)
        }
        return y
    }
}
"""

#: An op with a gradient of its own: its way back is a callback.
GRADIENT = """
op square<*S: Shape>(x: Tensor[*S; f32]) -> Tensor[*S; f32] { return x * x } grad(y, dy) { return dy * x * 2.0 }
block Layer<H: Dim> {
    param w: Tensor[H; f32]
    pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] { return square(x * w) }
}
pub block Model<H: Dim> {
    sub layers: [Layer<H>; 4]
    pub entry run(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        return y
    }
}
"""

LIBRARY = """
use std.nn.linear::Linear
pub block Model<H: Dim> {
    sub layers: [Linear<H, H, f32>; 4]
    pub entry run(x: Tensor[2, H; f32]) -> Tensor[2, H; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        return y
    }
}
"""
TAKES = frozenset(("contract", "torch.nn.functional.linear"))


class Fickle(Listing):
    """Takes library calls but at some turns."""

    def __init__(self, *turns: int) -> None:
        super().__init__(takes=TAKES)
        self.turns = turns
        self.offered = 0

    def emit(self, call: Call, regions: Any = None) -> tuple[str, ...] | Declined:
        if call.op == "native_call":
            self.offered += 1
            if self.offered in self.turns:
                self.calls.append(call)
                return Declined(f"not at turn {self.offered}")
        return super().emit(call, regions)


def _shown(target: Listing, module: Any, request: ExportRequest) -> Any:
    try:
        recording = export(module, request, target)
    except SourceError as failure:
        return repr(failure.diagnostics)
    calls = (target.calls, target.headers)
    return encode(recording.graph), target.source(), calls, recording.decisions, recording.declines


@pytest.fixture
def again(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each try to emit a body again went to its end."""
    tries: list[bool] = []
    say_again = repeated_blocks.say_again

    def counted(*arguments: Any) -> Any:
        names = say_again(*arguments)
        tries.append(names is not None)
        return names

    monkeypatch.setattr(repeated_blocks, "say_again", counted)
    return tries


def _compared(text: str, make: Any = Listing, **request: Any) -> Any:
    module = lowered(text)
    asked = ExportRequest(**request)
    once = _shown(make(), module, asked)
    assert once == _shown(make(), module, ExportRequest(**request, reuse_bodies=False))
    return once


def _whiling() -> Listing:
    return Listing(supports_while=True)


@pytest.mark.parametrize(
    ("text", "entry", "tries"),
    [
        pytest.param(LAYERS, "run", [True] * 4, id="the first layer has two alike blocks, three layers follow it"),
        pytest.param(LAYERS, "known", [True] * 8, id="a number that is known is another one"),
        pytest.param(STATES, "turns", [True] * 20, id="states that were not read before, and that were"),
        pytest.param(STATES, "keeps", [True] * 40, id="states that are what they were"),
        pytest.param(STATES, "loops", [True] * 20, id="run-time loops in layers"),
        pytest.param(STATES, "inside", [True] * 10, id="layers in a run-time loop"),
        pytest.param(SAME, "run", [False, False], id="a value that is given and computed, and one given twice"),
        pytest.param(SAME, "own", [True] * 6, id="a parameter that is given back"),
        pytest.param(GRADIENT, "run", [], id="callbacks are not emitted again"),
    ],
)
def test_alike_bodies_are_evaluated_once_and_nothing_shows_it(text: str, entry: str, tries: list[bool], again: list[bool]) -> None:
    shown = _compared(text, _whiling, entry=entry, bindings={"H": "3"} if text is not STATES else {"N": "3"})
    assert isinstance(shown, tuple), shown
    assert again == tries


def test_layers_with_another_member_absent_are_evaluated_for_themselves(again: list[bool]) -> None:
    absent = frozenset(("layers.1.inner.b", "layers.3.inner.b"))
    _compared(LAYERS, entry="run", bindings={"H": "3"}, optionals=True, absent=absent)
    assert again == [True, True, True, True]


@pytest.mark.parametrize(
    ("turns", "tries"),
    [
        pytest.param((), [True] * 3, id="always taken"),
        pytest.param((1,), [False, True, True], id="declined first"),
        pytest.param((3,), [True, False, False], id="declined once"),
        pytest.param((1, 2, 3, 4), [False] * 3, id="declined for another reason each time"),
    ],
)
def test_a_target_that_answers_otherwise_is_heard(turns: tuple[int, ...], tries: list[bool], again: list[bool]) -> None:
    _compared(LIBRARY, lambda: Fickle(*turns), bindings={"H": "3"})
    assert again == tries


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param({"remat": ("layers",)}, id="computed again on the way back"),
        pytest.param({"place": {"layers.2": 1}}, id="placed"),
    ],
)
def test_where_paths_decide_every_body_is_evaluated(request_: dict[str, Any], again: list[bool]) -> None:
    target = Listing(supports_remat=True, supports_placement=True)
    export(lowered(LAYERS), ExportRequest(entry="run", bindings={"H": "3"}, **request_), target)
    assert [header.path for header in target.headers].count("layers.3.inner") == 1
    assert again == []


def test_what_a_later_layer_is_refused_for_is_told_at_its_place(again: list[bool]) -> None:
    # the loop of the first layer carries nothing that has a gradient, that of the second does
    text = """
block Layer<H: Dim> {
    param w: Tensor[H; f32]
    pub fn forward(x: Tensor[H; f32]) -> Tensor[H; f32] {
        var i = 0
        var y = x
        while i < 2 {
            i = i + 1
            y = y + 1.0
        }
        return y * w
    }
}
pub block Model<H: Dim> {
    sub layers: [Layer<H>; 3]
    pub entry run(x: Tensor[H; f32]) -> f32 {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        return sum[h] y[h]
    }
}
"""
    shown = _compared(text, _whiling, bindings={"H": "3"}, gradient=True)
    assert "a `while` has no gradient" in shown


@pytest.mark.parametrize("limit", range(12, 60, 3))
def test_the_limit_of_calls_is_met_at_the_same_call(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emitter, "MAX_CALLS", limit)
    _compared(LAYERS, entry="run", bindings={"H": "3"})
