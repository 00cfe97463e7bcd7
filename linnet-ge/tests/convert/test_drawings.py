"""Drawings: no name of a file breaks the text it stands in, every box and line is there, and what is too large is refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from dumps import SMALL, viewed

from linnet_core.errors import UsageError
from linnet_ge.convert import drawn
from linnet_ge.convert.dot import dot_text, quoted
from linnet_ge.convert.layers import laid_out
from linnet_ge.convert.svg import svg_text
from linnet_ge.formats.files import open_dump
from linnet_ge.model import Dump, Edge, Graph, Link, Node, Output, TensorInfo

HOSTILE = [
    pytest.param('"];} digraph x {', id="ends a DOT string"),
    pytest.param("\\", id="a backslash"),
    pytest.param("</text></svg><script>alert(1)</script>", id="ends an XML element"),
    pytest.param("a\"' onload='x", id="ends an XML attribute"),
    pytest.param("&lt;&#0;", id="entities"),
    pytest.param("\x00\x01\x1b[31m\x7f\u202e", id="control characters"),
    pytest.param("\udcff\ufffe", id="no characters"),
    pytest.param("a\nb\r\tc", id="line ends"),
    pytest.param("]]>" * 200, id="long"),
    pytest.param("", id="empty"),
]
SVG = "{http://www.w3.org/2000/svg}"
#: All that a drawing is made of.
TAGS = {"svg", "style", "defs", "marker", "path", "rect", "g", "text", "title", "a"}
KEYS = {"width", "height", "viewBox", "id", "class", "style", "fill", "stroke", "d", "x", "y", "transform", "href"}
KEYS |= {"refX", "refY", "markerWidth", "markerHeight", "orient", "marker-end"}


def _hostile(name: str) -> Dump:
    """A dump that has `name` wherever a file has one."""
    info = TensorInfo(name, (1,), name)
    node = Node(name, name, 2, (Edge(name, name, 0, 0), Edge(None, name + "?", 3, 1)), (name,), {}, (Link(name, name),), (info, None))
    return Dump("proto", (Graph(name, (node,), (Output(Edge(None, name, 1, 0)),)),))


def _drawings(dump: Dump) -> list[drawn.Drawing]:
    return list(drawn.drawings(dump, list(dump.graphs)))


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_an_svg(name: str) -> None:
    root = ElementTree.fromstring(svg_text(_drawings(_hostile(name))).encode())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= TAGS
    assert {key for element in root.iter() for key in element.attrib} <= KEYS
    assert len(root.findall(f".//{SVG}g/{SVG}rect")) == 3
    assert all(character.isprintable() or character == "\n" for text in root.itertext() for character in text)


def test_a_constant_shows_its_value() -> None:
    text = 'graph("g"):\n  %k : [#users=1] = Node[type=Const] (attrs = {value: [2 64]})\n'
    text += "  %s : [#users=1] = Node[type=Abs] (attrs = {value: [3]})\n"
    [drawing] = _drawings(viewed(text))
    assert [box.lines for box in drawing.boxes] == [("k", "Const", "[2 64]"), ("s", "Abs")]


_STATEMENT = r"""
    \ *(?:digraph\ \{|subgraph\ cluster_\d+\ \{|\}|compound=true|node\ \[[^\]]*\]|label=S
    |g\d+n\d+(?:\ ->\ g\d+n\d+)?(?:\ \[\w+=(?:S|\w+)(?:,\ \w+=(?:S|\w+))*\])?)
