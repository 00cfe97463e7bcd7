"""One run of an entry of a program of this folder, and what it must give.

In: a file, an entry, sizes.  Out: inputs and weights at random, the results of a target, and the same by PyTorch.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import numpy as np
import torch
from agreement import differences
from msgspec import Struct
from running import program

from linnet_core.check.check import check
from linnet_core.ir.lowered import lowered
from linnet_core.modules.load import load
from linnet_core.plan.read import read_plan
from linnet_core.plan.write import plan_document
from linnet_core.text.diagnostic import Diagnostics

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

HERE = Path(__file__).parent
TARGETS = ["numpy", "torch"]
POLICIES = ["exact", "equivalent", "fast"]
SCHEMA = jsonschema_rs.validator_for(json.loads((HERE.parents[1] / "schemas" / "plan-1.schema.json").read_text(encoding="utf-8")))


class Run(Struct, frozen=True):
    """`wanted` takes the inputs and then the parameters by name, dots being underscores, and gives one result or several."""

    #: File, root where there is one, and entry: `gpt2 Projection.forward`.
    id: str
    wanted: Callable[..., Any]
    bindings: dict[str, Any] = {}
    #: Integers of an input lie below this.
    below: int = 4
    #: Inputs and parameters that are not at random.
    given: dict[str, Any] = {}
    optionals: str = "absent"

    @property
    def file(self) -> str:
        return self.id.split(" ")[0]

    @property
    def root(self) -> str | None:
        return self.id.split(" ")[1].rpartition(".")[0] or None

    @property
    def entry(self) -> str:
        return self.id.split(" ")[1].rpartition(".")[2]


def made_up(name: str, shape: tuple[int, ...], dtype: str, below: int) -> np.ndarray:
    """Normal numbers, integers from 0, bools; the same for the same name."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    match dtype:
        case "f32" | "f16" | "f64":
            return np.asarray(random.standard_normal(shape), {"f32": np.float32, "f16": np.float16, "f64": np.float64}[dtype])
        case "bool":
            return np.asarray(random.random(shape) < 0.6)
        case _:
            return np.asarray(random.integers(0, below, shape), {"i": "int", "u": "uint"}[dtype[0]] + dtype[1:])


def chosen(run: Run, name: str, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """What the run says, or numbers at random."""
    found = made_up(name, shape, dtype, run.below)
    return np.array(run.given[name]).astype(found.dtype) if name in run.given else found


def assert_gives(folder: Path, run: Run, target: str, numerics: str) -> None:
    """The entry on a target is what PyTorch makes of the same numbers."""
    path = str(folder / f"{run.file}.linnet")
    one = program(target, path, run.bindings, entry=run.entry, root=run.root, numerics=numerics, optionals=run.optionals)  # type: ignore[arg-type]  # words of options
    inputs = {leaf.name: chosen(run, leaf.name, leaf.shape, leaf.dtype) for leaf in one.inputs}
    parameters = {leaf.path: chosen(run, leaf.path, leaf.shape, leaf.dtype) for leaf in one.parameters}
    states = {leaf.path: np.zeros(leaf.shape, np.float32) for leaf in one.states}
    results, _ = one.run(inputs, parameters, states)
    named = {name.replace(".", "_"): torch.from_numpy(value.copy()) for name, value in (inputs | parameters).items()}
    found = run.wanted(**named)
    wanted: list[Tensor] = list(found) if isinstance(found, tuple) else [found]
    assert len(results) == len(wanted)
    for a, b in zip(results, wanted, strict=True):
        assert differences(np.asarray(a), np.asarray(b), 1e-5) is None


def assert_clean(file: Path) -> None:
    """No error and no warning, and a plan that validates and reads back."""
    diagnostics = Diagnostics()
    package = load(str(file), diagnostics=diagnostics)
    checked = check(package, diagnostics) if package is not None else None
    assert diagnostics.found == ()
    assert checked is not None
    for optimize in (False, True):
        document = json.loads(json.dumps(plan_document(lowered(checked, "equivalent", optimize=optimize), functions=True)))
        assert SCHEMA.is_valid(document)
        assert json.dumps(plan_document(read_plan(document), functions=True)) == json.dumps(document)
