"""Dims in the document: canonical form, both directions, and the limits."""

from __future__ import annotations

from typing import Any

import pytest

from linnet_core.errors import DocumentError, SourceError
from linnet_core.plan.dims import MAX_DIM_DEPTH, DimWriter, read_dim, read_shape
from linnet_core.shapes import Dim, Pack, floordiv, maximum, minimum, mod

H = Dim.symbol(3, "H")
N = Dim.symbol(1, "N")
S = Dim.pack_size(2, "S")
h = {"sym": 3, "name": "H"}
n = {"sym": 1, "name": "N"}

FORMS = [
    pytest.param(Dim.constant(7), 7, id="a number"),
    pytest.param(Dim.constant(0), 0, id="zero"),
    pytest.param(Dim.constant(2**70), 2**70, id="a number beyond 64 bits"),
    pytest.param(H, h, id="a generic"),
    pytest.param(S, {"packsize": 2, "name": "S"}, id="the size of a pack"),
    pytest.param(2 * H, {"op": "mul", "args": [2, h]}, id="a coefficient comes first"),
    pytest.param(-H, {"op": "mul", "args": [-1, h]}, id="a coefficient of -1"),
    pytest.param(H * N * H, {"op": "mul", "args": [n, h, h]}, id="factors in order of declaration"),
    pytest.param(1 + H + N * N, {"op": "add", "args": [{"op": "mul", "args": [n, n]}, h, 1]}, id="terms by degree, the constant last"),
    pytest.param(H - 2 * N, {"op": "add", "args": [{"op": "mul", "args": [-2, n]}, h]}, id="a difference"),
    pytest.param(floordiv(H, N), {"op": "floordiv", "args": [h, n]}, id="a quotient"),
    pytest.param(mod(H, N) * 3, {"op": "mul", "args": [3, {"op": "mod", "args": [h, n]}]}, id="a remainder"),
    pytest.param(minimum(H, N), {"op": "min", "args": [h, n]}, id="a minimum, sides as written"),
    pytest.param(maximum(H + 1, N), {"op": "max", "args": [{"op": "add", "args": [h, 1]}, n]}, id="a maximum"),
]


@pytest.mark.parametrize(("dim", "form"), FORMS)
def test_both_directions(dim: Dim, form: Any) -> None:
    written = DimWriter().dim(dim)
    assert written == form
    assert read_dim(written, "here") is dim


def test_a_pack_is_a_unit() -> None:
    shape = (Pack(2, "S"), H)
    form = DimWriter().shape(shape)
    assert form == [{"pack": 2, "name": "S"}, h]
    assert read_shape(form, "here") == shape


def nested(depth: int) -> Dim:
    dim = H
    for _ in range(depth):
        dim = floordiv(dim + 1, N)
    return dim


def test_depth_has_a_limit() -> None:
    written = DimWriter().dim(nested(MAX_DIM_DEPTH // 2))
    assert read_dim(written, "here") is nested(MAX_DIM_DEPTH // 2)
    with pytest.raises(SourceError, match="E6003"):
        DimWriter().dim(nested(MAX_DIM_DEPTH))
    with pytest.raises(SourceError, match="E6003"):
        DimWriter().dim(nested(5000))


def test_depth_counts_what_was_written_before() -> None:
    writer = DimWriter()
    writer.dim(nested(MAX_DIM_DEPTH // 2))
    with pytest.raises(SourceError, match="E6003"):
        writer.dim(nested(MAX_DIM_DEPTH))


def test_a_number_has_a_limit() -> None:
    with pytest.raises(SourceError, match="4096 bits"):
        DimWriter().dim(Dim.constant(2**5000) * H)


@pytest.mark.parametrize(
    ("form", "complaint"),
    [
        pytest.param(True, "here: should be an integer", id="a bool"),
        pytest.param(1.0, "here: should be an integer", id="a float"),
        pytest.param("H", "here: should be an integer", id="a string"),
        pytest.param({"sym": 1}, "here.name: missing", id="no name"),
        pytest.param({"sym": 1, "name": "N", "x": 1}, "here.x: no such field", id="a field too many"),
        pytest.param({"op": "pow", "args": [1, 2]}, "here.op: should be one of", id="no operation"),
        pytest.param({"op": "floordiv", "args": [1]}, "`floordiv` of 1 dimensions", id="a quotient of one"),
        pytest.param({"op": "add", "args": []}, "`add` of 0 dimensions", id="a sum of nothing"),
        pytest.param({"op": "add", "args": [1, {"op": "mod", "args": [1, None]}]}, "here.args[1].args[1]: should be", id="a place inside"),
    ],
)
def test_what_is_no_dim(form: Any, complaint: str) -> None:
    with pytest.raises(DocumentError) as raised:
        read_dim(form, "here")
    assert complaint in str(raised.value)


def test_a_document_nested_too_deeply() -> None:
    form: Any = 1
    for _ in range(400):
        form = {"op": "floordiv", "args": [h, form]}
    with pytest.raises(DocumentError, match="nested too deeply"):
        read_dim(form, "here")
