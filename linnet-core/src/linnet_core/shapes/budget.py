"""How much work one proof may take.

In: a number of steps.  Out: a counter that every search asks before it goes on.  Never a clock, so that the same program
gets the same answer on every machine.
"""

from __future__ import annotations

#: Steps one claim may take; a step is about one addition of two coefficients.
STEPS = 1_600_000


class Budget:
    """Steps left.  What runs out of them answers "not proved"."""

    __slots__ = ("exhausted", "left")

    def __init__(self, steps: int = STEPS) -> None:
        self.left = steps
        self.exhausted = False

    def spend(self, steps: int) -> bool:
        """Take steps; False, from then on, when fewer are left."""
        if steps > self.left:
            self.left = 0
            self.exhausted = True
            return False
        self.left -= steps
        return True
