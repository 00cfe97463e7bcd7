"""Values as text that reads well in a golden file.

In: JSON values, trees of structs.  Out: lines, at most `WIDTH` wide where one can be broken.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from linnet_core.check.show_types import show as show_type
from linnet_core.check.types import ArrayType, BlockType, OptionalType, ScalarType, StructType, TensorType, TupleType, UnitType
from linnet_core.shapes import Dim
from linnet_core.syntax.tree import Name, Path
from linnet_core.text.span import Span

WIDTH = 120
_INDENT = "  "
_TYPES = (ArrayType, BlockType, OptionalType, ScalarType, StructType, TensorType, TupleType, UnitType)


def dense_json(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits on a line stands on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inner = indent + _INDENT
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {dense_json(part, inner)}" for key, part in value.items()]
    else:
        parts = [inner + dense_json(part, inner) for part in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n" + ",\n".join(parts) + f"\n{indent}{last}"


def tree_lines(value: Any, indent: str = "") -> list[str]:
    """A tree of structs: its name, what is flat beside it, what is not below it; places in the source are left out."""
    flat = _flat(value)
    if flat is not None and len(indent) + len(flat) <= WIDTH:
        return [indent + flat]
    inner = indent + _INDENT
    if isinstance(value, tuple | list):
        return [line for part in value for line in tree_lines(part, indent)]
    if isinstance(value, dict):
        return [line for key, part in value.items() for line in (f"{indent}{key}:", *tree_lines(part, inner))]
    if not isinstance(value, Struct):
        return [indent + str(flat)]
    beside, below = [type(value).__name__], []
    for name, part in _fields(value):
        flat = _flat(part)
        if flat is not None and "\n" not in flat and len(flat) <= 40:
            beside.append(f"{name}={flat}")
        else:
            below += [f"{inner}{name}:", *tree_lines(part, inner + _INDENT)]
    return [indent + " ".join(beside), *below]


def _fields(value: Struct) -> list[tuple[str, Any]]:
    """The fields that say something."""
    fields = [(name, getattr(value, name)) for name in value.__struct_fields__]
    return [(name, part) for name, part in fields if not isinstance(part, Span) and part is not None and part is not False and part != ()]


def _flat(value: Any) -> str | None:
    """What a value is on one line; None for one that is made of lines."""
    match value:
        case None | bool() | int() | float() | str():
            return str(value)
        case Name():
            return value.text
        case Path():
            return ".".join(part.text for part in value.parts)
        case Dim():
            return str(value)
        case tuple() | list():
            parts = [_flat(part) for part in value]
            return None if any(part is None for part in parts) else "[" + ", ".join(str(part) for part in parts) + "]"
        case dict():
            return None if value else "{}"
        case Struct():
            if isinstance(value, _TYPES):
                return show_type(value)
            parts = [(name, _flat(part)) for name, part in _fields(value)]
            if any(part is None for _, part in parts):
                return None
            inside = ", ".join(f"{name}={part}" for name, part in parts)
            return f"{type(value).__name__}({inside})" if len(inside) <= 60 else None
        case _:
            return str(value)
