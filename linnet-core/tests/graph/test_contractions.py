"""Sums of products become contractions: when, in which order, and what is left to do around them."""

from __future__ import annotations

import numpy as np
import pytest
from exporting import calls, exported, nodes, ops
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from interpreter import DTYPES, compute
from listing_target import Listing

from linnet_core.graph.calls import Contract

MATMUL = (
    "pub entry run(a: Tensor[3, 4; f32], b: Tensor[4, 5; f32]) -> Tensor[3, 5; f32] { let c[m, n] = sum[k] a[m, k] * b[k, n] return c }"
)


def contracts(text: str, **request: object) -> list[Contract]:
    return [call for call in calls(exported(text, **request), "contract") if isinstance(call, Contract)]


def test_axes_are_numbered_from_the_outer_grid_to_the_reduction() -> None:
    (contract,) = contracts(MATMUL)
    assert (contract.lhs_axes, contract.rhs_axes, contract.out_axes) == ((0, 2), (2, 1), (0, 1))
    assert (contract.shape, contract.dtype) == ((3, 5), "f32")


def test_a_cast_factor_is_converted_whole_before_the_contraction() -> None:
    text = (
        "pub entry run(a: Tensor[3, 4; bf16], b: Tensor[4, 5; bf16]) -> Tensor[3, 5; f32] "
        "{ let c[m, n] = sum<f32>[k] cast<f32>(a[m, k]) * cast<f32>(b[k, n]) return c }"
    )
    for numerics in ("exact", "equivalent"):
        recording = exported(text, numerics=numerics)
        assert ops(recording) == ["convert", "convert", "contract"]
        assert [call.operand(0).shape for call in calls(recording, "convert")] == [(3, 4), (4, 5)]


def test_a_product_narrower_than_its_sum_rounds_before_it_is_summed() -> None:
    text = (
        "pub entry run(a: Tensor[3, 4; bf16], b: Tensor[3, 4; bf16]) -> Tensor[3; f32] "
        "{ let c[m] = sum<f32>[k] cast<f32>(a[m, k] * b[m, k]) return c }"
    )
    assert ops(exported(text)) == ["elementwise", "convert", "reduce"]


@pytest.mark.parametrize(
    ("body", "exact", "equivalent"),
    [
        pytest.param("a[m, k] * b[k, n]", ["contract"], ["contract"], id="bare product"),
        pytest.param(
            "a[m, k] * b[k, n] * 2.0",
            ["broadcast", "broadcast", "elementwise", "broadcast", "elementwise", "reduce"],
            ["contract", "broadcast", "elementwise"],
            id="a constant factor is pulled out",
        ),
        pytest.param(
            "exp(a[m, k]) * b[k, n]",
            ["elementwise", "broadcast", "broadcast", "elementwise", "reduce"],
            ["elementwise", "contract"],
            id="a computed factor stays over its own axes",
        ),
        pytest.param(
            "a[m, k] * b[k, n] / s[m]",
            ["broadcast", "broadcast", "elementwise", "broadcast", "elementwise", "reduce"],
            ["contract", "broadcast", "elementwise"],
            id="a divisor is pulled out",
        ),
        pytest.param("a[m, k] * s[m]", ["contract"], ["reduce", "elementwise"], id="one factor is free"),
    ],
)
def test_exact_admits_only_the_bare_product(body: str, exact: list[str], equivalent: list[str]) -> None:
    shape, names = ("3, 5", "m, n") if "n]" in body else ("3", "m")
    text = (
        f"pub entry run(a: Tensor[3, 4; f32], b: Tensor[4, 5; f32], s: Tensor[3; f32]) -> Tensor[{shape}; f32] "
        f"{{ let c[{names}] = sum[k] {body} return c }}"
    )
    assert ops(exported(text, numerics="exact")) == exact
    assert ops(exported(text, numerics="equivalent")) == equivalent


def test_integers_contract_under_exact_since_they_wrap_in_any_order() -> None:
    text = (
        "pub entry run(a: Tensor[3, 4; i32], b: Tensor[4, 5; i32]) -> Tensor[3, 5; i32] "
        "{ let c[m, n] = sum[k] a[m, k] * b[k, n] * 3 return c }"
    )
    assert ops(exported(text, numerics="exact")) == ["contract", "broadcast", "elementwise"]


def test_several_factors_contract_in_pairs_cheapest_first() -> None:
    text = (
        "pub entry run(a: Tensor[100, 2; f32], b: Tensor[2, 50; f32], c: Tensor[50, 3; f32]) -> Tensor[100, 3; f32] "
        "{ let y[i, l] = sum[j, k] a[i, j] * b[j, k] * c[k, l] return y }"
    )
    first, second = contracts(text)
    assert first.shape == (3, 2), "b and c first: 2 * 50 * 3 products"
    assert second.shape == (100, 3)
    assert (first.out_axes, second.out_axes) == ((1, 2), (0, 1))


