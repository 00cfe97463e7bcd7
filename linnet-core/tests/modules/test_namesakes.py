"""Programs of one name that are loaded together are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from linnet_core.cli.app import run
from linnet_core.modules.load import load_many
from linnet_core.modules.namesakes import without_namesakes
from linnet_core.text.diagnostic import Diagnostics

FILES = {
    "a.linnet": "module m\n\nblock P<H: Dim> {\n    param w: Tensor[H; f32]\n\n"
    "    entry f() -> Tensor[H; f32] {\n        return w\n    }\n}\n",
    "b.linnet": "module m\n\nblock P<A: Dim, B: Dim> {\n    param w: Tensor[A, B; f32]\n\n"
    "    entry f() -> Tensor[A, B; f32] {\n        return w\n    }\n}\n",
    "c.linnet": "module n\n\nuse std.nn.softmax::{softmax}\n\n"
    "fn f<N: Dim>(x: Tensor[N; f32]) -> Tensor[N; f32] {\n    return softmax(x)\n}\n",
    "d.linnet": "module m\n\nconst A = B\n",
    "unused.linnet": "module m\n\nuse std.nn.softmax::{softmax}\n",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        pytest.param("ac", ["ac"], id="no two of one name"),
        pytest.param("ab", ["a", "b"], id="two of one name"),
        pytest.param("acb", ["ac", "b"], id="the third is with the first"),
        pytest.param("abdc", ["ac", "b", "d"], id="three of one name"),
        pytest.param("aa", ["aa"], id="one file twice"),
    ],
)
@pytest.mark.usefixtures("files")
def test_roots_of_one_name_stand_in_parts_of_their_own(given: str, parts: list[str]) -> None:
    package = load_many([f"{name}.linnet" for name in given], diagnostics=Diagnostics())
    assert package is not None
    found = without_namesakes(package)
    assert ["".join(Path(root.source.path).stem for root in part.roots) for part in found] == parts
    for part in found:
        assert len({module.name for module in part.modules}) == len(part.modules)
        assert {id(root) for root in part.roots} <= {id(module) for module in part.modules}


@pytest.mark.usefixtures("files")
def test_each_is_checked_as_if_it_were_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "a.linnet", "b.linnet", "c.linnet"]) == 0
    assert run(["lint", "a.linnet", "b.linnet", "unused.linnet"]) == 1
    assert "W1001" in capsys.readouterr().err
    assert run(["check", "a.linnet", "d.linnet", "unused.linnet"]) == 1
    shown = capsys.readouterr().err
    assert "E1201" in shown
    assert "W1001" not in shown, "warnings are for programs without errors"
