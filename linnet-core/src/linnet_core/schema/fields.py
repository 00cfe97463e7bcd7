"""Reading a document field by field, strictly, with the place in every complaint.

In: a value of a parsed document and the place it stands at (`functions[3].body`; '' for the document itself).  Out: the value at its
Python type, or `DocumentError` that starts with the place.  The readers of the plan and of the graph are made of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from msgspec import ValidationError, convert

from linnet_core.errors import DocumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Word = TypeVar("_Word", bound=str)
_Read = TypeVar("_Read")


def fail(where: str, problem: str) -> NoReturn:
    """Refuse the document."""
    raise DocumentError(f"{where or 'the document'}: {problem}")


def object_at(value: Any, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """An object with the fields `required`, perhaps those of `optional`, and no other."""
    if not isinstance(value, dict):
        fail(where, "should be an object")
    for name in required:
        if name not in value:
            fail(f"{where}.{name}" if where else name, "missing")
    if len(value) > len(required):
        for name in value:
            if name not in required and name not in optional:
                fail(f"{where}.{name}" if where else name, "no such field")
    return value


def mapping_at(value: Any, where: str) -> dict[str, Any]:
    """An object whose keys are the document's own."""
    if not isinstance(value, dict):
        fail(where, "should be an object")
    for name in value:
        text_at(name, where)
    return value


def list_at(value: Any, where: str) -> Sequence[Any]:
    """A list; a tuple stands for one in documents that were made, not read."""
    if not isinstance(value, list | tuple):
        fail(where, "should be a list")
    return value


def text_at(value: Any, where: str) -> str:
    """A string that can be written as UTF-8."""
    if not isinstance(value, str):
        fail(where, "should be a string")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        fail(where, "half of a surrogate pair is no text")
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


def word_at(value: Any, where: str, words: tuple[_Word, ...]) -> _Word:
    """One of some words."""
    for word in words:
        if value == word:
            return word
    fail(where, f"should be one of {', '.join(words)}")


def tuple_at(value: Any, where: str, read: Callable[[Any, str], _Read]) -> tuple[_Read, ...]:
    """A list as a tuple, each element read by `read(element, place)`."""
    return tuple([read(element, f"{where}[{n}]") for n, element in enumerate(list_at(value, where))])


def _check_text(value: Any, where: str) -> None:
    """That all text in a value can be written; in a list the first element says whether there is any."""
    if isinstance(value, str):
        text_at(value, where)
    elif isinstance(value, dict):
        for name, part in mapping_at(value, where).items():
            _check_text(part, f"{where}.{name}")
    elif isinstance(value, list | tuple) and value and isinstance(value[0], str):
        for at, part in enumerate(value):
            _check_text(part, f"{where}[{at}]")


def typed_at(value: Any, where: str, type: Any) -> Any:
    """A value of a Python type that is made of basic ones (`tuple[int, ...] | None`); as above, a bool is no integer, nor is 1.0."""
    _check_text(value, where)
    try:
        return convert(value, type)
    except ValidationError as error:
        text = str(error)
        fail(where, f"{text[:1].lower()}{text[1:]}")
