"""The entries of the examples at their real sizes: both targets print source that is Python, for weights that nobody has made."""

from __future__ import annotations

from math import prod

import pytest
from published import parameters_at
from running import program
from tiny import EXAMPLES

#: Package, preset, entry, and the shape of its result.
ENTRIES = [
    ("bert", "base", "forward", (1, 8, 768)),
    ("bert", "base", "pool", (1, 768)),
    ("bert", "large", "forward", (1, 8, 1024)),
    ("vit", "base", "features", (1, 197, 768)),
    ("vit", "base", "classify", (1, 1000)),
    ("whisper", "whisper-tiny", "encode", (1, 1500, 384)),
    ("whisper", "whisper-tiny", "decode", (1, 8, 51865)),
    ("whisper", "large-v3", "encode", (1, 1500, 1280)),
    ("whisper", "large-v3", "decode", (1, 8, 51866)),
    ("rnn", "words", "forward", (1, 70, 10000)),
    ("rnn", "words", "step", (1, 10000)),
    ("rnn", "words", "read", (1, 70, 10000)),
    ("rnn", "words", "generate", (1, 70)),
]


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(("package", "preset", "entry", "shape"), [pytest.param(*case, id=" ".join(case[:3])) for case in ENTRIES])
def test_it_exports(package: str, preset: str, entry: str, shape: tuple[int, ...], target: str) -> None:
    one = program(target, str(EXAMPLES / package), entry=entry, preset=preset, optionals="present")
    compile(one.source, "<printed>", "exec")
    [result] = one.finish.operands[: one.finish.returns]
    assert result is not None
    assert result.shape == shape
    assert sum(prod(leaf.shape) for leaf in one.parameters) == sum(parameters_at(package, preset))
