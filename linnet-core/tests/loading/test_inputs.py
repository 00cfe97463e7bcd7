"""Generics from the inputs of a call: what binds what, and what is said when inputs disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from linnet_core.errors import LinnetError
from linnet_core.loading.inputs import Given, bind_inputs
from linnet_core.loading.model import open_model

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """module m

use std.nn.linear::{Linear}

block M<H: Dim, T: Float = f32> where H > 1 {
    sub up: Linear<H, 2 * H, T>

    pub entry rows<B: Dim, S: Dim, K: Integer>(x: Tensor[B, S, H; T], at: Tensor[B; K], n: i32) -> Tensor[B, S, H; T]
    where S <= 8 {
        return x
    }

    pub entry packed<*A: Shape>(x: Tensor[*A, H; T], y: Tensor[*A; bool]) -> Tensor[*A, H; T] { return x }

    pub entry several<*A: Shape, *B: Shape>(x: Tensor[*A, *B; T]) -> Tensor[*A, *B; T] { return x }

    pub entry settled<*A: Shape, *B: Shape>(x: Tensor[*A, *B; T], y: Tensor[*B; T]) -> Tensor[*A, *B; T] { return x }

    pub entry fixed<S: Dim>(x: Tensor[2 * S, 3; T]) -> Tensor[2 * S, 3; T] { return x }

    pub entry steps<N: Dim, M: Dim = 2 * N>(x: T) -> (Tensor[N; i32], Tensor[M; i32]) { return (fill<i32>([N], 0), fill<i32>([M], 0)) }
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("inputs") / "m.linnet"
    file.write_text(SOURCE)
    return file


def bound(path: Path, entry: str, *given: tuple[tuple[int, ...], str | None], **generics: Any) -> dict[str, Any]:
    model = open_model(path, generics={"H": 4})
    found = bind_inputs(model.entries[entry], model.bindings, [Given(*each) for each in given], generics)
    return {generic.name: found.value(generic) for generic in model.entries[entry].function.generics}


BOUND = [
    pytest.param("rows", [((2, 3, 4), "f32"), ((2,), "i64"), ((), None)], {}, {"B": 2, "S": 3, "K": "i64"}, id="sizes and a dtype"),
    pytest.param("packed", [((2, 3, 4), "f32"), ((2, 3), "bool")], {}, {"A": (2, 3)}, id="a pack before an axis"),
    pytest.param("packed", [((4,), "f32"), ((), "bool")], {}, {"A": ()}, id="a pack of no axes"),
    pytest.param("several", [((2, 3, 4), "f32")], {"B": [4]}, {"A": (2, 3), "B": (4,)}, id="two packs, one by name"),
    pytest.param("settled", [((2, 3, 4), "f32"), ((3, 4), "f32")], {}, {"A": (2,), "B": (3, 4)}, id="two packs, one from another input"),
    pytest.param("fixed", [((6, 3), "f32")], {"S": 3}, {"S": 3}, id="a size that only checks"),
    pytest.param("steps", [((), "f32")], {"N": 3}, {"N": 3, "M": 6}, id="a default over what was given"),
    pytest.param("rows", [((2, 0, 4), "f32"), ((2,), "u8"), ((), "i32")], {"B": 2}, {"B": 2, "S": 0, "K": "u8"}, id="an empty axis"),
]


@pytest.mark.parametrize(("entry", "given", "generics", "wanted"), BOUND)
def test_what_inputs_bind(path: Path, entry: str, given: list[Any], generics: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert bound(path, entry, *given, **generics) == wanted


ROWS = [((2, 3, 4), "f32"), ((2,), "i32"), ((), "i32")]
WRONG = [
    pytest.param("rows", ROWS[:2], {}, "entry `rows` takes 3 inputs (x, at, n), 2 were given", id="arity"),
    pytest.param(
        "rows", [((3, 4), "f32"), *ROWS[1:]], {}, "entry `rows`, input `x`: [B, S, H] has 3 axes, 2 were given ([3, 4])", id="rank"
    ),
    pytest.param("rows", [*ROWS[:2], ((1,), "i32")], {}, "entry `rows`, input `n`: [] has 0 axes, 1 were given ([1])", id="a scalar"),
    pytest.param("packed", [((), "f32"), ((), "bool")], {}, "input `x`: [*A, H] has at least 1 axes, 0 were given", id="too few"),
    pytest.param("rows", [((2, 3, 4), "f64"), *ROWS[1:]], {}, "entry `rows`, input `x`: f32 is wanted, f64 was given", id="dtype"),
    pytest.param(
        "rows",
        [ROWS[0], ((2,), "f32"), ROWS[2]],
        {},
        "input `at`: `K` takes an integer dtype, and f32 is none",
        id="class",
    ),
    pytest.param("rows", [((2, 3, 5), "f32"), *ROWS[1:]], {}, "entry `rows`, input `x`: axis 2 has size 5, `H` is 4", id="root"),
    pytest.param(
        "rows",
        [ROWS[0], ((3,), "i32"), ROWS[2]],
        {},
        "entry `rows`, input `at`: axis 0 has size 3, `B` is 2 by input `x`, axis 0",
        id="two inputs disagree",
    ),
    pytest.param("rows", ROWS, {"S": 5}, "entry `rows`, input `x`: axis 1 has size 3, `S` is 5", id="an input and a name disagree"),
    pytest.param("fixed", [((6, 4), "f32")], {"S": 3}, "entry `fixed`, input `x`: axis 1 has size 4, 3 is wanted", id="a fixed size"),
    pytest.param("fixed", [((6, 3), "f32")], {"S": 2}, "input `x`: axis 0 has size 6, `2 * S` is 4", id="a computed size"),
    pytest.param("fixed", [((6, 3), "f32")], {}, "entry `fixed`: no input says what `S` is; give by name", id="unbound"),
    pytest.param("several", [((2, 3), "f32")], {}, "input `x`: [*A, *B] has several packs without sizes (*A, *B)", id="two packs"),
    pytest.param(
        "packed", [((2, 4), "f32"), ((3,), "bool")], {}, "input `y`: axis 0 has size 3, `*A` is 2 by input `x`", id="packs disagree"
    ),
    pytest.param("rows", ROWS, {"H": 4}, "entry `rows` has no generic `H` of its own; there are: B, S, K", id="a generic of the root"),
    pytest.param("steps", [((), "f32")], {"N": "x"}, "N=x: an integer is due", id="no size"),
    pytest.param("rows", [((2, 9, 4), "f32"), *ROWS[1:]], {}, "of entry `rows` does not hold: 9 <= 8 is false", id="where"),
]


@pytest.mark.parametrize(("entry", "given", "generics", "said"), WRONG)
def test_what_is_said_of_inputs_that_do_not_fit(path: Path, entry: str, given: list[Any], generics: dict[str, Any], said: str) -> None:
    with pytest.raises(LinnetError) as caught:
        bound(path, entry, *given, **generics)
    assert said in str(caught.value)
