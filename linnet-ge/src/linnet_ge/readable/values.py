"""The text of an attribute's value <-> a typed value.

In: the text after `KEY: `, or a value.  Out: `Value`, or text as the emitter prints it.

Without the table of operations the text alone decides: `5` is an int, `5.000000` a float, `{5}` a list of ints, `[5]` a tensor.  Nothing is
escaped in strings.  Floats have six decimals, so one that was smaller than a millionth reads as 0.
"""

from __future__ import annotations

import math
import re
from typing import Any

from linnet_ge.model import TensorValue, Value, ValueKind

_INT = re.compile(r"-?[0-9]{1,39}")
_FLOAT = re.compile(r"-?(?:[0-9]{1,400}\.[0-9]+|inf|nan)")
_TYPE = re.compile(r"(?:DT_|RESERVED)\w*")
_LIST_OF_LISTS = re.compile(r"\{(?:\{[^{}]*\}(?:, |(?=\})))*\}")
_STATES = {"<empty>": "empty", "<invalid>": "invalid", "<not_supported>": "not_supported"}
_BOOLS = {"true": True, "false": False}
_LISTS: dict[str, ValueKind] = {"int": "list_int", "float": "list_float", "bool": "list_bool", "string": "list_string", "type": "list_type"}


def value_of(raw: str, ambiguous: bool = False) -> Value:
    """The value that `raw` spells; of kind `unknown` with the text itself where it spells none."""
    kind, value = _read(raw)
    return Value(kind, value, raw, ambiguous)


def is_clean(raw: str) -> bool:
    """Whether the text is one value of a known kind."""
    return _read(raw)[0] != "unknown"


def _read(raw: str) -> tuple[ValueKind, Any]:
    if raw.isdigit() and raw.isascii() and len(raw) < 20:  # most values
        return "int", int(raw)
    match raw[:1]:
        case '"' if len(raw) >= 2 and raw[-1] == '"':
            return "string", raw[1:-1]
        case "{" if raw[-1] == "}":
            return _list(raw)
        case "[" if raw[-1] == "]":
            return _tensor(raw)
        case "<" if raw in _STATES:
            return "tensor", TensorValue(_STATES[raw])  # pyright: ignore[reportArgumentType]  # the values of the table are its states
        case "%" if len(raw) > 1:
            return "graph", raw[1:]
    return _scalar(raw)


def _scalar(raw: str) -> tuple[ValueKind, Any]:
    if _INT.fullmatch(raw):
        return "int", int(raw)
    if raw in _BOOLS:
        return "bool", _BOOLS[raw]
    if _FLOAT.fullmatch(raw):
        return "float", float(raw)
    if _TYPE.fullmatch(raw):
        return "type", raw
    return "unknown", raw


def _list(raw: str) -> tuple[ValueKind, Any]:
    inner = raw[1:-1]
    if inner[:1] == '"':
        if len(inner) < 2 or inner[-1] != '"':
            return "unknown", raw
        return "list_string", tuple(inner[1:-1].split('", "'))
    if inner[:1] == "{":
        return _list_of_lists(raw)
    items = [_scalar(item) for item in inner.split(", ")]
    kinds = {kind for kind, _ in items}
    if len(kinds) != 1 or "unknown" in kinds:
        return "unknown", raw
    return _LISTS[items[0][0]], tuple(value for _, value in items)


def _list_of_lists(raw: str) -> tuple[ValueKind, Any]:
    if not _LIST_OF_LISTS.fullmatch(raw):
        return "unknown", raw
    rows = [_list("{" + row + "}") for row in raw[2:-2].split("}, {")]
    kinds = {kind for kind, _ in rows}
    if kinds == {"list_int"}:
        return "list_list_int", tuple(row for _, row in rows)
    return ("list_list_float", tuple(row for _, row in rows)) if kinds == {"list_float"} else ("unknown", raw)


def _tensor(raw: str) -> tuple[ValueKind, Any]:
    words = raw[1:-1].split(" ")
    dots = len(words) == 7 and words[3] == "..."
    items = [_scalar(word) for word in (words[:3] + words[4:] if dots else words)]
    kinds = {kind for kind, _ in items}
    if len(kinds) != 1 or kinds & {"unknown", "type"}:
        return "unknown", raw
    return "tensor", TensorValue("abbreviated" if dots else "values", tuple(value for _, value in items))


def float_text(value: float) -> str:
    """`%f` as C prints it: six decimals, never an exponent; `inf`, `-inf`, `nan`, `-nan`."""
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return f"{value:f}"


def value_text(value: Value) -> str | None:
    """The text of a value as the emitter prints it; None where it prints none (of an empty string or list, of bytes)."""
    if value.raw is not None:
        return value.raw
    return _made(value.kind, value.value)


def _made(kind: ValueKind, value: Any) -> str | None:
    match kind:
        case "string":
            return f'"{value}"' if value else None
        case "graph":
            return f"%{value}"
        case "tensor":
            return tensor_text(value)
        case "list_list_int":
            rows = [", ".join(map(str, row)) for row in value if row]
            return "{" + ", ".join("{" + row + "}" for row in rows) + "}" if rows else None
        case "list_string":
            words = [f'"{word}"' for word in value if word]
            return "{" + ", ".join(words) + "}" if words else None
        case "list_int" | "list_float" | "list_bool" | "list_type":
            return "{" + ", ".join(_item(item) for item in value) + "}" if value else None
        case "int" | "float" | "bool" | "type":
            return _item(value)
    return None


def _item(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return float_text(value) if isinstance(value, float) else str(value)


def tensor_text(value: TensorValue) -> str:
    """`[1 2 3]`, all of up to six values, else the first and last three; or the word for a value that is not shown."""
    if value.state in ("empty", "invalid", "not_supported"):
        return f"<{value.state}>"
    values = value.values
    if not values:
        return "<empty>"
    if value.state == "abbreviated" or len(values) > 6:
        return "[" + " ".join([*map(_item, values[:3]), "...", *map(_item, values[-3:])]) + "]"
    return "[" + " ".join(map(_item, values)) + "]"
