"""A graph document as steps that say only what is computed.

In: `Graph`.  Out: steps whose operands are named by the ids of values; brackets of gradients and recomputation, slots and moves are gone
(what they gave is what went in), launches of kernels are the op's own body, and with `functions` every call of a block's method is one
step, `Invoke`.  A call that answered a value again is left out.

What has no meaning in GE raises `DocumentError`.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from linnet_core.errors import DocumentError
from linnet_core.graph.calls import (
    BeginCustomGradient,
    BeginRemat,
    Broadcast,
    Call,
    EnablePlacement,
    EndCustomGradient,
    EndRemat,
    GatherParts,
    LaunchKernel,
    Operand,
    Release,
    Reshape,
    ResultType,
    SetSlot,
    Transfer,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.nodes import CallNode
from linnet_core.python_source.steps import BRACKETS, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.nodes import Graph, Node

#: Calls that compute nothing.
_SILENT = (EnablePlacement, SetSlot, Release, BeginRemat, EndRemat, WhileInitialCondition, WhileTrailingCondition)


class Invoke(Call, frozen=True, kw_only=True, tag="invoke"):
    """A call of a block's method.  Operands: every value that its steps read from outside, each once.  Results: what is read outside."""

    name: str
    steps: tuple[Step, ...]
    inside: tuple[str, ...]
    types: tuple[ResultType, ...]

    def result_types(self) -> tuple[ResultType, ...]:
        """`types`."""
        return self.types


class Flattened(Struct, frozen=True):
    """All steps of a document and the types of its values, by name."""

    steps: tuple[Step, ...]
    types: dict[str, ResultType]


def flattened(graph: Graph, *, functions: bool) -> Flattened:
    """The steps of a document; calls of methods as `Invoke` with `functions`.  Raises `DocumentError` for what has no meaning in GE."""
    types = {str(id): ResultType(info.shape, info.dtype) for id, info in enumerate(graph.values)}
    reader = _Reader(types)
    tree = reader.read(graph.nodes, functions=functions)
    total = Counter(name for step in leaves(tree) for name in step.reads())
    return Flattened(tuple(_closed(tree, types, total)), types)


class _Group(Struct, frozen=True):
    """The steps of a method's call, before it is known what is read of them."""

    name: str
    steps: list[Step | _Group]


