"""Blocks: members and what they may be, obligations at subs, state footprints, unused members."""

from __future__ import annotations

import pytest

REFUSED = [
    pytest.param("\nblock B { param w: (f32, f32) }", [("E4101", 2)], id="a param that is a tuple"),
    pytest.param("\nblock B { param w: Tensor[4; f32] = 1.0 }", [("E4102", 2)], id="a param with a value"),
    pytest.param("\nblock B { param w: Tensor[4; f32] = none }", [("E4101", 2)], id="a param that is no optional and none"),
    pytest.param("\nblock B { buffer w: Tensor[4; f32]? }", [("E4101", 2)], id="an optional buffer"),
    pytest.param("\nblock B { state w: Tensor[4; f32]? }", [("E4101", 2)], id="an optional state"),
    pytest.param("\nblock B { state w: f32 }", [("E4101", 2)], id="a scalar state"),
    pytest.param("\nblock B { sub w: Tensor[4; f32] }", [("E4101", 2)], id="a sub that is a tensor"),
    pytest.param("\nblock A { } block B { sub a: A = none }", [("E4101", 2)], id="a sub that is no optional and none"),
    pytest.param("\nblock A { } block B { param a: A }", [("E4101", 2)], id="a param that is a block"),
    pytest.param("\nblock B { sub w: [f32; 4] }", [("E4101", 2)], id="an array of scalars"),
    pytest.param("\nblock B { param w: f32\n state w: Tensor[4; f32] }", [("E1205", 3)], id="two members of one name"),
    pytest.param("\nblock B { param w: f32\n fn w() -> f32 { return 1.0 } }", [("E1205", 3)], id="a member and a method of one name"),
    pytest.param("\nblock B { fn w() -> f32 { return 1.0 }\n op w() -> f32 { return 1.0 } }", [("E1204", 3)], id="two methods of one name"),
    pytest.param(
        "\nblock B<N: Dim> { fn w<N: Dim>(x: Tensor[N; f32]) -> f32 { return 1.0 } }",
        [("E1205", 2)],
        id="a method's generic named as its block's",
    ),
    pytest.param("\nblock A { sub b: B }\nblock B { sub a: [A; 2] }", [("E2122", 2)], id="blocks that contain each other"),
    pytest.param("\nblock A { sub a: A? = none }", [("E2122", 2)], id="a block that may contain itself"),
    pytest.param(
        "\nblock A<N: Dim> where N > 2 { }\nblock B<N: Dim> { sub a: A<N>\n }", [("E2206", 3)], id="a block's where unproved at a sub"
    ),
    pytest.param("\nblock A<N: Dim> where N > 2 { }\nblock B { sub a: [A<2>; 3]? }", None, id="an optional array"),
    pytest.param(
        "\nblock A<N: Dim> where N > 2 { }\nblock B { sub a: [A<2>; 3]\n }", [("E2206", 3)], id="a block's where false in an array"
    ),
    pytest.param(
        "\nblock A<N: Dim> { struct P { x: Tensor[N; f32] } }", [("E1201", 2)], id="an item inside a block cannot name its generics"
    ),
    pytest.param("\nblock A { param iota: f32 }", [("E1207", 2)], id="a member named as the prelude"),
]


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_refused(check_text, text, expected):
    checked = check_text(text)
    assert checked.program is None
    if expected is not None:
        assert checked.places == expected


ACCEPTED = [
    pytest.param("block A<N: Dim> where N > 2 { } block B<M: Dim> where M >= 3 { sub _a: A<M + 1> }", id="a where proved at a sub"),
    pytest.param("block B<N: Dim, M: Dim> where N > 0 { param _w: Tensor[M / N; f32] }", id="a block's where holds in its members"),
    pytest.param("block A { } block B { sub _a: A? = none sub _b: [[A; 2]; 3] }", id="optional and nested subs"),
    pytest.param("block A { const W = 4 param _w: Tensor[W; f32] }", id="a constant of the block in a member's shape"),
    pytest.param("block B { sub _a: A } block A { }", id="blocks in any order"),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(check_text, text):
    assert check_text(text).places == []


FOOTPRINTS = """
block Cell {
    state count: Tensor[2; f32]
    fn read() -> Tensor[2; f32] { return count }
    fn step() -> Tensor[2; f32] {
        count = count + 1.0
        return read()
    }
    fn plain(x: f32) -> f32 { return x }
}
block Row {
    sub cells: [Cell; 3]
    sub one: Cell
    fn all() -> Tensor[2; f32] {
        var total = one.step()
        static for cell in cells { total = total + cell.step() }
        return total
    }
    fn first() -> Tensor[2; f32] { return cells[0].count + cells[0].plain(1.0) }
}
block Grid {
    sub rows: [Row; 2]
    entry run() -> Tensor[2; f32] { return rows[1].all() + rows[0].first() }
}
"""


@pytest.mark.parametrize(
    ("name", "states"),
    [
        pytest.param("Cell.read", ("count",), id="a read"),
        pytest.param("Cell.step", ("count",), id="a write and a call of a sibling"),
        pytest.param("Cell.plain", (), id="nothing"),
        pytest.param("Row.all", ("cells[*].count", "one.count"), id="children, one of them an array's element"),
        pytest.param("Row.first", ("cells[*].count",), id="a child's state read directly"),
        pytest.param("Grid.run", ("rows[*].cells[*].count", "rows[*].one.count"), id="through two levels"),
    ],
)
def test_state_footprints(check_text, name, states):
    program = check_text(FOOTPRINTS).program
    assert program is not None
    assert program.functions[f"test::{name}"].states == states
