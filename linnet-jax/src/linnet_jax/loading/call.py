"""One entry under its sizes: the printed module, compiled, its constants, and the two ways to run it.

In: parameters, inputs and states.  Out: the result and the next states.  `pure` runs `main` and can be transformed; `run` runs `step` and
`update` one after the other where the module has them, and gives `update` the states to write into.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import Array

from linnet_core.errors import RuntimeFailure
from linnet_core.weights.arrays import describe, dtype_name
from linnet_jax.loading.arrays import is_traced, owned, zeros

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from linnet_core.graph.bind import Bindings
    from linnet_core.loading.generated import GeneratedModule
    from linnet_core.loading.tree import Leaf
    from linnet_jax.loading.layout import Layout

    States = Mapping[str, Array]


class Call:
    """An entry `name` under `bindings`; `states` are those of the model, `layout` says where arrays lie."""

    def __init__(self, name: str, generated: GeneratedModule, bindings: Bindings, states: Mapping[str, Leaf], layout: Layout) -> None:
        self.name = name
        self.generated = generated
        self.bindings = bindings
        self._states = states
        self._layout = layout
        self._wide = generated.get("BITS") == 64
        self._rows: list[str] = generated.get("ROWS", [])
        self._whole = [path for path in generated.next_states if path not in set(self._rows)]
        self._main = jax.jit(generated.main)
        self._step = jax.jit(generated.get("step")) if self._rows else self._main
        self._update = jax.jit(generated.get("update"), donate_argnums=0) if self._rows else None
        # made here and now, in whatever trace the first call stands
        with jax.ensure_compile_time_eval(), self.widths():
            self.constants = generated.constants()
            if layout.everywhere is not None:
                self.constants = jax.device_put(self.constants, layout.everywhere)

    @property
    def touches_state(self) -> bool:
        """Whether the entry reads or writes one."""
        return bool(self.generated.states or self.generated.next_states)

    def widths(self) -> AbstractContextManager[Any]:
        """64 bits where the module needs them; else what the caller has set."""
        return jax.enable_x64(True) if self._wide else nullcontext()

    def pure(self, inputs: Sequence[Array], parameters: Sequence[Array], state: States | None) -> Any:
        """The result; with the next states where the entry touches any.  Nothing is given away."""
        state = self.states(state)
        with self.widths():
            answers = self._main(*inputs, *parameters, *(state[path] for path in self.generated.states), *self.constants)
        results = answers[: self.generated.results]
        return self._answer(results, {**state, **dict(zip(self.generated.next_states, answers[len(results) :], strict=True))})

    def run(self, inputs: Sequence[Array], parameters: Sequence[Array | None], prepared: Sequence[Array], state: States | None) -> Any:
        """As `pure`; the states that rows are written into are given to `update`, which writes in place."""
        state = self.states(state)
        held = [state[path] for path in self.generated.states]
        with self.widths():
            answers = self._step(*inputs, *parameters, *held, *self.constants, *prepared)
            count = self.generated.results
            results = _apart(answers[:count], held)
            whole = _apart(answers[count : count + len(self._whole)], [*inputs, *parameters, *held, *results, *self.constants, *prepared])
            following = {**state, **dict(zip(self._whole, whole, strict=True))}
            if self._update is not None:
                written = self._update(_each_once([state[path] for path in self._rows]), tuple(answers[count + len(whole) :]))
                following.update(zip(self._rows, written, strict=True))
        return self._answer(results, following)

    def prepare(self, parameters: Mapping[str, Array], known: dict[str, Array]) -> tuple[list[Array | None], list[Array]]:
        """The parameters that `main` still reads, None for others, and what stands behind the constants; `known` keeps it by its key."""
        module = self.generated
        arrays = [parameters[path] for path in module.parameters]
        if any(key not in known for key in module.prepared):
            with jax.ensure_compile_time_eval(), self.widths():
                made = jax.jit(module.prepare)(arrays)
            for key, value in zip(module.prepared, made, strict=True):
                known.setdefault(key, value)
        return module.held(arrays), [known[key] for key in module.prepared]

    def states(self, given: States | None) -> dict[str, Array]:
        """The states before the call: zeros, or those given, which must be what the model has."""
        if given is None:
            return new_states(self._states, self._layout) if self.touches_state else {}
        if not self.touches_state:
            raise RuntimeFailure(f"entry `{self.name}` touches no state, and was given some")
        unknown = [path for path in given if path not in self._states]
        if unknown:
            raise RuntimeFailure(f"entry `{self.name}`: the model has no state `{unknown[0]}`")
        missing = [path for path in self.generated.states if path not in given]
        if missing:
            raise RuntimeFailure(f"entry `{self.name}`: the state lacks {', '.join(f'`{path}`' for path in missing)}")
        return {path: self._state(path, array) for path, array in given.items()}

    def _state(self, path: str, array: Any) -> Array:
        leaf = self._states[path]
        if not _fits(array, leaf):
            raise RuntimeFailure(f"entry `{self.name}`: state {leaf} was given as {type_text(array)}")
        if isinstance(array, Array) and not is_traced(array) and array.is_deleted():
            raise RuntimeFailure(
                f"entry `{self.name}`: state `{path}` was given to an earlier call, which wrote into it; go on with its answer"
            )
        return owned(array, self._layout.of(path))

    def _answer(self, results: Sequence[Array], state: dict[str, Array]) -> Any:
        result = results[0] if len(results) == 1 else tuple(results)
        return (result, state) if self.touches_state else result


def new_states(states: Mapping[str, Leaf], layout: Layout) -> dict[str, Array]:
    """Zeros by path."""
    return {path: zeros(leaf.shape, leaf.dtype, layout.of(path)) for path, leaf in states.items()}


def _fits(array: Any, leaf: Leaf) -> bool:
    return hasattr(array, "dtype") and tuple(array.shape) == leaf.shape and dtype_name(array.dtype) == leaf.dtype


def type_text(array: Any) -> str:
    """`f32[2, 3]`, or the type of what is no array."""
    return describe(tuple(array.shape), dtype_name(array.dtype)) if hasattr(array, "dtype") else type(array).__name__


def _apart(answers: Sequence[Array], others: Sequence[Array | None]) -> list[Array]:
    """The answers, copied where they are one of `others`, as run op by op they may be: a later call writes into states."""
    if not answers:
        return []
    known = {id(each) for each in others}
    return [jnp.copy(each) if id(each) in known else each for each in answers]


def _each_once(arrays: Sequence[Array]) -> tuple[Array, ...]:
    """The arrays, copied where one stands twice: each is written apart."""
    found: dict[int, Array] = {}
    return tuple([found.setdefault(id(each), each) if id(each) not in found else jnp.copy(each) for each in arrays])
