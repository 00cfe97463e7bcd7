"""Readable dumps that tests share, and their other spellings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from linnet_ge.model import Dump, Edge, Value
from linnet_ge.readable.scan import scan
from linnet_ge.readable.view import view

#: Two outputs, a graph that is run, a node without a body, an edge from further down.
SMALL = """graph("main"):
  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})
  %k : [#users=1] = Node[type=Const] ()
  %top : [#users=2] = Node[type=TopKV2] (inputs = (x=%later, k=%k), attrs = {sorted: true, dim: -1})
  %ret : [#users=2] = get_element[node=%top](0)
  %ret_1 : [#users=0] = get_element[node=%top](1)
  %later : [#users=1] = Node[type=Add] (inputs = (x1=%x, x2=%x))
  %call : [#users=1] = Node[type=PartitionedCall] (inputs = (args_0=%ret), attrs = {f: %inner})

  return (output_0=%call, output_1=%ret)

graph("inner"):
  %a/b.c:0@d : [#users=1] = Node[type=Data] (attrs = {index: 0})

  return (%a/b.c:0@d)
"""


#: Protobuf text: a Cast of a Const of eight bytes, a size that is not known, a control edge, a graph that is run.
PROTO = """graph {
  name: "main"
  op {
    name: "x"
    type: "Data"
    output_desc { dtype: DT_FLOAT shape { dim: -1 dim: 4 } layout: "ND" }
    attr { key: "index" value { i: 0 } }
  }
  op {
    name: "c"
    type: "Const"
    output_desc { dtype: DT_BF16 shape { dim: 4 } layout: "ND" }
  }
  op {
    name: "cast"
    type: "Cast"
    input: "c:0"
    input: "x:-1"
    attr { key: "dst_type" value { i: 0 } }
    output_desc { dtype: DT_FLOAT shape { dim: 4 } layout: "ND" }
  }
  op {
    name: "call"
    type: "PartitionedCall"
    input: "cast:0"
    input: "x:0"
    subgraph_name: "inner"
    output_desc { dtype: DT_FLOAT shape { dim: -1 dim: 4 } layout: "ND" }
  }
  op {
    name: "NetOutput"
    type: "NetOutput"
    input: "call:0"
  }
}
graph {
  name: "inner"
  op {
    name: "a"
    type: "Data"
    output_desc { dtype: DT_FLOAT shape { dim: 4 } layout: "ND" }
    attr { key: "index" value { i: 0 } }
  }
  output: "a:0"
}
"""


def _log(text: str) -> str:
    return "".join(f"[INFO] GE(12,python):2026-02-10 50% done {line}\n" for line in text.splitlines())


def _on_one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines() if line.strip())


def _element_users(text: str) -> str:
    return "".join(line.replace("[#users", "[users") if "get_element" in line else line for line in text.splitlines(keepends=True))


#: Every spelling that people's files are known to have, made from canonical text.
VARIANTS: dict[str, Callable[[str], str]] = {
    "canonical": lambda text: text,
    "users without the sign": _element_users,
    "all users without the sign": lambda text: text.replace("[#users", "[users"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no empty line before return": lambda text: text.replace("\n\n  return", "\n  return"),
    "no empty line between graphs": lambda text: text.replace("\n\ngraph", "\ngraph"),
    "several empty lines": lambda text: text.replace("\n\n", "\n\n\n\n"),
    "no last line end": lambda text: text.rstrip("\n"),
    "indentation lost": lambda text: "\n".join(line.strip() for line in text.split("\n")),
    "four more spaces": lambda text: "\n".join("    " + line if line else line for line in text.split("\n")),
    "on one line": _on_one_line,
    "no-break spaces": lambda text: text.replace(" ", "\xa0"),
    "fullwidth punctuation": lambda text: (
        text.replace("(", "\uff08").replace(")", "\uff09").replace(", ", "\uff0c ").replace(": [", "\uff1a [")
    ),
    "zero-width spaces at line ends": lambda text: text.replace("\n", "\u200b\n"),
    "zero-width spaces": lambda text: text.replace(" : [", "\u200b : ["),
    "no space before the bracket": lambda text: text.replace("] (", "]("),
    "log": _log,
    "text around": lambda text: "print(graph)\n" + text + "\nthat was it\n",
    "byte order mark": lambda text: "\ufeff" + text,
    "mixed line ends": lambda text: text.replace(")\n  %k", ")\r\n  %k"),
    "white space at line ends": lambda text: text.replace(")\n", ")  \n"),
}


def viewed(text: str) -> Dump:
    """The view of a text."""
    return view(scan(text, "dump.txt"))


def shape_of(dump: Dump) -> object:
    """What a dump says, without lines and notes."""
    return [
        (
            graph.name,
            [(n.name, n.type, n.output_count, _edges(n.inputs), _values(n.attributes), n.subgraphs) for n in graph.nodes],
            _edges([output.edge for output in graph.outputs]),
        )
        for graph in dump.graphs
    ]


def _edges(edges: Iterable[Edge]) -> list[object]:
    return [(e.parameter, e.node, e.output) for e in edges]


def _values(attributes: Mapping[str, Value]) -> list[object]:
    return [(key, value.kind, repr(value.value), value.ambiguous) for key, value in attributes.items()]
