"""What no schema knows of is kept by every form that can, and told by the others (fields by number, extensions, words of newer enums)."""

from __future__ import annotations

import json
from pathlib import Path

from linnet_ge.convert import document, readable
from linnet_ge.formats.files import open_dump
from linnet_ge.prototext.read import read
from linnet_ge.prototext.tree import same

PROTO = r"""graph {
  name: "g"
  op {
    name: "a"
    type: "Odd"
    99: 7
    4242 { 1: "a" 2 { 3: 0x2A } }
    new_field { deep { v: 1 } }
    [ext.name] { a: 1 }
    attr { key: "octal" value { s: "\346\250\241" } }
    attr { key: "newer" value { list { val_type: VT_LIST_NEW } } }
    output_desc { dtype: DT_FUTURE new: 3 }
  }
}
77 { 1: 2 }
"""


def test_unknown_fields_are_kept_and_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(PROTO, encoding="utf-8")
    opened = open_dump(str(tmp_path / "a"))
    assert opened.dump.notes == ()
    [file] = json.loads(document.document_text([opened]))["files"]
    [node] = file["graphs"][0]["nodes"]
    values = {one["key"]: (one["kind"], one["value"]) for one in node["attributes"]}
    assert values["octal"] == ("string", "\u6a21")
    assert values[".99"] == ("int", 7)
    assert same(read(values[".4242"][1], "f").root, read('4242 { 1: "a" 2 { 3: 0x2A } }', "f").root)
    assert same(read(values[".[ext.name]"][1], "f").root, read("[ext.name] { a: 1 }", "f").root)
    assert (node["outputs"][0]["dtype"], node["fields"], file["fields"]) == (
        "DT_FUTURE",
        "output_desc {\n  new: 3\n}\n",
        "77 {\n  1: 2\n}\n",
    )
    told = {(one.line, one.family, one.field) for one in readable.lost(opened)}
    assert told == {
        (15, "model", "77"),
        (3, "output_desc", "dtype"),
        (12, "output_desc", "new"),
        (6, "attributes", ".99"),
        (7, "attributes", ".4242"),
        (8, "attributes", ".new_field"),
        (9, "attributes", ".[ext.name]"),
        (11, "values", "newer (no text)"),
    }
    text = readable.readable_text(opened)
    assert text == 'graph("g"):\n  %a : [#users=1] = Node[type=Odd] (attrs = {octal: "\u6a21"})\n'
