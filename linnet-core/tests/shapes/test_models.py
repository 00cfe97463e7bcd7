"""What the shapes of real models need proved, each beside a claim that looks like it and is false."""

from __future__ import annotations

import pytest

from linnet_core.shapes import Dim, Pack, count, equal_shapes, prove, prove_divides, prove_equal, prove_positive, refute

#: Sizes of a sharded attention block: heads over shards, then query heads over key heads.
_SHARDED = ("S > 0", "Heads % S == 0", "Kv % S == 0", "Kv / S > 0", "(Heads / S) % (Kv / S) == 0")

PROVED = [
    pytest.param(["D % N == 0", "N > 0"], "N * (D / N) == D", id="P1-heads"),
    pytest.param(["H % P == 0", "W % P == 0", "P > 0"], "C * H * W == C * (H / P) * P * (W / P) * P", id="P2-patches"),
    pytest.param([], "1 + (H / P) * (W / P) == (H / P) * (W / P) + 1", id="P3-quotients-commute"),
    pytest.param(["(Heads / S) % (Kv / S) == 0", "Kv / S > 0"], "(Heads / S) % (Kv / S) == 0", id="P4-where-of-callee"),
    pytest.param(["(Heads / S) % (Kv / S) == 0", "Kv / S > 0"], "(Kv / S) * ((Heads / S) / (Kv / S)) == Heads / S", id="P4-nested"),
    pytest.param(_SHARDED, "(Kv / S) * ((Heads / S) / (Kv / S)) == Heads / S", id="P4-beside-other-facts"),
    pytest.param(_SHARDED, "Kv / S > 0", id="P4-sign"),
    pytest.param([], "(Heads / S) * (H / Heads) == (H / Heads) * (Heads / S)", id="P5-no-cancelling"),
    pytest.param(["H % 32 == 0"], "H == (H / 32) * 32", id="P6-blocks"),
    pytest.param(["H == G * 32"], "E * O * G * 32 == E * O * H", id="P7-equality-as-rewrite"),
    pytest.param(["H == G * 32"], "H / 32 == G", id="P7-inside-a-quotient"),
    pytest.param(["G * 32 == H"], "H % 32 == 0", id="P7-other-way-round"),
    pytest.param([], "(L + 2 * 1 - 3) / 1 + 1 == L", id="P8-conv-k3-s1-p1"),
    pytest.param([], "(L + 0 - 1) / 1 + 1 == L", id="P8-conv-k1"),
    pytest.param([], "(L + 2 * 1 - 3) / 2 + 1 == (L - 1) / 2 + 1", id="P9-conv-k3-s2-p1"),
    pytest.param([], "(4 * M + 2 * 1 - 3) / 2 + 1 == 2 * M", id="P10-floor-below-zero"),
    pytest.param([], "(2 * (2 * M) + 2 - 3) / 1 + 1 == 4 * M", id="P11-upsample-conv"),
    pytest.param([], "((H * 2) * 2) * 2 == H * 8", id="P11-doubling"),
    pytest.param(["V % S == 0", "S > 0"], "S * (V / S) == V", id="P12-vocabulary-shards"),
    pytest.param([], "B * T * V == (B * T) * V", id="P12-rows"),
    pytest.param([], "(P + N) - P == N", id="P13-slice"),
    pytest.param([], "N + ((P + N) - P) == 2 * N", id="P13-concat"),
    pytest.param([], "2 * H - H == H", id="P14-second-third"),
    pytest.param([], "3 * H - 2 * H == H", id="P14-last-third"),
    pytest.param([], "H <= 2 * H", id="P14-lower-bound"),
    pytest.param([], "2 * H <= 3 * H", id="P14-upper-bound"),
    pytest.param(["D % 2 == 0"], "D / 2 + D / 2 == D", id="P15-halves"),
    pytest.param([], "D / 2 <= D", id="P15-half-is-inside"),
    pytest.param([], "(D - D / 2) + D / 2 == D", id="P15-rest-of-a-half"),
    pytest.param([], "(2 * I + 2 - 1) / 2 == I", id="P16-even-positions"),
    pytest.param([], "(2 * I - 1 + 2 - 1) / 2 == I", id="P16-odd-positions"),
    pytest.param(["In % G == 0", "G % 2 == 0", "G > 0"], "(In / G) * (2 * (G / 2)) == In", id="P17-two-cancellations"),
    pytest.param(["In % 2 == 0"], "2 * (In / 2) == In", id="P18-packed-nibbles"),
    pytest.param(["A == B"], "A == B", id="P19-extents"),
    pytest.param(["B == A"], "A == B", id="P19-turned-round"),
    pytest.param([], "512 % 32 == 0", id="P20-literals"),
    pytest.param([], "32 > 0", id="P20-literal-sign"),
    pytest.param(["C % 32 == 0"], "C % 32 == 0", id="P20-same-fact"),
    pytest.param([], "2 * N - N == N", id="P21-second-half"),
    pytest.param(["H % Hd == 0", "Hd > 0", "(H / Hd) % 2 == 0"], "(H / Hd) % 2 == 0", id="P22-where-of-callee"),
    pytest.param(["H % Hd == 0", "Hd > 0", "(H / Hd) % 2 == 0"], "2 * (H / Hd / 2) == H / Hd", id="P22-used"),
    pytest.param(["B > 0"], "1 <= B", id="P23-first-row"),
    pytest.param([], "1 - 0 == 1", id="P24-batch-of-one"),
    pytest.param(["A + B > 0", "2 * A % (A + B) == 0"], "2 * A / (A + B) * (A + B) == 2 * A", id="compound-divisor"),
    pytest.param(["A + B > 0", "(A + A) % (B + A) == 0"], "2 * A / (A + B) * (A + B) == 2 * A", id="compound-divisor-respelled"),
    pytest.param([], "(H - 1) / 2 + 1 == (H + 1) / 2", id="conv-at-odd-sizes"),
    pytest.param([], "((H + 6 - 7) / 2 + 1 + 2 - 3) / 2 + 1 == ((H - 1) / 2) / 2 + 1", id="stem"),
    pytest.param(["D % 2 == 0"], "(D + 1) / 2 == D / 2", id="strided-slice-of-even-axis"),
    pytest.param(["D % 2 == 0"], "(D - 1 + 1) / 2 == D / 2", id="strided-slice-from-one"),
    pytest.param(["M >= 3"], "min(3, M) == 3", id="window"),
    pytest.param(["N > 0"], "max(N, 1) == N", id="at-least-one"),
    pytest.param(["BK > 0"], "(K + BK - 1) / BK >= 0", id="grid"),
    pytest.param(["S > 0"], "S - 1 >= 0", id="last-token"),
    pytest.param(["S > 0"], "S - 1 < S", id="last-token-inside"),
    pytest.param(["K >= Q"], "K - Q >= 0", id="offset"),
    pytest.param(["Groups > 0", "16 % Groups == 0"], "Groups * (16 / Groups) == 16", id="groups-of-a-literal"),
    pytest.param(["C % 4 == 0"], "2 * C % 8 == 0", id="multiple-of-a-multiple"),
]

