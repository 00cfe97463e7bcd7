"""One small decoder with a cache, step by step.

In: a target, a policy, a dtype.  Out: the decoder as the target prints it; what its logits and caches differ in from the reference's.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linnet_core.conformance.case import REFERENCE
from linnet_core.conformance.compare import difference
from linnet_core.conformance.programs.case import TOLERANCES
from linnet_core.conformance.programs.printed import printed
from linnet_core.weights.arrays import numpy_dtype

if TYPE_CHECKING:
    from linnet_core.conformance.programs.printed import Printed
    from linnet_core.plugins.target import TargetPlugin

TEXT = Path(__file__).with_name("decoder.linnet").read_text(encoding="utf-8").removeprefix("module m\n\n")
SIZES = {"Vocab": 16, "H": 8, "Heads": 2, "KvHeads": 1, "Inner": 12, "Layers": 2, "MaxSeq": 6}
_TOKENS = (3, 15, 0, 7, 7, 2)
#: Shapes of the weights at `SIZES`, by the last name of the path before `.weight`; all others are [8].
_SHAPES = {
    "embed": (16, 8),
    "q_proj": (8, 8),
    "k_proj": (4, 8),
    "v_proj": (4, 8),
    "o_proj": (8, 8),
    "gate": (12, 8),
    "up": (12, 8),
    "down": (8, 12),
    "head": (16, 8),
}


def decoder(plugin: TargetPlugin, numerics: str, dtype: str) -> Printed:
    """The decoder of two layers."""
    return printed(TEXT, plugin, numerics, bind={**SIZES, "T": dtype})


def differing(plugin: TargetPlugin, numerics: str, dtype: str) -> str | None:
    """What a step gives otherwise than the reference, each target going on from its own caches."""
    one, reference = decoder(plugin, numerics, dtype), decoder(REFERENCE, "exact", dtype)
    kind = numpy_dtype(dtype)
    generator = np.random.Generator(np.random.PCG64(5))
    weights = {path: (0.5 * generator.standard_normal(_shape(path))).astype(kind) for path in reference.parameters}
    states = {path: np.zeros((1, 1, 6, 4), kind) for path in reference.states}
    other = dict(states)
    for step, token in enumerate(_TOKENS):
        inputs = {"token": np.array([[token]], np.int32), "pos": np.asarray(step, np.int32)}
        (wanted,), other = reference.run({**inputs, **weights, **other})
        (given,), states = one.run({**inputs, **weights, **states})
        for name, due in {"logits": wanted, **other}.items():
            found = difference(given if name == "logits" else states[name], due, TOLERANCES[dtype])
            if found is not None:
                return f"step {step}, {name}: {found}"
    return None


def _shape(path: str) -> tuple[int, ...]:
    return _SHAPES.get(path.removesuffix(".weight").rpartition(".")[2], (8,))
