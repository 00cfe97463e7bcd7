"""The canonical text of records, without the line ends and indentation around them.

In: the parts of a record.  Out: its text.  `canonical` is the emitter's style; `document` differs from it as the samples of the format's
description do: `[users=N]` on the lines of elements, and no empty line before a `return` of one output.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from linnet_ge.readable.records import ElementRecord, NodeRecord, Record

Style = Literal["canonical", "document"]


def record_text(record: Record, style: Style = "canonical") -> str:
    """A record's text from its fields."""
    if isinstance(record, NodeRecord):
        return node_text(record.name, record.users, record.type, record.inputs, record.attributes)
    if isinstance(record, ElementRecord):
        return element_text(record.name, record.users, record.node, record.index, style)
    return return_text(record.outputs)


def header_text(name: str) -> str:
    """The first line of a graph."""
    return f'graph("{name}"):'


def node_text(name: str, users: int, kind: str, inputs: str | None, attributes: str | None) -> str:
    """A node; `inputs` and `attributes` are the text inside their brackets, None where the part is missing."""
    if inputs is None:
        body = "" if attributes is None else f"attrs = {{{attributes}}}"
    else:
        body = f"inputs = ({inputs})" if attributes is None else f"inputs = ({inputs}), attrs = {{{attributes}}}"
    return f"%{name} : [#users={users}] = Node[type={kind}] ({body})"


def element_text(name: str, users: int, node: str, index: int, style: Style = "canonical") -> str:
    """One output of a node with several."""
    return f"%{name} : [{'users' if style == 'document' else '#users'}={users}] = get_element[node=%{node}]({index})"


def return_text(outputs: str) -> str:
    """The results of a graph; `outputs` is the text inside the brackets."""
    return f"return ({outputs})"


def is_apart(results: int, style: Style) -> bool:
    """Whether an empty line stands before a `return` of so many results."""
    return style == "canonical" or results > 1


def references_text(references: Iterable[tuple[str | None, str]]) -> str:
    """Parameters and the names they take: `x1=%a, x2=%b`; without a parameter `%a`."""
    return ", ".join(f"%{name}" if parameter is None else f"{parameter}=%{name}" for parameter, name in references)
