"""What cannot be exported says so: code, line, and the words that matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from exporting import exported, lowered
from listing_target import Listing

from linnet_core.errors import SourceError, UsageError
from linnet_core.graph.calls import Call, Cumsum
from linnet_core.graph.export import ExportRequest, export
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linnet_core.graph.target import Declined, RegionCallback

#: Program, bindings, code, words of the message, words under the span.
FAILURES = [
    pytest.param(
        "block A<N: Dim> { param w: Tensor[N; f32] } block B<N: Dim> { sub a: A<N * N> } "
        "pub block R<N: Dim> { sub b: B<N * N> pub entry run(x: f32) -> f32 { return x } }",
        {"N": 2**20},
        "E6002",
        f"`N` of `A` is {2**80} at these sizes",
        "a",
        id="a size of a block beyond i64",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[" + " * ".join(["N"] * 300) + "; f32]) -> f32 { return sum[n] x[n] }",
        {"N": 2**62},
        "E6002",
        "is [10^5599 or so] at these sizes",
        "run",
        id="a size of more digits than Python writes",
    ),
    pytest.param(
        "pub entry run(n: i64) -> i64 { var x = n while x < 9 { x = x + 1 } return x }",
        {},
        "E6001",
        "`listing` has no run-time loops",
        "while",
        id="no loops",
    ),
    pytest.param(
        "pub entry run(n: i64) -> i64 { var x = n for i in 0..3 { x = x + i } return x }",
        {},
        "E6001",
        "no run-time loops",
        "for",
        id="no for",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[N; f32]) -> f32 { return x[0] }",
        {"N": 0},
        "E6002",
        "position `0` is 0 at these sizes, outside an axis of 0",
        "x[0]",
        id="position",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[2; f32] { return x[1:3] }",
        {"N": 2},
        "E6002",
        "the range `1:3` is 1:3 at these sizes, outside an axis of 2",
        "x[1:3]",
        id="range",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] where N % 2 == 0 { return x }",
        {"N": 3},
        "E6002",
        "`N % 2 == 0` of entry `run` does not hold: 1 == 0 is false",
        "run",
        id="where",
    ),
    pytest.param(
        "pub entry run<N: Dim, M: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] where N % M == 0 { return x }",
        {"N": 3, "M": 0},
        "E6002",
        "divides by zero",
        "run",
        id="where divides by zero",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] { return x }",
        {},
        "E6002",
        "entry `run` needs a value for `N`",
        "run",
        id="unbound",
    ),
    pytest.param(
        "pub entry run<T: Float>(x: T) -> T { return x }",
        {"T": "i32"},
        "E6002",
        "`T` takes a float dtype, and `i32` is none",
        "run",
        id="dtype class",
    ),
    pytest.param(
        "pub entry run<T: Integer>(x: T) -> T { return x + 300 }",
        {"T": "u8"},
        "E6002",
        "300 does not fit u8",
        "300",
        id="literal of a generic dtype",
    ),
    pytest.param(
        "pub entry run(x: f32?) -> f32 { return match x { some(y) => y none => 0.0 } }",
        {},
        "E6001",
        "takes `x`, which has no tensor form",
        "run",
        id="optional input",
    ),
    pytest.param(
        "pub entry run(x: f32) -> ((f32, f32?), f32) { return ((x, some(x)), x) }",
        {},
        "E6001",
        "gives something that holds an optional",
        "run",
        id="nested result",
    ),
    pytest.param(
        "pub entry run<N: Dim>(x: f32) -> f32 { var y = x static for i in 0..N { y = y + x } return y }",
        {"N": 70000},
        "E6003",
        "70000 iterations; at most 65536 are unrolled",
        "static",
        id="unrolled",
    ),
    pytest.param(
        "pub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { let y[i] = total(x[i]) return y }\n"
        "fn total(x: f32) -> f32 { let t = fill([3], x) return sum[n] t[n] }",
        {},
        "E6001",
        "depends on an index of index notation",
        "fill",
        id="a tensor made of an element",
    ),
    pytest.param(
        "pub entry run(x: f32, c: bool) -> f32 { let y = if c { some(x) } else { none } return match y { some(z) => z none => x } }",
        {},
        "E6001",
        "present in one arm only",
        "if",
        id="optional of an if",
    ),
]


@pytest.mark.parametrize(("text", "bind", "code", "message", "place"), FAILURES)
def test_what_cannot_be_exported_says_why_and_where(text: str, bind: dict[str, Any], code: str, message: str, place: str) -> None:
    with pytest.raises(SourceError) as caught:
        exported(text, bind=bind)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert message in found.message
    assert found.span is not None
    assert place in found.span.text


def test_a_condition_that_assigns_state_is_refused() -> None:
    text = """
pub block M {
    state n: Tensor[1; i64]
    fn next() -> i64 { n = n + 1 return n[0] }
    pub entry run(x: i64) -> i64 { var y = x while next() < 3 { y = y + 1 } return y }
}
"""
    with pytest.raises(SourceError, match="the condition of this `while` assigns state"):
        exported(text, Listing(supports_while=True))


def test_a_failure_in_a_function_shows_the_calls_that_led_to_it() -> None:
    text = """
