"""The programs of `run.py` that run on JAX: the model one writes by hand, and the printed source.

In: arrays by path, tokens and a position; a printed source.  Out: functions of nothing that do one step and answer the logits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from models_jax import Sizes, decoder, loaded

from linnet_core.loading.generated import GeneratedModule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Array = np.ndarray[Any, Any]


def hand_written(layers: int, arrays: Mapping[str, Array], tokens: Array, position: int) -> Callable[[], Array]:
    """The natural form under jit: caches in, caches out."""
    parameters, caches = loaded(Sizes(layers), arrays)
    run = jax.jit(decoder(Sizes(layers)))
    given, at = jnp.asarray(tokens), jnp.int32(position)

    def step() -> Array:
        nonlocal caches
        logits, caches = run(parameters, caches, given, at)
        return np.asarray(logits)

    return step


def printed(source: str, arrays: Mapping[str, Array], tokens: Array, position: int) -> Callable[[], Array]:
    """The printed source: `step` and the donated `update` where it has them, else `main`; what it prepares is prepared."""
    module = GeneratedModule(source)
    weights, extra = module.arguments([jnp.asarray(arrays[path]) for path in module.parameters])
    states = {path: jnp.array(arrays[path]) for path in module.states}
    given = (jnp.asarray(tokens), jnp.int32(position))
    rows = module.get("ROWS", [])
    whole = [path for path in module.next_states if path not in rows]
    run = jax.jit(module.get("step") if rows else module.main)
    update = jax.jit(module.get("update"), donate_argnums=0) if rows else None

    def step() -> Array:
        logits, *answers = run(*given, *weights, *states.values(), *extra)
        states.update(zip(whole, answers, strict=False))
        if update is not None:
            states.update(zip(rows, update(tuple(states[path] for path in rows), tuple(answers[len(whole) :])), strict=True))
        return np.asarray(logits)

    return step
