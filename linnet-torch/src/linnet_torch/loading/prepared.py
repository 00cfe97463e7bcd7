"""What entries prepare of the weights, held once for all of them and made again when the weights change.

In: the printed module of an entry and its parameters as they stand.  Out: the prepared values in the order `main` takes them.  Entries
that name a value by one key share it.  Weights are known by their tensor, its version and its memory; a write through `.data` moves none
of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from linnet_core.errors import RuntimeFailure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.loading.generated import GeneratedModule

#: A tensor, its version, the address of its memory.
Stamp = tuple[torch.Tensor, int, int]


class PreparedValues:
    """Prepared values by key, and the weights by path they were made of."""

    def __init__(self) -> None:
        self._values: dict[str, torch.Tensor] = {}
        self._made_of: dict[str, Stamp] = {}

    def clear(self) -> None:
        """Forget everything: the next call of each entry prepares again."""
        self._values.clear()
        self._made_of.clear()

    def of(
        self, generated: GeneratedModule, parameters: Sequence[torch.Tensor], stamps: Sequence[Stamp], device: Any
    ) -> list[torch.Tensor]:
        """The values of an entry; `stamps` are those of its `prepare_inputs`."""
        paths = generated.prepare_inputs
        if any(path in self._made_of and not same([self._made_of[path]], [stamp]) for path, stamp in zip(paths, stamps, strict=True)):
            self.clear()
        if not all(key in self._values for key in generated.prepared):
            for path, (tensor, _, _) in zip(paths, stamps, strict=True):
                if released_from(tensor) is not None:
                    raise RuntimeFailure(f"`{path}` is needed and was released after preparing; load its weights again")
            with torch.inference_mode(False), torch.no_grad():
                made = generated.prepare(parameters, device)
            for key, value in zip(generated.prepared, made, strict=True):
                self._values.setdefault(key, value)
        self._made_of.update(zip(paths, stamps, strict=True))
        return [self._values[key] for key in generated.prepared]

    def released(self, path: str, tensor: torch.Tensor) -> None:
        """Take `tensor`, which holds nothing, for the weight at `path` from here on."""
        self._made_of[path] = stamp(tensor)


def stamp(tensor: torch.Tensor) -> Stamp:
    """What tells a weight from the one that was there before."""
    return tensor, 0 if tensor.is_inference() else tensor._version, tensor.data_ptr()


def same(first: Sequence[Stamp], second: Sequence[Stamp]) -> bool:
    """Whether nothing changed from one to the other."""
    return all(a[0] is b[0] and a[1] == b[1] and a[2] == b[2] for a, b in zip(first, second, strict=True))


def release(parameter: torch.nn.Parameter) -> torch.nn.Parameter:
    """A parameter of the same type that holds nothing and remembers where it was."""
    empty = torch.nn.Parameter(torch.empty_like(parameter, device="meta"), requires_grad=False)
    empty.released_from = parameter.device  # type: ignore[attr-defined] # an attribute of ours on torch's parameter
    return empty


def released_from(tensor: object) -> torch.device | None:
    """The device a released parameter was on; None for any other."""
    return getattr(tensor, "released_from", None)
