"""States that printed PyTorch writes in place, differentiated: what works, and what raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from differentiated import entry
from running import source_file

PROGRAM = """module m
use std.nn.cache::{write_at}

block Model {
    param w: Tensor[1, 1, 1, 4; f32]
    state cache: Tensor[1, 1, 3, 4; f32]
    pub entry run(x: Tensor[1, 1, 1, 4; f32], pos: i32) -> f32 {
        cache = write_at(cache, x * w, pos)
        return sum<f32>[b, h, i, d] cache[b, h, i, d] * cache[b, h, i, d]
    }
}
"""
#: Reads a part of the state that is picked by positions, which is a copy.
PICKED = PROGRAM.replace("[b, h, i, d] cache[b, h, i, d] * cache[b, h, i, d]", "[i, d] cache[0, 0, i, d] * cache[0, 0, i, d]")
X = np.arange(1, 5, dtype=np.float32).reshape(1, 1, 1, 4)


def called(names: dict[str, Any], w: torch.Tensor, cache: torch.Tensor, at: int) -> list[torch.Tensor]:
    position = torch.tensor(at, dtype=torch.int32)
    return list(names["main"](torch.from_numpy(X), position, w, cache, *names["constants"]("cpu")))


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    printed = entry("torch", source_file(PROGRAM), entry="run").module()
    assert printed["IN_PLACE"] == ["cache"]
    return printed


def test_what_is_written_has_a_gradient(names: dict[str, Any]) -> None:
    w, cache = torch.full((1, 1, 1, 4), 2.0, requires_grad=True), torch.ones(1, 1, 3, 4)
    loss, written = called(names, w, cache, 1)
    loss.backward()
    assert written.data_ptr() == cache.data_ptr()
    assert w.grad is not None
    np.testing.assert_allclose(w.grad.numpy(), 2 * X * X * 2)


def test_a_state_that_is_overwritten_may_not_require_a_gradient(names: dict[str, Any]) -> None:
    w, cache = torch.ones(1, 1, 1, 4), torch.ones(1, 1, 3, 4, requires_grad=True)
    with pytest.raises(RuntimeError, match="in-place operation"):
        called(names, w, cache, 1)


def test_the_way_back_of_a_call_whose_state_a_later_call_overwrote_raises(names: dict[str, Any]) -> None:
    w, cache = torch.ones(1, 1, 1, 4, requires_grad=True), torch.ones(1, 1, 3, 4)
    first, cache = called(names, w, cache, 1)
    called(names, w, cache, 2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        first.backward()


def test_the_way_back_of_a_call_that_picked_from_its_state_is_right_after_a_later_call_overwrote_it() -> None:
    names = entry("torch", source_file(PICKED), entry="run").module()
    w, cache = torch.full((1, 1, 1, 4), 3.0, requires_grad=True), torch.ones(1, 1, 3, 4)
    first, cache = called(names, w, cache, 1)
    called(names, w * 5, cache, 1)
    first.backward()
    assert w.grad is not None
    np.testing.assert_allclose(w.grad.numpy(), 2 * X * X * 3)
