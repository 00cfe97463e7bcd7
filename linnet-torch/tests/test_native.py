"""Which library calls are written here, and which are declined; the kit (`test_conformance.py`) holds what they give."""

from __future__ import annotations

import pytest
from programs import printed

from linnet_core.conformance.programs import plain
from linnet_core.conformance.programs.op import Op
from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.ir.library_calls import LIBRARY_CALLS
from linnet_core.python_source.exchange_text import EXCHANGES
from linnet_core.python_source.score_blocks import CALLS as SCORES
from linnet_torch.emit import images, native


@pytest.mark.parametrize("dtype", ["u16", "u32", "u64"])
@pytest.mark.parametrize("op", plain.PRODUCTS, ids=lambda op: op.name)
def test_products_of_wide_unsigned_integers_are_declined(op: Op, dtype: str) -> None:
    assert printed(op.text(dtype)).declined == (("torch.matmul", f"torch multiplies no matrices of {dtype}"),)


def test_an_epsilon_of_run_time_is_declined() -> None:
    one = printed(plain.epsilon_of_run_time().text)
    assert one.declined == (("torch.rms_norm", "epsilon is not known when the source is printed"),)


def test_every_library_call_that_is_written_has_a_case() -> None:
    attention = {"torch.nn.functional.scaled_dot_product_attention"}
    caches = {"torch.Tensor.index_copy", "torch.Tensor.index_put"}
    pages = {"linnet.sink_attention", "linnet.paged_attention", "linnet.paged_prefill_attention"}
    rows = {op.implementation for op in plain.OPS}
    # images, pages, processes and blocks of scores have files of their own
    own = attention | caches | pages | set(images.WRITERS) | set(EXCHANGES) | set(SCORES)
    assert set(native.written()) == rows | own


@pytest.mark.parametrize(
    "implementation",
    sorted({row.implementation for row in LIBRARY_CALLS if native.base_name(row.implementation)[0] not in native.written()}),
)
def test_other_library_calls_are_declined_with_a_reason(implementation: str) -> None:
    x = Operand("v0", (1, 2, 4, 4), "f32")
    call = NativeCall(implementation=implementation, generics={}, shape=(1, 2, 4, 4), dtype="f32", operands=(x, x, x))
    assert native.declines(call, {}) == f"{implementation} is not written by this target"
