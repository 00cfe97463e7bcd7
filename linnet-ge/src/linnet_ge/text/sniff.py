"""Which kind of dump a text is, told from its content and not from its name.

In: the first bytes of a file.  Out: `Kind`.
"""

from __future__ import annotations

import re
from typing import Literal

from linnet_ge.text.file import encoding_of

#: `readable`: a readable dump; `proto`: protobuf text of a ModelDef; `graph`: protobuf text whose root is a GraphDef; `onnx`: protobuf text
#: of GE's copy of ONNX; `empty`, `utf-16`, `utf-32`, `binary`: no text of a dump; `other`: text of something else.
Kind = Literal["readable", "proto", "graph", "onnx", "empty", "utf-16", "utf-32", "binary", "other"]

#: How much of a file is looked at: text may stand before a dump.
HEAD = 1 << 16

_READABLE = re.compile(r'graph\("[^\n]*"\)\s*[:\uff1a]|%[^\n]+? [:\uff1a] ?\[#?users=\d+\] = (?:Node\[type=|get_element\[)', re.MULTILINE)
_FIELD = re.compile(r"^[ \t]*(\w+|\[[\w./]+\])[ \t]*(?::|\{|<)", re.MULTILINE)
_ONNX = {"ir_version", "producer_name", "opset_import", "producer_version", "model_version", "domain"}
_GRAPH = {"op", "name", "input", "output", "attr", "attr_groups"}


def sniff(head: bytes) -> Kind:
    """The kind of the dump that begins with `head` (`HEAD` bytes are enough)."""
    if not head:
        return "empty"
    match encoding_of(head[:4096]):
        case "UTF-16":
            return "utf-16"
        case "UTF-32":
            return "utf-32"
        case "binary":
            return "binary"
    text = head[:HEAD].decode("utf-8", "surrogateescape").lstrip("\ufeff").replace("\xa0", " ")
    if _READABLE.search(text):
        return "readable"
    return _protobuf_kind(text)


def _protobuf_kind(text: str) -> Kind:
    """The kind of protobuf text, by the fields of its root that come first."""
    fields = [match[1] for line in text.split("\n") if (match := _FIELD.match(line)) and line[:1] not in (" ", "\t", "#")]
    if any(field in _ONNX for field in fields):
        return "onnx"
    if not fields:
        return "other"
    if "graph" in fields:
        return "onnx" if re.search(r'^\s*op_type:\s*"|^\s*node\s*\{', text, re.MULTILINE) else "proto"
    if "op" in fields and set(fields) <= _GRAPH:
        return "graph"
    return "proto" if {"version", "custom_version"} & set(fields) else "other"
