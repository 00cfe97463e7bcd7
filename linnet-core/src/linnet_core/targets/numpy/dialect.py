"""How NumPy is written, for the shared printer of modules.

In: calls and flags.  Out: expressions and imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.python_source.dialect import Dialect
from linnet_core.python_source.support import sources
from linnet_core.targets.numpy.expressions import WRITERS
from linnet_core.targets.numpy.support import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.module import Entry
    from linnet_core.python_source.outline import Body
    from linnet_core.targets.numpy.writer import NumpyWriter


class NumpyDialect(Dialect):
    """The dialect `numpy`."""

    title = "NumPy"
    constants_parameters = ""
    #: Nothing is said about values: they are what docs/language/semantics.md says.
    decorators: tuple[str, ...] = ('@np.errstate(all="ignore")',)
    copied = ".copy()"
    metadata: tuple[str, ...] = ()

    def expression(self, writer: NumpyWriter, call: Call) -> str:
        """By the table of `emit/`."""
        return WRITERS[type(call)](writer, call)

    def repeated_decorators(self, writer: NumpyWriter, body: Body, taken: Sequence[int]) -> tuple[str, ...]:
        """None."""
        return ()

    def index(self, writer: NumpyWriter, number: str) -> str:
        """A NumPy scalar."""
        return f"np.int64({number})"

    def imports(self, flags: frozenset[str]) -> list[str]:
        """NumPy, and bf16 where it is used."""
        return [*(["from ml_dtypes import bfloat16"] if "bf16" in flags else []), "import numpy as np"][::-1]

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """None."""
        return []

    def support(self, used: frozenset[str]) -> list[str]:
        """By the table of `support.py`."""
        return sources(FUNCTIONS, used)

    def local_names(self, flags: Iterable[str]) -> tuple[str, ...]:
        """None: functions of the module read arguments only."""
        return ()

    def local_flags(self, names: Iterable[str]) -> set[str]:
        """None."""
        return set()
