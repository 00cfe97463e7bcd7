"""Large and deep programs: time is linear, nesting is bounded, and nothing runs out of stack."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from exporting import exported, nodes
from interpreter import compute
from listing_target import Listing

from linnet_core.errors import DocumentError, SourceError
from linnet_core.graph.document import MAX_CALL_DEPTH, decode, encode
from linnet_core.graph.grid import MAX_ELEMENTS
from linnet_core.graph.replay import replay
from linnet_core.schema.validate import validate_text


def nested(depth: int) -> str:
    """`step0` calls `step1` and so on; the last adds one."""
    calls = "".join(f"fn step{at}(x: f32) -> f32 {{ return step{at + 1}(x) }}\n" for at in range(depth - 1))
    return f"pub entry run(x: f32) -> f32 {{ return step0(x) }}\n{calls}fn step{depth - 1}(x: f32) -> f32 {{ return x + 1.0 }}\n"


def test_250_nested_calls_are_exported_read_back_validated_and_replayed() -> None:
    target = Listing()
    recording = exported(nested(250), target)
    text = encode(recording.graph)
    assert validate_text(text)[0] == "graph-1"
    again = Listing()
    replay(decode(text), again)
    assert again.source() == target.source()
    assert compute(recording.graph, x=1)[0] == 2


def test_deeper_calls_are_a_diagnostic() -> None:
    with pytest.raises(SourceError, match=f"E6003: calls are nested more than {MAX_CALL_DEPTH} deep"):
        exported(nested(MAX_CALL_DEPTH + 1))


@pytest.mark.parametrize("depth", [MAX_CALL_DEPTH + 1, 2_000, 100_000])
def test_a_document_nested_deeper_is_refused(depth: int) -> None:
    call = '{"op":"call","callee":"f","semantic":0,"path":null,"generics":{},"arguments":[],"body":['
    text = '{"version":1,"target":"t","values":[],"nodes":[' + call * depth + '],"results":[]}' * depth + "]}"
    with pytest.raises(DocumentError, match="nested"):
        decode(text)


def test_8000_statements_take_no_stack() -> None:
    body = "    y = y + 1.0\n" * 8000
    recording = exported(f"pub entry run(x: Tensor[4; f32]) -> Tensor[4; f32] {{\n    var y = x\n{body}    return y\n}}")
    assert len(nodes(recording, "elementwise")) == 8000
    text = encode(recording.graph)
    assert encode(decode(text)) == text


def test_nested_regions_take_no_more_stack_than_there_is() -> None:
    inner = "x"
    for _ in range(40):
        inner = f"(if c {{ {inner} }} else {{ x }})"
    recording = exported(f"pub entry run(c: bool, x: f32) -> f32 {{ return {inner} }}")
    assert compute(recording.graph, c=True, x=3)[0] == 3


def of_all(count: int, body: str, reduce: str = "sum", sign: str = "+") -> str:
    """A reduction over `count` indices of a body of `x` at each of them."""
    indices = [f"k{at}" for at in range(count)]
    elements = f" {sign} ".join(f"x[{index}]" for index in indices)
    return f"pub entry run<N: Dim>(x: Tensor[N; f32]) -> f32 {{ return {reduce}[{', '.join(indices)}] {body.format(elements)} }}"


@pytest.mark.parametrize(
    ("text", "size", "message"),
    [
        pytest.param(of_all(36, "exp({})"), 2, None, id="as many as there may be"),
        pytest.param(of_all(37, "exp({})"), 2, "the body of this `sum` has 137438953472 elements, over 37 axes", id="one index more"),
        pytest.param(of_all(37, "exp({})"), 1, None, id="axes of one"),
        pytest.param(of_all(3, "{}", "max"), 2**13, "the body of this `max` has 549755813888 elements, over 3 axes", id="few large axes"),
        pytest.param(of_all(12, "{}", sign="*"), 2**13, None, id="a contraction, which makes none of them"),
    ],
)
def test_the_body_of_a_reduction_has_a_limit(text: str, size: int, message: str | None) -> None:
    if message is None:
        assert exported(text, bind={"N": size}).graph.nodes
        return
    with pytest.raises(SourceError, match=f"E6003: {re.escape(message)}; at most {MAX_ELEMENTS} are computed") as raised:
        exported(text, bind={"N": size})
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.text.startswith(("sum[", "max["))


def test_the_recursion_limit_is_left_as_it_was() -> None:
    before = sys.getrecursionlimit()
    exported(nested(20))
    assert sys.getrecursionlimit() == before


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:2]
from exporting import exported
from listing_target import Listing
from linnet_core.graph.document import encode
text = '''
use std.nn.attention::{attention}
pub block M<H: Dim> {
    state b: Tensor[H; f32]
    state a: Tensor[H; f32]
    pub entry run(c: bool, x: Tensor[H; f32]) -> f32 { return if c { one(x) } else { two(x) } }
    fn one(x: Tensor[H; f32]) -> f32 { b = x a = x return sum[i] x[i] * a[i] * b[i] }
    fn two(x: Tensor[H; f32]) -> f32 { a = x + 1.0 b = x return sum[i] x[i] * b[i] }
}
'''
sys.stdout.buffer.write(encode(exported(text, Listing(), {"H": 4}).graph))
"""


def test_the_document_does_not_depend_on_the_hash_seed() -> None:
    here = os.path.dirname(__file__)
    documents = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, here], env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, check=True
        ).stdout
        for seed in range(3)
    }
    assert len(documents) == 1
    (text,) = documents
    assert np.isclose(float(compute(decode(text), c=True, x=np.arange(4), a=np.zeros(4), b=np.zeros(4))[0]), 36)
