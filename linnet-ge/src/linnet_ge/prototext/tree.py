"""A field tree: what protobuf text says, before anything is known of its schema.

In: nothing.  Out: `Field`, `Items`, `Document`, and the questions asked of them.  A message is a tuple of fields; a scalar is its text as
the file spells it (decode it with `prototext.scalars`), so a tree of a large file stays small.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from linnet_ge.model import Problem
from linnet_ge.prototext.scalars import string_of

#: The fields of a message, in order.
Message: TypeAlias = "tuple[Field, ...]"


class Items(Struct, frozen=True, eq=False, gc=False):
    """A list value `[1, 2]` or `[{...}, <...>]`: scalars and messages as they come."""

    items: tuple[Any, ...]


class Field(Struct, frozen=True, eq=False, gc=False):
    """One field.  `name` is spelled as in the file: `op`, a number `99`, an extension or Any `[ext.name]`.

    `value` is a `Message` (a tuple), an `Items`, or the text of a scalar (adjacent strings joined by one space).
    """

    name: str
    value: Any
    #: From 1.
    line: int


class Document(Struct, frozen=True, eq=False):
    """A file that was read: `root` holds all fields that could be read; with `problems` it is partial."""

    root: Message
    problems: tuple[Problem, ...] = ()


def messages(message: Message, name: str) -> Iterator[Message]:
    """The messages in the fields called `name`, those in list values too, in order."""
    for field in message:
        if field.name == name:
            if type(field.value) is tuple:
                yield field.value
            elif type(field.value) is Items:
                yield from (item for item in field.value.items if type(item) is tuple)


def each(message: Message, name: str) -> Iterator[Field]:
    """The messages in the fields called `name`, those in list values too, each as a field of its own with its line."""
    for field in message:
        if field.name == name:
            if type(field.value) is tuple:
                yield field
            elif type(field.value) is Items:
                yield from (Field(name, item, field.line) for item in field.value.items if type(item) is tuple)


def scalars(message: Message, name: str) -> Iterator[str]:
    """The texts of the scalars in the fields called `name`, those in list values too, in order."""
    for field in message:
        if field.name == name:
            if type(field.value) is str:
                yield field.value
            elif type(field.value) is Items:
                yield from (item for item in field.value.items if type(item) is str)


def message(outer: Message, name: str) -> Message | None:
    """The last message called `name` (protobuf: the last one wins), or None."""
    found = tuple(messages(outer, name))
    return found[-1] if found else None


def scalar(outer: Message, name: str) -> str | None:
    """The text of the last scalar called `name`, or None."""
    found = tuple(scalars(outer, name))
    return found[-1] if found else None


def string_in(outer: Message, name: str) -> str:
    """The last string called `name`; empty where there is none, or the scalar is no string."""
    found = scalar(outer, name)
    return "" if found is None else string_of(found) or ""


def same(one: Any, other: Any) -> bool:
    """Whether two trees (messages, fields, values) say the same, lines aside; deep trees too."""
    stack = [(one, other)]
    while stack:
        left, right = stack.pop()
        if type(left) is not type(right):
            return False
        match left:
            case Field():
                if left.name != right.name:
                    return False
                stack.append((left.value, right.value))
            case Items():
                stack.append((left.items, right.items))
            case tuple():
                if len(left) != len(right):
                    return False
                stack.extend(zip(left, right, strict=True))
            case _:
                if left != right:
                    return False
    return True
