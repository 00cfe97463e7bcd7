"""Printed source, differentiated by the framework it is printed for.

In: a program and NumPy arrays in the order of its leaves.  Out: the gradients of its first result, a float scalar, as the framework finds
them in the printed `main`, and as differences of values find them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import torch
from msgspec import Struct

from linnet_core.check.load_program import load_program
from linnet_core.graph.calls import Input, Parameter, State
from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, export
from linnet_core.graph.nodes import Graph, flat_nodes
from linnet_core.graph.replay import replay
from linnet_core.ir.lowered import lowered
from linnet_jax.target import JaxTarget
from linnet_torch.target import TorchTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import Call

TARGETS: dict[str, Any] = {"torch": TorchTarget, "jax": JaxTarget}


class Entry(Struct, frozen=True, eq=False):
    """An entry as a target printed it."""

    target: str
    graph: Graph
    source: str
    leaves: tuple[Call, ...]

    def module(self) -> dict[str, Any]:
        """The names of the printed module."""
        names: dict[str, Any] = {}
        exec(compile(self.source, "<printed>", "exec"), names)
        return names

    def gradients(self, arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray | None]]:
        """The first result, and its gradient by each leaf; None for leaves that are no floats."""
        return (_by_torch if self.target == "torch" else _by_jax)(self.module(), arrays)

    def value(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        """The first result, with nothing differentiated."""
        names = self.module()
        if self.target == "torch":
            with torch.no_grad():
                leaves = [torch.from_numpy(array.copy()) for array in arrays]
                return names["main"](*leaves, *names["constants"]("cpu"))[0].numpy()
        with jax.enable_x64(True):
            return np.asarray(names["main"](*[jnp.asarray(array) for array in arrays], *names["constants"]())[0])


def entry(target: str, path: str, numerics: Any = "equivalent", **request: Any) -> Entry:
    """Export an entry; the source a replay of the document prints is the same."""
    _, program = load_program(path, None)
    make = TARGETS[target]
    emitter = make(numerics)
    recording = export(lowered(program, numerics), ExportRequest(numerics=numerics, **request), emitter)
    source = emitter.source()
    again = make(numerics)
    replay(decode(encode(recording.graph)), again)
    assert again.source() == source
    leaves = [node.call for node in flat_nodes(recording.graph.nodes) if isinstance(node.call, Input | Parameter | State)]
    ordered = sorted(leaves, key=lambda call: (Input, Parameter, State).index(type(call)))  # type: ignore[arg-type]  # leaves are of these types
    return Entry(target, recording.graph, source, tuple(ordered))


def _is_float(array: np.ndarray) -> bool:
    return array.dtype.kind == "f" or array.dtype == ml_dtypes.bfloat16


def _by_torch(names: dict[str, Any], arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray | None]]:
    leaves = [torch.from_numpy(array.copy()).requires_grad_(_is_float(array)) for array in arrays]
    loss = names["main"](*leaves, *names["constants"]("cpu"))[0]
    loss.backward()
    zero = [np.zeros_like(array) for array in arrays]
    found = [leaf.grad.numpy() if leaf.grad is not None else none for leaf, none in zip(leaves, zero, strict=True)]
    return loss.detach().numpy(), [g if leaf.requires_grad else None for g, leaf in zip(found, leaves, strict=True)]


def _by_jax(names: dict[str, Any], arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray | None]]:
    with jax.enable_x64(True):
        leaves = [jnp.asarray(array) for array in arrays]
        constants = names["constants"]()
        floats = [at for at, array in enumerate(arrays) if _is_float(array)]
        loss, gradients = jax.value_and_grad(lambda *a: names["main"](*a, *constants)[0], argnums=floats)(*leaves)
    found: list[np.ndarray | None] = [None] * len(arrays)
    for at, gradient in zip(floats, gradients, strict=True):
        found[at] = np.asarray(gradient)
    return np.asarray(loss), found


def slopes(one: Entry, arrays: Sequence[np.ndarray], at: int, step: float = 1e-6) -> np.ndarray:
    """Central differences of the first result by every element of one f64 leaf."""
    found = np.zeros_like(arrays[at])
    names = one.module()
    with jax.enable_x64(True), torch.no_grad():
        make: Any = torch.from_numpy if one.target == "torch" else jnp.asarray
        constants = names["constants"](*(["cpu"] if one.target == "torch" else []))
        for place in np.ndindex(found.shape):
            values = []
            for sign in (1, -1):
                moved = [array.copy() for array in arrays]
                moved[at][place] += sign * step
                values.append(float(names["main"](*[make(array) for array in moved], *constants)[0]))
            found[place] = (values[0] - values[1]) / (2 * step)
    return found
