"""`LinnetFunction`: the parameters of a model as a pytree, its entries as functions.

In: a program and arrays by path.  Out: something to call, to pass through `jit`, `grad` and `vmap`, to copy and to pickle.  It never
changes: states go in and come out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from linnet_core.check.types import FLOATS
from linnet_core.errors import RuntimeFailure
from linnet_core.loading.entries import bind_call, bind_named, by_position, given_inputs, known_entry, main_entry, number
from linnet_core.loading.inputs import Given, declared_inputs
from linnet_core.loading.reports import whole_reports
from linnet_core.weights.arrays import dtype_name, numpy_dtype
from linnet_jax.loading.arrays import is_traced, owned
from linnet_jax.loading.call import new_states, type_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.loading.inputs import Declared
    from linnet_core.loading.tree import Leaf
    from linnet_jax.loading.call import Call, States
    from linnet_jax.loading.program import Program

#: 64-bit dtypes, and what JAX makes of them where they are switched off.
_CUT = {"i64": "i32", "u64": "u32", "f64": "f32"}


class LinnetFunction:
    """A model.  `load` makes one; a pytree whose leaves are its parameters.

    Its entries are attributes, and `entry` finds one by any name.  A call of the function itself runs the main one.
    """

    def __init__(self, program: Program, parameters: Mapping[str, Array], main: str | None = None) -> None:
        self._program = program
        self._parameters = dict(parameters)
        self._main = main
        self._traced = any(is_traced(each) for each in self._parameters.values())
        #: What was prepared of the parameters, by key.
        self._prepared: dict[str, Array] = {}
        #: Whether the parameters are known to be what the model has; of one that was made leaf by leaf its first call finds out.
        self._fits = True

    @property
    def parameters(self) -> dict[str, Array]:
        """The arrays by path; two paths bound to one tensor have the same array.  A dict of its own, which may be changed."""
        return dict(self._parameters)

    @property
    def states(self) -> dict[str, Array]:
        """The states before the first call, zeros by path, made anew: a call may consume them."""
        return new_states(self._program.states, self._program.layout)

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries in the order of declaration."""
        return tuple(self._program.model.entries)

    def entry(self, name: str | None = None) -> EntryFunction:
        """The entry `name` as a function; the main one without."""
        model = self._program.model
        return EntryFunction(self, known_entry(model, name) if name is not None else self._main or main_entry(model))

    def __call__(self, *inputs: Any, state: States | None = None, generics: Mapping[str, Any] | None = None, **named: Any) -> Any:
        """Run the main entry; see `EntryFunction.__call__`."""
        return self.entry()(*inputs, state=state, generics=generics, **named)

    def apply(
        self, params: Mapping[str, Any], *inputs: Any, state: States | None = None, generics: Mapping[str, Any] | None = None, **named: Any
    ) -> Any:
        """The main entry as a pure function of parameters; see `EntryFunction.apply`."""
        return self.entry().apply(params, *inputs, state=state, generics=generics, **named)

    def with_parameters(self, params: Mapping[str, Any]) -> LinnetFunction:
        """The same model with other parameters, all of them; `RuntimeFailure` listing what does not fit."""
        return LinnetFunction(self._program, self._checked(params, list(self._program.parameters)), self._main)

    def generated_source(self, entry: str | None = None, inputs: Sequence[Any] = (), generics: Mapping[str, Any] | None = None) -> str:
        """The printed source of an entry, at the sizes of `inputs` or of all its `generics`."""
        name = self.entry(entry).name
        with whole_reports():
            bound = self._bind(name, inputs, generics) if inputs or not generics else bind_named(self._program.model, name, generics)
            return self._program.call(name, bound, prepare=self._program.prepare).generated.source

    def __getattr__(self, name: str) -> EntryFunction:
        program = self.__dict__.get("_program")
        if program is None or name not in program.model.entries:
            raise AttributeError(f"`{type(self).__name__}` has no attribute or entry `{name}`")
        return EntryFunction(self, name)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.entries]

    def __repr__(self) -> str:
        counts = f"{len(self._parameters)} parameters, {len(self._program.states)} states"
        return f"{type(self).__name__}({self._program.model.name}: {', '.join(self.entries)}; {counts})"

    def __copy__(self) -> LinnetFunction:
        made = LinnetFunction(self._program, self._parameters, self._main)
        made._fits = self._fits
        return made

    def __deepcopy__(self, memo: object) -> LinnetFunction:
        return self.__copy__()  # arrays do not change

    def __reduce__(self) -> tuple[Any, ...]:
        # as arrays of NumPy, since JAX would cut 64 bits when it reads its own
        found: dict[int, Any] = {}
        arrays = {path: found.setdefault(id(each), np.asarray(each)) for path, each in self._parameters.items()}
        return _again, (self._program, arrays, self._main)

    def _run(self, name: str, inputs: Sequence[Any], state: States | None, generics: Mapping[str, Any] | None) -> Any:
        if not self._fits:
            self._parameters, self._fits = self._checked(self._parameters, list(self._program.parameters)), True
        if state is not None and not isinstance(state, Mapping):
            raise RuntimeFailure(f"entry `{name}`: states by path are due, not {type(state).__name__}")
        traced = self._traced or any(map(is_traced, inputs)) or (state is not None and any(map(is_traced, state.values())))
        if traced:
            return self._pure(name, self._parameters, inputs, state, generics)
        call = self._call(name, inputs, generics, prepare=self._program.prepare)
        given = self._arrays(call, inputs)
        if self._program.prepare:
            parameters, prepared = call.prepare(self._parameters, self._prepared)
        else:
            parameters, prepared = [self._parameters[path] for path in call.generated.parameters], []
        return call.run(given, parameters, prepared, state)

    def _pure(
        self, name: str, params: Mapping[str, Any], inputs: Sequence[Any], state: States | None, generics: Mapping[str, Any] | None
    ) -> Any:
        call = self._call(name, inputs, generics, prepare=False)
        held = self._checked(params, call.generated.parameters) if params is not self._parameters else params
        return call.pure(self._arrays(call, inputs), [held[path] for path in call.generated.parameters], state)

    def _call(self, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None, *, prepare: bool) -> Call:
        key = (name, prepare, tuple(map(_signature, inputs)), repr(generics) if generics else None)
        found = self._program.met.get(key)
        if found is None:
            with whole_reports():
                bound = self._bind(name, inputs, generics)
                found = self._program.met[key] = self._program.call(name, bound, prepare=prepare)
        return found

    def _bind(self, name: str, inputs: Sequence[Any], generics: Mapping[str, Any] | None) -> Bindings:
        model = self._program.model
        given = given_inputs(model, name, inputs, _type_of, "an array")
        try:
            return bind_call(model, name, given, generics)
        except RuntimeFailure as error:
            declared = declared_inputs(model.entries[name])
            cut = [
                each
                for want, have, each in zip(declared, given, inputs, strict=False)
                if have and have.dtype and _CUT.get(str(want.dtype)) == have.dtype and isinstance(each, jax.Array)
            ]
            if not cut:
                raise
            way = "trace there" if any(map(is_traced, cut)) else "make it there, or give an array of NumPy"
            hint = f"JAX cuts arrays to 32 bits outside `with jax.enable_x64(True):`; {way}"
            raise RuntimeFailure(f"{error}; {hint}") from None

    def _arrays(self, call: Call, inputs: Sequence[Any]) -> list[Array]:
        """The inputs as arrays; numbers take the declared dtype."""
        if all(isinstance(each, Array) for each in inputs):
            return list(inputs)
        return [
            self._array(call, declared, x)
            for declared, x in zip(declared_inputs(self._program.model.entries[call.name]), inputs, strict=True)
        ]

    def _array(self, call: Call, declared: Declared, value: Any) -> Array:
        if value is None:
            return self._program.default(call.name, declared.name, call.bindings)
        return owned(value) if hasattr(value, "dtype") else _number(value, call, declared)

    def _checked(self, params: Mapping[str, Any], paths: Sequence[str]) -> dict[str, Array]:
        """The parameters of `paths`; everything that does not fit in one `RuntimeFailure`."""
        leaves = self._program.parameters
        problems = [f"`{path}` is no parameter" for path in params if path not in leaves]
        held: dict[str, Array] = {}
        for path in paths:
            if path not in params:
                problems.append(f"{leaves[path]} is missing")
            elif (array := self._fitting(params[path], leaves[path])) is None:
                problems.append(f"{leaves[path]} was given as {type_text(params[path])}")
            else:
                held[path] = array
        if problems:
            raise RuntimeFailure("\n  ".join([f"the parameters do not fit `{self._program.model.name}`:", *problems]))
        return held

    def _fitting(self, array: Any, leaf: Leaf) -> Array | None:
        if not hasattr(array, "dtype") or tuple(array.shape) != leaf.shape:
            return None
        given = dtype_name(array.dtype)
        if given == leaf.dtype:
            return owned(array, self._program.layout.of(leaf.path))
        if not self._program.cast_dtype or given not in FLOATS or leaf.dtype not in FLOATS:
            return None
        with jax.enable_x64(True):
            return jnp.asarray(array).astype(numpy_dtype(leaf.dtype))


