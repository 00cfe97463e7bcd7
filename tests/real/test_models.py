"""What public models ask of the language, a small program for each: checked, planned, and run on every target against PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from decoder_runs import decoders, gpt_oss, sam
from encoder_runs import bert, dinov2, gpt2, modernbert, siglip, whisper
from further_runs import pictures, text
from one_run import HERE, POLICIES, TARGETS, Run, assert_clean, assert_gives

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = HERE / "models"
FILES = sorted(FOLDER.glob("*.linnet"))
RUNS = [*gpt2(), *bert(), *dinov2(), *whisper(), *siglip(), *modernbert(), *gpt_oss(), *sam(), *decoders(), *text(), *pictures()]


@pytest.mark.parametrize("numerics", POLICIES)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("run", [pytest.param(run, id=run.id) for run in RUNS])
def test_the_entry_gives_what_torch_gives(run: Run, target: str, numerics: str) -> None:
    assert_gives(FOLDER, run, target, numerics)


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])
def test_the_program_is_clean_and_its_plan_reads_back(file: Path) -> None:
    assert_clean(file)


def test_every_program_is_run() -> None:
    """That of Llama has a test of its own."""
    assert {run.file for run in RUNS} | {"llama"} == {file.stem for file in FILES}
