"""Dims: one object for one value, one order, one spelling."""

from __future__ import annotations

import itertools
import pickle

import pytest

from linnet_core.shapes import Dim, FloorDiv, Max, Min, Mod, PackSize, Symbol, floordiv, maximum, minimum, mod


def test_equal_polynomials_are_the_same_object(dim):
    assert dim("(A + B) * (A - B)") is dim("A * A - B * B")
    assert dim("A + 1 - A") is Dim.constant(1)
    assert dim("A - A") is Dim.constant(0)
    assert dim("A / B * C") is dim("C * (A / B)")
    assert dim("A") is not dim("B")


def test_integers_mix_with_dims(dim):
    assert 1 + dim("A") is dim("A + 1")
    assert 2 * dim("A") - 3 is dim("2 * A - 3")
    assert 5 - dim("A") is dim("-A + 5")


def test_only_a_constant_has_a_value(dim):
    assert dim("3 * 4 - 5").value == 7
    assert dim("A - A").value == 0
    assert dim("A").value is None


def test_terms_stand_by_degree_then_declaration_and_the_constant_last():
    a, b, c = (Dim.symbol(id, name) for id, name in [(1, "z"), (2, "y"), (3, "x")])
    total = 7 + c + b * b + a + a * c + 2 * a * b
    assert [coefficient for coefficient, _ in total.terms] == [2, 1, 1, 1, 1, 7]
    assert str(total) == "2 * z * y + z * x + y * y + z + x + 7"


def test_the_order_does_not_depend_on_what_was_made_first():
    a, b = Dim.symbol(11, "A"), Dim.symbol(12, "B")
    for first, second in itertools.permutations([floordiv(a, b), floordiv(b, a), minimum(a, b), mod(a, b), maximum(b, a)], 2):
        assert (first + second).terms == (second + first).terms
    texts = [str(floordiv(b, a) + minimum(a, b) + floordiv(a, b) + mod(a, b) + b + a)]
    assert texts == ["A + B + A / B + B / A + A % B + min(A, B)"]


def test_atoms_can_be_matched():
    a, b = Dim.symbol(1, "A"), Dim.symbol(2, "B")
    found = {type(atom) for each in (floordiv(a, b), mod(a, b), minimum(a, b), maximum(a, b)) for _, atoms in each.terms for atom in atoms}
    assert found == {FloorDiv, Mod, Min, Max}
    assert a.terms == ((1, (Symbol(1, "A"),)),)
    assert Dim.pack_size(3, "S").terms == ((1, (PackSize(3, "S"),)),)


def test_symbols_are_the_ids_at_any_depth(names, dim):
    dim("A + B + C + D")
    assert dim("D / (A + 2) + min(B, 1)").symbols() == (0, 1, 3)
    assert dim("4").symbols() == ()
    assert Dim.pack_size(9, "S").symbols() == (9,)


@pytest.mark.parametrize(
    "text",
    [
        "H / Heads",
        "2 * D + 1",
        "max(N, 1)",
        "(H - 1) / 2 + 1",
        "H / P * (W / P)",
        "N * (H / N)",
        "H / (A * B)",
        "(A + B) / 2",
        "A * B / 3",
        "A / B / C",
        "A / (B / C)",
        "2 * A % (A + B)",
        "(A % B) % C",
        "(A / B) % C",
        "(2 * (A / B)) % C",
        "1 - N",
        "-A - B",
        "N - 1",
        "min(A + 1, B * C)",
        "(-A) / 2",
        "H % 2",
        "3",
        "0",
    ],
)
def test_a_dim_is_spelled_as_the_program_would(dim, text):
    assert str(dim(text)) == text
    assert dim(str(dim(text))) is dim(text)


def test_the_size_of_a_pack_is_named_after_it():
    assert str(2 * Dim.pack_size(4, "S")) == "2 * size(*S)"


def test_substitution_folds_as_if_written_so(names, dim):
    h, n = dim("H"), dim("N")
    assert dim("H / N").substitute({0: 6 * n}) is Dim.constant(6)
    assert dim("H / N + H").substitute({0: Dim.constant(7), 1: Dim.constant(2)}) is Dim.constant(10)
    assert dim("max(H, N)").substitute({0: n}) is n
    assert dim("H / N").substitute({}) is dim("H / N")
    assert h.substitute({5: n}) is h


def test_substitution_is_simultaneous(dim):
    a, b = dim("A"), dim("B")
    assert dim("A - 2 * B").substitute({0: b, 1: a}) is b - 2 * a


def test_a_pack_size_takes_the_count_of_what_the_pack_stands_for(dim):
    size = Dim.pack_size(7, "S")
    assert (size + 1).substitute({}, {7: (dim("A"), dim("B"))}) is dim("A * B + 1")
    assert size.substitute({}, {7: ()}) is Dim.constant(1)


@pytest.mark.parametrize(
    ("text", "sizes", "value"),
    [
        pytest.param("(H - 1) / 2 + 1", {0: 0}, 0, id="floor-below-zero"),
        pytest.param("(H - 3) % 2", {0: 0}, 1, id="remainder-of-a-negative"),
        pytest.param("min(H, 3) * max(H, 3)", {0: 5}, 15, id="min-max"),
        pytest.param("H * H - 2 * H + 1", {0: 9}, 64, id="polynomial"),
    ],
)
def test_evaluation_gives_the_number(dim, text, sizes, value):
    assert dim(text).evaluate(sizes) == value


def test_evaluation_says_what_is_missing_or_impossible(dim):
    h, n = dim("H"), dim("N")
    with pytest.raises(KeyError) as missing:
        floordiv(h, n).evaluate({0: 3})
    assert missing.value.args == (1,)
    with pytest.raises(ZeroDivisionError):
        floordiv(h, n).evaluate({0: 3, 1: 0})
    with pytest.raises(ZeroDivisionError):
        floordiv(h, Dim.constant(0)).evaluate({0: 3})
    assert Dim.pack_size(7, "S").evaluate({}, {7: (2, 3)}) == 6


def test_a_dim_survives_pickling_as_the_same_object(dim):
    assert pickle.loads(pickle.dumps(dim("A / B + 1"))) is dim("A / B + 1")
