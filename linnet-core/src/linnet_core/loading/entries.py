"""The entries of a model as a program calls them: by name, inputs by position or by name, numbers of Python for scalars.

In: a model, names, inputs.  Out: the entry that is meant, inputs in order, what each says of sizes, `Bindings` of a call; `UsageError` for
an entry that is not there and `RuntimeFailure` for inputs that do not fit.  A framework says only what its arrays are and makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linnet_core.check.types import FLOATS, INTEGERS
from linnet_core.errors import RuntimeFailure, UsageError
from linnet_core.graph.bind import bind
from linnet_core.loading.inputs import Given, bind_inputs, declared_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from linnet_core.graph.bind import Bindings
    from linnet_core.loading.model import Model


#: Integers of more are not written out: Python itself refuses to from some length on.
_SHOWN_BITS = 256


def main_entry(model: Model) -> str:
    """The entry that is called where none is named: `forward`, or the only one."""
    names = tuple(model.entries)
    if "forward" in names or len(names) == 1:
        return "forward" if "forward" in names else names[0]
    raise UsageError(f"`{model.name}` has no entry `forward`; call one of: {', '.join(names)}")


def known_entry(model: Model, name: str) -> str:
    """`name`, if it is an entry."""
    if name not in model.entries:
        raise UsageError(f"`{model.name}` has no entry `{name}`; there are: {', '.join(model.entries)}")
    return name


def input_names(model: Model, entry: str) -> list[str]:
    """The names of the inputs of an entry, in order; found once, since every call asks."""
    found = model.inputs.get(entry)
    if found is None:
        found = model.inputs[entry] = [each.name for each in declared_inputs(model.entries[entry])]
    return found


def by_position(model: Model, entry: str, inputs: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """All inputs in order, where those behind `inputs` were given by name; None for one that is left out and has a default."""
    names = input_names(model, entry)
    if not named and len(inputs) >= len(names):
        return list(inputs)
    rest = names[len(inputs) :]
    unknown = [name for name in named if name not in rest]
    if unknown:
        raise RuntimeFailure(f"entry `{entry}` takes no further input `{unknown[0]}`; there are: {', '.join(rest) or 'none'}")
    missing = [name for name in rest if name not in named and name not in model.defaults.get(entry, ())]
    if missing and not named:
        raise RuntimeFailure(f"entry `{entry}` takes {len(names)} inputs ({', '.join(names)}), {len(inputs)} were given")
    if missing:
        raise RuntimeFailure(f"entry `{entry}`: no value for {', '.join(f'`{name}`' for name in missing)}")
    return [*inputs, *(named.get(name) for name in rest)]


def given_inputs(model: Model, entry: str, inputs: Sequence[Any], type_of: Callable[[Any], Given | None], kind: str) -> list[Given | None]:
    """What each input says of sizes: `type_of` knows the arrays of a framework, which a message calls `kind`, and has None for the rest."""
    names = input_names(model, entry)
    given: list[Given | None] = []
    for at, value in enumerate(inputs):
        # a number where there are more inputs than the entry takes
        name = names[at] if at < len(names) else str(at)
        found = type_of(value)
        if found is None and isinstance(value, bool | int | float):
            found = Given((), None)
        if found is None and not (value is None and name in model.defaults.get(entry, ())):
            raise RuntimeFailure(f"entry `{entry}`, input `{name}`: {kind} or a number is due, not {type(value).__name__}")
        given.append(found)
    return given


def bind_call(model: Model, entry: str, given: Sequence[Given | None], generics: Mapping[str, Any] | None) -> Bindings:
    """Numbers for everything in a call with inputs of the types `given` (None: its default); `generics` are values by name."""
    found = model.entries[entry]
    own = [generic.name for generic in found.function.generics]
    further = {key: value for key, value in model.further.items() if key in own}
    return bind_inputs(found, model.bindings, given, generics, further)


def bind_named(model: Model, entry: str, generics: Mapping[str, Any]) -> Bindings:
    """Numbers for everything where no inputs are at hand."""
    own = model.entries[entry].function.generics
    return model.bindings.joined(bind(own, generics, model.further, entry=entry, flag=""))


def number(entry: str, name: str, dtype: str, value: Any, make: Callable[[], Any]) -> Any:
    """What `make` makes of a number of Python, where that is one of the `dtype` that input `name` declares."""
    if _takes_number(dtype, value):
        try:
            return make()
        except (RuntimeError, OverflowError, ValueError):
            pass  # beyond what the dtype holds
    large = isinstance(value, int) and value.bit_length() > _SHOWN_BITS
    shown = f"an integer of {value.bit_length()} bits" if large else repr(value)
    raise RuntimeFailure(f"entry `{entry}`, input `{name}`: {dtype} is wanted, {shown} was given")


def _takes_number(dtype: str, value: Any) -> bool:
    """Whether a number of Python is one of `dtype` without loss of kind."""
    if isinstance(value, bool) or dtype == "bool":
        return isinstance(value, bool) and dtype == "bool"
    return dtype in FLOATS or (dtype in INTEGERS and isinstance(value, int))
