"""What the tests of the verifier build functions of: arguments of several types, ends of regions, a module around operations."""

from __future__ import annotations

from linnet_core.check.program import Block, Enum_, Field, Generic, Member, Struct_
from linnet_core.check.types import (
    BOOL_TYPE,
    I64,
    ArrayType,
    BlockType,
    EnumType,
    OptionalType,
    ScalarType,
    StructType,
    TensorType,
    TupleType,
    Type,
)
from linnet_core.ir.module import Function, Module, Op, Region, Value
from linnet_core.shapes import Dim, Pack

N = Dim.symbol(0, "N")
F32 = ScalarType("f32")
VECTOR = TensorType((N,), "f32")
PAIR = TupleType((F32, BOOL_TYPE))
CELL = Block(
    "Cell", "m", True, (), (), (Member("w", "param", VECTOR), Member("s", "state", VECTOR), Member("c", "sub", BlockType("Leaf", "m", ())))
)
LEAF = Block("Leaf", "m", True, (), (), ())
SPAN = Struct_("Span", "m", True, (), (Field("low", F32), Field("high", VECTOR)))
MODE = Enum_("Mode", "m", True, (), ("Slow", "Fast"))

X = Value(0, "x", VECTOR)
A = Value(1, "a", F32)
C = Value(2, "c", BOOL_TYPE)
I = Value(3, "i", I64)  # noqa: E741
P = Value(4, "p", PAIR)
B = Value(5, "self", BlockType("Cell", "m", ()))
M = Value(6, "m", OptionalType(F32))
S = Value(7, "s", StructType("Span", "m", ()))
E = Value(8, "e", EnumType("Mode", "m", ()))
L = Value(9, "cells", ArrayType(BlockType("Cell", "m", ()), N))
Y = Value(30, "y", TensorType((N, N), "f32"))
Z = Value(31, "z", TensorType((Pack(1, "Rest"), N), "f32"))
ARGS = (X, A, C, I, P, B, M, S, E, L, Y, Z)

#: The generics of `m::h`, one a kind.
H_GENERICS = (Generic("K", "dim", 40), Generic("Q", "shape", 41), Generic("T", "dtype", 42, "any"))


def out(type: Type, id: int = 10) -> Value:
    return Value(id, "", type)


def ends(*values: Value) -> Op:
    return Op("return", values)


def yields(*values: Value, args: tuple[Value, ...] = ()) -> Region:
    return Region(args, (Op("yield", values),))


def module_of(*ops: Op, results: tuple[Type, ...] = ()) -> Module:
    """A module `m` whose function `m::f` has the arguments above and these operations."""
    body = Region(ARGS, ops if ops and ops[-1].kind in ("return", "yield") else (*ops, ends()))
    f = Function("m::f", "fn", None, True, (), (), results, (), body)
    g = Function("m::g", "op", None, True, (), (), (F32,), (), Region((A,), (ends(A),)))
    h = Function("m::h", "fn", None, True, H_GENERICS, (), (VECTOR,), (), Region((X,), (ends(X),)))
    functions = {function.name: function for function in (f, g, h)}
    return Module("m", {"m::Cell": CELL, "m::Leaf": LEAF}, functions, {}, {"m::Span": SPAN}, {"m::Mode": MODE})
