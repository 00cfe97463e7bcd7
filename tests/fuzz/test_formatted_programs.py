"""Random well-typed programs are the same programs after `linnet fmt`, and formatting them again changes nothing.

Texts with comments anywhere, most of them wrong, are those of `linnet-core/tests/syntax/format`.
"""

from __future__ import annotations

import pytest
from random_programs import program

from linnet_core.syntax.format import format_text


@pytest.mark.parametrize("seed", range(20))
def test_a_program_is_formatted_once(seed: int) -> None:
    once = format_text(program(seed).text)
    assert format_text(once) == once
