"""A story is one program with what every stage makes of it, in numbered files: read downward, they are the way of the data.

`pytest tests/test_stories.py --update` rewrites them; the difference is for a person to look at.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from stages import MODEL, STAGES

from linnet_core.schema.validate import validate_text

STORIES = sorted(path for path in (Path(__file__).parent / "stories").iterdir() if path.is_dir())


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_a_stage_gives_what_the_story_tells(story: Path, stage: str, request: pytest.FixtureRequest) -> None:
    made = STAGES[stage](story / MODEL)
    golden = story / stage
    if request.config.getoption("--update"):
        golden.write_text(made, encoding="utf-8", newline="\n")
    assert golden.read_text(encoding="utf-8") == made


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_every_file_of_a_story_is_the_program_or_a_stage(story: Path) -> None:
    assert {path.name for path in story.iterdir()} == {MODEL, *STAGES}


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage.endswith(".json")])
@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_a_document_of_a_story_is_one(story: Path, stage: str) -> None:
    name, _ = validate_text((story / stage).read_text(encoding="utf-8"))
    assert f"-{name.removesuffix('-1')}." in stage


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.name)
def test_the_sources_of_a_story_compile(story: Path) -> None:
    for stage in STAGES:
        if stage.endswith(".py"):
            compile((story / stage).read_text(encoding="utf-8"), stage, "exec")