fn first<N: Dim>(x: Tensor[N; f32]) -> f32 { return x[0] }
fn second<N: Dim>(x: Tensor[N; f32]) -> f32 { return first(x) + 1.0 }
pub entry run<N: Dim>(x: Tensor[N; f32]) -> f32 { return second(x) }
"""
    with pytest.raises(SourceError) as caught:
        exported(text, bind={"N": 0})
    (found,) = caught.value.diagnostics
    assert [(label.span.text, label.text) for label in found.related] == [
        ("first(x)", "in this call of `program::first`"),
        ("second(x)", "in this call of `program::second`"),
    ]


def test_what_cannot_be_exported_names_entry_and_target() -> None:
    with pytest.raises(SourceError) as caught:
        exported("pub entry run(n: i64) -> i64 { var x = n while x < 9 { x = x + 1 } return x }")
    assert caught.value.diagnostics[0].notes == ("exporting entry `run` to `listing`",)


def test_sizes_that_do_not_fit_are_named() -> None:
    with pytest.raises(SourceError) as caught:
        exported("pub entry run<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N * N; f32] { return reshape(x, [N * N]) }", bind={"N": 2**32})
    (found,) = caught.value.diagnostics
    assert found.message == "the shape [N * N] is [18446744073709551616] at these sizes"
    assert found.notes == ("N = 4294967296",)


def test_what_a_target_raises_is_placed_at_the_operation() -> None:
    class Picky(Listing):
        def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
            if isinstance(call, Cumsum):
                raise SourceError([Diagnostic("E6001", "no running sums here", None)])
            return super().emit(call, regions)

    with pytest.raises(SourceError) as caught:
        exported("pub entry run(x: Tensor[3; f32]) -> Tensor[3; f32] { return cumsum(x, axis = 0) }", Picky())
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.text == "cumsum(x, axis = 0)"


def test_an_array_of_blocks_has_a_limit() -> None:
    text = """
block Leaf { param w: f32 pub fn get() -> f32 { return w } }
pub block M<N: Dim> { sub leaves: [Leaf; N] pub entry run(x: f32) -> f32 { var y = x static for l in leaves { y = y + l.get() } return y } }
"""
    with pytest.raises(SourceError, match=r"E6003: `leaves` has 100000 elements; an array of blocks has at most 65536"):
        exported(text, bind={"N": 100_000})


def test_a_model_has_a_limit_of_blocks() -> None:
    text = """
block Leaf { state s: Tensor[1; f32] pub fn get(x: f32) -> f32 { return x } }
pub block M { sub leaves: [[Leaf; 60000]; 60000] pub entry run(x: f32) -> f32 { return leaves[0][0].get(x) } }
"""
    with pytest.raises(SourceError, match=r"E6003: this model has more than 262144 blocks"):
        exported(text)


def test_calls_that_emit_nothing_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet_core.graph.emitter.MAX_CALLS", 1000)
    levels = [f"fn g{i}(x: f32) -> f32 {{ let a = g{i + 1}(x) return g{i + 1}(a) }}" for i in range(40)]
    text = "\n".join([*levels, "fn g40(x: f32) -> f32 { return x }", "pub entry run(x: f32) -> f32 { return g0(x) }"])
    with pytest.raises(SourceError, match=r"E6003: this export makes more than 1000 calls"):
        exported(text)


TWO_BLOCKS = """
pub entry alone(x: f32) -> f32 { return x }
pub block A { param w: f32 pub entry go(x: f32) -> f32 { return x * w } pub entry run(x: f32) -> f32 { return x } }
pub block B { param w: f32 pub entry go(x: f32) -> f32 { return x + w } }
pub block C { param w: f32 }
"""


@pytest.mark.parametrize(
    ("text", "request_", "message"),
    [
        pytest.param(TWO_BLOCKS, {"entry": "go"}, "several blocks of `program` declare entries: A, B; choose one", id="several blocks"),
        pytest.param(TWO_BLOCKS, {"root": "A"}, "block `A` has several entries; choose one with --entry: go, run", id="several entries"),
        pytest.param(TWO_BLOCKS, {"root": "A", "entry": "stop"}, "block `A` has no entry `stop`; there are: go, run", id="unknown entry"),
        pytest.param(TWO_BLOCKS, {"root": "D"}, "`program` has no block `D`; there are: A, B, C", id="unknown block"),
        pytest.param(TWO_BLOCKS, {"root": "C"}, "block `C` has no entry", id="a block without entries"),
        pytest.param("pub fn f(x: f32) -> f32 { return x }", {}, "module `program` has no entry", id="no entry"),
        pytest.param(
            "pub entry a(x: f32) -> f32 { return x }\npub block B { pub entry a(x: f32) -> f32 { return x } }",
            {"entry": "a"},
            "`a` is an entry of the module and of block `B`",
            id="module and block",
        ),
        pytest.param(
            "pub entry a<N: Dim>(x: f32) -> f32 { return x }",
            {"bindings": {"M": "1"}},
            "--bind M: entry `a` has no generic `M`; there are: N",
            id="unknown generic",
        ),
        pytest.param("pub entry a(x: f32) -> f32 { return x }", {"bindings": {"M": "1"}}, "it has none", id="no generics"),
    ],
)
def test_what_does_not_exist_is_a_usage_error(text: str, request_: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        export(lowered(text), ExportRequest(**request_), Listing())


def test_a_module_entry_is_found_by_name_beside_blocks() -> None:
    recording = export(lowered(TWO_BLOCKS), ExportRequest(entry="alone"), Listing())
    assert [call.op for call in (node.call for node in recording.graph.nodes)] == ["input", "finish"]  # type: ignore[union-attr]  # no `call` among them
