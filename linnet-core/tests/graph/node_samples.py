"""A graph that holds a node of every kind, with regions, views, absent operands, nesting and every kind of literal."""

from __future__ import annotations

from linnet_core.graph.calls import (
    BeginCounted,
    BeginCustomGradient,
    BeginRemat,
    BeginWhile,
    Broadcast,
    Call,
    CallHeader,
    Compare,
    Concat,
    Constant,
    Contract,
    Convert,
    Cumsum,
    Elementwise,
    EnablePlacement,
    EndCounted,
    EndCustomGradient,
    EndRemat,
    EndWhile,
    EnumArgument,
    Finish,
    Gather,
    GatherParts,
    Input,
    Iota,
    KernelProgram,
    LaunchKernel,
    Literal,
    NativeCall,
    Operand,
    Parameter,
    Reduce,
    Release,
    Reshape,
    ResultType,
    ScatterAdd,
    Select,
    SetSlot,
    Slice,
    State,
    Transfer,
    Transpose,
    UpdateRow,
    WhileCondition,
    WhileInitialCondition,
    WhileTrailingCondition,
)
from linnet_core.graph.nodes import VERSION, CallNode, Graph, Node, Region, ValueInfo


class Samples:
    """Builds the graph; ids are given as nodes are added."""

    def __init__(self) -> None:
        self.values: list[ValueInfo] = []
        self.nodes: list[Node | CallNode] = []

    def new(self, shape: tuple[int, ...], dtype: str) -> Operand:
        self.values.append(ValueInfo(f"v{len(self.values)}", shape, dtype))
        return Operand(len(self.values) - 1, shape, dtype)

    def add(self, call: Call, regions: tuple[Region, ...] = ()) -> tuple[Operand, ...]:
        made = tuple(self.new(type.shape, type.dtype) for type in call.result_types())
        self.nodes.append(Node(call, tuple(int(operand.value) for operand in made), False, regions))
        return made

    def one(self, call: Call) -> Operand:
        return self.add(call)[0]

    def decline(self, call: Call) -> None:
        self.nodes.append(Node(call, (), True))

    def region(self, role: str, arguments: tuple[Operand, ...], second: int | None = None) -> Region:
        """A region that negates its first argument, and gives `second` beside."""
        inside = tuple(self.new(operand.shape, operand.dtype) for operand in arguments)
        call = Elementwise(kind="neg", shape=inside[0].shape, dtype=inside[0].dtype, operands=inside[:1])
        result = self.new(inside[0].shape, inside[0].dtype)
        node = Node(call, (int(result.value),))
        return Region(role, tuple(int(operand.value) for operand in inside), (node,), (int(result.value), second))  # type: ignore[arg-type]  # the table's words are those of roles


