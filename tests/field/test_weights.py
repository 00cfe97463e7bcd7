"""Files of weights on every target: tied tensors, dtypes NumPy has not, tensors of nothing, orders in memory, a file that is replaced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest
from tensor_files import tensors

from linnet_core.cli.app import run as command_line

if TYPE_CHECKING:
    from collections.abc import Callable

FILE = Path(__file__).parent / "weights.linnet"
BF16 = np.dtype(ml_dtypes.bfloat16)
EMBED = np.array([[1.5, -2.0], [0.25, 3.0]], BF16)
#: -1, -7, 0 and -8, the low half of each byte first.
PACKED = np.array([[-97, -128]], np.int8)
STORED = {"embed": EMBED, "scale": np.array([127, 1], np.uint8), "nothing": np.zeros((0, 2), np.float32), "packed": PACKED}
X = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)
WANTED = EMBED.astype(np.float32) @ X + EMBED.astype(np.float32).T + np.array([127, 1], np.float32)
TARGETS = ["numpy", "torch", "jax"]


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A file that stores the tied tensor once, and says so in its metadata; its scales are of a type that only torch and ml_dtypes have."""
    path = tmp_path / "w.safetensors"
    path.write_bytes(tensors(STORED, {"format": "pt", "head": "embed"}, {"scale": "F8_E8M0"}))
    return path


def ran(folder: Path, *arguments: str) -> np.ndarray[Any, Any]:
    """The first result of a run."""
    assert command_line(["run", *arguments, "-o", str(folder / "out.npz"), str(FILE)]) == 0
    with np.load(folder / "out.npz") as found:
        return found["results.0"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_file_is_read_and_an_input_has_any_order_in_memory(target: str, weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax" if target == "jax" else "numpy")
    folder = weights.parent
    np.save(folder / "c.npy", X)
    np.save(folder / "f.npy", np.asfortranarray(X))
    options = ("--target", target, "--weights", str(weights), "--entry")
    assert ran(folder, *options, "run", "--input", f"x={folder / 'f.npy'}").tolist() == WANTED.tolist()
    assert ran(folder, *options, "run", "--input", f"x={folder / 'c.npy'}").tolist() == WANTED.tolist()
    assert ran(folder, *options, "empty").shape == (0, 2)
    assert ran(folder, *options, "nibbles").tolist() == [[-1, -7, 0, -8]]
    # 2 and 8 less 8, which do not wrap as bytes would
    assert ran(folder, *options, "differences", "--input", "p=[[[130]]]", "--input", "zero=[[8]]").tolist() == [[-6, 0]]
    assert capsys.readouterr().err == ""


def on_torch(**options: Any) -> tuple[Callable[[], Any], Callable[[], bool]]:
    """What a loaded module answers, and whether it holds the tied tensor once."""
    import torch

    import linnet_torch

    module = linnet_torch.load(FILE, **options)
    return lambda: module.run(torch.from_numpy(X)).tolist(), lambda: module.embed is module.head


def on_jax(**options: Any) -> tuple[Callable[[], Any], Callable[[], bool]]:
    """The same of a function."""
    import linnet_jax

    function = linnet_jax.load(FILE, **options)
    return lambda: function.run(X).tolist(), lambda: function.parameters["embed"] is function.parameters["head"]


LOADERS = [pytest.param("torch", on_torch, id="torch"), pytest.param("jax", on_jax, id="jax")]


@pytest.mark.parametrize(("framework", "load"), LOADERS)
def test_what_is_loaded_outlives_its_file(framework: str, load: Any, weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(framework)
    monkeypatch.setenv("LINNET_CACHE", "")
    run, is_shared = load(weights=weights)
    weights.write_bytes(bytes(weights.stat().st_size))
    assert is_shared()
    assert run() == WANTED.tolist()


@pytest.mark.parametrize(("framework", "load"), LOADERS)
def test_arrays_of_memory_are_taken_as_those_of_a_file_are(framework: str, load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(framework)
    monkeypatch.setenv("LINNET_CACHE", "")
    held = {**STORED, "scale": STORED["scale"].view(ml_dtypes.float8_e8m0fnu), "embed": np.asfortranarray(EMBED)}
    run, is_shared = load(weights=held, bindings={"head": "embed"})
    assert is_shared()
    assert run() == WANTED.tolist()