class _Reader:
    """Reads nodes in order; knows what each value that is no result of a step stands for."""

    def __init__(self, types: dict[str, ResultType]) -> None:
        self.types = types
        self.alias: dict[str, str] = {}
        self.made: set[str] = set()

    def read(self, nodes: Sequence[Node | CallNode], *, functions: bool) -> list[Step | _Group]:
        """The steps of nodes; calls are kept on a list of our own, so nesting costs no stack."""
        top: list[Step | _Group] = []
        stack = [(iter(nodes), top)]
        while stack:
            walk, steps = stack[-1]
            node = next(walk, None)
            if node is None:
                stack.pop()
            elif isinstance(node, CallNode):
                into = steps
                if functions and node.header.path is not None:
                    group = _Group(_method_name(node), [])
                    steps.append(group)
                    into = group.steps
                stack.append((iter(node.body), into))
            elif isinstance(node.call, LaunchKernel) and not node.declined:
                stack.append((iter(self.kernel_body(node)), steps))
            else:
                steps += self.step(node)
        return top

    def kernel_body(self, node: Node) -> Sequence[Node | CallNode]:
        """The nodes of a launch's own body, whose results are the launch's.  Raises `DocumentError` where the document has none."""
        assert isinstance(node.call, LaunchKernel)
        body = next((region for region in node.regions if region.role == "body"), None)
        if body is None or None in body.results:
            raise DocumentError(f"the kernel `{node.call.name}` of `{node.call.callee}` has no operation of the Graph Engine")
        for inner, operand in zip(body.arguments, node.call.operands, strict=True):
            assert operand is not None
            self.alias[str(inner)] = self.name(operand.value)
        for outer, inner in zip(node.results, body.results, strict=True):
            if outer != inner:
                self.alias[str(outer)] = str(inner)
        return body.nodes

    def step(self, node: Node) -> list[Step]:
        """The step of one node, where it computes anything.  Raises `DocumentError` for a parameter in parts."""
        call = node.call
        if node.declined or isinstance(call, _SILENT):
            return []
        results = tuple(map(str, node.results))
        if isinstance(call, GatherParts):
            raise DocumentError("gather_parts has no operation of the Graph Engine; export without --fully-shard")
        operands = [None if operand is None else replace(operand, value=self.name(operand.value)) for operand in call.operands]
        match call:
            case BeginCustomGradient():
                return self.given(results, operands)
            case EndCustomGradient() | Transfer():
                return self.given(results, operands[-1:])
        if type(call) not in BRACKETS:
            if len(results) == 1 and results[0] in self.made:
                return []
            self.made.update(results)
        return [Step(replace(call, operands=tuple(operands)), results)]

    def given(self, results: tuple[str, ...], operands: Sequence[Operand | None]) -> list[Step]:
        """Results that are operands: other names of them, or where an operand is viewed with another shape, it spread."""
        steps: list[Step] = []
        for result, operand in zip(results, operands, strict=True):
            assert operand is not None
            own = self.types[str(operand.value)].shape
            if operand.shape == own:
                if result != operand.value:
                    self.alias[result] = str(operand.value)
                continue
            dims = tuple(range(len(operand.shape) - len(own), len(operand.shape)))
            whole = (replace(operand, shape=own),)
            is_same = prod(own) == prod(operand.shape)
            call = Reshape(shape=operand.shape, operands=whole) if is_same else Broadcast(shape=operand.shape, dims=dims, operands=whole)
            steps.append(Step(call, (result,)))
        return steps

    def name(self, id: str | int) -> str:
        """What a value stands for."""
        found = str(id)
        while found in self.alias:
            found = self.alias[found]
        return found


def _method_name(node: CallNode) -> str:
    """`layers.0.forward`; of the root's own methods, `Block.method`."""
    method = node.header.callee.rpartition("::")[2]
    return f"{node.header.path}.{method.rpartition('.')[2]}" if node.header.path else method


def leaves(tree: Iterable[Step | _Group]) -> list[Step]:
    """All steps, in order, those of calls included."""
    found: list[Step] = []
    stack = [iter(tree)]
    while stack:
        for one in stack[-1]:
            match one:
                case _Group():
                    stack.append(iter(one.steps))
                    break
                case Step(call=Invoke(steps=inner)):
                    stack.append(iter(inner))
                    break
                case _:
                    found.append(one)
        else:
            stack.pop()
    return found


def free_names(steps: Iterable[Step], made: Iterable[str] = ()) -> list[str]:
    """The names that steps read and do not make, in the order they are read."""
    inside = set(made)
    found: dict[str, None] = {}
    for step in steps:
        for name in step.reads():
            if name not in inside:
                found.setdefault(name)
        inside.update(step.results)
    return list(found)


def _closed(tree: Sequence[Step | _Group], types: dict[str, ResultType], total: Counter[str]) -> list[Step]:
    """The tree with its groups as `Invoke`s.  Calls of a document are nested at most `MAX_CALL_DEPTH` deep, and so is this."""
    found: list[Step] = []
    for one in tree:
        if isinstance(one, Step):
            found.append(one)
            continue
        steps = _closed(one.steps, types, total)
        inner = leaves(steps)
        reads = Counter(name for step in inner for name in step.reads())
        given = [name for step in steps for name in step.results if total[name] > reads[name]]
        results = tuple(dict.fromkeys(given))
        outside = [Operand(name, types[name].shape, types[name].dtype) for name in free_names(steps)]
        call = Invoke(
            name=one.name,
            steps=tuple(steps),
            inside=results,
            types=tuple(types[name] for name in results),
            operands=tuple(outside),
        )
        found.append(Step(call, results))
    return found
