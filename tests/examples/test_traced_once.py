"""torch.compile traces the function that layers share once, where that is safe; what it compiles gives the bits of what is run."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import torch
from running import program, source_file
from tiny import ENTRIES, EXAMPLES, inputs_of, named, values
from torch.autograd import forward_ad

from linnet_core.loading.generated import GeneratedModule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Main = Callable[..., tuple[torch.Tensor, ...]]

# what torch says of itself while it compiles is no error of ours
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning"),
]

INPUTS = {(package, entry): inputs for package, entry, inputs in ENTRIES}


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Nothing compiled before, and nothing left."""
    torch.compiler.reset()
    yield
    torch.compiler.reset()


class Printed:
    """An entry at `tiny` with arguments made anew for each call."""

    def __init__(self, package: str, entry: str, bindings: dict[str, Any] | None = None, **options: Any) -> None:
        one = program("torch", str(EXAMPLES / package), bindings, preset="tiny", **named(entry), **options)
        self.source = one.source
        self.module = GeneratedModule(one.source)
        inputs = inputs_of(one, INPUTS[package, entry])
        self._inputs = [inputs[leaf.name] for leaf in one.inputs]
        self._parameters = list(values(one.parameters).values())
        self._states = list(values(one.states).values())

    def arguments(self) -> tuple[list[torch.Tensor], list[torch.Tensor], list[torch.Tensor]]:
        """Inputs, parameters, states."""
        inputs, parameters, states = ([torch.tensor(a) for a in each] for each in (self._inputs, self._parameters, self._states))
        return inputs, parameters, states

    def call(self, main: Main) -> list[torch.Tensor]:
        """What a function of the arguments of `main` answers."""
        return list(main(*(each for kind in self.arguments() for each in kind), *self.module.constants(torch.device("cpu"))))

    def run(self, main: Main, change: Callable[[list[torch.Tensor]], None] | None = None) -> list[torch.Tensor]:
        """What `main` answers, and the states it was given behind it; `change` may change the parameters before."""
        inputs, parameters, states = self.arguments()
        if change is not None:
            change(parameters)
        answers = main(*inputs, *parameters, *states, *self.module.constants(torch.device("cpu")))
        paths = zip(self.module.next_states, answers[self.module.results :], strict=True)
        held = dict(zip(self.module.states, states, strict=True))
        assert all(answer is held[path] for path, answer in paths if path in self.module.in_place)
        return [*answers, *states]


class Graphs:
    """A backend that runs what it is given as it is, and keeps it."""

    def __init__(self) -> None:
        self.graphs: list[torch.fx.GraphModule] = []

    def __call__(self, graph: torch.fx.GraphModule, examples: list[torch.Tensor]) -> Callable[..., Any]:
        self.graphs.append(graph)
        return graph.forward

    def count(self) -> tuple[int, int, int]:
        """Calls of layers in the one graph, bodies they have, and other steps."""
        (graph,) = self.graphs
        nodes = [node for node in graph.graph.nodes if node.op == "call_function" or node.op == "call_method"]
        calls = [node for node in nodes if node.target is torch.ops.higher_order.invoke_subgraph]
        parts = [node for node in nodes if node.args and node.args[0] in calls]
        return len(calls), len(list(graph.children())), len(nodes) - len(calls) - len(parts)


def compiled(main: Main, backend: Any) -> Main:
    """`main` as torch.compile gives it, without a break."""
    return torch.compile(main, backend=backend, fullgraph=True)


def same(found: list[torch.Tensor], wanted: list[torch.Tensor]) -> bool:
    """Whether all bits are."""
    return [(each.dtype, each.detach().numpy().tobytes()) for each in found] == [
        (each.dtype, each.detach().numpy().tobytes()) for each in wanted
    ]


@pytest.mark.parametrize("entry", ["forward", "decode"])
def test_the_graph_grows_by_one_call_a_layer(entry: str) -> None:
    counts = []
    for layers in (2, 4, 8):
        torch.compiler.reset()
        one, graphs = Printed("llama", entry, {"Layers": layers}), Graphs()
        with torch.no_grad():
            assert same(one.run(compiled(one.module.main, graphs)), one.run(one.module.main))
        calls, bodies, others = graphs.count()
        assert (calls, bodies) == (layers, 1)
        counts.append(others)
    assert counts == [counts[0]] * 3


