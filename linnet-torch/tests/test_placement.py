"""Blocks on devices: the text of a placed module, and runs of it on two slots, `meta` standing for a device of its own."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch

from linnet_core.conformance.programs.printed import module
from linnet_core.errors import UsageError
from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, Recording, export
from linnet_core.graph.replay import replay
from linnet_torch import runner
from linnet_torch.target import TorchTarget

PROGRAM = """
use std.nn.norm::{rms_norm}
use std.nn.cache::{write_at}

block Layer {
    param w: Tensor[4; f32]
    state cache: Tensor[1, 1, 3, 4; f32]
    state seen: Tensor[4; f32]
    pub fn forward(x: Tensor[1, 1, 1, 4; f32], pos: i32) -> Tensor[1, 1, 1, 4; f32] {
        cache = write_at(cache, x, pos)
        let all = sum<f32>[i, d] cache[0, 0, i, d]
        let steps = iota(4)
        return rms_norm(x, w, 1e-5) + all + cast<f32>(steps)
    }
    pub fn plain(x: Tensor[4; f32]) -> Tensor[4; f32] {
        seen = x * w
        return seen + cast<f32>(iota(4))
    }
    pub fn turning(x: Tensor[4; f32], n: i64) -> Tensor[4; f32] {
        var y = x
        var i = 0
        while i < n {
            y = y * w
            i = i + 1
        }
        return y
    }
}
pub block Model {
    sub layers: [Layer; 2]
    param tail: Tensor[4; f32]
    pub entry run(x: Tensor[1, 1, 1, 4; f32], pos: i32) -> Tensor[1, 1, 1, 4; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y, pos) }
        return y * tail
    }
    pub entry plain(x: Tensor[4; f32]) -> (Tensor[4; f32], Tensor[4; f32]) {
        return (x * tail, layers[1].plain(layers[0].plain(x)))
    }
    pub entry loop(x: Tensor[4; f32], n: i64) -> Tensor[4; f32] { return layers[1].turning(x, n) + x }
}
"""
RANDOM = np.random.Generator(np.random.PCG64(3))
X = RANDOM.standard_normal((1, 1, 1, 4)).astype(np.float32)
WEIGHTS = [RANDOM.standard_normal(4).astype(np.float32) for _ in range(3)]
CACHES = [RANDOM.standard_normal((1, 1, 3, 4)).astype(np.float32) for _ in range(2)]
POSITION = np.array(1, np.int32)


def exported(entry: str = "run", **request: Any) -> tuple[str, Recording]:
    target = TorchTarget("equivalent")
    recording = export(module(f"module m\n\n{PROGRAM}", "equivalent"), ExportRequest(entry=entry, **request), target)
    return target.source(), recording


def loaded(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "printed"}
    exec(source, names)
    return names


PLAIN, _ = exported()
ASKED = [
    pytest.param({"place": {"layers.1": 1}}, id="place"),
    pytest.param({"offload": ("layers",)}, id="offload"),
    pytest.param({"place": {"layers.0": 2, "layers": 1}, "offload": ("layers.1",)}, id="both"),
    pytest.param({"fully_shard": ("layers",)}, id="shard"),
]


@pytest.mark.parametrize("request_", ASKED)
def test_a_placed_module_computes_what_the_plain_one_does(request_: dict[str, Any]) -> None:
    """All slots on one device, where a copy is none: nothing is written in place that someone still reads."""
    source, _ = exported(**request_)
    due = runner.run(PLAIN, [X, POSITION], WEIGHTS, CACHES)
    got = runner.run(source, [X, POSITION], WEIGHTS, CACHES)
    for one, other in zip(due, got, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("request_", ASKED)
def test_a_replay_prints_the_same_module(request_: dict[str, Any]) -> None:
    source, recording = exported(**request_)
    fresh = TorchTarget("equivalent")
    replay(decode(encode(recording.graph)), fresh)
    assert fresh.source() == source


def on_devices(entry: str, devices: tuple[str, ...], **request: Any) -> list[str]:
    """Where the results and next states of a run are; each parameter and state lies where the module expects it."""
    source, _ = exported(entry, **request)
    names = loaded(source)
    assert len(devices) == names["SLOTS"]
    weights = [torch.from_numpy(array) for array in WEIGHTS]
    placed = [value.to("cpu" if slot is None else devices[slot]) for value, slot in zip(weights, names["PARAMETER_SLOTS"], strict=True)]
    answers = names["main"](torch.from_numpy(X.reshape(4)).to(devices[0]), *placed, *names["constants"](devices), devices)
    return [answer.device.type for answer in answers]


def test_each_block_runs_on_its_device_and_leaves_what_it_makes_there() -> None:
    devices = ("cpu", "meta")
    # results x * tail and the last layer's, then the states of the layers
    assert on_devices("plain", devices, place={"layers.1": 1}) == ["cpu", "meta", "cpu", "meta"]
    assert on_devices("plain", devices, place={"layers": 1}) == ["cpu", "meta", "meta", "meta"]
    assert on_devices("plain", devices, place={"layers.1": 1}, offload=("layers.1",)) == ["cpu", "meta", "cpu", "meta"]


def test_the_module_says_where_it_expects_parameters_and_states() -> None:
    names = loaded(exported(place={"layers": 1})[0])
    assert (names["SLOTS"], names["PARAMETER_SLOTS"], names["STATE_SLOTS"]) == (2, [1, 1, 0], [1, 1])
    names = loaded(exported(place={"layers.1": 1}, offload=("layers",))[0])
    assert (names["SLOTS"], names["PARAMETER_SLOTS"], names["STATE_SLOTS"]) == (2, [None, None, 0], [0, 1])


def test_constants_are_made_on_the_slot_where_they_are_used() -> None:
    names = loaded(exported("plain", place={"layers.1": 1})[0])
    assert [constant.device.type for constant in names["constants"](("cpu", "meta"))] == ["cpu", "meta"]


def test_an_offloaded_parameter_is_copied_inside_its_block_and_given_up_there() -> None:
    source, _ = exported(offload=("layers",))
    names = loaded(source)
    assert (names["SLOTS"], names["PARAMETER_SLOTS"]) == (1, [None, None, 0])
    lines = source[source.index("def main(") :].splitlines()
    first, second = [at for at, line in enumerate(lines) if "_fetched(p" in line]
    name = lines[first].strip().partition(" = ")[0]
    gone = [at for at, line in enumerate(lines) if re.search(rf"\bdel\b.*\b{name}\b", line)]
    assert first < gone[0] < second


@pytest.mark.parametrize("request_", [{"place": {"layers.1": 1}}, {"offload": ("layers",)}, {"fully_shard": ("layers",)}])
@pytest.mark.parametrize("turns", [0, 1, 3])
def test_a_loop_copies_anew_in_each_turn(request_: dict[str, Any], turns: int) -> None:
    source, _ = exported("loop", **request_)
    x, n = X.reshape(4), np.array(turns)
    (got,) = runner.run(source, [x, n], WEIGHTS, ())
    (due,) = runner.run(exported("loop")[0], [x, n], WEIGHTS, ())
    np.testing.assert_array_equal(got, due)


def test_a_module_that_places_nothing_has_no_slots() -> None:
    assert "devices" not in PLAIN
    assert "SLOTS" not in PLAIN
    source, _ = exported(fully_shard=("layers",))
    assert "SLOTS" not in source


def test_a_number_is_made_again_on_each_slot() -> None:
    """So the library call that needs to know it is taken there, too."""
    source, _ = exported(place={"layers.1": 1})
    assert len(re.findall(r"F\.rms_norm\(", source)) == 2


@pytest.mark.parametrize("request_", [*ASKED, pytest.param({"entry": "loss", "gradient": True}, id="gradient")])
def test_a_target_of_a_program_prepares_no_weights_that_move_or_are_differentiated(request_: dict[str, Any]) -> None:
    target = TorchTarget("equivalent", prepare=True)
    text = PROGRAM.replace(
        "pub entry loop", "pub entry loss(x: Tensor[4; f32]) -> f32 { return sum[i] x[i] * tail[i] }\n    pub entry loop"
    )
    export(module(f"module m\n\n{text}", "equivalent"), ExportRequest(**{"entry": "run", **request_}), target)
    with pytest.raises(UsageError, match="no weights are prepared for an entry that is"):
        target.source()


#: The clause and the block make tensors of their own, where they run.
DIFFERENTIATED = """module m

