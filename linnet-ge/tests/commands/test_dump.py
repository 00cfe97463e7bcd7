"""`linnet graph --dump ge-readable` and `linnet dump --format ge-readable`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from linnet_ge.readable.dump_text import dump_text
from linnet_ge.readable.scan import scan
from linnet_ge.readable.view import view
from linnet_ge.readable.write import exact

Linnet = Callable[..., subprocess.CompletedProcess[bytes]]
LLAMA = Path(__file__).parents[3] / "examples" / "llama"
PROGRAM = "module m\npub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return exp(x) + 1.0 }\n"


@pytest.mark.skipif(not LLAMA.is_dir(), reason="the examples are not beside the package")
@pytest.mark.parametrize("words", [(), ("--functions",)], ids=["flat", "functions"])
def test_a_decoder_is_written_and_reads_back_as_itself(words: tuple[str, ...], linnet: Linnet) -> None:
    done = linnet("graph", str(LLAMA), "--entry", "decode", "--preset", "tiny", "--target", "numpy", "--dump", "ge-readable", *words)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    read = scan(text, "-")
    assert not read.problems
    linted = linnet("ge", "lint", "-", stdin=done.stdout)
    assert (linted.returncode, linted.stdout) == (0, b"-: no problems\n")
    assert exact(read) == text == dump_text(view(read))
    for graph in view(read).graphs:
        made = {(node.name, at) for node in graph.nodes for at in range(node.output_count)}
        assert len({node.name for node in graph.nodes}) == len(graph.nodes)
        assert all((edge.node, edge.output) in made for node in graph.nodes for edge in node.inputs)
        indices = [node.attributes["index"].value for node in graph.nodes if node.type == "Data"]
        assert indices == list(range(len(indices)))
        assert all(link.graph in read.graph_names for node in graph.nodes for link in node.subgraphs)


def test_a_document_is_written_as_the_entry_is(linnet: Linnet, tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    document = linnet("graph", "m.linnet", "--target", "numpy").stdout
    direct = linnet("graph", "m.linnet", "--target", "numpy", "--dump", "ge-readable")
    assert direct.returncode == 0, direct.stderr
    assert direct.stdout.startswith(b'graph("m.run"):\n  %x : [#users=1] = Node[type=Data] (attrs = {index: 0})\n')
    assert linnet("dump", "--format", "ge-readable", "-", stdin=document).stdout == direct.stdout
    styled = linnet("dump", "--format=ge-readable", "--style", "document", "-", stdin=document).stdout
    assert styled == direct.stdout.replace(b"\n\n  return", b"\n  return")
    linnet("dump", "--format", "ge-readable", "-", "-o", "out.txt", stdin=document)
    assert (tmp_path / "out.txt").read_bytes() == direct.stdout


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        pytest.param(["dump", "-"], 2, "missing option '--format'", id="no format"),
        pytest.param(["dump", "--format", "no", "-"], 2, "there is no dump format `no`. Installed: ge-readable", id="no such format"),
        pytest.param(["dump", "--format", "ge-readable", "-"], 1, "linnet: -: not JSON", id="no document"),
        pytest.param(["dump", "--format", "ge-readable", "--style", "x", "-"], 2, "--style takes canonical or document", id="style"),
        pytest.param(["graph", "m.linnet", "--dump", "ge-readable", "--replay", "--target", "numpy"], 2, "give one of them", id="replay"),
    ],
)
def test_what_cannot_be_written(words: list[str], status: int, message: str, linnet: Linnet, tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(PROGRAM, encoding="utf-8")
    done = linnet(*words, stdin=b"nothing")
    assert (done.returncode, done.stdout) == (status, b"")
    assert message in done.stderr.decode()


def test_without_a_target_an_entry_is_recorded_for_the_graph_engine(linnet: Linnet, tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(
        "module m\nuse std.nn.activations::{silu}\n\npub entry run(x: Tensor[2; f32]) -> Tensor[2; f32] { return silu(x) }\n",
        encoding="utf-8",
    )
    done = linnet("graph", "m.linnet", "--dump", "ge-readable")
    assert done.returncode == 0, done.stderr
    assert b"Node[type=Swish] (inputs = (x=%x)" in done.stdout
    named = linnet("graph", "m.linnet", "--dump", "ge-readable", "--target", "numpy")
    assert b"Swish" not in named.stdout
    refused = linnet("graph", "m.linnet", "--dump", "ge-readable", "--target", "nothing")
    assert refused.returncode == 2
    assert b"the target `nothing` is not installed" in refused.stderr


def test_names_of_a_document_that_would_end_a_record_are_made_plain(linnet: Linnet, tmp_path: Path) -> None:
    (tmp_path / "m.linnet").write_text(PROGRAM)
    document = json.loads(linnet("graph", str(tmp_path / "m.linnet"), "--target", "numpy").stdout)
    [entered, *_, finish] = document["nodes"]
    entered["name"], finish["entry"] = "x : [#users=1] = Node[type=A] (), attrs = {", 'a\nb"):'
    (tmp_path / "m.json").write_text(json.dumps(document))
    done = linnet("dump", "--format", "ge-readable", str(tmp_path / "m.json"))
    [graph] = view(scan(done.stdout.decode(), "-")).graphs
    assert (graph.name, graph.nodes[0].name) == ('m.a_b"):', "x : _#users=1] = Node[type=A] (), attrs = _")
    assert linnet("ge", "lint", "-", stdin=done.stdout).stdout == b"-: no problems\n"
