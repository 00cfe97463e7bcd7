"""What a conversion leaves out: each thing with its place, and counts of things that are alike.

In: fields of a protobuf dump that the view does not hold.  Out: `Lost` values; lines for people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from linnet_ge.model import Problem
from linnet_ge.prototext.tree import Message, string_in

_DESCS = ("input_desc", "output_desc")
#: So many kinds of one family are named in a line of counts.
NAMED = 10


class Lost(Struct, frozen=True, gc=False):
    """Something that the file says and the result does not.

    `family` is what it belongs to (`attributes`, `output_desc`, `graph`, ...), `field` what it is called there.
    """

    line: int | None
    node: str | None
    family: str
    field: str


def of_fields(fields: Message, family: str, node: str | None) -> Iterator[Lost]:
    """The fields of a message, one level down: a descriptor's fields are a family of their own; attributes are told by their key."""
    for field in fields:
        name = field.name
        if name in _DESCS and family not in _DESCS and type(field.value) is tuple:
            yield from of_fields(field.value, name, node)
        elif name == "attr" and type(field.value) is tuple:
            yield Lost(field.line, node, family, string_in(field.value, "key"))
        elif name == "attribute" and type(field.value) is tuple:
            key, _, _ = string_in(field.value, "name").partition(":")
            stem = next((stem for stem in ("input_desc", "output_desc") if key.startswith(f"{stem}_")), None)
            yield Lost(field.line, node, stem or family, key if stem is None else key[len(stem) + 1 :])
        else:
            yield Lost(field.line, node, family, name)


def counts(lost: Iterable[Lost]) -> Iterator[str]:
    """One line a family: `output_desc 12: device_type 6, real_dim_cnt 6`, the most frequent first."""
    families: dict[str, Counter[str]] = {}
    for one in lost:
        families.setdefault(one.family, Counter())[one.field] += 1
    for family, counts in families.items():
        told = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        more = f", and {len(told) - NAMED} more" if len(told) > NAMED else ""
        yield f"{family} {counts.total()}: " + ", ".join(f"{field} {count}" for field, count in told[:NAMED]) + more


def one_by_one(lost: Iterable[Lost], file: str) -> Iterator[str]:
    """One line each: `FILE:LINE: node `NAME`: output_desc: device_type`."""
    for one in lost:
        yield str(Problem(file, one.line, one.node, f"{one.family}: {one.field}"))
