"""The option `--unroll` of every target that prints Python.

In: nothing.  Out: `UNROLL`, as a plugin declares it; importing this imports none of the passes.
"""

from __future__ import annotations

from linnet_core.plugins.options import Option

UNROLL = Option(
    name="unroll",
    type="bool",
    help="Print the body of a block that repeats once for each layer, not as one function.",
    default=False,
)
