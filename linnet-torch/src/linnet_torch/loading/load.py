"""`load`: a model and its weights as a module.

In: a `.linnet` file, a package or a plan; generics; safetensors files, or a mapping such as a `state_dict`.  Out: a `LinnetModule`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from linnet_core.errors import UsageError
from linnet_core.loading.by_name import by_name
from linnet_core.loading.fit import fit, read, warn_of_unused
from linnet_core.loading.model import open_model
from linnet_core.loading.progress import shown_progress
from linnet_core.loading.reports import whole_reports
from linnet_core.loading.tree import leaves, optional_members
from linnet_core.text.cells import show_inline
from linnet_core.weights.arrays import dtype_name as array_dtype
from linnet_core.weights.bindings import names_given
from linnet_core.weights.checkpoint import open_checkpoint
from linnet_core.weights.safetensors import Entry
from linnet_torch.loading.backend import backend_of
from linnet_torch.loading.dtypes import TORCH_DTYPES, dtype_name
from linnet_torch.loading.module import LinnetModule
from linnet_torch.loading.program import Options, Program
from linnet_torch.loading.slots import slots_of
from linnet_torch.runner import to_numpy, to_torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from linnet_core.loading.fit import Progress
    from linnet_core.loading.model import Model
    from linnet_core.weights.bindings import TensorNames
    from linnet_core.weights.checkpoint import Holder


def load(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    generics: Mapping[str, Any] | None = None,
    preset: str | None = None,
    root: str | None = None,
    weights: str | os.PathLike[str] | Mapping[str, torch.Tensor | np.ndarray[Any, Any]] | None = None,
    bindings: str | os.PathLike[str] | Mapping[str, str] | None = None,
    std: str | None = None,
    numerics: str = "equivalent",
    device: str | torch.device = "cpu",
    place: Mapping[str, str | torch.device] | None = None,
    offload: str | Iterable[str] = (),
    prepare: bool = False,
    trainable: bool | str | Iterable[str] = False,
    compile: str | bool | Callable[..., Any] | None = None,
    strict: bool = True,
    cast_dtype: bool = False,
    progress: bool | Progress = True,
) -> LinnetModule:
    """The model of `source` as a module.

    `generics` (and `preset` of the package) bind the root; those of entries come from the inputs of each call.  `weights` is a
    safetensors file, a directory of them, or tensors by name, arrays of NumPy among them; without, parameters are zeros and optional
    members are not there.  `bindings` leads from paths to names of tensors.  `strict` refuses tensors that nothing takes; else a warning
    names them.  `cast_dtype` takes floats of another width.

    `place` leads from blocks to devices, the rest being on `device`; the parameters of blocks in `offload` stay on the host but for the
    time of a call.  `prepare` does work on weights alone once.  `trainable` is what `LinnetModule.set_trainable` takes, `compile` a
    backend of torch.compile: a name that torch lists, True (`inductor`), or a function.  `progress` is told of every tensor that was read:
    bytes so far, bytes of all, its name; True shows a bar on a terminal where there is much to read.

    Raises `LinnetError`: `SourceError` and `UsageError` for the model, `DocumentError` listing everything that does not fit of the weights.
    """
    with whole_reports():
        model = open_model(source, generics=generics, preset=preset, root=root, std=std, numerics=numerics)
        slots = slots_of(model, device, place or {}, (offload,) if isinstance(offload, str) else offload, prepare=prepare)
        options = Options(
            devices=slots.devices,
            backend=backend_of(compile),
            prepare=prepare,
            place=slots.place,
            offload=slots.offload,
        )
        with torch.inference_mode(False), torch.no_grad():
            module = _module(model, options, weights, names_given(bindings, weights), progress, strict=strict, cast_dtype=cast_dtype)
        module.set_trainable(trainable)
    return module


def _module(
    model: Model,
    options: Options,
    weights: str | os.PathLike[str] | Mapping[str, torch.Tensor | np.ndarray[Any, Any]] | None,
    names: TensorNames | None,
    progress: bool | Progress,
    *,
    strict: bool,
    cast_dtype: bool,
) -> LinnetModule:
    if weights is None:
        program = Program(model, optional_members(model.tree), options)
        return LinnetModule(program, _leaf_tensors(program, {}))
    holder: Holder = open_checkpoint(os.fspath(weights)) if isinstance(weights, str | os.PathLike) else _Tensors(weights)
    found = fit(model.tree, holder, names, strict=strict, cast_dtype=cast_dtype)
    warn_of_unused(holder, found)
    program = Program(model, found.absent, options)
    tensors: dict[str, torch.Tensor] = {}
    buffers = {leaf.path for leaf in leaves(model.tree, found.absent) if leaf.kind == "buffer"}
    with shown_progress(progress) as tell:
        for loaded in read(model.tree, holder, found, tell):
            on: dict[torch.device, torch.Tensor] = {}
            for path in loaded.paths:
                device = program.device_of(path, is_parameter=path not in buffers)
                if device not in on:
                    on[device] = _copy(loaded.array, device)
                tensors[path] = on[device]
    return LinnetModule(program, _leaf_tensors(program, tensors))


def _copy(array: np.ndarray[Any, Any], device: torch.device) -> torch.Tensor:
    """A tensor of its own: the array may be the memory of the file, or of the tensor that was given."""
    own = torch.empty(array.shape, dtype=TORCH_DTYPES[array_dtype(array.dtype)], device=device)
    if device.type != "cpu":
        return own.copy_(to_torch(torch, array))
    # written as NumPy sees it, without a copy between: torch takes no memory that is read-only, and knows no bf16 of NumPy
    is_bf16 = own.dtype == torch.bfloat16
    np.copyto((own.view(torch.int16) if is_bf16 else own).numpy(), array.view(np.int16) if is_bf16 else array)
    return own


def _leaf_tensors(program: Program, loaded: Mapping[str, torch.Tensor]) -> dict[str, Any]:
    """A parameter, buffer or state for each path; paths that share a tensor share the parameter."""
    made: dict[str, Any] = {}
    shared: dict[int, torch.nn.Parameter] = {}
    kept: list[torch.Tensor] = []  # holds the tensors, whose ids tell them apart: a parameter is another object
    for leaf in leaves(program.model.tree, program.absent):
        tensor = loaded.get(leaf.path)
        if tensor is None:
            device = program.device_of(leaf.path, is_parameter=leaf.kind == "param")
            tensor = torch.zeros(leaf.shape, dtype=TORCH_DTYPES[leaf.dtype], device=device)
        if leaf.kind == "param":
            kept.append(tensor)
            tensor = shared.setdefault(id(tensor), torch.nn.Parameter(tensor, requires_grad=False))
        made[leaf.path] = tensor
    return made


class _Tensors:
    """Tensors by name, as a `state_dict` has them, or arrays, where a checkpoint is due; `UsageError` for what is neither."""

    path = "the mapping of weights"

    def __init__(self, tensors: Mapping[str, torch.Tensor | np.ndarray[Any, Any]]) -> None:
        for name, each in by_name(tensors).items():
            if not isinstance(each, torch.Tensor | np.ndarray | np.generic):
                raise UsageError(f"weights: `{show_inline(name)}` is no tensor, nor an array of NumPy, but {type(each).__name__}")
            if isinstance(each, torch.Tensor) and (each.is_meta or each.layout != torch.strided):
                kind = "on the device `meta`, without elements" if each.is_meta else f"laid out as {each.layout}; give it dense"
                raise UsageError(f"weights: `{show_inline(name)}` is {kind}")
        self._tensors = tensors
        self.entries = {name: _entry(tensor) for name, tensor in tensors.items()}
        self.aliases: dict[str, str] = {}

    def array(self, name: str) -> Any:
        """One tensor, on the CPU, float8 as its bytes."""
        held = self._tensors[name]
        narrow = _name(held).startswith("float8")
        if not isinstance(held, torch.Tensor):
            return np.asarray(held).view(np.uint8) if narrow else np.asarray(held)
        tensor = held.detach().cpu()
        return to_numpy(torch, tensor.view(torch.uint8) if narrow else tensor)


def _name(tensor: torch.Tensor | np.ndarray[Any, Any]) -> str:
    return dtype_name(tensor.dtype) if isinstance(tensor, torch.Tensor) else array_dtype(tensor.dtype)


def _entry(tensor: torch.Tensor | np.ndarray[Any, Any]) -> Entry:
    name = _name(tensor)
    return Entry(name, "u8" if name.startswith("float8") else name, tuple(tensor.shape), 0, tensor.nbytes)
