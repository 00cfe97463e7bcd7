"""A field tree as protobuf text.

In: a message.  Out: text, one field a line, two spaces a level, as protobuf prints it; reading it gives the same tree.
"""

from __future__ import annotations

from typing import Any

from linnet_ge.prototext.tree import Field, Items, Message

#: Deeper fields are not moved further right: a line would cost as much as its depth.
MAX_INDENT = 64


def write(message: Message) -> str:
    """The text of a message, without recursion."""
    parts: list[str] = []
    stack: list[Any] = [(field, 0) for field in reversed(message)]
    while stack:
        entry = stack.pop()
        if type(entry) is str:
            parts.append(entry)
            continue
        thing, depth = entry
        indent = "  " * min(depth, MAX_INDENT)
        name = f"{thing.name} " if isinstance(thing, Field) else ""
        value = thing.value if isinstance(thing, Field) else thing
        if isinstance(value, Items):
            parts.append(f"{indent}{name.rstrip()}: [\n")
            stack.append(f"{indent}]\n")
            last = len(value.items) - 1
            for index, item in reversed(tuple(enumerate(value.items))):
                if isinstance(item, tuple) and index < last:
                    stack.append(",\n")
                stack.append((item, depth + 1) if isinstance(item, tuple) or index == last else (item + ",", depth + 1))
        elif isinstance(value, tuple):
            parts.append(f"{indent}{name}{{\n")
            stack.append(f"{indent}}}\n")
            stack.extend((field, depth + 1) for field in reversed(value))
        else:
            parts.append(f"{indent}{thing.name}: {value}\n" if isinstance(thing, Field) else f"{indent}{value}\n")
    return "".join(parts)
