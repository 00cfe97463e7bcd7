"""What `one_run.py` holds a program to can fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from one_run import Run, assert_clean, assert_gives

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROGRAM = "module small\n\npub entry twice<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n    return x + x\n}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.linnet").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda x: x * 2.001, id="other numbers"),
        pytest.param(lambda x: (x * 2).double(), id="another dtype"),
        pytest.param(lambda x: (x * 2)[None], id="another shape"),
        pytest.param(lambda x: (x * 2, x), id="one result more"),
    ],
)
def test_another_result_is_seen(folder: Path, wrong: Callable[..., Any], target: str) -> None:
    assert_gives(folder, Run("small twice", lambda x: x * 2, {"N": 3}), target, "equivalent")
    with pytest.raises(AssertionError):
        assert_gives(folder, Run("small twice", wrong, {"N": 3}), target, "equivalent")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return x + x", "return x + y", id="an error"),
        pytest.param("return x + x", "let unused = x\n    return x + x", id="a warning"),
        pytest.param("return x + x", "return x +", id="an error of reading"),
    ],
)
def test_a_program_that_is_not_clean_is_seen(folder: Path, old: str, new: str) -> None:
    file = folder / "small.linnet"
    assert_clean(file)
    file.write_text(PROGRAM.replace(old, new), encoding="utf-8")
    with pytest.raises(AssertionError):
        assert_clean(file)