NEAR_MISSES = [
    pytest.param(["N > 0"], "N * (D / N) == D", id="P1-not-divisible"),
    pytest.param(["H % P == 0", "P > 0"], "C * H * W == C * (H / P) * P * (W / P) * P", id="P2-one-fact-short"),
    pytest.param(["P > 0"], "1 + (H / P) * (W / P) == (H * W) / (P * P) + 1", id="P3-floors-do-not-multiply"),
    pytest.param(["Kv / S > 0", "S > 0"], "(Kv / S) * ((Heads / S) / (Kv / S)) == Heads / S", id="P4-no-divisibility"),
    pytest.param(["Heads % Kv == 0", "S > 0", "Kv / S > 0"], "(Heads / S) % (Kv / S) == 0", id="P4-whole-does-not-divide-shards"),
    pytest.param(["Heads > 0", "S > 0"], "(Heads / S) * (H / Heads) == H / S", id="P5-cancelled"),
    pytest.param(["H % 16 == 0"], "H == (H / 32) * 32", id="P6-half-a-block"),
    pytest.param(["H == G * 16"], "E * O * G * 32 == E * O * H", id="P7-other-factor"),
    pytest.param([], "(L + 2 * 1 - 2) / 1 + 1 == L", id="P8-k2"),
    pytest.param([], "(L + 2 * 1 - 3) / 2 + 1 == L / 2 + 1", id="P9-rounded"),
    pytest.param([], "(4 * M + 2 * 1 - 3) / 2 + 1 == 2 * M + 1", id="P10-truncated"),
    pytest.param([], "(2 * (2 * M) + 2 - 2) / 1 + 1 == 4 * M", id="P11-k2"),
    pytest.param(["S > 0"], "S * (V / S) == V", id="P12-no-divisibility"),
    pytest.param([], "(P + N) - N == N", id="P13-wrong-end"),
    pytest.param([], "2 * H > H", id="P14-strict-though-H-may-be-0"),
    pytest.param([], "D / 2 + D / 2 == D", id="P15-odd"),
    pytest.param([], "D / 2 < D", id="P15-strict-though-D-may-be-0"),
    pytest.param([], "(2 * I + 1 + 2 - 1) / 2 == I", id="P16-one-more"),
    pytest.param(["In % G == 0", "G > 0"], "(In / G) * (2 * (G / 2)) == In", id="P17-odd-group"),
    pytest.param(["In % 3 == 0"], "2 * (In / 2) == In", id="P18-other-divisor"),
    pytest.param(["A <= B"], "A == B", id="P19-only-at-most"),
    pytest.param(["C % 16 == 0"], "C % 32 == 0", id="P20-weaker-fact"),
    pytest.param([], "3 * N - N == N", id="P21-of-three"),
    pytest.param(["H % 2 == 0", "H % Hd == 0", "Hd > 0"], "(H / Hd) % 2 == 0", id="P22-even-whole-odd-part"),
    pytest.param([], "1 <= B", id="P23-may-be-empty"),
    pytest.param([], "B - 0 == 1", id="P24-any-batch"),
    pytest.param(["A + B > 0", "A % (A + B) == 0"], "2 * B / (A + B) * (A + B) == 2 * B + A", id="compound-divisor"),
    pytest.param([], "(H - 1) / 2 + 1 == H / 2", id="conv-at-odd-sizes"),
    pytest.param([], "((H + 6 - 7) / 2 + 1 + 2 - 3) / 2 + 1 == H / 4", id="stem"),
    pytest.param([], "(D + 1) / 2 == D / 2", id="strided-slice-of-odd-axis"),
    pytest.param(["M >= 2"], "min(3, M) == 3", id="window"),
    pytest.param([], "max(N, 1) == N", id="at-least-one"),
    pytest.param([], "S - 1 >= 0", id="last-token"),
    pytest.param(["K + 1 >= Q"], "K - Q >= 0", id="offset"),
    pytest.param(["C % 4 == 0"], "2 * C % 6 == 0", id="multiple-of-a-multiple"),
    pytest.param(["H % N == 0"], "N > 0", id="dividing-is-no-sign"),
    pytest.param(["H % N == 0"], "N != 0", id="dividing-is-not-other-than-zero"),
]


