"""The shared function of layers together with what else shapes the text: other options, names from files, memory, and the compilers."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import types
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from running import program
from tiny import EXAMPLES, LLAMA_INPUTS, TRAIN_INPUTS, inputs_of, values
from torch.utils._python_dispatch import TorchDispatchMode

from linnet_core.graph.document import decode, encode
from linnet_core.graph.replay import replay
from linnet_core.plugins.manager import find_target

if TYPE_CHECKING:
    from running import Program


def _printed(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "linnet_core", *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _bits(arrays: Any) -> list[tuple[Any, ...]]:
    return [(a.dtype, a.shape, a.tobytes()) for a in map(np.asarray, arrays)]


def _results(target: str, text: str, one: Program, entry: str) -> list[tuple[Any, ...]]:
    plugin = find_target(target)
    assert plugin is not None
    assert plugin.run is not None
    weights, states = values(one.parameters), values(one.states)
    inputs = inputs_of(one, LLAMA_INPUTS[entry])
    return _bits(plugin.run(text, [inputs[i.name] for i in one.inputs], list(weights.values()), list(states.values())))


@pytest.mark.parametrize(
    ("option", "once"),
    [
        pytest.param("--remat", "def _block0(", id="remat"),
        pytest.param("--fully-shard", "def _whole(", id="fully sharded"),
    ],
)
@pytest.mark.parametrize("target", ["torch", "jax"])
def test_layers_under_an_option_share_a_function_and_give_the_same_bits(target: str, option: str, once: str) -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    path = str(EXAMPLES / "llama")
    common = (target, "--entry", "forward", "--preset", "tiny", option, "layers")
    text, flat = _printed(*common, path), _printed(*common, "--unroll", path)
    assert text.count("def block_") == 1
    assert text.count(" = block_") == 2
    assert "block_layers" not in flat
    assert text.count(once) == 1
    one = program(target, path, preset="tiny", entry="forward")
    with jax.disable_jit():
        assert _results(target, text, one, "forward") == _results(target, flat, one, "forward")


def test_gradients_of_layers_share_the_function_of_the_way_there() -> None:
    texts = [
        program("torch", str(EXAMPLES / "train"), preset="tiny", entry="loss", gradient=True, unroll=unroll) for unroll in (False, True)
    ]
    assert texts[0].source.count(" = block_") == 2
    found = []
    for one in texts:
        results, _ = one.run(inputs_of(one, TRAIN_INPUTS["loss"]), values(one.parameters))
        found.append(_bits(results))
    assert found[0] == found[1]


@pytest.mark.parametrize("more", [(), ("--unroll",)], ids=["shared", "unrolled"])
def test_a_replay_prints_what_the_target_prints(more: tuple[str, ...]) -> None:
    common = ("--entry", "decode", "--preset", "tiny", *more, str(EXAMPLES / "llama"))
    assert _printed("graph", "--replay", *common) == _printed("torch", *common)


def test_names_from_documents_stay_names() -> None:
    path = str(EXAMPLES / "llama")
    one = program("torch", path, preset="tiny", entry="forward")
    text = json.dumps(json.loads(encode(one.graph)))
    #: The array's name ends strings and lines, two members give the same identifier, one is a word of Python.
    hostile = {"layers": 'la"""\'\n    import os\\', "q_proj.weight": "x-y", "k_proj.weight": "x+y", "v_proj.weight": "class"}
    for name, other in hostile.items():
        assert name in text
        text = text.replace(name, json.dumps(other)[1:-1])
    plugin = find_target("torch")
    assert plugin is not None
    target = plugin.make({"numerics": "equivalent", **{option.name: option.default for option in plugin.options}})
    replay(decode(text), target)
    source = target.source()
    head = re.search(r"def (block_\w+)\((.*)\):\n    (.*)\n", source)
    assert head is not None
    assert {"p_attention_x_y", "p_attention_x_y_2", "p_attention_class"} < set(head[2].split(", "))
    assert ast.literal_eval(head[3]) == f"{hostile['layers']}.0 and those like it."
    assert "os" not in _module(source).__dict__
    assert _results("torch", source, one, "forward") == _results("torch", one.source, one, "forward")


class _Live(TorchDispatchMode):
    """Counts the bytes of the tensors that live, but for those `known` already, and keeps the peak."""

    def __init__(self, known: list[torch.Tensor]) -> None:
        super().__init__()
        self._bytes = {tensor.untyped_storage()._cdata: 0 for tensor in known}
        self.peak = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **(kwargs or {}))
        for value in found if isinstance(found, (tuple, list)) else (found,):
            if isinstance(value, torch.Tensor):
                storage = value.untyped_storage()
                if storage._cdata not in self._bytes:
                    self._bytes[storage._cdata] = storage.nbytes()
                    weakref.finalize(storage, self._bytes.pop, storage._cdata, None)
        self.peak = max(self.peak, sum(self._bytes.values()))
        return found


def _module(text: str) -> Any:
    module = types.ModuleType("printed")
    exec(compile(text, "printed", "exec"), module.__dict__)
    return module


def _peak(layers: int, *, unroll: bool) -> int:
    sizes = {"Layers": layers, "B": 2, "S": 16}
    one = program("torch", str(EXAMPLES / "llama"), sizes, preset="tiny", entry="forward", unroll=unroll)
    module = _module(one.source)
    tokens = torch.zeros((2, 16), dtype=torch.int32)
    tensors = [tokens, *(torch.from_numpy(value) for value in values(one.parameters).values()), *module.constants(None)]
    with torch.no_grad(), _Live(tensors) as live:
        module.main(*tensors)
    return live.peak


def test_a_call_holds_at_most_the_layers_input_longer_and_more_layers_no_more() -> None:
    activation = 2 * 16 * 64 * 4
    assert _peak(2, unroll=False) == _peak(4, unroll=False) <= _peak(4, unroll=True) + activation


@pytest.mark.parametrize(("entry", "donated"), [("forward", False), ("decode", True)])
def test_jax_lowers_one_private_function_that_is_called_for_each_layer(entry: str, donated: bool) -> None:
    jax = pytest.importorskip("jax", reason="jax is not installed here; the environments `jax` and `all` have it")
    one = program("jax", str(EXAMPLES / "llama"), {"Layers": 4}, preset="tiny", entry=entry)
    module = _module(one.source)
    inputs = inputs_of(one, LLAMA_INPUTS[entry])
    arguments = [*(inputs[leaf.name] for leaf in one.inputs), *values(one.parameters).values(), *values(one.states).values()]
    text = jax.jit(module.main).lower(*arguments, *module.constants()).as_text()
    assert text.count("func.func private @block_layers_0") == 1
    assert text.count("call @block_layers_0") == 4
    if donated:
        states = {path: jax.numpy.asarray(value) for path, value in values(one.states).items()}
        answers = jax.jit(module.step)(*arguments, *module.constants())
        assert module.ROWS == module.NEXT_STATES
        rows = answers[module.RESULTS :]
        before = [states[path] for path in module.ROWS]
        jax.jit(module.update, donate_argnums=0)(before, rows)
        assert all(state.is_deleted() for state in before)
