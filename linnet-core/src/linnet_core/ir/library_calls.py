"""The library calls that may stand for an op of the standard library, and which one a policy chooses.

In: an op's qualified name and a numerics policy; a module.  Out: candidates in the order an exporter tries them; the module with
`selected` set on every `semantic.call`.

The strings are spelled after PyTorch for every target, because the plan prints them; whether a target takes a candidate is its own
affair.  A trailing "(input dtype)" means that nothing is widened to f32, "(enable_gqa)" before it grouped key and value heads.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from linnet_core.ir.module import Function, Module, Op
from linnet_core.ir.ops import CANONICAL
from linnet_core.ir.rewrite import map_function, replaced_attrs

Numerics = Literal["exact", "equivalent", "fast"]

#: How far a library call may be from the op's body: bit for bit; but for the sign of zero and such; but for rounding; approximate.
Legality = Literal["exact", "ieee-equivalent", "numerically-equivalent", "approximate"]

_ORDER: tuple[Legality, ...] = ("exact", "ieee-equivalent", "numerically-equivalent", "approximate")

#: The most permissive legality a policy admits.
CEILINGS: dict[Numerics, Legality] = {"exact": "exact", "equivalent": "numerically-equivalent", "fast": "approximate"}


class LibraryCall(Struct, frozen=True):
    """A row: `op` may be computed by `implementation`; `requirements` say when, for people."""

    op: str
    implementation: str
    legality: Legality
    requirements: tuple[str, ...] = ()


_SDPA = "torch.nn.functional.scaled_dot_product_attention"
_INPUT_DTYPE = " (input dtype)"
_RANGE_CHECK = "positions outside the cache write nothing, as in the body"
_F32 = "computed in f32 and rounded once"
_NO_WIDENING = "computed in the operands' dtype"


def _exact(op: str, implementation: str, *requirements: str) -> LibraryCall:
    return LibraryCall(f"std.{op}", implementation, "exact", requirements)


def _equal(op: str, implementation: str, *requirements: str) -> LibraryCall:
    return LibraryCall(f"std.{op}", implementation, "numerically-equivalent", requirements)


def _fast(op: str, implementation: str, *requirements: str) -> LibraryCall:
    return LibraryCall(f"std.{op}", implementation, "approximate", requirements)


LIBRARY_CALLS: tuple[LibraryCall, ...] = (
    _exact("nn.embedding::embedding", "torch.nn.functional.embedding", "ids are widened to i64"),
    _exact("quant::take_inputs", "torch.index_select", "positions are widened to i64"),
    _exact("nn.attention::causal_mask", "torch.tril", "a result of rank 2"),
    _equal("nn.conv::conv2d", "torch.nn.functional.conv2d", "Stride and Pad are known"),
    _equal("nn.conv::conv2d_rect", "torch.nn.functional.conv2d(rect)", "StrideH, StrideW, PadH and PadW are known"),
    _equal("nn.conv::conv1d", "torch.nn.functional.conv1d", "Stride and Pad are known"),
    _exact("nn.pool::max_pool2d", "torch.nn.functional.max_pool2d", "K, Stride and Pad are known", "2 * Pad <= K"),
    _equal("nn.pool::global_average_pool2d", "torch.Tensor.mean", "accumulated in f32"),
    _equal("nn.norm::batch_norm", "torch.nn.functional.batch_norm", "inference mode", "eps is known"),
    _equal("nn.norm::group_norm", "torch.nn.functional.group_norm", "Groups is known", "eps is known"),
    _exact(
        "nn.resize::upsample_nearest2d", "torch.nn.functional.interpolate(nearest)", "rank 4", "height and width grow by one whole factor"
    ),
    _exact("nn.cache::write_at", "torch.Tensor.index_copy", _RANGE_CHECK),
    _exact("nn.cache::write_span", "torch.Tensor.index_copy", _RANGE_CHECK, "the span is not longer than the cache"),
    _exact("nn.cache::write_rows", "torch.Tensor.index_put", _RANGE_CHECK, "rank 4"),
    _exact("nn.cache::write_slot", "torch.Tensor.index_put", _RANGE_CHECK, "rank 4"),
    _exact("nn.cache::write_slots", "torch.Tensor.index_put", _RANGE_CHECK, "rank 4"),
    _exact("nn.cache::write_tokens", "torch.Tensor.index_put(tokens)", _RANGE_CHECK, "one row and one position per token"),
    _equal("linalg::matmul", "torch.matmul", "the operands' dtype"),
    _equal("linalg::batched_matmul", "torch.matmul", "the operands' dtype"),
    _equal("nn.linear::linear", "torch.nn.functional.linear", "the bias may be absent"),
    _equal("nn.softmax::softmax", "torch.softmax", "the last axis", "accumulated in f32"),
    _fast("nn.softmax::softmax", "torch.softmax" + _INPUT_DTYPE, "the last axis", _NO_WIDENING),
    LibraryCall("std.nn.activations::relu", "torch.relu", "ieee-equivalent", ("the sign of zero may differ",)),
    _equal("nn.activations::sigmoid", "torch.sigmoid"),
    _equal("nn.activations::silu", "torch.nn.functional.silu"),
    _equal("nn.activations::gelu", "torch.nn.functional.gelu(tanh)", "the tanh approximation"),
    _equal("nn.activations::gelu_erf", "torch.nn.functional.gelu", "the exact error function"),
    _equal("nn.norm::rms_norm", "torch.rms_norm", "the last axis", "eps is known", _F32),
    _fast("nn.norm::rms_norm", "torch.rms_norm" + _INPUT_DTYPE, "the last axis", "eps is known", _NO_WIDENING),
    _equal("nn.norm::layer_norm", "torch.nn.functional.layer_norm", "the last axis", "eps is known", _F32),
    _fast("nn.norm::layer_norm", "torch.nn.functional.layer_norm" + _INPUT_DTYPE, "the last axis", "eps is known", _NO_WIDENING),
    _equal("nn.attention::attention", _SDPA, _F32),
    _fast("nn.attention::attention", _SDPA + _INPUT_DTYPE, _NO_WIDENING),
    _equal("nn.attention::attention_rows", _SDPA, _F32),
    _fast("nn.attention::attention_rows", _SDPA + _INPUT_DTYPE, _NO_WIDENING),
    _equal("nn.attention::grouped_attention", _SDPA + " (enable_gqa)", "query heads are a multiple of the key heads", _F32),
    _fast("nn.attention::grouped_attention", _SDPA + " (enable_gqa)" + _INPUT_DTYPE, "query heads are a multiple of the key heads"),
    _equal("nn.attention::grouped_attention_rows", _SDPA + " (enable_gqa)", "query heads are a multiple of the key heads", _F32),
    _fast("nn.attention::grouped_attention_rows", _SDPA + " (enable_gqa)" + _INPUT_DTYPE, "query heads are a multiple of the key heads"),
    _fast("nn.attention::sink_attention", "linnet.sink_attention", "one sink a query head"),
    _fast("nn.attention::paged_attention", "linnet.paged_attention", "one query a sequence"),
    _fast(
        "nn.attention::paged_prefill_attention",
        "linnet.paged_prefill_attention",
        "a page holds the same positions in each row that lists it",
    ),
    _equal("nn.loss::linear_cross_entropy", "linnet.linear_cross_entropy", "the logits are never whole in memory"),
    _equal("nn.loss::linear_token_log_probs", "linnet.linear_token_log_probs", "the logits are never whole in memory"),
    _equal("nn.loss::split_cross_entropy", "linnet.split_cross_entropy", "the vocabulary is split across processes"),
    _equal("nn.loss::split_token_log_probs", "linnet.split_token_log_probs", "the vocabulary is split across processes"),
    _exact("nn.parallel::all_reduce", "torch.distributed.all_reduce", "the operand itself without a process group"),
    _exact("nn.parallel::all_gather", "torch.distributed.all_gather", "the operand itself without a process group"),
    _exact("nn.parallel::shared", "torch.distributed.shared", "the operand itself without a process group"),
    _fast("nn.moe::linear_experts", "torch._grouped_mm", "bf16", "widths are multiples of 8"),
    _fast("nn.moe::linear_experts_shared", "torch._grouped_mm(shared)", "bf16", "widths are multiples of 8"),
    _fast("nn.moe::combine_experts", "torch._grouped_mm(combined)", "bf16", "widths are multiples of 8"),
    _fast(
        "quant::linear_int4_groups",
        "torch.ops.aten._weight_int4pack_mm",
        "bf16 scales",
        "groups of 32, 64, 128 or 256",
        "inputs are a multiple of 128, outputs of 8",
    ),
    _exact("quant::decode_fp8", "linnet.decode_fp8", "the NaN pattern reads as a number, as in the body"),
    _fast("quant::linear_fp8", "torch._scaled_mm", "bf16", "widths are multiples of 16"),
    _equal("quant::mxfp4_experts", "linnet.mxfp4_experts", "only the chosen experts are unpacked"),
    _equal("quant::mxfp4_experts_shared", "linnet.mxfp4_experts(shared)", "only the chosen experts are unpacked"),
    _fast("quant::mxfp4_linear_experts_shared", "linnet.mxfp4_grouped(shared)", "bf16"),
    _fast("quant::mxfp4_combine_experts", "linnet.mxfp4_grouped(combine)", "bf16"),
)

_BY_OP: dict[str, list[LibraryCall]] = {}
for _row in LIBRARY_CALLS:
    _BY_OP.setdefault(_row.op, []).append(_row)


#: The ops that have library calls, under whatever policy.
WITH_LIBRARY_CALLS = frozenset(_BY_OP)


def rows_of(op_name: str) -> tuple[LibraryCall, ...]:
    """Every library call of an op, the most permissive first, then as listed: the order in which those a policy admits are tried."""
    return tuple(sorted(_BY_OP.get(op_name, ()), key=lambda row: -_ORDER.index(row.legality)))


def is_admitted(row: LibraryCall, numerics: Numerics) -> bool:
    """Whether a policy admits a library call at all."""
    return _ORDER.index(row.legality) <= _ORDER.index(CEILINGS[numerics])


def candidates(op_name: str, numerics: Numerics) -> tuple[LibraryCall, ...]:
    """The library calls a policy admits for an op, in the order they are tried: the most permissive first, then as listed."""
    return tuple([row for row in rows_of(op_name) if is_admitted(row, numerics)])


def select_library_calls(module: Module, numerics: Numerics) -> Module:
    """The module with the first candidate's implementation as `selected` of each semantic call, in bodies and gradients."""

    def choose(op: Op) -> Op:
        if op.kind != "semantic.call":
            return op
        found = candidates(op.attrs["callee"], numerics)
        selected = found[0].implementation if found else CANONICAL
        return op if op.attrs.get("selected") == selected else replaced_attrs(op, {**op.attrs, "selected": selected})

    functions: dict[str, Function] = {name: map_function(function, choose) for name, function in module.functions.items()}
    return Module(module.name, module.blocks, functions, module.constants, module.structs, module.enums)
