"""Checkpoints: one file, a directory, an index; and the file that says what tensors are called."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tensor_files import tensors

from linnet_core.errors import DocumentError, LinnetError
from linnet_core.weights.bindings import read_bindings
from linnet_core.weights.checkpoint import open_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

A, B = "a-1.safetensors", "b-2.safetensors"
INDEX = "model.safetensors.index.json"


def write(folder: Path, files: dict[str, list[str]], index: Any = None) -> None:
    for at, (file, names) in enumerate(files.items()):
        (folder / file).write_bytes(tensors({name: np.full(2, at, np.float32) for name in names}))
    if index is not None:
        (folder / INDEX).write_text(index if isinstance(index, str) else json.dumps(index))


def test_a_directory_holds_what_its_files_hold(tmp_path: Path) -> None:
    write(tmp_path, {A: ["x"], B: ["y"]})
    found = open_checkpoint(str(tmp_path))
    assert list(found.entries) == ["x", "y"]
    assert (found.array("x").tolist(), found.array("y").tolist()) == ([0, 0], [1, 1])


def test_an_index_says_which_files_belong(tmp_path: Path) -> None:
    write(tmp_path, {A: ["x"], B: ["y"], "other.safetensors": ["x"]}, {"metadata": {}, "weight_map": {"x": A, "y": B}})
    found = open_checkpoint(str(tmp_path))
    assert sorted(found.entries) == ["x", "y"]
    assert found.array("x").tolist() == [0, 0]


BAD = [
    pytest.param({}, None, "a directory without .safetensors files", id="no files"),
    pytest.param({A: ["x"], B: ["x"]}, None, "`x` is in ", id="twice"),
    pytest.param({A: ["x"]}, {"weight_map": {"x": A, "y": A}}, f"`y` should be in {A}, which does not hold it", id="elsewhere"),
    pytest.param({A: ["x"]}, {"weight_map": {"x": B}}, "No such file", id="a file is missing"),
    pytest.param({A: ["x"]}, {"weight_map": {"x": f"../{A}"}}, "is no .safetensors file of this directory", id="out of the directory"),
    pytest.param({A: ["x"]}, {"weight_map": {"x": 1}}, "no index: `weight_map`", id="no names"),
    pytest.param({A: ["x"]}, "{", "not JSON", id="no JSON"),
]


@pytest.mark.parametrize(("files", "index", "said"), BAD)
def test_files_that_do_not_fit_each_other_are_said_in_a_line(tmp_path: Path, files: dict[str, list[str]], index: Any, said: str) -> None:
    write(tmp_path, files, index)
    with pytest.raises(LinnetError) as caught:
        open_checkpoint(str(tmp_path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param('{"a": 1}', "a: 1 is not of type 'string'", id="no text"),
        pytest.param('["a"]', "is not of type 'object'", id="no object"),
        pytest.param(
            '{"a[*]": "b"}',
            "`a[*]` and its tensor `b` differ in how many numbers (`[*]`, `{*}`) they have",
            id="a pattern without its number",
        ),
        pytest.param('{"a[*]": "b{*}1"}', "`b{*}1`: a number stands right beside `{*}`", id="a number that runs into another"),
        pytest.param('{"a": "b", "a": "c"}', "a", id="twice"),
        pytest.param("", "nothing in it", id="empty"),
    ],
)
def test_bindings_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(DocumentError) as caught:
        read_bindings(str(tmp_path / "b.json"))
    assert str(caught.value).startswith(f"{tmp_path / 'b.json'}: ")
    assert said in str(caught.value)
