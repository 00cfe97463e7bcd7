"""`linnet graph --slices`: the source of ranges, or one line on stderr and nothing else."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

GRAPH = ("graph", "--target", "numpy", "--bind", "N=2")
ONE = {"name": "a", "start": 4, "stop": 6, "inputs": [0], "outputs": [4], "states": []}


def sources(text: str) -> list[str]:
    document = json.loads(text)
    assert list(document) == ["sources"]
    return document["sources"]


def test_ranges_run_one_after_another(linnet, folder):
    done = linnet(*GRAPH, "--slices", "slices.json", "good.linnet")
    assert (done.returncode, done.stderr) == (0, "")
    modules: list[dict[str, Any]] = []
    for text in sources(done.stdout):
        modules.append({})
        exec(text, modules[-1])
    first, second = modules
    x, w, seen = np.float32([1, 2]), np.float32([3, 5]), np.float32([10, 20])
    assert [first[name] for name in ("INPUTS", "PARAMETERS", "STATES", "NEXT_STATES")] == [["x"], [], ["seen"], ["seen"]]
    value, state = first["main"](x, seen.copy(), *first["constants"]())
    assert value.tolist() == state.tolist() == [11, 22]
    assert [second[name] for name in ("INPUTS", "PARAMETERS", "STATES", "NEXT_STATES")] == [["x"], ["w"], [], []]
    (result,) = second["main"](x, w, *second["constants"]())
    assert result.tolist() == [3, 10]


def test_the_request_may_come_from_stdin_and_go_to_a_file(linnet, folder):
    request = (folder / "slices.json").read_bytes()
    done = linnet(*GRAPH, "--indent", "-o", "out.json", "--slices", "-", "good.linnet", stdin=request)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sources((folder / "out.json").read_text()) == sources(linnet(*GRAPH, "--slices", "slices.json", "good.linnet").stdout)


def test_no_slice_gives_no_source(linnet, folder):
    assert linnet(*GRAPH, "--slices", "-", "good.linnet", stdin=b"[]").stdout == '{"sources":[]}\n'


def test_a_request_validates(linnet, folder):
    assert linnet("validate", "slices.json").stdout == "slices.json: slices-1\n"
    (folder / "twice.json").write_text(json.dumps([ONE, ONE]))
    done = linnet("validate", "twice.json")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "twice.json: slices: the name `a` stands there twice\n")


def test_a_name_is_nothing_but_text(linnet, folder):
    name = "'''; __import__('os').abort() #"
    done = linnet(*GRAPH, "--slices", "-", "good.linnet", stdin=json.dumps([{**ONE, "name": name}]).encode())
    (text,) = sources(done.stdout)
    assert "abort" in text
    exec(text, {})


BAD = [
    pytest.param(b"[{]", "-: not JSON at line 1, column 3: ...", id="no JSON"),
    pytest.param(b"\xff", "-: not UTF-8 at byte 0", id="no text"),
    pytest.param(b'[{"name": "a", "name": "a"}]', '-: the key "name" stands twice in one object', id="a key twice"),
    pytest.param(b"[" * 100_000, "-: nested too deeply to be read...", id="nested deeply"),
    pytest.param({**ONE, "stop": 4}, "slice `a`: start 4 and stop 4 leave no step between them", id="an empty range"),
    pytest.param(
        {**ONE, "inputs": []},
        "slice `a`: step 4 (elementwise) reads value 0, the entry's input `x`; `inputs` has to list it",
        id="an input left out",
    ),
    pytest.param({**ONE, "outputs": [7]}, "slice `a`: output 7 is no value's id: this graph has 5 values", id="an unknown id"),
    pytest.param(
        {**ONE, "name": "a\nb"}, "-: slices[0].name: 'a\\nb' is no name: one or more characters that print are", id="a name of two lines"
    ),
]


@pytest.mark.parametrize(("request_", "message"), BAD)
def test_a_bad_request_is_one_line_and_status_1(linnet, folder, request_, message):
    stdin = request_ if isinstance(request_, bytes) else json.dumps([request_]).encode()
    done = linnet(*GRAPH, "--slices", "-", "good.linnet", stdin=stdin)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    start, dots, _ = message.partition("...")
    assert line.startswith(f"linnet: {start}") if dots else line == f"linnet: {message}", line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("--slices", "none.json"), "none.json: No such file or directory", id="no such file"),
        pytest.param(
            ("--slices", "slices.json", "--replay"), "--replay prints all steps and --slices some: give one of them", id="and a replay"
        ),
    ],
)
def test_a_bad_command_line_is_status_2(linnet, folder, arguments, message):
    done = linnet(*GRAPH, *arguments, "good.linnet")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"linnet: {message}\n"


def test_one_stdin_is_one_document(linnet, folder):
    done = linnet(*GRAPH, "--slices", "-", "-", stdin=b"[]")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "linnet: the program and the slices cannot both come from stdin\n"


def test_a_cut_through_an_op_with_a_gradient_of_its_own_names_the_pair(linnet):
    text = (
        "module m\nop own(x: Tensor[2; f32]) -> Tensor[2; f32] { return exp(sin(x)) } grad(y, dy) { return dy * 2.0 }\n"
        "pub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return own(x) + 1.0 }\n"
    )
    (linnet.folder / "own.linnet").write_text(text, encoding="utf-8")
    request = json.dumps([{"name": "half", "start": 0, "stop": 3, "inputs": [0], "outputs": [], "states": []}]).encode()
    done = linnet("graph", "--target", "numpy", "--slices", "-", "own.linnet", stdin=request)
    assert (done.returncode, done.stdout) == (1, "")
    pair = "step 1 (begin_custom_gradient) and step 4 (end_custom_gradient), which stay together"
    assert done.stderr == f"linnet: slice `half`: stop 3 lies inside {pair}\n"