@pytest.mark.parametrize(
    ("package", "entry", "calls"),
    [
        pytest.param("llama", "prefill", 2, id="caches"),
        pytest.param("moe", "decode", 2, id="caches, and masks that are views"),
        pytest.param("moe", "forward", 2, id="constants that are views"),
        pytest.param("whisper", "decode", 2, id="a second input"),
        pytest.param("rnn", "read", 16, id="in a loop, states from one constant"),
    ],
)
def test_what_layers_take_may_be(package: str, entry: str, calls: int) -> None:
    one, graphs = Printed(package, entry), Graphs()
    with torch.no_grad():
        assert same(one.run(compiled(one.module.main, graphs)), one.run(one.module.main))
    assert graphs.count()[:2] == (calls, 1)


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_backends_give_what_is_run(backend: str) -> None:
    one = Printed("llama", "decode")
    with torch.no_grad():
        found, wanted = one.run(compiled(one.module.main, backend)), one.run(one.module.main)
    if backend == "aot_eager":
        assert same(found, wanted)
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize(
    ("package", "entry"),
    [
        pytest.param("llama", "decode_rows", id="two arguments are views of one value"),
        pytest.param("resnet", "BasicNet.forward", id="nothing repeats"),
        pytest.param("rnn", "forward", id="a loop in the function"),
        pytest.param("train", "forward", id="gradients of its own"),
    ],
)
def test_other_functions_are_not_marked(package: str, entry: str) -> None:
    assert "_region" not in Printed(package, entry).source


VIEWS = """module m

block Layer {
    param w: Tensor[2, 3; f32]
    pub fn forward(self_x: Tensor[2, 3; f32]) -> (Tensor[2, 3; f32], Tensor[3, 2; f32]) {
        let y = tanh(self_x * w + w)
        return RESULTS
    }
}

block Model {
    sub layers: [Layer; 3]
    pub entry run(x: Tensor[2, 3; f32]) -> (Tensor[2, 3; f32], Tensor[3, 2; f32]) {
        var h = x
        var t = permute(x, [1, 0])
        static for layer in layers {
            let (a, b) = layer.forward(h + permute(t, [1, 0]))
            h = a
            t = b
        }
        return (h, t)
    }
}
"""


@pytest.mark.parametrize(
    ("results", "marked"),
    [
        pytest.param("(y, permute(y, [1, 0]))", False, id="two in one memory"),
        pytest.param("(y, permute(self_x, [1, 0]))", False, id="a view of an argument"),
        pytest.param("(y, permute(y * y, [1, 0]))", True, id="a view of its own"),
    ],
)
def test_results_that_lie_in_others_are_not_marked(results: str, marked: bool) -> None:
    one = program("torch", source_file(VIEWS.replace("RESULTS", results)), entry="run")
    assert one.source.count("def block_layers_") == 1
    assert ("@_region" in one.source) == marked
    main = GeneratedModule(one.source).main
    arguments = [torch.ones(2, 3), *(torch.full((2, 3), 0.1 * at) for at in range(3))]
    with torch.no_grad():
        assert same(list(compiled(main, "eager")(*arguments)), list(main(*arguments)))


@pytest.mark.parametrize(
    "option", [pytest.param(("--remat", "layers"), id="computed again"), pytest.param(("--prepare", "--bind", "H=512"), id="packed")]
)
def test_functions_of_what_no_graph_holds_are_not_marked(option: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "linnet_core", "torch", "--entry", "forward", "--preset", "tiny", *option, str(EXAMPLES / "llama")]
    text = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    assert text.count("def block_layers_") == 1
    assert "_region" not in text


def test_gradients_through_caches_are_those_of_the_run() -> None:
    one = Printed("llama", "decode")
    found = []
    for main in (compiled(one.module.main, "aot_eager"), one.module.main):
        trained: list[torch.Tensor] = []

        def change(parameters: list[torch.Tensor], trained: list[torch.Tensor] = trained) -> None:
            trained.extend(each.requires_grad_() for each in parameters)

        answers = one.run(main, change)
        answers[0].square().mean().backward()
        found.append([*answers, *(each.grad for each in trained if each.grad is not None)])
    assert len(found[0]) > 10
    assert same(*found)


def _tied(parameters: list[torch.Tensor]) -> None:
    """The two norms of the first layer are one tensor; those of the second are two."""
    parameters[6] = parameters[1]


