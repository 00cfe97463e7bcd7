"""The verifier holds the members of blocks against what a block may have."""

from __future__ import annotations

import pytest
from ir_pieces import F32, VECTOR, N, module_of
from msgspec.structs import replace

from linnet_core.check.program import Block, Generic, Member
from linnet_core.check.types import ArrayType, BlockType, DimArg, DTypeArg, OptionalType, TupleType, Type
from linnet_core.errors import InternalError
from linnet_core.ir.verify import verify

SIZED = Block("Sized", "m", True, (Generic("H", "dim", 50),), (), ())


def sized(*args: DimArg | DTypeArg) -> BlockType:
    return BlockType("Sized", "m", args)


def verify_member(kind: str, type: Type, **blocks: Block) -> None:
    module = module_of()
    outer = Block("Outer", "m", True, (), (), (Member("x", kind, type),))  # type: ignore[arg-type]  # the table's words are the kinds of members
    verify(replace(module, blocks={**module.blocks, "m::Sized": SIZED, "m::Outer": outer, **blocks}))


@pytest.mark.parametrize(
    ("kind", "type"),
    [
        pytest.param("param", OptionalType(VECTOR), id="an optional parameter"),
        pytest.param("buffer", F32, id="a scalar buffer"),
        pytest.param("state", VECTOR, id="a state"),
        pytest.param("sub", OptionalType(sized(DimArg(N))), id="an optional block"),
        pytest.param("sub", ArrayType(ArrayType(sized(DimArg(N)), N), N), id="an array of arrays"),
    ],
)
def test_what_a_block_may_have_passes(kind: str, type: Type) -> None:
    verify_member(kind, type)


@pytest.mark.parametrize(
    ("kind", "type", "problem"),
    [
        pytest.param("param", TupleType((F32,)), "is a param of type", id="a tuple as a parameter"),
        pytest.param("state", OptionalType(VECTOR), "is a state of type", id="an optional state"),
        pytest.param("param", sized(DimArg(N)), "is a param of type", id="a block as a parameter"),
        pytest.param("sub", VECTOR, "is a sub of type", id="a tensor as a child"),
        pytest.param("sub", BlockType("None", "m", ()), "not in the module", id="an unknown block"),
        pytest.param("sub", sized(), "other generics", id="a generic missing"),
        pytest.param("sub", sized(DTypeArg("f32")), "other generics", id="a generic of another kind"),
        pytest.param("sub", BlockType("Outer", "m", ()), "contains itself", id="itself"),
    ],
)
def test_what_a_block_may_not_have_is_named(kind: str, type: Type, problem: str) -> None:
    with pytest.raises(InternalError, match=r"^block `m::Outer`: ") as raised:
        verify_member(kind, type)
    assert problem in str(raised.value)


def test_blocks_that_contain_each_other_are_named() -> None:
    inner = Block("Inner", "m", True, (), (), (Member("back", "sub", ArrayType(BlockType("Outer", "m", ()), N)),))
    with pytest.raises(InternalError, match="contains itself"):
        verify_member("sub", BlockType("Inner", "m", ()), **{"m::Inner": inner})