class EntryFunction:
    """One entry of a `LinnetFunction`."""

    def __init__(self, function: LinnetFunction, name: str) -> None:
        self._function = function
        self.name = name

    def __call__(self, *inputs: Any, state: States | None = None, generics: Mapping[str, Any] | None = None, **named: Any) -> Any:
        """The result: an array, or a tuple of them; where the entry touches state, the pair of result and next state.

        An input is an array of the declared dtype, of JAX or NumPy, or a number of Python where a scalar is declared; `generics` are values
        for those of the entry that no input says.  `state` leads from paths to arrays, as `LinnetFunction.states` (zeros without) and the
        answer do.  **A state that is given may be consumed**: its rows are written in place, and it cannot be used again.  Who needs it
        again gives a copy, or calls `apply`, which consumes nothing; so does a call with traced values.

        Raises `RuntimeFailure` for inputs or states that do not fit.
        """
        function = self._function
        return function._run(self.name, by_position(function._program.model, self.name, inputs, named), state, generics)

    def apply(
        self, params: Mapping[str, Any], *inputs: Any, state: States | None = None, generics: Mapping[str, Any] | None = None, **named: Any
    ) -> Any:
        """What a call answers, as a pure function of parameters by path too, to use under `jit`, `grad` and `vmap`.

        `RuntimeFailure` lists every parameter that is missing, unknown or of another type.
        """
        function = self._function
        return function._pure(self.name, params, by_position(function._program.model, self.name, inputs, named), state, generics)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._function._program.model.name}.{self.name})"


