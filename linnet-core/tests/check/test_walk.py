"""The walk over typed trees finds every node of the public cases, which hold nodes of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.check.load_program import load_program
from linnet_core.check.program import Expr, Stmt
from linnet_core.check.walk import nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = Path(__file__).parents[1] / "language_cases" / "valid"


def values_in(value: Any) -> Iterator[Any]:
    """A value and all that its fields and elements hold, in order, whatever they are declared as."""
    yield value
    if isinstance(value, Struct):
        value = tuple(getattr(value, name) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        for part in value:
            yield from values_in(part)


def kinds(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        yield kind
        yield from kinds(kind)


def test_the_walk_finds_every_node() -> None:
    met: set[type] = set()
    for path in sorted(CASES.glob("*.linnet")):
        for function in load_program(str(path))[1].functions.values():
            expected = [value for statement in function.body for value in values_in(statement) if isinstance(value, Expr | Stmt)]
            found = list(nodes_of(function.body))
            assert list(map(id, found)) == list(map(id, expected)), function.name
            met.update(map(type, found))
    assert met == {*kinds(Expr), *kinds(Stmt)}
