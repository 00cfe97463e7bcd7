"""Layers that are alike share one printed function: the text does not grow with them, and the values are those of the flat text."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tiny import EXAMPLES

_GROWING = ("PARAMETERS", "STATES", "NEXT_STATES", "def main(", "    '", '    "')


def _text(target: str, package: str, entry: str, layers: int, *more: str) -> str:
    command = [sys.executable, "-m", "linnet_core", target, "--entry", entry, "--preset", "tiny", "--bind", f"Layers={layers}", *more]
    done = subprocess.run([*command, str(EXAMPLES / package)], capture_output=True, text=True, encoding="utf-8", check=True)
    return done.stdout


def _calls_and_others(text: str) -> tuple[int, int]:
    lines = [line for line in text.splitlines() if not line.startswith(_GROWING)]
    calls = [line for line in lines if " = block_" in line]
    return len(calls), len(lines) - len(calls)


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_the_text_grows_by_one_call_a_layer(target: str) -> None:
    pytest.importorskip(f"linnet_{target}" if target != "numpy" else "linnet_core")
    four, eight = (_calls_and_others(_text(target, "llama", "decode", layers)) for layers in (4, 8))
    assert (four[0], eight[0]) == (4, 8)
    assert four[1] == eight[1]


def test_unrolled_text_has_no_function_of_a_block() -> None:
    assert "block_" not in _text("numpy", "llama", "decode", 4, "--unroll")
