"""A preset binds generics that a block or an entry of its package declares."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from linnet_core.modules.load import load, load_many
from linnet_core.text.diagnostic import Diagnostics

Folder = Callable[[dict[str, str]], Path]

HEAD = '[package]\nname = "shop"\nversion = "0.1.0"\nlanguage = "0.1"\n'
LIB = """module shop
use crate.parts
struct S<FieldSize: Dim> { a: Tensor[FieldSize; f32] }
fn f<FnSize: Dim>(x: Tensor[FnSize; f32]) -> f32 { return 1.0 }
entry alone<EntrySize: Dim>(x: Tensor[EntrySize; f32]) -> f32 { return 1.0 }
block Model<Width: Dim, T: Float = f32> {
    block Inner<Nested: Dim> { param w: Tensor[Nested; f32] }
    entry run<*Batch: Shape>(x: Tensor[*Batch; T]) -> Tensor[*Batch; T] { return x }
}
"""


def found(folder: Folder, presets: str, path: str = "shop", **files: str) -> list[tuple[str, str, int, str | None]]:
    folder({"shop/linnet.toml": HEAD + presets, "shop/src/lib.linnet": LIB, "shop/src/parts.linnet": "module shop.parts\n", **files})
    diagnostics = Diagnostics()
    load(path, diagnostics=diagnostics)
    return [(d.code, d.message, d.span.source.position(d.span.start).line, d.help) for d in diagnostics.found if d.span is not None]


@pytest.mark.parametrize(
    "binding",
    ["Width = 3", 'T = "f32"', "Batch = [2, 3]", "EntrySize = 1", "Nested = 2"],
    ids=["of a block", "a dtype", "of an entry", "of an entry outside blocks", "of a block in a block"],
)
def test_a_name_that_is_declared(folder: Folder, binding: str) -> None:
    assert found(folder, f"[presets.a]\n{binding}\n") == []


#: What is said of a name that is like none of those a preset binds.
BOUND = "a preset binds `Batch`, `EntrySize`, `Nested`, `T`, `Width`"


@pytest.mark.parametrize(
    ("binding", "help"),
    [
        pytest.param("Nowhere = 3", BOUND, id="of nothing"),
        pytest.param("Widht = 3", "did you mean `Width`?", id="misspelt"),
        pytest.param("FnSize = 3", BOUND, id="of a function"),
        pytest.param("FieldSize = 3", BOUND, id="of a struct"),
        pytest.param("Model = 3", BOUND, id="a block itself"),
    ],
)
def test_a_name_that_is_not(folder: Folder, binding: str, help: str | None) -> None:
    name = binding.split()[0]
    message = f"no block or entry of `shop` has a generic `{name}`"
    assert found(folder, f"[presets.a]\nWidth = 1\n[presets.b]\n{binding}\n") == [("E5001", message, 8, help)]


def test_every_place_is_reported(folder: Folder) -> None:
    lines = [line for _, _, line, _ in found(folder, "[presets.a]\nX = 1\nY = 2\n[presets.b]\nX = 1\n")]
    assert lines == [6, 7, 9]


def test_a_module_that_is_not_reached_declares_too(folder: Folder) -> None:
    other = {"shop/src/other/train.linnet": "module shop.other.train\nblock Train<Steps: Dim> { }\n", "shop/src/odd.linnet": "module\x00 ("}
    assert found(folder, "[presets.a]\nSteps = 1\nWidth = 1\n", **other) == []
    assert found(folder, "[presets.a]\nSteps = 1\nWidth = 1\n", path="shop/src/parts.linnet", **other) == []


def test_a_file_with_a_syntax_error_may_hide_a_declaration(folder: Folder) -> None:
    broken = {"shop/src/parts.linnet": "module shop.parts\nentry half<Hidden: Dim>(x: f32 -> f32 { return x }\n"}
    assert [code for code, *_ in found(folder, "[presets.a]\nHidden = 1\n", **broken)] == ["E1101"]


def test_a_file_of_the_package_alone_reports_the_same(folder: Folder) -> None:
    assert [line for _, _, line, _ in found(folder, "[presets.a]\nX = 1\n", path="shop/src/parts.linnet")] == [6]


def test_each_package_given_is_held_against_its_own(folder: Folder) -> None:
    folder(
        {
            "shop/linnet.toml": HEAD + "[presets.a]\nWidth = 1\n",
            "shop/src/lib.linnet": LIB,
            "shop/src/parts.linnet": "module shop.parts\n",
            "inn/linnet.toml": HEAD.replace("shop", "inn") + "[presets.a]\nWidth = 1\n",
            "inn/src/lib.linnet": "module inn\n",
        }
    )
    diagnostics = Diagnostics()
    load_many(["shop", "inn"], diagnostics=diagnostics)
    assert [d.message for d in diagnostics.found] == ["no block or entry of `inn` has a generic `Width`"]