@pytest.mark.parametrize(("facts", "goal"), PROVED)
def test_what_models_need_is_proved(given, claim, facts, goal):
    assert prove(claim(goal), given(*facts))
    assert not refute(claim(goal), given(*facts))


@pytest.mark.parametrize(("facts", "goal"), NEAR_MISSES)
def test_a_near_miss_is_not_proved(given, claim, facts, goal):
    assert not prove(claim(goal), given(*facts))


def _false_somewhere(claim, facts, goal) -> bool:
    """Whether some small sizes satisfy the facts and not the goal."""
    constraint, known = claim(goal), [claim(fact) for fact in facts]
    ids = sorted({id for each in [constraint, *known] for id in each.symbols()})
    sizes = (0, 1, 2, 3, 4, 5, 10, 16)
    for number in range(len(sizes) ** len(ids)):
        found = {}
        for id in ids:
            number, at = divmod(number, len(sizes))
            found[id] = sizes[at]
        try:
            if all(each.holds(found) for each in known) and not constraint.holds(found):
                return True
        except ZeroDivisionError:
            continue
    return False


@pytest.mark.parametrize(("facts", "goal"), [case for case in NEAR_MISSES if not str(case.id).startswith("dividing")])
def test_a_near_miss_is_false_at_some_sizes(claim, facts, goal):
    assert _false_somewhere(claim, facts, goal)


def test_merged_heads_have_the_elements_of_separate_ones(given, dim):
    pack = Pack(90, "S")
    facts = given("H % Heads == 0", "Heads > 0")
    assert prove_equal(count((pack, dim("Heads"), dim("H / Heads"))), count((pack, dim("H"))), facts)
    assert not prove_equal(count((pack, dim("Heads"), dim("H / Heads"))), count((dim("H"),)), facts)


def test_extents_equal_by_a_fact_make_shapes_equal(given, dim):
    assert equal_shapes((dim("B"), dim("A")), (dim("B"), dim("C")), given("A == C"))
    assert not equal_shapes((dim("B"), dim("A")), (dim("B"), dim("C")), given())


def test_a_divisor_is_positive_only_where_facts_say_so(given, dim):
    assert prove_positive(dim("N"), given("H % N == 0", "N > 0"))
    assert not prove_positive(dim("N"), given("H % N == 0"))
    assert prove_divides(dim("N"), dim("3 * H"), given("H % N == 0"))
    assert not prove_divides(dim("N"), dim("H + 1"), given("H % N == 0"))


def test_constants_divide_as_numbers_do(given):
    assert prove_divides(Dim.constant(32), Dim.constant(512), given())
    assert not prove_divides(Dim.constant(32), Dim.constant(500), given())
