"""Generics to numbers: text, lists, presets, defaults, and `where`."""

from __future__ import annotations

from typing import Any

import pytest
from exporting import exported, lowered

from linnet_core.check.program import Generic
from linnet_core.errors import SourceError, UsageError
from linnet_core.graph.bind import Bindings, bind
from linnet_core.ir.roots import find_entry

PROGRAM = """
pub entry run<N: Dim, M: Dim = 2 * N + 1, *S: Shape, T: Float = f32>(x: Tensor[*S, N, M; T]) -> Tensor[*S, N, M; T]
where N % 2 == 0 { return x }
"""


def named(given: dict[str, Any], preset: dict[str, Any] | None = None) -> dict[str, Any]:
    """What each generic came to."""
    entry = find_entry(lowered(PROGRAM))
    bindings = bind(entry.generics, given, preset, entry="run")
    return {generic.name: bindings.value(generic) for generic in entry.generics}


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        pytest.param({"N": "4", "S": "2,3"}, {"N": 4, "M": 9, "S": (2, 3), "T": "f32"}, id="text, and a default of an earlier generic"),
        pytest.param({"N": 4, "M": 0, "S": [], "T": "bf16"}, {"N": 4, "M": 0, "S": (), "T": "bf16"}, id="values"),
        pytest.param({"N": " 4 ", "S": ""}, {"N": 4, "M": 9, "S": (), "T": "f32"}, id="an empty pack"),
        pytest.param({"N": "9223372036854775806", "M": "1", "S": "7"}, {"N": 2**63 - 2, "M": 1, "S": (7,), "T": "f32"}, id="large"),
    ],
)
def test_generics_are_bound(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert named(given) == wanted


def test_bindings_override_a_preset_whose_other_names_are_ignored() -> None:
    found = named({"N": "6"}, {"N": 4, "S": [1, 2], "Layers": 32})
    assert found == {"N": 6, "M": 13, "S": (1, 2), "T": "f32"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        pytest.param({"N": ""}, "--bind N=: an integer is due", id="empty"),
        pytest.param({"N": "x"}, "--bind N=x: an integer is due", id="text"),
        pytest.param({"N": "1.0"}, "--bind N=1.0: an integer is due", id="a float"),
        pytest.param({"N": True}, "--bind N=True: an integer is due", id="a bool"),
        pytest.param({"N": "١"}, "an integer is due", id="a digit of another script"),
        pytest.param({"N": "-1"}, "--bind N=-1: a size cannot be negative", id="negative"),
        pytest.param({"N": "9223372036854775808"}, "a size cannot be larger than 9223372036854775807", id="beyond i64"),
        pytest.param({"N": "9" * 5000}, "a size cannot be larger than 9223372036854775807", id="very long"),
        pytest.param({"N": "2,3"}, "--bind N=2,3: an integer is due", id="a list for a dim"),
        pytest.param({"S": "2,"}, "--bind S=2,: an integer is due", id="a hole in a list"),
        pytest.param({"S": 4}, "--bind S=4: sizes separated by commas are due", id="a number for a pack"),
        pytest.param({"T": "float"}, "--bind T=float: `float` is no dtype; there are: bool, i8", id="no dtype"),
        pytest.param({"T": 3}, "`3` is no dtype", id="a number for a dtype"),
        pytest.param({"Q": 1}, "--bind Q: entry `run` has no generic `Q`; there are: N, M, S, T", id="unknown"),
    ],
)
def test_what_cannot_be_read_is_a_usage_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        named({"N": 2, "S": "", **given})
    assert message in str(caught.value)


def test_a_value_of_a_preset_is_named_as_such() -> None:
    with pytest.raises(UsageError, match="preset N = many: an integer is due"):
        named({"S": ""}, {"N": "many"})


