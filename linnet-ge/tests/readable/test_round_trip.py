"""Reading and writing a readable dump gives the same bytes, in every spelling that is accepted, and the same graphs from each."""

from __future__ import annotations

from pathlib import Path

import pytest
from dumps import SMALL, VARIANTS, shape_of, viewed

from linnet_ge.readable.dump_text import dump_text
from linnet_ge.readable.scan import scan
from linnet_ge.readable.view import view
from linnet_ge.readable.write import canonical, exact
from linnet_ge.text.file import bytes_of, text_of

SAMPLES = sorted((Path(__file__).parents[4] / "shared" / "data" / "ge").glob("ge_readable*.txt"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_of_the_format_comes_back(path: Path) -> None:
    data = path.read_bytes()
    read = scan(text_of(data, path.name), path.name)
    assert read.problems == ()
    assert bytes_of(exact(read)) == data
    assert bytes_of(canonical(read, "document")) == data
    assert dump_text(view(read), "document").encode() == data
    assert dump_text(view(read)) == canonical(read)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_spelling_comes_back(variant: str) -> None:
    text = VARIANTS[variant](SMALL)
    assert variant == "canonical" or text != SMALL
    assert exact(scan(text, "a.txt")) == text


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_spelling_says_the_same(variant: str) -> None:
    text = VARIANTS[variant](SMALL)
    assert shape_of(viewed(text)) == shape_of(viewed(SMALL))
    assert canonical(scan(text, "a.txt")) == SMALL


def test_canonical_text_is_written_from_fields_alone() -> None:
    read = scan(SMALL, "a.txt")
    for graph in read.graphs:
        assert (graph.gap, graph.spelling) == (None, None)
        assert [r for r in graph.records if r.gap is not None or r.spelling is not None] == []
    assert read.tail is None


def test_bytes_that_are_no_text_come_back() -> None:
    data = SMALL.replace("later", "sp\u00e4ter").encode("latin-1")
    assert bytes_of(exact(scan(text_of(data, "a.txt"), "a.txt"))) == data


def test_the_first_version_has_no_parameters() -> None:
    text = SMALL.replace("x1=", "").replace("x2=", "").replace("output_0=", "").replace("output_1=", "")
    read = scan(text, "a.txt")
    assert exact(read) == canonical(read) == text
    main = view(read).graphs[0]
    assert [(e.parameter, e.node) for e in main.by_name["later"].inputs] == [(None, "x"), (None, "x")]
    assert [(o.edge.node, o.edge.output) for o in main.outputs] == [("call", 0), ("top", 0)]


def test_an_empty_return_and_empty_inputs_come_back() -> None:
    text = 'graph("g"):\n  %x : [#users=0] = Node[type=NoOp] (inputs = (), attrs = {n: 1})\n\n  return ()\n'
    read = scan(text, "a.txt")
    assert exact(read) == canonical(read) == text
    assert view(read).graphs[0].outputs == ()


def test_a_graph_is_printed_once_and_depth_first() -> None:
    def graph(name: str, *named: str) -> str:
        links = ", ".join(f"g{at}: %{other}" for at, other in enumerate(named))
        return f'graph("{name}"):\n  %n : [#users=1] = Node[type=F] ({f"attrs = {{{links}}}" if links else ""})\n'

    order = [("root", "a", "c"), ("a", "b"), ("b", "a"), ("c", "b", "c", "gone"), ("alone",)]
    shuffled = [order[0], order[3], order[2], order[1], order[4]]
    text = "\n".join(graph(*one) for one in order)
    assert canonical(scan("\n".join(graph(*one) for one in shuffled), "a.txt")) == text
    assert dump_text(viewed("\n".join(graph(*one) for one in shuffled))) == "\n".join(graph(*one) for one in order[:4])
