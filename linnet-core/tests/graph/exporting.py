"""From the text of a program to a recording, as the tests write it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from listing_target import Listing

from linnet_core.check.check import check
from linnet_core.graph.document import decode, encode
from linnet_core.graph.export import ExportRequest, Recording, export
from linnet_core.graph.nodes import flat_nodes
from linnet_core.ir.lower import lower
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from linnet_core.graph.nodes import Node
    from linnet_core.graph.target import Target
    from linnet_core.ir.module import Module


def lowered(text: str) -> Module:
    """The Core IR of a program in one file; a `module` line is put in front."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.linnet"
        path.write_text("module program\n" + text, encoding="utf-8")
        diagnostics = Diagnostics()
        package = load(str(path), diagnostics=diagnostics)
        diagnostics.raise_errors()
        assert package is not None
        program = check(package, diagnostics)
    diagnostics.raise_errors()
    assert program is not None
    return lower(program)


def exported(text: str, target: Target | None = None, bind: dict[str, Any] | None = None, **request: Any) -> Recording:
    """A program's entry, recorded.  Whatever is recorded reads back as itself, by every rule of its nodes."""
    recording = export(lowered(text), ExportRequest(bindings=bind or {}, **request), target or Listing())
    text = encode(recording.graph)
    assert encode(decode(text)) == text
    return recording


def nodes(recording: Recording, op: str | None = None) -> list[Node]:
    """The nodes but `call`, perhaps only those of one kind."""
    found = flat_nodes(recording.graph.nodes)
    return [node for node in found if op is None or node.call.op == op]


def ops(recording: Recording) -> list[str]:
    """The kinds of the nodes but `call`, leaves and `finish` left out."""
    return [node.call.op for node in nodes(recording) if node.call.op not in ("input", "parameter", "constant", "finish")]


def calls(recording: Recording, op: str) -> list[Any]:
    """The calls of one kind; which attributes they have follows from it."""
    return [node.call for node in nodes(recording, op)]
