"""A file is told from its content, whatever its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from dumps import SMALL

from linnet_core.errors import DocumentError, UsageError
from linnet_ge.formats.files import open_dump

PROTO = 'graph {\n  name: "g"\n  op {\n    name: "a"\n    type: "Data"\n  }\n}\n'


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        pytest.param(SMALL, "readable", ["main", "inner"], id="readable"),
        pytest.param("log\n" * 50_000 + SMALL, "readable", ["main", "inner"], id="far below in a log"),
        pytest.param(PROTO, "proto", ["g"], id="ModelDef"),
        pytest.param('ir_version: 6\ngraph {\n  name: "o"\n}\n', "onnx", ["o"], id="ONNX"),
        pytest.param('name: "bare"\nop {\n  name: "a"\n  type: "Data"\n}\n', "graph", ["bare"], id="GraphDef"),
    ],
)
def test_a_dump_is_told_from_its_content(tmp_path: Path, text: str, kind: str, names: list[str]) -> None:
    (tmp_path / "a.any").write_text(text, encoding="utf-8")
    opened = open_dump(str(tmp_path / "a.any"))
    assert (opened.kind, [graph.name for graph in opened.dump.graphs]) == (kind, names)
    assert (opened.readable is None) == (opened.document is not None) == (kind != "readable")


def test_what_is_no_dump_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing of the kind\n", encoding="utf-8")
    with pytest.raises(DocumentError, match=r"a\.txt:1: "):
        open_dump(str(tmp_path / "a.txt"))
    with pytest.raises(UsageError, match="No such file"):
        open_dump(str(tmp_path / "gone.txt"))
