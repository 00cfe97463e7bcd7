"""One case of the kit, and how a target answers it.

In: a target, a case, a policy.  Out: the arrays it gives; what differs from those that are due, or None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from linnet_core.conformance.compare import difference
from linnet_core.conformance.hand import finished
from linnet_core.plugins.target import TargetPlugin
from linnet_core.targets.numpy.runner import run as run_numpy
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from linnet_core.conformance.hand import Build
    from linnet_core.graph.target import Target

#: The target every other is held to, which takes no library call and rewrites nothing.
REFERENCE = TargetPlugin(name="numpy", summary="the reference", suffix=".py", make=lambda _: NumpyTarget("exact"), run=run_numpy)


class Case(Struct, frozen=True, kw_only=True, eq=False):
    """Calls with the arrays they are given.

    Results count bit for bit, all NaN being one value, or with a `tolerance` as `compare.difference` says; `either_zero` where the sign of
    a zero is open; `one_by_one` where each element has the tolerance for itself, so that a large one hides no small one.  `wanted` are the
    results where the reference is not asked.
    """

    name: str
    build: Build
    arrays: tuple[np.ndarray, ...]
    tolerance: float | None = None
    either_zero: bool = False
    one_by_one: bool = False
    wanted: tuple[np.ndarray, ...] | None = None
    #: The numerics policies under which a target is held to it.
    policies: tuple[str, ...] = ("equivalent",)


def given(
    plugin: TargetPlugin,
    build: Build,
    arrays: Sequence[np.ndarray],
    states: Sequence[np.ndarray] = (),
    numerics: str = "equivalent",
) -> Sequence[np.ndarray]:
    """What the target gives for an entry: results, then next states.  Raises `LinnetError` for what it refuses."""
    assert plugin.run is not None, "the kit is for targets that run what they print"
    return plugin.run(finished(fresh(plugin, numerics), build, arrays, states).source(), arrays, (), states)


def fresh(plugin: TargetPlugin, numerics: str = "equivalent", **own: Any) -> Target:
    """A target of the plugin; its own options are as they are by default where `own` does not say otherwise."""
    return plugin.make({option.name: option.default for option in plugin.options} | own | {"numerics": numerics})


def differing(plugin: TargetPlugin, case: Case, numerics: str = "equivalent", *, tolerance: float | None = None) -> str | None:
    """What the target gives otherwise than is due, for people; `tolerance` stands in for a smaller one of the case."""
    results = given(plugin, case.build, case.arrays, numerics=numerics)
    wanted = given(REFERENCE, case.build, case.arrays) if case.wanted is None else case.wanted
    if len(results) != len(wanted):
        return f"{len(results)} results for {len(wanted)}"
    allowed = case.tolerance if tolerance is None else max(tolerance, case.tolerance or 0.0)
    for at, (one, other) in enumerate(zip(results, wanted, strict=True)):
        found = _differing(one, other, case, allowed)
        if found is not None:
            return f"result {at}: {found}"
    return None


def _differing(given: Any, wanted: Any, case: Case, tolerance: float | None) -> str | None:
    if case.either_zero:
        given, wanted = given + given.dtype.type(0), wanted + wanted.dtype.type(0)
    if not case.one_by_one or given.shape != wanted.shape:
        return difference(given, wanted, tolerance)
    pairs = zip(given.reshape(-1), wanted.reshape(-1), strict=True)
    return next((found for one, other in pairs if (found := difference(one, other, tolerance)) is not None), None)
