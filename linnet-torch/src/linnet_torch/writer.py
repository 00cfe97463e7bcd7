"""What printing PyTorch knows beside the shared `Writer`: dtypes, the device, the functional module.

In: the shared writer.  Out: `TorchWriter`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.literals import shortest
from linnet_core.python_source.writer import Writer, scalar_text, shape_text

if TYPE_CHECKING:
    from linnet_core.graph.calls import Operand
    from linnet_core.python_source.fold import Scalar

#: Dtypes of the language as torch spells them.
DTYPES = {
    "bool": "torch.bool",
    "i8": "torch.int8",
    "i16": "torch.int16",
    "i32": "torch.int32",
    "i64": "torch.int64",
    "u8": "torch.uint8",
    "u16": "torch.uint16",
    "u32": "torch.uint32",
    "u64": "torch.uint64",
    "f16": "torch.float16",
    "bf16": "torch.bfloat16",
    "f32": "torch.float32",
    "f64": "torch.float64",
}

#: Stored as such, computed in int64: torch has few operations on them.
UNSIGNED_WIDE = ("u16", "u32", "u64")
#: The signed dtype of the same width: moving bits about needs no arithmetic.
SIGNED_VIEW = {"u16": "torch.int16", "u32": "torch.int32", "u64": "torch.int64"}


class TorchWriter(Writer):
    """Sets the flags `functional`, `device` and `devices` where the text needs `F`, `_device` or (what is `placed`) `devices`."""

    def __init__(self, scalars: dict[str, Scalar], numerics: str, *, placed: bool = False) -> None:
        super().__init__(scalars, numerics)
        self._placed = placed

    @property
    def device(self) -> str:
        """The device new tensors are made on."""
        if self._placed:
            return self.device_at(self.slot)
        self.flags.add("device")
        return "_device"

    def device_at(self, slot: int) -> str:
        """The device of a slot."""
        self.flags.add("devices")
        return f"devices[{slot}]"

    def number(self, operand: Operand | None) -> str | None:
        """The operand as a Python number, when its value is known; that of an f32 by as few digits as tell it apart."""
        assert operand is not None
        value = self.scalars.get(str(operand.value))
        return None if value is None else scalar_text(shortest(value, operand.dtype))

    def f(self, function: str) -> str:
        """The name of a function of `torch.nn.functional`."""
        self.flags.add("functional")
        return f"F.{function}"


__all__ = ["DTYPES", "SIGNED_VIEW", "UNSIGNED_WIDE", "TorchWriter", "scalar_text", "shape_text", "shortest"]
