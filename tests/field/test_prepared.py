"""`--prepare` where a weight is read in more ways than one: tied, viewed, optional, quantized, carried in loops, stored in states,
differentiated, cut into ranges.

In: programs with one hostile thing each.  Out: `main` answers what it answers without `--prepare`, under `exact` in every bit.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from slicing import Document

from linnet_core.conformance.programs.printed import module, printed
from linnet_core.errors import UsageError
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import flat_nodes
from linnet_core.graph.slice_request import read_request
from linnet_core.graph.slices import sources
from linnet_core.loading.generated import GeneratedModule
from linnet_core.plugins.manager import find_target

if TYPE_CHECKING:
    from linnet_core.plugins.target import TargetPlugin

LINEAR = "use std.nn.linear::{linear, Linear}\nuse std.nn.embedding::{embedding}\nuse std.nn.cache::{write_at}\n"
QUANT = LINEAR + "use std.quant::{Int8Linear, Fp8Linear, dequantize_int8}\n"

#: Programs by what is hostile in them: the members of the block, the inputs, the result's type, the body.
PROGRAMS = {
    "a head tied to the embedding": (
        "param w: Tensor[6, 4; f32]",
        "ids: Tensor[3; i32]",
        "Tensor[3, 6; f32]",
        "return linear(embedding(ids, w), w, none)",
    ),
    "siblings of one weight": (
        "param w: Tensor[4, 4; f32]",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 4; f32]",
        "return linear(x, w, none) * linear(x, w, none) + linear(x, permute(w, [1, 0]), none)",
    ),
    "siblings that are slices of one weight": (
        "param w: Tensor[6, 4; f32]",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 3; f32]",
        "return linear(x, w[0:3, :], none) + linear(x, w[3:6, :], none) + linear(x, w[1:4, :], none)",
    ),
    "a sibling that is joined and read bare": (
        "param a: Tensor[4, 4; f32]\n    param b: Tensor[4, 4; f32]",
        "x: Tensor[4, 4; f32]",
        "Tensor[4, 4; f32]",
        "return linear(x, a, none) * linear(x, b, none) + a",
    ),
    "a sibling that is work itself": (
        "param a: Tensor[4, 4; f32]\n    param b: Tensor[4, 4; f32]",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 4; f32]",
        "return linear(x, exp(a), none) * linear(x, reshape(permute(b, [1, 0]), [4, 4]), none)",
    ),
    "biases of one sibling and its own weight": (
        "param a: Tensor[4, 4; f32]\n    param c: Tensor[4; f32]",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 4; f32]",
        "return linear(x, a, some(c)) * linear(x, a * 2.0, some(a[0, :]))",
    ),
    "optional biases": (
        "sub p: Linear<4, 4, f32>\n    sub q: Linear<4, 4, f32>",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 4; f32]",
        "return p.forward(x) * q.forward(x)",
    ),
    "int8 that is read bare, too": (
        "sub p: Int8Linear<4, 4, f32>\n    sub q: Int8Linear<4, 4, f32>",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 4; f32]",
        "return p.forward(x) * q.forward(x) + cast<f32>(p.weight[0:2, :])",
    ),
    "contractions of one value": (
        "param a: Tensor[4, 5; f32]\n    param b: Tensor[4, 3; f32]\n    param c: Tensor[5, 4; f32]",
        "x: Tensor[2, 3, 4; f32]",
        "Tensor[2, 3, 5; f32]",
        "let p[i, j, o] = sum[k] x[i, j, k] * a[k, o]\n        let q[i, j, o] = sum[k] x[i, j, k] * b[k, o]\n"
        "        let r[i, o, j] = sum[k] c[o, k] * x[i, j, k]\n        let s[i, o, j] = sum[k] exp(c[o, k]) * x[i, j, k]\n"
        "        return p * permute(r + s, [0, 2, 1]) + q[:, :, 0:1]",
    ),
    "contractions over two axes": (
        "param a: Tensor[3, 4; f32]\n    param b: Tensor[3, 4; f32]",
        "x: Tensor[2, 3, 4; f32]",
        "Tensor[2; f32]",
        "let p[i] = sum[j, k] x[i, j, k] * a[j, k]\n        let q[i] = sum[j, k] x[i, j, k] * b[j, k]\n        return p * q",
    ),
    "fp8 siblings": (
        "sub p: Fp8Linear<4, 4, f32>\n    sub q: Fp8Linear<4, 4, f32>",
        "x: Tensor[2, 4; f32]",
        "Tensor[2, 4; f32]",
        "return p.forward(x) * q.forward(x)",
    ),
    "a state that becomes a prepared value, then is written": (
        "param w: Tensor[1, 1, 3, 2; f32]\n    state s: Tensor[1, 1, 3, 2; f32]",
        "x: Tensor[1, 1, 1, 2; f32], n: i32",
        "Tensor[1, 1, 3, 2; f32]",
        "let old = s\n        s = exp(w)\n        s = write_at(s, x, n)\n        return old + exp(w)",
    ),
    "a state beside a value of weights": (
        "param w: Tensor[4; f32]\n    state s: Tensor[4; f32]",
        "x: Tensor[4; f32]",
        "Tensor[4; f32]",
        "s = s * exp(w) + x\n        return s * exp(w)",
    ),
    "weights a loop starts from": (
        "param w: Tensor[4; f32]",
        "x: Tensor[4; f32], n: i32",
        "Tensor[4; f32]",
        "var y = exp(w)\n        var i: i32 = 0\n        while i < n {\n            y = y * exp(w) + x\n            i = i + 1\n        }\n"
        "        return y + exp(w)",
    ),
    "siblings inside a loop and outside": (
        "param a: Tensor[4, 4; f32]\n    param b: Tensor[4, 4; f32]",
        "x: Tensor[2, 4; f32], n: i32",
        "Tensor[2, 4; f32]",
        "var y = linear(x, a, none) + linear(x, b, none)\n        var i: i32 = 0\n        while i < n {\n"
        "            y = tanh(linear(y, a, none) * linear(y, b, none))\n            i = i + 1\n        }\n        return y",
    ),
    "an arm that may not be taken": (
        "param w: Tensor[4; f32]",
        "x: Tensor[4; f32], n: i32",
        "Tensor[4; f32]",
        "return if n > 5 { x * log(w - w) } else { x + exp(w) }",
    ),
}
INTEGERS = {"i32": np.int32, "i8": np.int8, "u8": np.uint8}
CASES = [pytest.param(name, id=name) for name in PROGRAMS]
#: The targets with the policies each is tried under; jit compiles for a second.
TARGETS = [("numpy", "exact"), ("numpy", "equivalent"), ("torch", "exact"), ("torch", "equivalent"), ("jax", "equivalent")]


def text_of(name: str) -> str:
    members, inputs, result, body = PROGRAMS[name]
    return f"{QUANT}\npub block Root {{\n    {members}\n    pub entry run({inputs}) -> {result} {{\n        {body}\n    }}\n}}\n"


def plugin_of(target: str) -> TargetPlugin:
    if target != "numpy":
        pytest.importorskip(f"linnet_{target}", reason=f"linnet-{target} is not installed here; the environment `all` has it")
        pytest.importorskip(target, reason=f"{target} is not installed here; the environment `all` has it")
    found = find_target(target)
    assert found is not None
    return found


def arrays_of(calls: Any) -> dict[str, np.ndarray]:
    """Numbers for inputs, parameters and states by name; two turns of a loop, and positions that are there."""
    numbers = np.random.Generator(np.random.PCG64(7))
    found: dict[str, np.ndarray] = {}
    for call in calls:
        name = getattr(call, "name", None) or call.path
        if call.dtype == "f32":
            found[name] = numbers.standard_normal(call.shape).astype(np.float32)
        else:
            found[name] = numbers.integers(0, 6, call.shape).astype(INTEGERS[call.dtype]) if call.shape else np.asarray(2, np.int32)
    return found


def recording(target: str, text: str, numerics: Any = "equivalent", **request: Any) -> Any:
    plugin = plugin_of(target)
    own = {option.name: option.default for option in plugin.options}
    return export(
        module(f"module m\n\n{text}", numerics),
        ExportRequest(entry="run", numerics=numerics, **request),
        plugin.make({"numerics": numerics, **own}),
    )


def calls_of(recorded: Any) -> list[Any]:
    return [node.call for node in flat_nodes(recorded.graph.nodes)]


def alike(found: Any, wanted: Any, numerics: str) -> None:
    assert found.dtype == wanted.dtype
    if numerics == "exact":
        assert found.tobytes() == wanted.tobytes()
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("target", "numerics"), TARGETS)
def test_main_answers_what_it_answers_without(target: str, numerics: str, name: str) -> None:
    text, plugin = text_of(name), plugin_of(target)
    plain, prepared = printed(text, plugin, numerics), printed(text, plugin, numerics, prepare=True)
    arrays = arrays_of([call for call in calls_of(recording(target, text, numerics)) if call.op in ("input", "parameter", "state")])
    wanted, wanted_states = plain.run(arrays)
    found, states = prepared.run(arrays)
    for one, other in zip(found, wanted, strict=True):
        alike(one, other, numerics)
    assert states.keys() == wanted_states.keys()
    for path in states:
        alike(states[path], wanted_states[path], numerics)
    again = GeneratedModule(prepared.source)
    assert len(set(again.prepared)) == len(again.prepared)
    assert again.prepared_only <= set(again.prepare_inputs) <= set(again.parameters)


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("name", ["optional biases", "int8 that is read bare, too"])
def test_optional_parameters_that_are_there(target: str, name: str) -> None:
    text = text_of(name)
    plugin, found = plugin_of(target), {}
    for prepare in (False, True):
        emitter = plugin.make({"numerics": "equivalent", **{option.name: option.default for option in plugin.options}, "prepare": prepare})
        recorded = export(module(f"module m\n\n{text}", "equivalent"), ExportRequest(entry="run", optionals=True), emitter)
        leaves = [call for call in calls_of(recorded) if call.op in ("input", "parameter")]
        assert {"p.bias", "q.bias"} <= {getattr(call, "path", None) for call in leaves}
        arrays = arrays_of(leaves)
        inputs = [arrays[call.name] for call in leaves if call.op == "input"]
        parameters = [arrays[call.path] for call in leaves if call.op == "parameter"]
        assert plugin.run is not None
        (found[prepare],) = plugin.run(emitter.source(), inputs, parameters, [])
    alike(found[True], found[False], "equivalent")


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(
    "name",
    ["siblings of one weight", "int8 that is read bare, too", "siblings inside a loop and outside", "a state beside a value of weights"],
)
def test_ranges_prepare_what_they_read(target: str, name: str) -> None:
    plugin, text = plugin_of(target), text_of(name)
    recorded = recording(target, text)
    own = {option.name: option.default for option in plugin.options}
    document = Document(recorded.graph)
    arrays = arrays_of([call for call in calls_of(recorded) if call.op in ("input", "parameter", "state")])
    whole = printed(text, plugin)
    wanted, wanted_states = whole.run(arrays)
    assert plugin.run is not None
    for cut in document.cuts()[len(whole.inputs) :]:
        request = document.request([cut])
        texts = sources(
            recorded.graph, read_request(json.dumps(request)), lambda: plugin.make({"numerics": "equivalent", **own, "prepare": True})
        )
        values = {step["results"][0]: arrays[step["name"]] for step in document.steps if step["op"] == "input"}
        states = dict(arrays)
        for asked, one in zip(request, texts, strict=True):
            made = GeneratedModule(one)
            results = plugin.run(
                one,
                [values[id] for id in asked["inputs"]],
                [arrays[path] for path in made.parameters],
                [states[path] for path in made.states],
            )
            values.update(zip(asked["outputs"], results[: made.results], strict=True))
            states.update(zip(made.next_states, results[made.results :], strict=True))
        for id, right in zip(document.results, wanted, strict=True):
            alike(np.asarray(values[id]), right, "equivalent")
        for path, right in wanted_states.items():
            alike(np.asarray(states[path]), right, "equivalent")


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_what_is_differentiated_is_not_prepared(target: str) -> None:
    text = (
        "pub block Root {\n    param w: Tensor[4; f32]\n    pub entry run(x: Tensor[4; f32]) -> f32 { return sum[i] x[i] * exp(w[i]) }\n}\n"
    )
    plugin = plugin_of(target)
    own = {option.name: option.default for option in plugin.options}
    emitter = plugin.make({"numerics": "equivalent", **own, "prepare": True})
    export(module(f"module m\n\n{text}", "equivalent"), ExportRequest(entry="run", gradient=True), emitter)
    with pytest.raises(UsageError, match="no weights are prepared for an entry that is differentiated"):
        emitter.source()


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_contractions_of_one_value_are_joined(target: str) -> None:
    text, plugin = text_of("contractions of one value"), plugin_of(target)
    assert len(GeneratedModule(printed(text, plugin, prepare=True).source).prepared) == 2
    assert len(GeneratedModule(printed(text, plugin, "exact", prepare=True).source).prepared) == 1, "exp(c) alone"
