"""Numbers in bindings: with their dot and without, in paths and in names; and patterns that nobody could read."""

from __future__ import annotations

import pytest

from linnet_core.errors import DocumentError
from linnet_core.weights.bindings import tensor_names

NAMES = [
    pytest.param("cells[*].w", "rnn.w_l{*}", {"cells.0.w": "rnn.w_l0", "cells.12.w": "rnn.w_l12"}, id="an element as a number"),
    pytest.param("w_l{*}", "rnn.w_l{*}", {"w_l0": "rnn.w_l0", "w_l10": "rnn.w_l10"}, id="a number as a number"),
    pytest.param("conv{*}.w", "features[*].w", {"conv1.w": "features.1.w"}, id="a number as an element"),
    pytest.param("a[*].b{*}", "b{*}.a[*]", {"a.1.b22": "b1.a.22"}, id="in the order of the path"),
    pytest.param("a[*][*]", "a{*}_{*}", {"a.1.2": "a1_2"}, id="elements of elements"),
    pytest.param("h1[*].w2_{*}", "n{*}w{*}", {"h1.3.w2_4": "n3w4"}, id="digits that are meant"),
    pytest.param("{*}", "{*}", {"7": "7"}, id="nothing else"),
    pytest.param("w{*}", "{*}\0", {"w5": "5\0"}, id="a zero byte in the name"),
    pytest.param("a[*]" * 4000, "{*}x" * 4000, {"a.9" * 4000: "9x" * 4000}, id="many marks"),
]


@pytest.mark.parametrize(("path", "name", "wanted"), NAMES)
def test_numbers_of_a_path_go_into_the_name(path: str, name: str, wanted: dict[str, str]) -> None:
    names = tensor_names({path: name})
    assert {each: names.name(each) for each in wanted} == wanted
    assert all(map(names.binds, wanted))
    assert names.unknown(wanted) == []


@pytest.mark.parametrize("path", ["w_l", "w_lx", "w_l1x", "xw_l1", "w_l1.2", "w_l²", "w_l{*}", "", "1"])
def test_what_is_not_the_pattern_keeps_its_name(path: str) -> None:
    names = tensor_names({"w_l{*}": "rnn.w_l{*}"})
    assert names.name(path) == path
    assert not names.binds(path)
    assert names.unknown([path]) == ["w_l{*}"]


def test_a_path_goes_before_elements_and_elements_before_numbers() -> None:
    names = tensor_names({"a{*}[*]": "c{*}_{*}", "a{*}.{*}": "d{*}_{*}", "a1[*]": "b{*}", "a1.5": "e"})
    assert [names.name(path) for path in ("a1.5", "a1.6", "a2.6")] == ["e", "b6", "c2_6"]
    assert names.unknown(["a1.5", "a2.6"]) == []
    assert names.unknown(["a2.6"]) == ["a1.5", "a1[*]"]


def test_patterns_that_no_path_fits_are_told_in_their_order() -> None:
    bound = {"z{*}": "z[*]", "y": "x", "a[*]": "b[*]", "c{*}": "d{*}"}
    assert tensor_names(bound).unknown(["c1"]) == ["y", "z{*}", "a[*]"]


REFUSED = [
    pytest.param("a[*]", "b", "`a[*]` and its tensor `b` differ in how many numbers", id="none in the name"),
    pytest.param("a{*}", "b{*}[*]", "`a{*}` and its tensor `b{*}[*]` differ in how many numbers", id="one too many in the name"),
    pytest.param("a{*}{*}", "b{*}_{*}", "`a{*}{*}`: a number stands right beside `{*}`", id="two in a row"),
    pytest.param("a{*}b{*}", "a[*]{*}", "`a[*]{*}`: a number stands", id="an element and a number"),
    pytest.param("a{*}" * 9 + "{*}" * 4000, "b", "a number stands right beside", id="a long row"),
    pytest.param("a1{*}", "b{*}", "`a1{*}`: a number stands", id="after a digit"),
    pytest.param("a{*}1", "b{*}", "`a{*}1`: a number stands", id="before a digit"),
    pytest.param("a[*]", "b[*]0", "`b[*]0`: a number stands", id="before a digit of the name"),
]


@pytest.mark.parametrize(("path", "name", "said"), REFUSED)
def test_patterns_that_nobody_could_read_are_refused(path: str, name: str, said: str) -> None:
    with pytest.raises(DocumentError) as caught:
        tensor_names({path: name})
    assert said in str(caught.value)


def test_marks_in_the_name_of_a_path_written_out_are_the_name() -> None:
    assert tensor_names({"a": "b{*}[*]"}).name("a") == "b{*}[*]"
