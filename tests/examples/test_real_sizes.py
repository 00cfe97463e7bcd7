"""The entries of the examples at their real sizes: both targets print source that is Python, for weights that nobody has made."""

from __future__ import annotations

from math import prod

import pytest
from published import parameters_at
from running import program
from tiny import EXAMPLES, named

#: The bytes of the experts of gpt-oss-20b, two weights in each, and those of their scales, which are no parameters.
PACKED, SCALES = 9_555_148_800, 597_196_800

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


#: Package, preset, entry, the shape of its result if it is a tensor, and the elements of its weights, packed ones and statistics too.
NAMED = [
    ("resnet", "18", "BasicNet.forward", (1, 1000), 11_689_512 + 9_600),
    ("resnet", "34", "BasicNet.features", (1, 512, 7, 7), 21_797_672 + 17_024),
    ("resnet", "50", "BottleneckNet.forward", (1, 1000), 25_557_032 + 53_120),
    ("unet", "sdxl", "Model.forward", (1, 4, 128, 128), 2_567_463_684),
    ("moe", "20b", "forward", (1, 8, 201088), 20_914_757_184 - PACKED + SCALES),
    ("moe", "20b", "decode", (1, 201088), 20_914_757_184 - PACKED + SCALES),
    ("moe", "20b", "prefill_slots", (1, 201088), 20_914_757_184 - PACKED + SCALES),
    ("train", "small", "loss", (), 124_356_096),
    ("train", "small", "sample", (8, 64), 124_356_096),
]


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("package", "preset", "entry", "shape", "elements"), [pytest.param(*case, id=" ".join(case[:3])) for case in NAMED]
)
def test_it_exports_with_the_weights_of_the_published_model(
    package: str, preset: str, entry: str, shape: tuple[int, ...], elements: int, target: str
) -> None:
    one = program(target, str(EXAMPLES / package), preset=preset, **named(entry))
    compile(one.source, "<printed>", "exec")
    [result] = one.finish.operands[: one.finish.returns]
    assert result is not None
    assert result.shape == shape
    assert sum(prod(leaf.shape) for leaf in one.parameters) == elements
