"""Exporting one entry to a target.

In: a Core IR module, what was asked for, and a fresh target.  Out: the recording of every call, the target having taken them all:
inputs, parameters, the body's operations, `finish`.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from linnet_core.check.types import EnumType, ScalarType, TensorType
from linnet_core.errors import SourceError
from linnet_core.graph.bind import bind, check_constraints
from linnet_core.graph.calls import Finish, Input
from linnet_core.graph.carried import foreign, tensors
from linnet_core.graph.conversation import Conversation
from linnet_core.graph.evaluate import Evaluator
from linnet_core.graph.failures import named, placed
from linnet_core.graph.hierarchy import Hierarchy
from linnet_core.graph.instances import Frame, Instance
from linnet_core.graph.nodes import Graph
from linnet_core.graph.record import Decline, Recorder
from linnet_core.graph.repeated_blocks import Repeats
from linnet_core.graph.values import BlockValue, Fields, Tensor, Value
from linnet_core.ir.library_calls import Numerics
from linnet_core.ir.roots import find_entry
from linnet_core.text.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linnet_core.graph.bind import Bindings
    from linnet_core.graph.calls import Operand, ResultType
    from linnet_core.graph.decisions import Decision
    from linnet_core.graph.evaluate_kernels import KernelDecision
    from linnet_core.graph.gradient.request import GradientRequest
    from linnet_core.graph.target import Target
    from linnet_core.ir.module import Module

#: The stack an export may need: a few frames for each open call and each region in it.
_STACK = 20_000


class ExportRequest(Struct, frozen=True, kw_only=True):
    """What to export and how.

    `bindings` gives values to generics by name (text as on the command line, or a number, a list, a dtype name); `preset` gives more,
    of which names this entry does not use are ignored.  Optional parameters and blocks are absent unless `optionals`, and those in
    `absent` are absent in any case.  `library` off exports every op by its body.  With `gradient` the entry's result, a float scalar, is
    followed by its gradients: of the block's float parameters, buffers left out, or of a module-level entry's float inputs.

    `place` gives a slot to blocks by path: a block stands on that of the longest prefix of its path, else on 0.  The parameters below the
    blocks of `offload` start on the host, those below the blocks of `fully_shard` in parts; an array stands for each of its blocks, as
    in `remat`, whose blocks a backward pass computes again.

    The bodies of blocks that are alike are evaluated once, which shows nowhere; `reuse_bodies` off evaluates each.
    """

    root: str | None = None
    entry: str | None = None
    bindings: dict[str, Any] = field(default_factory=dict)
    preset: dict[str, Any] = field(default_factory=dict)
    optionals: bool = False
    absent: frozenset[str] = frozenset()
    numerics: Numerics = "equivalent"
    library: bool = True
    place: dict[str, int] = field(default_factory=dict)
    offload: tuple[str, ...] = ()
    fully_shard: tuple[str, ...] = ()
    gradient: bool = False
    remat: tuple[str, ...] = ()
    reuse_bodies: bool = True


class Recording(Struct, frozen=True):
    """What came of an export: the graph, what the target declined, in order, and which library calls were chosen."""

    graph: Graph
    declines: tuple[Decline, ...]
    #: Every state of the model by path, whether the entry touches it or not.
    states: dict[str, ResultType]
    decisions: tuple[Decision, ...]
    #: What became of each call of an op that names a kernel, on a target that launches kernels.
    kernels: tuple[KernelDecision, ...] = ()
    #: The paths of the parameters that are buffers, of those the entry reads.
    buffers: frozenset[str] = frozenset()


def export(module: Module, request: ExportRequest, target: Target) -> Recording:
    """Emit the entry's calls to `target` and record them.

    Raises `UsageError` for a root, entry, generic, block or absent path that does not exist, and `SourceError` with E6001 (what cannot
    be exported), E6002 (sizes that do not fit) or E6003 (a limit).
    """
    recorder = Recorder(target)
    work = _Export(module, request, recorder)
    try:
        with _deep_stack():
            work.run()
    except SourceError as failure:
        raise named(placed(failure, work.entry.function.span), work.entry.name, target.name) from None
    ev = work.evaluator
    return Recording(
        recorder.graph(), tuple(recorder.declines), ev.states.types, tuple(ev.decisions), tuple(ev.kernels), frozenset(work.buffers)
    )


class _Export:
    def __init__(self, module: Module, request: ExportRequest, target: Target) -> None:
        self.module = module
        self.request = request
        self.entry = find_entry(module, request.root, request.entry)
        #: The paths of buffers, as far as they are emitted.
        self.buffers: set[str] = set()
        self.gradient: GradientRequest | None = None
        if request.gradient:
            from linnet_core.graph.gradient.request import GradientRequest  # here and below: most exports ask for none of it

            self.gradient = GradientRequest(self.entry)
            target = self.gradient.around(target, self.buffers)
        self.conversation = Conversation(target)
        self.evaluator = Evaluator(module, self.conversation, numerics=request.numerics, library=request.library)

    def run(self) -> None:
        function = self.entry.function
        if len(function.results) != 1:
            raise self.unsupported("has no result", help="return a tensor, or a tuple of tensors")
        bindings = self.bindings()
        hierarchy = self.hierarchy()
        self.place(bindings, hierarchy)
        self.recompute(bindings, hierarchy)
        instance = self.evaluator.instances.of(function, bindings)
        own = function.body.args[1:] if self.entry.block else function.body.args
        frame = Frame(instance)
        for argument in own:
            frame.values[argument.id] = self.input(argument, instance)
        if self.entry.block is not None:
            block = self.entry.block
            root = frame.values[function.body.args[0].id] = hierarchy.build(block, bindings.only(block.generics))
            self.reuse(root)
        (result,) = self.evaluator.region(function.body, frame)
        self.finish(self.results(result))

    def bindings(self) -> Bindings:
        entry, request = self.entry, self.request
        span = entry.function.span
        bound = bind(entry.generics, request.bindings, request.preset, entry=entry.name, span=span)
        if entry.block is not None:
            check_constraints(entry.block.constraints, bound, entry.block.span, f"block `{entry.block.name}`")
        check_constraints(entry.function.constraints, bound, span, f"entry `{entry.name}`")
        return bound

    def input(self, argument: Any, instance: Instance) -> Tensor:
        if not isinstance(argument.type, ScalarType | TensorType):
            choice = isinstance(argument.type, EnumType)
            help = "write an entry for each variant: all of them call one function with theirs" if choice else "take tensors and scalars"
            raise self.unsupported(f"takes `{argument.name}`, which has no tensor form", help=help)
        type = instance.concrete(argument.type, self.entry.function.span)
        call = Input(name=argument.name, shape=type.shape, dtype=type.dtype)
        return Tensor(self.evaluator.emitter.one(call, type.shape, type.dtype))

    def hierarchy(self) -> Hierarchy:
        ev, request = self.evaluator, self.request
        found = Hierarchy(self.module, ev.instances, ev.emitter, ev.states, optionals=request.optionals, absent=request.absent)
        found.buffers = self.buffers
        return found

    def place(self, bindings: Bindings, hierarchy: Hierarchy) -> None:
        """Place, offload or shard what is asked for, from here on."""
        request = self.request
        if not (request.place or request.offload or request.fully_shard):
            return
        from linnet_core.graph.placement import Placement
        from linnet_core.graph.placement_request import check_options, placement_request

        if self.gradient is not None:
            self.gradient.refuse_placement()
        check_options(request, self.entry, self.evaluator.target)
        block = self.entry.block
        assert block is not None
        found = placement_request(request, block, bindings.only(block.generics), hierarchy)
        self.evaluator.emitter.placement = Placement(found, self.evaluator.emitter)

    def recompute(self, bindings: Bindings, hierarchy: Hierarchy) -> None:
        """Have the calls of the blocks that are asked for computed again, from here on."""
        if self.request.remat:
            from linnet_core.graph.remat import Remat, check_remat

            if self.gradient is not None:
                self.gradient.refuse_remat()
            check_remat(self.entry, self.evaluator.target)
            block = self.entry.block
            assert block is not None
            emitter = self.evaluator.emitter
            self.evaluator.remat = Remat(self.request.remat, self.entry, bindings.only(block.generics), hierarchy, emitter)

    def reuse(self, root: BlockValue) -> None:
        """Evaluate the bodies of blocks that are alike once, from here on; where paths decide what is emitted, each."""
        ev = self.evaluator
        if self.request.reuse_bodies and ev.emitter.placement is None and ev.remat is None:
            ev.repeats = Repeats(ev, self.conversation, root)

    def results(self, value: Value) -> list[Operand]:
        """The tensors of the result in order: a tuple gives its parts, a struct its fields, and so do those inside them."""
        kind = foreign((value,))
        if kind is not None:
            holds = "holds" if isinstance(value, Fields) else "is"
            raise self.unsupported(f"gives something that {holds} {kind}", help="return tensors and scalars, or tuples and structs of them")
        return tensors((value,), f"entry `{self.entry.name}` gives", self.entry.function.span)

    def finish(self, results: list[Operand]) -> None:
        ev, entry = self.evaluator, self.entry
        paths = tuple(ev.states.written)
        if self.gradient is not None:
            self.gradient.check_loss(results)
        call = Finish(
            module=self.module.name,
            block=entry.block.name if entry.block else "",
            entry=entry.name,
            returns=len(results),
            states=paths,
            operands=(*results, *[ev.states.current[path] for path in paths]),
        )
        ev.emitter.names(call)

    def unsupported(self, message: str, help: str) -> SourceError:
        return SourceError([Diagnostic("E6001", f"entry `{self.entry.name}` {message}", self.entry.function.span, help=help)])


@contextmanager
def _deep_stack() -> Iterator[None]:
    """Room for calls nested as deep as is allowed; frames of Python functions take no C stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
