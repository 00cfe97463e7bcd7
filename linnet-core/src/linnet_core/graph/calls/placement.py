"""Placement across devices: enable_placement, set_slot, transfer, release, gather_parts.

In: slots, or values that move.  Out: the moved values.  Only targets that say so are asked.
"""

from __future__ import annotations

from typing import ClassVar

from linnet_core.graph.calls.values import Call, ResultType, like


class EnablePlacement(Call, frozen=True, kw_only=True, tag="enable_placement"):
    """First call of an export with placement or offload.  No operands, no results; `slots` counts the devices."""

    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    slots: int

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class SetSlot(Call, frozen=True, kw_only=True, tag="set_slot"):
    """Where the following calls run.  No operands, no results."""

    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    slot: int

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class Transfer(Call, frozen=True, kw_only=True, tag="transfer"):
    """Operand x; a copy on `slot`, of the same type."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    slot: int

    def result_types(self) -> tuple[ResultType, ...]:
        """The operand's own type."""
        return like(self.operands[0])


class Release(Call, frozen=True, kw_only=True, tag="release"):
    """Operands: the copies an offloaded block made, no longer needed.  No results."""

    operand_count: ClassVar[tuple[int, int | None]] = (0, None)
    result_count: ClassVar[tuple[int, int | None]] = (0, 0)

    def result_types(self) -> tuple[ResultType, ...]:
        """None."""
        return ()


class GatherParts(Call, frozen=True, kw_only=True, tag="gather_parts"):
    """Operand: a fully sharded parameter; the whole of it, of the declared type."""

    operand_count: ClassVar[tuple[int, int | None]] = (1, 1)

    def result_types(self) -> tuple[ResultType, ...]:
        """The operand's own type."""
        return like(self.operands[0])
