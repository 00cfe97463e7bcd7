"""Fitting weights: one report of everything, optionals as they are held, tied and cast tensors, names bound by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np
import pytest
from tensor_files import tensors

from linnet_core.errors import DocumentError
from linnet_core.loading.fit import fit, read
from linnet_core.loading.tree import Array, Leaf, Node
from linnet_core.weights.bindings import tensor_names
from linnet_core.weights.checkpoint import open_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from linnet_core.loading.tree import Kind, Part
    from linnet_core.weights.checkpoint import Checkpoint


def leaf(path: str, shape: tuple[int, ...] = (2,), dtype: str = "f32", kind: Kind = "param", *, optional: bool = False) -> Leaf:
    return Leaf(path.rpartition(".")[2], path, kind, shape, dtype, optional)


def model(*members: Part) -> Node:
    return Node("", "", "M", members)


def sub(path: str, *members: Part, optional: bool = True) -> Node:
    return Node(path.rpartition(".")[2], path, "B", members, optional)


def stored(tmp_path: Path, arrays: dict[str, np.ndarray] | list[str], metadata: dict[str, str] | None = None) -> Checkpoint:
    path = tmp_path / "w.safetensors"
    given = arrays if isinstance(arrays, dict) else {name: np.full(2, at, np.float32) for at, name in enumerate(arrays)}
    path.write_bytes(tensors(given, metadata))
    return open_checkpoint(str(path))


def test_all_problems_stand_in_one_report(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    arrays = {"t": np.zeros(32000, np.float32), "w": np.zeros((), np.float32), "q": np.zeros(4, np.float32), "b": np.zeros(4, np.float32)}
    path.write_bytes(tensors(arrays))
    wanted = [
        leaf("t", (), "f32"),
        leaf("w", (1,), "f32"),
        leaf("q", (4,), "i8"),
        leaf("b", (4,), "bf16"),
        leaf("gone", (2, 3), "f16"),
    ]
    with pytest.raises(DocumentError) as caught:
        fit(model(*wanted), open_checkpoint(str(path)))
    assert str(caught.value).splitlines() == [
        f"{path} does not fit the model:",
        "  `t` (f32) is stored as F32[32000]",
        "  `w` (f32[1]) is stored as F32",
        "  `q` (i8[4]) is stored as F32[4]",
        "  `b` (bf16[4]) is stored as F32[4]",
        "  `gone` (f16[2, 3]) is missing",
        "  `cast_dtype=True` of a loader takes floats of another width",
    ]
    with pytest.raises(DocumentError) as caught:
        fit(model(*wanted), open_checkpoint(str(path)), cast_dtype=True)
    assert "`b`" not in str(caught.value)
    assert "cast_dtype" not in str(caught.value)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        pytest.param(["model.w"], ["  the file also holds `model.w`; what is missing stands there behind `model.`"], id="under a prefix"),
        pytest.param(list("gfedcb"), ["  the file also holds `b`, `c`, `d`, `e` and 2 more"], id="many"),
        pytest.param(["a\n"], ["  the file also holds `a\\n`"], id="a line break in a name"),
        pytest.param(["model.vw"], ["  the file also holds `model.vw`"], id="another name that ends alike"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_where_a_parameter_is_missing_the_names_left_over_are_shown(tmp_path: Path, held: list[str], said: list[str]) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors({name: np.zeros(2, np.float32) for name in held}))
    with pytest.raises(DocumentError) as caught:
        fit(model(leaf("w", (2,), "f32")), open_checkpoint(str(path)), strict=False)
    assert str(caught.value).splitlines()[1:] == ["  `w` (f32[2]) is missing", *said]


def test_a_prefix_is_named_only_where_all_that_is_missing_stands_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors({name: np.zeros(2, np.float32) for name in ("encoder.w", "model.b", "model.w", "c")}))
    file = open_checkpoint(str(path))
    with pytest.raises(DocumentError, match=r"behind `model\.`$"):
        fit(model(leaf("w", (2,), "f32"), leaf("b", (2,), "f32"), leaf("c", (2,), "f32")), file)
    with pytest.raises(DocumentError, match=r"also holds `c`, `encoder\.w`, `model\.b`, `model\.w`$"):
        fit(model(leaf("w", (2,), "f32"), leaf("d", (2,), "f32")), file)


def test_a_wrong_shape_alone_shows_no_names_left_over(tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors({name: np.zeros(2, np.float32) for name in ("w", "other")}))
    with pytest.raises(DocumentError) as caught:
        fit(model(leaf("w", (3,), "f32")), open_checkpoint(str(path)), strict=False)
    assert str(caught.value).splitlines()[1:] == ["  `w` (f32[3]) is stored as F32[2]"]


def test_a_tied_weight_that_only_the_metadata_names_is_filled_from_the_other(tmp_path: Path) -> None:
    tree = model(leaf("embed.weight"), leaf("head.weight"))
    file = stored(tmp_path, ["embed.weight"], {"format": "pt", "head.weight": "embed.weight"})
    found = fit(tree, file)
    assert found.names == {"embed.weight": "embed.weight", "head.weight": "embed.weight"}
    (loaded,) = read(tree, file, found)
    assert loaded.paths == ("embed.weight", "head.weight")


def test_a_tied_weight_that_nothing_names_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"`head.weight` \(f32\[2\]\) is missing$"):
        fit(model(leaf("embed.weight"), leaf("head.weight")), stored(tmp_path, ["embed.weight"]))


def test_unused_tensors_are_problems_unless_they_are_allowed(tmp_path: Path) -> None:
    file = stored(tmp_path, ["z", "a", "w"])
    assert fit(model(leaf("w")), file, strict=False).unused == ("a", "z")
    with pytest.raises(DocumentError) as caught:
        fit(model(leaf("w")), file)
    assert str(caught.value).splitlines()[1:] == ["  `a` is used by no parameter", "  `z` is used by no parameter"]


def test_a_second_copy_of_a_tensor_bound_by_hand_is_no_complaint(tmp_path: Path) -> None:
    tree = model(leaf("embed"), leaf("head"))
    same = {name: np.ones(2, np.float32) for name in ("embed", "lm_head")}
    names = tensor_names({"head": "embed"})
    assert fit(tree, stored(tmp_path, same), names).unused == ()
    with pytest.raises(DocumentError, match="`lm_head` is used by no parameter"):
        fit(tree, stored(tmp_path, {**same, "lm_head": np.zeros(2, np.float32)}), names)


OPTIONALS = [
    pytest.param(["w"], {"bias", "lora"}, id="nothing optional is held"),
    pytest.param(["w", "bias"], {"lora"}, id="an optional parameter"),
    pytest.param(["w", "lora.a", "lora.b"], {"bias", "lora.bias"}, id="a block without what is optional in it"),
    pytest.param(["w", "lora.a", "lora.b", "lora.bias"], {"bias"}, id="a whole block"),
]
WITH_OPTIONALS = model(
    leaf("w"),
    leaf("bias", optional=True),
    sub("lora", leaf("lora.a"), leaf("lora.b"), leaf("lora.bias", optional=True), leaf("lora.seen", kind="state")),
    sub("cache", leaf("cache.rows", kind="state")),
)


@pytest.mark.parametrize(("held", "absent"), OPTIONALS)
def test_optionals_are_there_where_they_are_held(tmp_path: Path, held: list[str], absent: set[str]) -> None:
    found = fit(WITH_OPTIONALS, stored(tmp_path, held))
    assert found.absent == absent
    assert list(found.names) == held


def test_a_block_held_in_part_is_left_out_and_what_it_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        fit(WITH_OPTIONALS, stored(tmp_path, ["w", "lora.b"]))
    assert str(caught.value).splitlines()[1:] == ["  `lora.b` is used by no parameter: `lora` is left out because `lora.a` is missing"]


def test_an_optional_bound_by_hand_must_be_held(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"`bias` .* is missing as `b`"):
        fit(WITH_OPTIONALS, stored(tmp_path, ["w"]), tensor_names({"bias": "b"}))


@pytest.mark.parametrize("bound", [{"lora.a": "a"}, {"lora.bias": "c"}], ids=["what it requires", "what is optional in it"])
def test_something_of_an_optional_block_bound_by_hand_must_be_held(tmp_path: Path, bound: dict[str, str]) -> None:
    with pytest.raises(DocumentError) as caught:
        fit(WITH_OPTIONALS, stored(tmp_path, ["w", "lora.b"]), tensor_names(bound))
    ((path, name),) = bound.items()
    assert f"`{path}` (f32[2]) is missing as `{name}`" in str(caught.value)
    held = stored(tmp_path, ["w", "lora.a", "lora.b", name])
    assert fit(WITH_OPTIONALS, held, tensor_names(bound), strict=False).names[path] == name


def test_floats_are_cast_to_another_width_where_that_is_asked_for_and_nothing_else_is(tmp_path: Path) -> None:
    file = stored(tmp_path, {"b": np.array([1, 1.00390625], np.float32), "q": np.zeros(2, np.float32)})
    wide, narrow = leaf("b", dtype="bf16"), leaf("q", dtype="i8")
    with pytest.raises(DocumentError) as caught:
        fit(model(wide, narrow), file, cast_dtype=True)
    assert str(caught.value).splitlines()[1:] == ["  `q` (i8[2]) is stored as F32[2]"]
    (loaded,) = read(model(wide), file, fit(model(wide), file, cast_dtype=True, strict=False))
    assert loaded.array.dtype == ml_dtypes.bfloat16
    assert loaded.array.astype(np.float32).tolist() == [1, 1]


def test_names_are_bound_one_by_one_and_for_every_element(tmp_path: Path) -> None:
    layers = Array("h", "h", tuple(sub(f"h.{at}", leaf(f"h.{at}.w"), optional=False) for at in range(11)))
    tree = model(leaf("wte"), layers)
    names = tensor_names({"wte": "embed", "h[*].w": "model.h[*].weight", "h.10.w": "tail"})
    file = stored(tmp_path, ["embed", "tail", *(f"model.h.{at}.weight" for at in range(10))])
    found = fit(tree, file, names)
    assert found.names == {"wte": "embed", **{f"h.{at}.w": f"model.h.{at}.weight" for at in range(10)}, "h.10.w": "tail"}


def test_a_binding_of_what_the_model_has_not_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="`wtf` is bound, and the model has no such parameter; did you mean `wte`"):
        fit(model(leaf("wte")), stored(tmp_path, ["embed"]), tensor_names({"wte": "embed", "wtf": "embed"}))


def test_each_tensor_is_read_once_and_told(tmp_path: Path) -> None:
    tree = model(leaf("a"), leaf("b"), leaf("c"))
    file = stored(tmp_path, ["a", "c"])
    told: list[tuple[int, int, str]] = []
    found = fit(tree, file, tensor_names({"b": "a"}))
    paths = [each.paths for each in read(tree, file, found, lambda done, total, name: told.append((done, total, name)))]
    assert paths == [("a", "b"), ("c",)]
    assert told == [(8, 16, "a"), (16, 16, "c")]
