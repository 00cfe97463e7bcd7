"""What is known of one node: where its inputs come from, who takes its outputs, what its attributes are and could be.

In: a view, a graph of it, the place of a node.  Out: `Explanation`.  What the operation calls its inputs, outputs, graphs, and which
attributes it has, is the table's (`linnet_ge.ir`); a type that the table has not is no fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from linnet_ge.formats.naming import output_names
from linnet_ge.ir.operations import Operation, operation, output_name, parameter_named
from linnet_ge.ir.roles import INPUTS, results_node
from linnet_ge.model import Dump, Edge, Graph, Node, TensorInfo, Value
from linnet_ge.readable.values import value_text
from linnet_ge.tools.wording import value_words

#: As many outputs are described that nothing takes: a damaged file may say that there are any number.
MOST_DESCRIBED = 256


class Input(Struct, frozen=True):
    """An input: its name, what the table says of it, where it comes from (`type` None: no node of the graph), what that output is."""

    name: str
    form: str | None
    source: str
    output: int
    type: str | None
    info: TensorInfo | None


class Use(Struct, frozen=True):
    """Who takes an output: a node and its input, or a result of the graph (`node` None)."""

    node: str | None
    type: str | None
    input: str


class Given(Struct, frozen=True):
    """An output: the table's name for it or else the file's, what is known of it, who takes it."""

    number: int
    name: str | None
    #: What a readable dump calls it, where its node has several.
    element: str | None
    info: TensorInfo | None
    uses: tuple[Use, ...]


State = Literal["set", "default", "unset", "required", "other"]


class Setting(Struct, frozen=True):
    """An attribute; `state` says how it stands to the table: of `default` the value is the table's, `unset` is not in the file."""

    key: str
    kind: str
    value: str | None
    state: State


class Run(Struct, frozen=True):
    """A graph the node runs; `nodes` is None where the file has no body of it."""

    name: str | None
    graph: str
    nodes: int | None


class Explanation(Struct, frozen=True):
    """All of it.  `known` says whether the table has the type; `unconnected` are inputs of the table that nothing is connected to."""

    graph: str
    node: Node
    known: bool
    inputs: tuple[Input, ...]
    unconnected: tuple[str, ...]
    outputs: tuple[Given, ...]
    settings: tuple[Setting, ...]
    runs: tuple[Run, ...]
    #: Nodes that wait for this one without taking anything.
    waiting: tuple[str, ...]


def explain(dump: Dump, graph: Graph, place: int, elements: Mapping[int, str] = {}) -> Explanation:
    """What is known of the node at `place`, in one pass over the graph's nodes; `elements` says what a readable dump calls its outputs."""
    node = graph.nodes[place]
    found = operation(node.type)
    first = graph.by_name.get(node.name) is node
    uses, waiting = _uses(graph, node.name) if first else ({}, ())
    names = [_input_name(edge, at, node, found) for at, edge in enumerate(node.inputs)]
    inputs = tuple(_input(graph, edge, name, found) for edge, name in zip(node.inputs, names, strict=True))
    numbers = sorted({*range(min(max(node.output_count, len(node.outputs)), MOST_DESCRIBED)), *uses})
    outputs = tuple(_given(node, at, elements.get(at), found, uses.get(at, ())) for at in numbers)
    runs = tuple(Run(link.ir_name, link.graph, _size(dump, link.graph)) for link in node.subgraphs)
    return Explanation(
        graph.name, node, found is not None, inputs, _unconnected(names, found), outputs, _settings(node, found), runs, waiting
    )


def _size(dump: Dump, name: str) -> int | None:
    graph = dump.by_name.get(name)
    return None if graph is None else len(graph.nodes)


def _uses(graph: Graph, name: str) -> tuple[dict[int, tuple[Use, ...]], tuple[str, ...]]:
    """Who takes each output of the node, and who only waits for it."""
    found: dict[int, list[Use]] = {}
    waiting: list[str] = []
    for node in graph.nodes:
        for edge in node.inputs:
            if edge.node == name:
                found.setdefault(edge.output, []).append(Use(node.name, node.type, edge.parameter or str(edge.position)))
        if name in node.control_inputs:
            waiting.append(node.name)
    if results_node(graph.nodes) is None:
        for at, output in enumerate(graph.outputs):
            if output.edge.node == name:
                found.setdefault(output.edge.output, []).append(Use(None, None, str(at)))
    return {output: tuple(uses) for output, uses in found.items()}, tuple(waiting)


def _input_name(edge: Edge, at: int, node: Node, found: Operation | None) -> str:
    """What the file calls an input; where it has no names, what the table does if the node has just the inputs it must have."""
    if edge.parameter is not None:
        return edge.parameter
    if found is not None and len(found.inputs) == len(node.inputs) and all(one.kind == "required" for one in found.inputs):
        return found.inputs[at].name
    return str(edge.position)


def _input(graph: Graph, edge: Edge, name: str, found: Operation | None) -> Input:
    source = graph.by_name.get(edge.node)
    info = source.outputs[edge.output] if source is not None and edge.output < len(source.outputs) else None
    parameter = parameter_named(name, found.inputs) if found is not None else None
    return Input(name, parameter and parameter.kind, edge.node, edge.output, source and source.type, info)


def _unconnected(names: list[str], found: Operation | None) -> tuple[str, ...]:
    """Inputs of the table that none of the node's is; nothing where these have names that it does not have."""
    parameters = [parameter_named(name, found.inputs) for name in names] if found is not None else []
    if found is None or found.type in INPUTS or None in parameters:
        return ()
    return tuple(f"{one.name} ({one.kind})" for one in found.inputs if one not in parameters)


def _given(node: Node, at: int, element: str | None, found: Operation | None, uses: tuple[Use, ...]) -> Given:
    name = output_name(found, at) if found is not None else output_names(node.type, node.attributes).get(at)
    return Given(at, name, element, node.outputs[at] if at < len(node.outputs) else None, uses)


def _settings(node: Node, found: Operation | None) -> tuple[Setting, ...]:
    """The attributes of the file in its order, then those of the table that are not set."""
    rules = {rule.key: rule for rule in found.attributes} if found is not None else {}
    settings: list[Setting] = []
    for key, value in node.attributes.items():
        rule = rules.get(key)
        is_default = rule is not None and rule.default is not None and _plain(rule.default) == _plain(value)
        state: State = "other" if rule is None else "default" if is_default else "set"
        settings.append(Setting(key, value.kind, value_words(value), state))
    for key, rule in rules.items():
        if key not in node.attributes and not rule.newer:
            default = _plain(rule.default) if rule.default is not None else None
            settings.append(Setting(key, rule.kind, default, "required" if rule.default is None else "unset"))
    return tuple(settings)


def _plain(value: Value) -> str | None:
    return value_text(Value(value.kind, value.value))
