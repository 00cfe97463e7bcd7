"""Which states a loop touches.

In: a loop and the frame it runs in.  Out: the paths of the states its regions read or write, ascending.  Blocks are followed by what is
known of them before the loop runs: members by name, array elements at known positions one by one, otherwise all; a call by its
function's footprint.  Of a choice that is settled before the loop runs only the taken arm counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.graph.instances import concrete_dim
from linnet_core.graph.values import Absent, ArrayValue, BlockValue, EnumValue, Present, Tensor, Value

if TYPE_CHECKING:
    from linnet_core.graph.evaluate import Evaluator
    from linnet_core.graph.instances import Frame
    from linnet_core.ir.module import Op, Region

#: A step of a footprint's path: every element of an array.
ELEMENTS = "[*]"
#: The blocks (or arrays of them) that a value of a region may be.
Blocks = tuple[Value, ...]


def states_of(ev: Evaluator, op: Op, frame: Frame) -> list[str]:
    """The states that `op` reads or writes, in byte order of path."""
    if not ev.states.types:
        return []
    walk = _Walk(ev, frame)
    for region in op.regions:
        walk.region(region)
    return sorted(walk.found, key=str.encode)


class _Walk:
    """Follows blocks through regions; `blocks` holds what each block value inside may be."""

    def __init__(self, ev: Evaluator, frame: Frame) -> None:
        self.ev = ev
        self.frame = frame
        self.blocks: dict[int, Blocks] = {}
        self.dims: dict[int, int] = {}
        #: Ids of what the loop itself makes.  The frame may hold values for them, of an earlier run of the same loop.
        self.inner: set[int] = set()
        self.found: set[str] = set()

    def region(self, outermost: Region) -> None:
        pending = [outermost]
        while pending:
            region = pending.pop()
            self.inner.update(argument.id for argument in region.args)
            for op in region.ops:
                self.op(op)
                self.inner.update(result.id for result in op.results)
                pending.extend(reversed(self.arms(op)))

    def outer(self, id: int) -> Value | None:
        """A value from outside the loop."""
        return None if id in self.inner else self.frame.values.get(id)

    def of(self, id: int) -> Blocks:
        found = self.blocks.get(id)
        if found is None:
            value = self.outer(id)
            found = () if value is None else (value,)
        return found

    def arms(self, op: Op) -> tuple[Region, ...]:
        """The regions of an operation that may run."""
        subjects = self.of(op.operands[0].id) if op.operands else ()
        match op.kind, subjects:
            case "option.match", (Present() | Absent() as subject,):
                return op.regions[:1] if isinstance(subject, Present) else op.regions[1:]
            case "enum.match", (EnumValue(variant=variant),):
                arms = zip(op.attrs["variants"], op.regions, strict=True)
                return next(((arm,) for name, arm in arms if name in (variant, "_")), ())
            case "if", (Tensor(known=bool(known)),):
                return op.regions[:1] if known else op.regions[1:]
            case _:
                return op.regions

    def op(self, op: Op) -> None:
        match op.kind:
            case "state.read" | "state.write":
                for block in self.of(op.operands[0].id):
                    if isinstance(block, BlockValue):
                        self.found.add(block.member_path(op.attrs["name"]))
            case "const.dim":
                self.dims[op.results[0].id] = concrete_dim(op.attrs["value"], self.frame.instance.bindings, op.span)
            case "block.sub":
                name = op.attrs["name"]
                self.blocks[op.results[0].id] = tuple(b.members[name] for b in self.of(op.operands[0].id) if isinstance(b, BlockValue))
            case "array.get":
                self.blocks[op.results[0].id] = self.elements(op.operands[0].id, self.position(op.operands[1].id))
            case "static_for":
                self.blocks[op.regions[0].args[0].id] = self.elements(op.operands[0].id, None)
            case "option.match" if op.regions[0].args:
                inner = tuple(value.value for value in self.of(op.operands[0].id) if isinstance(value, Present))
                self.blocks[op.regions[0].args[0].id] = inner
            case "call" | "semantic.call":
                self.call(op)
            case _:
                pass

    def position(self, id: int) -> int | None:
        value = self.outer(id)
        return self.dims.get(id, value.known if isinstance(value, Tensor) else None)

    def elements(self, array: int, at: int | None) -> Blocks:
        found: list[Value] = []
        for value in self.of(array):
            if isinstance(value, ArrayValue):
                found.extend(value.elements if at is None else value.elements[at : at + 1])
        return tuple(found)

    def call(self, op: Op) -> None:
        function = self.ev.module.functions[op.attrs["callee"]]
        if function.block is None or not function.states:
            return
        for block in self.of(op.operands[0].id):
            for state in function.states:
                self.found.update(_states_at(block, state))


def _states_at(block: Value, path: str) -> list[str]:
    """The states that a path of a function's footprint stands for, below its block; `layers[*].cache` for one of each element."""
    *steps, name = path.replace(ELEMENTS, f".{ELEMENTS}").split(".")
    found: Blocks = (block,)
    for step in steps:
        found = tuple([inner for value in found for inner in _inside(value, step)])
    return [value.member_path(name) for value in map(_present, found) if isinstance(value, BlockValue)]


def _inside(value: Value, step: str) -> Blocks:
    """The member of a block, or the elements of an array; nothing of what is absent."""
    match _present(value):
        case BlockValue() as block if step != ELEMENTS:
            return (block.members[step],)
        case ArrayValue() as array if step == ELEMENTS:
            return array.elements
        case _:
            return ()


def _present(value: Value) -> Value:
    return value.value if isinstance(value, Present) else value
