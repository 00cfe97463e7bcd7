"""The examples check without an error and without a warning, and their presets name what they declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.check.check import check
from linnet_core.modules.load import load
from linnet_core.text.diagnostic import Diagnostics

EXAMPLES = Path(__file__).parents[2] / "examples"
PRESETS = {
    "llama": ["tiny", "small", "small32", "8b"],
    "gpt2": ["tiny", "small"],
    "bert": ["tiny", "base", "large"],
    "vit": ["tiny", "base"],
    "whisper": ["tiny", "whisper-tiny", "large-v3"],
    "rnn": ["tiny", "words"],
    "resnet": ["tiny", "18", "34", "50"],
    "unet": ["tiny", "sdxl"],
    "moe": ["tiny", "20b"],
    "train": ["tiny", "small"],
}


@pytest.mark.parametrize("name", list(PRESETS))
def test_the_package_checks(name: str) -> None:
    diagnostics = Diagnostics()
    package = load(str(EXAMPLES / name), diagnostics=diagnostics)
    assert package is not None
    assert check(package, diagnostics) is not None
    assert [f"{found.code}: {found.message}" for found in diagnostics.found] == []
    assert package.manifest is not None
    assert list(package.manifest.presets) == PRESETS[name]
