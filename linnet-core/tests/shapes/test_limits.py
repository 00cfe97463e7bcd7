"""Large and deep dims: an answer, within the step budget, without deep recursion; the same answer every time."""

from __future__ import annotations

import functools
import random
import subprocess
import sys

import pytest

from linnet_core.errors import LinnetError
from linnet_core.shapes import Constraint, Dim, Facts, floordiv, maximum, minimum, mod, prove_at_least, prove_divides, prove_equal
from linnet_core.shapes.budget import STEPS
from linnet_core.shapes.dims import MAX_TERMS
from linnet_core.shapes.explain import explain
from linnet_core.shapes.prove import answer

GENERICS = [Dim.symbol(100 + i, f"A{i}") for i in range(40)]


def _nested(operations, dims: list[Dim]) -> Dim:
    total = dims[0]
    for position, dim in enumerate(dims[1:]):
        total = operations[position % len(operations)](dim, total)
    return total


def test_forty_minima_in_any_order_are_equal():
    mixed = random.Random(1).sample(GENERICS, 40)
    facts = Facts()
    assert prove_equal(_nested([minimum], GENERICS), _nested([minimum], mixed), facts)
    assert prove_equal(_nested([maximum], GENERICS), _nested([maximum], mixed), facts)
    assert prove_at_least(GENERICS[7], _nested([minimum], mixed), facts)


def test_forty_minima_and_thirty_nine_are_not_equal():
    assert not prove_equal(_nested([minimum], GENERICS), _nested([minimum], GENERICS[1:]), Facts())


def test_minima_and_maxima_in_turn_are_answered_within_the_budget():
    turns, minima = _nested([minimum, maximum], GENERICS), _nested([minimum], GENERICS)
    goal = Constraint("==", turns, minima)
    first = [answer(goal, Facts()) for _ in range(2)]
    assert first[0] == first[1]
    assert not first[0][0]


def test_giving_up_is_said_and_is_the_same_every_time():
    """The claim holds, since the least of two is at most the greatest, but there are not enough steps to see it."""
    turns, back = _nested([minimum, maximum], GENERICS[:24]), _nested([maximum, minimum], GENERICS[:24][::-1])
    hard = Constraint("<=", minimum(turns, back) * GENERICS[30], maximum(back * GENERICS[30], turns * GENERICS[30]))
    explanations = [explain(hard, Facts()) for _ in range(2)]
    assert explanations[0] == explanations[1]
    assert explanations[0].gave_up == STEPS


def test_an_equality_that_rewrites_inside_itself_does_not_grow():
    """`(H / N) % 2 == H` beside `H % N == 0` rewrites `H` to a quotient of `H`: such a rewrite is left out."""
    h, n, two, zero = GENERICS[0], GENERICS[1], Dim.constant(2), Dim.constant(0)
    half = mod(floordiv(h, n), two)
    facts = Facts([Constraint(">", n, zero), Constraint("==", mod(h, n), zero), Constraint("==", half, h)])
    normal = facts.knowledge.normal(h)
    assert facts.knowledge.normal(normal) is normal
    assert not prove_equal(half, zero, facts)
    assert prove_equal(half, h, facts)


@pytest.mark.parametrize("goal", ["(D + 2) * (C / (D + 2)) <= C", "C / (B + 1) / (D + 2) == C / ((B + 1) * (D + 2))"])
def test_a_whole_quotient_inside_another_does_not_grow(given, claim, goal):
    """Merging `C / (B + 1)` into a quotient multiplies by `B + 1`, and the fact brings the quotient back."""
    facts = given("C % (B + 1) == 0")
    assert len(str(facts.knowledge.normal(claim(goal).left))) < 200
    assert answer(claim(goal), facts) == (True, False)


def test_answers_do_not_depend_on_the_hash_seed():
    program = """
from linnet_core.shapes import *
from linnet_core.shapes.explain import explain
a, b, c, d = (Dim.symbol(i, n) for i, n in enumerate("ABCD"))
one = Dim.constant(1)
facts = Facts([Constraint("==", mod(a, b), one - 1), Constraint(">", b, one - 1), Constraint("==", a * c, b * d)])
facts = facts.extended([Constraint("<=", c, minimum(a, d))])
goals = [Constraint(r, x, y) for r in ("==", "<=") for x in (a, floordiv(a, b) * b, c * d) for y in (b, d + c, maximum(c, d))]
for goal in goals:
    print(prove(goal, facts), refute(goal, facts), explain(goal, facts))
print(floordiv(a, b) + floordiv(b, a) + minimum(c, d) * mod(d, c) + a * b, facts.knowledge.inequalities, facts.knowledge.rewriter.solved)
"""
    printed = {
        subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True).stdout
        for seed in ("0", "1", "2026")
    }
    assert len(printed) == 1
    assert printed.pop().count("\n") == 19


