"""Entries of the examples at `tiny` for a batch of nothing: empty results of the right shapes and dtypes, the same from every target."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import differences
from running import program
from tiny import EXAMPLES, named, values

from linnet_core.weights.arrays import numpy_dtype

#: Package, entry, and the generic that counts its sequences or images.
ENTRIES = [
    ("llama", "forward", "B"),
    ("gpt2", "forward", "B"),
    ("bert", "pool", "B"),
    ("vit", "classify", "B"),
    ("whisper", "decode", "B"),
    ("rnn", "read", "Batch"),
    ("rnn", "generate", "Batch"),
    ("resnet", "BasicNet.forward", "B"),
    ("unet", "Small.forward", "B"),
    ("moe", "prefill", "Batch"),
    ("moe", "decode_rows", "Batch"),
    ("train", "loss", "B"),
]
CASES = [pytest.param(*row, id="-".join(row[:2])) for row in ENTRIES]


def _outputs(target: str, package: str, entry: str, generic: str) -> list[np.ndarray]:
    """Results and states of a run on inputs of no rows."""
    one = program(target, str(EXAMPLES / package), {generic: 0}, preset="tiny", **named(entry))
    assert any(0 in leaf.shape for leaf in one.inputs)
    inputs = {leaf.name: np.zeros(leaf.shape, numpy_dtype(leaf.dtype)) for leaf in one.inputs}
    results, states = one.run(inputs, values(one.parameters), values(one.states))
    return [*results, *states.values()]


@pytest.mark.parametrize("target", ["torch", "jax"])
@pytest.mark.parametrize(("package", "entry", "generic"), CASES)
def test_a_batch_of_nothing(target: str, package: str, entry: str, generic: str) -> None:
    pytest.importorskip(target, reason=f"{target} is not installed here; the environment `all` has it")
    given, wanted = _outputs(target, package, entry, generic), _outputs("numpy", package, entry, generic)
    assert len(given) == len(wanted)
    for a, b in zip(given, wanted, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        assert differences(np.asarray(a), np.asarray(b), 1e-5) is None
