"""What a `for` yields is kept in a list and stacked once, where no row can change until then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from linnet_core.check.load_program import load_program
from linnet_core.graph.export import ExportRequest, export
from linnet_core.ir.lowered import lowered
from linnet_core.targets.numpy.runner import run
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from pathlib import Path

X = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
SUMS = [[1, 2], [4, 6], [9, 12]]


def printed(folder: Path, text: str, root: str | None = None, *, gradient: bool = False, **sizes: str) -> str:
    """The NumPy source of entry `run` of a program."""
    (folder / "m.linnet").write_text(f"module m\n\nuse std.nn.cache::{{write_at}}\n\n{text}", encoding="utf-8")
    _, program = load_program(str(folder / "m.linnet"), None)
    target = NumpyTarget("exact")
    export(lowered(program, "exact", optimize=True), ExportRequest(root=root, entry="run", bindings=sizes, gradient=gradient), target)
    return target.source()


def entry(body: str, result: str) -> str:
    return f"pub entry run(x: Tensor[3, 2; f32]) -> {result} {{\n    var h = fill<f32>([2], 0.0)\n{body}\n}}\n"


@pytest.mark.parametrize(
    ("text", "lists", "results"),
    [
        pytest.param(
            entry("return for t in 0..3 {\n h = h + x[t]\n yield h\n}", "Tensor[3, 2; f32]"),
            1,
            [SUMS],
            id="what a turn makes",
        ),
        pytest.param(
            entry("return for t in 0..3 {\n let old = h\n h = h + x[t]\n yield old\n}", "Tensor[3, 2; f32]"),
            1,
            [[[0, 0], [1, 2], [4, 6]]],
            id="what the turn before made",
        ),
        pytest.param(
            entry("return for t in 0..3 {\n h = h + x[t]\n yield (h, h[1])\n}", "(Tensor[3, 2; f32], Tensor[3; f32])"),
            2,
            [SUMS, [2, 6, 12]],
            id="several values",
        ),
        pytest.param(
            entry("return for t in 0..3 { yield x }", "Tensor[3, 3, 2; f32]"),
            1,
            [[X.tolist()] * 3],
            id="what no turn makes",
        ),
        pytest.param(
            entry("return for t in 0..3 {\n let row = for s in 0..2 { yield x[t] * x[s] }\n yield row\n}", "Tensor[3, 2, 2; f32]"),
            2,
            [(X[:, None] * X[None, :2]).tolist()],
            id="a loop in a loop",
        ),
        pytest.param(
            entry("return for t in 1..3 {\n h = h + x[t]\n yield h\n}", "Tensor[2, 2; f32]"),
            1,
            [[[3, 4], [8, 10]]],
            id="turns that are not counted from 0",
        ),
        pytest.param(
            entry("return for t in 0..0 { yield x[t] }", "Tensor[0, 2; f32]"),
            0,
            [np.zeros((0, 2)).tolist()],
            id="no turns",
        ),
    ],
)
def test_rows_are_those_of_the_turns(tmp_path: Path, text: str, lists: int, results: list[Any]) -> None:
    source = printed(tmp_path, text)
    assert source.count(".append(") == source.count("np.stack(") == lists
    found = run(source, [X], [], [])
    assert [each.tolist() for each in found] == results
    assert not any(np.shares_memory(each, X) for each in found)


@pytest.mark.parametrize(
    ("turns", "row", "backwards", "wanted"),
    [
        pytest.param("0..3", "t", 1, 3 * X**2, id="from 0"),
        pytest.param("1..3", "t", 1, 3 * X**2 * [[0], [1], [1]], id="from 1"),
        pytest.param("0..3", "2 - t", 0, 3 * X**2, id="from the last"),
    ],
)
def test_the_way_back_lists_its_rows(tmp_path: Path, turns: str, row: str, backwards: int, wanted: np.ndarray) -> None:
    text = (
        "pub entry run(x: Tensor[3, 2; f32]) -> f32 {\n"
        f"let s = for t in {turns} {{ let r = x[{row}] yield r * r * r }}\nreturn sum[i, j] s[i, j]\n}}"
    )
    source = printed(tmp_path, text, gradient=True)
    assert source.count(".append(") == source.count("np.stack(") == 2
    assert source.count("[::-1])") == backwards
    assert "_update_row(" not in source
    _, gradient = run(source, [X], [], [])
    assert gradient.tolist() == wanted.tolist()


CACHE = """block Cache {{
    state rows: Tensor[1, 1, 3, 2; f32]

    pub entry run(x: Tensor[3, 2; f32]) -> Tensor[3, 3, 2; f32] {{
        var at: i32 = 0
        return for t in 0..3 {{
            rows = write_at(rows, reshape(x[t], [1, 1, 1, 2]), at)
            at = at + 1
            yield {row}
        }}
    }}
}}
"""


@pytest.mark.parametrize(
    ("row", "lists"),
    [
        pytest.param("rows[0, 0]", 0, id="a view of the cache"),
        pytest.param("rows[0, 0] + x", 1, id="a value made of the cache"),
    ],
)
def test_a_row_that_lies_in_a_cache_keeps_what_it_was(tmp_path: Path, row: str, lists: int) -> None:
    source = printed(tmp_path, CACHE.format(row=row), root="Cache")
    assert "in_place=True" in source
    assert source.count(".append(") == lists
    found = run(source, [X], [], [np.zeros((1, 1, 3, 2), np.float32)])[0]
    wanted = np.stack([np.where(np.arange(3)[:, None] <= t, X, 0) for t in range(3)])
    assert found.tolist() == (wanted + X * lists).tolist()


def test_layers_in_a_loop_and_loops_in_layers_still_share_a_function(tmp_path: Path) -> None:
    text = """block Layer {
    param w: Tensor[2; f32]
    pub fn one(x: Tensor[2; f32]) -> Tensor[2; f32] { return tanh(exp(x * w) + x) }
    pub fn all(x: Tensor[3, 2; f32]) -> Tensor[3, 2; f32] {
        return for t in 0..3 { yield one(x[t]) }
    }
}

block M {
    sub layers: [Layer; 3]
    pub entry run(x: Tensor[3, 2; f32]) -> Tensor[3, 2; f32] {
        var y = for t in 0..3 {
            var h = x[t]
            static for layer in layers { h = layer.one(h) }
            yield h
        }
        static for layer in layers { y = layer.all(y) }
        return y
    }
}
"""
    source = printed(tmp_path, text, root="M")
    assert source.count("def block_layers_") == 2
    assert source.count("= block_layers_0(") == source.count("= block_layers_1(") == 3
    assert source.count(".append(") == 2
    w = [np.array([0.5, -1], np.float32) * n for n in (1, 2, 3)]
    wanted = X
    for each in (*w, *w):
        wanted = np.tanh(np.exp(wanted * each) + wanted)
    np.testing.assert_allclose(run(source, [X], w, [])[0], wanted, rtol=1e-6)
