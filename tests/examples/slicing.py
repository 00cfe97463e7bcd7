"""Cutting an entry into ranges, and running them one after another, as somebody would who has the document and nothing else.

In: a graph document as JSON values, and where to cut.  Out: the request of `linnet graph --slices`, and what the ranges give together.
Nothing here is shared with what is tested: it is written from docs/documents/graph.md.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from linnet_core.graph.document import encode
from linnet_core.graph.slice_request import read_request
from linnet_core.graph.slices import sources

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from running import Program

    from linnet_core.graph.nodes import Graph

_OPENS = {"begin_while", "begin_counted", "begin_custom_gradient", "begin_remat"}
_CLOSES = {"end_while", "end_counted", "end_custom_gradient", "end_remat"}


class Document:
    """A graph, step by step."""

    def __init__(self, graph: Graph) -> None:
        self.steps = list(_flat(json.loads(encode(graph))["nodes"]))
        self.maker: dict[int, int] = {}
        for at, step in enumerate(self.steps):
            for id in step["results"]:
                self.maker.setdefault(id, at)
        finish = self.steps[-1]
        ids = [_id(operand) for operand in finish["operands"]]
        self.results = ids[: finish["returns"]]
        self.after: dict[str, int] = dict(zip(finish["states"], ids[finish["returns"] :], strict=True))
        self.before = {step["path"]: step["results"][0] for step in self.steps if step["op"] == "state"}
        #: The step that writes a state: where its final value is made, or its `state` node when that comes later.
        self.written = {
            path: max(self.maker[id], self.maker[self.before[path]] if path in self.before else 0) for path, id in self.after.items()
        }

    def cuts(self) -> list[int]:
        """Where the steps may be cut in two: inside nothing that belongs together."""
        depth, free = 0, []
        for at, step in enumerate(self.steps[:-1]):
            depth += (step["op"] in _OPENS) - (step["op"] in _CLOSES)
            if depth == 0:
                free.append(at + 1)
        return free

    def needs(self, start: int, stop: int) -> list[int]:
        """The ids a range reads that it has to be given."""
        read: dict[int, None] = {}
        made: set[int] = set()
        for step in self.steps[start:stop]:
            if step["op"] == "finish":
                read.update(dict.fromkeys(id for id in self.results if id not in made))
            elif not step.get("declined"):
                read.update(dict.fromkeys(id for o in step["operands"] if o is not None and (id := _id(o)) not in made))
                made.update(step["results"] if step["op"] not in ("input", "parameter", "state") else ())
        return [id for id in read if not self._is_there(id, start)]

    def _is_there(self, id: int, start: int) -> bool:
        """Whether a range that starts here has a value without being given it."""
        step = self.steps[self.maker[id]]
        if step["op"] == "state":
            return start <= self.written.get(step["path"], len(self.steps))
        return step["op"] in ("parameter", "constant")

    def request(self, cuts: Sequence[int]) -> list[dict[str, Any]]:
        """Ranges between the cuts, each with what it needs, what others need of it, and the states it writes."""
        ranges = list(itertools.pairwise([0, *cuts, len(self.steps)]))
        needs = [self.needs(*one) for one in ranges]
        found = []
        for at, (start, stop) in enumerate(ranges):
            later = dict.fromkeys(id for need in needs[at + 1 :] for id in need)
            found.append(
                {
                    "name": f"range {at}",
                    "start": start,
                    "stop": stop,
                    "inputs": needs[at],
                    "outputs": self.results if stop == len(self.steps) else [id for id in later if start <= self._given(id) < stop],
                    "states": [[path, self.after[path]] for path, step in self.written.items() if start <= step < stop],
                }
            )
        return found

    def _given(self, id: int) -> int:
        """The last step whose range can give a value to others; an input of the entry is given by none."""
        step = self.steps[self.maker[id]]
        if step["op"] == "state":
            return self.written[step["path"]]
        return -1 if step["op"] == "input" else self.maker[id]


def _flat(nodes: Sequence[dict[str, Any]]) -> Any:
    for node in nodes:
        if node["op"] == "call":
            yield from _flat(node["body"])
        else:
            yield node


def _id(operand: Any) -> int:
    return operand["value"] if isinstance(operand, dict) else operand


def random_cuts(document: Document, seed: str) -> list[int]:
    """One to four places, the same for the same seed."""
    free = document.cuts()
    chosen = random.Random(seed)
    return sorted(chosen.sample(free, min(chosen.randint(1, 4), len(free))))


def printed(one: Program, request: Sequence[dict[str, Any]], numerics: str = "equivalent") -> list[str]:
    """The source of each range."""
    own = {option.name: option.default for option in one.plugin.options}
    return sources(one.graph, read_request(json.dumps(request)), lambda: one.plugin.make({"numerics": numerics, **own}))


def run_in_order(
    one: Program,
    request: Sequence[dict[str, Any]],
    texts: Sequence[str],
    inputs: Mapping[str, np.ndarray],
    parameters: Mapping[str, np.ndarray],
    states: Mapping[str, np.ndarray],
    *,
    jit: bool = False,
) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """What the last range gives, and the states after it that some range wrote; jax compiles each range where `jit`."""
    document = Document(one.graph)
    values: dict[int, Any] = {step["results"][0]: inputs[step["name"]] for step in document.steps if step["op"] == "input"}
    now: dict[str, Any] = dict(states)
    written: dict[str, Any] = {}
    for asked, text in zip(request, texts, strict=True):
        module: dict[str, Any] = {"__name__": "printed"}
        exec(compile(text, "<a range>", "exec"), module)
        assert module["NEXT_STATES"] == [path for path, _ in asked["states"]]
        assert set(module["IN_PLACE"]) <= set(module["NEXT_STATES"]), "a state that does not change is overwritten"
        given = [values[id] for id in asked["inputs"]] + [parameters[path] for path in module["PARAMETERS"]]
        results = _call(one.plugin.name, module, given, [now[path] for path in module["STATES"]], jit)
        count = len(asked["outputs"])
        assert module["RESULTS"] == count
        values.update(zip(asked["outputs"], results[:count], strict=True))
        written.update(zip(module["NEXT_STATES"], results[count:], strict=True))
        now.update(written)
    return [_array(values[id]) for id in document.results], {path: _array(value) for path, value in written.items()}


def _call(target: str, module: dict[str, Any], given: list[Any], states: list[Any], jit: bool) -> Sequence[Any]:
    """One range; what it gives is handed on as it is, for in PyTorch the layout of a tensor decides how its sums are rounded."""
    if target == "numpy":
        return module["main"](*(array[()] for array in given), *(array.copy()[()] for array in states), *module["constants"]())
    if target == "jax":
        return _call_jax(module, [*given, *states], jit)
    import torch

    with torch.no_grad():
        return module["main"](*(_tensor(value) for value in [*given, *states]), *module["constants"](torch.device("cpu")))


def _call_jax(module: dict[str, Any], given: list[Any], jit: bool) -> Sequence[Any]:
    """One range: compiled, or operation by operation, since two operations compiled together may round once."""
    import jax

    with jax.disable_jit(not jit), jax.enable_x64(any(value.dtype.itemsize == 8 for value in given)):
        results = jax.jit(module["main"])(*map(jax.numpy.array, given), *module["constants"]())
        return [np.asarray(value) for value in results]


def _tensor(value: Any) -> Any:
    """A NumPy array as a tensor of its own memory; a tensor as it is.  A bf16 goes through its 16 bits: PyTorch does not know ml_dtypes."""
    import torch

    if isinstance(value, torch.Tensor):
        return value
    array = np.array(value)
    return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16) if array.dtype == ml_dtypes.bfloat16 else torch.from_numpy(array)


def _array(value: Any) -> np.ndarray:
    """A tensor or an array as an array."""
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    import torch

    flat = value.contiguous()
    return flat.view(torch.int16).numpy().view(ml_dtypes.bfloat16) if flat.dtype == torch.bfloat16 else flat.numpy()


def metadata(text: str, name: str) -> Any:
    """One of the names at the head of a printed module."""
    module: dict[str, Any] = {}
    exec(compile(text, "<a range>", "exec"), module)
    return module[name]
