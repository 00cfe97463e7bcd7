"""Reading JSON values strictly, with the place in every complaint.

In: a value of a parsed document and the place it stands at (`functions[3].body`).  Out: the value at its Python type, or `DocumentError`.
"""

from __future__ import annotations

from typing import Any, NoReturn

from linnet_core.errors import DocumentError


def fail(where: str, problem: str) -> NoReturn:
    """Refuse the document."""
    raise DocumentError(f"{where}: {problem}")


def object_at(value: Any, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """An object with exactly these fields."""
    if not isinstance(value, dict):
        fail(where, "should be an object")
    for name in required:
        if name not in value:
            fail(where, f"has no field `{name}`")
    for name in value:
        if name not in required and name not in optional:
            fail(where, f"has a field `{name}` that does not belong there")
    return value


def list_at(value: Any, where: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        fail(where, "should be a list")
    return value


def text_at(value: Any, where: str) -> str:
    """A string."""
    if not isinstance(value, str):
        fail(where, "should be a string")
    return value


def integer_at(value: Any, where: str) -> int:
    """An integer: no bool, and nothing with a point."""
    if not isinstance(value, int) or isinstance(value, bool):
        fail(where, "should be an integer")
    return value


def bool_at(value: Any, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        fail(where, "should be true or false")
    return value


def word_at(value: Any, where: str, words: tuple[str, ...]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in words:
        fail(where, f"should be one of {', '.join(words)}")
    return value


def tuple_at(value: Any, where: str, read: Any) -> tuple[Any, ...]:
    """A list as a tuple, each element read by `read(element, place)`."""
    return tuple(read(element, f"{where}[{n}]") for n, element in enumerate(list_at(value, where)))
