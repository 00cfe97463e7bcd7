"""How attention is written here, and when it is declined; the kit (`test_conformance.py`) holds what it gives to the op's body."""

from __future__ import annotations

from typing import Any

import pytest
from jax_programs import printed

from linnet_core.conformance.programs.attention import NOTHING, Form, form


@pytest.mark.parametrize("each", NOTHING, ids=lambda each: each.name)
def test_without_a_position_it_is_declined(each: Form) -> None:
    assert [reason for _, reason in printed(each.text("f32")).declined][:1] == ["there is no position to attend to"]


@pytest.mark.parametrize(
    ("each", "words"),
    [
        pytest.param(form("causal, square"), {", causal=True)": 1, "mask=": 0}, id="causal"),
        pytest.param(form("causal, more keys than queries"), {"causal=": 0, "[None, None])": 1}, id="not square"),
        pytest.param(form("grouped, no mask"), {"_attend(in_q, in_k, in_v, 0.5)": 1}, id="grouped"),
        pytest.param(form("no mask, a scale of run time"), {"_attend(in_q, in_k, in_v, in_factor)": 1}, id="a scale of run time"),
        pytest.param(form("a mask for each row"), {"mask=in_mask[:, None])": 1}, id="a mask of each row"),
        pytest.param(form("one query, no mask"), {"_attend_one(in_q, in_k, in_v, 0.5)": 1}, id="one query"),
    ],
)
def test_how_a_form_is_written(each: Form, words: dict[str, int]) -> None:
    main = printed(each.text("f32")).main
    assert {word: main.count(word) for word in words} == words


@pytest.mark.parametrize(("numerics", "widened"), [("equivalent", True), ("fast", False)])
@pytest.mark.parametrize("name", ["one query", "a mask"])
def test_bf16_is_computed_in_f32_unless_the_policy_is_fast(name: str, numerics: Any, widened: bool) -> None:
    one = printed(form(name).text("bf16"), numerics=numerics)
    assert ("in_q.astype(jnp.float32)" in one.main) is widened
    assert ("_fast(" in one.main) is not widened
