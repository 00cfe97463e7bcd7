"""`load`: a model and its weights as a function.

In: a `.linnet` file, a package or a plan; generics; safetensors files, or a mapping of arrays.  Out: a `LinnetFunction`.  jax is imported
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
from linnet_core.loading.tree import leaves, optional_members
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
    cast_dtype: bool = False,
    strict: bool = True,
    progress: bool | Progress = True,
    prepare: bool = False,
) -> LinnetFunction:
    """The model of `source` as a function.

    `generics` (and `preset` of the package) bind the root; those of entries come from the inputs of each call.  `entry` is what a call
    without a name runs (else `forward`, or the only one).  `weights` is a safetensors file, a directory of them, or arrays by name, of
    which those of JAX are shared; without, parameters are zeros and optional members are not there.  `bindings` leads from paths to names
    of tensors.  `strict` refuses tensors that nothing takes; else a warning names them.  `cast_dtype` takes floats of another width, here
    and in `apply`.  `progress` is told of every tensor that was read: bytes so far, bytes of all, its name; True shows a bar on a terminal
    where there is much to read.  `prepare` does work on weights alone once, not in each call.

    Raises `LinnetError`: `SourceError` and `UsageError` for the model, `DocumentError` listing everything that does not fit of the weights,
    `MissingRuntime` where JAX is not installed.
    """
    installed_jax()
    from linnet_jax.loading.function import LinnetFunction
    from linnet_jax.loading.program import Program

    with whole_reports():
        model = open_model(source, generics=generics, preset=preset, root=root, std=std, numerics=numerics)
        name = None if entry is None else known_entry(model, entry)
        absent, arrays = _arrays(model, weights, names_given(bindings), strict=strict, cast_dtype=cast_dtype, progress=progress)
    return LinnetFunction(Program(model, absent, prepare=prepare, cast_dtype=cast_dtype), arrays, name)


def _arrays(
    model: Model,
    weights: str | os.PathLike[str] | Arrays | None,
    names: TensorNames | None,
    *,
    strict: bool,
    cast_dtype: bool,
    progress: bool | Progress,
) -> tuple[frozenset[str], dict[str, Any]]:
    """The optional members that are not there, and an array for each path; paths that are bound to one tensor share it."""
    from linnet_jax.loading.arrays import as_weights, owned, zeros

    if weights is None:
        absent = optional_members(model.tree)
        return absent, {leaf.path: zeros(leaf.shape, leaf.dtype) for leaf in leaves(model.tree, absent) if leaf.kind != "state"}
    holder = open_checkpoint(os.fspath(weights)) if isinstance(weights, str | os.PathLike) else as_weights(weights)
    found = fit(model.tree, holder, names, strict=strict, cast_dtype=cast_dtype)
    arrays: dict[str, Any] = {}
    warn_of_unused(holder, found)
    with shown_progress(progress) as tell:
        for loaded in read(model.tree, holder, found, tell):
            arrays.update(dict.fromkeys(loaded.paths, owned(loaded.array)))
    return found.absent, {path: arrays[path] for path in found.names}
