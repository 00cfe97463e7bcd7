"""`linnet run`: execute an entry on NumPy arrays.

In: a model, sizes, weights, inputs, states.  Out: a line about each result and state on stdout, or JSON, and with `-o` the arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from linnet_core.cli import options as shared
from linnet_core.cli.export import export_to, prepare_program, target_plugin
from linnet_core.cli.options import Common, export_command
from linnet_core.cli.run_defaults import Defaults
from linnet_core.errors import LinnetError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set

    import numpy as np

    from linnet_core.graph.calls import Call, Finish, Input, Parameter, ResultType, State
    from linnet_core.graph.export import ExportRequest
    from linnet_core.ir.module import Module
    from linnet_core.loading.fit import Fit
    from linnet_core.loading.tree import Node
    from linnet_core.weights.arrays import Wanted
    from linnet_core.weights.bindings import TensorNames
    from linnet_core.weights.checkpoint import Checkpoint

DEFAULT_TARGET = "numpy"
#: How many unused tensors of a weights file are named.
SHOWN_UNUSED = 5
#: A seed has as many digits as 128 bits, which is all PCG64 is made of.
MOST_SEED_DIGITS = 38

TargetName = Annotated[str, typer.Option("--target", metavar="NAME", help="The target that runs it.")]
Weights = Annotated[
    str | None,
    typer.Option("--weights", metavar="PATH|random[:SEED]", help="A .safetensors file, a directory of them, or weights at random."),
]
BindingsFile = Annotated[
    str | None, typer.Option("--bindings", metavar="FILE", help="JSON that leads from paths to names of tensors in --weights.")
]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="NAME=VALUE", help="FILE.npy, zeros, random, or a literal such as [[1, 2.5]]. Repeatable."),
]
StateFile = Annotated[str | None, typer.Option("--state", metavar="FILE.npz", help="States before the call, by path (default: zeros).")]
OutArrays = Annotated[str | None, typer.Option("-o", "--output", metavar="OUT.npz", help="Write the results and states as arrays.")]


class Fitted(Struct, frozen=True):
    """The members of the model, the tensor of each, and the request under which just those are present."""

    tree: Node
    fit: Fit
    request: ExportRequest


def command(name: str, arguments: list[str]) -> Callable[..., None]:
    """`linnet run` with the options of the target that `arguments` name."""
    from linnet_core.cli.graph import named_target
    from linnet_core.plugins.manager import find_target

    return export_command(_run, find_target(named_target(arguments, DEFAULT_TARGET)))


def _run(
    common: Common,
    own: dict[str, Any],
    target: TargetName = DEFAULT_TARGET,
    weights: Weights = None,
    bindings: BindingsFile = None,
    input: Inputs = None,
    state: StateFile = None,
    json: shared.Json = False,
    indent: shared.Indent = False,
    output: OutArrays = None,
) -> None:
    """Execute an entry and print a summary of each result."""
    from linnet_core.cli.output import replace_file, write, write_document
    from linnet_core.cli.result_fields import result_fields
    from linnet_core.graph.calls import Finish, Input, Parameter, State
    from linnet_core.ir.roots import find_entry
    from linnet_core.plugins.guard import blaming
    from linnet_core.weights.arrays import check_possible
    from linnet_core.weights.files import npz_bytes
    from linnet_core.weights.summary import facts, line

    plugin = target_plugin(target)
    if plugin.run is None:
        raise UsageError(f"the target `{target}` prints source and runs nothing")
    program, module, request = prepare_program(common)
    file, called = _open(weights, bindings)
    fitted = None if file is None else _fitted(module, request, file, called, common.optionals)
    if fitted is not None:
        request = fitted.request
    exported = export_to(plugin, module, request, own)
    calls = list(_calls(exported.recording.graph.nodes))
    leaves = [_wanted(calls, kind) for kind in (Input, Parameter, State)]
    check_possible(leaf for wanted in leaves for leaf in wanted)
    inputs = _input_arrays(leaves[0], input or [], Defaults(plugin, program, module, request, own))
    parameters = _parameter_arrays(leaves[1], exported.recording.buffers, weights, file, fitted)
    held = _held_states(exported.recording.states, state)
    finish = calls[-1]
    assert isinstance(finish, Finish), "an export ends with finish"
    names = [*_result_names(finish), *finish.states]
    source = exported.target.source()
    with blaming(target):
        named = dict(zip(names, plugin.run(source, inputs, parameters, _state_arrays(leaves[2], held)), strict=True))
    _check_arrays(named, target)
    if output is not None:
        replace_file(output, npz_bytes({**held, **named}))
    entry = find_entry(module, request.root, request.entry)
    fields = dict(zip(names, result_fields(module, entry.function.results[0]), strict=False))
    if json:
        summary = [facts(name, array, fields.get(name)) for name, array in named.items()]
        document = {"version": 1, "results": summary[: finish.returns], "states": summary[finish.returns :]}
        write_document(document, "run-1", indent=indent)
    else:
        write("".join(line(name, array, fields.get(name)) + "\n" for name, array in named.items()))


def _check_arrays(named: dict[str, Any], target: str) -> None:
    from numpy import generic, ndarray

    for name, array in named.items():
        if not isinstance(array, ndarray | generic):
            raise LinnetError(f"the target `{target}` answered {type(array).__name__} for `{name}`, not an array of NumPy")


def _result_names(finish: Finish) -> list[str]:
    """What the entry gives in order, then the gradients by what they belong to; no path has a colon, so nothing is named twice."""
    own = finish.returns - len(finish.gradients)
    return [*(f"results.{i}" for i in range(own)), *(f"grad:{label}" for label in finish.gradients)]


def _calls(nodes: Sequence[Any]) -> Sequence[Call]:
    """The calls of a document, those inside function calls included, in order."""
    from linnet_core.graph.nodes import flat_nodes

    return [node.call for node in flat_nodes(tuple(nodes))]


def _wanted(calls: Sequence[Call], kind: type[Input | Parameter | State]) -> list[Wanted]:
    """The leaves of one kind, in the order the target takes them."""
    from linnet_core.graph.calls import Input
    from linnet_core.weights.arrays import Wanted

    found = [call for call in calls if isinstance(call, kind)]
    return [Wanted(call.name if isinstance(call, Input) else call.path, call.shape, call.dtype) for call in found]


def _open(weights: str | None, bindings: str | None) -> tuple[Checkpoint | None, TensorNames | None]:
    """The weights and what they are called, where they are files."""
    from linnet_core.weights.bindings import read_bindings
    from linnet_core.weights.checkpoint import open_checkpoint

    if weights is None or _is_random(weights):
        if bindings is not None:
            raise UsageError("--bindings names the tensors of --weights FILE; there is no such file")
        return None, None
    return open_checkpoint(weights), None if bindings is None else read_bindings(bindings)


def _is_random(weights: str) -> bool:
    return weights == "random" or weights.startswith("random:")


def _fitted(module: Module, request: ExportRequest, file: Checkpoint, names: TensorNames | None, optionals: str | None) -> Fitted | None:
    """Which tensor each parameter takes, and the request with those optionals present that the file holds; None for an entry without a
    block.

    `--optionals` and `--absent` go before what the file holds.
    """
    import msgspec

    from linnet_core.graph.bind import bind
    from linnet_core.ir.roots import find_entry
    from linnet_core.loading.fit import fit
    from linnet_core.loading.tree import member_tree

    entry = find_entry(module, request.root, request.entry)
    if entry.block is None:
        return None
    bound = bind(entry.generics, request.bindings, request.preset, entry=entry.name, span=entry.function.span)
    tree = member_tree(module, entry.block, bound.only(entry.block.generics))
    found = fit(tree, file, names, strict=False, optionals=None if optionals is None else optionals == "present", without=request.absent)
    return Fitted(tree, found, msgspec.structs.replace(request, optionals=True, absent=request.absent | found.absent))


def _input_arrays(wanted: Sequence[Wanted], given: Sequence[str], defaults: Defaults) -> list[np.ndarray[Any, Any]]:
    values: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--input takes NAME=VALUE, not `{text}`")
        if name in values:
            raise UsageError(f"--input gives `{name}` twice")
        values[name] = value
    names = [w.name for w in wanted]
    unknown = [name for name in values if name not in names]
    if unknown:
        known = f"there are: {', '.join(names)}" if names else "the entry takes none"
        raise UsageError(f"there is no input `{unknown[0]}`; {known}")
    missing = [str(w) for w in wanted if w.name not in values and w.name not in defaults]
    if missing:
        raise UsageError(f"no value for {', '.join(missing)}; give --input NAME=FILE.npy, zeros, random or a literal")
    return [_input(w, values[w.name]) if w.name in values else defaults.array(w.name) for w in wanted]


def _input(wanted: Wanted, text: str) -> np.ndarray[Any, Any]:
    import numpy as np

    from linnet_core.weights.arrays import numpy_dtype
    from linnet_core.weights.files import read_npy
    from linnet_core.weights.literals import parse_literal
    from linnet_core.weights.random import random_array

    if text == "zeros":
        return np.zeros(wanted.shape, numpy_dtype(wanted.dtype))
    if text == "random":
        return random_array(0, wanted)
    return read_npy(text, wanted) if text.endswith(".npy") else parse_literal(text, wanted)


def _parameter_arrays(
    wanted: Sequence[Wanted], buffers: Set[str], weights: str | None, file: Checkpoint | None, fitted: Fitted | None
) -> list[np.ndarray[Any, Any]]:
    from linnet_core.loading.fit import read
    from linnet_core.weights.random import random_array

    if not wanted:
        return []
    if weights is None:
        raise UsageError(f"the entry has {len(wanted)} parameters; give --weights FILE.safetensors or --weights random")
    if file is None or fitted is None:
        seed = weights.partition(":")[2] or "0"
        if not seed.isascii() or not seed.isdigit():
            raise UsageError(f"--weights random:SEED takes a number that is not negative, not `{seed}`")
        if len(seed) > MOST_SEED_DIGITS:
            raise UsageError(f"--weights random:SEED takes a number of {MOST_SEED_DIGITS} digits at most, not one of {len(seed)}")
        return [random_array(int(seed), parameter, buffer=parameter.name in buffers) for parameter in wanted]
    arrays = {path: loaded.array for loaded in read(fitted.tree, file, fitted.fit) for path in loaded.paths}
    _report_unused(file.path, fitted.fit.unused)
    return [arrays[parameter.name] for parameter in wanted]


def _report_unused(path: str, names: Sequence[str]) -> None:
    """One line, however many tensors of a file no parameter takes."""
    from linnet_core.cli.output import say
    from linnet_core.text.cells import show_inline

    if not names:
        return
    shown = ", ".join(f"`{show_inline(name)}`" for name in names[:SHOWN_UNUSED])
    if len(names) > SHOWN_UNUSED:
        shown += f" and {len(names) - SHOWN_UNUSED} more"
    say(f"linnet: {path}: {shown} {'is' if len(names) == 1 else 'are'} used by no parameter of this model")


def _held_states(types: Mapping[str, ResultType], path: str | None) -> dict[str, np.ndarray[Any, Any]]:
    """The states of the archive: what the entry does not touch is written again, so that entries can take turns."""
    from linnet_core.weights.arrays import Wanted
    from linnet_core.weights.files import read_states

    return {} if path is None else read_states(path, [Wanted(name, type.shape, type.dtype) for name, type in types.items()])


def _state_arrays(wanted: Sequence[Wanted], held: Mapping[str, np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """The states before the call; one that is not held is zeros, as before the first call."""
    import numpy as np

    from linnet_core.weights.arrays import numpy_dtype

    return [held[w.name] if w.name in held else np.zeros(w.shape, numpy_dtype(w.dtype)) for w in wanted]
