"""A file of any format, told from its content, as the view that all tools work on.

In: a path, `-` for stdin.  Out: `Opened`: the view, and what it was made from, for those who write the same format again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from linnet_ge.model import Dump, Problem
from linnet_ge.text.file import read_bytes, text_of
from linnet_ge.text.sniff import HEAD, Kind, sniff

if TYPE_CHECKING:
    from linnet_ge.prototext.tree import Document
    from linnet_ge.readable.bodies import Bodies
    from linnet_ge.readable.records import Readable


class Opened(Struct, frozen=True):
    """A file that was read.

    `readable` holds the records of a readable dump and `bodies` what is in them, `document` the field tree of protobuf text.
    """

    file: str
    kind: Kind
    dump: Dump
    readable: Readable | None = None
    bodies: Bodies | None = None
    document: Document | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the file; doubts about names, which a whole file may give too, are only among the notes of the view."""
        return self.dump.notes if self.readable is None else self.readable.problems


def open_dump(path: str) -> Opened:
    """The dump at `path`; `UsageError` where the file cannot be read, `DocumentError` where it is no dump."""
    data = read_bytes(path)
    text = text_of(data, path)
    kind = sniff(data[:HEAD])
    del data
    match kind:
        case "proto" | "graph" | "onnx":
            return _protobuf(text, path, kind)
    return _readable(text, path)


def _readable(text: str, path: str) -> Opened:
    """Text of no other format: a dump may begin far below in a log."""
    from linnet_ge.ir.operations import attribute_keys
    from linnet_ge.readable.bodies import Bodies
    from linnet_ge.readable.scan import scan
    from linnet_ge.readable.view import view

    readable = scan(text, path)
    bodies = Bodies(readable, attribute_keys)
    return Opened(path, "readable", view(readable, bodies), readable, bodies)


def _protobuf(text: str, path: str, kind: Kind) -> Opened:
    from linnet_ge.prototext.read import read

    document = read(text, path)
    return Opened(path, kind, _view(document, path, kind), document=document)


def _view(document: Document, path: str, kind: Kind) -> Dump:
    if kind == "onnx":
        from linnet_ge.formats import ge_onnx

        return ge_onnx.view(document, path)
    from linnet_ge.formats import ge_proto

    return ge_proto.view(document, path)
