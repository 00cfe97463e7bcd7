"""Whose fault it is when something a plugin gave raises.

In: a target of a plugin, or any work done by one.  Out: the same answers; an exception that is no `LinnetError` becomes one that names
the plugin.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from linnet_core.errors import LinnetError
from linnet_core.plugins.manager import RAISE_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from linnet_core.graph.calls import Call, CallHeader, Operand
    from linnet_core.graph.target import Capabilities, Declined, RegionCallback, Target


@contextmanager
def blaming(name: str) -> Iterator[None]:
    """What raises inside is the fault of the target `name`."""
    try:
        yield
    except Exception as error:  # a plugin may raise anything; what is meant for people goes on as it is
        if is_for_people(error):
            raise
        raise _blamed(name, error) from error


def is_for_people(error: Exception) -> bool:
    """Whether the exception says itself what is wrong, or was asked for as it is."""
    return isinstance(error, LinnetError | OSError | RecursionError | MemoryError) or bool(os.environ.get(RAISE_VARIABLE))


def _blamed(name: str, error: Exception) -> LinnetError:
    return LinnetError(" ".join(f"the target `{name}` failed: {type(error).__name__}: {error}".split()))


class GuardedTarget:
    """A target around a target of a plugin.

    What is called for every node does without a context until something raises: making one costs more than most calls take.
    """

    def __init__(self, name: str, inner: Target) -> None:
        self._name = name
        self._inner = inner
        with blaming(name):
            _ = inner.name, inner.capabilities.broadcasts_elementwise  # what is no target, or says not what it can do, is told here

    @property
    def name(self) -> str:
        """The inner target's name."""
        return self._inner.name

    @property
    def capabilities(self) -> Capabilities:
        """The inner target's abilities."""
        return self._inner.capabilities

    def emit(self, call: Call, regions: Mapping[str, RegionCallback] | None = None) -> tuple[str, ...] | Declined:
        """Hand on one call."""
        try:
            return self._inner.emit(call, regions)
        except Exception as error:  # anything, as in `blaming`
            self._blame(error)

    def begin_call(self, header: CallHeader) -> None:
        """Hand on the start of a call."""
        try:
            self._inner.begin_call(header)
        except Exception as error:  # anything, as in `blaming`
            self._blame(error)

    def end_call(self, results: Sequence[Operand | None]) -> None:
        """Hand on the end of a call."""
        try:
            self._inner.end_call(results)
        except Exception as error:  # anything, as in `blaming`
            self._blame(error)

    def source(self) -> str:
        """The inner target's text."""
        with blaming(self._name):
            text = self._inner.source()
        if not isinstance(text, str):
            raise LinnetError(f"the target `{self._name}` answered {type(text).__name__} for its source, not text")
        return text

    def _blame(self, error: Exception) -> NoReturn:
        """Raise what `blaming` raises."""
        with blaming(self._name):
            raise error