""".replace("S", r'"(?:[^"\\]|\\.)*"')


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_dot_text(name: str) -> None:
    lines = dot_text(_drawings(_hostile(name))).splitlines()
    assert [line for line in lines if not re.fullmatch(_STATEMENT, line, re.VERBOSE)] == []
    assert sum(" -> " in line for line in lines) == 5
    assert all(line.isprintable() for line in lines)


def test_a_quoted_string_shows_the_text() -> None:
    assert quoted('a\\N"&lt;\nb') == '"a\\\\N\\"&amp;lt;\\nb"'


def test_boxes_and_lines_are_those_of_the_dump() -> None:
    main, inner = _drawings(viewed(SMALL))
    assert [box.lines[0] for box in main.boxes] == ["x", "k", "top", "later", "call", "return"]
    assert [(line.source, line.target, line.text) for line in main.lines] == [
        (3, 2, "x"),
        (1, 2, "k"),
        (0, 3, "x1"),
        (0, 3, "x2"),
        (2, 4, "args_0 #0"),
        (4, 5, "output_0"),
        (2, 5, "output_1 #0"),
    ]
    assert main.runs == ((4, "f: inner", 1),)
    assert [box.look for box in inner.boxes] == ["data", "return"]
    assert main.boxes[2].told == "top\nTopKV2\nsorted: true\ndim: -1"


def test_a_source_that_is_not_there_is_drawn_as_missing() -> None:
    [drawing] = _drawings(viewed('graph("g"):\n  %a : [#users=1] = Node[type=Neg] (inputs = (x=%gone))\n'))
    assert [(box.lines, box.look) for box in drawing.boxes] == [(("a", "Neg"), "node"), (("gone", "missing"), "missing")]


def test_one_graph_can_be_chosen() -> None:
    dump = viewed(SMALL)
    [graph] = drawn.chosen(dump, "inner")
    [drawing] = drawn.drawings(dump, [graph])
    assert drawing.name == "inner"
    with pytest.raises(UsageError, match="no graph `iner`; did you mean `inner`"):
        drawn.chosen(dump, "iner")


def test_a_drawing_that_is_too_large_is_refused_with_what_helps() -> None:
    with pytest.raises(
        UsageError, match=r"a drawing of 8 boxes is more than the 7 .* `main`, has 6\); .*extract.*`--graph NAME`.*`--max-nodes N`.*dot"
    ):
        svg_text(_drawings(viewed(SMALL)), 7)
    assert svg_text(_drawings(viewed(SMALL)), 8)


@pytest.mark.parametrize(
    ("boxes", "lines", "layers"),
    [
        pytest.param(0, [], (), id="nothing"),
        pytest.param(3, [(2, 1), (1, 0)], ((2,), (1,), (0,)), id="a chain"),
        pytest.param(4, [(0, 2), (2, 3), (1, 3)], ((0,), (1, 2), (3,)), id="what begins stands right above"),
        pytest.param(3, [(0, 1), (1, 2), (0, 2)], ((0,), (1, 3), (2,)), id="a long line bends"),
        pytest.param(4, [(0, 3), (1, 2)], ((0, 1), (3, 2)), id="lines do not cross"),
    ],
)
def test_layers(boxes: int, lines: list[tuple[int, int]], layers: tuple[tuple[int, ...], ...]) -> None:
    assert laid_out(boxes, lines).layers == layers


def test_cycles_and_long_chains_are_laid_out() -> None:
    loop = laid_out(3, [(0, 1), (1, 2), (2, 0), (1, 1)])
    assert (loop.against, loop.layers) == ({2, 3}, ((0,), (1,), (2,)))
    chain = laid_out(20_000, [(at, at + 1) for at in range(19_999)] + [(0, 19_999)])
    assert len(chain.layers) == 20_000
    assert chain.bends[-1] == ()


def test_what_a_drawing_does_not_show_is_told(tmp_path: Path) -> None:
    words = "x" * 300
    desc = 'output_desc { dtype: DT_FLOAT layout: "ND" size: 4 }'
    op = f'op {{ name: "a" type: "Odd" {desc} attr {{ key: "s" value {{ s: "{words}" }} }} }}'
    (tmp_path / "a").write_text(f'graph {{ name: "g" {op} }} graph {{ name: "h" {op} }} version: 3')
    opened = open_dump(str(tmp_path / "a"))
    losses = [(one.family, one.field) for one in drawn.lost(opened, list(opened.dump.graphs[:1]))]
    assert losses == [("model", "version"), ("output_desc", "layout"), ("values", "s (cut)"), ("output_desc", "size")]
