"""What printing one entry knows: names, known scalars, types, and which support functions the text has used so far.

In: the steps after all passes.  Out: `Writer`, which the files of `emit/` take to spell operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.calls import Operand
from linnet_core.python_source.literals import real_text

if TYPE_CHECKING:
    from linnet_core.graph.calls import ResultType
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
SHORT_FLOATS = ("f16", "bf16")


class Writer:
    """The state of printing.

    `scalars` are names whose value is known; they are written as literals where torch takes a number.  What the text of one step needs is collected in
    `tensors` (names it reads as tensors), `support` (functions) and `functional`, `on_device`; `fresh()` empties them.
    """

    def __init__(self, scalars: dict[str, Scalar], types: dict[str, ResultType], numerics: str) -> None:
        self.scalars = scalars
        self.types = types
        self.numerics = numerics
        self.fresh()

    def fresh(self) -> None:
        """Start the text of another step."""
        self.tensors: list[str] = []
        self.support: set[str] = set()
        self.functional = False
        self.on_device = False

    @property
    def device(self) -> str:
        """The device new tensors are made on."""
        self.on_device = True
        return "_device"

    def use(self, function: str) -> str:
        """Note that a support function is used; its name."""
        self.support.add(function)
        return function

    def f(self, function: str) -> str:
        """Note that `torch.nn.functional` is used; the function's name in it."""
        self.functional = True
        return f"F.{function}"

    def tensor(self, operand: Operand | None) -> str:
        """The operand as a tensor."""
        assert operand is not None
        name = str(operand.value)
        self.tensors.append(name)
        return name

    def number(self, operand: Operand | None) -> str | None:
        """The operand as a Python number, when its value is known."""
        assert operand is not None
        value = self.scalars.get(str(operand.value))
        return None if value is None else scalar_text(value)

    def operands(self, *operands: Operand | None) -> list[str]:
        """The operands of an elementwise call: known scalars as numbers, but at least one tensor, so that the dtype is the tensor's."""
        texts = [self.number(o) for o in operands]
        if all(text is not None for text in texts):
            texts[0] = None
        return [text if text is not None else self.tensor(o) for text, o in zip(texts, operands, strict=True)]


def scalar_text(value: Scalar) -> str:
    """A number as Python writes it, in parentheses when it starts with a minus."""
    text = real_text(value) if isinstance(value, float) else repr(value)
    return f"({text})" if text.startswith("-") else text


def shape_text(shape: tuple[int, ...]) -> str:
    """A tuple of sizes."""
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"