op own(x: Tensor[4; f32]) -> Tensor[4; f32] { return sin(x) } grad(y, dy) { return dy * cast<f32>(iota(4)) }
block Layer {
    param w: Tensor[4; f32]
    pub fn forward(x: Tensor[4; f32]) -> Tensor[4; f32] { return own(x * w) + cast<f32>(iota(4)) }
}
pub block Model {
    sub layers: [Layer; 2]
    pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        return y
    }
    pub entry turning(x: Tensor[4; f32], n: i64) -> Tensor[4; f32] {
        var y = x
        var i = 0
        while i < n {
            y = layers[1].forward(y)
            i = i + 1
        }
        return y
    }
}
"""


def differentiated(entry: str, **request: Any) -> tuple[list[torch.Tensor], str]:
    """Of the sum of the result the gradients by the input and the weights, on the CPU; and the source."""
    target = TorchTarget("equivalent")
    export(module(DIFFERENTIATED, "equivalent"), ExportRequest(entry=entry, **request), target)
    names = loaded(target.source())
    leaves = [torch.from_numpy(array.copy()).requires_grad_() for array in (X.reshape(4), *WEIGHTS[:2])]
    where = [("cpu",) * names["SLOTS"]] if "SLOTS" in names else []
    turns = [torch.tensor(2)] if entry == "turning" else []
    names["main"](leaves[0], *turns, *leaves[1:], *names["constants"](*(where or ["cpu"])), *where)[0].sum().backward()
    return [torch.zeros_like(leaf) if leaf.grad is None else leaf.grad for leaf in leaves], target.source()


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param({"remat": ("layers",)}, id="remat"),
        pytest.param({"place": {"layers.1": 1}}, id="place"),
        pytest.param({"place": {"layers.1": 1}, "remat": ("layers",)}, id="place-remat"),
        pytest.param({"place": {"layers.1": 1}, "offload": ("layers",), "remat": ("layers.1",)}, id="offload-remat"),
        pytest.param({"fully_shard": ("layers",), "remat": ("layers",)}, id="shard-remat"),
    ],
)
@pytest.mark.parametrize("entry", ["run", "turning"])
def test_what_is_placed_has_the_gradients_of_what_is_not(entry: str, request_: dict[str, Any]) -> None:
    (found, source), (wanted, plain) = differentiated(entry, **request_), differentiated(entry)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-6, atol=1e-6)
    backward = [re.findall(r"arange\(4, device=(.*)\)", text) for text in (plain, source)]
    assert set(backward[0]) == {"_device"}
    # what the way back makes is made where its block runs
    assert {*backward[1]} == ({"_device"} if "place" not in request_ else {"devices[1]"} | ({"devices[0]"} if entry == "run" else set()))


def test_only_copies_of_parameters_may_be_on_their_way_while_the_host_goes_on() -> None:
    """A state may be written over right behind its copy, a parameter is not."""
    again = "        hidden = hidden + x\n        return layers[1].plain(hidden) + tail\n"
    entry = f"pub entry again(x: Tensor[4; f32]) -> Tensor[4; f32] {{\n{again}    }}"
    program = PROGRAM.replace("pub entry loop", f"state hidden: Tensor[4; f32]\n    {entry}\n    pub entry loop")
    target = TorchTarget("equivalent")
    export(module(f"module m\n\n{program}", "equivalent"), ExportRequest(entry="again", place={"layers": 1}, offload=("layers",)), target)
    main = target.source().partition("def main(")[2]
    assert re.findall(r"(_moved|_fetched)\(p", main) == ["_fetched"]
    assert "_moved(v" in main


#: Eleven layers, so that one path begins as another; blocks that hold nothing, no block, a state alone.
ODD = """module m

