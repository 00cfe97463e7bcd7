"""The program of a function: what its entries run, printed and compiled when sizes are first met.

In: a `Model` and the optional members that are not there.  Out: `Program`, shared by a function and its copies.  It is pickled as the text
of its plan and its sizes; what was printed and compiled is made again where it is needed.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any

import jax

from linnet_core.loading.generated import GeneratedModule
from linnet_core.loading.model import Model, reopen
from linnet_core.loading.source import default_source, entry_source
from linnet_core.loading.tree import leaves
from linnet_jax.loading.call import Call
from linnet_jax.loading.layout import Layout
from linnet_jax.target import JaxTarget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.graph.bind import Bindings
    from linnet_jax.loading.layout import Where

#: Printing raises a limit of the whole interpreter and puts it back: one thread at a time.
_PRINTING = RLock()


class Program:
    """Printed modules by entry and sizes, and the calls that run them.

    `prepare` says whether plain calls prepare weights, `cast_dtype` whether parameters of another width are cast, `device` where arrays
    lie.  That is of this process: what is unpickled lies where JAX puts it.
    """

    def __init__(
        self,
        model: Model,
        absent: frozenset[str],
        *,
        prepare: bool,
        cast_dtype: bool,
        device: Where | Mapping[str, Where] | None = None,
    ) -> None:
        self.model = model
        self.absent = absent
        self.prepare = prepare
        self.cast_dtype = cast_dtype
        present = list(leaves(model.tree, absent))
        self.parameters = {leaf.path: leaf for leaf in present if leaf.kind != "state"}
        self.states = {leaf.path: leaf for leaf in present if leaf.kind == "state"}
        self.layout = Layout(device, present)
        #: Calls by entry, types of inputs and values by name; and by what is bound.
        self.met: dict[Any, Call] = {}
        self._calls: dict[Any, Call] = {}
        self._defaults: dict[Any, jax.Array] = {}

    def __copy__(self) -> Program:
        return self

    def __deepcopy__(self, memo: object) -> Program:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        model = self.model
        generics = {} if model.block is None else {each.name: model.bindings.value(each) for each in model.block.generics}
        root = None if model.block is None else model.block.key
        options = (self.prepare, self.cast_dtype)
        return _again, ((model.plan, generics, model.further, root, model.numerics, model.defaults), sorted(self.absent), *options)

    def call(self, entry: str, bindings: Bindings, *, prepare: bool) -> Call:
        """The call of an entry under these sizes."""
        key = (entry, bindings.key(), prepare)
        with _PRINTING:
            found = self._calls.get(key)
            if found is None:
                options = (f"prepare={prepare}",)
                make = lambda: JaxTarget(self.model.numerics, prepare=prepare)  # noqa: E731 # one line beside its options
                text, path = entry_source(self.model, entry, bindings, self.absent, make, "linnet_jax", options)
                found = self._calls[key] = Call(entry, GeneratedModule(text, path), bindings, self.states, self.layout)
        return found

    def default(self, entry: str, name: str, bindings: Bindings) -> jax.Array:
        """The default of an input under the sizes of a call."""
        key = (entry, name, bindings.key())
        with _PRINTING:
            if key not in self._defaults:
                text, path = default_source(self.model, entry, name, bindings, lambda: JaxTarget(self.model.numerics), "linnet_jax")
                generated = GeneratedModule(text, path)
                with jax.ensure_compile_time_eval(), jax.enable_x64(True):
                    self._defaults[key] = generated.main(*generated.constants())[0]
        return self._defaults[key]


def _again(model: tuple[Any, ...], absent: list[str], prepare: bool, cast_dtype: bool) -> Program:
    return Program(reopen(*model), frozenset(absent), prepare=prepare, cast_dtype=cast_dtype)
