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

#: The first line of a graph; what stands after the name of a node or element.
_READABLE = re.compile(r'graph\("[^\n]*"\)\s*[:\uff1a]|( [:\uff1a] ?\[#?users=\d{1,18}\] = (?:Node\[type=|get_element\[))')
_BLANKS = re.compile(r"[\s,;:]*+")
#: Groups: the name of a field, an opening bracket, a closing one; what else protobuf text is made of has none.
_TOKEN = re.compile(
    r"""[\s,;:]*+(?:(\w++|\[[\w./]++\])(?=\s*+[:{<])|([{<])|([}>])|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|\#[^\n]*+|[\[\]]|[-+\w.]++)""",
    re.DOTALL,
)
_ONNX = {"ir_version", "producer_name", "opset_import", "producer_version", "model_version", "domain"}


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
    if any(_is_record(text, found) for found in _READABLE.finditer(text)):
        return "readable"
    return _protobuf_kind(text)


def _is_record(text: str, found: re.Match[str]) -> bool:
    """Whether a match is one of a readable dump: a name stands before it, and it stands in no string of protobuf text."""
    line = text.rfind("\n", 0, found.start()) + 1
    begin = text.find("%", line, found.start()) if found[1] is not None else found.start()
    # an odd number of quotes before it on its line would be a string that is open
    return begin >= 0 and not text.count('"', line, begin) % 2


def _protobuf_kind(text: str) -> Kind:
    """The kind of protobuf text, by the fields of its root and of the messages in it."""
    root, inner = _fields(text)
    if not root:
        return "other"
    if root & _ONNX or ("graph" in root and "node" in inner) or ("node" in root and "op_type" in inner):
        return "onnx"
    if "graph" in root:
        return "proto"
    if "op" in root and "type" in inner:
        return "graph"
    return "proto" if {"version", "custom_version"} & root else "other"


def _fields(text: str) -> tuple[set[str], set[str]]:
    """The names of fields outside of any message, and of those one level further in, as far as `text` goes."""
    depth = at = 0
    root: set[str] = set()
    inner: set[str] = set()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            blank = _BLANKS.match(text, at)
            at = (blank.end() if blank is not None else at) + 1
            continue
        at = found.end()
        if found[1] is not None and depth < 2:
            (inner if depth else root).add(found[1])
        elif found[2] is not None:
            depth += 1
        elif found[3] is not None:
            depth -= 1
    return root, inner
