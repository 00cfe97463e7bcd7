"""`load`: a model and its weights as a function.

In: a `.linnet` file, a package or a plan; generics; safetensors files, or arrays by name.  Out: a `LinnetFunction`.  jax is imported
when `load` is called, so that where it is not installed the call says what to do.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from linnet_core.loading.entries import known_entry
from linnet_core.loading.fit import fit, read, warn_of_unused
from linnet_core.loading.model import open_model
from linnet_core.loading.progress import shown_progress
from linnet_core.loading.reports import whole_reports
from linnet_core.loading.tree import optional_members
from linnet_core.weights.bindings import names_given
from linnet_core.weights.checkpoint import open_checkpoint
from linnet_jax.runner import installed_jax

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.loading.fit import Progress
    from linnet_core.loading.model import Model
    from linnet_core.weights.bindings import TensorNames
    from linnet_jax.loading.arrays import Arrays
    from linnet_jax.loading.function import LinnetFunction
    from linnet_jax.loading.layout import Where
    from linnet_jax.loading.program import Program


def load(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    generics: Mapping[str, Any] | None = None,
    preset: str | None = None,
    root: str | None = None,
    entry: str | None = None,
    weights: str | os.PathLike[str] | Arrays | None = None,
    bindings: str | os.PathLike[str] | Mapping[str, str] | None = None,
    std: str | None = None,
    numerics: str = "equivalent",
    device: Where | Mapping[str, Where] | None = None,
    cast_dtype: bool = False,
    strict: bool = True,
    progress: bool | Progress = True,
    prepare: bool = False,
) -> LinnetFunction:
    """The model of `source` as a function.

    `generics` (and `preset` of the package) bind the root; those of entries come from the inputs of each call.  `entry` is what a call
    without a name runs (else `forward`, or the only one).  `weights` is a safetensors file, a directory of them, or arrays by name, of
    which those of JAX are shared, those of NumPy and tensors of PyTorch copied; without, parameters are zeros and optional members are not
    there.  `bindings` leads from paths to names of tensors.  `strict` refuses tensors that nothing takes; else a warning names them.
    `cast_dtype` takes floats of another width, here and in `apply`.  `progress` is told of every tensor that was read: bytes so far, bytes
    of all, its name; True shows a bar on a terminal where there is much to read.  `prepare` does work on weights alone once, not
    in each call.

    `device` is a `jax.Device` or a `jax.sharding.Sharding` for parameters, buffers and states, or leads to such from globs of their paths,
    of which the first that matches counts; what is not said goes where JAX puts arrays by itself.

    Raises `LinnetError`: `SourceError` and `UsageError` for the model, `DocumentError` listing everything that does not fit of the weights,
    `MissingRuntime` where JAX is not installed.
    """
    installed_jax()
    from linnet_jax.loading.function import LinnetFunction

    with whole_reports():
        model = open_model(source, generics=generics, preset=preset, root=root, std=std, numerics=numerics)
        name = None if entry is None else known_entry(model, entry)
        options: dict[str, Any] = {"prepare": prepare, "cast_dtype": cast_dtype, "device": device}
        program, arrays = _program(model, weights, names_given(bindings, weights), options, strict=strict, progress=progress)
    return LinnetFunction(program, arrays, name)


def _program(
    model: Model,
    weights: str | os.PathLike[str] | Arrays | None,
    names: TensorNames | None,
    options: dict[str, Any],
    *,
    strict: bool,
    progress: bool | Progress,
) -> tuple[Program, dict[str, Any]]:
    """The program, and an array for each path; paths that are bound to one tensor share it where they lie in one place."""
    from linnet_jax.loading.arrays import as_weights, placed, zeros
    from linnet_jax.loading.program import Program

    if weights is None:
        program = Program(model, optional_members(model.tree), **options)
        return program, {path: zeros(leaf.shape, leaf.dtype, program.layout.of(path)) for path, leaf in program.parameters.items()}
    holder = open_checkpoint(os.fspath(weights)) if isinstance(weights, str | os.PathLike) else as_weights(weights)
    found = fit(model.tree, holder, names, strict=strict, cast_dtype=options["cast_dtype"])
    warn_of_unused(holder, found)
    program = Program(model, found.absent, **options)
    arrays: dict[str, Any] = {}
    with shown_progress(progress) as tell:
        for loaded in read(model.tree, holder, found, tell):
            on: dict[Where | None, Any] = {}
            for path in loaded.paths:
                where = program.layout.of(path)
                if where not in on:
                    on[where] = placed(loaded.array, where)
                arrays[path] = on[where]
    return program, {path: arrays[path] for path in found.names}
