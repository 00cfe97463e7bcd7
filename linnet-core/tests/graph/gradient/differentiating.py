"""Programs with their gradients, run on the numpy target and held against central differences of the same program without.

In: the text of a program whose entry gives one float, and arrays.  Out: the loss and the gradients by label; or what differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from exporting import exported, nodes

from linnet_core.graph.calls import Finish, Input, Parameter
from linnet_core.targets.numpy.runner import run
from linnet_core.targets.numpy.target import NumpyTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linnet_core.graph.export import Recording

Arrays = dict[str, np.ndarray]

#: How far to both sides a central difference looks.
STEP = 1e-5


class Differentiated:
    """An entry with its gradient: its source, and a function of named arrays; and the same entry without."""

    def __init__(self, text: str, **request: Any) -> None:
        self.target = NumpyTarget("equivalent")
        self.recording: Recording = exported(text, self.target, gradient=True, **request)
        self.source = self.target.source()
        plain = NumpyTarget("equivalent")
        exported(text, plain, **request)
        self.plain = plain.source()
        calls = [node.call for node in nodes(self.recording)]
        self.inputs = [call.name for call in calls if isinstance(call, Input)]
        self.parameters = [call.path for call in calls if isinstance(call, Parameter)]
        (finish,) = [call for call in calls if isinstance(call, Finish)]
        self.labels = finish.gradients

    def _run(self, source: str, given: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        return list(run(source, [given[name] for name in self.inputs], [given[path] for path in self.parameters], ()))

    def loss(self, given: Mapping[str, np.ndarray]) -> float:
        """What the entry gives without its gradient."""
        return float(self._run(self.plain, given)[0])

    def __call__(self, given: Mapping[str, np.ndarray]) -> tuple[np.ndarray, Arrays]:
        """The loss, and the gradients by label."""
        loss, *gradients = self._run(self.source, given)
        return loss, dict(zip(self.labels, gradients, strict=True))


def gradients(text: str, given: Mapping[str, np.ndarray], **request: Any) -> Arrays:
    """The gradients of a program at `given`; the loss has to be that of the program without gradients."""
    program = Differentiated(text, **request)
    loss, found = program(given)
    assert float(loss) == program.loss(given)
    return found


def central(loss: Callable[[Arrays], float], given: Arrays, name: str) -> np.ndarray:
    """The derivative of `loss` by every element of one array, from both sides."""
    found = np.zeros(given[name].shape)
    for at in np.ndindex(given[name].shape):
        sides = []
        for step in (STEP, -STEP):
            moved = given[name].copy()
            moved[at] += step
            sides.append(loss({**given, name: moved}))
        found[at] = (sides[0] - sides[1]) / (2 * STEP)
    return found


def unlike(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> str | None:
    """What is wrong with a gradient; None when it is `wanted` within `tolerance` of its largest element or of 1."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{found.shape} where {wanted.dtype}{wanted.shape} is due"
    allowed = tolerance * max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    worst = np.abs(found - wanted)
    return None if bool(np.all(worst <= allowed)) else f"{found} where {wanted} is due"


def differences(text: str, given: Arrays, tolerance: float = 1e-8, **request: Any) -> list[str]:
    """Each gradient of a program in f64 that is not the central difference."""
    program = Differentiated(text, **request)
    loss, found = program(given)
    wrong = [] if float(loss) == program.loss(given) else ["the loss is another one"]
    for label, gradient in found.items():
        problem = unlike(gradient, central(program.loss, given, label), tolerance)
        if problem is not None:
            wrong.append(f"{label}: {problem}")
    return wrong