def test_a_small_claim_does_not_use_up_the_budget(claim):
    assert explain(claim("N * (D / N) == D"), Facts()).gave_up is None


def test_deep_quotients_are_made_shown_and_evaluated_without_recursion():
    deep = GENERICS[0]
    for _ in range(8000):
        deep = floordiv(deep, GENERICS[1]) + 1
    assert deep.height == 8000
    assert deep.evaluate({100: 5, 101: 2}) == 2
    assert deep.substitute({101: Dim.constant(1)}) is GENERICS[0] + 8000
    assert len(str(deep)) < 10_000
    assert not prove_equal(deep, GENERICS[2], Facts())
    assert not prove_equal(deep, deep + 1, Facts())
    assert not explain(Constraint("==", deep, GENERICS[2]), Facts()).known


def test_deep_dims_that_differ_at_the_bottom_are_ordered_without_recursion():
    first, second = GENERICS[0], GENERICS[2]
    for _ in range(5000):
        first, second = floordiv(first, GENERICS[1]) + 1, floordiv(second, GENERICS[1]) + 1
    assert (first + second) is (second + first)


def test_shared_operands_are_visited_once():
    x = GENERICS[0]
    for _ in range(60):
        x = minimum(x + GENERICS[1], 2 * x + maximum(x, GENERICS[2]))
    assert x.evaluate({100: 1, 101: 1, 102: 1}) == 61
    assert len(str(x)) < 10_000
    assert x.symbols() == (100, 101, 102)


def test_facts_with_deep_dims_are_taken_in():
    deep = GENERICS[0]
    for _ in range(3000):
        deep = maximum(floordiv(deep, GENERICS[1]), GENERICS[2])
    facts = Facts([Constraint(">", deep, Dim.constant(0)), Constraint(">", GENERICS[3], Dim.constant(2))])
    assert prove_at_least(GENERICS[3], 3, facts)
    assert facts.contradiction() is None


def test_a_dim_with_too_many_terms_names_the_limit():
    with pytest.raises(LinnetError, match=f"more than {MAX_TERMS} terms"):
        functools.reduce(Dim.__mul__, [sum(GENERICS[:6], Dim.constant(1))] * 20)
    with pytest.raises(LinnetError, match=f"more than {MAX_TERMS} terms"):
        functools.reduce(Dim.__add__, [Dim.symbol(1000 + i, f"S{i}") for i in range(MAX_TERMS + 1)])


def test_facts_too_large_to_use_are_left_aside():
    wide = [functools.reduce(Dim.__add__, [Dim.symbol(2000 + 700 * k + i, f"T{k}{i}") for i in range(700)]) for k in range(2)]
    facts = Facts([Constraint("==", wide[0], wide[1]), Constraint(">", GENERICS[0], Dim.constant(0))])
    assert prove_at_least(GENERICS[0], 1, facts)
    assert not prove_equal(wide[0], wide[1] + 1, facts)
    assert not prove_divides(wide[0], wide[1], facts)
    assert explain(Constraint("<", wide[0], wide[1]), facts).help is None


def test_twenty_thousand_terms_of_one_generic_are_one_term():
    total = Dim.constant(0)
    for _ in range(20_000):
        total = total + GENERICS[0]
    assert total is 20_000 * GENERICS[0]


def test_high_powers_stay_one_term():
    power = functools.reduce(Dim.__mul__, [GENERICS[0]] * 500)
    assert len(power.terms) == 1
    assert prove_equal(floordiv(power, GENERICS[0]) * GENERICS[0], power, Facts())
    assert power.evaluate({100: 2}) == 2**500


def test_a_function_with_many_facts_answers_all_its_questions():
    facts = Facts(
        [Constraint(">", GENERICS[i], Dim.constant(0)) for i in range(0, 30, 2)]
        + [
            Constraint("==", GENERICS[i + 1] - floordiv(GENERICS[i + 1], GENERICS[i]) * GENERICS[i], Dim.constant(0))
            for i in range(0, 30, 2)
        ]
    )
    for i in range(0, 30, 2):
        part = floordiv(GENERICS[i + 1], GENERICS[i])
        assert prove_equal(part * GENERICS[i] * GENERICS[39], GENERICS[39] * GENERICS[i + 1], facts)
        assert not prove_equal(part * GENERICS[(i + 2) % 30], GENERICS[i + 1], facts)


@pytest.mark.parametrize("more", [pytest.param(0, id="squares"), pytest.param(1, id="squares and one")])
def test_facts_that_double_a_degree_each_are_not_put_into_each_other_without_end(more):
    facts = Facts([Constraint("==", GENERICS[i + 1], GENERICS[i] * GENERICS[i] + more) for i in range(39)])
    first, second, third = GENERICS[:3]
    assert prove_equal(second * second + more, third, facts)
    assert prove_equal((first * first + more) * (first * first + more) + more, third, facts)
    assert not prove_equal(first, GENERICS[39], facts)