@pytest.mark.parametrize(
    ("given", "message", "notes"),
    [
        pytest.param({"N": 3, "S": ""}, "`N % 2 == 0` of entry `run` does not hold: 1 == 0 is false", ("N = 3",), id="where"),
        pytest.param({"N": 2}, "entry `run` needs a value for `S`", (), id="a pack without a value"),
        pytest.param({}, "entry `run` needs a value for `N`, `S`", (), id="several without a value"),
        pytest.param({"N": 2, "S": "", "T": "i32"}, "`T` takes a float dtype, and `i32` is none", (), id="dtype class"),
        pytest.param(
            {"N": 2**62, "S": ""},
            "the default `2 * N + 1` of `M` is 9223372036854775809, which is no size",
            (f"N = {2**62}",),
            id="a default beyond i64",
        ),
    ],
)
def test_what_does_not_fit_is_a_diagnostic(given: dict[str, Any], message: str, notes: tuple[str, ...]) -> None:
    with pytest.raises(SourceError) as caught:
        exported(PROGRAM, bind=given)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.notes) == ("E6002", message, notes)


@pytest.mark.parametrize(
    ("default", "n", "message"),
    [
        pytest.param("[4, N - 5]", 2, "the default `[4, N - 5]` of `R` is -3, which is no size", id="negative"),
        pytest.param("[N * N]", 2**40, f"the default `[N * N]` of `R` is {2**80}, which is no size", id="beyond i64"),
    ],
)
def test_a_default_of_a_pack_is_made_of_sizes(default: str, n: int, message: str) -> None:
    text = f"pub entry run<N: Dim, *R: Shape = {default}>(x: Tensor[*R; f32]) -> Tensor[*R; f32] {{ return x }}"
    with pytest.raises(SourceError) as caught:
        exported(text, bind={"N": n})
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.notes) == ("E6002", message, (f"N = {n}",))


def test_the_help_of_a_missing_value_is_the_option() -> None:
    with pytest.raises(SourceError) as caught:
        exported(PROGRAM)
    assert caught.value.diagnostics[0].help == "give --bind N=... --bind S=..."


def test_a_block_and_its_entry_share_one_namespace_and_both_are_checked() -> None:
    text = """
pub block M<H: Dim, N: Dim = 2> where H % N == 0 {
    param w: Tensor[H; f32]
    pub entry run<B: Dim>(x: Tensor[B, H; f32]) -> Tensor[B, H; f32] where B > N { return x * w }
}
"""
    assert exported(text, bind={"H": 4, "B": 3}).graph.values[0].shape == (3, 4)
    with pytest.raises(SourceError, match=r"`H % N == 0` of block `M` does not hold: 1 == 0 is false"):
        exported(text, bind={"H": 5, "B": 3})
    with pytest.raises(SourceError, match=r"`B > N` of entry `run` does not hold: 2 > 2 is false"):
        exported(text, bind={"H": 4, "B": 2})


def test_equal_bindings_have_equal_keys() -> None:
    one, other = Bindings({1: 2, 3: 4}, {5: (6,)}, {7: "f32"}), Bindings({3: 4, 1: 2}, {5: (6,)}, {7: "f32"})
    assert one.key() == other.key()
    assert Bindings().dims is not Bindings().dims


def test_bindings_are_joined_and_narrowed_without_changing_them() -> None:
    size, axes, dtype = Generic("H", "dim", 1), Generic("S", "shape", 2), Generic("T", "dtype", 3, "any")
    bound = Bindings.of([(size, 2), (axes, (3, 4)), (dtype, "f32")])
    assert [bound.value(generic) for generic in (size, axes, dtype)] == [2, (3, 4), "f32"]
    assert bound.only([axes, dtype]) == Bindings({}, {2: (3, 4)}, {3: "f32"})
    assert bound.joined(Bindings({1: 5}, {}, {4: "bool"})) == Bindings({1: 5}, {2: (3, 4)}, {3: "f32", 4: "bool"})
    assert bound == Bindings({1: 2}, {2: (3, 4)}, {3: "f32"})