def _of_one_buffer(parameters: list[torch.Tensor]) -> None:
    """The weights lie in one piece of memory."""
    flat = torch.cat([each.flatten() for each in parameters])
    at = 0
    for position, each in enumerate(parameters):
        parameters[position] = flat[at : at + each.numel()].view(each.shape)
        at += each.numel()


def _partly_trained(parameters: list[torch.Tensor]) -> None:
    parameters[2].requires_grad_()  # and so what the first layer gives to the second


@pytest.mark.parametrize(("change", "bodies"), [(_tied, 1), (_of_one_buffer, 0), (_partly_trained, 0)])
def test_layers_whose_arguments_do_not_allow_it_are_traced_each(change: Callable[[list[torch.Tensor]], None], bodies: int) -> None:
    one, graphs = Printed("llama", "forward"), Graphs()
    assert same(one.run(compiled(one.module.main, graphs), change), one.run(one.module.main, change))
    assert graphs.count()[1] == bodies


def test_layers_whose_weights_lie_in_nine_ways_are_no_error() -> None:
    one, graphs = Printed("llama", "forward", {"Layers": 9}), Graphs()

    def change(parameters: list[torch.Tensor]) -> None:
        """The four products of the attention of each layer lie by rows or by columns, in another choice of them for each."""
        for layer in range(9):
            for bit, at in enumerate(range(2 + 9 * layer, 6 + 9 * layer)):
                if layer >> bit & 1:
                    parameters[at] = parameters[at].t().contiguous().t()

    with torch.no_grad():
        assert same(one.run(compiled(one.module.main, graphs), change), one.run(one.module.main, change))
    assert graphs.count()[1] == 9


@pytest.mark.parametrize("package", ["llama", "rnn"])
def test_sizes_that_torch_takes_for_unknown_are_no_obstacle(package: str) -> None:
    one = Printed(package, {"llama": "decode", "rnn": "step"}[package])
    with torch.no_grad():
        assert same(one.run(torch.compile(one.module.main, backend="eager", fullgraph=True, dynamic=True)), one.run(one.module.main))


def _vectorised(main: Main) -> Main:
    return lambda tokens, *others: torch.func.vmap(lambda each: main(each, *others))(tokens[None])


def _tangent(main: Main) -> Main:
    def call(tokens: torch.Tensor, embed: torch.Tensor, *others: torch.Tensor) -> tuple[torch.Tensor, ...]:
        with forward_ad.dual_level():
            answer = main(tokens, forward_ad.make_dual(embed, torch.ones_like(embed)), *others)[0]
            tangent = forward_ad.unpack_dual(answer).tangent
            assert tangent is not None
            return (tangent,)

    return call


@pytest.mark.parametrize(
    ("package", "entry", "transformed"),
    [pytest.param("llama", "forward", _vectorised, id="vmap"), pytest.param("rnn", "step", _tangent, id="tangents")],
)
def test_transforms_inside_what_is_compiled_see_every_layer(package: str, entry: str, transformed: Callable[[Main], Main]) -> None:
    one = Printed(package, entry)
    main = transformed(one.module.main)
    with torch.no_grad():
        assert same(one.call(compiled(main, "eager")), one.call(main))


@pytest.mark.parametrize("strict", [False, True])
def test_an_exported_graph_holds_the_steps_of_every_layer(strict: bool) -> None:
    one = Printed("llama", "forward")
    inputs, parameters, _ = one.arguments()

    class Module(torch.nn.Module):
        def forward(self, *arguments: torch.Tensor) -> torch.Tensor:
            return one.module.main(*arguments)[0]

    arguments = (*inputs, *parameters, *one.module.constants(torch.device("cpu")))
    exported = torch.export.export(Module(), arguments, strict=strict)
    assert not re.search("invoke_subgraph", str(exported.graph))
    assert same([exported.module()(*arguments)], one.run(one.module.main))


def test_an_older_torch_runs_the_function_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Printed("llama", "forward")
    assert one.module.get("block_layers_0").__name__ == "region"
    monkeypatch.delattr(torch.compiler, "nested_compile_region")
    older = GeneratedModule(one.source)
    assert older.get("block_layers_0").__name__ == "block_layers_0"
    assert same(one.run(older.main), one.run(one.module.main))
