"""Shapes: counted, substituted, shown, compared and broadcast."""

from __future__ import annotations

import pytest

from linnet_core.shapes import (
    Dim,
    Facts,
    Mismatch,
    Pack,
    broadcast,
    count,
    equal_shapes,
    evaluate_shape,
    show_shape,
    substitute_shape,
)

A, B, H = Dim.symbol(1, "A"), Dim.symbol(2, "B"), Dim.symbol(3, "H")
ONE = Dim.constant(1)
S, R = Pack(4, "S"), Pack(5, "R")


def test_a_shape_is_shown_as_the_program_writes_it():
    assert show_shape((S, H, ONE)) == "[*S, H, 1]"
    assert show_shape(()) == "[]"


def test_the_count_is_the_product_and_one_without_axes():
    assert count((A, B, A)) is A * A * B
    assert count(()) is ONE
    assert count((S, A)) is Dim.pack_size(4, "S") * A


def test_a_pack_is_spliced_where_it_stands():
    assert substitute_shape((A, S, H), {1: B}, {4: (ONE, R)}) == (B, ONE, R, H)
    assert substitute_shape((S, H), {}, {4: ()}) == (H,)
    assert substitute_shape((S, H), {3: A}) == (S, A)


def test_the_numbers_of_a_shape():
    assert evaluate_shape((A, S, H + 1), {1: 2, 3: 4}, {4: (7, 8)}) == (2, 7, 8, 5)
    with pytest.raises(KeyError):
        evaluate_shape((S,), {})


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        pytest.param((A, B), (A, B), (A, B), id="equal"),
        pytest.param((A, B), (B,), (A, B), id="shorter-right"),
        pytest.param((B,), (A, B), (A, B), id="shorter-left"),
        pytest.param((A, ONE), (ONE, B), (A, B), id="both-stretch"),
        pytest.param((), (A,), (A,), id="scalar"),
        pytest.param((S, H), (H,), (S, H), id="pack-beyond"),
        pytest.param((S, H), (S, ONE), (S, H), id="same-pack"),
        pytest.param((A, H), (B, H), Mismatch(2, A, B), id="unproved"),
        pytest.param((A, H), (A, A), Mismatch(1, H, A), id="last-axis"),
        pytest.param((S, H), (R, H), Mismatch(2, S, R), id="other-pack"),
        pytest.param((S, H), (ONE, H), Mismatch(2, S, ONE), id="pack-beside-one"),
        pytest.param((A, S, H), (S, H), (A, S, H), id="pack-inside"),
    ],
)
def test_broadcasting_aligns_at_the_right(a, b, result):
    assert broadcast(a, b, Facts()) == result


def test_broadcasting_uses_facts(given, dim):
    a, b = dim("A"), dim("B")
    assert broadcast((a,), (b,), given("A == B")) == (a,)
    assert broadcast((a,), (b,), given("A == 1")) == Mismatch(1, a, b)


def test_shapes_are_equal_unit_by_unit(given, dim):
    a, b = dim("A"), dim("B")
    facts = given("A == B")
    assert equal_shapes((S, a, b), (S, b, a), facts)
    assert not equal_shapes((a,), (a, ONE), facts)
    assert not equal_shapes((S,), (R,), facts)
    assert not equal_shapes((S,), (a,), facts)