block Leaf {
    param w: Tensor[4; f32]
    pub fn forward(x: Tensor[4; f32]) -> Tensor[4; f32] { return x * w }
}
block Bare { pub fn forward(x: Tensor[4; f32]) -> Tensor[4; f32] { return sin(x) } }
block Held {
    state seen: Tensor[4; f32]
    pub fn forward(x: Tensor[4; f32]) -> Tensor[4; f32] {
        seen = seen + x
        return seen
    }
}
pub block Model {
    sub layers: [Leaf; 11]
    sub empty: [Leaf; 0]
    sub missing: Leaf?
    sub bare: Bare
    sub held: Held
    sub devices: Leaf
    pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {
        var y = x
        static for layer in layers { y = layer.forward(y) }
        static for leaf in empty { y = leaf.forward(y) }
        y = match missing { some(leaf) => leaf.forward(y) none => y }
        return devices.forward(held.forward(bare.forward(y)))
    }
}
"""


@pytest.mark.parametrize(
    ("place", "elsewhere"),
    [
        pytest.param({"layers.1": 1}, {"layers.1.w"}, id="not layers.10"),
        pytest.param({"layers.10": 1, "layers": 0}, {"layers.10.w"}, id="not layers.1"),
        pytest.param({"empty": 1, "missing": 1, "bare": 1}, set(), id="nothing to hold"),
        pytest.param({"held": 1}, {"held.seen"}, id="a state alone"),
        pytest.param({"devices": 1}, {"devices.w"}, id="a name of ours"),
    ],
)
def test_a_block_is_placed_and_none_that_is_only_called_alike(place: dict[str, int], elsewhere: set[str]) -> None:
    target = TorchTarget("equivalent")
    export(module(ODD, "equivalent"), ExportRequest(entry="run", place=place), target)
    names = loaded(target.source())
    slots = [*zip(names["PARAMETERS"], names["PARAMETER_SLOTS"], strict=True), *zip(names["STATES"], names["STATE_SLOTS"], strict=True)]
    assert {path for path, slot in slots if slot == 1} == elsewhere
    weights = [np.full(4, 1 + at / 8, np.float32) for at in range(len(names["PARAMETERS"]))]
    plain = TorchTarget("equivalent")
    export(module(ODD, "equivalent"), ExportRequest(entry="run"), plain)
    due, got = (runner.run(text, [X.reshape(4)], weights, [np.ones(4, np.float32)]) for text in (plain.source(), target.source()))
    for one, other in zip(due, got, strict=True):
        np.testing.assert_array_equal(one, other)
