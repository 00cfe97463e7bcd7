"""Calls, and what is read of blocks, structs and enums.

In: an operation and the pieces of its operands.  Out: its piece.  Generics that the arguments tell are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.check.types import BlockType, EnumType, StructType
from linnet_core.errors import DocumentError
from linnet_core.ir.uses import operands
from linnet_core.linnet_source.inferred import written_args
from linnet_core.linnet_source.pieces import ATOM, Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linnet_core.check.program import Struct_
    from linnet_core.check.types import Type
    from linnet_core.ir.module import Module, Op
    from linnet_core.linnet_source.spelling import Spelling


def call(op: Op, pieces: Sequence[Piece], module: Module, spelling: Spelling) -> Piece:
    """`f<8>(x)`, `child.method(x)`, `method(x)`; without a result `let _ = f(x)`, a statement."""
    callee = module.functions[op.attrs["callee"]]
    params = callee.body.args
    values = operands(op)
    if callee.block is None:
        name = spelling.item_name(callee.name)
    else:
        name = callee.name.rpartition(".")[2]
        if pieces[0].text:
            name = f"{pieces[0].at(ATOM)}.{name}"
        pieces, values, params = pieces[1:], values[1:], params[1:]
    known = [not piece.loose for piece in pieces]
    args = written_args(callee.generics, op.attrs["generics"], [p.type for p in params], [v.type for v in values], known)
    text = f"{name}{spelling.args(args)}({', '.join(piece.text for piece in pieces)})"
    if not op.results:
        return Piece(f"let _ = {text}", ATOM, BlockType("", "", ()))
    return Piece(text, ATOM, op.results[0].type)


def member(op: Op, pieces: Sequence[Piece], module: Module, spelling: Spelling) -> Piece:
    """Members and states of blocks, elements of arrays of them, structs, variants, what a kernel does with memory."""
    match op.kind:
        case "block.param" | "block.sub" | "state.read":
            name = op.attrs["name"]
            text = f"{pieces[0].at(ATOM)}.{name}" if pieces[0].text else name
            return Piece(text, ATOM, op.results[0].type)
        case "state.write":
            return Piece(f"{op.attrs['name']} = {pieces[1].text}", ATOM, pieces[1].type)
        case "array.get":
            return Piece(f"{pieces[0].at(ATOM)}[{pieces[1].text}]", ATOM, op.results[0].type)
        case "struct.get":
            field = _struct(op.operands[0].type, module).fields[op.attrs["value"]]
            return Piece(f"{pieces[0].at(ATOM)}.{field.name}", ATOM, op.results[0].type)
        case "struct.make":
            return _make_struct(op, pieces, module, spelling)
        case "enum.const":
            type = op.results[0].type
            assert isinstance(type, EnumType)
            return Piece(f"{spelling.item_name(f'{type.module}::{type.name}')}.{op.attrs['name']}", ATOM, type)
        case "kernel.program_id":
            return Piece(f"program_id({op.attrs['axis']})", ATOM, op.results[0].type)
        case "kernel.load":
            return Piece(f"load({_memory(op, pieces)})", ATOM, op.results[0].type)
        case "kernel.store":
            word = "store" if op.attrs.get("atomic") is None else f"atomic_{op.attrs['atomic']}"
            return Piece(f"{word}({_memory(op, pieces)})", ATOM, pieces[0].type)
        case _:
            raise DocumentError(f"`{op.kind}` has no spelling")


def _memory(op: Op, pieces: Sequence[Piece]) -> str:
    """`x[i, j], mask, other`."""
    count = op.attrs["indices"]
    first = f"{pieces[0].text}[{', '.join(piece.text for piece in pieces[1 : count + 1])}]"
    return ", ".join([first, *(piece.text for piece in pieces[count + 1 :])])


def _struct(type: Type, module: Module) -> Struct_:
    assert isinstance(type, StructType)
    return module.structs[f"{type.module}::{type.name}"]


def _make_struct(op: Op, pieces: Sequence[Piece], module: Module, spelling: Spelling) -> Piece:
    type = op.results[0].type
    struct = _struct(type, module)
    assert isinstance(type, StructType)
    known = [not piece.loose for piece in pieces]
    args = written_args(struct.generics, type.args, struct.types, [value.type for value in op.operands], known)
    fields = ", ".join(f"{field.name} = {piece.text}" for field, piece in zip(struct.fields, pieces, strict=True))
    return Piece(f"{spelling.item_name(f'{type.module}::{type.name}')}{spelling.args(args)}({fields})", ATOM, type)
