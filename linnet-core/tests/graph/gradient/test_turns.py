"""What a turn of a loop's way back costs: parts are read and written, not whole values with zeros around them."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pytest
from differentiating import differences
from exporting import calls, exported, nodes

from linnet_core.graph.calls import BeginCounted, EndCounted, UpdateRow
from linnet_core.graph.document import decode, encode
from linnet_core.graph.replay import replay
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from linnet_core.graph.export import Recording

ROWS = 6
RANDOM = np.random.default_rng(5)
GIVEN = {
    "x": RANDOM.normal(size=(ROWS, 3)),
    "y": RANDOM.normal(size=(2, ROWS, 3)),
    "at": np.array([3, 0, 3, 5, 1, 3]),
}


def entry(body: str, rows: int = ROWS) -> str:
    """An entry of stacks along an axis of `rows`, and of positions on it, that ends with a vector `z`."""
    return (
        f"pub entry run(x: Tensor[{rows}, 3; f64], y: Tensor[2, {rows}, 3; f64], at: Tensor[{rows}; i64]) -> f64 {{\n"
        f"    var z = x[0]\n    {body.replace('ROWS', str(rows))}\n"
        "    return sum[i] z[i] * z[i] * (cast<f64>(iota(3)[i]) + 1.0)\n}"
    )


def written(recording: Recording) -> int:
    """How many elements the calls in loops give, each counted once; of a stack that gets a row, the row."""
    depth = total = 0
    for node in nodes(recording):
        depth -= isinstance(node.call, EndCounted)
        if depth and not isinstance(node.call, BeginCounted | EndCounted):
            shapes = [recording.graph.values[result].shape for result in node.results]
            total += sum(prod(shape[1:] if isinstance(node.call, UpdateRow) else shape) for shape in shapes)
        depth += isinstance(node.call, BeginCounted)
    return total


LINEAR = [
    pytest.param("for t in 0..ROWS { z = tanh(z + x[t]) }", id="a row read"),
    pytest.param("let s = for t in 0..ROWS { z = tanh(z * x[t]) yield z } z = s[ROWS - 1] + s[0]", id="a row read and one given"),
    pytest.param("for t in 2..ROWS { z = tanh(z * x[t] + x[t - 1] * x[t - 2]) }", id="several rows"),
    pytest.param("for t in 0..ROWS { z = tanh(z * x[ROWS - 1 - t]) }", id="from the last"),
    pytest.param("let s = for t in 1..ROWS { yield x[ROWS - t] * z } z = s[0] * s[1]", id="from the last, later"),
    pytest.param("for t in 0..ROWS { let v = y[:, t] z = tanh(z * v[0] + v[1]) }", id="along the second axis"),
    pytest.param("for t in 0..ROWS { z = tanh(z * x[2]) }", id="one row in all turns"),
    pytest.param("for t in 0..3 { z = tanh(z * x[t * 2 % ROWS]) }", id="a row at a position computed"),
    pytest.param("for t in 0..3 { z = tanh(z * x[at[t]]) }", id="a row at a position given"),
    pytest.param("for t in 0..ROWS { for u in 0..2 { z = tanh(z * x[t]) } }", id="a row read in an inner loop"),
    pytest.param(
        "let s = for t in 0..ROWS { let r = for u in 0..2 { z = tanh(z * x[t]) yield z } yield r } z = s[0, 1] * s[1, 0]",
        id="rows of rows",
    ),
    pytest.param(
        "let s = for t in 0..ROWS { yield z * x[t] } for t in 0..ROWS { z = tanh(z * s[t]) }", id="rows of one loop read in another"
    ),
]


@pytest.mark.parametrize("body", LINEAR)
def test_what_a_turn_writes_does_not_grow_with_the_turns(body: str) -> None:
    few, many = (exported(entry(body, rows), NumpyTarget("equivalent"), gradient=True) for rows in (ROWS, 2 * ROWS))
    assert written(few) == written(many)
    assert differences(entry(body), GIVEN) == []


def test_a_value_read_whole_in_each_turn_is_added_to_whole() -> None:
    body = "for t in 0..2 { z = tanh(z + sum[i] x[i, 0] * x[i, 1]) }"
    few, many = (exported(entry(body, rows), NumpyTarget("equivalent"), gradient=True) for rows in (ROWS, 2 * ROWS))
    assert written(few) < written(many)


def test_a_document_of_stacks_and_positions_makes_the_same_source_again() -> None:
    body = "for t in 1..ROWS { z = tanh(z * x[ROWS - 1 - t] + y[1, t]) } for t in 0..2 { z = z * x[at[t]] }"
    target, fresh = NumpyTarget("equivalent"), NumpyTarget("equivalent")
    recording = exported(entry(body), target, gradient=True)
    replay(decode(encode(recording.graph)), fresh)
    assert fresh.source() == target.source()


SLOPES = [
    pytest.param("for t in 0..3 { z = z * x[t + 2] + sum[i, j] x[i, j] * z[j] * 0.1 }", id="a row read and the whole, too"),
    pytest.param("for t in 0..3 { z = z * x[t + 2] } z = z + x[3]", id="a row read in the loop and after it"),
    pytest.param("let s = for t in 0..3 { yield x[t + 1] } z = s[0] * s[2]", id="what is read is given"),
    pytest.param("let s = for t in 0..3 { let old = z z = z * x[t] yield old } z = s[1] * s[2] * z", id="what was carried is given"),
    pytest.param("let s = for t in 0..3 { yield x } z = s[1, 4] * s[2, 0]", id="a whole value is given"),
    pytest.param("let (s, r) = for t in 0..3 { z = z * x[t] yield (z, z) } z = s[1] * r[2]", id="one row is given twice"),
    pytest.param("let s = for t in 0..3 { z = z * x[t] yield z }", id="what is given is not used"),
    pytest.param("for t in 0..ROWS { z = z * 0.5 + x[at[t]] * x[t / 2] }", id="positions met twice"),
    pytest.param("for t in 0..3 { z = if z[0] > 0.0 { z * x[t] } else { z + x[t + 1] } }", id="rows read in arms"),
    pytest.param("for t in 0..1 { z = z * x[t] }", id="one turn"),
    pytest.param("let s = for t in 3..3 { yield x[t] } z = z * x[1]", id="no turns"),
    pytest.param("for t in 0..2 { for u in 0..3 { z = z * x[t + u] + y[t, u] } }", id="positions of two loops"),
    pytest.param(
        "for t in 0..2 { let s = for u in 0..3 { yield z * x[u] } z = s[t] + s[2 - t] }", id="rows of the inner loop read by the outer"
    ),
    pytest.param("for t in 0..2 { let v = y[t] for u in 0..2 { z = z * v[u] + v[u + 1] } }", id="rows of a row"),
]


@pytest.mark.parametrize("body", SLOPES)
def test_rows_have_the_slope_of_their_loss(body: str) -> None:
    assert differences(entry(body), GIVEN) == []


def test_positions_are_kept_only_where_they_take_less_than_the_value() -> None:
    def carried(turns: int) -> int:
        body = f"for t in 0..{turns} {{ z = tanh(z + x[at[0] + t]) }}"
        back = calls(exported(entry(body), NumpyTarget("equivalent"), gradient=True), "begin_counted")[1]
        return len(back.operands)

    assert carried(4) == 3  # z, rows and positions
    assert carried(5) == 2  # z and x


def test_a_part_that_could_not_be_read_stays_in_a_loop_without_turns() -> None:
    body = "for t in 0..0 { z = z * x[at[0]] }"
    given = {**GIVEN, "at": np.full(ROWS, 99)}
    assert differences(entry(body), given) == []
