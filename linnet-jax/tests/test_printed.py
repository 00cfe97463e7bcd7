"""The whole text of one small decoder: a change of what is printed shows in the difference of a file (`--update` writes it anew)."""

from __future__ import annotations

from pathlib import Path

import pytest
from jax_programs import PLUGIN

from linnet_core.conformance.programs import decoder

HERE = Path(__file__).parent / "printed"
CASES = [
    pytest.param("equivalent", "f32", id="equivalent"),
    pytest.param("exact", "f32", id="exact"),
    pytest.param("fast", "bf16", id="fast_bf16"),
]


@pytest.mark.parametrize(("numerics", "dtype"), CASES)
def test_a_decoder_is_printed_as_before(numerics: str, dtype: str, update: bool) -> None:
    path = HERE / f"decoder_{numerics}_{dtype}.py.txt"
    source = decoder.decoder(PLUGIN, numerics, dtype).source
    if update:
        path.write_text(source, encoding="utf-8", newline="\n")
    assert source == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("numerics", "dtype"), CASES)
def test_its_steps_agree_with_the_reference(numerics: str, dtype: str) -> None:
    assert decoder.differing(PLUGIN, numerics, dtype) is None