def sample_graph() -> Graph:
    s = Samples()
    x = s.one(Input(name="x", shape=(2, 3), dtype="f32"))
    w = s.one(Parameter(path="layers.0.w", shape=(2, 3), dtype="f32"))
    held = s.one(State(path="held", shape=(4, 3), dtype="f32"))
    s.one(Constant(literal=Literal("integer", 2**62 + 1), dtype="i64"))
    for value in (0.1, -0.0, 1e-05, 1e300, float("inf"), float("-inf"), float("nan")):
        half = s.one(Constant(literal=Literal("real", value), dtype="f32"))
    yes = s.one(Constant(literal=Literal("boolean", True), dtype="bool"))
    s.one(Constant(literal=Literal("lowest"), dtype="f32"))
    s.one(Constant(literal=Literal("highest"), dtype="i32"))
    view = Operand(half.value, (2, 3), "f32")
    total = s.one(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(x, view)))
    s.one(Elementwise(kind="not", shape=(), dtype="bool", operands=(yes,)))
    mask = s.one(Compare(kind="le", shape=(2, 3), operands=(x, w)))
    s.one(Select(shape=(2, 3), dtype="f32", operands=(mask, x, w)))
    s.one(Convert(shape=(2, 3), dtype="bf16", operands=(x,)))
    s.one(Reshape(shape=(6,), operands=(x,)))
    s.one(Transpose(shape=(3, 2), permutation=(1, 0), operands=(x,)))
    s.one(Broadcast(shape=(5, 3, 2), dims=(2, 1), operands=(x,)))
    s.one(Slice(starts=(0, 1), limits=(2, 3), strides=(1, 2), shape=(2, 1), operands=(x,)))
    s.one(Concat(axis=1, operands=(x, w)))
    s.one(Cumsum(axis=0, operands=(x,)))
    at = s.one(Iota(length=2))
    column = s.one(Reshape(shape=(2, 1), operands=(at,)))
    rows = s.one(Gather(shape=(2, 3), operands=(x, column)))
    s.one(Reduce(kind="max", dims=(1,), shape=(2,), operands=(x,)))
    contract = Contract(lhs_axes=(0, 2), rhs_axes=(1, 2), out_axes=(0, 1), shape=(2, 2), dtype="f32", operands=(x, w))
    s.decline(contract)
    s.one(contract)
    native = NativeCall(implementation="torch.nn.functional.linear", generics={"N": 3}, shape=(2, 2), dtype="f32", operands=(x, x, None))
    s.decline(native)
    s.one(native)
    index = s.one(Constant(literal=Literal("integer", 1), dtype="i64"))
    row = s.one(Reduce(kind="sum", dims=(), shape=(3,), operands=(s.one(Reshape(shape=(3,), operands=(s.one(_first_row(x)),))),)))
    s.one(UpdateRow(operands=(x, index, row)))
    s.one(ScatterAdd(shape=(4, 3), dtype="f32", operands=(column, rows)))
    s.add(EnablePlacement(slots=2))
    s.add(SetSlot(slot=1))
    moved = s.one(Transfer(slot=1, operands=(w,)))
    s.add(Release(operands=(moved,)))
    s.one(GatherParts(operands=(w,)))
    s.add(BeginRemat())
    s.add(EndRemat())
    _loops(s, x, index, yes)
    inside = s.add(BeginCustomGradient(operands=(x, w)))
    region = s.region("pullback", (x, w, x, x))
    s.add(EndCustomGradient(arguments=2, operands=(x, w, inside[0])), (region,))
    _kernel(s, x, index)
    _calls(s, x, w)
    s.add(Finish(module="m", block="B", entry="run", returns=1, states=("held",), operands=(total, held)))
    return Graph(VERSION, "listing", tuple(s.values), tuple(s.nodes))


def _first_row(x: Operand) -> Slice:
    return Slice(starts=(0, 0), limits=(1, 3), strides=(1, 1), shape=(1, 3), operands=(x,))


def _loops(s: Samples, x: Operand, n: Operand, yes: Operand) -> None:
    s.add(WhileInitialCondition(operands=(yes,)))
    s.add(BeginWhile(operands=(x, n)))
    seen = s.add(WhileCondition(carried=(ResultType(x.shape, x.dtype), ResultType((), "i64")), operands=(yes,)))
    s.add(WhileTrailingCondition(operands=(yes,)))
    s.add(EndWhile(operands=seen))
    _, inner = s.add(BeginCounted(start=-1, stop=3, operands=(x,)))
    s.add(EndCounted(operands=(inner,)))


def _kernel(s: Samples, x: Operand, index: Operand) -> None:
    kernel = LaunchKernel(
        callee="m::op",
        name="m::kernel",
        program=KernelProgram(("x", "y"), "y[0] = x[0]", {"y": "sum"}),
        grid=(2, 1),
        result_shapes=((2, 3), ()),
        result_dtypes=("f32", "i64"),
        warps=4,
        stages=0,
        operands=(x,),
    )
    s.decline(kernel)
    s.add(kernel, (s.region("body", (x,), int(index.value)),))


def _calls(s: Samples, x: Operand, w: Operand) -> None:
    outer = Samples()
    outer.values = s.values
    doubled = outer.one(Elementwise(kind="add", shape=(2, 3), dtype="f32", operands=(x, x)))
    inner = CallHeader(callee="m::B.f", semantic=0, path="", generics={"H": 3}, arguments=(doubled, None, EnumArgument("Mean")))
    outer.nodes.append(CallNode(inner, (), (int(doubled.value), None)))
    header = CallHeader(
        callee="m::op",
        semantic=1,
        path=None,
        generics={"N": 3, "S": (2, 3), "E": (), "T": "f32"},
        arguments=(x, (w, None, (x,)), Operand(w.value, (1, 2, 3), "f32")),
    )
    s.nodes.append(CallNode(header, tuple(outer.nodes), (int(doubled.value),)))
