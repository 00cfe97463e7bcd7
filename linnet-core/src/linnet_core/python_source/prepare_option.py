"""The option `--prepare` of every target that prints Python.

In: nothing.  Out: `PREPARE`, as a plugin declares it; importing this imports none of the passes.
"""

from __future__ import annotations

from linnet_core.plugins.options import Option

PREPARE = Option(
    name="prepare",
    type="bool",
    help="Print a function that does the work on weights alone once: joined projections, dequantised weights.",
    default=False,
)
