"""The entries of a module.

In: a checked program or a Core IR module.  Out: the entries of the root file by block and name; those of imported modules do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol, TypeVar

    from linnet_core.check.program import Block

    class Declared(Protocol):
        """What says which entry a function is, checked or lowered."""

        @property
        def name(self) -> str:
            """Its qualified name."""
            ...

        @property
        def kind(self) -> str:
            """`fn`, `op`, `entry` or `kernel`."""
            ...

        @property
        def block(self) -> str | None:
            """The key of the block whose method it is."""
            ...

    #: A function as it is held: checked, or lowered.
    Form = TypeVar("Form", bound=Declared)
    _Form_co = TypeVar("_Form_co", bound=Declared, covariant=True)

    class Declarations(Protocol[_Form_co]):
        """What a program and a module both hold."""

        @property
        def name(self) -> str:
            """The module path of the root file."""
            ...

        @property
        def blocks(self) -> Mapping[str, Block]:
            """By `module::Name`."""
            ...

        @property
        def functions(self) -> Mapping[str, _Form_co]:
            """By qualified name."""
            ...


def entries_by_block(module: Declarations[Form]) -> dict[str | None, dict[str, Form]]:
    """The entries by key of their block (None: of the module itself) and name as declared, in order of declaration."""
    found: dict[str | None, dict[str, Form]] = {}
    for function in module.functions.values():
        owner = function.name.rpartition("::")[0]
        if function.kind == "entry" and owner == module.name:
            found.setdefault(function.block, {})[declared_name(function)] = function
    return found


def declared_name(function: Declared) -> str:
    """The name as it was declared, without module and block."""
    return function.name.rpartition("::")[2].rpartition(".")[2]
