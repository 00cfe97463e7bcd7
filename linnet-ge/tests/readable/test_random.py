"""Random graphs written and read back are equal; random spellings of them come back byte for byte."""

from __future__ import annotations

import json

from dumps import VARIANTS, shape_of
from hypothesis import given
from hypothesis import strategies as st

from linnet_ge.model import Dump, Edge, Graph, Link, Node, Output, TensorValue, Value
from linnet_ge.readable.document import document
from linnet_ge.readable.dump_text import dump_text
from linnet_ge.readable.from_document import readable_of
from linnet_ge.readable.scan import scan
from linnet_ge.readable.values import float_text
from linnet_ge.readable.view import view
from linnet_ge.readable.write import canonical, exact

#: Words as scopes of frameworks make them, with what nothing escapes.
WORDS = st.text(alphabet="ab/.:-_@(),= 模é", min_size=1, max_size=8).map(str.strip).filter(lambda word: word and not word.startswith("ret"))
KEYS = st.from_regex(r"[a-z]{1,4}", fullmatch=True)
INTS = st.integers(-(2**63), 2**63 - 1)
#: Floats that six decimals hold.
FLOATS = st.floats(width=32).map(lambda f: float(float_text(f))).filter(lambda f: f == f)  # a nan is not equal to itself
STRINGS = st.text(alphabet="ab ,:{}()%[]\\模", min_size=1, max_size=12)
TYPES = st.sampled_from(["DT_FLOAT", "DT_BFLOAT16", "DT_INT64"])


def _tensor(items: list[int] | list[float] | list[bool]) -> TensorValue:
    return TensorValue("values", tuple(items)) if len(items) <= 6 else TensorValue("abbreviated", (*items[:3], *items[-3:]))


def _several(kind: str, items: st.SearchStrategy[object]) -> st.SearchStrategy[Value]:
    return st.lists(items, min_size=1, max_size=4).map(lambda found: Value(kind, tuple(found)))  # type: ignore[arg-type]  # a kind


VALUES = st.one_of(
    INTS.map(lambda v: Value("int", v)),
    FLOATS.map(lambda v: Value("float", v)),
    st.booleans().map(lambda v: Value("bool", v)),
    TYPES.map(lambda v: Value("type", v)),
    _several("list_int", INTS),
    _several("list_float", FLOATS),
    _several("list_bool", st.booleans()),
    _several("list_type", TYPES),
    _several("list_list_int", st.lists(INTS, min_size=1, max_size=3).map(tuple)),
    st.one_of(*(st.lists(i, min_size=1, max_size=9) for i in (INTS, FLOATS, st.booleans()))).map(lambda v: Value("tensor", _tensor(v))),
    st.sampled_from(["empty", "invalid", "not_supported"]).map(lambda s: Value("tensor", TensorValue(s))),
)


@st.composite
def attributes(draw: st.DrawFn) -> dict[str, Value]:
    """Some attributes, at most one of them with strings: two can be read in several ways."""
    found = draw(st.dictionaries(KEYS, VALUES, max_size=3))
    strings = st.one_of(STRINGS.map(lambda v: Value("string", v)), _several("list_string", STRINGS.filter(lambda s: '", "' not in s)))
    return {**found, "text": draw(strings)} if draw(st.booleans()) else found


@st.composite
def graphs(draw: st.DrawFn, name: str, others: list[str]) -> Graph:
    """A graph whose edges go anywhere, and whose names do not end or begin one another's references."""
    names = draw(st.lists(WORDS, min_size=1, max_size=5, unique=True))
    counts = {one: draw(st.sampled_from([0, 1, 1, 2, 3])) for one in names}

    def edges(parameters: list[str]) -> tuple[Edge, ...]:
        made = []
        for at, parameter in enumerate(parameters):
            node = draw(st.sampled_from(names))
            made.append(Edge(parameter, node, draw(st.integers(0, max(counts[node] - 1, 0))), at))
        return tuple(made)

    nodes = [
        Node(
            one,
            draw(st.sampled_from(["Data", "If", "TopKV2"])),
            counts[one],
            edges([f"x{i}" for i in range(draw(st.integers(0, 3)))]),
            attributes=draw(attributes()),
            subgraphs=tuple(Link(f"branches{i}", draw(st.sampled_from(others))) for i in range(draw(st.integers(0, 2)))),
        )
        for one in names
    ]
    results = draw(st.integers(0, 3))
    outputs = edges([f"output_{at}" for at in range(results)] if results != 1 else [None])  # type: ignore[list-item]  # one has no parameter
    return Graph(name, nodes, tuple(map(Output, outputs)))


@st.composite
def dumps(draw: st.DrawFn) -> Dump:
    names = ["main", *draw(st.lists(WORDS.filter(lambda word: word != "main"), max_size=2, unique=True))]
    made = [draw(graphs(name, names)) for name in names]
    first = made[0].nodes[0]
    every = Node(
        first.name, first.type, first.output_count, first.inputs, (), first.attributes, tuple(Link(f"g{i}", n) for i, n in enumerate(names))
    )
    made[0] = Graph("main", [every, *made[0].nodes[1:]], made[0].outputs)
    return Dump("readable", tuple(made))


@given(dumps())
def test_a_graph_that_was_written_is_read_back(dump: Dump) -> None:
    text = dump_text(dump)
    read = scan(text, "a.txt")
    assert (read.problems, exact(read), canonical(read)) == ((), text, text)
    back = view(read)
    if not back.notes and not any(value.ambiguous for graph in back.graphs for node in graph.nodes for value in node.attributes.values()):
        assert sorted(map(repr, shape_of(back))) == sorted(map(repr, shape_of(dump)))
    assert dump_text(back) == text


@given(dumps(), st.sampled_from(sorted(VARIANTS)), st.sampled_from(sorted(VARIANTS)))
def test_a_spelling_of_a_graph_comes_back(dump: Dump, one: str, other: str) -> None:
    text = VARIANTS[other](VARIANTS[one](dump_text(dump)))
    read = scan(text, "a.txt")
    assert exact(read) == text
    assert exact(readable_of(json.loads(json.dumps(document([read])))["files"][0])) == text


@given(
    st.lists(
        st.sampled_from(
            [
                'graph("',
                '"):',
                "\n",
                "  ",
                "%",
                "a",
                " : [#users=1] = ",
                "Node[type=",
                "] (",
                "inputs = (",
                ")",
                ", ",
                "x=%",
                "attrs = {",
                "}",
                "k: ",
                '"',
                "return (",
                "get_element[node=",
                "\r\n",
                "\u200b",
            ]
        ),
        max_size=40,
    )
)
def test_any_soup_of_words_comes_back(words: list[str]) -> None:
    text = 'graph("g"):' + "".join(words)
    read = scan(text, "a.txt")
    assert exact(read) == text
    view(read)
    assert exact(readable_of(json.loads(json.dumps(document([read])))["files"][0])) == text
    assert canonical(scan(canonical(read), "a.txt")) == canonical(read)
