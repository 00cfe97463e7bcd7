"""How attention is written here, and when it is declined; the kit (`test_conformance.py`) holds what it gives to the op's body."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from programs import printed

from linnet_core.conformance.programs.attention import NOTHING, Form, form


@pytest.mark.parametrize("each", NOTHING, ids=lambda each: each.name)
def test_without_a_position_it_is_declined(each: Form) -> None:
    assert [reason for _, reason in printed(each.text("f32")).declined][:1] == ["there is no position to attend to"]


def test_a_causal_kernel_may_leave_a_nan_in_a_masked_out_value_row_out() -> None:
    each = form("causal, square")
    arrays = each.arrays("f32")
    arrays["v"][:, :, -1] = np.nan
    (given,), _ = printed(each.text("f32")).run(arrays)
    # whether the rows before it are NaN is the kernel's; the last one sees it
    assert np.isnan(given[:, :, -1]).all()


TWICE = (
    "use std.nn.attention::{attention, grouped_attention, causal_mask}\n\n"
    "pub entry run(q: Tensor[1, 4, Q, 8; f32], k: Tensor[1, 2, 6, 8; f32], v: Tensor[1, 2, 6, 8; f32], mask: Tensor[Q, 6; bool]) "
    "-> Tensor[1, 4, Q, 8; f32] {\n"
    "    let a = grouped_attention(q, k, v, 0.5, some(mask))\n    return grouped_attention(a, k, v, 0.5, some(mask))\n}\n"
)


@pytest.mark.parametrize(
    ("queries", "made"), [pytest.param(3, "torch.where(in_mask, 0.0, -1e30)", id="bias"), pytest.param(1, "~in_mask", id="one query")]
)
def test_what_a_mask_becomes_is_made_once(queries: int, made: str) -> None:
    one = printed(TWICE.replace("Q", str(queries)))
    assert one.main.count(made) == 1


@pytest.mark.parametrize(
    ("each", "words"),
    [
        pytest.param(form("causal, square"), {"is_causal=True": 1, "attn_mask": 0, "enable_gqa": 0}, id="causal"),
        pytest.param(form("causal, more keys than queries"), {"is_causal": 0, "attn_mask": 1}, id="not square"),
        pytest.param(form("grouped, no mask"), {"is_causal": 0, "attn_mask": 0, "enable_gqa=True": 1}, id="grouped"),
        pytest.param(Form(name="groups of one, no mask", grouped=True), {"enable_gqa": 0}, id="groups of one"),
        pytest.param(form("one query"), {"scaled_dot_product": 0, "_attend_single(in_q, in_k": 1, "reshape": 0}, id="one query"),
        pytest.param(form("grouped, one query"), {"_attend_single(in_q.reshape((2, 2, 2, 8)), ": 1, "reshape": 2}, id="groups"),
    ],
)
def test_how_a_form_is_written(each: Form, words: dict[str, int]) -> None:
    main = printed(each.text("f32")).main
    assert {word: main.count(word) for word in words} == words


@pytest.mark.parametrize(("numerics", "widened"), [("equivalent", True), ("fast", False)])
@pytest.mark.parametrize("name", ["one query", "a mask"])
def test_bf16_is_computed_in_f32_unless_the_policy_is_fast(name: str, numerics: Any, widened: bool) -> None:
    one = printed(form(name).text("bf16"), numerics=numerics)
    assert (".float()" in one.main or "_attend_single_wide(" in one.main) is widened
