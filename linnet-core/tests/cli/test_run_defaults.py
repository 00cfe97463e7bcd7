"""`linnet run` of an entry whose inputs have defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from linnet_core.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEFAULTS = """module m

const HALF: f32 = 0.5

fn twice(x: f32) -> f32 { return x * 2.0 }

block M<N: Dim, T: Float = f32> {
    pub entry f<S: Dim>(
        x: Tensor[S, N; T], scale: f32 = twice(HALF) + 2.0, flag: bool = true, shift: Tensor[S; i64] = iota(S) * N
    ) -> (Tensor[S, N; T], f32, bool, Tensor[S; i64]) {
        return (x, scale, flag, shift)
    }
}

pub entry g(n: i32 = 7) -> i32 { return n }
"""


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """`linnet run d.linnet` with further arguments, in a folder of its own: status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.linnet").write_text(DEFAULTS, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        status = run(["run", *arguments, "d.linnet"])
        out, err = capfd.readouterr()
        return status, out, err

    return call


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param((), [3.0, True, [0, 3]], id="none given"),
        pytest.param(("--input", "scale=1.5"), [1.5, True, [0, 3]], id="one given"),
        pytest.param(("--input", "shift=[5,6]", "--input", "flag=false"), [3.0, False, [5, 6]], id="two given"),
    ],
)
def test_what_is_not_given_is_the_declared_default(cli, tmp_path, given, expected):
    options = ("--root", "M", "--entry", "f", "--bind", "N=3", "--bind", "S=2", "--input", "x=zeros", *given, "-o", "out.npz")
    assert cli(*options)[::2] == (0, "")
    with np.load(tmp_path / "out.npz") as arrays:
        assert [arrays[f"results.{at}"].tolist() for at in (1, 2, 3)] == expected


def test_an_entry_of_defaults_needs_no_input(cli):
    assert cli("--entry", "g") == (0, "results.0  i32  min 7  max 7  mean 7  first 7\n", "")


def test_an_input_without_a_default_is_still_due(cli):
    status, out, err = cli("--root", "M", "--entry", "f", "--bind", "N=3", "--bind", "S=2")
    assert (status, out) == (2, "")
    assert err.startswith("linnet: no value for `x`")
    assert "scale" not in err
