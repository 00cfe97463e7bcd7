"""Which library calls are written here, and which are declined; the kit (`test_conformance.py`) holds what they give."""

from __future__ import annotations

import pytest
from jax_programs import printed

from linnet_core.conformance.programs import plain
from linnet_core.graph.calls import NativeCall, Operand
from linnet_core.ir.library_calls import LIBRARY_CALLS
from linnet_core.python_source.exchange_text import EXCHANGES
from linnet_core.python_source.score_blocks import CALLS as SCORES
from linnet_jax.emit import images, native


def test_an_epsilon_of_run_time_is_taken() -> None:
    assert printed(plain.epsilon_of_run_time().text).taken == ("torch.rms_norm",)


def test_every_library_call_that_is_written_has_a_case() -> None:
    attention = {"torch.nn.functional.scaled_dot_product_attention"}
    caches = {"torch.Tensor.index_copy", "torch.Tensor.index_put"}
    rows = {op.implementation for op in plain.OPS}
    # images, devices and blocks of scores have files of their own
    assert set(native.written()) == rows | attention | caches | set(images.WRITERS) | set(EXCHANGES) | set(SCORES)


@pytest.mark.parametrize(
    "implementation",
    sorted({row.implementation for row in LIBRARY_CALLS if native.base_name(row.implementation)[0] not in native.written()}),
)
def test_other_library_calls_are_declined_with_a_reason(implementation: str) -> None:
    x = Operand("v0", (1, 2, 4, 4), "f32")
    call = NativeCall(implementation=implementation, generics={}, shape=(1, 2, 4, 4), dtype="f32", operands=(x, x, x))
    assert native.declines(call) == f"{implementation} is not written by this target"
