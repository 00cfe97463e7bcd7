"""`--prepare`: what every target does for it before its own passes.

In: a target's steps after hoisting.  Out: the split of `main` and `prepare`, with projections of one value joined; `UsageError` for steps
that prepared weights would defeat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet_core.errors import UsageError
from linnet_core.graph.calls import Finish, GatherParts
from linnet_core.python_source.joined import Joined, join_products
from linnet_core.python_source.prepared import Prepared, paths_by_name, split_prepared

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from linnet_core.python_source.steps import Step


def prepare_weights(
    body: Sequence[Step],
    constants: Sequence[Step],
    parameters: Sequence[str],
    numerics: str,
    respell: Sequence[Callable[[Joined, set[str]], Joined]] = (),
    *,
    slots: int | None = None,
) -> tuple[Prepared, list[Step]]:
    """Under `exact` nothing is joined or stored in another order, since that may add in another order.

    `respell` are a target's own passes over products of weights; they are given the names of parameters and constants.
    `slots` says that something is placed.
    """
    _refuse_moved(body, slots)
    fixed = {*parameters, *(name for step in constants for name in step.results)}
    joined = Joined([], list(body)) if numerics == "exact" else join_products(body, fixed)
    for own in respell if numerics != "exact" else ():
        joined = own(joined, fixed)
    return split_prepared(joined.body, constants, paths_by_name(parameters, body), numerics, joined.weights)


def _refuse_moved(body: Sequence[Step], slots: int | None) -> None:
    """What is copied or gathered in a call cannot be prepared before it, and a prepared weight passes no gradient on."""
    if slots:
        asked = "placed or offloaded"
    elif any(isinstance(step.call, GatherParts) for step in body):
        asked = "fully sharded"
    elif any(isinstance(step.call, Finish) and step.call.gradients for step in body):
        asked = "differentiated"
    else:
        return
    raise UsageError(f"no weights are prepared for an entry that is {asked}: leave out prepare, or export it as it is")
