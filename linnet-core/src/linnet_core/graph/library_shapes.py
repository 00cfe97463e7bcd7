"""What the operands of a library call are to each other.

In: a `native_call`.  Out: what is wrong with it, in words, or None.  A target writes a call it takes by the op's signature, so a document
whose operands are not those of the op must not reach it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.graph.calls import NativeCall

_ATTENTION = (
    "B H Q D, B H K D, B H K D, ., Q K? -> B H Q D",
    "B H Q D, B H K D, B H K D, ., B Q K -> B H Q D",
    "B H Q D, B G K D, B G K D, ., Q K? -> B H Q D",
    "B H Q D, B G K D, B G K D, ., B Q K -> B H Q D",
)
_ONE = ("*S -> *S",)

#: The signatures of the ops an implementation stands for, by its name, without what stands in parentheses unless that takes other
#: operands: the axes of each operand, `.` for a number, `*S` for any axes, `?` for an operand that may be absent.
SIGNATURES: dict[str, tuple[str, ...]] = {
    "torch.nn.functional.embedding": ("*S, V H -> *S H",),
    "torch.index_select": ("*S N, M -> *S M",),
    "torch.tril": ("-> Q K",),
    "torch.nn.functional.conv1d": ("B C H, O C K, O? -> B O P",),
    "torch.nn.functional.conv2d": ("B C H W, O C K L, O? -> B O P R",),
    "torch.nn.functional.max_pool2d": ("B C H W -> B C P R",),
    "torch.nn.functional.interpolate": ("B C H W -> B C P R",),
    "torch.Tensor.mean": ("B C H W -> B C",),
    "torch.nn.functional.batch_norm": ("B C H W, C, C, C, C, . -> B C H W",),
    "torch.nn.functional.group_norm": ("B C H W, C, C, . -> B C H W",),
    "torch.Tensor.index_copy": ("B H S D, B H N D, . -> B H S D",),
    "torch.Tensor.index_put": (
        "B H S D, B H O D, B -> B H S D",
        "B H S D, O H N D, ., . -> B H S D",
        "B H S D, M H N D, M, . -> B H S D",
    ),
    "torch.Tensor.index_put(tokens)": ("B H S D, O H P D, P, P -> B H S D",),
    "torch.matmul": ("*B M K, *B K N -> *B M N",),
    "torch.nn.functional.linear": ("*S I, O I, O? -> *S O",),
    "torch.softmax": ("*S N -> *S N",),
    "torch.relu": _ONE,
    "torch.sigmoid": _ONE,
    "torch.nn.functional.silu": _ONE,
    "torch.nn.functional.gelu": _ONE,
    "torch.rms_norm": ("*S H, H, . -> *S H",),
    "torch.nn.functional.layer_norm": ("*S H, H, H?, . -> *S H",),
    "torch.nn.functional.scaled_dot_product_attention": _ATTENTION,
    "linnet.linear_token_log_probs": ("N H, V H, N -> N",),
    "linnet.linear_cross_entropy": ("N H, V H, N, N -> .",),
    "linnet.sink_attention": ("B H Q D, B G K D, B G K D, H, ., B Q K -> B H Q D",),
    "linnet.paged_attention": ("B H O D, O G N D, O G N D, B P, B, . -> B H O D",),
    "linnet.paged_prefill_attention": ("O H P D, O G N D, O G N D, R Q, P, P, . -> O H P D",),
}


def broken_signature(call: NativeCall) -> str | None:
    """Why `call` is no call of an op its implementation stands for; None when it is, or when nothing is known of the implementation."""
    name = call.implementation.partition("(")[0].strip()
    signatures = SIGNATURES.get(call.implementation) or SIGNATURES.get(name)
    if signatures is None:
        return None
    operands = [None if operand is None else operand.shape for operand in call.operands]
    if any(_fits(signature, operands, call.shape) for signature in signatures):
        return None
    found = ", ".join("none" if shape is None else str(list(shape)) for shape in operands)
    return f"operands: {name} takes {' or '.join(signatures)}, not {found} -> {list(call.shape)}"


def _fits(signature: str, operands: Sequence[tuple[int, ...] | None], result: tuple[int, ...]) -> bool:
    """Whether each name of the signature stands for the same size, or the same axes, everywhere."""
    left, _, right = signature.partition("->")
    wanted = [part.strip() for part in left.split(",") if part.strip()]
    if len(wanted) != len(operands):
        return False
    known: dict[str, tuple[int, ...]] = {}
    for part, shape in zip((*wanted, right.strip()), (*operands, result), strict=True):
        if shape is None:
            if not part.endswith("?"):
                return False
        elif not _binds(part.removesuffix("?"), shape, known):
            return False
    return True


def _binds(part: str, shape: tuple[int, ...], known: dict[str, tuple[int, ...]]) -> bool:
    names = [] if part == "." else part.split()
    rest = len(shape) - (len(names) - 1) if names and names[0].startswith("*") else None
    if (len(names) != len(shape)) if rest is None else rest < 0:
        return False
    at = 0
    for name in names:
        width = 1 if rest is None or not name.startswith("*") else rest
        if known.setdefault(name, shape[at : at + width]) != shape[at : at + width]:
            return False
        at += width
    return True