def test_an_axis_that_a_later_factor_needs_is_kept() -> None:
    text = (
        "pub entry run(a: Tensor[4; f32], b: Tensor[4, 5; f32], c: Tensor[4, 5, 6; f32]) -> f32 "
        "{ return sum[i, j, k] a[i] * b[i, j] * c[i, j, k] }"
    )
    recording = exported(text)
    assert ops(recording) == ["broadcast", "elementwise", "contract"], "a and b are multiplied over what c needs too, then summed with it"


def test_a_diagonal_in_a_contraction_is_sliced() -> None:
    text = "pub entry run(a: Tensor[4, 4; f32], b: Tensor[4; f32]) -> f32 { return sum[i] a[i, i] * b[i] }"
    assert ops(exported(text)) == ["reshape", "slice", "contract"]
    assert "gather" in ops(exported(text, numerics="exact"))


def test_f16_keeps_free_factors_inside_so_that_no_sum_overflows_that_did_not() -> None:
    text = (
        "pub entry run(a: Tensor[3, 4; f16], b: Tensor[4, 50; f16], s: Tensor[3; f16]) -> Tensor[3, 50; f16] "
        "{ let c[m, n] = sum[k] a[m, k] * b[k, n] * s[m] return c }"
    )
    assert ops(exported(text)) == ["broadcast", "elementwise", "contract"]


def test_a_declined_contraction_is_recorded_and_its_fallback_follows() -> None:
    recording = exported(MATMUL, Listing(takes=frozenset()))
    assert ops(recording) == ["contract", "broadcast", "broadcast", "elementwise", "reduce"]
    (declined,) = nodes(recording, "contract")
    assert declined.declined
    assert declined.results == ()
    assert [decline.reason for decline in recording.declines] == ["no contract here"]


def test_nothing_is_emitted_for_a_sum_that_turns_out_to_be_none() -> None:
    text = "pub entry run(a: Tensor[3, 4; bf16]) -> Tensor[3; f32] { let c[m] = sum<f32>[k] cast<f32>(a[m, k]) return c }"
    assert ops(exported(text)) == ["convert", "reduce"]


def test_a_product_of_very_many_factors_is_computed_as_written() -> None:
    body = " * ".join(["a[m, k]"] * 40)
    text = f"pub entry run(a: Tensor[3, 4; f32]) -> Tensor[3; f32] {{ let c[m] = sum[k] {body} return c }}"
    assert "contract" not in ops(exported(text))


SIZES = {"i": 2, "j": 3, "k": 4, "l": 1, "m": 3}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    factors=st.lists(st.lists(st.sampled_from(sorted(SIZES)), min_size=0, max_size=3), min_size=1, max_size=5),
    summed=st.sets(st.sampled_from(sorted(SIZES)), min_size=1, max_size=3),
    dtype=st.sampled_from(["i64", "f64"]),
    numerics=st.sampled_from(["exact", "equivalent"]),
    takes=st.sampled_from([frozenset(("contract",)), frozenset[str]()]),
)
def test_any_sum_of_a_product_is_what_einsum_gives(
    factors: list[list[str]], summed: set[str], dtype: str, numerics: str, takes: frozenset[str]
) -> None:
    used = sorted({index for factor in factors for index in factor})
    reduced = [index for index in used if index in summed]
    outer = [index for index in used if index not in summed]
    assume(reduced and outer)
    params = ", ".join(f"x{at}: {tensor_type(factor, dtype)}" for at, factor in enumerate(factors))
    product = " * ".join(f"x{at}[{', '.join(factor)}]" if factor else f"x{at}" for at, factor in enumerate(factors))
    text = (
        f"pub entry run({params}) -> {tensor_type(outer, dtype)} "
        f"{{ let y[{', '.join(outer)}] = sum[{', '.join(reduced)}] {product} return y }}"
    )
    random = np.random.default_rng(len(text))
    arrays = [random.integers(-3, 4, [SIZES[index] for index in factor]).astype(DTYPES[dtype]) for factor in factors]
    recording = exported(text, Listing(takes=takes, broadcasts_elementwise=len(text) % 2 == 0), numerics=numerics)
    (result,) = compute(recording.graph, **{f"x{at}": array for at, array in enumerate(arrays)})
    wanted = np.einsum(f"{','.join(''.join(factor) for factor in factors)}->{''.join(outer)}", *arrays)
    assert np.array_equal(result, wanted)


def tensor_type(indices: list[str], dtype: str) -> str:
    return f"Tensor[{', '.join(str(SIZES[index]) for index in indices)}; {dtype}]" if indices else dtype
