"""Ranges of a placed entry: every tensor is where the range reads it, and the ranges in order give the whole."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from slicing import Document

from linnet_core.conformance.programs.printed import module
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.slice_request import read_request
from linnet_core.graph.slices import sources

torch = pytest.importorskip("torch", reason="torch is not installed here; the environments `torch` and `all` have it")
target = pytest.importorskip("linnet_torch.target", reason="linnet-torch is not installed here; the environment `all` has it")

#: The positions are made on the slot of `b`, copied to that of `a`, and read on the first again.
PROGRAM = """module m

block Layer {
    param w: Tensor[4; f32]
    state seen: Tensor[4; f32]
    pub fn steps() -> Tensor[4; f32] { return cast<f32>(iota(4)) }
    pub fn forward(x: Tensor[4; f32], steps: Tensor[4; f32]) -> Tensor[4; f32] {
        seen = x * w
        return seen + steps
    }
}
pub block Model {
    sub a: Layer
    sub b: Layer
    pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {
        let steps = b.steps()
        let y = a.forward(x, steps)
        return b.forward(y * y, steps)
    }
}
"""
PATHS = ("a.w", "b.w", "a.seen", "b.seen")


class Placed:
    """The entry with `b` on slot 1, cut in two, run on two devices."""

    def __init__(self, cut: int | None, devices: tuple[str, str], **request: Any) -> None:
        whole = target.TorchTarget("equivalent")
        recording = export(module(PROGRAM, "equivalent"), ExportRequest(entry="run", place={"b": 1}, **request), whole)
        document = Document(recording.graph)
        asked = document.request([] if cut is None else [cut])
        self.cuts = document.cuts()
        self.texts = sources(recording.graph, read_request(json.dumps(asked)), lambda: target.TorchTarget("equivalent"))
        self.devices = devices
        values = {step["results"][0]: torch.arange(1.0, 5.0) for step in document.steps if step["op"] == "input"}
        now = {path: torch.full((4,), float(at + 2)).to(devices[path[0] == "b"]) for at, path in enumerate(PATHS)}
        for one, text in zip(asked, self.texts, strict=True):
            found = self._range(text, [values[id] for id in one["inputs"]], now)
            count = len(one["outputs"])
            values.update(zip(one["outputs"], found[:count], strict=True))
            now.update(zip([path for path, _ in one["states"]], found[count:], strict=True))
        self.results = [values[id] for id in document.results] + [now[path] for path in PATHS]

    def _range(self, text: str, inputs: list[Any], now: dict[str, Any]) -> list[Any]:
        names: dict[str, Any] = {}
        exec(compile(text, "<a range>", "exec"), names)
        if "meta" in self.devices:  # which has no values to copy
            names["_moved"] = lambda x, device: torch.zeros_like(x, device=device)
        parameters, states = ([now[path] for path in names[key]] for key in ("PARAMETERS", "STATES"))
        for values, key in ((inputs, "INPUT_SLOTS"), (parameters, "PARAMETER_SLOTS"), (states, "STATE_SLOTS")):
            expected = names.get(key, [0 if self.devices[0] == self.devices[1] else None] * len(values))
            for value, slot in zip(values, expected, strict=True):
                assert slot is None or value.device == torch.device(self.devices[slot]), key
        devices = self.devices[: names["SLOTS"]]
        return list(names["main"](*inputs, *parameters, *states, *names["constants"](devices), devices))


CUTS = Placed(None, ("cpu", "cpu")).cuts


@pytest.mark.parametrize("cut", CUTS)
def test_two_ranges_give_the_whole_on_the_devices_of_the_whole(cut: int) -> None:
    whole, ranges = (Placed(at, ("cpu", "cpu")).results for at in (None, cut))
    for one, other in zip(whole, ranges, strict=True):
        np.testing.assert_array_equal(one, other)
    apart = [[value.device.type for value in Placed(at, ("cpu", "meta")).results] for at in (None, cut)]
    assert apart[0] == apart[1] == ["meta", "cpu", "meta", "cpu", "meta"]


def test_a_range_says_which_of_its_inputs_stand_on_another_slot() -> None:
    said = {text.partition("INPUT_SLOTS = ")[2].partition("\n")[0] for cut in CUTS for text in Placed(cut, ("cpu", "cpu")).texts}
    assert said == {"", "[1, None]"}