def _signature(value: Any) -> Any:
    return (tuple(value.shape), value.dtype) if hasattr(value, "dtype") else type(value)


def _type_of(value: Any) -> Given | None:
    if hasattr(value, "dtype") and isinstance(value, Array | np.ndarray | np.generic):
        return Given(tuple(value.shape), dtype_name(value.dtype))
    return None


def _number(value: Any, call: Call, declared: Declared) -> Array:
    """A number of Python as the scalar that is declared."""
    dtype = call.bindings.dtype(declared.dtype)
    return number(call.name, declared.name, dtype, value, lambda: owned(np.asarray(value, numpy_dtype(dtype))))


def _again(program: Program, arrays: Mapping[str, Any], main: str | None) -> LinnetFunction:
    found: dict[int, Array] = {}
    made = LinnetFunction(program, {path: found.setdefault(id(each), owned(each)) for path, each in arrays.items()}, main)
    made._fits = False
    return made


def _flatten(function: LinnetFunction) -> tuple[tuple[dict[str, Array]], tuple[Program, str | None]]:
    return (function._parameters,), (function._program, function._main)


def _unflatten(about: tuple[Program, str | None], children: Iterable[Any]) -> LinnetFunction:
    (parameters,) = children
    if isinstance(parameters, dict):
        made = LinnetFunction(about[0], parameters, about[1])
        made._fits = False
        return made
    # a tree of what is said of a function, such as its axes for vmap
    made = object.__new__(LinnetFunction)
    made.__dict__.update(_program=about[0], _parameters=parameters, _main=about[1])
    return made


jax.tree_util.register_pytree_node(LinnetFunction, _flatten, _unflatten)
