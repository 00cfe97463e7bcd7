"""Names and text of programs and documents in generated source: nothing is shadowed and nothing breaks out of its literal."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_entries import Hand, array

from linnet_core.conformance import naming
from linnet_core.conformance.case import REFERENCE
from linnet_core.conformance.naming import HOSTILE
from linnet_core.graph.calls import Elementwise, Finish, Input, Parameter, State
from linnet_core.python_source.names import Names
from linnet_core.python_source.quote import quote
from linnet_core.targets.numpy.runner import run


@given(st.lists(st.text(), unique=True, max_size=30))
def test_every_input_gets_an_identifier_of_its_own(texts: list[str]) -> None:
    names = Names()
    given_names = [names.input(text) for text in texts]
    assert len(set(given_names)) == len(texts)
    assert all(name.isidentifier() and name.isascii() and name.startswith("in_") and not keyword.iskeyword(name) for name in given_names)


def test_numbered_names_count_by_prefix() -> None:
    names = Names()
    assert [names.numbered(prefix) for prefix in "vvpvp"] == ["v0", "v1", "p0", "v2", "p1"]


@given(st.text())
def test_quoted_text_is_one_ascii_line_that_reads_back(text: str) -> None:
    quoted = quote(text)
    assert quoted.isascii()
    assert quoted.isprintable()
    assert eval(quoted) == text
    assert compile(f"# {quoted}\nx = 1\n", "printed", "exec").co_names == ("x",)


def source_of(text: str) -> str:
    """An entry in which every name and path is `text`."""
    hand = Hand()
    x = hand(Input(name=text, shape=(2,), dtype="f32"))
    p = hand(Parameter(path=text, shape=(2,), dtype="f32"))
    s = hand(State(path=text, shape=(2,), dtype="f32"))
    y = hand(Elementwise(kind="add", shape=(2,), dtype="f32", operands=(x, p)))
    z = hand(Elementwise(kind="mul", shape=(2,), dtype="f32", operands=(y, s)))
    hand.target.emit(Finish(module=text, block=text, entry=text, returns=1, states=(text,), operands=(y, z)))
    return hand.target.source()


@pytest.mark.parametrize("text", [pytest.param(text, id=ascii(text)) for text in HOSTILE])
def test_no_name_breaks_out(text: str) -> None:
    source = source_of(text)
    assert source.isascii()
    module: dict[str, object] = {}
    exec(compile(source, "printed", "exec"), module)
    assert module["INPUTS"] == module["PARAMETERS"] == module["STATES"] == module["NEXT_STATES"] == [text]
    y, z = run(source, [array([1, 2], "f32")], [array([3, 4], "f32")], [array([5, 6], "f32")])
    assert (y.tolist(), z.tolist()) == ([4.0, 6.0], [20.0, 36.0])


def test_all_hostile_names_at_once() -> None:
    assert naming.differing(REFERENCE, naming.source(REFERENCE)) is None
