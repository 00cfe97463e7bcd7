"""What the printer of modules asks of a target: how one framework is written.

In: calls, flags, names.  Out: text.  A target's class derives from `Dialect`, and from the others for what its framework can do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linnet_core.graph.calls import Call
    from linnet_core.python_source.module import Entry
    from linnet_core.python_source.outline import Body
    from linnet_core.python_source.region_text import GradientText, Part
    from linnet_core.python_source.regions import Launched


class Dialect(Protocol):
    """How one framework is written."""

    #: The framework's name, for the header.
    title: str
    #: Parameters of `constants`, and lines before `def main`.
    constants_parameters: str
    decorators: tuple[str, ...]
    #: What follows a name to spell a copy in memory of its own.
    copied: str
    #: Further names of the module, as lines that assign them.
    metadata: tuple[str, ...]

    def expression(self, writer: Any, call: Call) -> str:
        """The right-hand side of a call that is no bracket, leaf or `finish`."""
        ...

    def repeated_decorators(self, writer: Any, body: Body, taken: Sequence[int]) -> tuple[str, ...]:
        """Lines before the function of a body that repeats, which takes the operands at `taken`."""
        ...

    def index(self, writer: Any, number: str) -> str:
        """A rank-0 i64 tensor of the Python integer called `number`."""
        ...

    def imports(self, flags: frozenset[str]) -> list[str]:
        """The import lines for the flags the text has set."""
        ...

    def prelude(self, entry: Entry, flags: frozenset[str]) -> list[str]:
        """First lines of `main`."""
        ...

    def support(self, used: frozenset[str]) -> list[str]:
        """The sources of the support functions used, and of those they need."""
        ...

    def local_names(self, flags: Iterable[str]) -> tuple[str, ...]:
        """The local names of `main` that stand behind some flags, such as that of the device."""
        ...

    def local_flags(self, names: Iterable[str]) -> set[str]:
        """The flags such names stand for."""
        ...


class DifferentiableDialect(Dialect, Protocol):
    """How a framework that differentiates the printed source spells regions; a target that keeps none needs none of it."""

    def own_gradient(self, name: str, text: GradientText) -> list[str]:
        """The module's lines that define `name`: a function of the parameters, with its own gradient."""
        ...

    def recomputed(self, writer: Any, name: str, arguments: Sequence[str]) -> str:
        """The tuple that the function `name` answers to the arguments, whose inside the way back computes again."""
        ...

    def launched(self, name: str, parameters: Sequence[str], arguments: Sequence[str], body: Part, call: Launched) -> list[str]:
        """The module's lines that define `name`: it launches the kernel on the arguments, or runs the body."""
        ...


class FunctionalDialect(Dialect, Protocol):
    """How a framework calls functions in turn; `condition`, `body`, `then` and `otherwise` are names, `initial` is a tuple's text."""

    def while_loop(self, condition: str, body: str, initial: str) -> str:
        """`body` on what is carried, as long as `condition` holds of it."""
        ...

    def counted_loop(self, start: int, stop: int, body: str, initial: str) -> str:
        """`body` on each index and what is carried; it can be differentiated backwards."""
        ...

    def conditional(self, condition: str, then: str, otherwise: str) -> str:
        """What one of two functions of nothing answers."""
        ...
