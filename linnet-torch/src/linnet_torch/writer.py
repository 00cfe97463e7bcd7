"""What printing PyTorch knows beside the shared `Writer`: dtypes, the device, the functional module.

In: the shared writer.  Out: `TorchWriter`.
"""

from __future__ import annotations

from linnet_core.python_source.writer import Writer, scalar_text, shape_text

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
#: Computed with operations that hold their values in f32.
SHORT_FLOATS = ("f16", "bf16")


class TorchWriter(Writer):
    """Sets the flags `functional` and `device` where the text needs `F` or `_device`."""

    @property
    def device(self) -> str:
        """The device new tensors are made on."""
        self.flags.add("device")
        return "_device"

    def f(self, function: str) -> str:
        """The name of a function of `torch.nn.functional`."""
        self.flags.add("functional")
        return f"F.{function}"


__all__ = ["DTYPES", "SHORT_FLOATS", "SIGNED_VIEW", "UNSIGNED_WIDE", "TorchWriter", "scalar_text", "shape_text"]
