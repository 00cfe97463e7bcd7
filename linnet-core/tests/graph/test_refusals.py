"""Each reason why an entry cannot be exported is told with what would help."""

from __future__ import annotations

from typing import Any

import pytest
from exporting import exported
from listing_target import Listing

from linnet_core.errors import SourceError

TENSORS = "carry tensors and scalars, or tuples and structs of them"
RESULTS = "return tensors and scalars, or tuples and structs of them"
STATEFUL = """
block B {
    state s: Tensor[4; f32]
    fn h(v: f32) -> f32 { s = fill<f32>([4], 1.0) return v }
    pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] { let y[n] = if x[n] > 0.0 { h(x[n]) } else { x[n] } return y }
}
"""

#: Program, sizes, code, words of the message, help.
REFUSED = [
    pytest.param(
        "pub entry run(x: f32) -> f32 { var o: f32? = none var i = 0 while i < 3 { o = some(x) i = i + 1 } "
        "return match o { some(v) => v none => x } }",
        {},
        "E6001",
        "this loop carries `o`, which is an optional",
        TENSORS,
        id="an optional in a loop",
    ),
    pytest.param(
        "struct S { a: f32 b: (f32, f32?) }\n"
        "pub entry run(x: f32) -> f32 { var o = S(a = x, b = (x, none)) for i in 0..3 { o = S(a = x, b = (x, some(x))) } return o.a }",
        {},
        "E6001",
        "this loop carries `o`, which holds an optional",
        TENSORS,
        id="a struct with an optional in a loop",
    ),
    pytest.param(
        "enum E { A, B }\nstruct S { a: f32 e: E }\n"
        "pub entry run(x: f32) -> f32 { var o = S(a = x, e = E.A) for i in 0..3 { o = S(a = o.a, e = E.B) } return o.a }",
        {},
        "E6001",
        "this loop carries `o`, which holds an enum",
        TENSORS,
        id="a struct with an enum in a loop",
    ),
    pytest.param(
        "struct S0 { a: f32 b: f32 }\n"
        + "".join(f"struct S{at} {{ a: S{at - 1} b: S{at - 1} }}\n" for at in range(1, 40))
        + "pub entry run(x: f32) -> f32 { let v0 = S0(a = x, b = x)\n"
        + "".join(f"let v{at} = S{at}(a = v{at - 1}, b = v{at - 1})\n" for at in range(1, 40))
        + "var o = v39 for i in 0..3 { o = S39(a = o.b, b = o.a) } return x }",
        {},
        "E6003",
        "this loop carries more than 65536 tensors",
        "make them one tensor with another axis",
        id="a struct of very many tensors in a loop",
    ),
    pytest.param(
        "enum E { A, B }\npub entry run(x: f32, c: bool) -> f32 { let e = if c { E.A } else { E.B } "
        "return match e { A => x B => 2.0 * x } }",
        {},
        "E6001",
        "an `if` over a run-time condition gives `A` or `B`: a variant is chosen at export",
        "let both arms give what the `match` makes of the variant: a tensor, or a tuple of tensors",
        id="a variant that depends on a value",
    ),
    pytest.param(
        STATEFUL,
        {},
        "E6001",
        "state `s` is assigned under a condition of index notation",
        "assign it outside, from a whole tensor",
        id="a state under an element's condition",
    ),
    pytest.param(
        "fn g(v: f32, t: Tensor[4; f32]) -> f32 { let u = t + v return u[0] }\n"
        "pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] { let y[n] = g(x[n], x) return y }",
        {},
        "E6001",
        "a whole tensor is combined with an element of index notation",
        "index the tensor, too",
        id="a whole tensor and an element",
    ),
    pytest.param(
        "pub entry run(x: Tensor[4; f32]) { return }",
        {},
        "E6001",
        "entry `run` has no result",
        "return a tensor, or a tuple of tensors",
        id="no result",
    ),
    pytest.param(
        "struct S { a: f32 b: (f32, f32?) }\npub entry run(x: f32) -> S { return S(a = x, b = (x, some(x))) }",
        {},
        "E6001",
        "entry `run` gives something that holds an optional",
        RESULTS,
        id="an optional inside a result",
    ),
    pytest.param(
        "enum E { A, B }\npub entry run(x: f32) -> E { return E.A }",
        {},
        "E6001",
        "entry `run` gives something that is an enum",
        RESULTS,
        id="an enum for a result",
    ),
    pytest.param(
        "pub entry run(x: (f32, f32)) -> f32 { let (a, b) = x return a + b }",
        {},
        "E6001",
        "entry `run` takes `x`, which has no tensor form",
        "take tensors and scalars",
        id="a tuple for an input",
    ),
    pytest.param(
        "enum E { A, B }\npub entry run(e: E) -> f32 { return match e { A => 1.0 B => 2.0 } }",
        {},
        "E6001",
        "entry `run` takes `e`, which has no tensor form",
        "write an entry for each variant: all of them call one function with theirs",
        id="an enum for an input",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[N; f32]) -> i64 { return N * N * N * N }",
        {"N": 100_000},
        "E6002",
        "`N * N * N * N` is 100000000000000000000 at these sizes, which does not fit i64",
        "bind other sizes",
        id="a size beyond i64 as a value",
    ),
    pytest.param(
        "block A { param w: f32 }\npub block B<N: Dim> { sub a: [A; N - 3] pub entry run(x: f32) -> f32 { return x } }",
        {"N": 2},
        "E6002",
        "the length `N - 3` of `a` is -1 at these sizes",
        "bind other sizes",
        id="an array of negative length",
    ),
    pytest.param(
        "block A { param w: f32 }\npub block B<N: Dim> { sub a: [A; N] pub entry run(x: f32) -> f32 { return x } }",
        {"N": 100_000},
        "E6003",
        "`a` has 100000 elements; an array of blocks has at most 65536",
        "bind a shorter array",
        id="an array that is too long",
    ),
    pytest.param(
        "block A { param w: f32 }\npub block B { sub a: [A; 100000] pub entry run(x: f32) -> f32 { return x } }",
        {},
        "E6003",
        "`a` has 100000 elements; an array of blocks has at most 65536",
        "declare a shorter array",
        id="an array that is declared too long",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[N; f32]) -> f32 where N % 2 == 0 { return sum[n] x[n] }",
        {"N": 3},
        "E6002",
        "`N % 2 == 0` of entry `run` does not hold",
        "bind sizes for which `N % 2 == 0` holds",
        id="a where that fails",
    ),
    pytest.param(
        "pub entry run<T: Float>(x: T) -> T { return x }",
        {"T": "i32"},
        "E6002",
        "`T` takes a float dtype, and `i32` is none",
        "bind T to one of f16, bf16, f32, f64",
        id="a dtype outside its class",
    ),
    pytest.param(
        "pub entry run<T: Integer>(x: T) -> T { return x + 300 }",
        {"T": "u8"},
        "E6002",
        "300 does not fit u8",
        "bind a dtype that holds it",
        id="a literal that does not fit",
    ),
]


@pytest.mark.parametrize(("text", "bind", "code", "message", "help"), REFUSED)
def test_a_refusal_says_what_helps(text: str, bind: dict[str, Any], code: str, message: str, help: str) -> None:
    with pytest.raises(SourceError) as caught:
        exported(text, Listing(supports_while=True), bind=bind)
    (found,) = caught.value.diagnostics
    assert (found.code, found.help) == (code, help)
    assert message in found.message
